from __future__ import annotations

from itertools import product

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import Unreachable
from discreet.mask import suppress
from discreet.table import Table

CELL = st.one_of(st.none(), st.sampled_from(["a", "b", "c"]))


def table_of(rows: list[tuple[str | None, ...]]) -> Table:
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


def fewest_cells(rows: list[tuple[str | None, ...]], k: int) -> int:
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
        if all(fresh.count(row) >= k for row in fresh):
            best = sum(chosen)
    return best


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("ab")), min_size=2, max_size=5))
def test_suppression_is_near_the_fewest_cells_on_small_tables(rows: list[tuple[str, ...]]) -> None:
    found = suppress(table_of(list(rows)), k=2).facts["suppressed_cells"]
    assert fewest_cells(list(rows), 2) <= found <= 2 * fewest_cells(list(rows), 2) + 1


def test_one_cell_is_enough_where_one_column_is_odd() -> None:
    masked = suppress(table_of([("a", "x"), ("a", "x"), ("a", "x"), ("a", "y"), ("a", "z"), ("a", "w")]), k=3)
    assert masked.facts["suppressed_cells"] == 3
    assert masked.facts["by_column"] == {"v0": 0, "v1": 3}


def test_nothing_is_suppressed_where_nobody_stands_out() -> None:
    assert suppress(table_of([("a", "x")] * 3), k=3).facts["suppressed_cells"] == 0


def test_k_larger_than_the_file_is_unreachable() -> None:
    with pytest.raises(Unreachable, match="k=5 needs at least 5 records"):
        suppress(table_of([("a",)]), k=5)
