"""Attacks on documents: everybody is found where nothing is hidden, nobody beyond guessing where all is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import Mismatch
from discreet.text.attacks.known_facts import known_facts
from discreet.text.attacks.link_facts import link_facts
from discreet.text.attacks.search_facts import search_facts
from discreet.text.attacks.visible_facts import visible_facts
from discreet.text.document import Corpus
from discreet.text.span import Span

TEXTS = [
    "The patient, Anna Kelbeck, came from Reedham on 4 May 1981.",
    "The patient, Ernest Wakeley, came from Lochend on 9 June 1979.",
    "The patient, Ruth Thornby, came from Waterby on 4 May 1981.",
]
NO_SPANS: list[list[Span]] = [[], [], []]
HIDDEN = ["The patient, Pers1, came from Loc1 on Date1."] * 3

FACTS = st.frozensets(st.sampled_from("abcdef"), max_size=4)
SETS = st.lists(st.tuples(FACTS, FACTS), min_size=1, max_size=7)


def test_names_and_numbers_are_known_though_nobody_recognised_them() -> None:
    known = known_facts(Corpus.of(TEXTS), NO_SPANS)
    assert {"anna", "kelbeck", "reedham", "1981"} <= known[0]
    assert not known[0] & {"patient", "came", "the", "from"}


def test_recognised_and_annotated_spans_are_known_whole_and_kept_words_are_not_facts() -> None:
    spans = [[Span(13, 25, "person", "gold")], [], []]
    known = known_facts(Corpus.of(TEXTS), spans, kept=["Reedham"])
    assert "anna kelbeck" in known[0]
    assert "reedham" not in known[0]


def test_everybody_is_found_where_nothing_is_hidden() -> None:
    corpus = Corpus.of(TEXTS)
    known = known_facts(corpus, NO_SPANS)
    assert link_facts(known, visible_facts(corpus, known)).risk == 1
    assert search_facts(corpus, known).risk == 1


def test_where_all_facts_are_hidden_only_guessing_is_left() -> None:
    known = known_facts(Corpus.of(TEXTS), NO_SPANS)
    sanitised = Corpus.of(HIDDEN)
    left = link_facts(known, visible_facts(sanitised, known))
    assert left.risk == pytest.approx(1 / 3)
    assert left.details["documents_without_a_fact"] == 3
    assert search_facts(sanitised, known).risk == pytest.approx(1 / 3)


def test_one_name_that_was_missed_is_enough() -> None:
    known = known_facts(Corpus.of(TEXTS), NO_SPANS)
    sanitised = Corpus.of([HIDDEN[0].replace("Loc1", "Reedham"), *HIDDEN[1:]])
    found = link_facts(known, visible_facts(sanitised, known))
    assert found.records is not None
    assert found.records.tolist() == [1, 0.5, 0.5]
    assert found.details["documents_alone_with_their_facts"] == 1


def test_a_fact_counts_only_as_whole_words_however_it_is_broken() -> None:
    known = (frozenset({"new york", "ann"}),)
    assert visible_facts(Corpus.of(["Anna went to New\n  York."]), known) == (frozenset({"new york"}),)


def brute(known: list[frozenset[str]], visible: list[frozenset[str]]) -> list[float]:
    """The definition, pair by pair."""
    rarity = {
        fact: np.log((len(visible) + 1) / sum(fact in each for each in visible))
        for each in visible
        for fact in each
    }
    chances = []
    for place, facts in enumerate(known):
        scores = [
            sum(rarity[each] for each in shown & facts) - sum(rarity[each] for each in shown - facts)
            for shown in visible
        ]
        best = [each for each, score in enumerate(scores) if score >= max(scores) - 1e-9]
        chances.append(1 / len(best) if place in best else 0.0)
    return chances


@given(SETS)
def test_linking_is_its_definition_pair_by_pair(pairs: list[tuple[frozenset[str], frozenset[str]]]) -> None:
    known, visible = [one for one, _ in pairs], [other for _, other in pairs]
    found = link_facts(known, visible)
    assert found.records is not None
    assert found.records.tolist() == pytest.approx(brute(known, visible))
    assert found.risk == pytest.approx(np.mean(found.records))


@given(st.lists(FACTS, min_size=1, max_size=7))
def test_true_facts_find_at_least_what_their_classes_tell(visible: list[frozenset[str]]) -> None:
    """Where the intruder knows exactly what is shown, each document is found with one in as many as show the same."""
    found = link_facts(visible, visible)
    assert found.records is not None
    assert found.records.tolist() == pytest.approx([1 / visible.count(each) for each in visible])


def test_other_numbers_of_documents_are_a_mismatch() -> None:
    with pytest.raises(Mismatch):
        link_facts([frozenset()], [])
    with pytest.raises(Mismatch):
        search_facts(Corpus.of(["a"]), [])
