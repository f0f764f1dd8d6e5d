"""A model learned from reviewed documents proposes what reviewers hide, and its threshold keeps the stated bound."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from discreet.errors import BadFile, BadParameter
from discreet.text.entities.annotations import AnnotatedDocument, Annotation, Identifies
from discreet.text.entities.kinds import Kind
from discreet.text.entities.learning.features import Frequencies, features, tokens
from discreet.text.entities.learning.model import SequenceModel
from discreet.text.entities.learning.threshold import (
    THRESHOLDS,
    choose_threshold,
    cross_fitted,
    most_missed,
    needed,
)
from discreet.text.span import Span

SYLLABLES = ["ka", "lo", "mi", "ren", "tus", "var", "zel", "bo", "dri", "fan"]


def invented(place: int) -> AnnotatedDocument:
    """A letter whose ward numbers no rule knows, with a name and a ward that reviewers hid."""
    generator = random.Random(place)
    name = "".join(generator.choices(SYLLABLES, k=3)).capitalize()
    ward = f"W{generator.randrange(100, 999)}"
    text = f"The patient {name} was admitted to ward {ward} and left on a Monday. The doctor thanked {name}."
    marked = [
        Annotation(at, at + len(word), kind, Identifies.DIRECT, word)
        for word, kind in ((name, Kind.PERSON), (ward, Kind.CODE))
        for at in (place for place in range(len(text)) if text.startswith(word, place))
    ]
    return AnnotatedDocument(name=f"{place}.txt", text=text, annotations=tuple(sorted(marked)))


DOCUMENTS = [invented(place) for place in range(40)]
NO_RULES: list[list[Span]] = [[] for _ in DOCUMENTS]


@pytest.fixture(scope="module")
def model() -> SequenceModel:
    return SequenceModel.learn(DOCUMENTS, NO_RULES)


def test_a_model_finds_what_reviewers_hid_in_a_document_it_never_saw(model: SequenceModel) -> None:
    new = invented(1000)
    found = model.spans(new.text, [], 0.3)
    assert [(each.start, each.end, each.kind) for each in found] == [
        (each.start, each.end, str(each.kind)) for each in new.annotations
    ]
    assert {each.found_by for each in found} == {"learned"}


def test_a_lower_threshold_never_hides_less(model: SequenceModel) -> None:
    text = invented(1001).text + " The nurse Mirentus went to ward nine."
    covered = [
        {place for span in model.spans(text, [], each) for place in range(span.start, span.end)}
        for each in THRESHOLDS
    ]
    assert all(higher <= lower for lower, higher in pairwise(covered))


def test_the_same_documents_give_the_same_model(model: SequenceModel) -> None:
    again = SequenceModel.learn(DOCUMENTS, NO_RULES)
    assert (again.binary, again.typed) == (model.binary, model.typed)


def test_a_model_reads_back_as_it_was_saved_and_shows_no_word(model: SequenceModel, tmp_path: Path) -> None:
    path = model.save(tmp_path / "model.json")
    back = SequenceModel.load(path)
    text = invented(1002).text
    assert back.spans(text, [], 0.2) == model.spans(text, [], 0.2)
    assert path.stat().st_mode & 0o777 == 0o600
    assert "patient" not in repr(model)


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b'{"format": 1}', b"\xff\xfe", b"null"], ids=str)
def test_what_is_no_model_is_a_named_error(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(content)
    with pytest.raises(BadFile):
        SequenceModel.load(path)


def test_a_damaged_model_is_a_named_error(model: SequenceModel, tmp_path: Path) -> None:
    path = model.save(tmp_path / "model.json")
    path.write_text(path.read_text().replace('"binary": "', '"binary": "AAAA'))
    with pytest.raises(BadFile, match="Learn it anew"):
        SequenceModel.load(path)


def test_names_are_seen_by_their_shape_and_not_by_heart() -> None:
    others = Frequencies.of(["the doctor came", "the doctor left", "Kalomi came"])
    _, rows = features("The doctor saw Kalomi in 1994.", [Span(15, 21, "person", "titles")], others)
    words = {each for row in rows for each in row if "kalomi" in each.lower() or "1994" in each}
    assert words == set()
    assert "word=doctor" in rows[1]
    assert "rule=B-person-titles" in rows[3]
    assert "-1rule=B-person-titles" in rows[4]


def test_a_document_does_not_vouch_for_its_own_words() -> None:
    texts = ["Kalomi came", "nobody came"]
    left = Frequencies.of(texts).without(texts[0])
    assert left.documents == 1
    assert left.any_case["kalomi"] == 0
    assert left.any_case["came"] == 1


@given(st.text(max_size=60))
def test_tokens_hold_every_visible_character_in_order(text: str) -> None:
    found = tokens(text)
    assert "".join(each.text for each in found) == "".join(text.split())
    assert all(text[each.start : each.end] == each.text for each in found)


@given(st.integers(0, 6), st.integers(1, 400), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_bound_is_the_share_at_which_so_few_misses_become_unlikely(
    missed: int, of: int, confidence: float
) -> None:
    bound = most_missed(missed, of, confidence)
    if missed >= of:
        assert bound == 1
    else:
        assert stats.binom.cdf(missed, of, bound) == pytest.approx(1 - confidence, abs=1e-6)


@given(st.integers(0, 5), st.sampled_from([0.01, 0.02, 0.1, 0.5]))
def test_the_number_needed_is_the_smallest_that_shows_the_bound(missed: int, most: float) -> None:
    found = needed(missed, most, 0.95)
    assert most_missed(missed, found, 0.95) <= most
    assert found == missed + 1 or most_missed(missed, found - 1, 0.95) > most


def test_a_threshold_is_given_only_where_its_bound_is_shown() -> None:
    chances = cross_fitted(DOCUMENTS, NO_RULES)
    shown = choose_threshold(DOCUMENTS, chances, lambda _, spans: spans, missed_at_most=0.1)
    assert shown.threshold is not None
    assert shown.bound <= 0.1
    assert shown.direct.of == 80
    strict = choose_threshold(DOCUMENTS, chances, lambda _, spans: spans, missed_at_most=0.02)
    assert strict.threshold is None
    assert strict.bound > 0.02
    missed = round(strict.direct.of - strict.direct.found)
    assert strict.more_documents == -(-(needed(missed, 0.02, 0.95) - 80) // 2)
    assert f"Review about {strict.more_documents} more documents" in str(strict)


def test_what_rules_and_register_find_counts_for_the_bound() -> None:
    chances = cross_fitted(DOCUMENTS, NO_RULES)

    def everything(place: int, _: object) -> list[Span]:
        return [Span(0, len(DOCUMENTS[place].text), "other", "rule")]

    found = choose_threshold(DOCUMENTS, chances, everything, missed_at_most=0.05)
    assert found.threshold == THRESHOLDS[-1]
    assert found.direct.found == found.direct.of


def test_too_few_documents_and_impossible_bounds_are_refused() -> None:
    with pytest.raises(BadParameter, match="two reviewed documents"):
        cross_fitted(DOCUMENTS[:1], NO_RULES[:1])
    with pytest.raises(BadParameter, match="at least one"):
        SequenceModel.learn([], [])
    with pytest.raises(BadParameter, match="missed_at_most"):
        choose_threshold(DOCUMENTS, [], lambda _, spans: spans, missed_at_most=0)
