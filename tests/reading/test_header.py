"""A first row that holds a person instead of names stops the reading, and names that are names do not."""

from __future__ import annotations

import csv
import tempfile
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.demo import people as demo_people
from discreet.errors import BadFile, BadParameter, NoHeader
from discreet.inspection import inspect
from discreet.project import Project
from discreet.reading import ReadOptions, read_frame
from discreet.reading.header import places_of_values
from discreet.reading.read_like import read_like
from discreet.writing import write_frame

GIVEN = ["Anna", "Bob", "Chiara", "Dmitri", "Eva", "Farid", "Ġorġ", "Hoa"]
FAMILY = ["Ngo", "Smith", "Ödegård", "de la Cruz", "O'Neil", "Papadopoulos"]
TOWNS = ["Wien", "Girona", "Örebro", "São Paulo"]
NAMES = {
    "name": st.tuples(st.sampled_from(GIVEN), st.sampled_from(FAMILY)).map(" ".join),
    "born": st.integers(0, 30_000).map(lambda days: str(date(1925, 1, 1) + timedelta(days=days))),
    "visit": st.tuples(st.integers(1, 28), st.integers(1, 12), st.integers(1950, 2024)).map(
        lambda day: "{:02d}.{:02d}.{}".format(*day)
    ),
    "birth_year": st.integers(1920, 2024).map(str),
    "age": st.integers(0, 105).map(str),
    "income": st.integers(-5_000, 900_000).map(str),
    "height": st.floats(0.3, 2.3).map("{:.2f}".format),
    "weight_kg": st.floats(2, 180).map(lambda kilos: f"{kilos:.1f}".replace(".", ",")),
    "email": st.tuples(st.sampled_from(GIVEN), st.integers(1, 999)).map(
        lambda who: f"{who[0]}{who[1]}@mail.example"
    ),
    "phone": st.integers(10**8, 10**9 - 1).map("+43 {}".format),
    "postcode": st.integers(0, 99_999).map("{:05d}".format),
    "patient": st.integers(1, 99_999).map("P-{:05d}".format),
    "icd10": st.tuples(st.sampled_from("ABCDEFGHIJ"), st.integers(0, 99), st.integers(0, 9)).map(
        lambda code: "{}{:02d}.{}".format(*code)
    ),
    "age_group": st.sampled_from(["0-14", "15-29", "30-44", "45-64", "65+"]),
    "seen": st.integers(0, 10**6).map(
        lambda minutes: f"2021-03-04 {minutes // 60 % 24:02d}:{minutes % 60:02d}"
    ),
}
TELLING = [name for name in NAMES if name != "name"]
WORDS = {"town": st.sampled_from(TOWNS), "sex": st.sampled_from(["f", "m"]), "given": st.sampled_from(GIVEN)}

TYPICAL = {
    "names of any language": ["Alter", "Geschlecht", "código postal", "年齢", "пол", "ηλικία"],
    "capitals": ["AFNLWGT", "AGI", "EMCONTRB", "FEDTAX"],
    "iris": ["sepal.length", "sepal.width", "petal.length", "petal.width", "species"],
    "titanic": ["PassengerId", "Survived", "Pclass", "Name", "Sex", "SibSp", "Ticket"],
    "numbered": ["V1", "V2", "V3", "V4", "V5"],
    "questions": ["q1", "q1a", "q2_1", "q2_2", "Q10.3_TEXT"],
    "census bureau": ["GEO_ID", "B01001_001E", "B01001_002E", "NAME"],
    "waves": ["id", "income_2019", "income_2020", "2021_income"],
    "units": ["height (cm)", "weight [kg]", "BMI (kg/m²)", "24h urine"],
    "medical": ["HbA1c", "FEV1", "T4", "CD4", "vitamin B12", "icd10"],
    "percent": ["% employed", "n", "p25", "p75", "95% CI low"],
    "snake": ["first_name", "date_of_birth", "zip_code5", "address_line_1", "address_line_2"],
    "questions in words": ["How old are you?", "In which town do you live?", "Your e-mail (optional)"],
    "pandas index": ["Unnamed: 0", "age", "sex"],
    "spss": ["HHID", "PERNUM", "YEAR", "AGEP", "WGTP1", "WGTP2"],
    "icd chapters": ["patient", "I10", "E11", "J45"],
    "dotted": ["person.age", "person.sex", "person.address.zip"],
    "short": ["a", "b", "x1", "y"],
    "dates in words": ["start date", "end date", "day1", "day2"],
    "symbols": ["#", "age", "sex"],
    "dummies": ["id", "region_1", "region_2", "sex_m"],
}


def write(path: Path, rows: list[list[Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    return path


@st.composite
def people(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    """The names and the records of a table of people with at least one column that is not only words."""
    telling = draw(st.lists(st.sampled_from(TELLING), min_size=1, max_size=4, unique=True))
    words = draw(st.lists(st.sampled_from([*WORDS, "name"]), max_size=3, unique=True))
    names = draw(st.permutations([*telling, *words]))
    record = st.tuples(*((NAMES | WORDS)[name] for name in names)).map(list)
    return names, draw(st.lists(record, min_size=1, max_size=30))


@given(people())
def test_a_table_of_people_without_a_header_is_stopped_and_one_with_a_header_is_not(
    table: tuple[list[str], list[list[str]]],
) -> None:
    names, records = table
    with tempfile.TemporaryDirectory() as folder:
        bare = write(Path(folder) / "people.csv", records)
        with pytest.raises(BadFile) as stopped:
            read_frame(bare)
        assert not any(cell in str(stopped.value) for cell in records[0] if len(cell) > 4)
        assert "--no-header" in str(stopped.value)
        told = read_frame(bare, ReadOptions(header=False)).frame
        assert told.height == len(records)
        assert told.columns == [f"column_{place}" for place in range(1, len(names) + 1)]
        named = read_frame(write(Path(folder) / "named.csv", [names, *records])).frame
        assert named.columns == names
        assert named.equals(told.rename(dict(zip(told.columns, names, strict=True))), null_equal=True)


CELLS = {
    "numbers": ["17", "23", "5"],
    "words": ["red", "blue", "red"],
    "codes": ["A1", "B22", "C3"],
    "days": ["2019-01-01", "2020-05-31", "2021-12-24"],
}
ALIKE = {"medical", "icd chapters"}
"""Headers that hold codes, so that they are in doubt above codes."""


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        pytest.param(header, cells, id=f"{about}, {kind}")
        for about, header in TYPICAL.items()
        for kind, cells in CELLS.items()
        if not (about in ALIKE and kind == "codes")
    ],
)
def test_typical_headers_are_believed(tmp_path: Path, header: list[str], cells: list[str]) -> None:
    path = write(tmp_path / "people.csv", [header, *([cell] * len(header) for cell in cells)])
    assert read_frame(path).frame.columns == header


def test_years_days_and_age_groups_name_the_columns_of_a_wide_table(tmp_path: Path) -> None:
    for series in (
        ["2019", "2020", "2021"],
        ["1/22/20", "1/23/20", "1/24/20"],
        ["0-4", "5-9", "10-14", "65+"],
    ):
        header = ["country", "sex", *series]
        rows = [
            [f"land {row % 7}", "f", *(str(row * 31 + each) for each, _ in enumerate(series))]
            for row in range(40)
        ]
        assert read_frame(write(tmp_path / "wide.csv", [header, *rows])).frame.columns == header


@pytest.mark.parametrize(
    ("header", "cells", "places"),
    [
        (["name", "1984"], ["x", "1990"], [2]),
        (["2019", "2020"], ["7", "9"], [1, 2]),
        (["name", "2019", "2020"], ["x", "1991", "2001"], [2, 3]),
        (["name", "2019", "1850"], ["x", "7", "9"], [2, 3]),
        (["town", "12"], ["x", "y"], [2]),
        (["a@b.example", "town"], ["x", "y"], [1]),
        (["female", "Wien"], ["female", "Wien"], [1, 2]),
        (["P-17", "town"], ["P-4711", "x"], [1]),
        (["٣٤", "town"], ["17", "x"], [1]),
    ],
)
def test_which_names_are_in_doubt(header: list[str], cells: list[str], places: list[int]) -> None:
    frame = pl.DataFrame({name: pl.Series([cell] * 3) for name, cell in zip(header, cells, strict=True)})
    assert places_of_values(frame) == places


def test_a_name_that_recurs_is_believed_where_numbers_stand_under_words() -> None:
    answers = pl.DataFrame(
        {"age": [17, 23, 5], "Facebook": ["Facebook", None, "Facebook"], "Other": [None, None, "Other"]}
    )
    assert places_of_values(answers) == []
    categories = pl.DataFrame({"age": [17, 23], "other": ["other", "red"]})
    assert places_of_values(categories) == []
    assert places_of_values(categories.select("other")) == [1]
    assert places_of_values(pl.DataFrame({"NA": [17, 23], "f": ["f", "m"]})) == [2]


@pytest.mark.parametrize(
    "name", ["census.csv", "eia.csv", "adult.csv.gz", "miller_charles.csv", "rubenstein_goodenough.csv"]
)
def test_the_public_files_are_believed(name: str, reference_data: Path) -> None:
    assert read_frame(reference_data / name).frame.width > 2


def test_the_demo_is_believed(tmp_path: Path) -> None:
    frame = demo_people(200, seed=1)
    frame.write_csv(tmp_path / "demo.csv")
    assert read_frame(tmp_path / "demo.csv").frame.columns == frame.columns


def test_all_ways_of_saying_it_say_the_same(tmp_path: Path) -> None:
    path = write(
        tmp_path / "people.csv", [["Anna Ngo", "34", "f"], ["Bob Smith", "17", "m"], ["Eva Cruz", "55", "f"]]
    )
    with pytest.raises(NoHeader, match=r"2 of 3 column names look like values \(column 2, 3\)") as stopped:
        inspect(path)
    assert "34" not in str(stopped.value)
    with pytest.raises(NoHeader):
        dc.read(path, roles={}, rest="insensitive")
    table = dc.read(path, roles={}, rest="insensitive", header=False)
    assert len(table) == 3
    believed = dc.read(path, roles={}, rest="insensitive", header=True)
    assert believed.names == ("Anna Ngo", "34", "f")
    proposal = inspect(path, ReadOptions(header=False))
    assert "header = false" in proposal.to_toml()
    (tmp_path / "discreet.toml").write_text(proposal.to_toml(), encoding="utf-8")
    assert dc.read(path).names == ("column_1", "column_2", "column_3")
    project = Project.load(tmp_path / "discreet.toml")
    assert project.read.header is False
    assert project.to_dict()["read"]["header"] is False


def test_header_in_a_project_file_is_true_or_false(tmp_path: Path) -> None:
    (tmp_path / "discreet.toml").write_text('[read]\nheader = "no"\n', encoding="utf-8")
    with pytest.raises(BadParameter, match="line 2: header must be true or false"):
        Project.load(tmp_path / "discreet.toml")


def test_a_sheet_without_names_is_stopped_and_can_be_read(tmp_path: Path) -> None:
    frame = pl.DataFrame({"Anna": ["Bob", "Eva"], "34": [17, 55], "f": ["m", "f"]})
    table = dc.Table.of(frame, roles={}, rest="insensitive")
    write_frame(table.frame, table.columns, tmp_path / "people.xlsx")
    with pytest.raises(NoHeader, match=r"row 1: 2 of 3 column names"):
        read_frame(tmp_path / "people.xlsx")
    told = read_frame(tmp_path / "people.xlsx", ReadOptions(header=False)).frame
    assert told["column_1"].to_list() == ["Anna", "Bob", "Eva"]
    assert read_frame(tmp_path / "people.xlsx", ReadOptions(header=True)).frame.equals(frame)


def test_a_masked_file_beside_an_original_without_names_is_read_either_way(tmp_path: Path) -> None:
    records = [["Anna", "34"], ["Bob", "17"]]
    original = dc.read(write(tmp_path / "people.csv", records), roles={}, rest="insensitive", header=False)
    options = ReadOptions(header=False)
    bare = read_like(write(tmp_path / "bare.csv", records), original, options=options)
    named = read_like(
        write(tmp_path / "named.csv", [list(original.names), *records]), original, options=options
    )
    assert bare.names == named.names == original.names
    assert len(bare) == len(named) == 2


def test_a_bad_value_in_a_file_without_names_is_found_on_its_line(tmp_path: Path) -> None:
    path = write(tmp_path / "people.csv", [["Anna", "34"], ["Bob", "x"]])
    with pytest.raises(dc.errors.BadValues, match="line 2"):
        dc.read(path, roles={}, scales={"column_2": "numeric"}, rest="insensitive", header=False)
