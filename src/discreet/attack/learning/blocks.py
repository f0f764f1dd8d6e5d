"""The linkage as blocks of linear inequalities, one block a record, one row a rival.

Record i is re-identified when (f(a_i, b_j) - f(a_i, b_i)) . theta > 0 for every rival j: its block. The rows of the
weighted forms are all held, after the rivals that others beat are dropped; those of the other forms are made when
a search or a linear program first meets them, since few ever matter.

Where identical rows share a record (`Shares`), they are one row and no rivals of each other: a block that holds is
worth 1/t for a row that stands t times.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from discreet._kernels.counting.distinct import distinct_rows
from discreet._kernels.learned import forms as kernel
from discreet._kernels.learned import pareto
from discreet.attack.learning.clock import OutOfTime, parts
from discreet.attack.learning.forms import Form
from discreet.attack.learning.relink import MANY_PAIRS, nearest_by_tree
from discreet.attack.learning.standard import BLUR
from discreet.table import BoolArray, FloatArray, IntArray

NO_MARGIN = 1e-9
"""Margins up to this count as none: rows have unit length and theta is of order one."""
SMALLEST = 1e-300
"""A row of no length stays as it is, and never holds."""
DEARER = 50
"""Sorting out a record's rivals takes so many times as long as comparing it with them, where few of them are beaten."""
FEW = 200
"""So few records are compared with everyone sooner than a tree is grown."""


class Shares(NamedTuple):
    """The different rows to look at, the place of each record's own row among them, and how often that row stands."""

    rows: FloatArray
    homes: IntArray
    copies: IntArray

    @classmethod
    def of(cls, right: FloatArray, count: int) -> Shares:
        """Those of the first `count` records, for which row i is the own row of record i."""
        distinct = distinct_rows(right)
        homes = distinct.labels[:count]
        return cls(np.ascontiguousarray(right[distinct.firsts]), homes, distinct.counts[homes])

    @classmethod
    def none(cls, right: FloatArray, count: int) -> Shares:
        """Every row for itself: a record whose own row stands twice is as near to both, which is no success."""
        return cls(right, np.arange(count), np.ones(count, dtype=np.int64))


class Blocks:
    """The rows known so far of the blocks of some records."""

    def __init__(
        self,
        form: Form,
        left: FloatArray,
        shares: Shares,
        records: IntArray | None = None,
        deadline: float = math.inf,
    ) -> None:
        self.form = form
        self.left = left
        self.right, self.homes, copies = shares
        right = self.right
        self.records = np.arange(len(left)) if records is None else records
        self.size = len(self.records)
        self.copies = copies[self.records]
        self.weights: FloatArray = 1.0 / self.copies
        """What each block is worth when it holds."""
        self.lost = np.zeros(self.size, dtype=np.bool_)
        """Blocks that no parameters can satisfy."""
        self.never = np.zeros(self.size, dtype=np.bool_)
        """Lost blocks whose own row is not even among the nearest ones, whatever the parameters."""
        self._values = np.empty((1024, form.size))
        self._owner = np.empty(1024, dtype=np.int64)
        self._doubts = np.empty(1024)
        self._count = 0
        longest = max(float((left * left).sum(axis=1).max()), float((right * right).sum(axis=1).max()))
        self._rounding = 1e-14 * form.columns * longest
        """About what rounding can do to a bilinear form of these records that is expanded, for a matrix of size 1."""
        self._start = np.zeros(1, dtype=np.int64)
        self._rivals = np.empty(0, dtype=np.int64)
        many = len(self.records) * len(right) > MANY_PAIRS
        self.by_tree = many and form.kernel == kernel.WEIGHTED and len(self.records) == len(left)
        """Whether rivals are found by a search tree, and none are dropped beforehand."""
        dropped = form.monotone and not self.by_tree and self._drop_beaten_rivals(deadline)
        if not dropped:
            self.lost |= self._shared()
        self.complete = form.complete and dropped and not many
        """Whether all rows of all blocks are held."""
        if self.complete:
            self._add_all()

    @property
    def values(self) -> FloatArray:
        """The known rows, each of unit length."""
        return self._values[: self._count]

    @property
    def owner(self) -> IntArray:
        """The block of each known row."""
        return self._owner[: self._count]

    @property
    def doubts(self) -> FloatArray:
        """By how much each known row's product with theta may be off: the blur, over the length that the row had."""
        return self._doubts[: self._count]

    def worth(self, held: BoolArray) -> float:
        """What the blocks that hold are worth together."""
        return float(self.weights[held].sum())

    def holding(self, theta: FloatArray) -> BoolArray:
        """The blocks whose known rows all hold at theta, by a margin that a linear program could find."""
        held = ~self.lost
        # Half of it: what a program finds is moved a little to be inside its cone.
        held[self.owner[~(self.values @ theta > NO_MARGIN / 2)]] = False
        return held

    def verify(
        self, theta: FloatArray, among: BoolArray | None = None, *, until: float = math.inf
    ) -> BoolArray:
        """The blocks (of those asked for) that hold at theta against every rival; the rows that fail become known.

        Raises OutOfTime where that is not done in time; a search by tree, which is quick, does not look at the clock.
        """
        if self.complete:
            return self.holding(theta) if among is None else self.holding(theta) & among
        wanted = np.flatnonzero(~self.lost if among is None else among & ~self.lost)
        own, best, nearest = self._nearest(theta, wanted, until)
        held = np.zeros(self.size, dtype=np.bool_)
        by_known = self.holding(theta)[wanted]
        fails = ~(best > own) | (by_known & self._barely_won(theta, wanted, nearest))
        held[wanted[~fails & by_known]] = True
        # Blocks that known rows already rule out need no other; a row of the own record would say nothing.
        news = fails & by_known & (nearest != self.homes[self.records[wanted]])
        self._append(wanted[news], nearest[news])
        return held

    def worst_row(self, theta: FloatArray, block: int) -> FloatArray | None:
        """The row of unit length of the block's nearest rival, or None where the block holds at theta."""
        one = np.array([block])
        own, best, nearest = self._nearest(theta, one, math.inf)
        if best[0] > own[0]:
            return None
        return np.asarray(self._unit_rows(one, nearest)[0])

    def _nearest(
        self, theta: FloatArray, wanted: IntArray, until: float
    ) -> tuple[FloatArray, FloatArray, IntArray]:
        """The distance of each block's own row, that of its nearest rival, and the rival's row."""
        if self.by_tree and len(wanted) > FEW:
            return self._nearest_by_tree(theta, wanted)
        native = self.form.native(theta)
        own, best = np.empty(len(wanted)), np.empty(len(wanted))
        nearest = np.empty(len(wanted), dtype=np.int64)
        for part in parts(len(wanted), self._rivals_each(), until):
            own[part], best[part], nearest[part] = self._nearest_at_once(native, wanted[part])
        return own, best, nearest

    def _rivals_each(self) -> int:
        """How many rivals a block has on average."""
        return len(self.right) if len(self._start) == 1 else len(self._rivals) // max(1, self.size)

    def _nearest_at_once(
        self, native: FloatArray, wanted: IntArray
    ) -> tuple[FloatArray, FloatArray, IntArray]:
        records = self.records[wanted]
        if self.form.kernel == kernel.BILINEAR:
            return self._nearest_bilinear(native, records)
        start, rivals = self._candidates(wanted)
        return kernel.nearest_rivals(
            self.form.kernel,
            self.left,
            self.right,
            native,
            self.form.blur,
            records,
            start,
            rivals,
            self.homes,
        )

    def _nearest_bilinear(
        self, matrix: FloatArray, records: IntArray
    ) -> tuple[FloatArray, FloatArray, IntArray]:
        """As the kernel; records that win by no more than it rounds are compared with everyone again, one by one."""
        own, best, nearest = kernel.nearest_bilinear(self.left, self.right, matrix, records, self.homes)
        doubtful = np.flatnonzero((best > own) & (best - own <= self._rounding * np.abs(matrix).max()))
        if len(doubtful):
            everyone = np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.int64)
            own[doubtful], best[doubtful], nearest[doubtful] = kernel.nearest_rivals(
                kernel.BILINEAR, self.left, self.right, matrix, 0.0, records[doubtful], *everyone, self.homes
            )
        return own, best, nearest

    def _nearest_by_tree(
        self, theta: FloatArray, wanted: IntArray
    ) -> tuple[FloatArray, FloatArray, IntArray]:
        """As the kernel, but for a record that nobody is as near to as its own row there is no rival at all."""
        found = nearest_by_tree(self.left[wanted], self.right, theta, self.homes[wanted])
        alone = found.hit & (found.ties == 1)
        own = np.where(found.hit, found.best_distance2, np.inf)
        return own, np.where(alone, np.inf, found.best_distance2), np.where(alone, -1, found.first)

    def _barely_won(self, theta: FloatArray, wanted: IntArray, nearest: IntArray) -> BoolArray:
        """Whether the row of each block's nearest rival, if it has one, does not hold by the margin asked for."""
        barely = np.zeros(len(wanted), dtype=np.bool_)
        known = np.flatnonzero((nearest >= 0) & (nearest != self.homes[self.records[wanted]]))
        barely[known] = ~(self._unit_rows(wanted[known], nearest[known]) @ theta > NO_MARGIN / 2)
        return barely

    def _append(self, blocks: IntArray, rivals: IntArray) -> None:
        needed = self._count + len(blocks)
        if needed > len(self._owner):
            room = max(needed, 2 * len(self._owner))
            self._values = np.concatenate([self.values, np.empty((room - self._count, self.form.size))])
            self._owner = np.concatenate([self.owner, np.empty(room - self._count, dtype=np.int64)])
            self._doubts = np.concatenate([self.doubts, np.empty(room - self._count)])
        rows, blurred = self._rows(blocks, rivals)
        lengths = np.maximum(np.linalg.norm(rows, axis=1), SMALLEST)
        self._values[self._count : needed] = rows / lengths[:, None]
        self._doubts[self._count : needed] = blurred / lengths
        self._owner[self._count : needed] = blocks
        self._count = needed

    def _unit_rows(self, blocks: IntArray, rivals: IntArray) -> FloatArray:
        rows, _ = self._rows(blocks, rivals)
        return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), SMALLEST))

    def _rows(self, blocks: IntArray, rivals: IntArray) -> tuple[FloatArray, FloatArray]:
        """The rows of these rivals, and by how much the blur can change each, added up."""
        records = self.records[blocks]
        near = self.left[records]
        own, rival = near - self.right[self.homes[records]], near - self.right[rivals]
        reach = np.abs(own).sum(axis=1) + np.abs(rival).sum(axis=1) + BLUR
        return self.form.leads(own, rival), 8 * BLUR * self.form.columns * reach

    def _add_all(self) -> None:
        blocks = np.repeat(np.arange(self.size), np.diff(self._start))
        for first in range(0, len(blocks), 100_000):
            part = slice(first, first + 100_000)
            self._append(blocks[part], self._rivals[part])

    def _candidates(self, wanted: IntArray) -> tuple[IntArray, IntArray]:
        """The rivals of the blocks asked for, as the kernel takes them; all records where none were dropped."""
        if len(self._start) == 1 or len(wanted) == self.size:
            return self._start, self._rivals
        counts = np.diff(self._start)[wanted]
        start = np.concatenate([[0], np.cumsum(counts)])
        within = np.arange(start[-1]) - np.repeat(start[:-1], counts)
        return start, self._rivals[np.repeat(self._start[wanted], counts) + within]

    def _drop_beaten_rivals(self, deadline: float) -> bool:
        """Keeps the rivals of each block that no other beats; whether that was done before the deadline.

        All rivals stay where it was not; the blocks found lost by then are so in any case.
        """
        ordered = self.form.kernel == kernel.ORDERED
        starts, rivals, kept = [np.zeros(1, dtype=np.int64)], [], 0
        try:
            for part in parts(self.size, DEARER * len(self.right), deadline):
                start, some, self.lost[part], self.never[part] = pareto.minimal_rivals(
                    self.left, self.right, self.records[part], ordered, self.form.blur, self.homes
                )
                starts.append(start[1:] + kept)
                rivals.append(some)
                kept += len(some)
        except OutOfTime:
            return False
        self._start, self._rivals = np.concatenate(starts), np.concatenate(rivals)
        return True

    def _shared(self) -> BoolArray:
        """The blocks whose own row stands there for another record too."""
        distinct = distinct_rows(self.right)
        return np.asarray(distinct.counts[distinct.labels[self.homes[self.records]]] > 1)
