"""Records in blocks of neighbours, a lane each, and blocks in groups: what can be ruled out for all of them at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet._kernels import grow_loops
from discreet._kernels.arrays import Floats, Ints, Kind
from discreet._kernels.tree import leaf_starts

LANES = 64
GROUP = 64


class Cut(NamedTuple):
    """Records split at medians into blocks of at most LANES, as the search tree does.

    `order` are the records block after block, `starts` says where each block starts and where the last ends. The
    blocks are as many as a power of 2. axes and cuts are where the records were split.
    """

    order: Ints
    starts: Ints
    axes: Ints
    cuts: Floats

    def homes(self, records: Floats) -> Ints:
        """The block that each of other records [records, columns] falls into."""
        homes = np.empty(len(records), np.int64)
        grow_loops.home_leaves(records, self.axes, self.cuts, homes)
        return homes

    def in_lanes(self, records: NDArray[Kind], nobody: float) -> NDArray[Kind]:
        """The records [records, columns] as [blocks, columns, LANES], with `nobody` in the lanes that are empty."""
        sizes = np.diff(self.starts)
        block = np.repeat(np.arange(len(sizes)), sizes)
        lane = np.arange(len(self.order)) - np.repeat(self.starts[:-1], sizes)
        lanes = np.full((len(sizes), records.shape[1], LANES), nobody, records.dtype)
        lanes[block, :, lane] = records[self.order]
        return lanes


def cut_into_blocks(records: Floats) -> Cut:
    """The records [records, columns] in blocks of neighbours; there must be a record."""
    count = len(records)
    depth = max(0, (-(-count // LANES) - 1).bit_length())
    keys = np.arange(count)
    inner = (1 << depth) - 1
    axes, cuts = np.empty(inner, np.int64), np.empty(inner)
    grow_loops.split(np.ascontiguousarray(records.T), keys, axes, cuts, 0, 0, count, depth)
    return Cut(keys & grow_loops.NUMBER, leaf_starts(count, depth), axes, cuts)


def in_groups(bounds: NDArray[Kind]) -> NDArray[Kind]:
    """Bounds of blocks [blocks, columns] in groups of at most GROUP neighbours [groups, columns, blocks]."""
    blocks, columns = bounds.shape
    group = min(GROUP, blocks)
    return bounds.reshape(blocks // group, group, columns).swapaxes(1, 2).copy()
