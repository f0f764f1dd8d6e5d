"""`discreet inspect --project`: going on from what a project says already."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.demo import people
from discreet.project import Project

Run = Callable[..., subprocess.CompletedProcess[str]]
TEXT = """
[columns.age]
role = "confidential"
scale = "numeric"
importance = 3

[columns.sex]
role = "quasi-identifier"

[columns.gone]
role = "quasi-identifier"

[[mask]]
method = "microaggregate"
columns = ["gone"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    people(80, seed=2).select("age", "sex", "hours").write_csv(tmp_path / "people.csv")
    (tmp_path / "discreet.toml").write_text(TEXT)
    return tmp_path / "discreet.toml"


def test_a_plan_is_tried_for_the_columns_of_the_project_and_replaces_its_steps(
    project: Path, in_process: Run
) -> None:
    limits = ("--ceiling", "identity=0.5", "--floor", "k_anonymity=2")
    found = in_process(
        "inspect", "people.csv", "--project", project, "--force", *limits, folder=project.parent
    )
    assert found.returncode == 0, found.stderr
    made = Project.load(project)
    assert made.columns["age"].role == "confidential"
    assert made.columns["age"].importance == 3
    assert made.columns["hours"].role == "quasi-identifier"
    assert (dict(made.assess.ceilings), dict(made.assess.floors)) == ({"identity": 0.5}, {"k_anonymity": 2})
    assert set(made.plan.columns) == {"sex", "hours"}
    assert not made.release.draft


def test_options_for_reading_become_those_of_the_project(project: Path, in_process: Run) -> None:
    asked = ("people.csv", "--project", project, "--quick", "--header", "--out", "made.toml", "--json")
    found = in_process("inspect", *asked, folder=project.parent)
    assert found.returncode == 0, found.stderr
    told = json.loads(found.stdout)
    assert (told["new"], told["gone"]) == (["hours"], ["gone"])
    assert Project.load(project.with_name("made.toml")).read.header is True
    assert Project.load(project).read.header is None


def test_a_tree_is_cut_where_that_is_asked_for(project: Path, in_process: Run) -> None:
    project.unlink()
    asked = ("people.csv", "age", "--dry-run", "--tree", "--lines", "3", "--json")
    told = in_process("hierarchy", *asked, folder=project.parent)
    assert told.stdout.count('"depth"') == 3
    assert '"lines_left"' in told.stdout
    shown = in_process("hierarchy", *asked[:-1], folder=project.parent)
    assert "more lines; the file has them all" in shown.stdout
