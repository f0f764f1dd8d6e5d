"""People in letters and messages are found by the form of the letter; what is addressed and is nobody is kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.demo.archive import DIRECT, write_archive
from discreet.text import read
from discreet.text.entities.recogniser import find_recogniser, recognisers
from discreet.text.entities.recognition import recognise
from discreet.text.sanitising import sanitise

RULES = [each.name for each in recognisers() if each.name != "named_entities"]


def people(text: str) -> list[str]:
    return [text[each.start : each.end] for each in recognise(text, recognisers=["correspondence"])]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Dear Ada,\nhow are you?", ["Ada"]),
        ("Dear Captain Hazelwall:\n\nWe wait.", ["Captain Hazelwall"]),
        ("Dear Ada and Jane,\n", ["Ada", "Jane"]),
        ("Dear Mrs. O'Neil,\n", ["Mrs. O'Neil"]),
        ("My dear Jane,\n", ["Jane"]),
        ("Hi Frank!\n", ["Frank"]),
        ("Dear Aunt May,\n", ["Aunt May"]),
        ("> Dear Ada,\n", ["Ada"]),
        ("Dear Sir or Madam,\n", []),
        ("Dear Prime Minister,\n", []),
        ("Dear Colleagues,\n", []),
        ("It was dear Ada, she said.", []),
    ],
)
def test_who_is_addressed_is_found(text: str, names: list[str]) -> None:
    assert people(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Yours sincerely,\nAlec Wakeley", ["Alec Wakeley"]),
        ("Kind regards\n\n\n\nAlec\n", ["Alec"]),
        ("Best wishes,\r\nJ. Novak\r\nHead of Office", ["J. Novak"]),
        ("Regards,\nFrank King", ["Frank King"]),
        ("Ada\n+44 20 7946 0123\n", ["Ada"]),
        ("Ada Torwick\nTel. 22 694\n", ["Ada Torwick"]),
        ("Kind regards,\nThe Harbour Board\n", []),
        ("Yours,\nyou know who", []),
        ("Ada\nwas here in 1999 with 12345678 others", []),
    ],
)
def test_who_signs_is_found(text: str, names: list[str]) -> None:
    assert people(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("From: Jane King\nTo: All Staff; Harbour Office", ["Jane King"]),
        ("Cc: M. van der Berg, Ludwig Maier Jr.\n", ["M. van der Berg", "Ludwig Maier Jr."]),
        ("**From:** Ada Torwick  \n**To:** Zoe Mardon", ["Ada Torwick", "Zoe Mardon"]),
        ("Author: Ada Torwick", ["Ada Torwick"]),
        (
            "Present: Ada Torwick, Captain Mardon and Zoe Bell.",
            ["Ada Torwick", "Captain Mardon", "Zoe Bell"],
        ),
        ("To: Torvale Insurance plc", []),
        ("From: Monday to Friday", []),
        ("To: The Secretary of State", []),
    ],
)
def test_people_in_header_lines_are_found(text: str, names: list[str]) -> None:
    assert people(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Jane Hartbeck <jane.hartbeck@harbour.example> wrote", ["Jane Hartbeck"]),
        ('"Torwick, Mina" <m.torwick@x.example>', ["Torwick", "Mina"]),
        ("Ask Torwick first (mtorwick@x.example).", ["Torwick"]),
        ("Then Frank came. frank_k@x.example", ["Frank"]),
        ("HARTBECK came; jane.hartbeck (at) x (dot) example", ["HARTBECK"]),
        ("write to harbour.office@x.example; the Harbour Office", []),
        ("Ask Torwick first. mtor@x.example", []),
    ],
)
def test_names_beside_and_within_addresses_are_found(text: str, names: list[str]) -> None:
    assert people(text) == names


SYLLABLES = st.sampled_from(["ka", "lo", "mir", "ven", "tor", "zu", "bek", "ril"])
NAMES = st.lists(SYLLABLES, min_size=3, max_size=5).map(lambda each: "".join(each).capitalize())
FORMS = [
    "Dear {0},\n\nthe pier is closed.",
    "The pier is closed.\n\nYours faithfully,\n{0} {1}\n",
    "From: {0} {1}\nTo: the board",
    "{0} {1} <office@x.example>",
    "The pier is closed.\n{0}\n+44 20 7946 0123\n",
    "Ask {1} for it, or write to {2}.{3}@x.example",
]


@pytest.mark.parametrize("form", FORMS)
@given(given=NAMES, surname=NAMES)
def test_a_name_in_one_of_these_places_is_found_whatever_it_is(form: str, given: str, surname: str) -> None:
    text = form.format(given, surname, given.lower(), surname.lower())
    covered = {
        place
        for each in find_recogniser("correspondence").find(text)
        for place in range(each.start, each.end)
    }
    for name in (given, surname):
        for each in re.finditer(rf"\b{name}\b", text):
            assert covered.issuperset(range(*each.span()))


def test_a_name_is_not_ordinary_because_an_address_has_it_in_small_letters() -> None:
    text = "Questions go to Dr Torwick, mina.torwick@harbour.example. He met Torwick there."
    found = [text[each.start : each.end] for each in recognise(text, recognisers=["people", "other_names"])]
    assert found == ["Dr Torwick", "Torwick"]


def test_the_year_of_a_date_counts_nothing() -> None:
    assert not recognise("The plan of 3 May 1979 foresees it.", recognisers=["quantities"])
    assert recognise("They sent 1979 soldiers.", recognisers=["quantities"])


@pytest.mark.parametrize("names", [None, RULES], ids=["all recognisers", "rules alone"])
def test_no_direct_identifier_of_the_invented_archive_is_left(
    tmp_path: Path, names: list[str] | None
) -> None:
    documents = {each.name: each for each in write_archive(tmp_path)}
    corpus = read(tmp_path)
    done = sanitise(corpus, recognisers=names)
    looked_for = 0
    for before, after in zip(corpus, done.corpus, strict=True):
        for wording, _, identifies in documents[before.name].hidden:
            if identifies == DIRECT and wording in before.text:
                looked_for += 1
                assert wording not in after.text, (before.name, wording)
    assert looked_for > 150


def test_nouns_that_open_a_sentence_are_no_people(tmp_path: Path) -> None:
    write_archive(tmp_path)
    done = sanitise(read(tmp_path))
    kept = "\n".join(each.text for each in done.corpus)
    assert "Bread and coal" in kept
    assert "Please send" in kept


def test_a_name_in_a_header_ends_with_its_sentence() -> None:
    text = "Present: Mrs Adaeze Oduya and Dr Lukas Vandermolen. Mr Farraday was absent."
    assert people(text)[:2] == ["Mrs Adaeze Oduya", "Dr Lukas Vandermolen"]
    assert not any("Vandermolen. Mr" in each for each in people(text))


def test_a_number_to_ring_somebody_on_is_a_telephone_number() -> None:
    text = "May I ask you to ring me on 01632 960 145, or reach us at 01632 960 199?"
    found = recognise(text, recognisers=["phones"])
    assert [text[each.start : each.end] for each in found] == ["01632 960 145", "01632 960 199"]
