"""Tables that every method is tried on."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from discreet.demo import table as census
from discreet.table import Table


@pytest.fixture(scope="session")
def people() -> Table:
    """Three hundred invented people, with missing values and columns of every role and scale."""
    return census(300, seed=3)


def with_columns_in_order(table: Table, order: list[str]) -> Table:
    """The table with its columns in another order."""
    return replace(table, columns=tuple(table[name] for name in order), frame=table.frame.select(order))


def _rows(people: Table, count: int) -> Table:
    return people.take(np.arange(count))


def _constant(people: Table) -> Table:
    first = people.frame.drop_nulls().head(1)
    return replace(people, frame=pl.concat([first] * 30))


def _all_missing(people: Table) -> Table:
    keys = set(people.keys)
    return replace(
        people,
        frame=people.frame.head(30).with_columns(
            pl.lit(None, dtype=people.frame[name].dtype).alias(name) for name in keys
        ),
    )


ODD: dict[str, Callable[[Table], Table]] = {
    "no records": lambda people: _rows(people, 0),
    "one record": lambda people: _rows(people, 1),
    "constant": _constant,
    "all missing": _all_missing,
}


@pytest.fixture(params=list(ODD))
def odd_table(request: pytest.FixtureRequest, people: Table) -> Table:
    """A table at the edge of what makes sense."""
    return ODD[request.param](people)


CROWD, KINDS = 60, 8
"""Records of the crowd, and how many of them differ."""


@pytest.fixture(scope="session")
def crowd(people: Table) -> Table:
    """Sixty people who are of eight kinds, so that each is like several others in all keys."""
    rng = np.random.default_rng(29)
    kind = rng.integers(0, KINDS, CROWD)
    fresh = {}
    for name in people.keys:
        two = people.frame[name].drop_nulls().unique(maintain_order=True)[:2]
        blank = pl.Series(rng.random(KINDS) < 0.1)
        fresh[name] = two.gather(rng.integers(0, 2, KINDS)).set(blank, None).gather(kind)
    return people.take(np.arange(CROWD)).with_values(fresh)


def told(found: Any) -> dict[str, Any]:
    """All that a result says, but for how long it took."""
    said: dict[str, Any] = json.loads(json.dumps(found.to_dict()))
    said["details"].pop("seconds", None)
    return said


def near(value: Any) -> Any:
    """The value with room for the last digits of its numbers."""
    if isinstance(value, dict):
        return {name: near(each) for name, each in value.items()}
    if isinstance(value, list):
        return [near(each) for each in value]
    return pytest.approx(value, rel=1e-6, abs=1e-9) if isinstance(value, float) else value
