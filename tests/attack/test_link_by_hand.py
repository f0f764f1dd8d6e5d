"""Linkage by distance against all pairs one by one, with missing cells, constants, and huge and tiny numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.optimize import linear_sum_assignment

from discreet.attack import link
from discreet.table import FloatArray, IntArray, Table

LEVELS = ["low", "middle", "high", "extreme"]
KINDS = ("whole", "real", "huge", "tiny", "constant", "ordinal", "nominal")
DISTANCES = ("euclidean", "weighted", "mahalanobis", "gower")
Cells = list[list[Any]]


def column(rng: np.random.Generator, kind: str, count: int) -> list[Any]:
    whole = rng.integers(0, 4, count)
    made: dict[str, list[Any]] = {
        "whole": whole.astype(float).tolist(),
        "real": rng.normal(size=count).tolist(),
        "huge": (1e9 + rng.integers(-1, 2, count)).tolist(),
        "tiny": (1e-9 * whole).tolist(),
        "constant": [7.25] * count,
        "ordinal": [LEVELS[each] for each in whole],
        "nominal": ["xyzu"[each] for each in whole],
    }
    return made[kind]


@dataclass(frozen=True)
class Case:
    """Two files by columns, and whose each published record is."""

    kinds: list[str]
    known: Cells
    published: Cells
    truth: IntArray

    @classmethod
    def of(cls, seed: int) -> Case:
        rng = np.random.default_rng(seed)
        kinds = rng.choice(KINDS, rng.integers(1, 4)).tolist()
        counts = rng.integers(8, 14, 2)
        truth = np.full(counts[1], -1)
        shared = int(counts.min())
        truth[rng.permutation(counts[1])[:shared]] = rng.permutation(counts[0])[:shared]
        known = [column(rng, kind, counts[0]) for kind in kinds]
        published = []
        for kind, mine in zip(kinds, known, strict=True):
            fresh = column(rng, kind, counts[1])
            kept = (rng.random(counts[1]) < 0.6) & (truth >= 0)
            published.append([mine[truth[row]] if kept[row] else fresh[row] for row in range(counts[1])])
        holes = 0.2 * (seed % 3 == 0)
        blank = [
            [[None if rng.random() < holes else cell for cell in cells] for cells in side]
            for side in (known, published)
        ]
        return cls(kinds, blank[0], blank[1], truth)

    def tables(self) -> tuple[Table, Table]:
        texts = ("ordinal", "nominal")
        orders = {f"c{place}": LEVELS for place, kind in enumerate(self.kinds) if kind == "ordinal"}
        one, other = (
            Table.of(
                pl.DataFrame(
                    [
                        pl.Series(f"c{place}", cells, dtype=pl.String if kind in texts else pl.Float64)
                        for place, (kind, cells) in enumerate(zip(self.kinds, side, strict=True))
                    ]
                ),
                roles={},
                rest="quasi-identifier",
                orders=orders,
            )
            for side in (self.known, self.published)
        )
        return one, other


def standardised(kind: str, cells: Sequence[Any]) -> list[float | None]:
    """By exact fractions, up to the root."""
    values = [LEVELS.index(each) if kind == "ordinal" and each is not None else each for each in cells]
    present = [Fraction(each) for each in values if each is not None]
    if not present:
        return [None] * len(values)
    middle = sum(present) / len(present)
    spread = sqrt(sum((each - middle) ** 2 for each in present) / len(present)) or 1.0
    return [None if each is None else float(Fraction(each) - middle) / spread for each in values]


def axes(kind: str, cells: Sequence[Any]) -> FloatArray:
    """The columns that a key becomes: one for a number, else one for each category and for missing."""
    if kind != "nominal":
        return np.array([[each or 0.0 for each in standardised(kind, cells)]]).T
    return np.array([[sqrt(0.5) * (cell == level) for level in [*"xyzu", None]] for cell in cells])


def by_hand(case: Case, distance: str, weights: Sequence[float]) -> FloatArray:
    """The distances of all pairs [known, published], squared but for Gower's."""
    sides = case.known, case.published
    if distance == "gower":
        total = np.zeros((len(case.known[0]), len(case.published[0])))
        for kind, mine, theirs in zip(case.kinds, *sides, strict=True):
            total += _gower(kind, mine, theirs)
        return total
    points = [
        np.hstack(
            [
                sqrt(weight) * axes(kind, cells)
                for weight, kind, cells in zip(weights, case.kinds, side, strict=True)
            ]
        )
        for side in sides
    ]
    gaps = points[0][:, None, :] - points[1][None, :, :]
    inverse = np.eye(gaps.shape[2])
    if distance == "mahalanobis":
        rows = np.flatnonzero(case.truth >= 0)
        spectrum, directions = np.linalg.eigh(
            np.cov(gaps[case.truth[rows], rows].T, bias=True).reshape(inverse.shape)
        )
        inverse = directions / np.maximum(spectrum, 1e-8) @ directions.T
    found: FloatArray = np.einsum("abi,ij,abj->ab", gaps, inverse, gaps)
    return found


def _gower(kind: str, mine: list[Any], theirs: list[Any]) -> FloatArray:
    if kind == "nominal":
        return np.array([[float(one != other) for other in theirs] for one in mine])
    one, other = standardised(kind, mine), standardised(kind, theirs)
    return np.array(
        [[float(a is not b) if a is None or b is None else abs(a - b) for b in other] for a in one]
    )


def asked(case: Case, apart: FloatArray, direction: str) -> tuple[FloatArray, IntArray]:
    """The distances by the records that look for a partner, and the partner of each."""
    if direction == "masked to original":
        return apart.T, case.truth
    partner = np.full(len(apart), -1)
    partner[case.truth[case.truth >= 0]] = np.flatnonzero(case.truth >= 0)
    return apart, partner


def weights_of(case: Case, distance: str) -> dict[str, Any]:
    if distance != "weighted":
        return {}
    return {"weights": {f"c{place}": 0.5 + place for place in range(len(case.kinds))}}


def cases(distance: str) -> Iterator[tuple[int, Case, dict[str, Any], FloatArray]]:
    """Tables that the distance takes, by seed, with the weights to give and the distances of all pairs."""
    for seed in range(40):
        case = Case.of(seed)
        if distance == "mahalanobis" and "nominal" in case.kinds:
            continue
        given = weights_of(case, distance)
        weights = [*given.get("weights", {}).values()] or [1.0] * len(case.kinds)
        yield seed, case, given, by_hand(case, distance, weights)


@pytest.mark.parametrize("direction", ["masked to original", "original to masked"])
@pytest.mark.parametrize("distance", DISTANCES)
def test_chances_are_those_of_comparing_all_pairs(distance: str, direction: Any) -> None:
    for seed, case, given, every in cases(distance):
        apart, partner = asked(case, every, direction)
        least = apart.min(axis=1, keepdims=True)
        near = apart <= least + 1e-9 * (1 + least)
        chance = np.where(partner >= 0, near[np.arange(len(near)), partner] / near.sum(axis=1), 0.0)
        found = link(*case.tables(), distance=distance, direction=direction, truth=case.truth, **given)
        assert found.records is not None
        assert found.ties.tolist() == near.sum(axis=1).tolist(), seed
        judged = case.truth >= 0
        expected = chance if direction == "masked to original" else chance[case.truth]
        assert found.records[judged] == pytest.approx(expected[judged]), seed
        assert found.risk == pytest.approx(expected[judged].mean())


@pytest.mark.parametrize("direction", ["masked to original", "original to masked"])
@pytest.mark.parametrize("distance", ["euclidean", "weighted", "mahalanobis"])
def test_one_to_one_has_the_total_of_the_best_assignment_over_all_pairs(
    distance: str, direction: Any
) -> None:
    for seed, case, given, every in cases(distance):
        apart, _ = asked(case, every, direction)
        found = link(
            *case.tables(), distance=distance, direction=direction, truth=case.truth, one_to_one=True, **given
        )
        paired = np.flatnonzero(found.nearest >= 0)
        assert len(set(found.nearest[paired].tolist())) == len(paired) == min(apart.shape)
        best = apart[linear_sum_assignment(apart)].sum()
        assert apart[paired, found.nearest[paired]].sum() == pytest.approx(best, rel=1e-6, abs=1e-9), seed
