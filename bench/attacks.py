"""CPU seconds of the attacks on whole tables: linkage by every distance, intervals, and probabilistic linkage.

    python -m bench.attacks              # 100,000 records of 7 columns
    python -m bench.attacks --records 20000
    python -m bench.attacks --growth     # link_probabilistic alone, of 25,000, 50,000 and 100,000 mixed records

The bar: linking by Mahalanobis' distance takes at most 1.5 times as long as by the Euclidean one, on the same tables
in the same process, since after whitening the same search is done.
"""

from __future__ import annotations

import argparse
import resource
from functools import partial

import numpy as np
import polars as pl
from bench.points import correlated
from bench.timing import best_of
from bench.verdict import CENSUS_PLAN, census

import discreet as dc
from discreet.attack import interval_disclosure, link, link_probabilistic
from discreet.table import Table

COLUMNS = 7
NOISE = 0.2
BAR = 1.5


def table_of(values: np.ndarray[tuple[int, int], np.dtype[np.float64]], **more: list[str]) -> Table:
    """A table of numeric quasi-identifiers, and of categories where they are given."""
    names = [f"n{place}" for place in range(values.shape[1])]
    frame = pl.DataFrame(values, schema=names).with_columns(
        **{name: pl.Series(each) for name, each in more.items()}
    )
    return Table.of(frame, roles={}, rest="quasi-identifier")


def growth() -> None:
    """Print the time of link_probabilistic on the census of `bench.verdict`, microaggregated and with PRAM."""
    for records in (2000, 25_000, 50_000, 100_000):
        table = census(records)
        release = dc.protect(table, dc.Plan.of(CENSUS_PLAN), seed=1)
        cpu, wall, found = best_of(1, partial(link_probabilistic, table, release.table, truth=release.truth))
        print(f"link_probabilistic {records:>7,} x 9 {cpu:8.1f} cpu {wall:8.1f} wall   {found}", flush=True)


def main() -> None:
    """Print a line for each attack."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--growth", action="store_true", help="how link_probabilistic grows with the records")
    given = parser.parse_args()
    if given.growth:
        growth()
        return
    records: int = given.records
    rng = np.random.default_rng(3)
    points = correlated(records, COLUMNS, seed=1)
    noisy = points + NOISE * points.std(axis=0) * rng.normal(size=points.shape)
    original, masked = table_of(points), table_of(noisy)
    link(original.take(np.arange(5000)), masked.take(np.arange(5000)))
    took = {}
    for distance in ("euclidean", "mahalanobis"):
        took[distance], _, found = best_of(3, partial(link, original, masked, distance=distance))
        print(f"link {distance:<14} {took[distance]:8.3f} cpu   linked {found.risk:.1%}", flush=True)
    ratio = took["mahalanobis"] / took["euclidean"]
    print(f"mahalanobis / euclidean {ratio:.2f}   bar {BAR:g}: {'met' if ratio <= BAR else 'MISSED'}")
    words = [f"w{code}" for code in rng.integers(0, 40, records)]
    moved = [word if keep else "w0" for word, keep in zip(words, rng.random(records) < 0.9, strict=True)]
    mixed = table_of(points, word=words), table_of(noisy, word=moved)
    cpu, _, found = best_of(1, partial(link, *mixed))
    print(f"link gower, one more nominal column {cpu:8.3f} cpu   linked {found.risk:.1%}", flush=True)
    cpu, _, disclosed = best_of(1, partial(interval_disclosure, original, masked))
    print(f"interval_disclosure {cpu:8.3f} cpu   inside {disclosed.risk:.1%}", flush=True)
    cpu, _, found = best_of(1, partial(link_probabilistic, original, masked))
    exact = "exact" if found.details["exact"] else "the best 50 partners of each"
    print(f"link_probabilistic {cpu:8.3f} cpu   linked {found.risk:.1%}   {exact}", flush=True)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
