"""Each recogniser finds what it declares, and not what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet.identity_numbers import NUMBERS, country_of, is_card, is_iban
from discreet.text.entities.capitals import names_of
from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import Recogniser, find_recogniser, recognisers
from discreet.text.entities.recognition import recognise
from discreet.text.entities.word_index import found_near, word_index
from discreet.text.entities.words.ordinary import is_ordinary

ALL = [each for each in recognisers() if not each.missing]
RULES = [each.name for each in ALL if each.name != "named_entities"]


def found(text: str, *names: str) -> list[tuple[str, str]]:
    """What is found in a text, as wordings with their kinds."""
    return [(text[each.start : each.end], each.kind) for each in recognise(text, recognisers=names or RULES)]


def wordings(text: str, name: str) -> list[str]:
    return [wording for wording, _ in found(text, name)]


@pytest.mark.parametrize("each", ALL, ids=lambda each: each.name)
def test_each_recogniser_finds_its_example(each: Recogniser) -> None:
    start, end = each.example.index("["), each.example.index("]") - 1
    text = each.example.replace("[", "").replace("]", "")
    assert (start, end) in [(span.start, span.end) for span in each.find(text)]


@pytest.mark.parametrize("each", ALL, ids=lambda each: each.name)
def test_each_recogniser_declares_its_kinds_and_says_who_found_it(each: Recogniser) -> None:
    text = each.example.replace("[", "").replace("]", "")
    for span in each.find(text):
        assert span.kind in each.kinds
        assert span.found_by == each.name
        assert span.why
        assert text[span.start : span.end] not in span.why
    assert each.meaning.endswith(".")
    assert each.languages


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("It was lodged by Ms Gisela Kirsten.", ["Ms Gisela Kirsten"]),
        ("Mr K.H. Christoph and Mrs A. Wittling-Vogel came.", ["Mr K.H. Christoph", "Mrs A. Wittling-Vogel"]),
        ("They asked President Arbenz to resign.", ["President Arbenz"]),
        ("signed by J.C. King for the Agency", ["J.C. King"]),
        ("written by Jan K. Novak in haste", ["Jan K. Novak"]),
        ("the applicant Milena Vacek said so", ["Milena Vacek"]),
        ("against F.E. and others", ["F.E."]),
        ("Prof. Dr. van der Berg’s house", ["Prof. Dr. van der Berg"]),
        ("the President of the Court of Appeal", []),
        ("A. Proceedings in the case\n\nB. Facts", []),
    ],
)
def test_people_are_found_by_titles_offices_initials_and_cues(text: str, names: list[str]) -> None:
    assert wordings(text, "people") == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("before the Kowary District Court today", ["Kowary District Court"]),
        (
            "before the 7th Chamber of the Ankara Labour Court today",
            ["7th Chamber of the Ankara Labour Court"],
        ),
        ("the Moers District Court (Amtsgericht) held", ["Moers District Court (Amtsgericht)"]),
        ("owned by Robert Bosch GmbH since then", ["Robert Bosch GmbH"]),
        ("an action of the PKK there", ["PKK"]),
        ("the Supreme Administrative Court and the Turkish Government", []),
        ("the Federal Ministry of Foreign Affairs", []),
        ("the Ministry of Agriculture and Forestry of the Republic of Poland", []),
        ("the UN and the EU", []),
    ],
)
def test_an_organisation_is_found_only_with_a_word_outside_ordinary_english(
    text: str, names: list[str]
) -> None:
    assert wordings(text, "organisations") == names


def test_a_word_that_the_text_has_in_small_letters_is_ordinary() -> None:
    assert wordings("He saw the Grzmot Court.", "organisations") == ["Grzmot Court"]
    assert wordings("He saw the Grzmot Court. A grzmot it was.", "organisations") == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("He lives in Kowary, Poland.", ["Kowary, Poland"]),
        ("on Kennedy Avenue", ["Kennedy Avenue"]),
        ("the District of Kyrenia was", ["District of Kyrenia"]),
        ("She went to school.", []),
    ],
)
def test_places_are_found_by_their_words_or_what_leads_to_them(text: str, names: list[str]) -> None:
    assert wordings(text, "places") == names


@pytest.mark.parametrize(
    "date",
    [
        *(
            "3 May 2001",
            "3rd of May, 2001",
            "May 3, 2001",
            "May 2001",
            "3 May",
            "2001",
            "14 and 27 July 1999",
        ),
        *(
            "February and March 2001",
            "1994, 1995 and 1997",
            "Monday, 3 May 2001",
            "2001-05-03",
            "03.05.2001",
            "3/5/2001",
        ),
        *(
            "1998-1999",
            "summer and autumn of 1994",
            "the end of October 1997",
            "11-13 May 1994",
            "3 Sept. 2001",
            "1970s",
        ),
    ],
)
def test_dates_are_found_however_they_are_written(date: str) -> None:
    text = f"It was on {date} that he came."
    covered = "".join(wordings(text, "dates"))
    assert date.rstrip("s") in covered or date in covered


@pytest.mark.parametrize(
    "text", ["room 12", "Article 1998/5", "1,998 people", "no. 1998", "2001 euros", "It may 3 times"]
)
def test_other_numbers_are_no_dates(text: str) -> None:
    assert wordings(text, "dates") == []


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("an application (no. 18403/91) against", ["18403/91"]),
        ("applications (nos. 260, 268 and 45/2)", ["260, 268 and 45/2"]),
        ("passport AB123456 was", ["AB123456"]),
        ("his car, D-4840, stood", ["D-4840"]),
        ("from 192.168.10.12 at night", ["192.168.10.12"]),
        ("see NJA 2005 p. 884 there", ["NJA 2005 p. 884"]),
        ("under Law no. 3953 and Protocol No. 1", []),
        ("Article 6 § 1 of the Convention", []),
    ],
)
def test_codes_are_found_and_numbers_of_laws_are_kept(text: str, codes: list[str]) -> None:
    assert wordings(text, "codes") == codes


@pytest.mark.parametrize(
    "amount",
    [
        *(
            "EUR 4,000",
            "€4,000.50",
            "200,000 Turkish liras (TRY)",
            "54,525,000 Turkish Liras (TRL)",
            "588 GDR marks",
        ),
        *(
            "approximately EUR 1,800",
            "five hundred euros",
            "GBP 490 million",
            "40%",
            "12.5 per cent",
            "26 km/h",
            "50 metres",
        ),
        *("three years and nine months", "seventy-one hearings", "571 landowners", "$ 12 million"),
    ],
)
def test_quantities_are_found(amount: str) -> None:
    text = f"He had {amount} of it."
    covered = {
        place for each in recognise(text, recognisers=["quantities"]) for place in range(each.start, each.end)
    }
    for word in amount.split():
        start = text.index(word)
        assert word == "and" or set(range(start, start + len(word))) <= covered


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("She was a primary teacher.", ["primary teacher"]),
        ("He worked as a lorry driver then.", ["lorry driver"]),
        ("aged 34, he left", ["aged 34"]),
        ("a 34-year-old man", ["34-year-old"]),
        ("of Kurdish origin", ["Kurdish"]),
        ("They are Jehovah’s Witnesses.", ["Jehovah’s Witnesses"]),
        ("suffers from paranoid schizophrenia", ["paranoid schizophrenia"]),
        ("the diagnosis showed sympathy", []),
        ("the teacher said", []),
    ],
)
def test_demographics_are_found(text: str, facts: list[str]) -> None:
    assert wordings(text, "demographics") == facts


@pytest.mark.parametrize(
    ("text", "kind", "wording"),
    [
        ("mail o'neil.j+x@mail.example.co.uk.", Kind.EMAIL, "o'neil.j+x@mail.example.co.uk"),
        ("mail jan (at) example (dot) org now", Kind.EMAIL, "jan (at) example (dot) org"),
        ("see www.example.org/~novak, please", Kind.LINK, "www.example.org/~novak"),
        ("follow @jan_novak there", Kind.LINK, "@jan_novak"),
        ("call (202) 456-1111 now", Kind.PHONE, "(202) 456-1111"),
        ("Tel.: 22 694 12 34 in the morning", Kind.PHONE, "22 694 12 34"),
        ("account no. 1234567890 there", Kind.ACCOUNT, "1234567890"),
        ("at 12b High Street, London SW1A 2AA today", Kind.ADDRESS, "12b High Street, London SW1A 2AA"),
        ("wohnt Hauptstraße 12 dort", Kind.ADDRESS, "Hauptstraße 12"),
        ("write to P.O. Box 145 there", Kind.ADDRESS, "P.O. Box 145"),
        ("number 536-90-4399 there", Kind.IDENTITY, "536-90-4399"),
    ],
)
def test_numbers_and_addresses_are_found_as_what_they_are(text: str, kind: Kind, wording: str) -> None:
    assert (wording, str(kind)) in [(each, str(of)) for each, of in found(text)]


@given(st.integers(10**15, 10**16 - 1))
def test_one_check_digit_in_ten_makes_a_card(number: int) -> None:
    assert sum(is_card(str(number)[:-1] + str(last)) for last in range(10)) == 1


@given(st.integers(0, 10**14 - 1), st.integers(0, 97))
def test_an_iban_with_other_check_digits_is_none(number: int, other: int) -> None:
    body = f"WEST{number:014}"
    whole = int("".join(str(int(each, 36)) for each in body + "GB00"))
    right = 98 - whole % 97
    assert is_iban(f"GB{right:02}{body}")
    assume(other != right and (other - right) % 97)
    assert not is_iban(f"GB{other:02}{body}")
    assert not list(find_recogniser("accounts").find(f"to GB{other:02}{body} today"))


@given(st.integers(0, 10**10 - 1))
def test_numbers_with_wrong_check_digits_are_no_identity_numbers(number: int) -> None:
    from stdnum.pl import pesel

    whole = f"{number:010}"
    valid = [str(last) for last in range(10) if pesel.is_valid(whole + str(last))]
    assert len(valid) <= 1
    for last in "0123456789":
        assert (last in valid) <= bool(country_of(whole + last))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("44051401359", "44051401358"), ("RSSMRA85T10A562S", "RSSMRA85T10A562T"), ("54362315K", "54362315Z")],
)
def test_a_wrong_check_digit_is_not_taken_for_an_identity_number(right: str, wrong: str) -> None:
    assert country_of(right)
    assert not country_of(wrong)
    assert len(set(NUMBERS)) == len(NUMBERS)


@given(st.text(alphabet="ab1 .-", max_size=50), st.lists(st.integers(0, 50), max_size=6), st.integers(0, 6))
def test_searching_near_places_finds_what_searching_everywhere_does(
    text: str, near: list[int], before: int
) -> None:
    import re

    pattern = re.compile(r"[ab]+1|1-1")
    places = sorted(place for place in near if place <= len(text))
    whole = [each.span() for each in found_near(pattern, text, range(len(text) + 1))]
    assert whole == [each.span() for each in pattern.finditer(text)]
    for each in found_near(pattern, text, places, before=before):
        assert any(place - before <= each.start() <= place for place in places)
        assert pattern.match(text, each.start())


@given(st.text(max_size=60))
def test_the_index_holds_every_word_and_number_where_it_stands(text: str) -> None:
    index = word_index(text)
    for word, places in index.words.items():
        assert all(text.startswith(word, place) for place in places)
    assert all(text[place].isdecimal() for place in index.figures)


def test_ordinary_words_are_told_by_list_ending_plural_and_parts() -> None:
    assert all(
        map(is_ordinary, ["Court", "COURTS", "Minister’s", "Subdivisional", "Anti-Terror", "registration"])
    )
    assert not any(map(is_ordinary, ["Novak", "Gdańsk", "Pyrénées-Atlantiques", "Ment", "Tion"]))


def test_names_end_with_short_lines_and_go_on_over_wrapped_ones() -> None:
    short = "Jan Novak\nKowary Works"
    assert [short[each.start : each.end] for each in names_of(short)] == ["Jan Novak", "Kowary Works"]
    wrapped = "This is a line that goes on long enough to be wrapped after Jan\nNovak came."
    assert "Jan\nNovak" in [wrapped[each.start : each.end] for each in names_of(wrapped)]


LONG = 100_000
HARD = {
    "letters": "a" * LONG,
    "capitals": "A" * LONG,
    "capital words": "Aaa " * (LONG // 4),
    "joined institutions": "Court and " * (LONG // 10),
    "dashes": "A-" * (LONG // 2),
    "initials": "A." * (LONG // 2),
    "spaced initials": "A. " * (LONG // 3),
    "figures": "1" * LONG,
    "spaced figures": "1 " * (LONG // 2),
    "slashes": "1/" * (LONG // 2),
    "points": "1.1" * (LONG // 3),
    "commas": "1, " * (LONG // 3),
    "at signs": "@" * LONG,
    "mail": "a.b@" * (LONG // 4),
    "brackets": "(" * LONG,
    "openers": "A" + "“ (" * (LONG // 3) + "A",
    "spaces": "A" + " " * LONG + "A",
    "lines": "\n" * LONG,
    "numbers called": "no. " * (LONG // 4) + "1",
    "months": "May " * (LONG // 4),
    "days": "3 May, " * (LONG // 7),
    "years": "1999 and " * (LONG // 9),
    "number words": "ten " * (LONG // 4),
    "hyphened words": "ten-" * (LONG // 4),
    "money": "EUR 1,000," * (LONG // 10),
    "titles": "Mr " * (LONG // 3),
    "apostrophes": "A's'" * (LONG // 4),
    "hosts": "a." * (LONG // 2),
    "ages": "aged " * (LONG // 5),
    "roles": "was a " * (LONG // 6) + "teacher",
    "control": "\x00\x1b" * (LONG // 2),
    "right to left": "مرحبا بالعالم " * (LONG // 14),
    "nationals": "Polish " * (LONG // 7),
    "streets": "12 Aaaa " * (LONG // 8),
    "iban": "GB82 WEST " * (LONG // 10),
    "salutations": "Dear Aaa\n" * (LONG // 9),
    "lists of names": "To: " + "Aaa Aaa, " * (LONG // 9),
    "closings": "Regards\n\n" * (LONG // 9),
    "names before addresses": "Aaa " * (LONG // 8) + "@" + "Aaa, " * (LONG // 10),
    "phones": "+44 20 " * (LONG // 7),
}


@pytest.mark.parametrize("text", HARD.values(), ids=HARD)
def test_texts_made_to_be_slow_to_read_are_read(text: str) -> None:
    """A pattern that tries every way to read these would not come back."""
    spans = recognise(text, recognisers=RULES)
    assert all(0 <= each.start < each.end <= len(text) for each in spans)


def test_a_megabyte_in_one_line_is_read() -> None:
    text = "On 3 May 2001 Mr Novak paid EUR 4,000 to the Kowary District Court. " * 15_000
    assert len(recognise(text, recognisers=RULES)) == 4 * 15_000
