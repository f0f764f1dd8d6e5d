"""Attribute disclosure against its definition, person by person, on small tables with ties and missing cells."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attack.brute_force import Ends, number_costs, plain, read_costs, stands_for, summed, tightened

from discreet.attack import attribute_by_class, attribute_by_link, nearest_classes
from discreet.table import FloatArray, Table

GRADES = ["low", "middle", "high"]
TOLERANCE = 0.5
AGE_BANDS = {"[1, 3)": (1.0, np.nextafter(3, 1)), "[3, 6)": (3.0, np.nextafter(6, 3)), "2": (2.0, 2.0)}
PAY_BANDS = {"< 1.5": (-np.inf, np.nextafter(1.5, 0)), "[1, 8]": (1.0, 8.0), "0": (0.0, 0.0)}
ROLES = {
    "age": "quasi-identifier",
    "grade": "quasi-identifier",
    "town": "quasi-identifier",
    "ill": "confidential",
    "pay": "confidential",
}
ROW = st.tuples(
    st.sampled_from([None, 1.0, 2.0, 3.0, 5.0]),
    st.sampled_from([None, *GRADES]),
    st.sampled_from([None, "x", "y"]),
    st.sampled_from([None, "flu", "gout", "cold"]),
    st.sampled_from([None, 0.0, 1.0, 2.0, 8.0]),
)
BANDED = st.tuples(
    st.sampled_from([None, *AGE_BANDS]),
    st.sampled_from([None, *GRADES]),
    st.sampled_from([None, "x", "x or y"]),
    st.sampled_from([None, "flu", "infection"]),
    st.sampled_from([None, *PAY_BANDS]),
)
Row = tuple[Any, ...]
By = Literal["class", "link"]


@st.composite
def files(draw: st.DrawFn) -> tuple[list[Row], list[Row], list[int]]:
    known = draw(st.lists(ROW, min_size=2, max_size=8))
    published = draw(st.lists(ROW, min_size=1, max_size=8) | st.lists(BANDED, min_size=1, max_size=8))
    size = len(published)
    truth = draw(st.lists(st.integers(-1, len(known) - 1), min_size=size, max_size=size))
    # One true value of each kind at least, so that there is something to learn.
    return [(*known[0][:3], "flu", 1.0), *known[1:]], published, [0, *truth[1:]]


def table_of(rows: list[Row]) -> Table:
    banded = any(isinstance(row[place], str) for row in rows for place in (0, 4))
    number = pl.String if banded else pl.Float64
    kinds = [number, pl.String, pl.String, pl.String, number]
    frame = pl.DataFrame(rows, schema=dict(zip(ROLES, kinds, strict=True)), orient="row")
    return Table.of(frame, roles=ROLES, orders={"grade": GRADES})


def ends_of(cells: list[Any]) -> list[Ends]:
    """The ends of published bands; numbers end where they begin."""
    bands = AGE_BANDS | PAY_BANDS
    return [
        bands[each] if isinstance(each, str) else ends for each, ends in zip(cells, plain(cells), strict=True)
    ]


def distances(known: list[Row], published: list[Row], truth: list[int], keys: list[str]) -> FloatArray:
    """Sums over the columns: of squares where all are numbers without bands and blanks, else as Gower's distance."""
    mine = {name: [row[list(ROLES).index(name)] for row in known] for name in keys}
    theirs = {name: [row[list(ROLES).index(name)] for row in published] for name in keys}
    for side in (mine, theirs):
        if "grade" in keys:
            side["grade"] = [None if each is None else GRADES.index(each) for each in side["grade"]]
    ends = {name: ends_of(theirs[name]) for name in keys if name != "town"}
    points = "town" not in keys and all(
        None not in mine[name]
        and all(each is not None and each[0] == each[1] for each in tightened(mine[name], there))
        for name, there in ends.items()
    )
    parts = [
        read_costs(mine[name], theirs[name], truth)
        if name == "town"
        else number_costs(mine[name], ends[name], 2 if points else 1, truth)
        for name in keys
    ]
    return np.array(summed(parts, [1.0] * len(keys)))


def chance(values: list[Any], true: Any, reach: float, meant: dict[str, set[str]]) -> float:
    """How often the best guess from the values is right; a general category gives away one of those under it."""
    if isinstance(true, str):
        counts = Counter(values)
        best = [value for value, count in counts.items() if count == max(counts.values())]
        return sum((true in meant[each]) / max(1, len(meant[each])) for each in best) / len(best)
    held = [[other for other in values if 0 <= other - low <= 2 * reach + 1e-9] for low in sorted(values)]
    best_held = max(held, key=len)
    return float(abs((min(best_held) + max(best_held)) / 2 - true) <= reach + 1e-9)


def middles(known: list[Any], published: list[Any]) -> list[float | None]:
    """The middle of the known values in each published band."""
    return [
        None if each is None else each[0] / 2 + each[1] / 2 for each in tightened(known, ends_of(published))
    ]


def by_hand(
    known: list[Row], published: list[Row], truth: list[int], keys: list[str], by: By
) -> tuple[float, float]:
    """The risk and the baseline."""
    places = [list(ROLES).index(name) for name in keys]
    classes = [tuple(row[place] for place in places) for row in published]
    apart = distances(known, published, truth, keys)
    pay = middles([row[4] for row in known], [row[4] for row in published])
    meant = stands_for([row[3] for row in known], [row[3] for row in published], truth)
    published = [(*row[:4], each) for row, each in zip(published, pay, strict=True)]
    right, guessed = [], []
    for record, owner in enumerate(truth):
        if owner < 0:
            continue
        near = [record] if by == "class" else np.flatnonzero(apart[owner] <= apart[owner].min() + 1e-9)
        for place in (3, 4):
            true = known[owner][place]
            if true is None:
                continue
            reach = 0.0
            if place == 4:
                reach = TOLERANCE * float(np.std([row[4] for row in known if row[4] is not None]))
            every = [row[place] for row in published if row[place] is not None]
            guessed.append(chance(every, true, reach, meant) if every else 0.0)
            of_class = [
                [row[place] for row, other in zip(published, classes, strict=True) if other == classes[each]]
                for each in near
            ]
            told = [[value for value in values if value is not None] or every for values in of_class]
            right.append(float(np.mean([chance(each, true, reach, meant) if each else 0.0 for each in told])))
    return float(np.mean(right)), float(np.mean(guessed))


@pytest.mark.parametrize("keys", [["age"], ["age", "grade"], ["grade", "town"], ["age", "grade", "town"]])
@settings(max_examples=60, deadline=None)
@given(given_files=files())
def test_the_risk_is_the_mean_chance_of_the_best_guess_from_the_class_or_the_nearest_records(
    keys: list[str], given_files: tuple[list[Row], list[Row], list[int]]
) -> None:
    known, published, truth = given_files
    by: By
    for by, attack in (("class", attribute_by_class), ("link", attribute_by_link)):
        found = attack(
            table_of(known), table_of(published), keys=keys, tolerance=TOLERANCE, truth=np.array(truth)
        )
        assert (found.risk, found.baseline) == pytest.approx(by_hand(known, published, truth, keys, by))


def test_the_order_of_the_published_file_does_not_decide_between_classes_as_near() -> None:
    roles = {"age": "quasi-identifier", "ill": "confidential"}
    original = Table.of(pl.DataFrame({"age": [10, 20, 30], "ill": ["cold", "flu", "gout"]}), roles=roles)
    masked = Table.of(pl.DataFrame({"age": [10, 30], "ill": ["flu", "gout"]}), roles=roles)
    for order in ([0, 1], [1, 0]):
        truth = np.array([1, 2])[order]
        found = attribute_by_link(original, masked.take(np.array(order)), truth=truth)
        assert found.records is not None
        assert dict(zip(truth.tolist(), found.records, strict=True)) == {1: 0.5, 2: 1.0}


def test_several_published_records_of_one_person_are_each_an_attempt() -> None:
    table = Table.of(
        pl.DataFrame({"age": [10, 20], "ill": ["flu", "gout"]}),
        roles={"age": "quasi-identifier", "ill": "confidential"},
    )
    found = attribute_by_link(table, table.take(np.array([0, 0, 1])), truth=np.array([0, 0, 1]))
    assert (found.risk, found.attempts) == (1.0, 3)


def test_beyond_the_most_pairs_the_first_of_the_records_as_near_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    roles = {"age": "quasi-identifier", "ill": "confidential"}
    original = Table.of(pl.DataFrame({"age": [10, 20, 30], "ill": ["cold", "flu", "gout"]}), roles=roles)
    masked = Table.of(pl.DataFrame({"age": [10, 30], "ill": ["flu", "gout"]}), roles=roles)
    monkeypatch.setattr(nearest_classes, "MOST_PAIRS", 1)
    assert attribute_by_link(original, masked, truth=np.array([1, 2])).risk == 1.0
