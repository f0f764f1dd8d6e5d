"""Seconds for masking categories by meaning: the Adult pairs, files of one size against another, and suppression.

    python -m bench.semantic [FOLDER]

FOLDER holds adult.csv.gz (by default that of DISCREET_DATA, or shared/data). The bars, in CPU seconds: SA-MDAV of the
30,162 Adult pairs over WordNet in less than 2 for k=2 and k=128, from the table to the masked table; and forming the
groups of three million records with the same pairs in less than twice what those of thirty thousand take, because the
work grows with the distinct tuples. Published for that file, on another machine: 131 to 205 seconds.
"""

from __future__ import annotations

import os
import runpy
import sys
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
from bench.timing import best_of

from discreet._kernels.counting.tuples import tuples_of
from discreet.attack import link_semantic
from discreet.loss import semantic_sse
from discreet.mask import (
    generalise,
    generalise_locally,
    microaggregate,
    mondrian,
    semantic_microaggregate,
    semantic_recode,
    semantic_resample,
    suppress,
)
from discreet.mask.mixed import attributes_of, coded_columns
from discreet.mask.semantic_groups import adaptive_groups
from discreet.ontology.columns import Interpretation
from discreet.table import Table

ADULT_BAR = 2.0
GROWTH_BAR = 2.0
TIMES = 100
EXPERIMENT = runpy.run_path(str(Path(__file__).resolve().parents[1] / "experiments" / "adult.py"))
CONCEPTS: str = EXPERIMENT["CONCEPTS"]


def told(what: str, seconds: float, bar: float | None = None) -> None:
    met = "" if bar is None else f"   bar {bar:g}: {'met' if seconds < bar else 'MISSED'}"
    print(f"{what:<58}{seconds:>9.3f}{met}")


def groups(table: Table, k: int) -> float:
    """The CPU seconds of forming the groups, once the distinct tuples are known."""
    coded = coded_columns(table, EXPERIMENT["COLUMNS"], Interpretation(mapping=CONCEPTS))
    distinct = tuples_of(np.column_stack([each.codes for each in coded]))
    return best_of(3, lambda: adaptive_groups(attributes_of(coded, distinct), distinct.frequencies, k)).cpu


def adult(folder: Path) -> None:
    table: Table = EXPERIMENT["adult"](folder)
    for k in (2, 128):
        seconds = best_of(3, lambda k=k: semantic_microaggregate(table, k=k, mapping=CONCEPTS)).cpu  # type: ignore[misc]
        told(f"SA-MDAV, Adult pairs, k={k}", seconds, ADULT_BAR)
    fixed = best_of(1, lambda: semantic_microaggregate(table, k=2, mapping=CONCEPTS, variant="fixed"))
    told("S-MDAV (fixed size), Adult pairs, k=2", fixed.cpu)
    told("semantic recoding, k=5", best_of(3, lambda: semantic_recode(table, k=5, mapping=CONCEPTS)).cpu)
    resampled = best_of(3, lambda: semantic_resample(table, k=5, mapping=CONCEPTS, seed=1))
    told("semantic resampling, k=5", resampled.cpu)
    masked = resampled.result.table
    told("semantic linkage", best_of(3, lambda: link_semantic(table, masked, mapping=CONCEPTS)).cpu)
    told("semantic loss", best_of(3, lambda: semantic_sse(table, masked, mapping=CONCEPTS)).cpu)
    large = table.take(np.tile(np.arange(len(table)), TIMES))
    few, many = groups(table, 128), groups(large, 128 * TIMES)
    told(f"groups of {len(table):,} records, k=128", few)
    told(f"groups of {len(large):,} records with the same pairs", many)
    told("  times as long", many / few, GROWTH_BAR)
    whole = best_of(1, lambda: semantic_microaggregate(large, k=128, mapping=CONCEPTS))
    told(f"SA-MDAV of the {len(large):,} records, from table to table", whole.cpu)


def mixed(folder: Path) -> None:
    """Numbers and categories without an ontology in one microaggregation."""
    names = ["age", "hours-per-week", "occupation", "native-country", "marital-status", "sex"]
    frame = pl.read_csv(folder / "adult.csv.gz").drop_nulls().select(names)
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    for variant in ("mdav", "adaptive"):
        work = partial(microaggregate, table, columns=names, k=5, variant=variant)
        told(f"microaggregation, {len(table):,} x 2 numbers and 4 words, {variant}", best_of(1, work).cpu)


def people(count: int) -> Table:
    """Records of six columns, two of them with many categories."""
    generator = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "age": np.minimum(79, generator.gamma(4, 10, count)).astype(np.int64),
            "sex": generator.integers(0, 2, count).astype(str),
            "status": generator.geometric(0.5, count).clip(1, 5).astype(str),
            "place": generator.geometric(0.25, count).clip(1, 25).astype(str),
            "work": generator.integers(0, 8, count).astype(str),
            "origin": generator.geometric(0.3, count).clip(1, 20).astype(str),
        }
    )
    return Table.of(frame, roles={}, rest="quasi-identifier")


def categories() -> None:
    large, small = people(100_000), people(5_000)
    told("local suppression, 100,000 x 6, k=3", best_of(1, lambda: suppress(large, k=3)).cpu)
    told("  missing matches anything", best_of(1, lambda: suppress(large, k=3, missing="any")).cpu)
    told("full-domain generalisation, 100,000 x 6, k=5", best_of(1, lambda: generalise(large, k=5)).cpu)
    told("  at most 5% suppressed", best_of(1, lambda: generalise(large, k=5, max_suppressed=0.05)).cpu)
    told("Mondrian, 100,000 x 6, k=5", best_of(1, lambda: mondrian(large, k=5)).cpu)
    local = best_of(1, lambda: generalise_locally(small, columns=small.names, k=5))
    told(
        f"local generalisation, 5,000 x 6, {local.result.facts['combinations_before']:,} combinations",
        local.cpu,
    )


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("DISCREET_DATA", "shared/data"))
    print(f"{'':<58}{'CPU s':>9}")
    if (folder / "adult.csv.gz").exists():
        adult(folder)
        mixed(folder)
    else:
        print(f"adult.csv.gz not found in {folder}: the Adult pairs are left out")
    categories()


if __name__ == "__main__":
    main()
