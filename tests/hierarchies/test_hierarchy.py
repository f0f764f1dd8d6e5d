"""Hierarchies that are built: nested, over all values, with round bounds, and read back by the masks as written."""

from __future__ import annotations

import itertools
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.bands import read_band
from discreet.errors import (
    BadFile,
    BadParameter,
    BadValues,
    DiscreetError,
    UnknownColumn,
    Unreachable,
    WrongScale,
)
from discreet.hierarchies.building import BUILDERS, WAYS
from discreet.mask.hierarchies import hierarchies_of
from discreet.ontology.columns import Interpretation
from discreet.table import Scale, Table

NUMBERS = st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6) | st.sampled_from([0.1, 0.3, -0.0, 1e-9, 1e12])
DAYS = st.dates(date(1, 1, 1), date(9999, 12, 31))
WORDS = st.text("abAB *-.;\"',0129é", min_size=1, max_size=5).filter(lambda text: text == text.strip())


def table_of(values: list[Any], scale: str | None = None) -> Table:
    frame = pl.DataFrame({"x": pl.Series(values, strict=False)})
    scales = {} if scale is None else {"x": scale}
    return Table.of(frame, roles={"x": "quasi-identifier"}, scales=scales)


def tables() -> st.SearchStrategy[Table]:
    lists = [(st.integers(-500, 500), None), (NUMBERS.map(float), None), (DAYS, None), (WORDS, "nominal")]
    return st.one_of(
        *[
            st.lists(value | st.none(), min_size=2, max_size=30)
            .filter(lambda values: any(value is not None for value in values))
            .map(lambda values, scale=scale: table_of(values, scale))  # type: ignore[misc]
            for value, scale in lists
        ]
    )


def built(table: Table) -> dc.ValueHierarchy | None:
    """The hierarchy, or None where the values cannot stand in a file, which is an error by name."""
    try:
        return dc.hierarchy(table, "x")
    except BadValues:
        return None


@given(tables())
def test_every_level_is_a_coarsening_of_the_one_before_and_all_values_are_there(table: Table) -> None:
    made = built(table)
    if made is None:
        return
    assert len({row[0] for row in made.rows}) == len(made.rows) == table.frame["x"].drop_nulls().n_unique()
    assert sum(made.records) == len(table) - table.frame["x"].null_count()
    for level in range(1, len(made.names)):
        below, above = made.mapping(level - 1), made.mapping(level)
        pairs = {(below[value], above[value]) for value in below}
        assert len({low for low, _ in pairs}) == len(pairs)
    assert len({row[-1] for row in made.rows}) == 1
    groups = [each.groups for each in made.levels]
    assert groups == sorted(groups, reverse=True)


@given(table=tables(), k=st.integers(2, 4))
def test_masks_take_it_as_it_stands_in_its_file(
    tmp_path_factory: pytest.TempPathFactory, table: Table, k: int
) -> None:
    made = built(table)
    if made is None or len(table) < k:
        return
    file = tmp_path_factory.mktemp("h") / "x.csv"
    made.save(file)
    again = dc.ValueHierarchy.read(
        file, column="x", records=dict(zip(_values(made), made.records, strict=True))
    )
    assert again.rows == made.rows
    known = Table.of(
        table.frame,
        roles={"x": "quasi-identifier"},
        scales={"x": str(table["x"].scale)},
        ontologies={"x": str(file)},
    )
    tree = hierarchies_of(known, ["x"], Interpretation(measured=False))[0]
    for level in range(len(made.names)):
        texts = {tree.labels[node] for node in tree.at(level)[tree.codes[tree.codes >= 0]]}
        assert texts == {row[level] for row, count in zip(made.rows, made.records, strict=True) if count}
    for method in (dc.mask.generalise, dc.mask.generalise_locally, dc.mask.mondrian):
        try:
            masked = method(known, columns=["x"], k=k)
        except Unreachable:
            # Where values are missing, what has one may be too few.
            assert table.frame["x"].null_count() > 0
            continue
        for guarantee in masked.guarantees:
            guarantee.check(masked.table)
        texts = set(masked.table.frame["x"].cast(pl.String).drop_nulls())
        published = {text for row in made.rows for text in row} | set(
            known.frame["x"].cast(pl.String).drop_nulls()
        )
        assert texts <= published


def _values(made: dc.ValueHierarchy) -> list[str]:
    return [row[0] for row in made.rows]


@given(
    values=st.lists(NUMBERS, min_size=2, max_size=40),
    widths=st.lists(st.sampled_from([2, 5, 10]), min_size=1, max_size=3),
    ends=st.none() | st.tuples(st.integers(-100, 0), st.integers(1, 100)),
)
def test_bands_hold_their_numbers_and_begin_at_multiples_of_their_width(
    values: list[float], widths: list[int], ends: tuple[int, int] | None
) -> None:
    table = table_of([float(value) for value in values])
    steps = list(itertools.accumulate(widths, lambda one, other: one * other))
    bottom, top = ends or (None, None)
    made = dc.hierarchy(table, "x", by="widths", steps=steps, bottom=bottom, top=top)
    kind = pl.Float64()
    for row in made.rows:
        number = float(row[0])
        for name, text in zip(made.names[1:-1], row[1:-1], strict=True):
            band = read_band(text, kind)
            assert band is not None
            assert band.low <= number <= band.high
            if band.low > float("-inf") and band.low not in (bottom, top):
                assert band.low % float(name.removeprefix("bands of ")) == 0


@given(st.lists(DAYS, min_size=1, max_size=20))
def test_periods_hold_their_days(days: list[date]) -> None:
    made = dc.hierarchy(table_of(days), "x", steps=["month", "quarter", "year", "decade"])
    for row in made.rows:
        day = (date.fromisoformat(row[0]) - date(1970, 1, 1)).days
        for text in row[1:-1]:
            band = read_band(text, pl.Date())
            assert band is not None
            assert band.low <= day <= band.high


def test_ages_have_the_bands_and_the_open_end_that_were_asked_for() -> None:
    made = dc.hierarchy(table_of([0, 17, 18, 44, 89, 101, None]), "x", steps=[5, 10], bottom=10, top=85)
    assert made.rows[:3] == (
        ("0", "< 10", "< 10", "*"),
        ("17", "[15, 20)", "[10, 20)", "*"),
        ("18", "[15, 20)", "[10, 20)", "*"),
    )
    assert made.rows[-1] == ("101", ">= 85", ">= 85", "*")
    assert [each.groups for each in made.levels] == [6, 4, 4, 1]
    assert made.levels[1].to_dict() == {
        "level": 1, "what": "bands of 5", "groups": 4, "smallest": 1, "largest": 2,
    }  # fmt: skip


def test_an_open_end_is_that_from_the_first_level_on_wherever_a_mask_uses_it(tmp_path: Path) -> None:
    values = [17, 18, 25, 27, 31, 38]
    made = dc.hierarchy(table_of(values), "x", steps=[5, 10], bottom=20)
    made.save(tmp_path / "x.csv")
    known = Table.of(
        pl.DataFrame({"x": values}),
        roles={"x": "quasi-identifier"},
        ontologies={"x": str(tmp_path / "x.csv")},
    )
    tree = hierarchies_of(known, ["x"], Interpretation(measured=False))[0]
    assert [tree.labels[node] for node in tree.at(1)[:2]] == ["< 20", "< 20"]


def test_codes_are_cut_and_icd_codes_know_their_chapters() -> None:
    places = dc.hierarchy(table_of(["28001", "28002", "08001"], "nominal"), "x", steps=[2])
    assert places.mapping(1) == {"08001": "08*", "28001": "28*", "28002": "28*"}
    regions = dc.hierarchy(table_of(["DE212", "DE21H", "AT13"], "nominal"), "x", by="nuts")
    assert regions.mapping(2) == {"AT13": "AT1", "DE212": "DE2", "DE21H": "DE2"}
    assert dc.hierarchy(table_of(["DE212", "DE21H", "FRK2"], "nominal"), "x").mapping(3)["FRK2"] == "FR"
    jobs = dc.hierarchy(table_of(["2512", "2521"], "nominal"), "x", by="isco")
    assert jobs.mapping(2) == {"2512": "25", "2521": "25"}
    illnesses = dc.hierarchy(table_of(["E11.9", "E10", "C50"], "nominal"), "x")
    assert illnesses.mapping(1)["E11.9"] == "E11"
    assert illnesses.mapping(2) == {"C50": "C00-D49", "E10": "E00-E90", "E11.9": "E00-E90"}


def test_rare_categories_are_joined_and_the_rarer_first() -> None:
    values = ["a"] * 90 + ["b"] * 4 + ["c"] * 3 + ["d"] * 2 + ["e"]
    made = dc.hierarchy(table_of(values, "nominal"), "x", by="frequency", steps=[0.03, 0.05])
    assert made.mapping(1) == {
        "a": "a", "b": "b", "c": "c", "d": "(rarer than 3%)", "e": "(rarer than 3%)",
    }  # fmt: skip
    assert set(made.mapping(2).values()) == {"a", "(rarer than 5%)"}


def test_neighbours_in_an_order_are_joined_also_those_that_nobody_has() -> None:
    frame = pl.DataFrame({"x": ["low", "high"]})
    table = Table.of(frame, roles={"x": "quasi-identifier"}, orders={"x": ["low", "middle", "high", "top"]})
    made = dc.hierarchy(table, "x")
    assert made.mapping(1) == {
        "low": "low to middle", "middle": "low to middle", "high": "high to top", "top": "high to top",
    }  # fmt: skip
    assert made.records == (1, 0, 1, 0)


def test_an_ontology_joins_as_it_has_the_concepts(tmp_path: Path) -> None:
    (tmp_path / "towns.csv").write_text("Paris;France;Europe\nLyon;France;Europe\nRome;Italy;Europe\n")
    made = dc.hierarchy(
        table_of(["Paris", "Lyon", "Rome"], "nominal"), "x", ontology=str(tmp_path / "towns.csv")
    )
    assert made.mapping(1) == {"Lyon": "France", "Paris": "France", "Rome": "Italy"}
    assert made.names[-1] == "everything"


@pytest.mark.parametrize(
    ("values", "options", "error", "words"),
    [
        ([1, 2], {"steps": [5, 12]}, BadParameter, "multiple of the one before"),
        ([1, 2], {"steps": ["wide"]}, BadParameter, "must be numbers"),
        ([1, 2], {"by": "width"}, BadParameter, "Did you mean 'widths'"),
        ([1, 2], {"by": "periods"}, WrongScale, "needs days"),
        ([1, 2], {"bottom": 5, "top": 5}, BadParameter, "bottom must be below top"),
        ([1.0, float("inf")], {}, BadValues, "infinite"),
        ([None, None], {"by": "frequency"}, BadValues, "no values"),
        (["a", "b"], {"by": "widths"}, WrongScale, "needs numbers"),
        (["a", "b"], {"top": 5}, BadParameter, "numbers and days"),
        (["a", "b"], {"by": "frequency", "steps": [0.5, 0.1]}, BadParameter, "shares must rise"),
        (["a", "b"], {"by": "prefix", "steps": [1, 2]}, BadParameter, "must fall"),
        (["a", "b"], {"by": "neighbours"}, WrongScale, "needs an order"),
        (["a", "b"], {"by": "icd"}, WrongScale, "needs codes"),
        (["a", "b"], {"by": "ontology"}, BadParameter, "has no ontology"),
        (["a", "b"], {"by": "prefix", "ontology": "wordnet"}, BadParameter, "an ontology is given"),
        (["a\nb", "c"], {}, BadValues, "break a line"),
        ([date(1967, 1, 1)], {"steps": ["year", "month"]}, BadParameter, "in this order"),
        ([date(1967, 1, 1)], {"top": "late"}, BadParameter, "1930-07"),
    ],
)
def test_what_cannot_be_built_is_said(
    values: list[Any], options: dict[str, Any], error: type[DiscreetError], words: str
) -> None:
    scale = "nominal" if isinstance(values[0], str) else None
    with pytest.raises(error, match=words):
        dc.hierarchy(table_of(values, scale), "x", **options)


def test_an_unknown_column_is_said() -> None:
    with pytest.raises(UnknownColumn):
        dc.hierarchy(table_of([1, 2]), "y")


def test_every_way_is_built() -> None:
    assert set(BUILDERS) == set(WAYS)


BROKEN = {
    "a row that is short": ("a;A;*\nb;*\n", "line 2: expected 3 texts"),
    "a value twice": ("a;A;*\na;B;*\n", "line 2: this value stands there a second time"),
    "a level that parts what was joined": ("a;A;X\nb;A;Y\n", "level 2 tells values apart"),
    "an empty cell": ("a;;*\n", "line 1"),
    "nothing": ("\n", "has no rows"),
}


@pytest.mark.parametrize(("text", "words"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_is_no_hierarchy_is_refused_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "h.csv").write_text(text)
    with pytest.raises(BadFile, match=words):
        dc.ValueHierarchy.read(tmp_path / "h.csv")


def test_a_row_of_names_in_a_file_of_levels_is_no_value(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("Town;level 1\na;*\n")
    with pytest.raises(BadFile, match="line 1: a row of names"):
        dc.ValueHierarchy.read(tmp_path / "h.csv", column="town", records={"a": 1})
    found = dc.ValueHierarchy.read(tmp_path / "h.csv", column="town", records={"a": 1, "Town": 2})
    assert found.mapping(1) == {"Town": "level 1", "a": "*"}


def test_values_that_a_file_lacks_are_counted_and_not_named(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("a;*\n")
    with pytest.raises(BadValues, match=r"lacks 1 of the 2 values") as refused:
        dc.ValueHierarchy.read(tmp_path / "h.csv", column="x", records={"a": 1, "secret": 1})
    assert "secret" not in str(refused.value)


def test_the_tree_shows_what_stays_the_same_once() -> None:
    made = dc.hierarchy(table_of([17, 25, 27]), "x", steps=[5, 10], bottom=20)
    assert list(made.lines(1)) == [
        (0, "*", 3, 3),
        (1, "< 20", 1, 1),
        (1, "[20, 30)", 2, 2),
        (2, "[25, 30)", 2, 2),
    ]


@pytest.mark.parametrize(("level", "towns"), [(1, ["France", "Italy", "France"]), (2, ["*", "*", "*"])])
def test_recode_brings_a_column_to_a_level(tmp_path: Path, level: int, towns: list[str]) -> None:
    (tmp_path / "h.csv").write_text("Paris;France;*\nLyon;France;*\nRome;Italy;*\n")
    table = Table.of(
        pl.DataFrame({"x": ["Paris", "Rome", "Lyon", None]}),
        roles={"x": "quasi-identifier"},
        ontologies={"x": str(tmp_path / "h.csv")},
    )
    masked = dc.mask.recode(table, columns=["x"], level=level)
    assert masked.table.frame["x"].to_list() == [*towns, None]
    assert masked.table["x"].scale == Scale.NOMINAL
    with pytest.raises(BadParameter, match="has 2 levels; got level 3"):
        dc.mask.recode(table, columns=["x"], level=3)
    with pytest.raises(BadParameter, match="has no hierarchy"):
        dc.mask.recode(table_of(["a", "b"], "nominal"), columns=["x"], level=1)


CODES = {
    "postcodes": "28001;28*;*\n28002;28*;*\n",
    "postcodes, star by star": "81667;8166*;816**;*****\n81675;8167*;816**;*****\n81925;8192*;819**;*****\n",
    "ISCO": "2512;251;25;*\n2521;252;25;*\n",
    "ICD": "E11.9;E11;E00-E90\nE10;E10;E00-E90\nE11;E11;E00-E90\n",
}


@pytest.mark.parametrize("text", CODES.values(), ids=CODES)
def test_levels_of_codes_are_not_taken_for_a_table_of_icd_titles(tmp_path: Path, text: str) -> None:
    (tmp_path / "h.csv").write_text(text)
    known = dc.ontology.read(tmp_path / "h.csv", cache=False)
    first = text.split("\n")[0].split(";")
    assert [known.labels[each] for each in known.find(first[1])] == [first[1]]


def test_a_number_is_not_found_by_another_sign(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("5;*\n10;*\n")
    known = dc.ontology.read(tmp_path / "h.csv", cache=False)
    assert len(known.find("-5")) == 0
    assert len(known.find("5")) == 1


def test_levels_of_generalise_are_the_columns_of_the_file_also_where_one_joins_nothing(
    tmp_path: Path,
) -> None:
    (tmp_path / "h.csv").write_text("11;1.;low;*\n22;2.;low;*\n33;3.;high;*\n44;4.;high;*\n")
    table = Table.of(
        pl.DataFrame({"x": ["11", "22", "33", "44"]}),
        roles={"x": "quasi-identifier"},
        ontologies={"x": str(tmp_path / "h.csv")},
    )
    masked = dc.mask.generalise(table, columns=["x"], k=2)
    assert masked.facts["levels"] == {"x": 2}
    assert masked.table.frame["x"].to_list() == ["low", "low", "high", "high"]
    assert dc.mask.generalise(table, columns=["x"], k=2, highest=2).facts["levels"] == {"x": 2}
    with pytest.raises(Unreachable, match="up to level 1"):
        dc.mask.generalise(table, columns=["x"], k=2, highest=1)
