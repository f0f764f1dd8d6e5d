"""A look at a plan before anything is released, and the same work again."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import discreet as dc
from discreet.assessment import LOST
from discreet.demo import people, project
from discreet.errors import BadParameter, Mismatch
from discreet.previewing import preview, sample_of
from discreet.progress import progress_in
from discreet.project import Project
from discreet.reproducing import commands_of, script_of
from discreet.table import Table

Run = Callable[..., subprocess.CompletedProcess[str]]
STEPS = ["microaggregate k=5 columns=age,income", "suppress k=3 columns=sex,region"]


@pytest.fixture
def apart() -> Run:
    """Runs the command line in a process of its own."""

    def run(*arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "discreet", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)

    return run


@pytest.fixture
def census(tmp_path: Path) -> Table:
    people(200, seed=4).write_csv(tmp_path / "people.csv")
    (tmp_path / "discreet.toml").write_text(project())
    return dc.read(tmp_path / "people.csv")


def test_the_last_step_on_all_records_is_what_would_be_released(census: Table) -> None:
    plan = dc.Plan.of(STEPS)
    seen = preview(census, plan, records=None, seed=7, ceilings={"identity": 0.5})
    release = dc.protect(census, plan, seed=7, order="kept")
    found = dc.assess(
        census, release, attacks=["identity", "attribute"], losses=[LOST], ceilings={"identity": 0.5}
    )
    assert found.identity is not None
    assert found.lost is not None
    assert seen.steps[-1].identity == found.identity.risk
    assert seen.steps[-1].lost == found.lost.loss
    assert [each["status"] for each in seen.limits] == [each.status for each in found.limits]
    assert seen.before.lost == 0
    assert {each.column for each in seen.steps[0].columns} == {"age", "income"}
    assert not seen.is_sample
    json.dumps(seen.to_dict(), allow_nan=False)


def test_a_sample_keeps_households_whole_but_the_last(census: Table) -> None:
    some = sample_of(census, 60, seed=3)
    assert len(some) == 60
    counted = dict(census.frame["household"].value_counts().iter_rows())
    kept = dict(some.frame["household"].value_counts().iter_rows())
    assert sum(kept[each] < counted[each] for each in kept) <= 1
    assert sample_of(census, 10_000, seed=3) is census


def test_a_sample_without_households_is_of_records_in_their_order() -> None:
    table = Table.of(people(100, seed=1).select("age", "sex"), roles={}, rest="quasi-identifier")
    table = table.with_numbers(["age"], np.arange(100.0).reshape(-1, 1))
    rows = sample_of(table, 30, seed=5).frame["age"].to_list()
    assert len(set(rows)) == 30
    assert rows == sorted(rows)


def test_a_sample_of_one_record_is_refused(census: Table) -> None:
    with pytest.raises(BadParameter, match="at least 2"):
        preview(census, dc.Plan.of(STEPS), records=1)


def test_the_script_and_the_commands_make_the_same_bytes(census: Table, tmp_path: Path, apart: Run) -> None:
    release = dc.protect(census, Project.load(tmp_path / "discreet.toml").plan)
    release.save(tmp_path / "release", file="people.csv")
    apart("reproduce", "release", "--original", "people.csv", "--script", "again.py", folder=tmp_path)
    assert f"{release.secrets.seed:x}" not in (tmp_path / "again.py").read_text()
    made = subprocess.run(
        [sys.executable, "again.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "The same file, byte for byte" in made.stdout, made.stderr
    seed = apart("reproduce", "release", "--original", "people.csv", "--seed-to", "the.seed", folder=tmp_path)
    assert seed.returncode == 0
    assert (tmp_path / "the.seed").stat().st_mode & 0o077 == 0
    again = apart("protect", "people.csv", "--seed-file", "the.seed", "--out", "third", folder=tmp_path)
    assert again.returncode == 0, again.stderr
    published = [(tmp_path / name / "public/people.csv").read_bytes() for name in ("release", "third")]
    assert published[0] == published[1]


def test_a_project_with_another_plan_has_a_script_and_no_commands(census: Table, tmp_path: Path) -> None:
    settings = Project.load(tmp_path / "discreet.toml")
    release = dc.protect(census, dc.Plan.of(STEPS))
    release.save(tmp_path / "release", file="people.csv")
    saved = dc.Release.load(tmp_path / "release")
    with pytest.raises(Mismatch, match="another file"):
        commands_of(saved, settings, folder="release", file="people.csv")
    compile(script_of(saved, settings, folder="release", file="people.csv"), "again.py", "exec")


def test_progress_in_a_file_is_whole_whenever_it_is_read(tmp_path: Path) -> None:
    place = tmp_path / "progress.json"
    tell = progress_in(place)
    tell(1, 4, "link")
    tell(2, 4, "too soon after the first")
    assert json.loads(place.read_text()) == {"done": 1, "total": 4, "what": "link"}
    tell(4, 4, "done")
    assert json.loads(place.read_text())["done"] == 4
    assert place.stat().st_mode & 0o077 == 0
    progress_in(tmp_path / "nowhere" / "progress.json")(1, 1, "goes on")
