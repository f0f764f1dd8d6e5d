"""Building the matrix: words, filters, weights and lengths as they are declared."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter, UnknownName, Unreachable
from discreet.text.document import Corpus
from discreet.text.vectors.matrix import DocumentTermMatrix
from discreet.text.vectors.vectorise import vectorise
from discreet.text.vectors.words import known_base, terms_by, words_of

WORDS = st.lists(st.sampled_from(["ash", "bay", "cat", "dog", "elm", "fox", "gnu", "hen"]), max_size=8).map(
    " ".join
)
CORPORA = st.lists(WORDS, min_size=2, max_size=10)


def built(texts: list[str], **options: object) -> DocumentTermMatrix:
    return vectorise(Corpus.of(texts), stop="none", **options)  # type: ignore[arg-type]


def test_weights_are_tf_times_the_logarithm_of_documents_by_document_frequency() -> None:
    matrix = built(["ash ash bay", "ash cat", "bay cat cat", "dog"])
    raw = {"ash": 2 * math.log(4 / 2), "bay": math.log(4 / 2)}
    length = math.hypot(*raw.values())
    row = dict(zip(matrix.vocabulary, matrix.weights.toarray()[0], strict=True))
    assert row == pytest.approx({"ash": raw["ash"] / length, "bay": raw["bay"] / length, "cat": 0.0})


@given(CORPORA)
def test_rows_are_of_length_one_or_of_zeros(texts: list[str]) -> None:
    try:
        matrix = built(texts)
    except Unreachable:
        return
    lengths = np.linalg.norm(matrix.weights.toarray(), axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-12) | (lengths == 0))
    assert (lengths == 0).tolist() == matrix.without_words.tolist()


@given(CORPORA, st.integers(1, 4))
def test_a_term_is_in_enough_documents_and_not_in_all(texts: list[str], least: int) -> None:
    try:
        matrix = built(texts, least=least)
    except Unreachable:
        return
    held = [sum(word in text.split() for text in texts) for word in matrix.vocabulary]
    assert all(least <= each < len(texts) for each in held)
    assert matrix.document_counts.tolist() == held


@given(CORPORA)
def test_the_order_of_documents_moves_rows_and_nothing_else(texts: list[str]) -> None:
    try:
        matrix = built(texts)
    except Unreachable:
        return
    turned = built(texts[::-1])
    assert turned.vocabulary == matrix.vocabulary
    assert np.allclose(turned.weights.toarray()[::-1], matrix.weights.toarray(), atol=1e-12)


def test_words_are_letters_in_lower_case_without_what_follows_an_apostrophe() -> None:
    assert words_of("The bank's rates rose 0.5%; don't say a WORD_x2, Zoë’s café.") == [
        "the", "bank", "rates", "rose", "don", "say", "word", "zoë", "café",
    ]  # fmt: skip


def test_stop_words_are_left_out_unless_none_are_wanted() -> None:
    texts = ["the cat", "the dog", "cat and dog", "and then"]
    assert vectorise(Corpus.of(texts)).vocabulary == ("cat", "dog")
    assert "and" in vectorise(Corpus.of(texts), stop="none").vocabulary
    with pytest.raises(UnknownName, match="stop words"):
        vectorise(Corpus.of(texts), stop="klingon")


def test_stems_join_the_forms_of_a_word() -> None:
    assert terms_by(stop="english", stem="english", wordnet=None)("running runs shipped shipping") == [
        "run", "run", "ship", "ship",
    ]  # fmt: skip
    with pytest.raises(UnknownName, match="stemmer"):
        terms_by(stop="none", stem="klingon", wordnet=None)


def test_wordnet_keeps_its_words_and_takes_a_form_for_its_base() -> None:
    text = "Okafor shipped the wolves xqzzy ladies churches abruptly"
    nouns = terms_by(stop="english", stem=None, wordnet="nouns")(text)
    words = terms_by(stop="english", stem=None, wordnet="words")(text)
    assert nouns == ["lady", "church"]
    assert "okafor" not in words
    assert {"ship", "lady", "church", "abruptly"} <= set(words)


def test_a_form_is_taken_for_a_base_that_is_known_only() -> None:
    base = known_base(frozenset({"box", "bake", "city"}), True)
    assert [base(each) for each in ("box", "boxes", "cities", "baking", "baked", "running")] == [
        "box", "box", "city", "bake", "bake", "",
    ]  # fmt: skip
    assert known_base(frozenset({"bake"}), False)("baking") == ""


def test_the_terms_of_highest_weight_are_kept() -> None:
    texts = ["ash ash ash bay", "ash ash bay cat", "bay cat", "dog dog elm", "dog elm"]
    whole = built(texts)
    total = np.asarray(whole.weights.sum(axis=0)).ravel()
    assert len(total) == 5
    assert built(texts, most_terms=2).vocabulary == ("ash", "dog")
    short = built(texts, terms_each=1)
    assert np.diff(short.weights.indptr).tolist() == [1] * 5


@pytest.mark.parametrize("name", ["least", "most_terms", "terms_each"])
def test_a_number_below_one_is_refused_by_name(name: str) -> None:
    with pytest.raises(BadParameter, match=name):
        built(["ash", "bay"], **{name: 0})


def test_stems_and_wordnet_together_are_refused() -> None:
    with pytest.raises(BadParameter, match="Choose stem or wordnet"):
        vectorise(Corpus.of(["a"]), stem="english", wordnet="nouns")


def test_weights_that_are_negative_or_not_finite_are_refused() -> None:
    for wrong in (-1.0, float("nan"), float("inf")):
        with pytest.raises(BadParameter, match="finite and not negative"):
            DocumentTermMatrix.of([[1.0, wrong]])


def test_very_large_and_very_small_weights_give_rows_of_length_one() -> None:
    rows = DocumentTermMatrix.of([[1e200, 1e200], [1e-200, 0.0]]).weights.toarray()
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0)


def test_what_is_shown_of_a_matrix_holds_no_word() -> None:
    matrix = built(["ash bay", "ash cat", "bay"])
    assert "ash" not in repr(matrix) + str(matrix)
