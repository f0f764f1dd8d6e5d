"""Two hundred plans for the Census file, and every cheap attack and loss on a large release.

    python -m bench.search

Prints wall seconds, and the time of an assessment as a multiple of one NumPy covariance of the same table.
"""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path

import numpy as np
import polars as pl
from bench.points import correlated

from discreet.assessment import assess
from discreet.plan import Plan
from discreet.protection import protect
from discreet.searching import search
from discreet.table import Table

DATA = Path(os.environ.get("DISCREET_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))


def census() -> Table | None:
    """The Census file, 1080 x 13, all quasi-identifiers; None where it is not there."""
    file = DATA / "census.csv"
    if not file.is_file():
        return None
    return Table.of(pl.read_csv(file), roles={}, rest="quasi-identifier", name="census")


def large(records: int = 100_000) -> Table:
    """Six correlated numbers and four categories."""
    numbers = pl.DataFrame(correlated(records, 6, seed=1), schema=[f"x{place}" for place in range(6)])
    draws = np.random.default_rng(2)
    categories = {
        f"c{place}": draws.integers(0, 4 + 3 * place, size=records).astype(str) for place in range(4)
    }
    return Table.of(
        numbers.with_columns(**{n: pl.Series(v) for n, v in categories.items()}),
        roles={},
        rest="quasi-identifier",
    )


def main() -> None:
    table = census()
    if table is None:
        print(f"the Census file is not in {DATA}: skipped")
    else:
        began = time.perf_counter()
        found = search(table, ceilings={"link": 0.10}, trials=200)
        took = time.perf_counter() - began
        print(f"search, 200 plans, 1080 x 13: {took:.1f} s; least loss {found.chosen.loss:.3f}")
    big = large()
    plan = Plan.of([("rank_swap", {"columns": [f"x{place}" for place in range(6)], "p": 5})])
    release = protect(big, plan, seed=1)
    numbers = big.numbers([f"x{place}" for place in range(6)])
    began = time.perf_counter()
    np.cov(numbers, rowvar=False)
    unit = time.perf_counter() - began
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    judged = assess(big, release)
    took = time.perf_counter() - began
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(
        f"assess, 100,000 x 10: {len(judged.risks)} attacks and {len(judged.losses)} losses in {took:.1f} s "
        f"({took / unit:.0f} covariances), {grown:.0f} MB above the tables"
    )


if __name__ == "__main__":
    main()
