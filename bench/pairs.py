"""Seconds for the attacks that look at pairs of records: rank windows, patterns of agreement, mixed columns.

    python -m bench.pairs

The bar: the intersection attack on 100,000 records of 7 columns, p = 2 to 10, in less than a minute each.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np
from bench.points import correlated
from numpy.typing import NDArray

from discreet._kernels.gower import Mixed, link_mixed
from discreet._kernels.pairing import assign, assign_all, best_pairs
from discreet._kernels.patterns import agree_when_equal, agree_within, pattern_counts
from discreet._kernels.windows import link_inside, rank_windows, records_inside, sorted_positions

T = TypeVar("T")
RECORDS = 100_000
COLUMNS = 7
BAR = 60.0


def timed(what: str, work: Callable[[], T], *, bar: float | None = None) -> T:
    """The result, after printing the CPU and wall seconds it took."""
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    told = "" if bar is None else f"   bar {bar:g}: {'met' if cpu < bar else 'MISSED'}"
    print(f"{what:<62} {cpu:8.3f} cpu {wall:8.3f} wall{told}", flush=True)
    return result


def moved(column: NDArray[np.float64], reach: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """The column with its values moved by at most `reach` sorted positions."""
    order = np.argsort(column)
    jittered = np.argsort(np.arange(len(column)) + rng.uniform(-reach / 2, reach / 2, len(column)))
    out = np.empty_like(column)
    out[order] = column[order[jittered]]
    return out


def windows(rng: np.random.Generator) -> None:
    """Candidates of every record under rank swapping, and the nearest among them."""
    points = correlated(RECORDS, COLUMNS, seed=1)
    truth = np.arange(RECORDS)
    for percent in (2, 5, 10):
        reach = RECORDS * percent // 100
        masked = np.column_stack([moved(column, reach, rng) for column in points.T])
        at = timed(f"p={percent}: sorted positions", partial(sorted_positions, masked))
        found = timed(f"p={percent}: windows", partial(rank_windows, points, masked, reach))
        count = partial(records_inside, at, found, truth)
        sizes, hit = timed(f"p={percent}: sizes of the intersections", count, bar=BAR)
        inside = partial(link_inside, points, masked, truth, at, found)
        _, nearest = timed(f"p={percent}: nearest inside the intersections", inside, bar=BAR)
        alone, credit = (sizes == 1).mean(), (nearest.hit / np.maximum(nearest.ties, 1)).mean()
        print(
            f"    inside {hit.mean():.2%}, mean size {sizes.mean():.2f}, alone {alone:.2%}, linked {credit:.2%}"
        )


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
        targets = Mixed(numbers[:records], codes[:records])
        queries = Mixed(noisy[:records], changed[:records])
        what = f"nearest of mixed columns, {records:,} x (4 numbers, 4 codes)"
        timed(what, partial(link_mixed, queries, targets, np.arange(records)))


def main() -> None:
    """Print a line for each kernel. First calls include loading or compiling it."""
    rng = np.random.default_rng(7)
    windows(rng)
    patterns(rng)
    mixed(rng)


if __name__ == "__main__":
    main()
