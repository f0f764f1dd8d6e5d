"""The most records that any parameters re-identify, by their weights: what is found, and what is out of reach.

An implicit hitting set: a search along lines gives a first answer; then the fewest records that meet all known
conflicts are given up, a linear program says whether the others can be re-identified all at once, and either that is a
better answer or it brings new conflicts. When no set of fewer records than the answer misses meets all conflicts,
the answer is the best there is.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from discreet._kernels.learned.overlap import SAME
from discreet.attack.learning.blocks import Blocks
from discreet.attack.learning.climb import Climber
from discreet.attack.learning.clock import OutOfTime, check
from discreet.attack.learning.hitting import Conflicts
from discreet.attack.learning.oracle import Oracle
from discreet.table import BoolArray, FloatArray, IntArray

Report = Callable[[float, float], None]
LAST_CHECKS = 2
"""How many checks of all records come after the search, about."""
SHRINKS = 2
"""How many minimal conflicts are taken out of each one found."""


class Worst:
    """The search for the parameters that re-identify the most, with the best found and the bound proven so far."""

    def __init__(self, blocks: Blocks, random: np.random.Generator, deadline: float, report: Report) -> None:
        self.blocks = blocks
        self.random = random
        self.deadline = deadline
        self.report = report
        self.theta: FloatArray = np.empty(0)
        self.held: BoolArray = np.zeros(blocks.size, dtype=np.bool_)
        self.possible: BoolArray = np.zeros(blocks.size, dtype=np.bool_)
        """Blocks seen to hold for some parameters."""
        self.missing = 0.0
        """What the blocks weigh that can hold alone and are proven to be missed all the same."""
        self.conflicts = Conflicts(blocks.weights)

    @property
    def found(self) -> float:
        return self.blocks.worth(self.held)

    @property
    def bound(self) -> float:
        proven = self._alive() - self.missing
        # More found than proven possible: by margins that proofs do not look at, so that they say nothing here.
        return proven if self.found <= proven + SAME else self._alive()

    @property
    def settled(self) -> bool:
        """Whether nothing that weighs can be found any more."""
        return self.found >= self.bound - self.conflicts.step * (1 + SAME)

    def most(self, until: float) -> float:
        """What no parameters exceed, where a record that is as near to rows of others as to its own counts 1/t.

        Such a record is as near to one more row at the least than its own stands often. Records that cannot hold but
        may be tied count that much; the others as far as the conflicts allow.
        """
        blocks = self.blocks
        ties = 1.0 / (blocks.copies + 1)
        missing = self.conflicts.least_missing(ties, until)
        return self._alive() - missing + float(ties[blocks.lost & ~blocks.never].sum())

    def note(self, theta: FloatArray, held: BoolArray) -> bool:
        """Keeps these parameters if they are the best so far; whether they are."""
        self.possible |= held
        if len(self.theta) and self.blocks.worth(held) <= self.found + SAME:
            return False
        self.theta, self.held = theta, held
        self.report(self.found, self.bound)
        return True

    def climb(self, starts: list[FloatArray], patience: int, kicks: int) -> None:
        """Searches along lines from each start, with some kicks out of where the search got stuck."""
        began = time.monotonic()
        climber = Climber.at(self.blocks, starts[0], self.random, self.deadline)
        now = time.monotonic()
        # Checks against everyone also end a search: they get the time that this one took.
        self.deadline -= min(LAST_CHECKS * (now - began), (self.deadline - now) / 2)
        until = now + 0.4 * max(0.0, self.deadline - now)
        for place, start in enumerate(starts):
            if place > 0:
                climber = Climber.at(self.blocks, start, self.random, until)
            climber.deadline = until
            self.note(climber.theta, climber.held)
            for _ in range(kicks + 1):
                climber.climb(patience)
                if not self.note(climber.theta, climber.held):
                    climber.theta, climber.held = self.theta, self.held
                if time.monotonic() > until or self.settled:
                    return
                climber.kick()

    def go_on(self, starts: list[FloatArray], deadline: float, patience: int) -> None:
        """Looks at more points, and goes on from the best of all until the new deadline."""
        self.deadline = deadline
        for start in starts:
            climber = Climber.at(self.blocks, start, self.random, deadline)
            self.note(climber.theta, climber.held)
        self.climb_on(patience)

    def climb_on(self, patience: int) -> None:
        """Goes on from the best found, with kicks, until time is up or nothing more can be found."""
        climber = Climber(self.blocks, self.theta, self.random, self.deadline, self.held)
        while time.monotonic() < self.deadline and not self.settled:
            climber.kick()
            climber.climb(patience)
            if not self.note(climber.theta, climber.held):
                climber.theta, climber.held = self.theta, self.held

    def prove(self) -> bool:
        """Improves the best found and the bound until they meet; False where there is no time for the next step."""
        oracle = Oracle(self.blocks, self.deadline)
        try:
            self._settle_single_blocks(oracle)
            self._try_each_missed(oracle)
            self._close_gap(oracle)
            self._move_to_middle(oracle)
        except OutOfTime:
            return False
        return True

    def _close_gap(self, oracle: Oracle) -> None:
        """Gives up as few blocks as meet all conflicts, and asks for the others, until nothing better is left."""
        nodes = 100
        while not self.settled:
            hitting_set = self.conflicts.hitting_set(self._alive() - self.found, nodes, self.deadline)
            self._raise(hitting_set.least)
            check(self.deadline)
            if hitting_set.blocks is None:
                nodes *= 2
            elif self._follow(hitting_set.blocks, oracle):
                if self.blocks.weights[hitting_set.blocks].sum() <= hitting_set.least + SAME:
                    # All but the fewest possible can hold at once: better is impossible, even if rounding hides some.
                    return
                nodes *= 2
            # The more expensive the hitting set was, the more conflicts are looked for before the next: about as long,
            # by trial.
            for _ in range(hitting_set.effort // (2 * self.blocks.form.size**2)):
                self._follow(self.conflicts.quick_hitting_set(self.random), oracle)

    def _move_to_middle(self, oracle: Oracle) -> None:
        """Moves the parameters to where the blocks that hold do so by the largest margin."""
        if self.held.any():
            theta, _ = oracle.solve(self.held, widest=True)
            if theta is not None and self._keeps(held := self._verified(theta)):
                self.theta, self.held = theta, held

    def draw_near(self, home: FloatArray, until: float) -> None:
        """Moves the parameters as near to `home` as can be without losing a block that holds, if there is time.

        Many parameters can be equally good. Those near a sensible point say more about the columns than others do.
        """
        home = self.blocks.form.scaled(self.blocks.form.cone.mend(home, until))
        rows = self.blocks.values[self.held[self.blocks.owner]]
        here, there = rows @ self.theta, rows @ home
        falling = here > there
        share = float(np.min(here[falling] / (here[falling] - there[falling]), initial=1.0))
        for part in (1.0, 0.9 * share):
            theta = self.blocks.form.scaled((1 - part) * self.theta + part * home)
            try:
                held = self.blocks.verify(theta, until=until)
            except OutOfTime:
                return
            if self._keeps(held):
                self.theta, self.held = theta, held
                return

    def _verified(self, theta: FloatArray) -> BoolArray:
        """The blocks that hold at theta; raises OutOfTime."""
        return self.blocks.verify(theta, until=self.deadline)

    def _keeps(self, held: BoolArray) -> bool:
        """Whether these blocks are worth no less than the best found."""
        return self.blocks.worth(held) >= self.found - SAME

    def _alive(self) -> float:
        return self.blocks.worth(~self.blocks.lost)

    def _raise(self, least: float) -> None:
        if least > self.missing:
            self.missing = least
            self.report(self.found, self.bound)

    def _settle_single_blocks(self, oracle: Oracle) -> None:
        """Finds the blocks that no parameters satisfy even alone: they explain most of what is missed."""
        for block in np.flatnonzero(~self.possible & ~self.blocks.lost):
            alone = np.zeros(self.blocks.size, dtype=np.bool_)
            alone[block] = True
            theta, _ = oracle.solve(alone)
            self.blocks.lost[block] = theta is None
            self.blocks.never[block] = theta is None and oracle.never(alone)
            self.possible[block] = theta is not None
        self.report(self.found, self.bound)

    def _try_each_missed(self, oracle: Oracle) -> None:
        """Tries to add each missed block to those that hold; where that fails the conflict is noted."""
        for block in np.flatnonzero(~self.held & ~self.blocks.lost):
            if self.held[block]:
                continue
            wanted = self.held.copy()
            wanted[block] = True
            theta, blamed = oracle.solve(wanted)
            if theta is None:
                self._shrink(blamed, oracle)
            else:
                self.note(theta, self._verified(theta))

    def _follow(self, given_up: list[int], oracle: Oracle) -> bool:
        """Asks for all blocks but those given up; notes conflicts until the rest can hold. Whether it could at once."""
        wanted = ~self.blocks.lost
        wanted[given_up] = False
        at_once = True
        while True:
            theta, blamed = oracle.solve(wanted)
            if theta is not None:
                self.note(theta, self._verified(theta))
                return at_once
            at_once = False
            wanted[list(self._shrink(blamed, oracle))] = False

    def _shrink(self, blamed: IntArray, oracle: Oracle) -> tuple[int, ...]:
        conflict: tuple[int, ...] = ()
        for _ in range(SHRINKS):
            conflict = oracle.shrink(blamed, self.random)
            if self.conflicts.add(conflict):
                together = np.zeros(self.blocks.size, dtype=np.bool_)
                together[list(conflict)] = True
                self.conflicts.never[conflict] = oracle.never(together)
        return conflict
