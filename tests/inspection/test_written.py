"""How values are written, and which stand for a missing one, is proposed for a steward to confirm."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import polars as pl
import pytest

import discreet as dc
from discreet.dialect import DateForm, form_of
from discreet.inspection import Proposed, inspect
from discreet.inspection.codes import labelled_codes, missing_codes
from discreet.project import Project
from discreet.reading import read_frame
from discreet.table import Role, Scale

N = 60
AGES = [18 + place % 60 for place in range(N)]


def proposed(name: str, values: Sequence[object]) -> Proposed:
    return inspect(pl.DataFrame({name: values}, strict=False)).columns[0]


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([*AGES, -9], ("-9",)),
        ([*AGES, -9, -8, -9], ("-9", "-8")),
        ([*AGES, -1, -1], ("-1",)),
        ([*AGES, 999, 999], ("999",)),
        ([*AGES, 998, 999, 998, 999], ("998", "999")),
        ([*([1, 2, 3, 4, 5] * 9), *([9] * 12)], ("9",)),
        ([*AGES, *([99] * 9)], ("99",)),
        ([*AGES, 99], ()),
        ([*AGES, 999], ()),
        (list(range(-20, 40)), ()),
        ([place % 10 for place in range(N)], ()),
        ([*range(40, 100), 99, 99], ()),
        ([0, 1] * 30, ()),
        ([-1, 0, 1] * 20, ()),
        ([-9] * 40 + [1] * 20, ()),
        ([1, 2, 999, 999], ()),
    ],
)
def test_codes_are_proposed_where_they_stand_out(values: list[int], codes: tuple[str, ...]) -> None:
    found = missing_codes(pl.Series("x", values), is_amount=False)
    assert set(found) == set(codes)


def test_tops_of_amounts_are_no_codes() -> None:
    values = pl.Series("x", [*AGES, 9999, 9999])
    assert missing_codes(values, is_amount=False) == ("9999",)
    assert missing_codes(values, is_amount=True) == ()


def test_german_dates_are_proposed_with_their_format_and_read_so(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    days = [f"{1 + place % 28:02}.{1 + place % 12:02}.{1950 + place}" for place in range(N)]
    path.write_text(
        "geboren;ort\n" + "".join(f"{day};Ort {place % 3}\n" for place, day in enumerate(days)) + "k.A.;\n"
    )
    proposal = inspect(path)
    born = proposal.columns[0]
    assert (born.format, born.marks, born.scale) == ("DD.MM.YYYY", ("k.A.",), Scale.NUMERIC)
    (tmp_path / "discreet.toml").write_text(proposal.to_toml())
    frame = read_frame(path, Project.load(tmp_path / "discreet.toml").read).frame
    assert frame["geboren"][0] == date(1950, 1, 1)
    assert frame["geboren"].null_count() == 1


def test_dates_that_nobody_can_tell_are_left_out_until_the_steward_says() -> None:
    found = proposed("seen", [f"0{1 + place % 9}/0{1 + place % 7}/1990" for place in range(N)])
    assert found.role == Role.IDENTIFIER
    said = "; ".join(found.reasons)
    assert '"DD/MM/YYYY" or "MM/DD/YYYY"' in said
    assert 'role = "quasi-identifier"' in said


def test_other_columns_of_the_file_tell_days_from_months() -> None:
    frame = pl.DataFrame(
        {
            "born": [f"{1 + place % 28}/{1 + place % 12}/1967" for place in range(N)],
            "seen": [f"0{1 + place % 9}/0{1 + place % 7}/1990" for place in range(N)],
        }
    )
    assert [each.format for each in inspect(frame).columns] == ["D/M/YYYY", "DD/MM/YYYY"]


def test_days_that_do_not_exist_are_not_published() -> None:
    found = proposed("seen", [f"{1 + place % 31:02}.02.1990" for place in range(N)])
    assert found.role == Role.IDENTIFIER
    assert any("not all are days that exist" in reason for reason in found.reasons)


def test_whole_numbers_that_write_days_are_days() -> None:
    found = proposed("seen", [19900101 + place % 28 for place in range(N)])
    assert (found.format, found.role) == ("YYYYMMDD", Role.KEY)


def test_words_for_missing_are_proposed_and_namibia_is_none() -> None:
    assert proposed("work", ["private", "public", "?"] * 20).marks == ("?",)
    assert proposed("estudios", ["a", "b", "n/d"] * 20).marks == ("n/d",)
    assert proposed("country", ["NA", "ZA", "BW"] * 20).marks == ()
    assert proposed("disease", ["none", "flu", "cold"] * 20).marks == ()
    assert proposed("answer", ["unknown"] * 20 + ["yes"] * 5).marks == ()


def test_amounts_are_numbers_with_the_form_told() -> None:
    found = proposed("Umsatz", [f"1.{100 + place},50 €" for place in range(N)])
    assert (found.format, found.scale) == ("9.999,99 €", Scale.NUMERIC)


def test_numbers_are_seen_beside_any_number_of_marks() -> None:
    found = proposed("inc", [*(["."] * 90), *(str(100 + 37 * place % 101) for place in range(30))])
    assert (found.marks, found.scale) == ((".",), Scale.NUMERIC)


@pytest.mark.parametrize("mark", ["no consta", "NSP", "weiß nicht", "Refused", "NO CONTESTA", "non indicato"])
def test_words_for_an_answer_that_was_not_given_are_proposed(mark: str) -> None:
    assert proposed("x", ["red", "blue", "green", mark] * 20).marks == (mark,)


def test_telephone_numbers_are_not_said_to_be_dates() -> None:
    numbers = [
        f"06 {10 + place:02} {20 + place % 70:02} {place % 90:02} {(place * 7) % 90:02}" for place in range(N)
    ]
    assert not any("dates" in reason for reason in proposed("Tél.", numbers).reasons)


def test_shared_surnames_are_no_hint_where_each_record_has_a_number_of_a_person() -> None:
    frame = pl.DataFrame(
        {"surname": ["Puig", "Vila", "Roca"] * 20, "patient_no": [7919 * place % 9973 for place in range(N)]}
    )
    assert inspect(frame).remarks == ()
    assert any("share" in remark for remark in inspect(frame.drop("patient_no")).remarks)


def test_months_are_days_of_their_own_and_no_numbers_of_people(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(
        "seen;ort\n"
        + "".join(f"{1 + place * 5 % 12:02}/{1960 + place % 40};O{place % 3}\n" for place in range(N))
    )
    proposal = inspect(path)
    assert (proposal.columns[0].role, proposal.columns[0].format) == (Role.KEY, "MM/YYYY")
    (tmp_path / "discreet.toml").write_text(proposal.to_toml())
    table = dc.read(path)
    release = dc.protect(table, dc.Plan.of(["microaggregate k=3 columns=seen"]), seed=1)
    assert set(release.table.frame["seen"].dt.day()) == {1}
    release.save(tmp_path / "release")
    lines = (tmp_path / "release" / "public" / "people.csv").read_text().splitlines()
    assert all(re.fullmatch(r"\d\d/\d{4};O\d", line) for line in lines[1:])


def test_two_digits_of_a_year_are_told_with_the_hundred_they_are_of() -> None:
    found = proposed(
        "born", [f"{1 + place % 28:02}.{1 + place % 12:02}.{place + 10:02}" for place in range(N)]
    )
    assert any("1930 to 2029" in reason and ", from 1900" in reason for reason in found.reasons)


def test_numbers_that_may_be_read_two_ways_are_left_out_with_what_to_say() -> None:
    found = proposed("sold", [f"{1 + place % 9},{100 + place * 7 % 900}" for place in range(N)])
    assert found.role == Role.IDENTIFIER
    assert any('format = "9,999"' in reason and "decimal" in reason for reason in found.reasons)


MONTHS_CUT_SHORT = [
    "janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc.",
]  # fmt: skip


def test_months_that_are_cut_short_by_a_point_are_read_beside_whole_ones_and_written_so() -> None:
    texts = pl.Series([f"{1 + place % 28} {MONTHS_CUT_SHORT[place % 12]} 1967" for place in range(N)])
    found = proposed("né", texts.to_list())
    assert (found.format, found.role) == ("D mon. YYYY, fr", Role.KEY)
    form = form_of(found.format)
    assert isinstance(form, DateForm)
    assert form.read(texts).dt.month().to_list() == [1 + place % 12 for place in range(N)]
    assert form.write(form.read(texts)).to_list() == texts.to_list()


def test_other_columns_of_the_file_tell_thousands_from_decimals() -> None:
    frame = pl.DataFrame(
        {
            "sold": [f"{1 + place % 9},{100 + place * 7 % 900}" for place in range(N)],
            "share": [f"{place}.{place % 7}%" for place in range(N)],
        }
    )
    found = inspect(frame).columns[0]
    assert (found.format, found.role, found.scale) == ("9,999", Role.KEY, Scale.NUMERIC)
    alike = frame.with_columns(share=pl.col("share").str.replace(".", ",", literal=True))
    assert inspect(alike).columns[0].role == Role.IDENTIFIER


@pytest.mark.parametrize("label", ["don't know", "Keine Angabe", "DK", "refus", "No contesta"])
def test_codes_are_missing_where_their_labels_say_so(label: str) -> None:
    values = pl.Series("q", [1, 2, 3, 8] * 20)
    assert labelled_codes(values, {"1": "yes", "2": "no", "3": "none", "8": label}) == ("8",)
    assert labelled_codes(values, {"1": label, "2": label, "3": label, "8": "yes"}) == ()


def test_moments_keep_the_unit_of_their_file(tmp_path: Path) -> None:
    file = tmp_path / "calls.csv"
    moments = [
        f"2020-{1 + place % 12:02}-{1 + place % 28:02}T{place % 24:02}:{place % 60:02}:00"
        for place in range(N)
    ]
    pl.DataFrame({"begun": moments, "length": list(range(N))}).write_csv(file)
    table = dc.read(file, rest="quasi-identifier")
    release = dc.protect(table, dc.Plan.of(["microaggregate k=7"]), seed=1)
    assert release.table.frame["begun"].dtype == pl.Datetime("us")
    assert (release.table.frame["begun"].dt.second() == 0).all()
    assert (release.table.frame["begun"].dt.microsecond() == 0).all()
    assert release.table.frame["begun"].n_unique() > 1
