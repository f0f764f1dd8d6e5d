"""MDAV, the maximum distance to average vector method: a partition of records into groups of at least k."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.clustering.boxes import build
from discreet._kernels.clustering.mdav_boxes import advance
from discreet._kernels.clustering.mdav_plain import Remaining, RunningSum, finish
from discreet._kernels.clustering.scale import to_unit_range

# What plain NumPy needs, roughly: so much for each pair of groups, and for each number it looks at then.
SECONDS_A_PAIR = 2e-4
SECONDS_A_NUMBER = 2e-9
# Importing numba and loading the machine code takes about as long.
SECONDS_TO_LOAD = 0.5
# The records are put into new boxes when this share is left of those in the old ones, unless they are few.
WORTH_REBUILDING = 0.4
FEW = 1024
# Progress is told so often at most, and kernels are not left for fewer records than these.
REPORTS = 100
LEAST_STEP = 2048

Progress = Callable[[int, int], None]


def mdav(points: NDArray[np.float64], k: int, progress: Progress | None = None) -> NDArray[np.int64]:
    """The group of each record, numbered in order of creation; every group has k to 2k-1 records.

    While at least 3k records are left: r is the record farthest from their mean, and forms a group with its k-1
    nearest; s is the record farthest from r among what is left, and forms a group likewise. Of 2k to 3k-1
    records that are left, one such group is taken, and the others form the last one (Domingo-Ferrer and
    Torra 2005). Distances are Euclidean on the points as given; equal ones go to the lowest row number. The
    result is a function of the points alone: not of threads, of the machine or of how the search is done.

    `progress` is called now and then with the number of records that are in groups, and with that of all.
    Raises ValueError where the records are fewer than k, without columns or not finite.
    """
    if points.ndim != 2 or points.shape[1] == 0:
        raise ValueError(f"points must have rows and columns; got the shape {points.shape}")
    count = len(points)
    if not 1 <= k <= count:
        raise ValueError(f"groups of {k} cannot be made of {count} records")
    scaled = np.ascontiguousarray(to_unit_range(np.asarray(points, dtype=np.float64)))
    labels = np.full(count, -1, dtype=np.int64)
    running = RunningSum(scaled)
    report = _reporter(count, progress)
    if advance.is_loaded or _plain_seconds(count, scaled.shape[1], k) > SECONDS_TO_LOAD:
        _group_in_boxes(scaled, k, running, labels, report)
    rows = np.flatnonzero(labels < 0)
    finish(Remaining(scaled, rows, running, labels), k, report)
    return labels


def prepare() -> None:
    """Loads the compiled search, for whoever is about to group many parts of a larger table."""
    advance.machine_code()


def _plain_seconds(count: int, columns: int, k: int) -> float:
    return count / (2 * k) * (SECONDS_A_PAIR + SECONDS_A_NUMBER * count * columns)


def _reporter(total: int, progress: Progress | None) -> Callable[[int], None]:
    """A function that passes on how many records are left when that has changed by a hundredth of all."""
    reported = total

    def report(left: int) -> None:
        nonlocal reported
        if progress is not None and (reported - left) * REPORTS >= total:
            reported = left
            progress(total - left, total)

    return report


def _group_in_boxes(
    points: NDArray[np.float64],
    k: int,
    running: RunningSum,
    labels: NDArray[np.int64],
    report: Callable[[int], None],
) -> None:
    """Form groups while 3k records are left."""
    left = count = len(points)
    next_label = 0
    while left >= 3 * k:
        boxes = build(points, np.flatnonzero(labels < 0), running.mean(left))
        enough = 3 * k if left <= FEW else max(3 * k, int(WORTH_REBUILDING * left))
        while left >= enough:
            stop = max(enough, left - max(LEAST_STEP, count // REPORTS))
            before = left
            left = advance(boxes, k, running.sums, running.rests, labels, next_label, left, stop)
            next_label += (before - left) // k
            report(left)
