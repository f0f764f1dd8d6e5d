"""The least that has to be given up so that every known conflict is broken.

Conflicts are sets of records that no parameters re-identify all at once. Whatever the parameters, at least one
record of each conflict is missed; so no less is missed than a lightest set weighs that meets every conflict.

A record can also be as near to a row of another as to its own, and then counts in part. Of a conflict that has such
ties at all, parameters that lose none of its records leave all of them tied: a sum of their inequalities with positive
factors is at most zero, so that none can be above zero while the others are not below.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import highspy
import numpy as np

from discreet._kernels.learned.hitting_set import greedy_hitting_set
from discreet.table import FloatArray

Conflict = tuple[int, ...]
Row = tuple[list[int], list[float], float]
"""Columns of a program, their factors, and what they must add up to at least."""
MOST_NODES = 10_000
STEP = 1e-6
"""Where weights differ, sums of them that are no farther apart are one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HittingSet:
    """Blocks that meet every conflict, the least that any such set weighs, and the effort it took to know."""

    blocks: list[int] | None
    least: float
    effort: int


class Conflicts:
    """The conflicts found so far and the integer program over them."""

    def __init__(self, weights: FloatArray) -> None:
        self.weights = weights
        self.known: list[Conflict] = []
        self.never: dict[Conflict, bool] = {}
        """Whether no parameters even bring all of a conflict among the nearest, ties included."""
        self._seen: set[Conflict] = set()
        self._unit = float(weights[0]) if len(weights) and np.ptp(weights) == 0 else 0.0
        self.step = self._unit / 2 if self._unit else STEP
        """Bounds that are no farther than this above what is found are met."""

    def add(self, conflict: Conflict) -> bool:
        """Notes a conflict; whether it is new."""
        fresh = conflict not in self._seen
        if fresh:
            self._seen.add(conflict)
            self.known.append(conflict)
        return fresh

    def quick_hitting_set(self, random: np.random.Generator) -> list[int]:
        """Blocks that meet every conflict, taken one by one by how many they meet, with some luck."""
        if not self.known:
            return []
        members = np.array([block for conflict in self.known for block in conflict])
        ends = np.cumsum([len(conflict) for conflict in self.known])
        luck = random.uniform(0.8, 1.2, int(members.max()) + 1)
        hitting_set: list[int] = greedy_hitting_set(
            np.concatenate([[0], ends]), members, luck / self.weights[: len(luck)]
        ).tolist()
        return hitting_set

    def hitting_set(self, less_than: float, nodes: int, deadline: float) -> HittingSet:
        """A lightest hitting set of less than the given weight, as far as the nodes and the time allow.

        `blocks` is None when there is none or none was found; `least` is proven in any case.
        """
        if not self.known:
            return HittingSet(blocks=[], least=0.0, effort=0)
        blocks = sorted({block for conflict in self.known for block in conflict})
        place = {block: k for k, block in enumerate(blocks)}
        sets = [[place[block] for block in conflict] for conflict in self.known]
        rows: list[Row] = [(each, [1.0] * len(each), 1.0) for each in sets]
        costs = self.weights[blocks]
        less = self._unit * (1 - 1e-6) if self._unit else STEP
        rows.append((list(range(len(blocks))), (-costs).tolist(), less - less_than))
        program = _program(costs, rows, self._unit)
        solved = _solve(program, nodes, deadline)
        effort = int(program.getInfo().simplex_iteration_count)
        if solved is None:
            return HittingSet(
                blocks=None, least=less_than - (0.0 if self._unit else self.step), effort=effort
            )
        least, values = solved
        found = {blocks[k] for k in np.flatnonzero(values > 0.5)}
        complete = all(found.intersection(conflict) for conflict in self.known)
        return HittingSet(
            blocks=sorted(found) if complete else None, least=self._rounded(least), effort=effort
        )

    def least_missing(self, ties: FloatArray, deadline: float) -> float:
        """What is missed at the least if a record that is tied counts as much as `ties` says.

        Each record is lost, tied or won. Of a conflict at least one record is lost or, where it has ties, all are tied.
        """
        if not self.known:
            return 0.0
        blocks = sorted({block for conflict in self.known for block in conflict})
        place = {block: k for k, block in enumerate(blocks)}
        count = len(blocks)
        rows: list[Row] = []
        for conflict in self.known:
            lost = [place[block] for block in conflict]
            if self.never.get(conflict, False):
                rows.append((lost, [1.0] * len(lost), 1.0))
            else:
                tied = [count + each for each in lost]
                rows.append((lost + tied, [1.0] * len(lost) + [1.0 / len(lost)] * len(lost), 1.0))
        weights, part = self.weights[blocks], ties[blocks]
        program = _program(np.concatenate([weights, weights - part]), rows, 0.0)
        solved = _solve(program, MOST_NODES, deadline)
        return 0.0 if solved is None else max(0.0, solved[0] - STEP)

    def _rounded(self, least: float) -> float:
        """The next weight that a set of blocks can have; the number itself where weights differ."""
        if not self._unit:
            return max(0.0, least - STEP)
        return max(0, math.ceil(least / self._unit - 1e-6)) * self._unit


def _solve(program: highspy.Highs, nodes: int, deadline: float) -> tuple[float, FloatArray] | None:
    """The bound on the cost and the values found, as far as nodes and time allow; None where there are none."""
    program.setOptionValue("time_limit", max(0.01, deadline - time.monotonic()))
    program.setOptionValue("mip_max_nodes", nodes)
    program.run()
    if program.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
        return None
    bound = program.getInfo().mip_dual_bound
    return bound if math.isfinite(bound) else 0.0, np.array(program.getSolution().col_value)


def _program(costs: FloatArray, rows: list[Row], unit: float) -> highspy.Highs:
    """The integer program: values of 0 or 1 with the least cost that keep to the rows; costs are all one unit, or 0."""
    program = highspy.Highs()
    program.silent()
    program.setOptionValue("threads", 1)
    program.setOptionValue("mip_rel_gap", 0.0)
    program.setOptionValue("mip_abs_gap", 0.99 * unit if unit else STEP)
    count = len(costs)
    every = np.arange(count, dtype=np.int32)
    program.addVars(count, np.zeros(count), np.ones(count))
    program.changeColsCost(count, every, costs)
    program.changeColsIntegrality(count, every, np.ones(count, dtype=np.uint8))
    lengths = np.array([len(columns) for columns, _, _ in rows])
    starts = (np.cumsum(lengths) - lengths).astype(np.int32)
    entries = np.array([column for columns, _, _ in rows for column in columns], dtype=np.int32)
    factors = np.array([factor for _, some, _ in rows for factor in some])
    low = np.array([least for _, _, least in rows])
    high = np.full(len(rows), highspy.kHighsInf)
    program.addRows(len(rows), low, high, len(entries), starts, entries, factors)
    return program
