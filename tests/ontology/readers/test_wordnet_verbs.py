"""Verbs of WordNet go in a circle in one place, single things can be left apart, and its words are listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.ontology.readers.test_wordnet import NOUNS, Synset, Write

from discreet.errors import NotInstalled
from discreet.ontology import Ontology, wordnet
from discreet.ontology.readers import wordnet_words

CIRCLE = [Synset(("act",)), Synset(("restrain",), kind_of=(0, 2)), Synset(("inhibit",), kind_of=(1,))]


@pytest.fixture
def folder(tmp_path: Path, write_wordnet: Write, cache_home: Path) -> Path:
    write_wordnet(tmp_path / "wn", "noun", NOUNS)
    write_wordnet(tmp_path / "wn", "verb", CIRCLE)
    return tmp_path / "wn"


def above(ontology: Ontology, name: str) -> list[str]:
    return [ontology.identifiers[int(each)] for each in ontology.parents[ontology.concept(name)]]


def test_two_verbs_that_are_kinds_of_each_other_are_read_without_the_link_upwards(folder: Path) -> None:
    verbs = wordnet(folder, parts=("verb",))
    assert above(verbs, "restrain.v.01") == ["act.v.01"]
    assert above(verbs, "inhibit.v.01") == ["restrain.v.01"]


def test_without_instances_a_single_thing_lies_below_the_root_alone(folder: Path) -> None:
    assert above(wordnet(folder), "turkey.n.02") == ["land.n.01"]
    apart = wordnet(folder, instances=False)
    assert above(apart, "turkey.n.02") == [apart.identifiers[apart.root]]
    assert above(apart, "gobbler.n.01") == ["animal.n.01"]


def test_single_words_of_all_parts_of_speech_are_listed(folder: Path) -> None:
    (folder / "index.adj").write_text(
        "  1 licence\nsilent a 1 0 1 0 00000001  \nwell-off a 1 0 1 0 00000002  \n"
    )
    words = wordnet_words(folder)
    assert {"animal", "turkey", "restrain", "silent"} <= words
    assert not {"house_cat", "well-off", "licence"} & words


def test_the_real_verbs_are_read() -> None:
    try:
        verbs = wordnet(parts=("verb",), cache=False)
    except NotInstalled as missing:
        pytest.skip(str(missing))
    assert len(verbs) > 10_000
