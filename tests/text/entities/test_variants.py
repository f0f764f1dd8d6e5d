"""Which forms of a name are one person, organisation or value."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.text.entities.marked import joined

from discreet.text.entities.names import PersonName, compatible, one_edit, person_name, same_first_name
from discreet.text.entities.organisations import abbreviates, organisation_key
from discreet.text.entities.values import value_key
from discreet.text.entities.variants import Slips, near_miss


def people(*mentions: str) -> list[str]:
    """The pseudonyms of names that stand in one document, one after the other."""
    (text,) = joined(
        " said x. ".join(f"{{person:{each}}}" for each in (*mentions, "")).replace("{person:}", "")
    )
    return re.findall(r"Pers\d+", text)


@pytest.mark.parametrize(
    "forms",
    [
        ["Prof. John Smith", "Smith", "SMITH", "J. Smith", "Smith’s", "Prof. Smith", "John Smith's"],
        ["Carlos Castillo Armas", "Castillo Armas", "Castillo", "Col. Castillo Armas"],
        ["Jacobo Arbenz Guzmán", "Jacobo Arbenz", "Arbenz", "ARBENZ", "Jacobo Arbenz Guzman"],
        ["William P. Rogers", "Bill Rogers", "W.P. Rogers", "WPR", "W.P.R."],
        ["J. Caldwell King", "Colonel King", "King", "JCKing", "JCK"],
        ["Faisal bin Abd al-Aziz", "Prince Faisal", "Faisal"],
        ["Anwar al-Sadat", "Sadat", "President Sadat"],
        ["Julio Estrada de la Hoz", "de la Hoz", "Estrada de la Hoz"],
        ["Henry Kissinger", "Dr. Kissinger", "Henry"],
        ["Alexander Haig", "A.M. Haig, Jr.", "Haig"],
        ["Winston Lord", "Lord", "Mr. Lord"],
    ],
    ids=lambda forms: forms[0],
)
def test_variants_of_one_name_are_one_person(forms: list[str]) -> None:
    assert people(*forms) == ["Pers1"] * len(forms)


@pytest.mark.parametrize(
    "forms",
    [
        ["John Smith", "Jane Smith"],
        ["John A. Smith", "John B. Smith"],
        ["Mr. Smith", "Mrs. Smith"],
        ["John Foster Dulles", "John Foster"],
        ["Fahd bin Abd al-Aziz", "Khalid bin Abd al-Aziz"],
        ["Peter Hansen", "Paul Hanson"],
        ["Hansen", "Hanson"],
        ["King", "Major"],
    ],
    ids=str,
)
def test_names_of_two_people_are_two(forms: list[str]) -> None:
    assert people(*forms) == ["Pers1", "Pers2"]


def test_a_surname_that_two_people_have_is_the_nearest_full_name_before_it() -> None:
    names = ["Smith", "John Smith", "Smith", "Jane Smith", "Smith", "John Smith", "Smith"]
    assert people(*names) == ["Pers1", "Pers1", "Pers1", "Pers2", "Pers2", "Pers1", "Pers1"]


def test_a_misspelling_is_joined_only_where_it_is_rare() -> None:
    assert people(*["Kosygin"] * 6, "Koysgin") == ["Pers1"] * 7
    assert people(*["Hansen"] * 6, *["Hanson"] * 6) == ["Pers1"] * 6 + ["Pers2"] * 6


def test_a_surname_means_whom_another_document_names_in_full() -> None:
    assert joined("{person:Smith} came.", "{person:John Smith} left.") == ["Pers1 came.", "Pers1 left."]


def test_of_several_in_other_documents_the_one_with_the_title_is_meant() -> None:
    texts = [
        "{person:General Walter Smith} came.",
        "{person:John Smith} and {person:John Smith}.",
        "{person:General Smith} left.",
    ]
    assert joined(*texts) == ["Pers1 came.", "Pers2 and Pers2.", "Pers1 left."]


def test_organisations_are_joined_without_legal_forms_and_by_abbreviations() -> None:
    text = "{organisation:Imagine Inc.} (Imagine) met the {organisation:North Atlantic Treaty Organization} (NATO)."
    later = "NATO paid {organisation:Imagine}. The {organisation:Imagine Ltd} paid N.A.T.O. nothing."
    first, second = joined(text, later)
    assert first == "Org1 (Org1) met the Org2 (Org2)."
    assert second == "Org2 paid Org1. The Org1 paid N.A.T.O. nothing."


def test_brackets_that_do_not_abbreviate_are_no_abbreviation() -> None:
    assert joined("{organisation:Imagine Inc.} (Madrid) and Madrid.") == ["Org1 (Madrid) and Madrid."]
    assert not abbreviates("of", "Bank of Spain")
    assert abbreviates("BoS", "Bank of Spain")
    assert organisation_key("The Co.") == "co"


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("date", "12 March 1999", "March 12th, 1999"),
        ("date", "12 March 1999", "1999-03-12"),
        ("date", "12 March 1999", "Friday, 12 Mar. 1999"),
        ("date", "12.3.1999", "the 12th of March 1999"),
        ("date", "13/3/1999", "3/13/1999"),
        ("e-mail", "Ann@Example.org", "ann@example.org"),
        ("phone", "+44 20 7946 0958", "0044 (0)20-7946-0958"),
        ("account number", "DE89 3704 0044", "DE8937040044"),
        ("code", "no. 12345/67", "12345/67"),
        ("place", "the Hague", "The Hague's"),
        ("place", "U.S.A.", "USA"),
        ("link", "https://www.example.org/", "example.org"),
        ("quantity", "1,000 euros", "1000 euros"),
    ],
)
def test_equal_values_written_otherwise_are_one(kind: str, one: str, other: str) -> None:
    assert value_key(kind, one) == value_key(kind, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3/4/1999", "4 March 1999"),
        ("March 1999", "1 March 1999"),
        ("12 March", "12 March 1999"),
        ("30 February 1999", "1999-02-30"),
    ],
)
def test_dates_that_may_differ_are_two(one: str, other: str) -> None:
    assert value_key("date", one) != value_key("date", other)


LETTERS = st.text("abcdef", min_size=1, max_size=6)


@given(LETTERS, LETTERS)
def test_one_edit_is_what_it_says(one: str, other: str) -> None:
    """Against all words that one slip makes."""
    made = {one[:at] + one[at + 1 :] for at in range(len(one))}
    made |= {one[:at] + letter + one[at:] for at in range(len(one) + 1) for letter in "abcdef"}
    made |= {one[:at] + letter + one[at + 1 :] for at in range(len(one)) for letter in "abcdef"}
    made |= {one[:at] + one[at + 1] + one[at] + one[at + 2 :] for at in range(len(one) - 1)}
    assert one_edit(one, other) == (other in made - {one})


NAMES = st.lists(
    st.sampled_from(["Ann", "Bob", "Cal", "J.", "K.", "Smith", "Jones", "Armas"]), min_size=2, max_size=4
)


@given(NAMES, NAMES)
def test_compatible_names_are_so_in_either_order(one: list[str], other: list[str]) -> None:
    names = person_name(" ".join(one)), person_name(" ".join(other))
    assume(all(name.full for name in names))
    assert compatible(*names) == compatible(*reversed(names))
    assert same_first_name(one[0], other[0]) == same_first_name(other[0], one[0])


@given(NAMES)
def test_a_name_is_compatible_with_itself_and_titles_do_not_matter(words: list[str]) -> None:
    name = person_name(" ".join(words))
    assume(name.full)
    assert compatible(name, person_name(f"Dr. {' '.join(words).upper()}"))


WORDS = ["anna", "ana", "a", "b", "smith", "smyth", "smiht", "bin", "jo", "al", "william", "bill"]


@st.composite
def full_names(draw: st.DrawFn) -> PersonName:
    words = draw(st.lists(st.sampled_from(WORDS), min_size=2, max_size=4))
    return PersonName(words=tuple(words), patronymic="bin" in words[1:])


@given(full_names(), full_names())
def test_of_two_names_of_one_person_the_last_word_of_one_stands_in_the_other(
    one: PersonName, other: PersonName
) -> None:
    """What candidates are looked up by: nobody else needs to be tried."""
    if compatible(one, other):
        assert one.words[-1] in other.words or other.words[-1] in one.words


@given(st.lists(full_names(), max_size=12), full_names())
def test_names_one_slip_away_are_those_that_differ_in_one_word_by_an_edit(
    names: list[PersonName], name: PersonName
) -> None:
    near = set(Slips(each.words for each in names).near(name.words))
    assert near == {each.words for each in names if near_miss(name.words, each.words)}
