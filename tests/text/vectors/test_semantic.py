"""Semantic microaggregation: the published examples hold, and every concept stands for at least k documents."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import BadParameter, UnmappedValues, Unreachable
from discreet.ontology import of_edges, wordnet
from discreet.ontology.readers.wndb import version
from discreet.ontology.readers.wordnet_home import wordnet_folder
from discreet.text.vectors import semantic_microaggregate as room
from discreet.text.vectors.attacks import link_semantic, vocabulary
from discreet.text.vectors.losses import il, semantic_spread
from discreet.text.vectors.matrix import DocumentTermMatrix, sparse
from discreet.text.vectors.meanings import Meanings
from discreet.text.vectors.published import PublishedMatrix, VectorPair
from discreet.text.vectors.semantic_documents import SemanticDocument, semantic_aggregate, semantic_distance
from discreet.text.vectors.semantic_microaggregate import semantic_microaggregate

FIRST = {"butterfly": 0.4, "performance": 0.2, "pen": 0.1, "dog": 0.3}
SECOND = {"computer": 0.1, "cat": 0.2, "approach": 0.2, "beetle": 0.5}
FOUR: list[dict[str, float]] = [
    {"keyboard": 0.3, "laptop": 0.4, "software": 0.3},
    {"horse": 0.7, "dog": 0.2, "cat": 0.1},
    {"hardware": 0.3, "screen": 0.3, "computer": 0.4},
    {"lion": 0.5, "monkey": 0.3, "tiger": 0.2},
]
NOUNS = (
    "dog",
    "cat",
    "horse",
    "lion",
    "tiger",
    "monkey",
    "computer",
    "keyboard",
    "screen",
    "software",
    "pen",
)


@pytest.fixture(scope="module")
def meanings() -> Meanings:
    return Meanings(wordnet())


def document(meanings: Meanings, words: Mapping[str, float]) -> SemanticDocument:
    return SemanticDocument(np.array([meanings.word(each) for each in words]), np.array(list(words.values())))


def told(meanings: Meanings, found: SemanticDocument) -> dict[str, float]:
    labels = meanings.ontology.labels
    return {
        labels[meanings.concept_of(int(item))]: round(float(weight), 9)
        for item, weight in zip(*found, strict=True)
    }


def matrix_of(documents: list[dict[str, float]]) -> DocumentTermMatrix:
    """The matrix of documents as they are given: the weights of the examples add up to one."""
    words = tuple(sorted({word for each in documents for word in each}))
    rows = np.array([[each.get(word, 0.0) for word in words] for each in documents])
    return DocumentTermMatrix(
        weights=sparse(rows), vocabulary=words, documents=tuple(str(place) for place in range(len(documents)))
    )


def test_the_published_pairs_of_words_hold_in_wordnet_3_0(meanings: Meanings) -> None:
    assert version(wordnet_folder()) == "3.0"
    pairs = {
        ("butterfly", "beetle"): 0.130,
        ("dog", "cat"): 0.143,
        ("performance", "approach"): 0.25,
        ("pen", "computer"): 0.333,
    }
    for (first, second), wanted in pairs.items():
        found = meanings.dissimilarities([meanings.word(first)], [meanings.word(second)])[0, 0]
        assert found == pytest.approx(wanted, abs=5e-4)


def test_the_published_distance_and_aggregate_hold(meanings: Meanings) -> None:
    first, second = document(meanings, FIRST), document(meanings, SECOND)
    assert semantic_distance(meanings, first, second) == pytest.approx(0.044, abs=5e-4)
    assert told(meanings, semantic_aggregate(meanings, [first, second])) == {
        "insect": 0.45,
        "carnivore": 0.25,
        "action": 0.2,
        "instrumentality": 0.1,
    }


def test_the_published_four_documents_give_twice_two_rows() -> None:
    masked = semantic_microaggregate(matrix_of(FOUR), k=2)
    rows = [
        {word: round(float(weight), 9) for word, weight in zip(masked.vocabulary, row, strict=True) if weight}
        for row in masked.weights.toarray()
    ]
    machines = {"abstraction": 0.3, "computer": 0.4, "instrumentality": 0.3}
    animals = {"big cat": 0.3, "carnivore": 0.2, "placental": 0.5}
    assert rows == [machines, animals, machines, animals]
    assert masked.parameters["ontology"] == "WordNet 3.0"


WEIGHTED = st.dictionaries(st.sampled_from(NOUNS), st.sampled_from([0.1, 0.2, 0.3]), min_size=2, max_size=4)


@settings(max_examples=25, deadline=None)
@given(WEIGHTED, WEIGHTED)
def test_the_distance_is_symmetric_and_nothing_from_itself(
    one: dict[str, float], other: dict[str, float]
) -> None:
    meanings = _shared_meanings()
    first, second = document(meanings, one), document(meanings, other)
    assert semantic_distance(meanings, first, second) == pytest.approx(
        semantic_distance(meanings, second, first)
    )
    assert semantic_distance(meanings, first, first) == 0.0


@settings(max_examples=25, deadline=None)
@given(st.lists(WEIGHTED, min_size=1, max_size=4))
def test_every_concept_of_an_aggregate_stands_above_a_word_of_each_document(
    given: list[dict[str, float]],
) -> None:
    meanings = _shared_meanings()
    ontology = meanings.ontology
    found = semantic_aggregate(meanings, [document(meanings, each) for each in given])
    for item in found.items:
        concept = meanings.concept_of(int(item))
        for words in given:
            senses = np.concatenate([meanings.senses(meanings.word(word)) for word in words])
            assert concept in ontology.ancestors.targets[ontology.ancestors.places(senses)]


_KEPT: list[Meanings] = []


def _shared_meanings() -> Meanings:
    """Hypothesis takes no fixtures of a module's scope; what was compared once is kept."""
    if not _KEPT:
        _KEPT.append(Meanings(wordnet()))
    return _KEPT[0]


def test_every_published_concept_stands_above_a_word_of_at_least_k_documents() -> None:
    draw = np.random.default_rng(1)
    documents = [
        {
            str(word): float(weight)
            for word, weight in zip(draw.choice(NOUNS, 4, replace=False), draw.random(4), strict=True)
        }
        for _ in range(11)
    ]
    matrix = matrix_of(documents)
    masked = semantic_microaggregate(matrix, k=3)
    pair = VectorPair.of(matrix, masked)
    assert np.bincount(PublishedMatrix.of(masked).equal_rows()).min() >= 3
    assert vocabulary(pair).risk == 0.0
    assert 0 < link_semantic(pair).risk <= 1 / 3
    spread = semantic_spread(pair)
    assert il(pair).loss == pytest.approx(spread.sse / (spread.sse + spread.ssa))


def test_a_longer_document_counts_what_finds_no_partner(meanings: Meanings) -> None:
    short, long = document(meanings, {"dog": 0.5}), document(meanings, {"dog": 0.5, "computer": 0.4})
    assert semantic_distance(meanings, short, long) == 0.0
    assert told(meanings, semantic_aggregate(meanings, [long, short])) == {"dog": 0.5}


def test_concepts_that_share_a_word_are_published_by_their_identifiers() -> None:
    ontology = of_edges(
        [("bank of a river", "slope"), ("bank for money", "firm"), ("slope", "thing"), ("firm", "thing")]
    )
    masked = semantic_microaggregate(
        matrix_of([{"slope": 1.0}, {"slope": 1.0}, {"firm": 1.0}, {"firm": 1.0}]), k=2, ontology=ontology
    )
    assert set(masked.vocabulary) == {"firm", "slope"}
    assert masked.parameters["ontology"] == ontology.name


def test_words_that_the_ontology_does_not_know_are_an_error_that_counts_them() -> None:
    with pytest.raises(UnmappedValues, match="1 of 2 terms") as caught:
        semantic_microaggregate(matrix_of([{"dog": 1.0, "xqzzy": 1.0}, {"dog": 1.0}]), k=2)
    assert "xqzzy" not in str(caught.value)
    assert caught.value.values == ("xqzzy",)


def test_too_many_terms_and_too_few_documents_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unreachable, match="k=5"):
        semantic_microaggregate(matrix_of(FOUR), k=5)
    monkeypatch.setattr(room, "MOST_TERMS", 3)
    with pytest.raises(BadParameter, match="terms_each"):
        semantic_microaggregate(matrix_of(FOUR), k=2)
