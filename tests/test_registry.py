from __future__ import annotations

from typing import Annotated, Any

import polars as pl
import pytest

from discreet import registry
from discreet.errors import BadParameter, BadTable, UnknownColumn, UnknownMethod, UnknownParameter, WrongScale
from discreet.mask import microaggregate, pram, resample
from discreet.parameters import (
    Choice,
    ColumnsKind,
    Flag,
    Groups,
    Kind,
    Numbers,
    Pairs,
    Real,
    Whole,
    Word,
    Words,
)
from discreet.plan import Plan
from discreet.registry import find, methods
from discreet.results import Masked
from discreet.table import Table


@pytest.fixture
def table() -> Table:
    return Table.of(
        pl.DataFrame({"age": [1, 2, 3, 4], "job": ["a", "b", "a", "b"], "id": ["w", "x", "y", "z"]}),
        roles={"age": "quasi-identifier", "job": "quasi-identifier", "id": "identifier"},
    )


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (Whole(about="", at_least=2, at_most=5), [2, 5], [1, 6, 2.0, True, "3", None]),
        (Real(about="", above=0, at_most=1), [0.1, 1], [0, 1.1, float("nan"), float("inf"), "1", True]),
        (Real(about="", at_least=0, below=1), [0, 0.5], [-1, 1]),
        (Choice(about="", among=("a", "b")), ["a"], ["c", 1, None]),
        (Flag(about=""), [True, False], [1, "yes"]),
        (Word(about=""), ["x"], ["", 1]),
        (Words(about=""), [["a"], []], ["a", [1]]),
        (Numbers(about="", rising=True), [[1, 2.5]], [[2, 1], [], "12", [True]]),
        (Groups(about=""), [[["a"], ["b"]]], [["a"], [[]], "a"]),
        (Pairs(about=""), [{"a": "b"}], [{"a": 1}, ["a"]]),
        (ColumnsKind(about=""), [["a"]], ["a", [], [1]]),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Kind) else "",
)
def test_kinds_accept_what_they_want_and_nothing_else(
    kind: Kind, good: list[object], bad: list[object]
) -> None:
    assert all(kind.accepts(value) for value in good)
    assert not any(kind.accepts(value) for value in bad)
    assert kind.wants()


def test_errors_say_what_to_do(table: Table) -> None:
    with pytest.raises(BadParameter, match="microaggregate: k must be a whole number of at least 2; got 1"):
        microaggregate(table, k=1)
    with pytest.raises(UnknownColumn, match=r"no column 'agee'\. Did you mean 'age'"):
        microaggregate(table, columns=["agee"])
    with pytest.raises(
        WrongScale, match="column 'job' is nominal; the method has a meaning for numeric, ordinal"
    ):
        resample(table, columns=["job"])
    with pytest.raises(BadTable, match="'id' is an identifier"):
        pram(table, columns=["id"])
    with pytest.raises(BadParameter, match="'age' named more than once"):
        microaggregate(table, columns=["age", "age"])
    with pytest.raises(BadTable, match="must be a Table"):
        microaggregate(table.frame)  # type: ignore[arg-type]
    with pytest.raises(BadTable, match="has no numeric and ordinal quasi-identifiers"):
        microaggregate(table.without(["age"]))
    with pytest.raises(UnknownMethod, match="Did you mean 'microaggregate'"):
        find("mask", "microagregate")


FACTS: dict[str, Any] = {
    "family": "x",
    "title": "Nothing",
    "meaning": "nothing happens",
    "scales": registry.NUMERIC,
    "missing": "none",
    "tells": registry.Tells("nothing"),
    "splits": registry.Split.ROWS,
}


def test_a_mask_may_not_call_a_parameter_method() -> None:
    with pytest.raises(TypeError, match="call the parameter 'variant'"):

        @registry.mask(**FACTS)
        def wrong(table: Table, *, method: Annotated[bool, Flag(about="")] = True) -> Masked:
            return Masked(table=table)


def test_a_parameter_without_a_kind_is_a_mistake_of_ours() -> None:
    with pytest.raises(TypeError, match="does not declare its kind"):

        @registry.mask(**FACTS)
        def wrong(table: Table, *, k: int = 3) -> Masked:
            return Masked(table=table)


def test_names_are_unique_over_all_kinds_of_methods() -> None:
    names = [each.name for kind in ("mask", "attack", "loss") for each in methods(kind)]
    assert len(names) == len(set(names))


def test_plans_are_checked_before_anything_runs(table: Table) -> None:
    with pytest.raises(UnknownParameter, match="microaggregate has no parameter 'kk'"):
        Plan.of([("microaggregate", {"kk": 3})])
    with pytest.raises(BadParameter, match="round needs base"):
        Plan.of([("round", {})])
    with pytest.raises(BadTable, match="'id' is an identifier and is dropped"):
        Plan.of([("suppress", {"columns": ["id"]})]).check(table)
    plan = Plan.of([("microaggregate", {"columns": ["age"], "k": 5}), ("round", {"base": 10})])
    assert Plan.from_dict(plan.to_dict()).to_dict() == plan.to_dict()
    assert str(plan) == "microaggregate(columns=age, k=5) | round(base=10)"
