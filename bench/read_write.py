"""How long a release of a million records takes to read and write, as a multiple of what polars takes alone.

    python -m bench.read_write [records]

The goal is at most three times polars, with every record checked, digests taken, files put in place atomically and
the published file read back. Times are CPU seconds, the least of a few runs; the ratio is what counts.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

import discreet as dc
from discreet.reading import read_frame
from discreet.table import Column, Role, Scale
from discreet.writing import write_frame

RUNS = 3
GOAL = 3.0


def people(records: int) -> pl.DataFrame:
    """Ten columns: four amounts, three whole numbers and three categories."""
    rng = np.random.default_rng(1)
    amounts = {f"amount{i}": rng.normal(50_000, 20_000, records).round(2) for i in range(4)}
    counts = {f"count{i}": rng.integers(0, 100_000, records) for i in range(3)}
    places = {f"place{i}": rng.choice(["north", "south", "east", "west, far"], records) for i in range(3)}
    return pl.DataFrame({**amounts, **counts, **places})


def least(work: Callable[[], object]) -> float:
    """The CPU seconds of the quickest of a few runs."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main(records: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        original, out = folder / "original.csv", folder / "out.csv"
        people(records).write_csv(original)
        frame = read_frame(original).frame
        columns = [Column(name=each, role=Role.INSENSITIVE, scale=Scale.NOMINAL) for each in frame.columns]
        table = dc.read(original, rest="insensitive")
        nothing = dc.Plan.of([])

        alone_read = least(lambda: pl.read_csv(original))
        alone_write = least(lambda: frame.write_csv(out))
        alone = alone_read + alone_write
        reading = least(lambda: read_frame(original))
        writing = least(lambda: write_frame(frame, columns, out, force=True))
        saving = least(lambda: dc.protect(table, nothing, seed=1).save(folder / "release", force=True))
        size = original.stat().st_size / 1e6
    print(f"{records} records, 10 columns, {size:.0f} MB; CPU seconds, and as a multiple of polars")
    print(f"  polars: read {alone_read:.2f} and write {alone_write:.2f}")
    print(f"  read_frame                     {reading:5.2f}  {reading / alone_read:4.1f} x")
    print(f"  write_frame                    {writing:5.2f}  {writing / alone_write:4.1f} x")
    print(f"  read_frame and write_frame     {reading + writing:5.2f}  {(reading + writing) / alone:4.1f} x")
    whole = reading + saving
    print(f"  read, protect(nothing) and save{whole:5.2f}  {whole / alone:4.1f} x (goal: {GOAL:g})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
