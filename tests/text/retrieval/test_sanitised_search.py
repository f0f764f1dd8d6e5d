"""The published experiment in short: a volume is searched before and after it is sanitised."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from experiments.diplomatic_people import read_volume
from experiments.sanitised_search import NAMES, Searched, queries, sanitised, searched

from discreet.text.policy import Policy

VOLUME = "frus1952-54Guat"
EVERY = 6


@pytest.fixture(scope="module")
def found(reference_data: Path) -> dict[float | None, Searched]:
    path = reference_data / f"{VOLUME}.xml.gz"
    if not path.is_file():
        pytest.skip(f"volume not found: expected {path}")
    corpus = read_volume(path).corpus
    corpus = replace(corpus, documents=corpus.documents[::EVERY])
    policy = Policy.load("eo13526")
    asked = queries(VOLUME, policy)
    return {
        density: searched(corpus, sanitised(corpus, policy, density).corpus, asked)
        for density in (None, 0.02)
    }


def test_cutting_removes_more_risk_than_it_costs_readers(found: dict[float | None, Searched]) -> None:
    cut = found[0.02]
    assert cut.removed > 15
    assert 0 < cut.lost < cut.removed
    assert cut.words_left < 97


def test_names_alone_cost_readers_little_and_remove_little_risk(found: dict[float | None, Searched]) -> None:
    names = found[None]
    assert 0 <= names.lost < 12
    assert abs(names.removed) < 10


def test_a_query_of_two_masked_names_finds_nothing_and_raises_what_is_lost(
    found: dict[float | None, Searched],
) -> None:
    for each in found.values():
        asked = next(one for one in each.queries.changes if one.query.name == NAMES)
        assert asked.before.true > 0
        assert asked.after.returned == 0
        assert asked.change.combined <= -60
        assert each.lost_with_names > each.lost
