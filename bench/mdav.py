"""Seconds that MDAV takes, as ratios to a NumPy MDAV that is run beside it, and how they grow with records and k.

    python -m bench.mdav            # about five minutes
    python -m bench.mdav --quick    # the two bars that need no million records

The bars: 10,000 records of 7 columns with k=3 at least 30 times as fast as NumPy, with the identical partition;
100,000 in less than 5 times what NumPy takes for 10,000; a million with k=10 within ten minutes and one
gibibyte above the data.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

import numpy as np
from bench.points import correlated
from bench.timing import Rows, apart, best_of, draw, table
from numpy.typing import NDArray

from discreet._kernels.clustering.adaptive import adaptive_mdav
from discreet._kernels.clustering.mdav import mdav

Reals = NDArray[np.float64]
COLUMNS = 7


def standardised(count: int, columns: int, kind: str = "factor") -> Reals:
    """Points of one of the kinds of `bench.points`, each column with mean 0 and standard deviation 1."""
    points = correlated(count, columns, seed=1, kind=kind)  # type: ignore[arg-type]
    return np.asarray((points - points.mean(axis=0)) / points.std(axis=0))


def numpy_mdav(points: Reals, k: int) -> NDArray[np.int64]:
    """MDAV as one writes it in NumPy: no loop over records, no sort, and the records that are left kept together."""
    labels = np.empty(len(points), dtype=np.int64)
    rows = np.arange(len(points))
    columns = np.ascontiguousarray(points.T)
    label = 0

    def squared_distances(target: Reals) -> Reals:
        total = np.zeros(len(rows))
        for column, value in zip(columns, target, strict=True):
            step = column - value
            step *= step
            total += step
        return total

    def take_around(target: Reals) -> None:
        nonlocal rows, columns, label
        near = np.argpartition(squared_distances(target), k - 1)[:k]
        labels[rows[near]] = label
        label += 1
        keep = np.ones(len(rows), dtype=np.bool_)
        keep[near] = False
        rows = rows[keep]
        columns = columns[:, keep]

    while len(rows) >= 3 * k:
        first = columns[:, squared_distances(columns.mean(axis=1)).argmax()]
        take_around(first)
        take_around(columns[:, squared_distances(first).argmax()])
    if len(rows) >= 2 * k:
        take_around(columns[:, squared_distances(columns.mean(axis=1)).argmax()])
    labels[rows] = label
    return labels


def told(name: str, value: float, bar: float, *, above: bool) -> None:
    """Print a measured value with its bar."""
    met = value >= bar if above else value <= bar
    print(
        f"{name}: {value:.3g} (bar: {'at least' if above else 'at most'} {bar:g}) {'met' if met else 'MISSED'}"
    )


def against_numpy() -> None:
    """Print the ratios to NumPy for several kinds of data, and the two bars that are ratios."""
    rows: Rows = []
    for kind in ("factor", "skew", "iso"):
        for count, columns, k in ((1_000, 7, 3), (10_000, 7, 3), (10_000, 13, 3), (10_000, 7, 10)):
            points = standardised(count, columns, kind)
            ours = best_of(5, partial(mdav, points, k))
            peer = best_of(1, partial(numpy_mdav, points, k))
            rows.append(
                {
                    "data": kind,
                    "records": count,
                    "columns": columns,
                    "k": k,
                    "NumPy": peer.cpu,
                    "ours": ours.cpu,
                    "ratio": peer.cpu / ours.cpu,
                    "same groups": str(bool((ours.result == peer.result).all())),
                }
            )
    print(table(rows), "\n")
    points = standardised(10_000, COLUMNS)
    peer = best_of(3, partial(numpy_mdav, points, 3))
    ours = best_of(10, partial(mdav, points, 3))
    told("10,000 x 7, k=3, NumPy / ours", peer.cpu / ours.cpu, 30, above=True)
    many = standardised(100_000, COLUMNS)
    large = best_of(2, partial(mdav, many, 3))
    told("100,000 x 7, k=3, ours / NumPy for 10,000", large.cpu / peer.cpu, 5, above=False)


def million() -> Reals:
    return standardised(1_000_000, COLUMNS)


def in_tens(points: Reals) -> NDArray[np.int64]:
    return mdav(points, 10)


def growth() -> None:
    """Print and draw how the seconds grow with the records and with k."""
    by_count: Rows = []
    for count in (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000):
        points = standardised(count, COLUMNS)
        weights = np.ones(count, dtype=np.int64)
        runs = 3 if count <= 100_000 else 1
        works: dict[str, Callable[[], object]] = {
            "MDAV, k=3": partial(mdav, points, 3),
            "MDAV, k=10": partial(mdav, points, 10),
            "adaptive MDAV, k=3": partial(adaptive_mdav, points, weights, 3),
        }
        if count <= 10_000:
            works["MDAV in NumPy, k=3"] = partial(numpy_mdav, points, 3)
        for method, work in works.items():
            by_count.append({"method": method, "records": count, "CPU seconds": best_of(runs, work).cpu})
    print(table(by_count), "\n")
    draw(by_count, x="records", title="MDAV against records (7 columns)", file="mdav_records.svg")
    by_k: Rows = []
    for kind in ("factor", "skew", "iso"):
        points = standardised(50_000, COLUMNS, kind)
        for k in (2, 3, 5, 10, 20, 50, 100, 300):
            seconds = best_of(2, partial(mdav, points, k)).cpu
            by_k.append({"method": f"{kind} data", "k": k, "CPU seconds": seconds})
    print(table(by_k), "\n")
    draw(by_k, x="k", title="MDAV against k (50,000 records of 7 columns)", file="mdav_k.svg")


def main() -> None:
    """Print the ratios, the bars and the growth."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="only the ratios to NumPy")
    quick: bool = parser.parse_args().quick
    mdav(standardised(20_000, COLUMNS), 3)
    adaptive_mdav(standardised(20_000, COLUMNS), np.ones(20_000, dtype=np.int64), 3)
    against_numpy()
    if not quick:
        measured = apart(million, in_tens)
        told("1,000,000 x 7, k=10, CPU seconds", measured.cpu, 600, above=False)
        told("1,000,000 x 7, k=10, mebibytes above the data", measured.mebibytes, 1024, above=False)
        growth()


if __name__ == "__main__":
    main()
