"""Linkage by distance against all pairs one by one: missing cells, constants, huge and tiny numbers, bands, groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.optimize import linear_sum_assignment
from tests.attack.brute_force import (
    Ends,
    Number,
    category_costs,
    number_costs,
    plain,
    scaled,
    shared,
    stands_for,
    summed,
)

from discreet.attack import compatible, link
from discreet.errors import NotComputable
from discreet.table import FloatArray, IntArray, Table

LEVELS = ["low", "middle", "high", "extreme"]
KINDS = ("whole", "real", "huge", "tiny", "constant", "ordinal", "nominal", "banded", "runs", "grouped")
BANDS: dict[str, tuple[float, float]] = {
    "[0, 2)": (0.0, np.nextafter(2, 0)),
    "(1, 3]": (np.nextafter(1, 2), 3.0),
    "[2, 2.5]": (2.0, 2.5),
    "< 1": (-inf, np.nextafter(1, 0)),
    ">= 2": (2.0, inf),
    "[7, 9)": (7.0, np.nextafter(9, 7)),
    "3": (3.0, 3.0),
    "1.5": (1.5, 1.5),
}
RUNS: dict[str, tuple[float, float]] = {
    "low": (0, 0),
    "extreme": (3, 3),
    "low to middle": (0, 1),
    "high or more": (2, 3),
    "*": (0, 3),
}
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
        "banded": whole.astype(float).tolist(),
        "runs": [LEVELS[each] for each in whole],
        "grouped": ["xyzu"[each] for each in whole],
    }
    return made[kind]


def coarser(rng: np.random.Generator, kind: str, cells: list[Any]) -> list[Any]:
    """The cells as bands, runs or general categories that mostly hold them; other kinds as they are."""
    if kind == "grouped":
        return [
            {"x": "x or y", "y": "x or y", "z": "z", "u": rng.choice(["u", "any"])}[each] for each in cells
        ]
    if kind not in ("banded", "runs"):
        return cells
    labels = BANDS if kind == "banded" else RUNS
    found = []
    for each in cells:
        place = each if kind == "banded" else LEVELS.index(each)
        fits = [label for label, (low, high) in labels.items() if low <= place <= high]
        found.append(rng.choice(fits if fits and rng.random() < 0.8 else list(labels)))
    return found


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
            told = [mine[truth[row]] if kept[row] else fresh[row] for row in range(counts[1])]
            published.append(coarser(rng, kind, told))
        holes = 0.2 * (seed % 3 == 0)
        blank = [
            [[None if rng.random() < holes else cell for cell in cells] for cells in side]
            for side in (known, published)
        ]
        return cls(kinds, blank[0], blank[1], truth)

    def tables(self) -> tuple[Table, Table]:
        numbers = ("whole", "real", "huge", "tiny", "constant")
        orders = {f"c{place}": LEVELS for place, kind in enumerate(self.kinds) if kind in ("ordinal", "runs")}
        one, other = (
            Table.of(
                pl.DataFrame(
                    [
                        pl.Series(f"c{place}", cells, dtype=pl.Float64 if kind in plainly else pl.String)
                        for place, (kind, cells) in enumerate(zip(self.kinds, side, strict=True))
                    ]
                ),
                roles={},
                rest="quasi-identifier",
                orders={
                    name: order
                    for name, order in orders.items()
                    if side is self.known or not _runs(self, name)
                },
            )
            for side, plainly in ((self.known, (*numbers, "banded")), (self.published, numbers))
        )
        return one, other

    def columns(self) -> Iterator[tuple[str, list[Any], list[Any]]]:
        return zip(self.kinds, self.known, self.published, strict=True)


def _runs(case: Case, name: str) -> bool:
    return case.kinds[int(name[1:])] == "runs"


def on_axis(kind: str, mine: list[Any], theirs: list[Any]) -> tuple[list[Number], list[Ends]]:
    """The numbers, or places, of the known and the ends of the published cells."""
    if kind in ("ordinal", "runs"):
        mine = [None if each is None else LEVELS.index(each) for each in mine]
    if kind in ("banded", "runs"):
        labels = BANDS if kind == "banded" else RUNS
        return mine, [None if each is None else labels[each] for each in theirs]
    if kind == "ordinal":
        theirs = [None if each is None else LEVELS.index(each) for each in theirs]
    return mine, plain(theirs)


def axes(kind: str, mine: list[Any], theirs: list[Any], truth: IntArray) -> tuple[FloatArray, FloatArray]:
    """The axes that a key becomes: one for a number, else one for each category and for missing.

    A missing number is at the mean and a band at its middle; a general category is in the middle of those it can stand
    for, or on an axis of its own where there is none.
    """
    if kind not in ("nominal", "grouped"):
        ours, ends = scaled(*on_axis(kind, mine, theirs))
        return (
            np.array([[each or 0.0] for each in ours]),
            np.array([[0.0 if each is None else each[0] / 2 + each[1] / 2] for each in ends]),
        )
    meant = stands_for(mine, theirs, truth.tolist())
    labels = [None, *sorted({*(each for each in (*mine, *theirs) if each is not None)})]
    at = {label: sqrt(0.5) * row for label, row in zip(labels, np.eye(len(labels)), strict=True)}
    middle = {
        label: np.mean([at[each] for each in sorted(some or {label})], axis=0)
        for label, some in meant.items()
    }
    return np.array([at[each] for each in mine]), np.array(
        [at[None] if each is None else middle[each] for each in theirs]
    )


def by_hand(case: Case, distance: str, weights: Sequence[float], *, on_axes: bool = False) -> FloatArray:
    """The distances of all pairs [known, published], squared but for Gower's."""
    if distance != "mahalanobis" and not on_axes:
        power = 1 if distance == "gower" else 2
        parts = [
            category_costs(mine, theirs, stands_for(mine, theirs, case.truth.tolist()))
            if kind in ("nominal", "grouped")
            else number_costs(*on_axis(kind, mine, theirs), power)
            for kind, mine, theirs in case.columns()
        ]
        return np.array(summed(parts, weights))
    blocks = [axes(kind, mine, theirs, case.truth) for kind, mine, theirs in case.columns()]
    gaps = np.concatenate(
        [
            sqrt(weight) * (mine[:, None, :] - theirs[None, :, :])
            for weight, (mine, theirs) in zip(weights, blocks, strict=True)
        ],
        axis=2,
    )
    inverse = np.eye(gaps.shape[2])
    if distance == "mahalanobis":
        rows = np.flatnonzero(case.truth >= 0)
        spectrum, directions = np.linalg.eigh(
            np.cov(gaps[case.truth[rows], rows].T, bias=True).reshape(inverse.shape)
        )
        inverse = directions / np.maximum(spectrum, 1e-8) @ directions.T
    found: FloatArray = np.einsum("abi,ij,abj->ab", gaps, inverse, gaps)
    return found


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


def cases(distance: str, *, on_axes: bool = False) -> Iterator[tuple[int, Case, dict[str, Any], FloatArray]]:
    """Tables that the distance takes, by seed, with the weights to give and the distances of all pairs."""
    for seed in range(90):
        case = Case.of(seed)
        if distance == "mahalanobis" and {"nominal", "grouped"} & set(case.kinds):
            continue
        given = weights_of(case, distance)
        weights = [*given.get("weights", {}).values()] or [1.0] * len(case.kinds)
        yield seed, case, given, by_hand(case, distance, weights, on_axes=on_axes)


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
        if direction == "masked to original":
            rows = list(zip(*case.published, strict=True))
            expected = np.array(shared(chance.tolist(), rows, judged.tolist()))
        else:
            expected = chance[case.truth]
        assert found.records[judged] == pytest.approx(expected[judged]), seed
        assert found.risk == pytest.approx(expected[judged].mean())
        assert found.certain == (expected[judged] > 1 - 1e-12).sum()


@pytest.mark.parametrize("direction", ["masked to original", "original to masked"])
@pytest.mark.parametrize("distance", ["euclidean", "weighted", "mahalanobis"])
def test_one_to_one_has_the_total_of_the_best_assignment_over_all_pairs(
    distance: str, direction: Any
) -> None:
    for seed, case, given, every in cases(distance, on_axes=True):
        apart, _ = asked(case, every, direction)
        found = link(
            *case.tables(), distance=distance, direction=direction, truth=case.truth, one_to_one=True, **given
        )
        paired = np.flatnonzero(found.nearest >= 0)
        assert len(set(found.nearest[paired].tolist())) == len(paired) == min(apart.shape)
        best = apart[linear_sum_assignment(apart)].sum()
        assert apart[paired, found.nearest[paired]].sum() == pytest.approx(best, rel=1e-6, abs=1e-9), seed


def can_stand(case: Case, kind: str, mine: list[Any], theirs: list[Any]) -> list[list[bool]]:
    """Whether each published cell can stand for each known one.

    A published blank can stand for anything; a known blank is one in the published file too, unless values are
    published for people whose cell is blank: then it is not known, and anything can be behind it.
    """
    pairs = [(mine[owner], cell) for owner, cell in zip(case.truth, theirs, strict=True) if owner >= 0]
    unknown = any(one is None and cell is not None for one, cell in pairs)
    if kind in ("nominal", "grouped"):
        meant = stands_for(mine, theirs, case.truth.tolist())
        holds = [[one in meant.get(cell, ()) for cell in theirs] for one in mine]
    else:
        ours, ends = on_axis(kind, mine, theirs)
        holds = [
            [one is not None and each is not None and each[0] <= one <= each[1] for each in ends]
            for one in ours
        ]
    return [
        [cell is None or (unknown if one is None else held) for cell, held in zip(theirs, row, strict=True)]
        for one, row in zip(mine, holds, strict=True)
    ]


def test_the_compatible_set_is_that_of_comparing_all_pairs() -> None:
    answered = 0
    for seed in range(400):
        case = Case.of(seed)
        stands = np.all([can_stand(case, *each) for each in case.columns()], axis=0)
        own = np.array([owner >= 0 and stands[owner, row] for row, owner in enumerate(case.truth)])
        if not own.any():
            with pytest.raises(NotComputable, match="no published record can stand"):
                compatible(*case.tables(), truth=case.truth)
            continue
        answered += 1
        candidates = np.where(own, stands[case.truth].sum(axis=1), 0)
        found = compatible(*case.tables(), truth=case.truth)
        assert found.candidates.tolist() == candidates.tolist(), seed
        assert found.records == pytest.approx(own / np.maximum(candidates, 1)), seed
        assert found.risk == pytest.approx((own / np.maximum(candidates, 1)).sum() / (case.truth >= 0).sum())
        assert found.failed == ((case.truth >= 0) & ~own).sum()
    assert answered > 300
