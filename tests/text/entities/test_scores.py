"""Detection scores count as their definitions say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import Mismatch, NotComputable
from discreet.text.entities.annotations import AnnotatedDocument, Annotation, Identifies
from discreet.text.entities.kinds import Kind
from discreet.text.entities.scores import DetectionScores, Found, detection_scores, missed
from discreet.text.span import Span

TEXT = "Mr Jan Novak met Eva Blum in Vienna; Novak left on 3 May 2001."


def at(
    wording: str, identifies: Identifies, entity: str, kind: Kind, nth: int = 0, by: str = ""
) -> Annotation:
    start = -1
    for _ in range(nth + 1):
        start = TEXT.index(wording, start + 1)
    return Annotation(start, start + len(wording), kind, identifies, entity, by)


GOLD = AnnotatedDocument(
    name="one",
    text=TEXT,
    annotations=(
        at("Mr Jan Novak", Identifies.DIRECT, "e1", Kind.PERSON),
        at("Novak", Identifies.DIRECT, "e1", Kind.PERSON, nth=1),
        at("Eva Blum", Identifies.QUASI, "e2", Kind.PERSON),
        at("Vienna", Identifies.NO_MASK, "e3", Kind.PLACE),
        at("3 May 2001", Identifies.QUASI, "e4", Kind.DATE),
    ),
)


def spans(*wordings: str) -> list[Span]:
    """A span for each wording, at every place where it stands."""
    return [
        Span(start, start + len(each), "person", "test")
        for each in wordings
        for start in range(len(TEXT))
        if TEXT.startswith(each, start)
    ]


def scored(found: list[Span]) -> DetectionScores:
    return detection_scores([GOLD], [found])


def test_an_entity_is_found_only_when_all_its_mentions_are_covered() -> None:
    assert scored(spans("Jan Novak")).direct == Found(0, 1)
    assert scored(spans("Jan Novak", "Novak")).direct == Found(1, 1)


def test_titles_small_words_and_punctuation_need_not_be_covered() -> None:
    assert scored(spans("Jan", "Novak")).direct == Found(1, 1)
    assert scored(spans("3", "May", "2001")).quasi == Found(1, 2)


def test_precision_counts_covered_words_that_are_to_be_hidden() -> None:
    found = scored(spans("Eva Blum", "Vienna", "left on"))
    assert found.precision == Found(2, 5)
    assert found.tokens == Found(3, 9)  # Eva, Blum, and Mr, which counts as covered anyway
    assert found.kinds == {Kind.PERSON: Found(1, 2), Kind.DATE: Found(0, 1)}


def test_several_annotators_share_the_verdict_on_a_word() -> None:
    other = (at("Eva Blum", Identifies.NO_MASK, "f1", Kind.PERSON, by="second"),)
    gold = AnnotatedDocument(name="one", text=TEXT, annotations=GOLD.annotations + other)
    found = detection_scores([gold], [spans("Eva Blum")])
    assert found.precision == Found(1, 2)
    assert found.quasi == Found(1, 2)


def test_entities_of_two_annotators_are_two_even_under_one_name() -> None:
    other = (at("Vienna", Identifies.QUASI, "e2", Kind.PLACE, by="second"),)
    gold = AnnotatedDocument(name="one", text=TEXT, annotations=GOLD.annotations + other)
    assert detection_scores([gold], [spans("Eva Blum")]).quasi == Found(1, 3)


def test_what_is_missed_is_listed() -> None:
    left = missed(GOLD, spans("Novak", "Jan"))
    assert [TEXT[each.start : each.end] for each in left] == ["Eva Blum", "3 May 2001"]


def test_nothing_to_find_is_no_share() -> None:
    empty = detection_scores([], [])
    with pytest.raises(NotComputable):
        _ = empty.direct.share
    assert "none to find" in str(empty)
    with pytest.raises(Mismatch):
        detection_scores([GOLD], [])


@given(st.lists(st.tuples(st.integers(0, len(TEXT)), st.integers(0, 12)), max_size=6))
def test_covering_more_never_lowers_a_recall(stretches: list[tuple[int, int]]) -> None:
    found = [Span(start, min(start + many, len(TEXT)), "x", "test") for start, many in stretches]
    less, more = scored(found[1:]), scored(found)
    assert less.direct.found <= more.direct.found
    assert less.quasi.found <= more.quasi.found
    assert less.tokens.found <= more.tokens.found
    everything = scored([*found, Span(0, len(TEXT), "x", "test")])
    assert everything.quasi.share == everything.direct.share == everything.tokens.share == 1
    assert everything.precision == Found(9, 14)
    assert scored(found).to_dict()["precision"]["of"] <= 14
