"""What charts of a learned distance draw: every number, where it stands, and what is written beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.attack.learning import charts
from discreet.attack.learning.holdout import HeldOut
from discreet.attack.learning.keys import ColumnSet, KeyColumns
from discreet.attack.learning.learn import Learned

LEARNED = Learned(
    distance="owa",
    metric=False,
    additivity=None,
    found=3,
    bound=4,
    optimal=False,
    seconds=1.26,
    parameters=np.array([0.5, 0.5]),
    records=np.array([True, False, True, True]),
    learned_from=4,
    interval=None,
)
HELD = HeldOut(
    learned=LEARNED, train=0.75, test=0.5, plain_train=0.25, plain_test=0.125, records=np.array([True, False])
)
SETS = ((), ("b",), ("a",), ("a", "b"))
KEYS = KeyColumns(
    names=("a", "b"),
    distance="choquet",
    columns={"a": 0.75, "b": 0.25},
    pairs=np.array([[0.0, -0.5], [-0.5, 0.25]]),
    lattice=tuple(
        ColumnSet(members=each, value=value) for each, value in zip(SETS, (0, 0.25, 0.5, 1), strict=True)
    ),
)


def rows_of(chart: dict[str, Any], layer: int | None = None) -> list[dict[str, Any]]:
    part = chart if layer is None else chart["layer"][layer]
    data = part.get("data") or chart["data"]
    found: list[dict[str, Any]] = chart["datasets"][data["name"]]
    return found


def test_bars_of_columns_have_their_shares() -> None:
    chart = charts.weights_chart(KEYS).to_dict()
    assert rows_of(chart) == [{"column": "a", "share": 0.75}, {"column": "b", "share": 0.25}]
    assert chart["title"] == "What re-identifies people"
    assert chart["mark"]["type"] == "bar"
    drawn = chart["encoding"]
    assert (drawn["x"]["field"], drawn["x"]["title"]) == ("share", "share of the learned distance")
    assert (drawn["y"]["field"], drawn["y"]["type"], drawn["y"]["sort"]) == ("column", "nominal", None)
    assert [each["field"] for each in drawn["tooltip"]] == ["column", "share"]
    assert drawn["tooltip"][1]["format"] == ".4f"
    ranked = charts.weights_chart(replace(KEYS, columns={}, ranks=(0.6, 0.4))).to_dict()
    assert rows_of(ranked) == [
        {"rank": "1. difference", "share": 0.6},
        {"rank": "2. difference", "share": 0.4},
    ]
    assert ranked["encoding"]["y"]["field"] == "rank"


def test_the_map_of_pairs_has_a_cell_for_each_on_one_scale() -> None:
    chart = charts.pairs_chart(KEYS).to_dict()
    assert rows_of(chart, 0) == [
        {"one": "a", "other": "a", "value": 0.0},
        {"one": "a", "other": "b", "value": -0.5},
        {"one": "b", "other": "a", "value": -0.5},
        {"one": "b", "other": "b", "value": 0.25},
    ]
    assert chart["title"] == "Interaction of columns"
    cells, numbers = chart["layer"]
    assert (cells["mark"]["type"], numbers["mark"]["type"]) == ("rect", "text")
    for layer in chart["layer"]:
        assert (layer["encoding"]["x"]["field"], layer["encoding"]["y"]["field"]) == ("other", "one")
        assert (layer["encoding"]["x"]["sort"], layer["encoding"]["y"]["sort"]) == (None, None)
        assert [each["field"] for each in layer["encoding"]["tooltip"]] == ["one", "other", "value"]
    colour = cells["encoding"]["color"]
    assert colour["field"] == "value"
    assert colour["scale"] == {"domain": [-0.5, 0.5], "scheme": "purpleorange"}
    assert numbers["encoding"]["text"] == {"field": "value", "format": ".2f", "type": "quantitative"}
    assert numbers["encoding"]["color"]["condition"]["test"] == "abs(datum.value) > 0.35"
    assert numbers["encoding"]["color"]["condition"]["value"] == "white"
    assert numbers["encoding"]["color"]["value"] == "black"
    assert chart["width"] == chart["height"] == {"step": 46}
    matrix = replace(KEYS, distance="bilinear", pairs=np.zeros((2, 2)))
    plain = charts.pairs_chart(matrix).to_dict()
    assert plain["title"] == "Matrix of the distance"
    assert plain["layer"][0]["encoding"]["color"]["scale"]["domain"] == [-1, 1]


def test_the_lattice_goes_from_single_columns_to_all() -> None:
    chart = charts.lattice_chart(KEYS).to_dict()
    edges, circles, labels = chart["layer"]
    assert rows_of(chart, 0) == [
        {"line": 0, "size": 1, "place": 0.5},
        {"line": 0, "size": 2, "place": 0.0},
        {"line": 1, "size": 1, "place": -0.5},
        {"line": 1, "size": 2, "place": 0.0},
    ]
    assert (
        rows_of(chart, 1)
        == rows_of(chart, 2)
        == [
            {"set": "b", "label": "b\n0.250", "size": 1, "place": 0.5, "value": 0.25},
            {"set": "a", "label": "a\n0.500", "size": 1, "place": -0.5, "value": 0.5},
            {"set": "a + b", "label": "a\nb\n1.000", "size": 2, "place": 0.0, "value": 1.0},
        ]
    )
    assert [each["mark"]["type"] for each in (edges, circles, labels)] == ["line", "circle", "text"]
    for layer in (edges, circles, labels):
        assert layer["encoding"]["x"]["field"] == "place"
        assert layer["encoding"]["x"]["axis"] is None
        assert layer["encoding"]["x"]["scale"] == {"domain": [-1.1, 1.5], "nice": False}
        assert layer["encoding"]["y"]["field"] == "size"
        assert (layer["encoding"]["y"]["sort"], layer["encoding"]["y"]["title"]) == (
            "descending",
            "columns in the set",
        )
    assert edges["encoding"]["detail"]["field"] == "line"
    assert circles["encoding"]["color"]["scale"] == {"domain": [0, 1]}
    assert [each["field"] for each in circles["encoding"]["tooltip"]] == ["set", "value"]
    assert labels["encoding"]["text"]["field"] == "label"
    assert (labels["mark"]["lineBreak"], labels["mark"]["align"], labels["mark"]["dx"]) == ("\n", "left", 11)
    assert chart["title"] == "What sets of columns reveal"
    assert (chart["width"], chart["height"]) == (360, 2 * 70)
    few = charts.lattice_chart(KEYS, at_least=0.5).to_dict()
    assert [row["set"] for row in rows_of(few, 1)] == ["a", "a + b"]


@settings(max_examples=30)
@given(st.integers(1, 5))
def test_sets_of_one_size_stand_evenly_around_the_middle_and_lines_join_neighbours(count: int) -> None:
    names = tuple("abcde"[:count])
    sets = [
        ColumnSet(
            members=tuple(name for place, name in enumerate(names) if number >> (count - 1 - place) & 1),
            value=0.5,
        )
        for number in range(1, 1 << count)
    ]
    places = charts._places(sets)
    for size in range(1, count + 1):
        row = sorted(places[each.members] for each in sets if len(each.members) == size)
        assert sum(row) == pytest.approx(0)
        assert np.diff(row) == pytest.approx(np.ones(len(row) - 1))
    singles = [places[name,] for name in names]
    assert singles == sorted(singles)
    # Every set has as many above it as columns are left.
    assert len(charts._covers(sets)) == sum(count - len(each.members) for each in sets)
    keys = replace(KEYS, names=names, lattice=tuple(sets))
    chart = charts.lattice_chart(keys).to_dict()
    widest = max(abs(place) for place in places.values()) + 0.6
    assert chart["width"] == max(360, round(190 * widest))
    assert chart["height"] == count * max(70, 14 * count + 30)


def test_bars_of_known_pairs_and_the_others_stand_side_by_side() -> None:
    chart = charts.held_out_chart(
        [HELD, replace(HELD, learned=replace(LEARNED, distance="choquet"))]
    ).to_dict()
    assert rows_of(chart) == [
        {"distance": distance, "where": where, "share": share}
        for distance in ("owa", "choquet")
        for where, share in (("known pairs", 0.75), ("the others", 0.5))
    ]
    assert chart["title"] == "Learned on known pairs, tested on the others"
    drawn = chart["encoding"]
    assert (drawn["x"]["field"], drawn["xOffset"]["field"], drawn["y"]["field"]) == (
        "distance",
        "where",
        "share",
    )
    assert (drawn["y"]["axis"], drawn["y"]["title"]) == ({"format": "%"}, "records re-identified")
    assert drawn["color"]["field"] == "where"
    assert [each["field"] for each in drawn["tooltip"]] == ["distance", "where", "share"]
    assert drawn["tooltip"][2]["format"] == ".1%"


def test_results_are_said_in_one_line() -> None:
    assert str(HELD) == "owa: 75.0% of the known pairs, 50.0% of the others (equal weights: 25.0% and 12.5%)"
    assert HELD.rates() == {
        "train": 0.75,
        "test": 0.5,
        "equal_weights_train": 0.25,
        "equal_weights_test": 0.125,
    }
    assert str(LEARNED) == "owa: 3 of 4 records (at most 4, 1.3 s)"
    assert str(replace(LEARNED, optimal=True)) == "owa: 3 of 4 records (proven, 1.3 s)"


def test_key_columns_are_told_as_json() -> None:
    assert KEYS.to_dict() == {
        "distance": "choquet",
        "columns": {"a": 0.75, "b": 0.25},
        "ranks": [],
        "pairs": [[0.0, -0.5], [-0.5, 0.25]],
        "lattice": [
            {"members": list(each), "value": value}
            for each, value in zip(SETS, (0, 0.25, 0.5, 1), strict=True)
        ],
    }
    assert replace(KEYS, pairs=None).to_dict()["pairs"] is None
