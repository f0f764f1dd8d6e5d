"""The fewest records to give up so that every known conflict is broken.

Conflicts are sets of records that no parameters re-identify all at once. Whatever the parameters, at least one
record of each conflict is missed; so no fewer are missed than a smallest set that meets every conflict has.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import highspy
import numpy as np

from discreet._kernels.cover import greedy_cover

Conflict = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """Blocks that meet every conflict, the least number that any such set has, and the effort it took to know."""

    blocks: list[int] | None
    least: int
    effort: int


class Conflicts:
    """The conflicts found so far and the integer program over them."""

    def __init__(self) -> None:
        self.known: list[Conflict] = []
        self._seen: set[Conflict] = set()

    def add(self, conflict: Conflict) -> bool:
        """Notes a conflict; whether it is new."""
        fresh = conflict not in self._seen
        if fresh:
            self._seen.add(conflict)
            self.known.append(conflict)
        return fresh

    def quick_cover(self, random: np.random.Generator) -> list[int]:
        """Blocks that meet every conflict, taken one by one by how many they meet, with some luck."""
        if not self.known:
            return []
        members = np.array([block for conflict in self.known for block in conflict])
        ends = np.cumsum([len(conflict) for conflict in self.known])
        luck = random.uniform(0.8, 1.2, int(members.max()) + 1)
        cover: list[int] = greedy_cover(np.concatenate([[0], ends]), members, luck).tolist()
        return cover

    def cover(self, fewer_than: int, nodes: int, deadline: float) -> Cover:
        """A smallest cover of fewer than the given number of blocks, as far as the nodes and the time allow.

        `blocks` is None when there is none or none was found; `least` is proven in any case.
        """
        if not self.known:
            return Cover(blocks=[], least=0, effort=0)
        blocks = sorted({block for conflict in self.known for block in conflict})
        program = _program(self.known, blocks, fewer_than - 1)
        program.setOptionValue("time_limit", max(0.01, deadline - time.monotonic()))
        program.setOptionValue("mip_max_nodes", nodes)
        program.run()
        info = program.getInfo()
        effort = int(info.simplex_iteration_count)
        if program.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
            return Cover(blocks=None, least=fewer_than, effort=effort)
        least = math.ceil(info.mip_dual_bound - 1e-6) if math.isfinite(info.mip_dual_bound) else 0
        chosen = np.flatnonzero(np.array(program.getSolution().col_value) > 0.5)
        found = {blocks[place] for place in chosen}
        complete = all(found.intersection(conflict) for conflict in self.known)
        return Cover(blocks=sorted(found) if complete else None, least=max(0, least), effort=effort)


def _program(conflicts: list[Conflict], blocks: list[int], most: int) -> highspy.Highs:
    """The integer program: as few blocks as possible, at most `most`, at least one of every conflict."""
    program = highspy.Highs()
    program.silent()
    program.setOptionValue("threads", 1)
    program.setOptionValue("mip_rel_gap", 0.0)
    program.setOptionValue("mip_abs_gap", 0.99)
    count = len(blocks)
    place = {block: k for k, block in enumerate(blocks)}
    every = np.arange(count, dtype=np.int32)
    program.addVars(count, np.zeros(count), np.ones(count))
    program.changeColsCost(count, every, np.ones(count))
    program.changeColsIntegrality(count, every, np.ones(count, dtype=np.uint8))
    columns = [place[block] for conflict in conflicts for block in conflict]
    lengths = np.array([len(conflict) for conflict in conflicts] + [count])
    starts = (np.cumsum(lengths) - lengths).astype(np.int32)
    entries = np.concatenate([np.array(columns, dtype=np.int32), every])
    low = np.append(np.ones(len(conflicts)), 0.0)
    high = np.append(np.full(len(conflicts), highspy.kHighsInf), float(most))
    program.addRows(len(lengths), low, high, len(entries), starts, entries, np.ones(len(entries)))
    return program
