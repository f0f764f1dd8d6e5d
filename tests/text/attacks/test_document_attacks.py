"""Attacks on documents: everybody is found where nothing is hidden, nobody beyond guessing where all is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadInput, BadParameter, DoesNotApply, Mismatch
from discreet.text.attacks.known_facts import known_facts
from discreet.text.attacks.known_people import KnownPerson, people_left, read_people
from discreet.text.attacks.link_facts import link_facts
from discreet.text.attacks.search_facts import as_of_one_document, search_facts
from discreet.text.attacks.visible_facts import visible_facts
from discreet.text.document import Corpus
from discreet.text.entities.kinds import Kind
from discreet.text.span import Span

TEXTS = [
    "The patient, Anna Kelbeck, came from Reedham on 4 May 1981.",
    "The patient, Ernest Wakeley, came from Lochend on 9 June 1979.",
    "The patient, Ruth Thornby, came from Waterby on 4 May 1981.",
]
NO_SPANS: list[list[Span]] = [[], [], []]
NAMED = [
    [Span(text.index(name), text.index(name) + len(name), str(kind), "gold") for name, kind in its]
    for text, its in zip(
        TEXTS,
        (
            [("Anna Kelbeck", Kind.PERSON), ("Reedham", Kind.PLACE)],
            [("Ernest Wakeley", Kind.PERSON), ("Lochend", Kind.PLACE)],
            [("Ruth Thornby", Kind.PERSON), ("Waterby", Kind.PLACE)],
        ),
        strict=True,
    )
]
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
    people = people_left(corpus, corpus, NAMED)
    assert [each.documents for each in people] == [{0}, {1}, {2}]
    assert search_facts(corpus, people).risk == 1


def test_where_all_facts_are_hidden_only_guessing_is_left() -> None:
    known = known_facts(Corpus.of(TEXTS), NO_SPANS)
    sanitised = Corpus.of(HIDDEN)
    left = link_facts(known, visible_facts(sanitised, known))
    assert left.risk == pytest.approx(1 / 3)
    assert left.details["documents_without_a_fact"] == 3
    people = people_left(Corpus.of(TEXTS), sanitised, NAMED)
    found = search_facts(sanitised, people)
    assert found.risk == found.baseline == pytest.approx(1 / 3)
    assert found.details["searches_that_found_nothing"] == 3


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


def test_a_search_takes_only_what_is_left_of_a_person_and_not_words_with_a_capital() -> None:
    """The Harbour and Office of another sentence are no facts about anybody, though they are written like names."""
    texts = [TEXTS[0] + " Reedham has a Rosalinde.", *TEXTS[1:]]
    hidden = [HIDDEN[0] + " Reedham has a Rosalinde.", *HIDDEN[1:]]
    first = people_left(Corpus.of(texts), Corpus.of(hidden), NAMED)[0]
    assert first.facts == {"reedham"}
    assert search_facts(Corpus.of(hidden), [first]).risk == 1
    assert people_left(Corpus.of(texts), Corpus.of(hidden), NAMED, kept=["Reedham"])[0].facts == frozenset()


def test_a_person_of_several_documents_is_found_by_any_of_them_and_guessing_counts_nothing_more() -> None:
    """One of two first documents is theirs, as guessing among four gives; a sure find is one, as of one document."""
    texts = Corpus.of(["bread tea", "Reedham coal", "Reedham milk", "oats"])
    known = KnownPerson(documents=frozenset({0, 1}), facts=frozenset({"reedham"}))
    found = search_facts(texts, [known])
    assert found.details["stands_first"] == pytest.approx(1 / 2)
    assert found.risk == found.baseline == pytest.approx(1 / 4)
    sure = KnownPerson(documents=frozenset({1, 2}), facts=frozenset({"reedham"}))
    assert search_facts(texts, [sure]).risk == 1
    everywhere = KnownPerson(documents=frozenset(range(4)), facts=frozenset({"reedham"}))
    assert search_facts(texts, [everywhere]).risk == pytest.approx(1 / 4)


@given(st.integers(1, 9), st.integers(1, 9), st.floats(0, 1), st.floats(0, 1))
def test_a_chance_as_of_one_document_is_a_chance_that_rises_with_it(
    own: int, others: int, one: float, other: float
) -> None:
    low, high = (as_of_one_document(each, own, own + others) for each in sorted((one, other)))
    assert 0 <= low <= high <= 1 + 1e-9
    if own == 1:
        assert low == pytest.approx(min(one, other))


def test_nobody_to_search_for_is_no_risk_of_zero() -> None:
    with pytest.raises(DoesNotApply):
        search_facts(Corpus.of(["a"]), [])


def test_people_come_from_a_file(tmp_path: Path) -> None:
    place = tmp_path / "people.toml"
    place.write_text('[people.one]\nfacts = ["The Baker", "Reedham"]\ndocuments = ["2.txt"]\n')
    found = read_people(place, Corpus.of(TEXTS))
    assert found == (KnownPerson(documents=frozenset({1}), facts=frozenset({"the baker", "reedham"})),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "people = 3",
        "[people.one]",
        '[people.one]\nfacts = []\ndocuments = ["1.txt"]',
        '[people.one]\nfacts = ["a"]\ndocuments = ["other.txt"]',
        '[people.one]\nfacts = ["a"]\ndocuments = ["1.txt"]\nage = 3',
        '[person.one]\nfacts = ["a"]',
    ],
)
def test_a_file_of_people_that_is_none_is_a_named_error(tmp_path: Path, text: str) -> None:
    place = tmp_path / "people.toml"
    place.write_text(text)
    with pytest.raises((BadInput, BadParameter, Mismatch), match="people"):
        read_people(place, Corpus.of(TEXTS))


def test_words_of_titles_and_telegrams_are_no_facts_only_for_their_capitals() -> None:
    texts = ["MINISTRY OF JUSTICE ANNUAL REPORT ABOUT KELBECK", "The Annual Report Of The Ministry"]
    known = known_facts(Corpus.of(texts), [[], []])
    assert known == (frozenset({"kelbeck"}), frozenset())
