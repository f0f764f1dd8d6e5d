"""Seconds on the way to a verdict: linkage of bands and general categories, and whole assessments.

    python -m bench.verdict                          # linkage of 100,000 records, assessments of 25,000 to 100,000
    python -m bench.verdict --assess 1000000         # one assessment of that many records

The bars: linking records of eight columns of which four are bands and two are general categories takes at most 5 times
as long as linking plain mixed ones, in CPU seconds, in the same process; and the time of an assessment with all
headline attacks grows as n log n, which is told as the ratio to the time at half the records.
"""

from __future__ import annotations

import argparse
import resource
import time
from functools import partial

import numpy as np
import polars as pl
from bench.points import correlated
from bench.timing import best_of

import discreet as dc
from discreet.attack import link
from discreet.headline import HEADLINES
from discreet.registry import methods
from discreet.table import Table

RECORDS = 100_000
BAR = 5.0
NUMBERS, BANDED, CATEGORIES, GENERAL = 6, 4, 2, 2
CENSUS_PLAN = (
    ("microaggregate", {"columns": [f"n{place}" for place in range(5)], "k": 5}),
    ("pram", {"columns": ["region", "job", "origin"], "theta": 0.9}),
)


def people(records: int) -> Table:
    """Six correlated numbers and two categories, all of them quasi-identifiers."""
    rng = np.random.default_rng(5)
    numbers = np.round(correlated(records, NUMBERS, seed=2), 3)
    frame = pl.DataFrame(numbers, schema=[f"n{place}" for place in range(NUMBERS)]).with_columns(
        job=pl.Series([f"job{code}" for code in rng.integers(0, 60, records)]),
        place=pl.Series([f"place{code}" for code in rng.integers(0, 200, records)]),
    )
    return Table.of(frame, roles={}, rest="quasi-identifier")


def banded(table: Table) -> Table:
    """Four of the numbers in bands, the others with noise, and both categories joined by tens."""
    plan = dc.Plan.of(
        [
            (
                "recode_numbers",
                {"columns": [f"n{each}" for each in range(BANDED)], "bins": 50, "variant": "quantile"},
            ),
            ("add_noise", {"columns": [f"n{each}" for each in range(BANDED, NUMBERS)], "p": 0.1}),
            (
                "recode",
                {"columns": ["job"], "mapping": {f"job{code}": f"jobs{code // 10}" for code in range(60)}},
            ),
            (
                "recode",
                {
                    "columns": ["place"],
                    "mapping": {f"place{code}": f"places{code // 10}" for code in range(200)},
                },
            ),
        ]
    )
    return dc.protect(table, plan, seed=1).table


def noisy(table: Table) -> Table:
    """All numbers with noise, and a tenth of the categories exchanged."""
    plan = dc.Plan.of(
        [
            ("add_noise", {"columns": [f"n{each}" for each in range(NUMBERS)], "p": 0.1}),
            ("pram", {"columns": ["job", "place"], "theta": 0.9}),
        ]
    )
    return dc.protect(table, plan, seed=1).table


def compare_linkage(records: int) -> None:
    """Print the time to link plain mixed records, and bands and general categories."""
    table = people(records)
    plain, coarse = noisy(table), banded(table)
    some = np.arange(2000)
    link(table.take(some), coarse.take(some))
    link(table.take(some), plain.take(some), distance="gower")
    plain_cpu, _, found = best_of(2, partial(link, table, plain, distance="gower"))
    print(f"link {records:,} x 8, plain mixed {plain_cpu:38.2f} cpu   linked {found.risk:.1%}", flush=True)
    cpu, _, found = best_of(2, partial(link, table, coarse))
    ratio = cpu / plain_cpu
    print(
        f"link {records:,} x 8, four banded, two general {cpu:25.2f} cpu   linked {found.risk:.1%}   "
        f"{ratio:.1f} times   bar {BAR:g}: {'met' if ratio <= BAR else 'MISSED'}",
        flush=True,
    )


def census(records: int) -> Table:
    """Ten columns: five numbers, four categories and a confidential one."""
    rng = np.random.default_rng(6)
    numbers = np.round(correlated(records, 5, seed=3), 2)
    frame = pl.DataFrame(numbers, schema=[f"n{place}" for place in range(5)]).with_columns(
        **{
            name: pl.Series(rng.integers(0, levels, records)).cast(pl.String)
            for name, levels in (("sex", 2), ("region", 17), ("job", 60), ("origin", 120), ("illness", 12))
        }
    )
    return Table.of(frame, roles={"illness": "confidential"}, rest="quasi-identifier")


def assess_once(records: int, attacks: tuple[str, ...] | None) -> float:
    """The CPU seconds of one assessment of a release that was microaggregated and had categories exchanged."""
    table = census(records)
    release = dc.protect(table, dc.Plan.of(CENSUS_PLAN), seed=1)
    cpu, wall = time.process_time(), time.perf_counter()
    found = dc.assess(table, release, attacks=attacks, losses=["lost"], ceilings={"identity": 0.1})
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"assess {records:>9,} x 10 {cpu:8.1f} cpu {wall:8.1f} wall, peak {peak:,.0f} MiB   {found.limits[0]}",
        flush=True,
    )
    return cpu


def quick_attacks() -> tuple[str, ...]:
    """The attacks that a search tries every plan with."""
    return tuple(
        each.name
        for each in methods("attack")
        if each.counts_for is not None and each.counts_for.quick and each.counts_for.headline in HEADLINES
    )


def main() -> None:
    """Print a line for each measurement."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--assess", type=int, default=0, help="one assessment of so many records, and no more"
    )
    parser.add_argument(
        "--quick", action="store_true", help="the attacks that a search tries, not all headline ones"
    )
    given = parser.parse_args()
    attacks = quick_attacks() if given.quick else None
    if given.assess:
        assess_once(given.assess, attacks)
        return
    compare_linkage(RECORDS)
    assess_once(2000, attacks)
    took = [assess_once(records, attacks) for records in (25_000, 50_000, 100_000)]
    print(f"twice the records, times the time: {took[1] / took[0]:.1f} and {took[2] / took[1]:.1f}")


if __name__ == "__main__":
    main()
