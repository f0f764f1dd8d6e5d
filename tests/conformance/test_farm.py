"""What every method says, counts and publishes for twelve farmers, and much of it counted again by hand."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.conformance import farm_told
from tests.conformance.conftest import near
from tests.conformance.small_farm import FARMERS, MASKED

from discreet.registry import methods

EXPECTED = farm_told.expected()
MADE: dict[str, tuple[list[tuple[str, dict[str, Any]]], Callable[..., dict[str, Any]]]] = {
    "mask": (farm_told.MASKS, farm_told.masked),
    "attack": (farm_told.ATTACKS, farm_told.attacked),
    "loss": (farm_told.LOSSES, farm_told.lost),
    "manifest": (farm_told.PLANS, farm_told.disclosed),
    "coalition": (farm_told.COALITIONS, farm_told.fused),
    "report": (farm_told.REPORTS, farm_told.reported),
    "inspection": ([(name, {}) for name in farm_told.FILES], farm_told.inspected),
}
CALLS = [
    pytest.param(kind, call, id=f"{kind} {farm_told.call_of(*call)}")
    for kind, (calls, _) in MADE.items()
    for call in calls
]
ALONE = {"compatible", "transparency", "link_person"}
"""Attacks that have no answer for the farmers as they were masked, and are tried with manifests or persons."""


@pytest.mark.parametrize(("kind", "call"), CALLS)
def test_every_method_says_of_the_farmers_what_it_said_before(
    kind: str, call: tuple[str, dict[str, Any]]
) -> None:
    found = json.loads(json.dumps(MADE[kind][1](*call)))
    assert found == near(EXPECTED[kind][farm_told.call_of(*call)])


def test_every_method_is_tried_on_the_farmers() -> None:
    for kind in ("mask", "attack", "loss"):
        tried = {name for name, _ in MADE[kind][0]}
        assert {method.name for method in methods(kind)} - tried == (ALONE if kind == "attack" else set())


def answer(kind: str, name: str, **given: Any) -> dict[str, Any]:
    told: dict[str, Any] = EXPECTED[kind][farm_told.call_of(name, given)]
    return told


def changed(call: dict[str, Any], column: str) -> int:
    """How many cells of a column are other than they were."""
    return sum(
        a != b for a, b in zip(call["columns"][column], farm_told.values_of(FARMERS[column]), strict=True)
    )


def test_changes_that_masks_count_are_those_of_the_columns() -> None:
    counted = 0
    for call in EXPECTED["mask"].values():
        for fact in ("changed", "recoded"):
            for column, count in call["facts"].get(fact, {}).items():
                assert count == (changed(call, column) if column in call["columns"] else 0)
                counted += 1
    assert counted >= 8


def test_suppressed_cells_are_the_blanks_that_are_new() -> None:
    counted = 0
    for call in EXPECTED["mask"].values():
        if "suppressed_cells" in call["facts"]:
            blank = {
                name: values.count(None) - FARMERS[name].null_count()
                for name, values in call["columns"].items()
            }
            assert call["facts"]["suppressed_cells"] == sum(max(0, many) for many in blank.values())
            counted += 1
    assert counted >= 10


def test_groups_of_microaggregation_are_the_combinations_that_are_left() -> None:
    for given in (
        {"columns": farm_told.NUMBERS, "k": 3},
        {"columns": farm_told.NUMBERS, "k": 3, "variant": "component"},
    ):
        call = answer("mask", "microaggregate", **given)
        rows = list(zip(*(call["columns"][name] for name in farm_told.NUMBERS), strict=True))
        assert call["facts"]["groups"] == len(set(rows)) == 4
        assert set(Counter(rows).values()) == {3}
        for name in farm_told.NUMBERS:
            assert np.mean(call["columns"][name]) == pytest.approx(FARMERS[name].mean())


KEYS = ("town", "animal")
# The second farmer's town is blank, but all of a home are of one town, and the other one there is of A.
ROWS = [("A", "cat"), *MASKED.select(KEYS).rows()[2:]]
ROWS.insert(0, MASKED.select(KEYS).row(0))
CLASSES = Counter(ROWS)
OF_ROW = [CLASSES[row] for row in ROWS]


def test_classes_are_counted_as_by_hand() -> None:
    found = answer("attack", "k_anonymity", keys=list(KEYS))
    assert found["details"]["classes"] == len(CLASSES)
    assert found["details"]["unique"] == OF_ROW.count(1)
    assert found["details"]["average_chance"] == pytest.approx(np.mean([1 / size for size in OF_ROW]))
    assert found["records"] == pytest.approx([1 / size for size in OF_ROW])
    assert (found["level"], found["risk"]) == (min(OF_ROW), 1 / min(OF_ROW))
    unique = answer("attack", "sample_uniques", keys=list(KEYS))
    assert unique["risk"] == pytest.approx(OF_ROW.count(1) / 12)
    assert unique["details"] == {"unique": OF_ROW.count(1), "in_pairs": OF_ROW.count(2)}


def test_diversity_and_closeness_are_counted_as_by_hand() -> None:
    members: dict[tuple[object, ...], list[str]] = {}
    for row, ill in zip(ROWS, MASKED["ill"], strict=True):
        members.setdefault(row, []).append(ill)
    uniform = sum(len(each) for each in members.values() if len(set(each)) == 1)
    diverse = answer("attack", "l_diversity", keys=list(KEYS))
    assert diverse["details"]["records_in_uniform_classes"] == uniform
    assert diverse["level"] == min(len(set(each)) for each in members.values())
    often = [max(Counter(members[row]).values()) / len(members[row]) for row in ROWS]
    assert diverse["details"]["average_chance"] == pytest.approx(np.mean(often))
    everywhere = MASKED["ill"].to_list().count("yes") / 12
    away = {row: abs(each.count("yes") / len(each) - everywhere) for row, each in members.items()}
    close = answer("attack", "t_closeness", keys=list(KEYS))
    assert close["details"]["t"] == pytest.approx(max(away.values()))


def test_losses_are_those_of_their_definitions() -> None:
    old, new = (frame.select(farm_told.NUMBERS).to_numpy().astype(float) for frame in (FARMERS, MASKED))
    apart = {name: answer("loss", name) for name in ("il1", "sse", "category_distance", "discernibility")}
    assert apart["il1"]["details"] == {"records": 12, "cells": 24}
    z = (old - old.mean(axis=0)) / old.std(axis=0)
    y = (new - old.mean(axis=0)) / old.std(axis=0)
    assert apart["sse"]["details"]["sse"] == pytest.approx(((z - y) ** 2).sum())
    assert apart["sse"]["details"]["sst"] == pytest.approx(24)
    assert apart["sse"]["loss"] == pytest.approx(100 * ((z - y) ** 2).sum() / 24)
    places = {"low": 0, "mid": 1, "high": 2}
    school = [
        abs(places[a] - places[b]) / 2
        for a, b in zip(FARMERS["school"], MASKED["school"], strict=True)
        if a is not None and b is not None
    ]
    assert apart["category_distance"]["columns"] == pytest.approx(
        {
            "school": sum(school) / 12,
            "town": (FARMERS["town"].ne_missing(MASKED["town"])).sum() / 12,
            "animal": (FARMERS["animal"] != MASKED["animal"]).sum() / 12,
        }
    )
    two = answer("loss", "discernibility", columns=list(KEYS))
    before = Counter(FARMERS.select(KEYS).rows())
    after = Counter(MASKED.select(KEYS).rows())
    assert two["details"]["masked"] == sum(size * size for size in after.values())
    assert two["details"]["original"] == sum(size * size for size in before.values())
    assert two["details"]["classes_of_original"] == len(before)
    assert two["details"]["classes_of_masked"] == len(after)


def test_the_details_of_contingency_tables_add_up() -> None:
    def weighted(frame: pl.DataFrame, name: str) -> dict[Any, float]:
        return dict(frame.group_by(name).agg(pl.col("w").sum()).iter_rows())

    found = answer("loss", "contingency")
    one_way = 0.0
    for name in ("school", "town", "animal"):
        left, right = weighted(FARMERS, name), weighted(MASKED, name)
        one_way += sum(abs(left.get(cell, 0) - right.get(cell, 0)) for cell in {*left, *right})
    total = float(FARMERS["w"].sum())
    assert found["details"]["by_dimension"]["1"]["differences"] == pytest.approx(one_way)
    assert found["details"]["by_dimension"]["1"]["share"] == pytest.approx(one_way / (3 * 2 * total))
    assert math.isclose(
        found["details"]["differences"],
        sum(each["differences"] for each in found["details"]["by_dimension"].values()),
    )
