"""No cell of a published CSV file is run by a spreadsheet, and discreet itself sees the values as they are."""

from __future__ import annotations

import csv
import json
import tempfile
import zipfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.project import Project
from discreet.reading.formulas import quoted, unquoted
from discreet.reading.read_like import read_like
from discreet.writing import reread, write_frame

RUNS = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝1+1",
    "--1",
    "- x",
]
HARMLESS = [
    "",
    "plain",
    "-5",
    "+5",
    "-0.5",
    "-1,5",
    "-1e-3",
    "+5%",
    "-",
    "a=b",
    "'plain",
    "5-3",
    " =1",
    "1@2",
]
CELLS = st.lists(st.text("'=+-@\t\r\n＝5.ex", max_size=6) | st.sampled_from(RUNS + HARMLESS), min_size=1)


@pytest.mark.parametrize("text", RUNS)
def test_what_a_spreadsheet_runs_gets_an_apostrophe(text: str) -> None:
    assert quoted(pl.Series([text])).item() == "'" + text


@pytest.mark.parametrize("text", HARMLESS)
def test_what_it_does_not_run_is_left_alone(text: str) -> None:
    assert quoted(pl.Series([text])).item() == text


@given(CELLS)
def test_every_text_is_given_back(texts: list[str]) -> None:
    given_texts = pl.Series("texts", [*texts, None], dtype=pl.String)
    marked = quoted(given_texts)
    assert unquoted(marked).equals(given_texts, null_equal=True)
    assert marked.name == "texts"
    assert marked.n_unique() == given_texts.n_unique()
    assert not any(each.startswith(("=", "@", "\t", "\r", "\n", "＝")) for each in marked.drop_nulls())


@given(CELLS)
def test_a_published_file_reads_back_as_it_was_and_a_stranger_meets_no_formula(texts: list[str]) -> None:
    frame = pl.DataFrame({"=name": texts, "n": [-5] * len(texts)})
    table = dc.Table.of(frame, roles={}, rest="insensitive")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        write_frame(table.frame, table.columns, path, spreadsheet_safe=True)
        assert reread(path, frame, formulas_quoted=True).equals(frame)
        with path.open(newline="", encoding="utf-8") as file:
            names, *rows = csv.reader(file)
    assert names == ["'=name", "n"]
    assert all(row[1] == "-5" for row in rows)
    assert not any(row[0].startswith(("=", "@")) for row in rows)


def release() -> tuple[dc.Table, dc.Release]:
    towns = ["=evil()", "@home", "-5", "plain", "'=odd"] * 8
    frame = pl.DataFrame({"town": towns, "age": [20 + place % 7 for place in range(40)]})
    table = dc.Table.of(frame, roles={}, rest="quasi-identifier")
    return table, dc.protect(table, dc.Plan.of([("add_noise", {"columns": ["age"]})]), seed=7)


def test_the_release_is_safe_unless_asked_otherwise_and_says_so(tmp_path: Path) -> None:
    table, masked = release()
    safe = masked.save(tmp_path / "safe", file="people.csv")
    plain = masked.save(tmp_path / "plain", file="people.csv", spreadsheet_safe=False)
    assert "\n'=evil()," in (safe / "public" / "people.csv").read_text()
    assert "\n=evil()," in (plain / "public" / "people.csv").read_text()
    for folder, told in ((safe, True), (plain, None)):
        said = json.loads((folder / "public" / "manifest.json").read_text())
        assert said["file"].get("formulas_quoted") is told
        assert dc.Release.load(folder).table.frame["town"].equals(table.frame["town"])


def test_attacks_find_as_many_with_the_apostrophes_as_without(tmp_path: Path) -> None:
    table, masked = release()
    folder = masked.save(tmp_path / "safe", file="people.csv")
    loaded = dc.Release.load(folder)
    without = dc.assess(table, masked, attacks=["link"], losses=[]).risks[0].risk
    assert dc.assess(table, loaded, attacks=["link"], losses=[]).risks[0].risk == without
    alone = tmp_path / "alone.csv"
    alone.write_bytes((folder / "public" / "people.csv").read_bytes())
    foreign = read_like(alone, table)
    assert sorted(foreign.frame["town"]) == sorted(table.frame["town"])


def test_a_workbook_holds_texts_and_no_formula(tmp_path: Path) -> None:
    table = dc.Table.of(
        pl.DataFrame({"name": [*RUNS, "{=1}", "https://x.example"]}), roles={}, rest="insensitive"
    )
    write_frame(table.frame, table.columns, tmp_path / "people.xlsx")
    with zipfile.ZipFile(tmp_path / "people.xlsx") as book:
        sheet = book.read("xl/worksheets/sheet1.xml")
    assert b"<f>" not in sheet
    assert b"hyperlink" not in sheet


def test_the_project_file_can_turn_it_off(tmp_path: Path) -> None:
    place = tmp_path / "discreet.toml"
    place.write_text("[release]\nspreadsheet_safe = false\n", encoding="utf-8")
    project = Project.load(place)
    assert project.release.spreadsheet_safe is False
    assert project.to_dict()["release"]["spreadsheet_safe"] is False
    place.write_text("", encoding="utf-8")
    assert Project.load(place).release.spreadsheet_safe
