"""What masking a Table costs beside the kernel that does the work, in CPU seconds of one process.

    python -m bench.masks

Prints each pair and its ratio; the first, unmeasured call of each compiles what is not compiled yet.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np
import polars as pl
from bench.points import correlated

from discreet._kernels.clustering.mdav import mdav
from discreet._kernels.clustering.univariate import optimal_univariate
from discreet.mask import microaggregate, rank_swap
from discreet.mask.coordinates import standardised
from discreet.table import Table

ROUNDS = 3


def best(task: Callable[[], object]) -> float:
    """The least CPU seconds of a few calls, after one that is not counted."""
    task()
    found = []
    for _ in range(ROUNDS):
        began = time.process_time()
        task()
        found.append(time.process_time() - began)
    return min(found)


def told(what: str, table: float, beside: float, against: str) -> None:
    print(f"{what}: {table:.3f} s, {table / beside:.2f} times {against} ({beside:.3f} s)")


def main() -> None:
    points = correlated(100_000, 7, seed=1)
    table = Table.of(
        pl.DataFrame(points, schema=[f"x{place}" for place in range(7)]), roles={}, rest="quasi-identifier"
    )
    scaled = np.ascontiguousarray(standardised(points))
    told(
        "microaggregate, 100,000 x 7, k=3",
        best(lambda: microaggregate(table, k=3)),
        best(lambda: mdav(scaled, 3)),
        "the kernel",
    )
    ranked = [np.sort(scaled[:, place]) for place in range(7)]
    told(
        "individual ranking, 100,000 x 7, k=3",
        best(lambda: microaggregate(table, k=3, variant="individual")),
        best(lambda: [optimal_univariate(each, 3) for each in ranked]),
        "the kernel on sorted columns",
    )
    values = np.random.default_rng(2).normal(size=1_000_000)
    column = Table.of(pl.DataFrame({"x": values}), roles={"x": "quasi-identifier"})
    sort = best(lambda: np.sort(values))
    argsort = best(lambda: np.argsort(values))
    for variant in ("window", "buckets", "distribution"):
        took = best(partial(rank_swap, column, p=5, variant=variant, seed=1))
        told(f"rank_swap, 1,000,000 values, {variant}", took, sort, "a NumPy sort")
        print(f"    {took / argsort:.2f} times a NumPy argsort ({argsort:.3f} s)")


if __name__ == "__main__":
    main()
