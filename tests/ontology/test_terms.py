"""Words: which concepts they find, and in what order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.ontology import Ontology, of_edges
from discreet.ontology.builder import Builder
from discreet.ontology.terms import normalised
from discreet.ontology.texts import Texts


@pytest.fixture(scope="module")
def lexicon() -> Ontology:
    builder = Builder(
        name="lexicon", links=[(each, "thing") for each in ("bird", "country", "flop", "worker", "city")]
    )
    for identifier, words in {
        "bird": {"turkey": 1},
        "country": {"Turkey": 2},
        "flop": {"turkey": 3, "bomb": 1},
        "worker": {"skilled worker": 1, "craftsman": 2},
        "city": {"Hong Kong": 1, "cities": 5},
    }.items():
        builder.entry(identifier).words.update(words)
    return builder.finished()


def found(ontology: Ontology, value: str) -> list[str]:
    return [ontology.identifiers[int(concept)] for concept in ontology.find(value)]


@pytest.mark.parametrize(
    ("value", "concepts"),
    [
        ("bird", ["bird"]),
        ("turkey", ["bird", "flop"]),
        ("Turkey", ["country"]),
        ("TURKEY", ["bird", "country", "flop"]),
        ("turkeys", ["bird", "country", "flop"]),
        ("turkey#2", ["country"]),
        ("turkey#4", []),
        ("turkey#0", []),
        ("skilled_worker", ["worker"]),
        ("Skilled-Workers", ["worker"]),
        ("craftsmen", ["worker"]),
        ("hong-kong", ["city"]),
        ("citie", ["city"]),
        ("nothing", []),
        ("", []),
        ("#1", []),
    ],
)
def test_a_value_finds_its_concepts_likeliest_first(
    lexicon: Ontology, value: str, concepts: list[str]
) -> None:
    assert found(lexicon, value) == concepts


def test_a_label_that_several_concepts_share_finds_them_all_by_identifier() -> None:
    ontology = of_edges([("b", "r"), ("a", "r")], labels={"a": "cold", "b": "cold"})
    assert found(ontology, "cold") == ["a", "b"]
    assert found(ontology, "cold#2") == ["b"]


def test_an_identifier_goes_before_a_word() -> None:
    ontology = of_edges([("x", "r"), ("y", "r")], labels={"x": "y", "y": "z"})
    assert found(ontology, "y") == ["y"]


def test_a_label_goes_before_a_synonym() -> None:
    ontology = of_edges([("a", "r"), ("b", "r")], labels={"b": "fever"}, synonyms={"a": ["fever"]})
    assert found(ontology, "fever") == ["b", "a"]


def test_words_of_a_concept_are_its_label_and_synonyms(lexicon: Ontology) -> None:
    assert lexicon.terms.words(lexicon.concept("worker")) == ["craftsman", "skilled worker", "worker"]


@given(st.text())
def test_normalising_twice_is_normalising_once(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)


@given(st.lists(st.text(), unique=True))
def test_texts_come_back_and_are_found(texts: list[str]) -> None:
    kept = Texts.of(sorted(texts))
    assert list(kept) == sorted(texts)
    assert all(kept[kept.find(text)] == text for text in texts)


@given(st.lists(st.text(), unique=True), st.text())
def test_a_text_that_is_not_there_is_not_found(texts: list[str], other: str) -> None:
    kept = Texts.of(sorted(set(texts) - {other}))
    assert kept.find(other) == -1


def test_texts_can_be_sliced_and_refuse_a_place_outside() -> None:
    kept = Texts.of(["a", "b", "c"])
    assert kept[1:] == ["b", "c"]
    assert kept[-1] == "c"
    with pytest.raises(IndexError):
        kept[3]
