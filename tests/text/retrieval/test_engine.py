"""The search engine: the cosine of its definition, ranks that make sense, thresholds at the largest drop."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter
from discreet.text.retrieval.engine import Index, largest_drop
from discreet.text.words import terms

WORDS = st.lists(
    st.sampled_from(["weapon", "plan", "weapons", "baker", "bread", "the", "of"]), min_size=0, max_size=12
).map(" ".join)


def cosine(query: str, texts: list[str]) -> list[float]:
    """The definition, term by term."""
    bags = [Counter(terms(text)) for text in texts]
    idf = {t: math.log(len(texts) / sum(t in bag for bag in bags)) for bag in bags for t in bag}
    asked = {t: n * idf[t] for t, n in Counter(terms(query)).items() if t in idf}
    size = math.sqrt(sum(w * w for w in asked.values()))
    found = []
    for bag in bags:
        norm = math.sqrt(sum((n * idf[t]) ** 2 for t, n in bag.items()))
        dot = sum(w * bag[t] * idf[t] for t, w in asked.items())
        found.append(dot / norm / size if norm and size else 0.0)
    return found


@given(
    st.lists(WORDS, min_size=1, max_size=6), st.sampled_from(["weapon", "plans for bread", "baker unheard"])
)
def test_relevance_is_the_cosine_of_its_definition(texts: list[str], query: str) -> None:
    assert Index.of(texts).relevance(query) == pytest.approx(cosine(query, texts), abs=1e-12)


def test_a_document_is_found_by_stems_and_by_any_of_the_terms() -> None:
    index = Index.of(["weapons were planned", "bread was baked", "nothing here"])
    assert (index.relevance("weapon bread") > 0).tolist() == [True, True, False]


def test_unknown_words_find_nothing_and_stop_words_are_refused() -> None:
    index = Index.of(["bread", "butter"])
    assert not index.relevance("helicopter").any()
    with pytest.raises(BadParameter, match="stop word"):
        index.relevance("of the")


def test_an_empty_corpus_and_an_empty_document_are_no_trouble() -> None:
    assert Index.of([]).relevance("bread").tolist() == []
    assert Index.of(["", "bread", "cheese"]).relevance("bread")[0] == 0


def test_the_threshold_is_in_the_largest_drop() -> None:
    published = np.array([0.26, 0.21, 0.20, 0.19, 0.03, 0.02, 0.0])
    assert largest_drop(published) == pytest.approx(0.11)
    assert largest_drop(np.array([0.3])) == 0.3
    assert largest_drop(np.array([0.3, 0.3])) == 0.3
    assert largest_drop(np.array([0.0])) == math.inf
