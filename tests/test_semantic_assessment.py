"""Releases of columns with an ontology: masked, attacked and measured by meaning, from the project file on."""

from __future__ import annotations

from pathlib import Path

import pytest

import discreet as dc
from discreet.assessment import assess
from discreet.demo import table as census
from discreet.digests import digest_of
from discreet.ontology.readers import wordnet_home
from discreet.protection import protect

PROJECT = """
[columns.pet]
role = "quasi-identifier"
ontology = "animals.csv"

[columns.town]
role = "quasi-identifier"

[[mask]]
method = "semantic_recode"
k = 2
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "animals.csv").write_text("dog;mammal;animal\ncat;mammal;animal\neagle;bird;animal\n")
    (tmp_path / "discreet.toml").write_text(PROJECT)
    (tmp_path / "pets.csv").write_text("pet,town\ndog,A\ndog,B\ndog,A\ncat,B\neagle,A\neagle,B\n")
    return tmp_path


def test_columns_with_an_ontology_are_attacked_and_measured_by_meaning(home: Path) -> None:
    table = dc.read(home / "pets.csv")
    plan = dc.Project.load(home / "discreet.toml").plan
    release = protect(table, plan, seed=1)
    folder = release.save(home / "release")
    found = assess(table, dc.Release.load(folder))
    risk, loss = found.risk("link_semantic"), found.loss("semantic_sse")
    assert risk is not None
    assert loss is not None
    assert 0 < loss.loss < 100
    assert risk.risk < 0.5


def test_what_an_ontology_file_says_is_part_of_what_a_result_is_kept_under(home: Path) -> None:
    table = dc.read(home / "pets.csv")
    before = digest_of(table)
    assert digest_of(dc.read(home / "pets.csv")) == before
    (home / "animals.csv").write_text("dog;pet;animal\ncat;pet;animal\neagle;bird;animal\n")
    assert digest_of(table) != before


def test_without_wordnet_the_reason_is_told_and_all_else_is_assessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordnet_home, "_places", lambda: iter(()))
    people = census(120, seed=5)
    found = assess(people, protect(people, dc.Plan.of([]), seed=1))
    told = {each.name: each.reason for each in found.not_done}
    assert "WordNet was not found" in told["link_semantic"]
    assert "WordNet was not found" in told["semantic_sse"]
    assert found.risk("link") is not None


def test_an_ontology_that_cannot_be_read_is_an_error_where_the_attack_was_asked_for(home: Path) -> None:
    table = dc.read(home / "pets.csv")
    release = protect(table, dc.Plan.of([]), seed=1)
    (home / "animals.csv").unlink()
    with pytest.raises(dc.errors.BadFile, match="no ontology"):
        assess(table, release, attacks=["link_semantic"])


def test_the_summary_names_what_the_intruder_by_meaning_knows_and_no_more(home: Path) -> None:
    table = dc.read(home / "pets.csv")
    release = protect(table, dc.Plan.of([]), seed=1)
    found = assess(table, release, attacks=["link_semantic"], losses=["semantic_sse"])
    told = dc.report(found).facts.summary
    assert any("An intruder who knows a person's pet would find" in sentence for sentence in told)
    assert not any("town" in sentence for sentence in told)
