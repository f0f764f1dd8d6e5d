"""Seconds for the kernels that look at pairs of records: patterns of agreement, and the nearest of mixed columns.

python -m bench.pairs
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np
from bench.points import correlated

from discreet._kernels.matching.pairing import assign, assign_all, best_pairs
from discreet._kernels.matching.patterns import agree_when_equal, agree_within, pattern_counts
from discreet._kernels.nearest.cells import Cells, Costs, link_cells

T = TypeVar("T")
RECORDS = 100_000
COLUMNS = 7


def timed(what: str, work: Callable[[], T]) -> T:
    """The result, after printing the CPU and wall seconds it took."""
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(f"{what:<62} {cpu:8.3f} cpu {wall:8.3f} wall", flush=True)
    return result


def patterns(rng: np.random.Generator) -> None:
    """Counts of agreement, the best pairs and the pairing."""
    for width in (7, 10):
        levels = rng.integers(5, 60, size=width)
        first = np.column_stack([rng.integers(0, level, size=RECORDS) for level in levels])
        other = np.column_stack([rng.integers(0, level, size=RECORDS) for level in levels])
        second = np.where(rng.random(first.shape) < 0.3, other, first)
        agreement = agree_when_equal(first, second)
        timed(f"patterns of equal codes, 100,000 x 100,000 x {width}", partial(pattern_counts, agreement))
    points = correlated(20_000, COLUMNS, seed=1)
    masked = points + 0.05 * points.std(axis=0) * rng.normal(size=points.shape)
    close = agree_within(points, masked, 0.05 * points.std(axis=0))
    timed("patterns within a tolerance, 20,000 x 20,000 x 7", lambda: pattern_counts(close))
    agreements = np.array([pattern.bit_count() for pattern in range(1 << COLUMNS)])
    weights = 2.5 * agreements - 1.0 * (COLUMNS - agreements)
    pairs = timed("20 best pairs of each of 20,000", lambda: best_pairs(close, weights, keep=20))
    partner = timed("sparse pairing of 20,000", lambda: assign(pairs, len(points)))
    print(
        f"    right {(partner == np.arange(len(points))).mean():.2%}, lists complete {pairs.complete.mean():.2%}"
    )
    few = agree_within(points[:3_000], masked[:3_000], 0.05 * points.std(axis=0))
    timed("full pairing of 3,000 x 3,000", lambda: assign_all(few, weights))


def mixed(rng: np.random.Generator) -> None:
    """Nearest records of four numbers and four codes."""
    numbers = correlated(RECORDS, 4, seed=1)
    numbers /= np.ptp(numbers, axis=0)
    codes = np.column_stack([rng.integers(0, level, size=RECORDS) for level in (2, 5, 12, 30)])
    changed = np.where(rng.random(codes.shape) < 0.1, np.roll(codes, 1, axis=0), codes)
    noisy = numbers + 0.2 * numbers.std(axis=0) * rng.normal(size=numbers.shape)
    for records in (20_000, RECORDS):
        targets = Cells.points(numbers[:records], codes[:records])
        queries = Cells.points(noisy[:records], changed[:records])
        what = f"nearest of mixed columns, {records:,} x (4 numbers, 4 codes)"
        timed(what, partial(link_cells, queries, targets, np.arange(records), Costs.plain(targets)))


def main() -> None:
    """Print a line for each kernel. First calls include loading or compiling it."""
    rng = np.random.default_rng(7)
    patterns(rng)
    mixed(rng)


if __name__ == "__main__":
    main()
