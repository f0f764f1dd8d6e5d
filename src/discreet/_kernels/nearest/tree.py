"""A search tree over distinct points that finds exact nearest neighbours with all their ties."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet._kernels.arrays import Floats, Ints, Singles
from discreet._kernels.nearest import grow_loops as loops
from discreet._kernels.nearest.neighbours import ROWS_A_TASK, cut_into_blocks
from discreet._kernels.nearest.search_loops import Limits, Tree, TreeQueries, TreeTargets, search
from discreet._kernels.nearest.simd import FAN, FAN_BITS, LEAF
from discreet._kernels.nearest.tie_loops import NearestDistinct
from discreet._kernels.threads import Progress, in_threads

QUERIES_A_TASK = 4096
# Larger products would be shared among threads of their own.
PRODUCTS_AT_A_TIME = 1 << 17
SAMPLE_FOR_AXES = 4096
# A scale for less than this would be infinite.
SHORTEST = 1e-300


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Principal axes that turn points near the targets into lengths of at most 1.

    The distance between two turned points is off by at most `margin` from that of the points, times the scale.
    """

    centre: Floats
    axes: Floats
    scale: float
    margin: float

    def turned(self, points: Floats, threads: int) -> Singles:
        """The points in the axes of the frame, rounded to single precision."""
        places = np.empty(points.shape, np.float32)
        step = max(1, PRODUCTS_AT_A_TIME // len(self.centre) ** 2)

        def task(start: int) -> int:
            for row in range(start, min(start + ROWS_A_TASK, len(points)), step):
                some = slice(row, min(row + step, start + ROWS_A_TASK))
                places[some] = (points[some] - self.centre) @ self.axes
            return start

        list(in_threads(task, range(0, len(points), ROWS_A_TASK), threads))
        return places


def frame_of(targets: Floats, queries: Floats) -> Frame:
    """Principal axes of the targets, with a scale that keeps all targets and queries within a length of 1.

    The axes come from an evenly spaced sample: any rotation is valid, a good one prunes more. The scale is a
    power of two, so scaling rounds nothing. The margin bounds the errors of turning two points of length 1, and
    of axes that are not quite orthogonal.
    """
    width = targets.shape[1]
    sample = targets[:: max(1, len(targets) // SAMPLE_FOR_AXES)]
    centre = sample.mean(axis=0)
    spread = sample - centre
    axes = np.linalg.eigh(spread.T @ spread)[1][:, ::-1]
    skew = float(np.abs(axes.T @ axes - np.eye(width)).sum())
    farthest = np.zeros(width)
    loops.stretch(targets, centre, farthest)
    loops.stretch(queries, centre, farthest)
    largest = float(farthest.max())
    length = largest * float(np.sqrt(((farthest / largest) ** 2).sum())) if largest > SHORTEST else SHORTEST
    scale = 2.0 ** -np.ceil(np.log2(length) + 1e-9)
    margin = 8.0 * float(np.finfo(np.float64).eps) * (width + 8) ** 1.5 + 2.0 * skew
    return Frame(centre=centre, axes=np.ascontiguousarray(axes * scale), scale=float(scale), margin=margin)


def grow(places: Singles, *, threads: int) -> Tree:
    """The tree over places [count, width] in a frame, count and width at least 1."""
    columns = np.ascontiguousarray(places.T)
    cut = cut_into_blocks(columns, LEAF, threads)
    leaves, width = len(cut.starts) - 1, len(columns)
    levels, children = _number_nodes(leaves.bit_length() - 1)
    blocks = np.full((leaves, width, LEAF), np.inf, np.float32)
    boxes = np.empty((len(children), 2, width, FAN), np.float32)
    boxes[:, 0] = np.inf
    boxes[:, 1] = -np.inf
    loops.fill(columns, cut.order, cut.starts, blocks, boxes, levels)
    return Tree(cut, blocks, boxes, children)


def _number_nodes(depth: int) -> tuple[Ints, Ints]:
    """First node of each level, and first child of each node, for 2**depth leaves numbered after all nodes."""
    heights = range(-(-depth // FAN_BITS) * FAN_BITS, 0, -FAN_BITS)
    sizes = [1 << max(0, depth - height) for height in heights]
    levels = np.cumsum([0, *sizes])
    children = [levels[level + 1] + FAN * np.arange(size) for level, size in enumerate(sizes)]
    return levels[:-1], np.concatenate([np.zeros(0, np.int64), *children])


def nearest_in(
    targets: Floats,
    queries: Floats,
    bounds: Floats,
    counts: Ints,
    firsts: Ints,
    *,
    slack: float,
    threads: int,
    progress: Progress | None,
) -> NearestDistinct:
    """Least squared distance of each query to distinct targets, how many records tie with it, and the lowest.

    `bounds` holds for each query the squared distance to some target, or infinity; `counts` and `firsts` how many
    records each target stands for and their lowest number.
    """
    total = len(queries)
    frame = frame_of(targets, queries)
    tree = grow(frame.turned(targets, threads), threads=threads)
    places = frame.turned(queries, threads)
    homes, order = tree.cut.homes(places, threads)
    in_leaves = TreeTargets(
        targets.take(tree.cut.order, axis=0), counts[tree.cut.order], firsts[tree.cut.order]
    )
    found = NearestDistinct.room(total)
    limits = Limits(frame.scale, frame.margin + slack * frame.scale * (1.0 + 1e-9), slack)

    def task(start: int) -> int:
        some = order[start : start + QUERIES_A_TASK]
        points = queries.take(some, axis=0), places.take(some, axis=0)
        here = NearestDistinct.room(len(some))
        search(TreeQueries(*points, bounds[some], homes[some]), in_leaves, tree, limits, here)
        found.put(some, here)
        return start + len(some)

    search.machine_code()
    for done in in_threads(task, range(0, total, QUERIES_A_TASK), threads):
        if progress is not None:
            progress(done, total)
    return found
