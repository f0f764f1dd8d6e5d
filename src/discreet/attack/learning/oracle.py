"""Can a set of records be re-identified all at once? A linear program says yes with parameters, or no with a reason.

The program asks for the largest margin t with row . theta >= t for every row (of unit length) of the blocks kept,
theta in its cone and normalised. Inequalities of the cone, and rows that are made on demand, come in only when a
solution breaks them. A margin that is not positive means no, and the blocks of the rows that prove it are the reason;
shrunk by deletion they are a minimal conflict.
"""

from __future__ import annotations

import numpy as np

from discreet._kernels.learned import margin as kernel
from discreet.attack.learning.blocks import NO_MARGIN, Blocks
from discreet.attack.learning.clock import check
from discreet.table import BoolArray, FloatArray, IntArray

WARM_START = -1
NO_BLOCKS: IntArray = np.empty(0, dtype=np.int64)


class Oracle:
    """One linear program that is changed and solved again from where it stood."""

    def __init__(self, blocks: Blocks, deadline: float) -> None:
        self.blocks = blocks
        self.deadline = deadline
        form = blocks.form
        self._fixed = kernel.Inequalities(
            np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0), np.empty(0)
        )
        one = np.eye(form.size)
        self._demand(-one, -form.upper)
        self._demand(one, form.lower)
        if form.normal is not None:
            self._demand(np.vstack([form.normal, -form.normal]), np.array([1.0, -1.0]))
        self._demand(form.cone.rows, np.zeros(len(form.cone.rows)))
        self._basis = np.empty(0, dtype=np.int64)
        self._inverse = np.empty((0, 0))

    def solve(self, kept: BoolArray, *, widest: bool = False) -> tuple[FloatArray | None, IntArray]:
        """Parameters that satisfy all blocks kept, or None and the blocks that together cannot be satisfied.

        With `widest` the parameters are those of the largest margin. Where rounding leaves the question open the answer
        is parameters that may miss a block: nothing is called impossible without a proof.
        """
        blocks, cone = self.blocks, self.blocks.form.cone
        while True:
            check(self.deadline)
            impossible, theta, blamed = self._ask(kept, widest)
            if impossible:
                return None, blamed
            if blocks.complete:
                return cone.mend(theta), NO_BLOCKS
            known = len(blocks.values)
            blocks.verify(theta, kept, until=self.deadline)
            if len(blocks.values) > known:
                continue
            cuts = cone.violated(theta, self.deadline)
            self._demand(cuts, np.zeros(len(cuts)))
            mended = cone.mend(theta, self.deadline)
            held = blocks.verify(mended, kept, until=self.deadline)
            if held[kept].all() or (len(blocks.values) == known and len(cuts) == 0):
                return mended, NO_BLOCKS

    def never(self, kept: BoolArray) -> bool:
        """Whether no parameters even bring the own rows of all these blocks among the nearest ones, ties included.

        Asked of blocks that cannot all hold: the margin is below zero, by more than a blur of the rows explains.
        """
        active = kept[self.blocks.owner]
        wanted = np.flatnonzero(active)
        if len(wanted) == 0 or self.blocks.form.normal is None:
            # Without a norm, parameters of zero bring everybody among the nearest.
            return False
        limit = -NO_MARGIN - float(self.blocks.doubts[wanted].max())
        end, _, _ = self._largest_margin(wanted, active, False, WARM_START, limit)
        return bool(end == kernel.BELOW)

    def shrink(self, conflict: IntArray, random: np.random.Generator) -> tuple[int, ...]:
        """A conflict inside the given one that loses its force when any block is left out."""
        needed: list[int] = []
        rest: list[int] = random.permutation(conflict).tolist()
        while rest:
            block = rest.pop()
            kept = np.zeros(self.blocks.size, dtype=np.bool_)
            kept[needed + rest] = True
            theta, blamed = self.solve(kept) if kept.any() else (np.empty(0), NO_BLOCKS)
            if theta is not None:
                needed.append(block)
            else:
                rest = [each for each in rest if each in set(blamed.tolist())]
        return tuple(sorted(needed))

    def _ask(self, kept: BoolArray, widest: bool) -> tuple[bool, FloatArray, IntArray]:
        """Whether the known rows of the blocks kept cannot all hold, a point, and the blocks that prove it."""
        blocks = self.blocks
        active = kept[blocks.owner]
        wanted = np.flatnonzero(active)
        if len(wanted) == 0:
            return False, blocks.form.cone.mend(self._anywhere()), NO_BLOCKS
        for start in (WARM_START, 0, len(wanted) // 2):
            end, theta, weights = self._largest_margin(wanted, active, widest, start)
            if end != kernel.LOST:
                break
        if end != kernel.BELOW:
            return False, theta, NO_BLOCKS
        proof = self._basis[(weights > 1e-12) & (self._basis >= 0)]
        return True, theta, np.unique(blocks.owner[proof[active[proof]]])

    def _largest_margin(
        self, wanted: IntArray, active: BoolArray, widest: bool, start: int, limit: float = NO_MARGIN
    ) -> tuple[int, FloatArray, FloatArray]:
        """How the search for the largest margin ended, the point and the weights; from one of the rows, or on.

        It ends as BELOW where the margin is at most the limit.
        """
        fresh = start != WARM_START or len(self._basis) == 0
        if fresh:
            self._start_at(int(wanted[max(0, start)]))
        rows = kernel.Rows(self.blocks.values, wanted, active)
        cap = 4.0 * self.blocks.form.size
        memory = np.array([0.0, np.inf])
        for _ in range(kernel.MOST_TURNS // kernel.FRESH_AFTER):
            check(self.deadline)
            try:
                end, _, theta, weights = kernel.largest_margin(
                    self._fixed, rows, cap, limit, not widest, self._basis, self._inverse, fresh, memory
                )
            except np.linalg.LinAlgError:
                break
            if end != kernel.UNFINISHED:
                return end, theta, weights
            fresh = True
        return kernel.LOST, self._anywhere(), np.zeros(len(self._basis))

    def _start_at(self, row: int) -> None:
        """Puts the basis where one row alone is balanced by the bounds of theta."""
        size = self.blocks.form.size
        upper = kernel.FIRST - np.arange(size)
        balance = np.where(self.blocks.values[row] >= 0, upper, upper - size)
        self._basis = np.append(balance, row)
        self._inverse = np.empty((size + 1, size + 1))

    def _anywhere(self) -> FloatArray:
        """Some parameters, for when nothing is asked of them."""
        columns = self.blocks.form.columns
        return self.blocks.form.starts(np.full(columns, 1 / columns))[0]

    def _demand(self, rows: FloatArray, least: FloatArray) -> None:
        """Adds inequalities row . theta >= least that always hold."""
        where, columns = np.nonzero(rows)
        known = self._fixed
        ends = len(known.columns) + np.searchsorted(where, np.arange(1, len(rows) + 1))
        self._fixed = kernel.Inequalities(
            start=np.concatenate([known.start, ends]),
            columns=np.concatenate([known.columns, columns]),
            value=np.concatenate([known.value, rows[where, columns]]),
            least=np.concatenate([known.least, least]),
        )
