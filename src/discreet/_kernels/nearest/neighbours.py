"""Records in blocks of neighbours, and blocks in groups: what can be ruled out for all of them at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.arrays import Floats, Ints, Kind, Singles
from discreet._kernels.nearest import grow_loops as loops
from discreet._kernels.threads import in_threads

ROWS_A_TASK = 1 << 15
LANES = 64
GROUP = 64


class Cut(NamedTuple):
    """Records split at medians into blocks of neighbours, as many as a power of 2.

    `order` are the records block after block, `starts` says where each block starts and where the last ends. axes and
    cuts are where the records were split, numbered as in a binary heap.
    """

    order: Ints
    starts: Ints
    axes: Ints
    cuts: Floats

    def homes(self, records: Floats | Singles, threads: int) -> tuple[Ints, Ints]:
        """The block that each of other records [records, columns] falls into, and the records in the order of these."""
        homes = np.empty(len(records), np.int64)

        def task(start: int) -> int:
            some = slice(start, start + ROWS_A_TASK)
            loops.home_leaves(records[some], self.axes, self.cuts, homes[some])
            return start

        loops.home_leaves.machine_code()
        list(in_threads(task, range(0, len(records), ROWS_A_TASK), threads))
        order = np.empty(len(records), np.int64)
        loops.order_by_leaf(homes, len(self.starts) - 1, order)
        return homes, order

    def in_lanes(
        self, records: NDArray[np.generic], nobody: float, kind: type[Kind] | np.dtype[Kind]
    ) -> NDArray[Kind]:
        """The records [records, columns] as [blocks, columns, LANES] of a kind, with `nobody` in the empty lanes."""
        sizes = np.diff(self.starts)
        block = np.repeat(np.arange(len(sizes)), sizes)
        lane = np.arange(len(self.order)) - np.repeat(self.starts[:-1], sizes)
        lanes: NDArray[Kind] = np.full((len(sizes), records.shape[1], LANES), nobody, kind)
        for j, column in enumerate(records.T):
            lanes[block, j, lane] = column[self.order]
        return lanes


def cut_into_blocks(columns: Floats | Singles, most: int, threads: int) -> Cut:
    """The records [columns, records] in blocks of at most so many neighbours; there must be a record."""
    count = columns.shape[1]
    depth = max(0, (-(-count // most) - 1).bit_length())
    keys = np.arange(count)
    axes = np.zeros((1 << depth) - 1, np.int64)
    cuts = np.empty((1 << depth) - 1)
    alone = min(depth, (threads - 1).bit_length())
    loops.split(columns, keys, axes, cuts, 0, 0, count, alone)
    edges = _block_starts(count, alone)

    def branch(which: int) -> int:
        node = (1 << alone) - 1 + which
        loops.split(columns, keys, axes, cuts, node, edges[which], edges[which + 1], depth - alone)
        return which

    list(in_threads(branch, range(1 << alone), threads))
    return Cut(keys & loops.NUMBER, _block_starts(count, depth), axes, cuts)


def _block_starts(count: int, depth: int) -> Ints:
    """Where each of 2**depth blocks starts among the ordered records, and where the last ends."""
    edges = np.array([0, count])
    for _ in range(depth):
        finer = np.empty(2 * len(edges) - 1, np.int64)
        finer[::2] = edges
        finer[1::2] = (edges[:-1] + edges[1:]) >> 1
        edges = finer
    return edges


def in_groups(bounds: NDArray[Kind]) -> NDArray[Kind]:
    """Bounds of blocks [blocks, columns] in groups of at most GROUP neighbours [groups, columns, blocks]."""
    blocks, columns = bounds.shape
    group = min(GROUP, blocks)
    return bounds.reshape(blocks // group, group, columns).swapaxes(1, 2).copy()
