"""`discreet hierarchy` as a steward uses it, and with every bad input."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
PROJECT = """# the steward's own words
[columns.town]
role = "quasi-identifier"   # known to neighbours
[columns.age]
role = "quasi-identifier"
[columns.illness]
role = "confidential"

[[mask]]
method = "generalise"
columns = ["age"]
k = 2
"""
ROWS = ["Paris,31,flu", "Lyon,33,flu", "Rom,38,cold", "Rome,35,flu", "Rome,87,cold", "Lyon,91,flu"]


@pytest.fixture
def towns(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text("\n".join(["town,age,illness", *ROWS, ""]))
    (tmp_path / "discreet.toml").write_text(PROJECT)
    return tmp_path


def test_a_name_that_ends_in_a_point_gives_a_file_with_one(discreet: Run, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("Diag.,age\n" + "E11.9,31\nI21.0,45\n" * 3)
    assert discreet("hierarchy", "people.csv", "Diag.", folder=tmp_path).returncode == 0
    assert (tmp_path / "Diag.hierarchy.csv").exists()


def test_a_hierarchy_is_built_named_and_used_without_an_editor(discreet: Run, towns: Path) -> None:
    made = discreet(
        "hierarchy", "people.csv", "age", "--steps", "5,10", "--top", "85", "--into", "discreet.toml", folder=towns
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert "discreet.toml names it for 'age'" in made.stdout
    project = (towns / "discreet.toml").read_text()
    assert 'ontology = "age.hierarchy.csv"' in project
    assert "# the steward's own words" in project
    assert "# known to neighbours" in project
    assert (towns / "age.hierarchy.csv").read_text().splitlines()[0] == "31;[30, 35);[30, 40);*"
    done = discreet("protect", "people.csv", folder=towns)
    assert done.returncode == 0, done.stderr
    published = (towns / "release" / "public" / "people.csv").read_text()
    assert ">= 85" in published
    judged = discreet("assess", "release", "--original", "people.csv", "--json", folder=towns)
    assert judged.returncode == 0, judged.stderr


def test_a_category_is_recoded_to_a_level_from_the_command_line(in_process: Run, towns: Path) -> None:
    (towns / "by_country.csv").write_text("Paris;France;*\nLyon;France;*\nRome;Italy;*\nRom;Italy;*\n")
    shown = in_process(
        "hierarchy", "people.csv", "town", "--from", "by_country.csv", "--into", "discreet.toml", folder=towns
    )
    assert shown.returncode == 0, shown.stderr
    assert "covers every value" in shown.stdout
    done = in_process("protect", "people.csv", "--mask", "recode columns=town level=1", folder=towns)
    assert done.returncode == 0, done.stderr
    published = (towns / "release" / "public" / "people.csv").read_text()
    assert "France" in published
    assert "Lyon" not in published


def test_values_are_shown_only_where_the_tree_is_asked_for(in_process: Run, towns: Path) -> None:
    plain = in_process("hierarchy", "people.csv", "town", "--by", "prefix", "--dry-run", folder=towns)
    assert "Rom" not in plain.stdout
    assert "Nothing was written" in plain.stdout
    asked = in_process(
        "hierarchy", "people.csv", "town", "--by", "prefix", "--dry-run", "--tree", folder=towns
    )
    assert "Rome" in asked.stdout
    assert not list(towns.glob("*.hierarchy.csv"))
    told = json.loads(
        in_process(
            "hierarchy", "people.csv", "town", "--by", "prefix", "--dry-run", "--json", folder=towns
        ).stdout
    )
    assert told["levels"][0] == {"level": 0, "what": "values", "groups": 4, "smallest": 1, "largest": 2}
    assert "tree" not in told


def test_it_needs_no_project(in_process: Run, towns: Path) -> None:
    (towns / "discreet.toml").unlink()
    made = in_process("hierarchy", "people.csv", "age", folder=towns)
    assert made.returncode == 0, made.stderr
    again = in_process("hierarchy", "people.csv", "age", folder=towns)
    assert again.returncode == 2
    assert "WouldOverwrite" in again.stderr
    assert in_process("hierarchy", "people.csv", "age", "--force", folder=towns).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("people.csv", "agee"), "Did you mean 'age'"),
        (("people.csv", "age", "--steps", "5,12"), "multiple of the one before"),
        (("people.csv", "age", "--by", "widths", "--from", "x.csv"), "--from shows a file that is there"),
        (("people.csv", "age", "--dry-run", "--into", "discreet.toml"), "--dry-run writes nothing"),
        (("people.csv", "age", "--into", "other.toml"), "no project file"),
        (("people.csv", "age", "--from", "short.csv"), "lacks 5 of the 6 values"),
        (("people.csv", "age", "--from", "nothing.csv"), "cannot be read"),
        (("people.csv", "age", "--out", "people.csv"), "stay as they are"),
        (("people.csv", "age", "--out", "discreet.toml", "--force"), "is a project file"),
        (("nothing.csv", "age"), "nothing.csv"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_written(
    in_process: Run, towns: Path, arguments: tuple[str, ...], words: str
) -> None:
    (towns / "short.csv").write_text("31;*\n")
    before = {each.name: each.read_bytes() for each in towns.iterdir()}
    done = in_process("hierarchy", *arguments, folder=towns)
    assert done.returncode == 2, done.stdout
    assert words in done.stderr
    assert {each.name: each.read_bytes() for each in towns.iterdir()} == before
