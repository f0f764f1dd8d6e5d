"""Seconds of optimal univariate grouping and of rank swapping, as ratios to NumPy's sort of the same values.

    python -m bench.univariate_and_swap

The bars, for a million values: optimal groups of the sorted values in less than 2 times the sort (k=3 and k=10);
rank swapping, including the sort and the way back, in less than 3 times the sort.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from bench.timing import Rows, best_of, draw, table
from numpy.typing import NDArray

from discreet._kernels.clustering.univariate import optimal_univariate
from discreet._kernels.perturbation.rank_swap import (
    bucket_swap_pairs,
    distribution_swap_pairs,
    order_with_random_ties,
    rank_swap_pairs,
)

Reals = NDArray[np.float64]
Pairs = Callable[[int, int, np.random.Generator], NDArray[np.int64]]
WAYS: dict[str, Pairs] = {
    "rank swapping": rank_swap_pairs,
    "p-buckets": bucket_swap_pairs,
    "p-distribution": distribution_swap_pairs,
}
MILLION = 1_000_000


def swapped(values: Reals, pairs: Pairs, percent: float) -> Reals:
    """The values swapped within so many percent of the file, from the sort to the way back."""
    generator = np.random.default_rng(3)
    order = order_with_random_ties(values, generator)
    reach = max(1, int(len(values) * percent / 100))
    masked = np.empty_like(values)
    masked[order] = values[order][pairs(len(values), reach, generator)]
    return masked


def sort_seconds(values: Reals) -> float:
    return best_of(5, partial(np.sort, values)).cpu


def univariate_ratios() -> None:
    """Print what optimal grouping takes for several k, against the sort."""
    values = np.random.default_rng(1).normal(size=MILLION)
    sort = sort_seconds(values)
    ranked = np.sort(values)
    rows: Rows = []
    for k in (2, 3, 5, 10, 20, 50, 100):
        seconds = best_of(3, partial(optimal_univariate, ranked, k)).cpu
        met = {True: "met", False: "MISSED"}[seconds < 2 * sort] if k in (3, 10) else ""
        rows.append({"k": k, "sort": sort, "groups": seconds, "ratio": seconds / sort, "bar 2": met})
    print("Optimal univariate groups of a million sorted values\n" + table(rows), "\n")


def swap_ratios() -> None:
    """Print what swapping takes, against the sort, on values with and without ties."""
    generator = np.random.default_rng(2)
    columns = {
        "all different": generator.normal(size=MILLION),
        "5000 distinct": generator.integers(0, 5000, size=MILLION).astype(np.float64),
    }
    rows: Rows = []
    for name, values in columns.items():
        sort = sort_seconds(values)
        for method, pairs in WAYS.items():
            for percent in (0.1, 5.0, 15.0):
                seconds = best_of(3, partial(swapped, values, pairs, percent)).cpu
                met = {True: "met", False: "MISSED"}[seconds < 3 * sort] if pairs is rank_swap_pairs else ""
                rows.append(
                    {
                        "values": name,
                        "method": method,
                        "percent": percent,
                        "sort": sort,
                        "swap": seconds,
                        "ratio": seconds / sort,
                        "bar 3": met,
                    }
                )
    print("Swapping a million values, including the sort and the way back\n" + table(rows), "\n")


def growth() -> None:
    """Print and draw how the seconds grow with the number of values."""
    rows: Rows = []
    for count in (10_000, 30_000, 100_000, 300_000, MILLION, 3 * MILLION):
        values = np.random.default_rng(1).normal(size=count)
        ranked = np.sort(values)
        works: dict[str, Callable[[], object]] = {
            "NumPy's sort": partial(np.sort, values),
            "optimal groups, k=3": partial(optimal_univariate, ranked, 3),
            "optimal groups, k=10": partial(optimal_univariate, ranked, 10),
        }
        works |= {
            f"{method}, 5 percent": partial(swapped, values, pairs, 5.0) for method, pairs in WAYS.items()
        }
        for method, work in works.items():
            rows.append({"method": method, "values": count, "CPU seconds": best_of(3, work).cpu})
    print(table(rows))
    title = "Swapping and optimal groups against values"
    draw(rows, x="values", title=title, file="univariate_and_swap.svg")


def main() -> None:
    """Print the ratios and the growth."""
    values = np.random.default_rng(0).integers(0, 9, size=200_000).astype(np.float64)
    optimal_univariate(np.sort(values), 3)
    for pairs in WAYS.values():
        swapped(values, pairs, 1.0)
    univariate_ratios()
    swap_ratios()
    growth()


if __name__ == "__main__":
    main()
