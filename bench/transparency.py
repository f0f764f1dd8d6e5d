"""CPU seconds and memory of the attacks that read the manifest, on files too large for a matrix of all pairs.

    python -m bench.transparency             # 100,000 records of 7 columns
    python -m bench.transparency --records 20000

The bar: rank swapping with p = 2, 5 and 10 in less than a minute of CPU each, and for 100,000 records in less than a
tenth of the memory that one byte for each pair of records would take.
"""

from __future__ import annotations

import argparse
import resource
import time
from typing import Any

import numpy as np
import polars as pl
from bench.points import correlated

from discreet.attack import transparency
from discreet.plan import Plan
from discreet.protection import protect
from discreet.table import Table

COLUMNS = 7
SECONDS = 60.0
NAMES = [f"n{place}" for place in range(COLUMNS)]
PAIRS = [NAMES[:2], NAMES[2:4], NAMES[4:]]
STEPS: dict[str, tuple[str, dict[str, Any]]] = {
    "rank swapping p=2": ("rank_swap", {"p": 2}),
    "rank swapping p=5": ("rank_swap", {"p": 5}),
    "rank swapping p=10": ("rank_swap", {"p": 10}),
    "individual ranking k=10": ("microaggregate", {"k": 10, "variant": "individual"}),
    "projection in groups k=10": ("microaggregate", {"k": 10, "variant": "zscore", "groups": PAIRS}),
    "MDAV in groups k=10": ("microaggregate", {"k": 10, "groups": PAIRS}),
    "correlated noise p=0.2": ("add_noise", {"p": 0.2, "variant": "correlated"}),
    "rounding": ("round", {"base": 0.5}),
}


def main() -> None:
    """Print a line for each masking, then the peak of memory."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, default=100_000)
    records: int = parser.parse_args().records
    table = Table.of(
        pl.DataFrame(correlated(records, COLUMNS, seed=1), schema=NAMES), roles={}, rest="quasi-identifier"
    )
    for what, step in STEPS.items():
        release = protect(table, Plan.of([step]), seed=1)
        cpu, wall = time.process_time(), time.perf_counter()
        found = transparency(table, release.table, manifest=release.manifest)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        told = (
            f"   bar {SECONDS:g}: {'met' if cpu < SECONDS else 'MISSED'}"
            if what.startswith("rank swapping")
            else ""
        )
        middle = np.median(found.candidates)
        print(
            f"{what:<28} {cpu:8.2f} cpu {wall:8.2f} wall   risk {found.risk:.1%}, certain {found.certain}, "
            f"median of candidates {middle:g}{told}",
            flush=True,
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    all_pairs = records * records / 2**20
    within = "met" if peak < all_pairs / 10 else "MISSED"
    print(
        f"peak memory {peak:.0f} MiB; a byte for each pair would be {all_pairs:.0f} MiB   bar a tenth: {within}"
    )


if __name__ == "__main__":
    main()
