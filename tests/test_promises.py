from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from discreet.errors import PromiseBroken
from discreet.promises import KAnonymous, Multiples, OnlyLevels, Promise, SameMeans, SameValues, Within
from discreet.table import Table


def table_of(**columns: list[object]) -> Table:
    return Table.of(pl.DataFrame(columns), roles={}, rest="quasi-identifier")


BEFORE = table_of(x=[1.0, 2.0, 3.0, 6.0], c=["a", "a", "b", "b"])


@pytest.mark.parametrize(
    ("promise", "kept", "broken"),
    [
        (KAnonymous(columns=("c",), k=2), {"c": ["a", "a", "b", "b"]}, {"c": ["a", "a", "a", "b"]}),
        (KAnonymous(columns=("c",), k=2), {"c": ["a", "a", None, None]}, {"c": ["a", "a", "a", None]}),
        (SameValues(columns=("x",), before=BEFORE), {"x": [6.0, 3.0, 2.0, 1.0]}, {"x": [6.0, 3.0, 2.0, 2.0]}),
        (SameMeans(columns=("x",), before=BEFORE), {"x": [3.0, 3.0, 3.0, 3.0]}, {"x": [3.0, 3.0, 3.0, 3.1]}),
        (Multiples(columns=("x",), base=5), {"x": [5.0, 0.0, -10.0, 5.0]}, {"x": [5.0, 0.0, -10.0, 6.0]}),
        (Within(columns=("x",), high=6), {"x": [1.0, 2.0, 3.0, 6.0]}, {"x": [1.0, 2.0, 3.0, 7.0]}),
        (Within(columns=("x",), low=1), {"x": [1.0, 2.0, 3.0, 6.0]}, {"x": [0.0, 2.0, 3.0, 6.0]}),
        (
            OnlyLevels(columns=("c",), levels=("a", "b")),
            {"c": ["a", "b", None, "a"]},
            {"c": ["a", "z", "b", "a"]},
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Promise) else "",
)
def test_a_promise_tells_a_file_that_keeps_it_from_one_that_does_not(
    promise: Promise, kept: dict[str, list[object]], broken: dict[str, list[object]]
) -> None:
    def published(columns: dict[str, list[object]]) -> Table:
        return replace(BEFORE, frame=BEFORE.frame.with_columns(pl.Series(n, v) for n, v in columns.items()))

    promise.check(published(kept))
    with pytest.raises(PromiseBroken, match="found in the published file"):
        promise.check(published(broken))
    assert promise.says()
