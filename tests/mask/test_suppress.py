from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import Unreachable
from discreet.guarantees import KMatched
from discreet.mask import column_choices, suppress
from discreet.table import Table

CELL = st.one_of(st.none(), st.sampled_from(["a", "b", "c"]))


def table_of(rows: Sequence[tuple[str | None, ...]]) -> Table:
    names = [f"v{j}" for j in range(len(rows[0]))]
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    return Table.of(frame, roles={}, rest="quasi-identifier")


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=4, max_size=40), st.integers(2, 4))
def test_every_combination_is_shared_by_k(rows: list[tuple[str | None, ...]], k: int) -> None:
    table = table_of(rows)
    masked = suppress(table, k=k).table.frame
    assert masked.group_by(masked.columns).len()["len"].min() >= k  # type: ignore[operator]
    for name in masked.columns:
        kept = masked[name].is_not_null()
        assert masked[name].filter(kept).equals(table.frame[name].filter(kept))


def matches(rows: list[tuple[str | None, ...]]) -> list[int]:
    """How many records agree with each wherever neither is missing."""
    return [
        sum(all(a is None or b is None or a == b for a, b in zip(one, other, strict=True)) for other in rows)
        for one in rows
    ]


def fewest_cells(rows: list[tuple[str | None, ...]], k: int, missing: str) -> int:
    """The least number of cells to suppress, by trying every choice."""
    cells = [(i, j) for i, row in enumerate(rows) for j, value in enumerate(row) if value is not None]
    best = len(cells)
    for chosen in product((False, True), repeat=len(cells)):
        if sum(chosen) >= best:
            continue
        gone = {cell for cell, taken in zip(cells, chosen, strict=True) if taken}
        fresh = [
            tuple(None if (i, j) in gone else value for j, value in enumerate(row))
            for i, row in enumerate(rows)
        ]
        alike = matches(fresh) if missing == "any" else [fresh.count(row) for row in fresh]
        if min(alike) >= k:
            best = sum(chosen)
    return best


@pytest.mark.parametrize("missing", ["own", "any"])
@given(rows=st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("ab")), min_size=2, max_size=5))
@settings(max_examples=50)
def test_suppression_is_near_the_fewest_cells_on_small_tables(
    rows: list[tuple[str, ...]], missing: str
) -> None:
    found = suppress(table_of(list(rows)), k=2, missing=missing).facts["suppressed_cells"]
    least = fewest_cells(list(rows), 2, missing)
    assert least <= found <= 2 * least + 1


FEW_CHOICES: dict[str, Any] = {"MOST": 0, "MOST_IN_ALL": 0}
"""No set of columns is tried but the likely ones, as in files of many columns."""


@pytest.mark.parametrize(
    ("missing", "tried", "share"),
    [
        ("own", {"MOST": 130}, 1.02),
        ("own", FEW_CHOICES, 1.02),
        ("any", {"MOST": 130}, 1.18),
        ("any", FEW_CHOICES, 1.3),
    ],
)
def test_suppression_takes_few_cells_more_than_the_fewest_on_the_whole(
    missing: str, tried: dict[str, Any], share: float
) -> None:
    generator = np.random.default_rng(7)
    found, least = 0, 0
    for _ in range(60):
        size, width = (5, 2) if generator.random() < 0.5 else (4, 3)
        rows = [tuple(map(str, row)) for row in generator.integers(0, 3, (size, width)).tolist()]
        k = int(generator.integers(2, 4))
        with patch.multiple(column_choices, **tried):
            found += int(suppress(table_of(list(rows)), k=k, missing=missing).facts["suppressed_cells"])
        least += fewest_cells(list(rows), k, missing)
    assert least <= found <= share * least


@pytest.mark.parametrize(
    ("missing", "tried", "cells"),
    [
        ("own", {"MOST": 130}, [68, 217, 685, 646]),
        ("own", FEW_CHOICES, [78, 223, 693, 671]),
        ("any", {"MOST": 130}, [32, 103, 452, 467]),
        ("any", FEW_CHOICES, [32, 103, 459, 467]),
    ],
)
def test_no_more_cells_of_larger_tables_are_taken_than_were_before(
    missing: str, tried: dict[str, Any], cells: list[int]
) -> None:
    generator = np.random.default_rng(11)
    for (records, width, values), most in zip(
        ((60, 4, 3), (200, 5, 3), (300, 6, 4), (100, 12, 3)), cells, strict=True
    ):
        codes = generator.integers(0, values, (records, width))
        table = table_of([tuple(map(str, row)) for row in codes.tolist()])
        with patch.multiple(column_choices, **tried):
            assert suppress(table, k=3, missing=missing).facts["suppressed_cells"] <= most


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=4, max_size=40), st.integers(2, 4))
def test_with_missing_any_every_record_has_k_matches(rows: list[tuple[str | None, ...]], k: int) -> None:
    table = table_of(rows)
    done = suppress(table, k=k, missing="any")
    masked = done.table.frame
    assert min(matches(masked.rows())) >= k
    for name in masked.columns:
        kept = masked[name].is_not_null()
        assert masked[name].filter(kept).equals(table.frame[name].filter(kept))
    for guarantee in done.guarantees:
        guarantee.check(done.table)


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=4, max_size=25), st.integers(2, 4))
def test_the_guarantee_of_matches_counts_as_brute_force_does(
    rows: list[tuple[str | None, ...]], k: int
) -> None:
    below = sum(count < k for count in matches(rows))
    fault = KMatched(columns=("v0", "v1", "v2"), k=k).fault(table_of(rows))
    assert fault == (f"{below} records with fewer matches" if below else "")


def test_with_missing_any_a_record_that_another_helps_keeps_its_cells() -> None:
    table = table_of([("a", "x"), ("a", "y")])
    assert suppress(table, k=2, missing="any").facts["suppressed_cells"] == 1
    assert suppress(table, k=2).facts["suppressed_cells"] == 2


def test_records_above_k_are_lent_rather_than_more_cells_taken() -> None:
    table = table_of([("a", "x", "p")] * 5 + [("a", "x", "q")] * 2)
    done = suppress(table, k=3)
    assert done.facts["suppressed_cells"] == 3
    assert done.facts["by_column"] == {"v0": 0, "v1": 0, "v2": 3}


def test_a_hundred_combinations_of_columns_are_no_hindrance() -> None:
    generator = np.random.default_rng(3)
    rows = [tuple(map(str, row)) for row in generator.integers(0, 4, (400, 7)).tolist()]
    masked = suppress(table_of(list(rows)), k=3).table.frame
    assert masked.group_by(masked.columns).len()["len"].min() >= 3  # type: ignore[operator]


@pytest.mark.parametrize("missing", ["own", "any"])
def test_sixteen_columns_are_no_hindrance(missing: str) -> None:
    generator = np.random.default_rng(3)
    rows = [tuple(map(str, row)) for row in generator.integers(0, 3, (60, 16)).tolist()]
    masked = suppress(table_of(list(rows)), k=3, missing=missing).table.frame
    alike = (
        matches(masked.rows()) if missing == "any" else [masked.rows().count(row) for row in masked.rows()]
    )
    assert min(alike) >= 3
    assert masked.null_count().sum_horizontal().item() < 60 * 16


@given(st.lists(st.tuples(CELL, CELL), min_size=3, max_size=5), st.integers(2, 3))
@settings(max_examples=60)
def test_no_suppression_does_with_fewer_cells_than_are_said_to_be_needed(
    rows: list[tuple[str | None, ...]], k: int
) -> None:
    facts = suppress(table_of(rows), k=k).facts
    assert facts["cells_needed_at_least"] <= fewest_cells(rows, k, "own") <= facts["suppressed_cells"]


def test_beyond_the_sets_of_columns_tried_the_cells_needed_are_a_lower_bound_still() -> None:
    with patch.object(column_choices, "MOST", 2):
        facts = suppress(table_of([tuple("abcd"), tuple("efgh"), tuple("ijkl")]), k=3).facts
    assert 0 < facts["cells_needed_at_least"] <= facts["suppressed_cells"] == 12


def test_the_cells_needed_are_counted_for_each_record_alone() -> None:
    facts = suppress(
        table_of([("a", "x", "p")] * 2 + [("a", "x", "q"), ("b", "y", "r"), ("b", "y", "s")]), k=2
    ).facts
    assert facts["cells_needed_at_least"] == 3
    assert facts["suppressed_cells"] == 5


def test_one_cell_is_enough_where_one_column_is_odd() -> None:
    masked = suppress(table_of([("a", "x"), ("a", "x"), ("a", "x"), ("a", "y"), ("a", "z"), ("a", "w")]), k=3)
    assert masked.facts["suppressed_cells"] == 3
    assert masked.facts["by_column"] == {"v0": 0, "v1": 3}


def test_nothing_is_suppressed_where_nobody_stands_out() -> None:
    assert suppress(table_of([("a", "x")] * 3), k=3).facts["suppressed_cells"] == 0


def test_k_larger_than_the_file_is_unreachable() -> None:
    with pytest.raises(Unreachable, match="k=5 needs at least 5 records"):
        suppress(table_of([("a",)]), k=5)
