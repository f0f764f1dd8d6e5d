"""`discreet ontology` as a steward uses it, and with every bad input."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
PROJECT = """
[columns.town]
role = "quasi-identifier"
ontology = "towns.csv"
[columns.illness]
role = "confidential"

[[mask]]
method = "semantic_microaggregate"
columns = ["town"]
k = 2
"""


@pytest.fixture
def towns(tmp_path: Path) -> Path:
    rows = ["Paris,flu", "Lyon,flu", "Rom,cold", "Rome,flu"]
    (tmp_path / "people.csv").write_text("\n".join(["town,illness", *rows, ""]))
    (tmp_path / "towns.csv").write_text("Paris;France;Europe\nLyon;France;Europe\nRome;Italy;Europe\n")
    (tmp_path / "discreet.toml").write_text(PROJECT)
    return tmp_path


def test_a_word_that_is_not_known_is_found_mapped_and_masked(discreet: Run, towns: Path) -> None:
    refused = discreet("protect", "people.csv", folder=towns)
    assert refused.returncode == 2
    assert "discreet ontology --of FILE" in refused.stderr
    assert "Rom" not in refused.stderr
    told = discreet(
        "ontology", "--of", "people.csv", "--column", "town", "--write", "words.csv", folder=towns
    )
    assert told.returncode == 0, told.stderr
    assert "1 of 4 stand for nothing" in told.stdout
    written = (towns / "words.csv").read_text().splitlines()
    assert written[:2] == ["value,concept", "Rom,"]
    (towns / "words.csv").write_text("\n".join([written[0], "Rom,Rome", *written[2:], ""]))
    project = PROJECT.replace('ontology = "towns.csv"', 'ontology = "towns.csv"\nmapping = "words.csv"')
    (towns / "discreet.toml").write_text(project)
    done = discreet("protect", "people.csv", folder=towns)
    assert done.returncode == 0, done.stderr


def test_values_and_words_are_told_in_json(discreet: Run, towns: Path) -> None:
    values = json.loads(discreet("ontology", "--of", "people.csv", "--json", folder=towns).stdout)
    assert values["town"]["unmapped"] == 1
    assert [each["identifier"] for each in values["town"]["values"]] == ["", "Lyon", "Paris", "Rome"]
    words = json.loads(discreet("ontology", "towns.csv", "lyon", "Oslo", "--json", folder=towns).stdout)
    assert words["concepts"] == 6
    assert [each["identifier"] for each in words["words"]["lyon"]] == ["Lyon"]
    assert words["words"]["Oslo"] == []


def test_words_are_looked_up_for_people(discreet: Run, towns: Path) -> None:
    told = discreet("ontology", "towns.csv", "Paris", "Oslo", folder=towns).stdout
    assert told.startswith("towns: 6 concepts, depth 2, sha256 ")
    assert "(none)" in told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "one of the two"),
        (["towns.csv", "--of", "people.csv"], "one of the two"),
        (["towns.csv", "--column", "town"], "--of"),
        (["--of", "people.csv", "--column", "illness"], "column 'illness' has none"),
        (["--of", "people.csv", "--column", "twon"], "Did you mean 'town'"),
        (["--of", "people.csv", "--write", "people.csv"], "people.csv"),
        (["nowhere.csv"], "there is no ontology 'nowhere.csv'"),
        (["--of", "nothing.csv"], "nothing.csv"),
    ],
)
def test_what_cannot_be_told_is_a_named_error(
    discreet: Run, towns: Path, arguments: list[str], said: str
) -> None:
    done = discreet("ontology", *arguments, folder=towns)
    assert done.returncode in (2, 3, 4), done.stdout
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert (towns / "people.csv").read_text().startswith("town,illness")


def test_columns_without_an_ontology_are_not_told_of(discreet: Run, towns: Path) -> None:
    (towns / "discreet.toml").write_text(PROJECT.replace('ontology = "towns.csv"\n', ""))
    done = discreet("ontology", "--of", "people.csv", folder=towns)
    assert done.returncode == 2
    assert "no column has an ontology" in done.stderr
