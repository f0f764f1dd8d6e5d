"""Seconds to find the minimal sample uniques of a file of codes, and to score them; and of the attack on a table.

    python -m bench.suda

The bar, in CPU seconds: 100,000 records of 8 columns in less than 2, to depth 3 and to the bottom.
"""

from __future__ import annotations

import time

import numpy as np
import polars as pl

from discreet._kernels.counting.classes import class_sizes
from discreet._kernels.counting.suda import minimal_uniques, suda_scores
from discreet.attack import suda
from discreet.table import Table

LEVELS = (2, 5, 8, 12, 16, 40, 100, 8)
BAR = 2.0


def main() -> None:
    """Print the times of class sizes, of the search at several depths, and of the scores."""
    rng = np.random.default_rng(1)
    shares = [rng.dirichlet(np.full(levels, 0.5)) for levels in LEVELS]
    many = np.column_stack([rng.choice(len(share), size=1_000_000, p=share) for share in shares])
    codes = many[:100_000].copy()
    minimal_uniques(codes[:10_000], 2)
    class_sizes(many[:10_000])
    start = time.process_time()
    sizes = class_sizes(many).sizes
    taken = time.process_time() - start
    print(f"class sizes of {len(many)} x {len(LEVELS)}: {taken:.3f} cpu, {(sizes == 1).sum()} alone")
    for depth in (2, 3, 4, len(LEVELS)):
        start = time.process_time()
        found = minimal_uniques(codes, depth)
        middle = time.process_time()
        score = suda_scores(found, len(LEVELS), depth).score
        end = time.process_time()
        told = (
            f"   bar {BAR:g}: {'met' if end - start < BAR else 'MISSED'}" if depth in (3, len(LEVELS)) else ""
        )
        print(
            f"minimal uniques of {len(codes)} x {len(LEVELS)} to depth {depth}: {middle - start:.3f} cpu,"
            f" scores {end - middle:.3f}; {len(found.masks)} uniques, {(score > 0).mean():.1%} of records{told}"
        )
    frame = pl.DataFrame(
        {f"key {place}": [f"level {code}" for code in codes[:, place]] for place in range(8)}
    )
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    for deepest in (3, None):
        start = time.process_time()
        attacked = suda(table, depth=deepest)
        taken = time.process_time() - start
        told = "met" if taken < BAR else "MISSED"
        print(
            f"the attack on a table of text, depth {deepest}: {taken:.3f} cpu; {attacked}   bar {BAR:g}: {told}"
        )
    few_and_wide()


def few_and_wide() -> None:
    """Print the time of files of few records and many columns, where there are thousands of sets of columns."""
    rng = np.random.default_rng(2)
    for records, levels in ((4_000, (2, 3, 4, 5, 6, 2, 3, 4, 5, 6, 8, 4, 3)), (2_000, (2, 3) * 7)):
        codes = np.column_stack([rng.integers(count, size=records) for count in levels])
        start = time.process_time()
        found = minimal_uniques(codes, len(levels))
        taken = time.process_time() - start
        print(
            f"minimal uniques of {records} x {len(levels)} to the bottom: {taken:.3f} cpu, {len(found.masks)} uniques"
        )


if __name__ == "__main__":
    main()
