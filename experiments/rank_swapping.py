"""How many people an intruder finds in a file masked by rank swapping, beside what was published.

    python experiments/rank_swapping.py FOLDER          # about ten minutes, nearly all of it EIA by agreement
    python experiments/rank_swapping.py FOLDER --quick  # p = 2, 10, 20 and no probabilistic linkage of EIA
    python experiments/rank_swapping.py FOLDER --file census --tolerance 0.1

FOLDER holds census.csv (1080 records, 13 attributes) and eia.csv (4092 records, the ten numeric attributes). Compared
are the intersection attack that knows p (RSLD), linkage by distance (DLD) and probabilistic linkage (PLD), in percent.

How many attributes the intruder knew was not published. Here every figure is the mean over intruders who know 1, 2, …,
all attributes, drawn at random several times for each number; the curve over the number is printed too, and beside it
how many attributes it takes to reach the published figure. Probabilistic linkage takes the tolerance from the files
unless it is given, in standard deviations.

What differs, and why, is in docs/explanation/rank-swapping.md.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from discreet.attack import link, link_probabilistic, transparency
from discreet.plan import Plan
from discreet.protection import protect
from discreet.release import Release
from discreet.table import Table

ATTACKS = ("RSLD", "DLD", "PLD")
PUBLISHED: dict[str, dict[int, tuple[float, float, float]]] = {
    "census": {
        2: (77.73, 73.52, 71.28),
        4: (66.65, 58.40, 42.92),
        6: (54.65, 43.76, 22.49),
        8: (41.28, 32.13, 11.74),
        10: (29.21, 23.64, 6.03),
        12: (19.87, 18.96, 3.46),
        14: (16.14, 15.63, 2.06),
        16: (13.81, 13.59, 1.29),
        18: (12.21, 11.50, 0.83),
        20: (10.88, 10.87, 0.59),
    },
    "eia": {
        2: (43.27, 21.71, 16.85),
        4: (12.54, 10.61, 4.79),
        6: (7.69, 7.40, 2.03),
        8: (6.12, 5.98, 1.12),
        10: (5.60, 5.19, 0.69),
        12: (5.39, 4.87, 0.51),
        14: (5.28, 4.55, 0.32),
        16: (5.19, 4.54, 0.23),
        18: (5.20, 4.54, 0.22),
        20: (5.15, 4.36, 0.18),
    },
}
QUICK = (2, 10, 20)
DRAWS = 10
PAIRED = {"census": 3, "eia": 1}
"""How many of the draws probabilistic linkage is tried on."""
SEED = 2


class Curve(NamedTuple):
    """The percent found by one attack for each number of known attributes; NaN where it was not tried."""

    percents: list[float]

    @property
    def mean(self) -> float:
        return float(np.nanmean(self.percents)) if not np.isnan(self.percents).all() else float("nan")

    def reaches(self, percent: float) -> str:
        """The least number of attributes that gives so many percent."""
        enough = [place + 1 for place, found in enumerate(self.percents) if found >= percent]
        return str(enough[0]) if enough else f">{len(self.percents)}"


def read(folder: Path, name: str) -> Table:
    """One of the two files, all its published attributes being quasi-identifiers."""
    frame = pl.read_csv(folder / f"{name}.csv")
    if name == "eia":
        frame = frame.select(pl.col("RESREVENUE"), *frame.columns[frame.columns.index("RESREVENUE") + 1 :])
    return Table.of(frame, roles={}, rest="quasi-identifier", name=name)


def known_sets(table: Table, count: int, draws: int) -> list[list[str]]:
    """Sets of so many attributes, drawn at random; those of one more hold one more. One set where all are known."""
    rng = np.random.default_rng(SEED)
    drawn = [[table.keys[place] for place in rng.permutation(len(table.keys))] for _ in range(draws)]
    return [each[:count] for each in drawn[: 1 if count == len(table.keys) else draws]]


def found(table: Table, release: Release, attack: str, keys: Sequence[str], tolerance: float | None) -> float:
    """The percent of people found by an intruder who knows these attributes of everybody."""
    if attack == "RSLD":
        return 100 * transparency(table, release.table, keys=keys, manifest=release.manifest).risk
    if attack == "DLD":
        return 100 * link(table, release.table, keys=keys, direction="original to masked").risk
    return 100 * link_probabilistic(table, release.table, keys=keys, tolerance=tolerance).risk


def curves(
    table: Table, p: int, *, draws: int = DRAWS, paired: int = 1, tolerance: float | None = None
) -> dict[str, Curve]:
    """The curve of each attack, probabilistic linkage being tried on so many of the draws."""
    release = protect(table, Plan.of([("rank_swap", {"p": p})]), seed=SEED)
    percents: dict[str, list[float]] = {attack: [] for attack in ATTACKS}
    for count in range(1, len(table.keys) + 1):
        sets = known_sets(table, count, draws)
        for attack in ATTACKS:
            tried = sets[:paired] if attack == "PLD" else sets
            each = [found(table, release, attack, keys, tolerance) for keys in tried]
            percents[attack].append(float(np.mean(each)) if each else float("nan"))
    return {attack: Curve(each) for attack, each in percents.items()}


def show(name: str, table: Table, ps: Sequence[int], paired: int, tolerance: float | None) -> None:
    """Print the table of one file: published, measured, and attributes needed; then the curves."""
    print(f"\n{name}: {len(table)} records, {len(table.keys)} attributes")
    print(
        "  p " + "".join(f"| {attack}: published  mean over 1..all  all known  needed " for attack in ATTACKS)
    )
    drawn = {}
    for p in ps:
        drawn[p] = curves(table, p, paired=paired, tolerance=tolerance)
        line = f"{p:>3} "
        for attack, published in zip(ATTACKS, PUBLISHED[name][p], strict=True):
            curve = drawn[p][attack]
            figures = f"{published:>12.2f} {curve.mean:>17.2f} {curve.percents[-1]:>10.2f}"
            line += f"|  {figures} {curve.reaches(published):>7} "
        print(line, flush=True)
    for p in ps:
        for attack in ATTACKS:
            told = " ".join(
                "     ." if np.isnan(each) else f"{each:6.1f}" for each in drawn[p][attack].percents
            )
            print(f"p={p:<2} {attack} by attributes known: {told}")


def main() -> None:
    """Print both files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=os.environ.get("DISCREET_DATA"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--file", choices=list(PUBLISHED))
    parser.add_argument("--tolerance", type=float)
    asked = parser.parse_args()
    if asked.folder is None:
        parser.error("give the folder that holds census.csv and eia.csv")
    for name in [asked.file] if asked.file else list(PUBLISHED):
        ps = QUICK if asked.quick else tuple(PUBLISHED[name])
        paired = 0 if asked.quick and name == "eia" else PAIRED[name]
        show(name, read(Path(asked.folder), name), ps, paired, asked.tolerance)


if __name__ == "__main__":
    main()
