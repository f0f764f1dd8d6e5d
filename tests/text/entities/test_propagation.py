"""A name found once is covered everywhere, and ordinary words are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.entities.marked import joined, marked

from discreet.text.entities.flat_text import flatten
from discreet.text.entities.register import Register


@pytest.mark.parametrize(
    "later",
    [
        "Kissinger",
        "KISSINGER",
        "Henry Kissinger",
        "H. Kissinger",
        "H.A. Kissinger",
        "H. A. Kissinger",
        "Henry\n   Kissinger",
        "Kis-\nsinger",
        "HENRY A. KISSINGER",
        "Henry A.\tKissinger",
        "Kissingers",
        "Kis\u00adsinger",
        "Kìssinger",
        "Ki\u0300ssinger",
    ],
)
def test_a_full_name_is_found_again_in_every_way_of_writing(later: str) -> None:
    first, second, third = joined(
        "{person:Henry A. Kissinger} spoke.", f"Then {later}, again.", f"Then {later}’s, again."
    )
    assert (first, second, third) == ("Pers1 spoke.", "Then Pers1, again.", "Then Pers1’s, again.")


def test_first_names_and_initials_count_only_where_the_document_names_the_person() -> None:
    text = "{person:Henry A. Kissinger} spoke. Henry left with HAK and H.A.K. today."
    assert joined(text, "Henry left with HAK.") == [
        "Pers1 spoke. Pers1 left with Pers1 and Pers1 today.",
        "Henry left with HAK.",
    ]


def test_letters_before_what_somebody_says_are_the_speaker() -> None:
    text = "{person:Anatoly Dobrynin} called.\n\nD: Hello.\n\nX: Hello.\n\nD: Good-bye. Vitamin D: good."
    assert joined(text) == [
        "Pers1 called.\n\nPers1: Hello.\n\nX: Hello.\n\nPers1: Good-bye. Vitamin D: good."
    ]


def test_names_inside_other_words_and_across_paragraphs_are_not_names() -> None:
    text = "{person:Ann Jones} came. Jonestown, McJones, Jones2 and Ann\n\nJonesy."
    assert joined(text) == ["Pers1 came. Jonestown, McJones, Jones2 and Pers1\n\nJonesy."]


def test_a_surname_that_is_an_ordinary_word_is_a_name_in_mid_sentence_only() -> None:
    text = "{person:Graham Page} came. Page three is here, page four too. We saw Page. The PAGE is blank. Mr. Page."
    assert joined(text) == [
        "Pers1 came. Page three is here, page four too. We saw Pers1. The PAGE is blank. Mr. Pers1."
    ]


def test_a_surname_that_is_rarely_in_small_letters_is_a_name_at_the_start_of_a_sentence_too() -> None:
    text = "{person:Jacob Beam} came. " + "We saw Beam. " * 30 + "Beam left."
    assert joined(text) == ["Pers1 came. " + "We saw Pers1. " * 30 + "Pers1 left."]


def test_a_word_that_is_hardly_ever_found_is_not_looked_for() -> None:
    text = "{person:Embassy} said. " + "Our Embassy is large. " * 30
    assert joined(text)[0].count("Pers") == 1


@pytest.mark.parametrize("found", ["the President", "Mr. President", "Box 12", "secret", "A."])
def test_what_cannot_be_a_name_is_not_looked_for(found: str) -> None:
    text = f"{{person:{found}}} was here, and {found.split()[-1]} is here, and the President too."
    assert joined(text)[0].count("Pers") == 1


def test_mentions_tell_who_found_them_and_how() -> None:
    register = Register.of(*marked("{person:Henry Kissinger} met Kissinger and Henry."))
    told = [(each.span.found_by, each.span.why) for each in register.mentions(0)]
    assert told == [
        ("by hand", ""),
        ("propagation", "the surname of a full name"),
        ("propagation", "the first name of a full name"),
    ]


def test_a_longer_name_around_a_given_span_takes_its_place_and_beside_one_the_rest_is_covered() -> None:
    assert joined("{person:Ann Jones} came. Ann {person:Jones} left.") == ["Pers1 came. Pers1 left."]
    text = "{place:New York}, {organisation:York University}. New York University. New {organisation:York University}."
    assert joined(text) == ["Loc1, Org1. Loc1 Org1. Loc1 Org1."]


def test_numbers_are_found_again_and_dates_are_not() -> None:
    text = "{code:AB-123} of {date:May} and {e-mail:Ann@x.org}. AB-123 may be in May, ANN@X.ORG, xAB-123."
    assert joined(text) == ["Code1 of Date1 and Mail1. Code1 may be in May, Mail1, xAB-123."]


@given(st.text(st.sampled_from("aé\u0301 \n\t-\u00adB’"), max_size=30))
def test_flat_text_tells_where_each_letter_stood(text: str) -> None:
    """Every letter of the flat text is the letter at its place in the original, accents aside."""
    flattened = flatten(text)
    for place, letter in enumerate(flattened.text):
        low, high = flattened.original(place, place + 1)
        if letter.isalpha():
            assert (text[low:high], letter) in {("a", "a"), ("é", "e"), ("B", "B")}
    assert sum(map(str.isalpha, flattened.text)) == sum(map(str.isalpha, text))
