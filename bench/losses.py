"""How long each measure of loss takes, in covariances of the same table, and how much memory beyond the data.

Run it as `python -m bench.losses [records] [--expensive]`. The measure of time is one NumPy covariance of the numeric
columns, taken in the same run, because machines differ and other work interferes. Memory is that of NumPy at its peak;
what polars holds is not counted.
"""

from __future__ import annotations

import argparse
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
import polars as pl
from bench.points import correlated

from discreet import registry
from discreet.table import Table

NUMBERS, CATEGORIES = 6, 4
REPEATS = 3


def tables(records: int) -> tuple[Table, Table]:
    """An original of ten quasi-identifiers and a confidential column, and a masked version of it."""
    rng = np.random.default_rng(1)
    numbers = correlated(records, NUMBERS, seed=1)
    masked = numbers + rng.normal(scale=0.2 * numbers.std(axis=0), size=numbers.shape)
    columns = {f"x{place}": (numbers[:, place], masked[:, place]) for place in range(NUMBERS)}
    for place, levels in zip(range(CATEGORIES), (2, 8, 40, 400), strict=True):
        words = np.array([f"level {level}" for level in range(levels)])
        true = rng.integers(0, levels, records)
        moved = np.where(rng.random(records) < 0.2, rng.permutation(true), true)
        columns[f"c{place}"] = (words[true], words[moved])
    kind = np.where(numbers[:, 0] + rng.normal(size=records) > 0, "yes", "no")
    columns["kind"] = (kind, kind)
    roles = {"kind": "confidential"}
    return (
        Table.of(
            pl.DataFrame({name: old for name, (old, _) in columns.items()}),
            roles=roles,
            rest="quasi-identifier",
        ),
        Table.of(
            pl.DataFrame({name: new for name, (_, new) in columns.items()}),
            roles=roles,
            rest="quasi-identifier",
        ),
    )


def seconds(work: Callable[[], object], repeats: int) -> float:
    """The least processor time of several runs."""
    found = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def peak_megabytes(work: Callable[[], object]) -> float:
    """How much memory the work asked for beyond the tables, at its peak."""
    tracemalloc.start()
    work()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 2**20


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("records", type=int, nargs="?", default=100_000)
    asked.add_argument("--expensive", action="store_true", help="also those that fit models")
    given = asked.parse_args()
    original, masked = tables(given.records)
    numbers = original.numbers([name for name in original.names if name.startswith("x")])
    unit = seconds(lambda: np.cov(numbers.T), 10)
    print(
        f"{given.records} records, {NUMBERS} numbers and {CATEGORIES} categories; one covariance {1000 * unit:.2f} ms"
    )
    print(f"{'measure':20} {'covariances':>12} {'seconds':>9} {'peak MB':>9}")
    for method in registry.methods("loss"):
        if method.cost == "expensive" and not given.expensive:
            continue

        def work(method: registry.Method = method) -> object:
            return method.function(original, masked)

        work()
        memory = peak_megabytes(work)
        spent = seconds(work, 1 if method.cost == "expensive" else REPEATS)
        print(f"{method.name:20} {spent / unit:12.0f} {spent:9.3f} {memory:9.0f}")


if __name__ == "__main__":
    main()
