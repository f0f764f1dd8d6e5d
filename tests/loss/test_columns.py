"""Which columns a loss compares: those that both tables hold on one scale."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest

from discreet import loss
from discreet.errors import NotComputable, UnknownColumn, WrongScale
from discreet.mask import recode_numbers
from discreet.results import Loss
from discreet.table import Table


@pytest.fixture
def original() -> Table:
    frame = pl.DataFrame({"age": [31, 45, 60, 72], "income": [10, 20, 20, 40]})
    return Table.of(frame, roles={}, rest="quasi-identifier")


@pytest.fixture
def banded(original: Table) -> Table:
    return recode_numbers(original, columns=["age"], cuts=[40.0, 65.0]).table


def test_a_column_that_became_intervals_is_left_out_by_default(original: Table, banded: Table) -> None:
    found = loss.il2(original, banded)
    assert found.loss == 0
    assert found.left_out == 1
    assert found.details["columns_left_out"] == ["age"]
    assert set(found.columns) == {"income"}


def test_a_column_that_became_intervals_is_refused_by_name(original: Table, banded: Table) -> None:
    with pytest.raises(WrongScale, match="column 'age' is ordinal"):
        loss.il2(original, banded, columns=["age"])


def test_a_column_that_is_gone_is_left_out_by_default_and_refused_by_name(original: Table) -> None:
    masked = original.without(["age"])
    assert loss.sse(original, masked).details["columns_left_out"] == ["age"]
    with pytest.raises(UnknownColumn):
        loss.sse(original, masked, columns=["age"])


def test_nothing_left_to_compare_is_an_error(original: Table) -> None:
    with pytest.raises(NotComputable, match="none of the 2 numeric quasi-identifiers"):
        loss.il(original, original.without(["age", "income"]))


def test_a_column_left_out_of_targets_and_predictors_is_named_once() -> None:
    values = {"age": [31, 45, 60, 72, 20], "income": [1, 2, 2, 4, 9], "rent": [3, 1, 4, 1, 5]}
    original = Table.of(pl.DataFrame(values), roles={}, rest="quasi-identifier")
    found = loss.regression(original, original.without(["age"]))
    assert found.details["columns_left_out"] == ["age"]
    assert found.left_out == 1


@pytest.mark.parametrize("measure", [loss.il, loss.il2, loss.il4, loss.pil, loss.sse])
def test_cells_that_were_blanked_are_counted(
    measure: Callable[[Table, Table], Loss], original: Table
) -> None:
    masked = original.with_values({"age": pl.Series([31, 45, None, None])})
    assert measure(original, masked).details["cells_blanked"] == 2
    assert "cells_blanked" not in measure(original, original).details
