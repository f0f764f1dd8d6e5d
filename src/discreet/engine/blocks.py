"""Blocks of near records: the cloud of all records cut at medians, by a sample of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Ints
from discreet.all_records import Moments
from discreet.coding import codes_of
from discreet.dataset import Dataset
from discreet.engine.all_parts import AllParts, Where
from discreet.progress import SILENT
from discreet.table import FloatArray, IntArray, Scale, Table

FEWEST = 4_096
"""No block has fewer records, where there are as many; smaller ones join the block beside them."""
SAMPLED = 1 << 18
"""Records by which the cuts are chosen, at most."""


class Cuts(NamedTuple):
    """A tree of cuts: node i parts the records at `cut[i]` of the axis `axis[i]`; its halves are 2i + 1 and 2i + 2."""

    axis: IntArray
    cut: FloatArray
    depth: int

    @property
    def leaves(self) -> int:
        return 1 << self.depth


class Coordinates:
    """The columns of a step as numbers in which near records are near: z-scores, and codes of categories."""

    def __init__(self, dataset: Dataset, columns: Sequence[str], everybody: AllParts) -> None:
        self.columns = tuple(columns)
        self.numeric = tuple(name for name in columns if dataset[name].scale == Scale.NUMERIC)
        self.moments: Moments | None = everybody.moments(self.numeric) if self.numeric else None

    def of(self, table: Table) -> FloatArray:
        """The points of some records; what is missing lies beyond all that is there."""
        points = np.empty((len(table), len(self.columns)))
        for place, name in enumerate(self.columns):
            if self.moments is not None and name in self.numeric:
                own = self.numeric.index(name)
                values = table.numbers([name])[:, 0] / self.moments.power[own] - self.moments.means[own]
                spread = self.moments.spreads[own]
                points[:, place] = values / spread if spread > 0 else 0.0
            else:
                points[:, place] = _codes(table, name)
        return np.where(np.isnan(points), np.inf, points)


def _codes(table: Table, name: str) -> FloatArray:
    """The places of ordered categories, or codes of others that are the same in all parts."""
    if table[name].order:
        codes = table.codes(name).astype(np.float64)
        return np.where(codes < 0, np.nan, codes)
    hashed = table.frame[name].hash(seed=0).to_numpy() % np.uint64(1 << 20)
    missing = codes_of(table, [name])[:, 0] == 0
    return np.where(missing, np.nan, hashed.astype(np.float64) / (1 << 20))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """Takes each so manyth record of one part, wherever the parts begin."""

    dataset: Dataset
    coordinates: Coordinates
    every: int
    part_records: int

    def __call__(self, first: int) -> FloatArray:
        records = min(self.part_records, len(self.dataset) - first)
        part = self.dataset.part(first, records, self.coordinates.columns)
        return self.coordinates.of(part.take(np.arange(-first % self.every, records, self.every)))


def cuts_of(dataset: Dataset, coordinates: Coordinates, block_records: int, where: Where) -> Cuts:
    """Cuts at the medians of a sample, again and again along the axis in which a part is widest."""
    records = len(dataset)
    depth = max(0, int(np.ceil(np.log2(max(1, records / block_records)))))
    every = max(1, -(-records // SAMPLED))
    work = Sampling(dataset=dataset, coordinates=coordinates, every=every, part_records=where.part_records)
    starts = range(0, max(1, records), where.part_records)
    sampled = where.engine.each(work, starts, scratch=where.scratch, progress=SILENT, what="sample")
    points = np.concatenate(list(sampled))
    axis, cut = np.zeros((1 << depth) - 1, dtype=np.int64), np.full((1 << depth) - 1, np.inf)
    held = {0: np.arange(len(points))}
    for node in range((1 << depth) - 1):
        rows = held.pop(node)
        axis[node], cut[node] = _median_cut(points[rows])
        low = points[rows, axis[node]] <= cut[node]
        held[2 * node + 1], held[2 * node + 2] = rows[low], rows[~low]
    return Cuts(axis, cut, depth)


def _median_cut(points: FloatArray) -> tuple[int, float]:
    """The axis along which the points reach farthest, and a cut that leaves about half of them on either side.

    What reaches farthest has a long tail: cut along it, the few points far out stay together, whatever else they are.
    """
    there = np.isfinite(points)
    if not there.any():
        return 0, np.inf
    high = np.where(there, points, -np.inf).max(axis=0)
    reach = high - np.where(there, points, np.inf).min(axis=0)
    axis = int(np.argmax(reach))
    return axis, _between(np.sort(points[:, axis]))


def _between(ordered: FloatArray) -> float:
    """A value that leaves about half of the sorted values at or below it, and none of its equals above."""
    middle = float(ordered[(len(ordered) - 1) // 2])
    if middle < ordered[-1]:
        return middle
    below = ordered[ordered < middle]
    return float(below[-1]) if len(below) else middle


def leaves_of(points: FloatArray, cuts: Cuts) -> IntArray:
    """The leaf of each point, counted from the left."""
    node = np.zeros(len(points), dtype=np.int64)
    rows = np.arange(len(points))
    for _ in range(cuts.depth):
        high = points[rows, cuts.axis[node]] > cuts.cut[node]
        node = 2 * node + 1 + high
    return node - (cuts.leaves - 1)


def joined_leaves(sizes: Ints, fewest: int) -> IntArray:
    """The block of each leaf: leaves that are too small join the one beside them, and stay in their order."""
    block = np.zeros(len(sizes), dtype=np.int64)
    held, number = 0, 0
    for leaf, size in enumerate(sizes.tolist()):
        block[leaf] = number
        held += size
        if held >= fewest:
            held, number = 0, number + 1
    if held and number:
        # What is left over at the end is too small by itself.
        block[block == number] = number - 1
    return block
