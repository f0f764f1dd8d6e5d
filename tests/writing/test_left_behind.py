"""What a killed process leaves behind is cleared by the next one, and there is never a moment without a release."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from discreet.assessment import assess
from discreet.caching import Cache
from discreet.demo import table as census
from discreet.plan import Plan
from discreet.protection import protect
from discreet.writing import atomic, new_folder, unfinished, write_text

KILLED = """
import os, signal, sys
from pathlib import Path
from discreet.writing import new_file, new_folder
with {maker}(sys.argv[1], force=True) as temporary:
    place = temporary if temporary.is_file() else temporary / "half"
    place.write_text("half")
    os.kill(os.getpid(), signal.{how})
"""
ALIVE = """
import sys
from discreet.writing import {maker}
with {maker}(sys.argv[1]) as temporary:
    place = temporary if temporary.is_file() else temporary / "whole"
    place.write_text("whole")
    print("ready", flush=True)
    sys.stdin.readline()
"""


def parts(folder: Path) -> list[Path]:
    return [each for each in folder.iterdir() if each.name.endswith(".part")]


def kill(maker: str, place: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED.format(maker=maker, how="SIGKILL"), str(place)], check=False
    )
    assert done.returncode == -signal.SIGKILL


@pytest.mark.parametrize("maker", ["new_file", "new_folder"])
def test_what_a_killed_process_left_is_cleared_by_the_next_that_writes_beside_it(
    maker: str, tmp_path: Path
) -> None:
    kill(maker, tmp_path / "release")
    assert len(parts(tmp_path)) == 1
    write_text(tmp_path / "other.txt", "text")
    assert [each.name for each in tmp_path.iterdir()] == ["other.txt"]


def test_what_a_killed_process_left_in_a_cache_is_cleared_by_the_next_that_only_reads_it(
    tmp_path: Path,
) -> None:
    release = protect(census(30, seed=1), Plan.of([]), seed=1)
    assess(census(30, seed=1), release, attacks=["link"], losses=[], cache=Cache(tmp_path))
    kept = list(tmp_path.iterdir())
    kill("new_file", tmp_path / "entry.json")
    assert len(parts(tmp_path)) == 1
    assess(census(30, seed=1), release, attacks=["link"], losses=[], cache=Cache(tmp_path))
    assert list(tmp_path.iterdir()) == kept


@pytest.mark.parametrize("maker", ["new_file", "new_folder"])
def test_what_a_living_process_is_writing_is_left_alone(maker: str, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ALIVE.format(maker=maker), str(tmp_path / "release")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        assert len(parts(tmp_path)) == 1
        write_text(tmp_path / "other.txt", "text")
        with new_folder(tmp_path / "folder"):
            pass
        assert len(parts(tmp_path)) == 1
        other.communicate("go on\n")
    assert other.returncode == 0
    assert (tmp_path / "release").exists()
    assert parts(tmp_path) == []


def test_files_that_only_look_like_ours_are_left_alone(tmp_path: Path) -> None:
    names = [".a.part", ".a.0123456789abcdeX.part", "a.0123456789abcdef.part", ".0123456789abcdef.part.txt"]
    for name in names:
        (tmp_path / name).write_text("mine")
    write_text(tmp_path / "other.txt", "text")
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([*names, "other.txt"])


def test_a_link_that_looks_like_a_leftover_leads_nobody_to_what_it_points_at(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a").write_text("dear")
    (tmp_path / ".x.0123456789abcdef.part").symlink_to(tmp_path / "letters")
    write_text(tmp_path / "other.txt", "text")
    assert (tmp_path / "letters" / "a").read_text() == "dear"


def test_there_is_a_whole_release_at_every_moment_of_a_replacement(tmp_path: Path) -> None:
    """A reader that looks all the time finds the old folder or the new one, and never none or a mixture."""
    place, done, seen = tmp_path / "release", threading.Event(), set[str]()
    with new_folder(place) as folder:
        (folder / "number").write_text("0")

    def look() -> None:
        while not done.is_set():
            try:
                seen.add((place / "number").read_text())
            except FileNotFoundError:
                seen.add("nothing")

    reader = threading.Thread(target=look)
    reader.start()
    for number in range(1, 200):
        with new_folder(place, force=True) as folder:
            (folder / "number").write_text(str(number))
    done.set()
    reader.join()
    assert "nothing" not in seen
    assert "" not in seen
    assert (place / "number").read_text() == "199"
    assert parts(tmp_path) == []


def test_a_system_that_cannot_exchange_folders_replaces_them_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic, "_exchange", lambda one, other: False)
    for text in ("old", "new"):
        with new_folder(tmp_path / "release", force=True) as folder:
            (folder / text).write_text(text)
    assert [each.name for each in (tmp_path / "release").iterdir()] == ["new"]
    assert [each.name for each in tmp_path.iterdir()] == ["release"]


def test_a_system_without_locks_writes_and_clears_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill("new_file", tmp_path / "a.txt")
    left = parts(tmp_path)
    monkeypatch.setattr(unfinished, "LOCKS", None)
    write_text(tmp_path / "b.txt", "text")
    assert parts(tmp_path) == left
    assert (tmp_path / "b.txt").read_text() == "text"
