"""Orders that everybody knows."""

from __future__ import annotations

import itertools

import pytest

from discreet.inspection.names import words_of
from discreet.inspection.orders import VOCABULARIES, known_order


@pytest.mark.parametrize(
    "order",
    [
        ("low", "medium", "high"),
        ("Bajo", "Medio", "Alto"),
        ("niedrig", "mittel", "hoch"),
        ("never", "rarely", "sometimes", "often", "always"),
        ("Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"),
        ("very bad", "bad", "fair", "good", "very good"),
        ("None", "mild", "moderate", "severe"),
        ("primary", "secondary", "bachelor", "master", "PhD"),
        ("HS-grad", "Some-college", "Bachelors", "Masters", "Doctorate"),
        ("sin estudios", "primaria", "secundaria", "universitaria"),
        ("<18", "18-24", "25-34", "35-44", "65+"),
        ("[0, 10)", "[10, 20)", "[20, 30)"),
        ("under 20", "20 to 29", "30 to 39", "over 39"),
        ("0-9", "10-19", "20-29", "100-109"),
    ],
)
def test_an_order_is_found_whatever_the_order_of_the_values(order: tuple[str, ...]) -> None:
    for values in itertools.islice(itertools.permutations(order), 0, None, 7):
        assert known_order(values) == order


@pytest.mark.parametrize(
    "values",
    [
        ["red", "green", "blue"],
        ["low", "high", "purple"],
        ["S", "M", "L"],
        ["yes", "no"],
        ["medium", "middle"],
        ["low"],
        [],
        ["2020-01-01", "2021-01-01", "2022-01-01"],
        ["18-24", "25-34", "young"],
    ],
)
def test_no_order_is_made_up(values: list[str]) -> None:
    assert known_order(values) == ()


def test_no_vocabulary_gives_a_word_two_places() -> None:
    for vocabulary in VOCABULARIES:
        words = [each.strip() for each in vocabulary.replace("|", ",").split(",")]
        assert len(set(words)) == len(words), vocabulary


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("homePostCode_2", ("home", "post", "code")),
        ("FECHA-NACIMIENTO", ("fecha", "nacimiento")),
        ("Prénom", ("prenom",)),
        ("2020", ()),
    ],
)
def test_names_are_cut_into_words(name: str, words: tuple[str, ...]) -> None:
    assert words_of(name) == words
