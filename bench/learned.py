"""Seconds to prove the worst case of linkage, and what is found where no proof is asked for.

    python -m bench.learned FOLDER [--only six | whole | large]

FOLDER holds census.csv. The bars, in wall seconds of one process:

- six files of 400 records: WM proven on all, each in 10; CI and CIm proven on all, each in 120; SB proven on five and
  within 3 records on M5-38 in 300; OWA proven on five, the gap on M5-38 shown
- all 1080 records: WM proven on M4-33 and M5-38, each in 60
- 5,000 records of 4 columns: WM in 300 and 1 GB
- 100,000 records of 7 columns: WM, no proof asked for, in 120
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from pathlib import Path

import numpy as np
from bench.points import correlated
from experiments.learned_linkage import DISTANCES, FILES, masked_file, read_census
from numpy.typing import NDArray

from discreet._kernels.mdav import mdav
from discreet.attack.learning.learn import Learned, learn

Floats = NDArray[np.float64]
HARD = "M5-38"
BARS = {
    "WM": 10.0,
    "WMm": 10.0,
    "OWA": 60.0,
    "CI": 120.0,
    "CIm": 120.0,
    "SB": 300.0,
    "SBm": 300.0,
    "SB_NC": 300.0,
}
SLACK = {("SB", HARD): 3, ("SBm", HARD): 3, ("SB_NC", HARD): 3, ("OWA", HARD): 400}
"""How many records may stay open where no proof is asked for."""


def told(name: str, worst: Learned, cpu: float, bar: float, slack: int) -> str:
    """One line of the table."""
    met = worst.seconds <= 1.02 * bar and worst.bound - worst.found <= slack
    proven = "proven" if worst.optimal else f"gap {worst.bound - worst.found}"
    return (
        f"{name:<14}{worst.found:>7} of {len(worst.records):>6}  {proven:>8}  {worst.seconds:>7.1f} s {cpu:>7.1f} cpu"
        f"   bar {bar:g} s: {'met' if met else 'MISSED'}"
    )


def measured(
    original: Floats, masked: Floats, kind: str, seconds: float, prove: bool
) -> tuple[Learned, float]:
    """The worst case and the CPU seconds it took."""
    distance, metric = DISTANCES[kind]
    cpu = time.process_time()
    worst = learn(original, masked, distance=distance, metric=metric, seconds=seconds, prove=prove, seed=0)
    return worst, time.process_time() - cpu


def in_pairs(original: Floats, k: int) -> Floats:
    """The columns microaggregated by MDAV in consecutive pairs."""
    masked = original.copy()
    for first in range(0, original.shape[1], 2):
        labels = mdav(original[:, first : first + 2], k)
        for column in range(first, min(first + 2, original.shape[1])):
            masked[:, column] = (np.bincount(labels, original[:, column]) / np.bincount(labels))[labels]
    return masked


def six(folder: Path) -> None:
    """The six files of 400 records under every distance."""
    census = read_census(folder)
    for kind, bar in BARS.items():
        for name in FILES:
            worst, cpu = measured(*masked_file(census, name), kind, bar, prove=True)
            print(told(f"{kind:<6}{name}", worst, cpu, bar, SLACK.get((kind, name), 0)), flush=True)


def whole(folder: Path) -> None:
    """All records of the Census file under the weighted mean."""
    census = read_census(folder)
    for name in ("M4-33", HARD):
        worst, cpu = measured(*masked_file(census, name, records=len(census)), "WM", 60.0, prove=True)
        print(told(f"WM    {name}", worst, cpu, 60.0, 0), flush=True)


def large() -> None:
    """Invented files: five thousand records with a proof, a hundred thousand without."""
    original = correlated(5_000, 4, seed=0, kind="skew")
    worst, cpu = measured(original, in_pairs(original, 3), "WM", 300.0, prove=True)
    print(told("WM    5k x 4", worst, cpu, 300.0, 0))
    print(
        f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB (bar 1)", flush=True
    )
    original = correlated(100_000, 7, seed=0, kind="skew")
    noise = 0.1 * original.std(axis=0) * np.random.default_rng(1).standard_normal(original.shape)
    worst, cpu = measured(original, original + noise, "WM", 90.0, prove=False)
    print(told("WM    100k x 7", worst, cpu, 120.0, len(original)))


def main() -> None:
    parser = argparse.ArgumentParser(description="Seconds to prove the worst case of linkage.")
    parser.add_argument("folder", nargs="?", default=os.environ.get("DISCREET_DATA", "shared/data"))
    parser.add_argument("--only", choices=("six", "whole", "large"))
    asked = parser.parse_args()
    left, right = np.random.default_rng(0).normal(size=(2, 30, 3))
    for kind in DISTANCES:
        measured(left, right, kind, 5.0, prove=True)
    if asked.only in (None, "six"):
        six(Path(asked.folder))
    if asked.only in (None, "whole"):
        whole(Path(asked.folder))
    if asked.only in (None, "large"):
        large()


if __name__ == "__main__":
    main()
