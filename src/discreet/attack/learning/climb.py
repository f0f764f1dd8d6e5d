"""A search along lines: fast, and usually within a record or two of the best there is.

Along theta + t * direction each block holds on one open interval of t, so that the best point of the whole line is
found exactly by sweeping the ends of the intervals. Where rows are made on demand the sweep uses the rows known,
and the point it finds is then checked against everyone, which makes new rows known.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass

import numpy as np

from discreet._kernels.learned import overlap
from discreet._kernels.learned.overlap import SAME
from discreet.attack.learning.blocks import Blocks
from discreet.attack.learning.clock import OutOfTime, check
from discreet.attack.learning.cones import FAR
from discreet.table import BoolArray, FloatArray


@dataclass(slots=True)
class Climber:
    """A point that moves from line to line, and the best verified point so far."""

    blocks: Blocks
    theta: FloatArray
    random: np.random.Generator
    deadline: float
    held: BoolArray

    @classmethod
    def at(cls, blocks: Blocks, theta: FloatArray, random: np.random.Generator, deadline: float) -> Climber:
        """A climber at a point, whose blocks are verified; none is known to hold where there is no time for that."""
        theta = blocks.form.scaled(blocks.form.cone.mend(theta, deadline))
        try:
            held = blocks.verify(theta, until=deadline)
        except OutOfTime:
            held = np.zeros(blocks.size, dtype=np.bool_)
        return cls(blocks, theta, random, deadline, held)

    @property
    def worth(self) -> float:
        return self.blocks.worth(self.held)

    def climb(self, patience: int) -> None:
        """Moves until `patience` rounds in a row bring nothing, or time is up."""
        idle = 0
        try:
            while idle < patience:
                check(self.deadline)
                before = self.worth
                self._round(moves=20)
                idle = 0 if self.worth > before + SAME else idle + 1
        except OutOfTime:
            return

    def kick(self) -> None:
        """Leaves for a point where some block that does not hold now does, whatever that costs; if there is time."""
        missed = np.flatnonzero(~self.held & ~self.blocks.lost)
        if len(missed) == 0:
            return
        rows = np.flatnonzero(self.blocks.owner == self.random.choice(missed))
        rows = rows[self.blocks.values[rows] @ self.theta <= 0.0]
        if len(rows) == 0:
            return
        direction = self.blocks.values[rows].sum(axis=0) * (np.abs(self.theta) + 1e-3)
        _, high = self.blocks.form.cone.reach(self.theta, direction)
        step = min(1.0, high) * self.random.random()
        there = self.blocks.form.cone.mend(self.theta + step * direction, self.deadline)
        theta = self.blocks.form.scaled(there)
        if not np.isfinite(theta).all():
            return
        with contextlib.suppress(OutOfTime):
            self.held = self.blocks.verify(theta, until=self.deadline)
            self.theta = theta

    def _round(self, moves: int) -> None:
        """Some moves over the rows known, then the check against everyone; a step back where that disappoints.

        Raises OutOfTime where the check is not done in time.
        """
        theta = self.theta
        known = self.blocks.worth(self.blocks.holding(theta))
        for _ in range(moves):
            if time.monotonic() > self.deadline:
                break
            theta, known = self._move(theta, known)
        theta = self.blocks.form.cone.mend(theta, self.deadline)
        if len(self.blocks.form.cone.violated(theta, self.deadline)):
            return
        held = self.blocks.verify(theta, until=self.deadline)
        if self.blocks.worth(held) >= self.worth - SAME:
            self.theta, self.held = theta, held

    def _move(self, theta: FloatArray, known: float) -> tuple[FloatArray, float]:
        """The best point of one random line, or theta itself where the line has none as good."""
        form = self.blocks.form
        direction = self._direction(theta)
        low, high = form.cone.reach(theta, direction)
        if not low < high:
            return theta, known
        best, left, right = overlap.best_overlap(
            self.blocks.values @ theta,
            self.blocks.values @ direction,
            self.blocks.owner,
            np.where(self.blocks.lost, 0.0, self.blocks.weights),
            low,
            high,
        )
        if best < known - SAME:
            return theta, known
        left, right = max(left, -FAR), min(right, FAR)
        moved = form.scaled(theta + (left + right) / 2 * direction)
        return (moved, best) if np.isfinite(moved).all() else (theta, known)

    def _direction(self, theta: FloatArray) -> FloatArray:
        if self.random.random() < 0.8:
            return self.blocks.form.direction(theta, self.random)
        margins = self.blocks.values @ theta
        width = 10.0 ** self.random.uniform(-6, -1)
        near = np.exp(-np.abs(margins) / width)
        gradient = near @ self.blocks.values
        return np.asarray(gradient * (np.abs(theta) + self.random.choice([1e-4, 1e-2, 1.0])))
