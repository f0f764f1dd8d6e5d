"""Seconds to link masked records to the originals: nearest.link with ties against scipy's cKDTree without.

    python -m bench.link                # 100,000 records of 7 columns
    python -m bench.link --records 1000000

The bar: on correlated columns ("factor" and "skew"), whatever the masking, at least 3 times as fast as cKDTree with
all its workers, tree building included, in CPU seconds: wall seconds depend on who else is at work. Each time is the
best of two, the first call of link apart. The least noise is the hardest case: the nearest record is so near that
cKDTree is done almost at once too.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from typing import Literal, TypeVar

import numpy as np
from bench.points import correlated
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from discreet._kernels.clustering.mdav import mdav
from discreet._kernels.nearest.link import link

T = TypeVar("T")
COLUMNS = 7
NOISES = (0.05, 0.1, 0.2, 0.5)
BAR = 3.0
CORRELATED = ("factor", "skew")
PEER_LIMIT = 200_000


def best_of(times: int, work: Callable[[], T]) -> tuple[float, float, T]:
    """The least wall and CPU seconds of several runs, and what the last gave."""
    walls, cpus = [], []
    for _ in range(times):
        wall, cpu = time.perf_counter(), time.process_time()
        result = work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return min(walls), min(cpus), result


def compare(what: str, masked: NDArray[np.float64], original: NDArray[np.float64], times: int) -> None:
    """Print the times of both, after checking that they find the same distances."""
    truth = np.arange(len(original))
    wall, cpu, found = best_of(times, lambda: link(masked, original, truth))
    line = f"{what:<34} ours {wall:7.3f} wall {cpu:7.3f} cpu"
    if len(original) <= PEER_LIMIT:
        peer_wall, peer_cpu, (distance, _) = best_of(
            times, lambda: cKDTree(original).query(masked, workers=-1)
        )
        if not np.allclose(distance**2, found.best_distance2, rtol=1e-12, atol=1e-15):
            raise AssertionError(f"{what}: the distances differ from those of cKDTree")
        ratio = peer_cpu / cpu
        told = f"   bar {BAR:g}: {'met' if ratio >= BAR else 'MISSED'}" if what.startswith(CORRELATED) else ""
        line += (
            f"   cKDTree {peer_wall:7.3f} {peer_cpu:7.3f}   ratio {peer_wall / wall:5.1f} {ratio:5.1f}{told}"
        )
    credit = float((found.hit / found.ties).mean())
    print(f"{line}   linked {100 * credit:.2f}%", flush=True)


def microaggregated(points: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Each record replaced by the mean of its group."""
    groups = mdav(points, k)
    sizes = np.bincount(groups)
    means = np.column_stack([np.bincount(groups, column) / sizes for column in points.T])
    return means[groups]


def main() -> None:
    """Print a line for each kind of data and masking, then the peak of memory."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, default=100_000)
    records: int = parser.parse_args().records
    small = records <= PEER_LIMIT
    times = 2 if small else 1
    warm = correlated(10_000, COLUMNS, seed=0)
    link(warm, warm, np.arange(len(warm)))
    rng = np.random.default_rng(7)
    kinds: tuple[Literal["factor", "skew", "iso"], ...] = ("factor", "skew", "iso")
    for kind in kinds:
        points = correlated(records, COLUMNS, seed=1, kind=kind)
        points /= points.std(axis=0)
        for noise in NOISES if small else (0.2,):
            masked = points + noise * rng.normal(size=points.shape)
            compare(f"{kind} noise {noise:g}", masked, points, times)
        if small:
            means = microaggregated(points, 5)
            compare(f"{kind} microaggregated k=5", means, points, times)
            compare(f"{kind} original to microaggregated", points, means, times)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    data = 2 * records * COLUMNS * 8 / 2**20
    print(f"peak memory {peak:.0f} MiB, of which the points themselves are {data:.0f}")


if __name__ == "__main__":
    main()
