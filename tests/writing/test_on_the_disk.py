"""What is written is put on the disk before it takes its name: a power cut leaves the old content or the new."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest

from discreet.intruder import Intruder
from discreet.plan import Plan
from discreet.searching.front import TriedPlan
from discreet.searching.journal import Journal
from discreet.searching.question import Question
from discreet.table import Table
from discreet.writing import new_folder, write_text


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, str]]:
    """The files and folders that were put on the disk, in order, with what was in the files by then."""
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("needs the names of open files")
    done: list[tuple[Path, str]] = []
    really = os.fsync

    def noted(handle: int) -> None:
        place = Path(f"/proc/self/fd/{handle}").readlink()
        done.append((place, "" if place.is_dir() else place.read_text()))
        really(handle)

    monkeypatch.setattr(os, "fsync", noted)
    return done


@pytest.mark.parametrize("force", [False, True])
def test_a_file_is_settled_under_another_name_and_then_its_folder(
    settled: list[tuple[Path, str]], tmp_path: Path, force: bool
) -> None:
    write_text(tmp_path / "a.txt", "all of it", force=force)
    assert [said for _, said in settled] == ["all of it", ""]
    (content, _), (folder, _) = settled
    assert content.parent == tmp_path
    assert content.name != "a.txt"
    assert folder == tmp_path


@pytest.mark.parametrize("force", [False, True])
def test_all_that_a_folder_holds_is_settled_before_it_takes_its_place(
    settled: list[tuple[Path, str]], tmp_path: Path, force: bool
) -> None:
    place = tmp_path / "release"
    if force:
        place.mkdir()
        (place / "old").write_text("old")
    with new_folder(place, force=force) as folder:
        (folder / "inner").mkdir()
        (folder / "inner" / "b.txt").write_text("two")
        (folder / "a.txt").write_text("one")
        assert settled == []
    held = [(place.name, said) for place, said in settled if place.is_relative_to(folder)]
    assert sorted(held) == sorted([("a.txt", "one"), ("b.txt", "two"), ("inner", ""), (folder.name, "")])
    assert settled[-1] == (tmp_path, "")


def test_each_point_of_a_search_is_settled_when_it_is_found(
    settled: list[tuple[Path, str]], tmp_path: Path
) -> None:
    question = Question(
        table=Table.of(pl.DataFrame({"x": [1.0, 2.0]}), roles={"x": "quasi-identifier"}),
        ceilings={},
        floors={},
        methods=None,
        ranges=None,
        loss="lost",
        draw=0,
        intruder=Intruder(),
    )
    journal = Journal(tmp_path / "journal", question)
    settled.clear()
    plan = Plan.of([("round", {"columns": ["x"], "base": 5.0})])
    point = TriedPlan(plan=plan, risk=0.25, loss=3.0, risks={}, levels={}, meets=True, checked=())
    for place in range(2):
        journal.add(f"0.{place}", point)
        assert len(settled) == place + 1
        assert settled[-1][1].count('"risk"') == place + 1
