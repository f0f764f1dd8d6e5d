"""The statistics half of the headline loss, computed again one record after the other."""

from __future__ import annotations

import math
from importlib import import_module
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.comparing import AxisColumn, CategoryColumn
from discreet.loss import lost
from discreet.loss.lost_categories import grouped, level_shares, on_levels
from discreet.loss.quantiles import quantiles, quantiles_and_deviations
from discreet.table import Table

ORDER = ["low", "mid", "high"]
NUMBERS, CATEGORIES = ("x", "y"), ("c", "d")
COLUMNS = [*NUMBERS, "o", *CATEGORIES]
Values = list[float | str | None]


def chance(old: float, new: float, variance: float, rounding: float = 1e-9) -> float:
    """How sure one can be of a change: that a normal draw lies within it."""
    if abs(old - new) <= rounding:
        return 0.0
    return math.erf(abs(old - new) / math.sqrt(variance) / math.sqrt(2)) if variance > 0 else 1.0


class Column:
    """The values of a column that are there, with their weights."""

    def __init__(self, values: Values, weights: list[float]) -> None:
        self.pairs = [
            (value, weight) for value, weight in zip(values, weights, strict=True) if value is not None
        ]
        self.values = [float(value) for value, _ in self.pairs]
        self.weights = [weight for _, weight in self.pairs]
        self.total = sum(self.weights)

    def mean(self, power: int = 1, around: float = 0.0) -> float:
        return float(
            sum(w * (v - around) ** power for v, w in zip(self.values, self.weights, strict=True))
            / self.total
        )

    @property
    def variance(self) -> float:
        return self.mean(2, self.mean()) * len(self.values) / (len(self.values) - 1)


def worth(weights: list[float]) -> float:
    """How many equally weighted records these are, a thousand at most."""
    return min(1000.0, sum(weights) ** 2 / sum(w * w for w in weights))


def numeric(old: Values, new: Values, weights: list[float], ordered: bool) -> dict[str, float]:
    """The chances of a mean, a variance and deciles."""
    before, after = Column(old, weights), Column(new, weights)
    records = worth(before.weights)
    found = {}
    if not ordered:
        found["means"] = chance(before.mean(), after.mean(), before.variance / records)
        middle = before.mean()
        varies = (before.mean(4, middle) - before.mean(2, middle) ** 2) / records
        found["variances"] = chance(before.variance, after.variance, varies)
    levels = np.arange(1, 10) / 10
    sides = [(np.array(each.values)[:, None], np.array(each.weights)[:, None]) for each in (before, after)]
    true, deviation = quantiles_and_deviations(*sides[0], levels, np.array([records]))
    published = quantiles(*sides[1], levels)
    each = [chance(*four) for four in zip(true[:, 0], published[:, 0], deviation[:, 0] ** 2, strict=True)]
    found["quantiles"] = float(np.mean(each))
    return found


def frequencies(old: Values, new: Values, weights: list[float]) -> float:
    there = [w for value, w in zip(old, weights, strict=True) if value is not None]
    shares = []
    for values in (old, new):
        held = [(value, w) for value, w in zip(values, weights, strict=True) if value is not None]
        total = sum(w for _, w in held)
        shares.append(
            {level: sum(w for value, w in held if value == level) / total for level in {*old} - {None}}
        )
    found = 0.0
    for level in shares[0]:
        one, two = shares[0][level], shares[1][level]
        found += chance(one, two, one * (1 - one) / worth(there), 1e-12) * (one + two) / 2
    return found


def association(
    one: Values, two: Values, kinds: tuple[str, str], weights: list[float]
) -> tuple[float, float]:
    """The strength of an association and how many records say so."""
    rows = [(a, b, w) for a, b, w in zip(one, two, weights, strict=True) if a is not None and b is not None]
    total = sum(w for *_, w in rows)
    records = worth([w for *_, w in rows])
    if kinds == ("n", "n"):
        means = [sum(w * float(row[side]) for *row, w in rows) / total for side in (0, 1)]
        cross = [
            sum(w * (float(row[i]) - means[i]) * (float(row[j]) - means[j]) for *row, w in rows) / total
            for i, j in ((0, 1), (0, 0), (1, 1))
        ]
        return cross[0] / math.sqrt(cross[1] * cross[2]), records
    if "n" in kinds:
        side = kinds.index("n")
        values = [(float(row[side]), row[1 - side], w) for *row, w in rows]
        mean = sum(w * v for v, _, w in values) / total
        between = 0.0
        for group in {g for _, g, _ in values}:
            mine = [(v, w) for v, g, w in values if g == group]
            weight = sum(w for _, w in mine)
            between += weight * (sum(w * v for v, w in mine) / weight - mean) ** 2
        return math.sqrt(between / sum(w * (v - mean) ** 2 for v, _, w in values)), records
    left, right = sorted({str(a) for a, *_ in rows}), sorted({str(b) for _, b, _ in rows})
    square = 0.0
    for a in left:
        for b in right:
            here = sum(w for p, q, w in rows if (p, q) == (a, b))
            expected = sum(w for p, _, w in rows if p == a) * sum(w for _, q, w in rows if q == b) / total
            square += (here - expected) ** 2 / expected
    return math.sqrt(square / total / (min(len(left), len(right)) - 1)), records


def pair_chance(
    old: dict[str, Values], new: dict[str, Values], names: tuple[str, str], weights: list[float]
) -> float:
    kinds = tuple("c" if name in CATEGORIES else "n" for name in names)
    before, records = association(old[names[0]], old[names[1]], kinds, weights)  # type: ignore[arg-type]
    after, _ = association(new[names[0]], new[names[1]], kinds, weights)  # type: ignore[arg-type]
    if kinds != ("n", "n"):
        return chance(before, after, (1 - before**2) ** 2 / records, 1e-7)
    scores = []
    for name in names:
        column = Column(old[name], weights)
        scores.append(
            [
                None if v is None else (float(v) - column.mean()) / math.sqrt(column.variance)
                for v in old[name]
            ]
        )
    rows = [(a, b, w) for a, b, w in zip(*scores, weights, strict=True) if a is not None and b is not None]
    total = sum(w for *_, w in rows)
    varies = sum(w * (a * b - before * (a * a + b * b) / 2) ** 2 for a, b, w in rows) / total
    alone = min(worth(Column(old[name], weights).weights) for name in names)
    return chance(before, after, varies / alone)


def kept(
    old: dict[str, Values], new: dict[str, Values], names: tuple[str, ...], weights: list[float]
) -> float:
    def share(values: dict[str, Values]) -> float:
        there = [all(values[name][row] is not None for name in names) for row in range(len(weights))]
        return sum(w for w, each in zip(weights, there, strict=True) if each)

    return min(1.0, share(new) / share(old))


def table(values: dict[str, Values], weights: list[float]) -> Table:
    frame = pl.DataFrame(
        {
            **{
                name: pl.Series(each, dtype=pl.Float64 if name in NUMBERS else pl.String)
                for name, each in values.items()
            },
            "w": weights,
        }
    )
    return Table.of(frame, roles={"w": "weight"}, rest="quasi-identifier", orders={"o": ORDER})


def drawn(seed: int, records: int) -> tuple[dict[str, Values], dict[str, Values], list[float]]:
    rng = np.random.default_rng(seed)
    old: dict[str, Values] = {
        **{name: rng.integers(0, 9, records).astype(float).tolist() for name in NUMBERS},
        "o": rng.choice(ORDER, records).tolist(),
        **{name: rng.choice(list("abc"), records).tolist() for name in CATEGORIES},
    }
    new = {
        name: [
            values[row] if rng.random() < 0.9 else values[int(rng.integers(records))]
            for row in range(records)
        ]
        for name, values in old.items()
    }
    for side, rate in ((old, 0.05), (new, 0.1)):
        for name in side:
            side[name] = [None if rng.random() < rate else each for each in side[name]]
    return old, new, rng.integers(1, 4, records).astype(float).tolist()


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from([30, 60]))
def test_the_statistics_that_are_lost_are_those_of_plain_sums(seed: int, records: int) -> None:
    old, new, weights = drawn(seed, records)
    kinds: dict[str, dict[str, float]] = {
        each: {} for each in ("means", "variances", "quantiles", "frequencies")
    }
    for name in COLUMNS:
        share = kept(old, new, (name,), weights)
        places = {level: float(place) for place, level in enumerate(ORDER)}
        if name not in CATEGORIES:
            both = [
                [places.get(v, v) if isinstance(v, str) else v for v in side[name]] for side in (old, new)
            ]
            for kind, each in numeric(both[0], both[1], weights, name == "o").items():
                kinds[kind][name] = 1 - share * (1 - each)
        if name not in NUMBERS:
            kinds["frequencies"][name] = 1 - share * (1 - frequencies(old[name], new[name], weights))
    coded: list[dict[str, Values]] = [
        {**side, "o": [None if v is None else float(ORDER.index(str(v))) for v in side["o"]]}
        for side in (old, new)
    ]
    pairs = [
        1 - kept(old, new, names, weights) * (1 - pair_chance(coded[0], coded[1], names, weights))
        for names in combinations(COLUMNS, 2)
    ]
    found = lost(table(old, weights), table(new, weights))
    for kind, by_column in kinds.items():
        assert found.details[kind] == pytest.approx(100 * np.mean(list(by_column.values())), rel=1e-6)
    assert found.details["associations"] == pytest.approx(100 * np.mean(pairs), rel=1e-6)
    by_column = {
        name: float(np.mean([each[name] for each in kinds.values() if name in each])) for name in COLUMNS
    }
    assert found.details["statistics_by_column"] == pytest.approx(
        {name: 100 * each for name, each in by_column.items()}, rel=1e-6
    )
    halves = [np.mean(list(by_column.values())), np.mean(pairs)]
    assert found.details["statistics"] == pytest.approx(100 * np.mean(halves), rel=1e-6)
    assert found.loss == pytest.approx((found.details["cells"] + found.details["statistics"]) / 2)
    assert found.details["cells"] == pytest.approx(np.mean(list(found.columns.values())))


def categories(
    known: list[int], published: list[int], levels: int, holds: list[list[bool]]
) -> CategoryColumn:
    shape = np.array(holds, dtype=bool).reshape(len(holds), levels)
    return CategoryColumn(
        name="c",
        known=np.array(known),
        published=np.array(published),
        levels=levels,
        holds=shape,
        certain=shape,
    )


def test_a_general_category_is_shared_out_among_those_it_holds() -> None:
    # Two levels, one general category of both, and one that the original lacks; blanks count nowhere.
    column = categories([0, 0, 1, -1], [0, 2, 3, -1], 2, [[True, True], [False, False]])
    old, new = level_shares(column, (np.array([1.0, 1.0, 2.0, 9.0]), np.array([1.0, 2.0, 1.0, 9.0])))
    assert old == pytest.approx([0.5, 0.5, 0.0])
    assert new == pytest.approx([2 / 4, 1 / 4, 1 / 4])


def test_groups_are_the_most_frequent_categories_and_one_of_the_others() -> None:
    # Twenty-two categories: that which occurs twice stays, and all others are as rare as that at the border.
    known = [*range(22), 0]
    column = categories(known, [0, 22, 23, -1], 22, [[True, True, *[False] * 20], [False] * 22])
    found = grouped(column, (np.ones(23), np.ones(4)))
    assert found.codes[0].tolist() == [0, *[1] * 21, 0]
    assert found.codes[1].tolist() == [0, 2, 3, -1]
    # The general one holds one that stays and one of the others; the made-up one is one of the others.
    assert found.into.tolist() == [[1, 0], [0, 1], [0.5, 0.5], [0, 1]]
    few = grouped(categories([0, 1, 2], [2, 1, 0], 3, []), (np.ones(3), np.ones(3)))
    assert few.codes[0].tolist() == [0, 1, 2]
    assert few.into.tolist() == np.eye(4).tolist()


def test_a_run_of_ordered_categories_is_a_general_one() -> None:
    axis = AxisColumn(
        name="o",
        known=np.array([0.0, 2.0, np.nan]),
        known_high=np.array([0.0, 2.0, np.nan]),
        low=np.array([0.0, 1.0, np.nan, 1.0]),
        high=np.array([1.0, 1.0, np.nan, 2.0]),
        steps=3,
    )
    found = on_levels(axis)
    assert found.known.tolist() == [0, 2, -1]
    assert found.published.tolist() == [3, 1, -1, 4]
    assert found.holds.tolist() == [[True, True, False], [False, True, True]]
    assert (found.levels, found.name) == (3, "o")


def test_without_a_change_beyond_rounding_nothing_is_lost_and_a_constant_that_changes_is() -> None:
    def statistics(old: list[Any], new: list[Any]) -> dict[str, Any]:
        sides = [pl.DataFrame({"x": each}) for each in (old, new)]
        found = lost(*(Table.of(each, roles={}, rest="quasi-identifier") for each in sides))
        return dict(found.details)

    same = statistics([1.0, 2.0, 4.0], [1.0, 2.0, 4.0 + 1e-15])
    assert same["means"] == same["variances"] == same["quantiles"] == 0
    constant = statistics([5.0, 5.0, 5.0], [5.0, 5.0, 5.5])
    assert (constant["means"], constant["variances"]) == (100, 100)


def test_tables_too_large_to_be_held_whole_give_the_same_association(monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("discreet.loss.lost_associations")
    old, new, weights = drawn(3, 40)
    whole = lost(table(old, weights), table(new, weights)).details["associations"]
    monkeypatch.setattr(module, "MOST_CELLS", 0)
    assert lost(table(old, weights), table(new, weights)).details["associations"] == pytest.approx(
        whole, rel=1e-12
    )


@pytest.mark.parametrize("label", ["Catalonia", "Reus+Vic", "Reus"])
def test_the_only_category_by_another_name_says_as_much_as_before(label: str) -> None:
    def of(towns: list[str]) -> Table:
        frame = pl.DataFrame({"town": towns, "age": [20.0, 30.0, 40.0, 50.0]})
        return Table.of(frame, roles={}, rest="quasi-identifier")

    everybody = of(["Reus"] * 4)
    for published in (["Reus", "Reus", label, label], [label] * 4):
        assert lost(everybody, of(published)).columns["town"] == 0
    assert lost(everybody, of(["Reus", "Reus", "*", "*"])).columns["town"] == 50
