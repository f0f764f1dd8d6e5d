"""What a newcomer gets wrong is told in a sentence that says what to do, before any work is done."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.small_census import PROJECT, people

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def place(tmp_path: Path, in_process: Run) -> Path:
    """A folder with a census of 30 people, its project, and a release of it."""
    people().write_csv(tmp_path / "people.csv")
    (tmp_path / "discreet.toml").write_text(PROJECT)
    assert in_process("protect", "people.csv", folder=tmp_path).returncode == 0
    (tmp_path / "notes").mkdir()
    return tmp_path


SLIPS = [
    ("protect people.cvs", "Did you mean 'people.csv'?"),
    ("protect notes", "Give the file in it"),
    ("protect release", "is the folder of a release"),
    ("protect people.csv", "replace it with --force"),
    ("assess nosuch", "there is no file nosuch"),
    ("assess release", "discreet assess RELEASE --original FILE"),
    ("assess people.csv --original release", "discreet assess RELEASE --original FILE"),
    ("assess release --original nosuch.csv", "there is no file nosuch.csv"),
    ("assess . --original people.csv", "there is no public/manifest.json in it"),
    ("assess release --original people.csv --ceiling identiy=0.1", "Did you mean 'identity'?"),
    ("report nosuch --original people.csv", "`discreet protect FILE --out nosuch`"),
    ("report people.csv --original people.csv", "discreet report RELEASE --original FILE"),
    ("report release --original people.csv --out page.pdf", "must end in .html or .json"),
    ("report release --original people.csv --out nowhere/page.html", "Make it, or choose another"),
    ("compare release --original people.csv", "two or more releases"),
    ("compare release ./release --original people.csv", "named twice"),
    ("compare release people.csv --original people.csv", "is a file, and a release is a folder"),
    ("assess people.csv --private release", "this is for a release with its --original"),
    ("assess people.csv --queries q.toml", "this is for a release of documents"),
    ("assess people.csv --ceiling k_anonymity", "such as identity=0.1; got 'k_anonymity'"),
    ("report release --original people.csv --journal nosuch", "Give the path of the journal of a search"),
    ("attack . --original people.csv", "holds no release"),
    ("verify people.csv", "is a file, and a release is a folder"),
    ("history people.csv", "Give the folder of the project file"),
    ("methods nothing", "`discreet methods` lists all"),
    ("methods supress", "Did you mean 'suppress'?"),
    ("search people.csv --map map.doc", "must end in .svg, .png, .pdf or .html"),
]


@pytest.mark.parametrize(("line", "told"), SLIPS, ids=[line for line, _ in SLIPS])
def test_a_slip_is_told_with_what_to_do(place: Path, in_process: Run, line: str, told: str) -> None:
    done = in_process(*line.split(), folder=place)
    assert done.returncode == 2
    assert told in done.stderr
    assert "link_matching" not in done.stderr
    answered = in_process(*line.split(), "--json", folder=place)
    assert answered.returncode == 2
    assert told in json.loads(answered.stdout)["error"]["message"]


def test_a_missing_original_is_named_and_not_the_project_file(tmp_path: Path, in_process: Run) -> None:
    done = in_process("protect", "nosuch.csv", folder=tmp_path)
    assert done.returncode == 2
    assert "there is no file nosuch.csv" in done.stderr
    assert "project" not in done.stderr


JUDGING = [
    ("assess", "release", "--original", "people.csv"),
    ("report", "release", "--original", "people.csv", "--force"),
    ("compare", "release", "other", "--original", "people.csv"),
]


@pytest.mark.parametrize("command", JUDGING, ids=[each[0] for each in JUDGING])
def test_commands_that_judge_end_alike(place: Path, in_process: Run, command: tuple[str, ...]) -> None:
    assert in_process("protect", "people.csv", "--out", "other", folder=place).returncode == 0
    quick = ("--ceiling", "t_closeness=1") if command[0] != "assess" else ("--attack", "k_anonymity")
    unlimited = in_process(*command, folder=place)
    assert unlimited.returncode == 0
    assert "No limit was set, so there is no verdict" in unlimited.stdout
    met = in_process(*command, "--ceiling", "k_anonymity=1", folder=place)
    assert met.returncode == 0
    assert "met" in met.stdout.splitlines()[-1]
    exceeded = in_process(*command, "--ceiling", "k_anonymity=0.0001", *quick, folder=place)
    assert exceeded.returncode == 1
    assert "exit code 1" in exceeded.stdout.splitlines()[-1]
    unchecked = in_process(*command, "--ceiling", "household_risk=1", folder=place)
    assert unchecked.returncode == 1
    assert "exit code 1" in unchecked.stdout.splitlines()[-1]
    assert in_process(*command, "--ceiling", "k_anonymity=0.0001", "--json", folder=place).returncode == 1


def test_compare_succeeds_where_one_release_keeps_every_limit(place: Path, in_process: Run) -> None:
    coarse = ("--mask", "suppress k=30 columns=age,town")
    assert in_process("protect", "people.csv", "--out", "coarse", *coarse, folder=place).returncode == 0
    line = ("compare", "release", "coarse", "--original", "people.csv", "--floor", "k_anonymity=3")
    done = in_process(*line, folder=place)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1] == "Every limit is met by 'coarse'."
