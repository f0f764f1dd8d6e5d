"""A search tree over distinct points that finds exact nearest neighbours with all their ties."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from discreet._kernels import tree_loops as loops
from discreet._kernels.arrays import Floats, Ints

Progress = Callable[[int, int], object]
QUERIES_A_TASK = 4096
SAMPLE_FOR_AXES = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """Points in leaves of at most sixteen, with bounding boxes in principal-component space."""

    centre: Floats
    axes: Floats
    skew: float
    length: float
    order: Ints
    starts: Ints
    split_axes: Ints
    split_cuts: Floats
    blocks: Floats
    boxes: Floats
    first_leaf: int


def in_threads(work: Callable[[int], int], tasks: Iterable[int], threads: int) -> Iterator[int]:
    """What `work` gives for each task, in order, worked out by several threads at once."""
    if threads == 1:
        yield from map(work, tasks)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        yield from pool.map(work, tasks)
    finally:
        pool.shutdown(cancel_futures=True)


def thread_count(threads: int | None) -> int:
    """The number of threads to use: as asked, or as many as this process may run on."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads < 1:
        raise ValueError(f"threads must be at least 1; got {threads}")
    return threads


def grow(points: Floats, *, threads: int) -> Tree:
    """The tree over distinct points [count, width], count and width at least 1.

    Axes are the principal components of an evenly spaced sample: any rotation is valid, a good one prunes more.
    """
    count, width = points.shape
    sample = points[:: max(1, count // SAMPLE_FOR_AXES)]
    centre = sample.mean(axis=0)
    spread = sample - centre
    axes = np.ascontiguousarray(np.linalg.eigh(spread.T @ spread)[1][:, ::-1])
    skew = float(np.abs(axes.T @ axes - np.eye(width)).sum())
    rotated = np.empty_like(points)
    length = loops.rotate(points, centre, axes, rotated)
    depth = max(0, (-(-count // loops.LEAF) - 1).bit_length())
    order, split_axes, split_cuts = _split(np.ascontiguousarray(rotated.T), depth, threads)
    starts = _leaf_starts(count, depth)
    levels = -(-depth // 3)
    first_leaf = (loops.FAN**levels - 1) // (loops.FAN - 1)
    blocks = np.full((1 << depth, width, loops.LEAF), np.inf)
    boxes = np.empty((first_leaf, 2, width, loops.FAN))
    boxes[:, 0] = np.inf
    boxes[:, 1] = -np.inf
    loops.fill(points, rotated, order, starts, blocks, boxes, first_leaf)
    return Tree(
        centre=centre,
        axes=axes,
        skew=skew,
        length=length,
        order=order,
        starts=starts,
        split_axes=split_axes,
        split_cuts=split_cuts,
        blocks=blocks,
        boxes=boxes,
        first_leaf=first_leaf,
    )


def _split(columns: Floats, depth: int, threads: int) -> tuple[Ints, Ints, Floats]:
    """Points in the order of the leaves, and the axis and cut of each binary node."""
    count = columns.shape[1]
    order = np.arange(count)
    keys = np.empty(count)
    axes = np.zeros((1 << depth) - 1, np.int64)
    cuts = np.empty((1 << depth) - 1)
    alone = min(depth, (threads - 1).bit_length())
    loops.split(columns, order, keys, axes, cuts, 0, 0, count, alone)
    edges = _leaf_starts(count, alone)

    def branch(which: int) -> int:
        node = (1 << alone) - 1 + which
        loops.split(columns, order, keys, axes, cuts, node, edges[which], edges[which + 1], depth - alone)
        return which

    list(in_threads(branch, range(1 << alone), threads))
    return order, axes, cuts


def _leaf_starts(count: int, depth: int) -> Ints:
    edges = np.array([0, count])
    for _ in range(depth):
        finer = np.empty(2 * len(edges) - 1, np.int64)
        finer[::2] = edges
        finer[1::2] = (edges[:-1] + edges[1:]) >> 1
        edges = finer
    return edges


def nearest_in(
    tree: Tree,
    queries: Floats,
    bounds: Floats,
    counts: Ints,
    firsts: Ints,
    *,
    threads: int,
    progress: Progress | None,
) -> tuple[Floats, Ints, Ints]:
    """Least squared distance of each query to the tree's points, how many targets tie there, and the lowest.

    `bounds` holds for each query the squared distance to some point of the tree, or infinity; `counts` and
    `firsts` how many targets each point stands for and their lowest number. The rotation is inexact, so boxes
    are given a margin: the errors of rotating two points of that length, and of axes not quite orthogonal.
    """
    total, width = queries.shape
    rotated = np.empty_like(queries)
    length = loops.rotate(queries, tree.centre, tree.axes, rotated)
    longest = float(np.sqrt(max(length, tree.length)))
    epsilon = float(np.finfo(np.float64).eps)
    margin = (8.0 * epsilon * (width + 8) ** 1.5 + 2.0 * tree.skew) * longest
    slack = 1.0 + 4.0 * epsilon * (width + 8)
    homes = np.empty(total, np.int64)
    loops.home_leaves(rotated, tree.split_axes, tree.split_cuts, homes)
    order = np.empty(total, np.int64)
    loops.order_by_leaf(homes, len(tree.starts) - 1, order)
    best = np.empty(total)
    ties = np.empty(total, np.int64)
    first = np.empty(total, np.int64)
    counts = counts[tree.order]
    firsts = firsts[tree.order]

    def task(start: int) -> int:
        some = order[start : start + QUERIES_A_TASK]
        loops.search(
            queries, rotated, bounds, homes, some, tree.blocks, tree.starts, counts, firsts, tree.boxes,
            tree.first_leaf, margin, slack, best, ties, first,
        )  # fmt: skip
        return start + len(some)

    loops.search.machine_code()
    for done in in_threads(task, range(0, total, QUERIES_A_TASK), threads):
        if progress is not None:
            progress(done, total)
    return best, ties, first
