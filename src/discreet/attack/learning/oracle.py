"""Can a set of records be re-identified all at once? A linear program says yes with parameters, or no with a reason.

The program asks for the largest margin t with row . theta >= t for every row (of unit length) of the blocks kept,
theta in its cone and normalised. Rows and cone inequalities come in only when a solution breaks them. A margin that
is not positive means no, and the blocks of the rows that say so are the reason; shrunk by deletion they are a minimal
conflict. What is solved is the dual program, whose basis is as small as theta is, however many rows there are.
"""

from __future__ import annotations

import time

import highspy
import numpy as np

from discreet.attack.learning.blocks import Blocks
from discreet.table import BoolArray, FloatArray, IntArray

NO_MARGIN = 1e-9
"""Margins up to this count as none: rows have unit length and theta is of order one."""

OPEN = highspy.kHighsInf


NOBODY: IntArray = np.empty(0, dtype=np.int64)


class OutOfTime(Exception):
    """The deadline passed before the question was answered."""


class Oracle:
    """One linear program that is changed and solved again from where it stood."""

    def __init__(self, blocks: Blocks, deadline: float) -> None:
        self.blocks = blocks
        self.deadline = deadline
        self.asked = 0
        form = blocks.form
        size = form.size
        self._rows = np.empty(0, dtype=np.int64)
        """Which of the known rows of the blocks the program holds, in its order."""
        self._place = np.empty(0, dtype=np.int64)
        """Where in the program they are."""
        self._active = np.empty(0, dtype=np.bool_)
        self._held = np.zeros(0, dtype=np.bool_)
        self._program = _empty_program()
        none, nothing = np.empty(0, dtype=np.int32), np.empty(0)
        right = np.append(np.zeros(size), 1.0)
        self._program.addRows(size + 1, right, right, 0, np.zeros(size + 1, dtype=np.int32), none, nothing)
        self._add(np.zeros((1, size)), np.array([4.0 * size]), margin=1.0)
        self._add(np.eye(size), form.upper)
        self._add(-np.eye(size), -form.lower)
        if form.normal is not None:
            self._add(form.normal[None, :], np.ones(1), low=-OPEN)
        self._add(-form.cone.rows, np.zeros(len(form.cone.rows)))

    def solve(self, kept: BoolArray) -> tuple[FloatArray | None, IntArray]:
        """Parameters that satisfy all blocks kept, or None and the blocks that together cannot be satisfied."""
        self.asked += 1
        self._activate(kept)
        while True:
            if time.monotonic() > self.deadline:
                raise OutOfTime
            margin, theta, duals = self._run()
            if margin <= NO_MARGIN:
                blamed = self._rows[np.abs(duals[self._place]) > 1e-11]
                return None, np.unique(self.blocks.owner[blamed])
            if self._add_broken(theta, kept):
                continue
            if self.blocks.form.complete:
                return self.blocks.form.cone.mend(theta), NOBODY
            self.blocks.verify(theta, kept)
            if self._add_broken(theta, kept):
                continue
            cuts = self.blocks.form.cone.violated(theta)
            self._add(-cuts, np.zeros(len(cuts)))
            mended = self.blocks.form.cone.mend(theta)
            held = self.blocks.verify(mended, kept)
            if held[kept].all() or not (self._add_broken(mended, kept) or len(cuts)):
                return mended, NOBODY

    def shrink(self, conflict: IntArray, random: np.random.Generator) -> tuple[int, ...]:
        """A conflict inside the given one that loses its force when any block is left out."""
        needed: list[int] = []
        rest: list[int] = random.permutation(conflict).tolist()
        while rest:
            block = rest.pop()
            kept = np.zeros(self.blocks.size, dtype=np.bool_)
            kept[needed + rest] = True
            if not kept.any():
                needed.append(block)
                break
            theta, blamed = self.solve(kept)
            if theta is not None:
                needed.append(block)
            else:
                rest = [each for each in rest if each in set(blamed.tolist())]
        return tuple(sorted(needed))

    def _activate(self, kept: BoolArray) -> None:
        """Switches the rows of the blocks kept on and the others off."""
        wanted = kept[self.blocks.owner[self._rows]]
        change = np.flatnonzero(wanted != self._active)
        if len(change):
            self._program.changeColsBounds(
                len(change),
                self._place[change].astype(np.int32),
                np.zeros(len(change)),
                np.where(wanted[change], OPEN, 0.0),
            )
            self._active = wanted

    def _run(self) -> tuple[float, FloatArray, FloatArray]:
        self._program.run()
        status = self._program.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:
            # A warm start can lead the simplex astray; from scratch it recovers.
            self._program.clearSolver()
            self._program.run()
        solution = self._program.getSolution()
        duals = np.array(solution.row_dual)
        return (
            float(self._program.getInfo().objective_function_value),
            duals[:-1],
            np.array(solution.col_value),
        )

    def _add_broken(self, theta: FloatArray, kept: BoolArray, most: int = 50) -> bool:
        """Takes in the worst known row of each block kept that theta breaks; whether there was one."""
        values = self.blocks.values @ theta
        values[~kept[self.blocks.owner]] = 1.0
        if len(self._held) < len(values):
            self._held = np.concatenate([self._held, np.zeros(len(values) - len(self._held), dtype=np.bool_)])
        values[self._held] = 1.0
        broken = np.flatnonzero(values <= NO_MARGIN / 2)
        broken = broken[np.argsort(values[broken], kind="stable")]
        _, first = np.unique(self.blocks.owner[broken], return_index=True)
        rows = broken[np.sort(first)][:most]
        if len(rows) == 0:
            return False
        before = self._program.getNumCol()
        self._add(-self.blocks.values[rows], np.zeros(len(rows)), margin=1.0)
        self._rows = np.concatenate([self._rows, rows])
        self._place = np.concatenate([self._place, np.arange(before, before + len(rows))])
        self._active = np.concatenate([self._active, np.ones(len(rows), dtype=np.bool_)])
        self._held[rows] = True
        return True

    def _add(self, rows: FloatArray, costs: FloatArray, *, margin: float = 0.0, low: float = 0.0) -> None:
        count = len(rows)
        if count == 0:
            return
        full = np.hstack([rows, np.full((count, 1), margin)])
        where, columns = np.nonzero(full)
        starts = np.searchsorted(where, np.arange(count)).astype(np.int32)
        self._program.addCols(
            count,
            costs,
            np.full(count, low),
            np.full(count, OPEN),
            len(columns),
            starts,
            columns.astype(np.int32),
            full[where, columns],
        )


def _empty_program() -> highspy.Highs:
    program = highspy.Highs()
    program.silent()
    for option, value in (
        ("threads", 1),
        ("presolve", "off"),
        ("primal_feasibility_tolerance", 1e-10),
        ("dual_feasibility_tolerance", 1e-10),
    ):
        program.setOptionValue(option, value)
    return program
