"""Texts that recur are held once, and nothing else about a table changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from discreet.assessment import assess
from discreet.compact import with_texts_once
from discreet.demo import table as census
from discreet.digests import digest_of
from discreet.plan import Plan
from discreet.protection import protect
from discreet.table import Table

PEOPLE = census(300, seed=3)
PLANS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "nothing": [],
    "perturbed": [
        ("rank_swap", {"columns": ["income", "rent"], "p": 10}),
        ("pram", {"columns": ["sex", "marital_status"], "theta": 0.3}),
    ],
    "bands and blanks": [
        ("recode_numbers", {"columns": ["income", "age"], "bins": 20}),
        ("recode", {"columns": ["occupation"], "rarest": 5}),
        ("suppress", {"columns": ["sex", "marital_status"], "k": 3}),
    ],
    "boxes": [("mondrian", {"columns": ["age", "sex", "income"], "k": 5})],
    "a sample": [("sample", {"fraction": 0.5})],
}


def texts(recurring: int, records: int) -> Table:
    values = [f"text number {place % recurring}" for place in range(records)]
    return Table.of(pl.DataFrame({"x": values}), roles={"x": "insensitive"})


@pytest.mark.parametrize("plan", PLANS)
def test_attacks_and_measures_find_the_same_where_texts_are_held_once(plan: str) -> None:
    release = protect(PEOPLE, Plan.of(PLANS[plan]), seed=1)
    held = replace(release, table=with_texts_once(release.table))
    assert pl.Categorical in held.table.frame.dtypes
    limits = {"identity": 0.1, "attribute": 0.2}
    plain = assess(PEOPLE, release, ceilings=limits)
    once = assess(with_texts_once(PEOPLE), held, ceilings=limits)
    assert once.to_dict() == plain.to_dict()
    assert np.array_equal(once.records, plain.records, equal_nan=True)


def test_the_table_is_the_same_but_for_how_texts_are_held() -> None:
    held = with_texts_once(PEOPLE)
    assert held.columns == PEOPLE.columns
    assert held.frame.with_columns(pl.col(pl.Categorical).cast(pl.String)).equals(PEOPLE.frame)
    assert digest_of(held) == digest_of(PEOPLE)


def test_texts_that_recur_take_a_fifth_of_the_memory() -> None:
    table = texts(recurring=3, records=3000)
    views = table.frame["x"].to_arrow(compat_level=pl.CompatLevel.newest()).nbytes
    assert with_texts_once(table).frame["x"].to_physical().estimated_size() <= views / 5


@pytest.mark.parametrize(("recurring", "held_once"), [(1, True), (30, True), (31, False), (300, False)])
def test_texts_are_held_once_where_each_occurs_ten_times_on_average(recurring: int, held_once: bool) -> None:
    held = with_texts_once(texts(recurring, records=300)).frame["x"]
    assert (held.dtype == pl.Categorical) == held_once


def test_a_table_without_records_stays_as_it_is() -> None:
    table = texts(recurring=1, records=0)
    assert with_texts_once(table).frame.schema == table.frame.schema
