"""Seconds to prove the worst case of linkage, and what is found where no proof is asked for.

    python -m bench.learned FOLDER [--only wm,ci] [--seed 0] [--draw 0]

FOLDER holds census.csv. `--only` takes some of wm, owa, ci, cim, sb, whole, 5k, 100k, which have bars and are run by
default, and of wmm, owam, sbm and sb_nc, which have none. `--draw` draws other records. The
bars, in wall seconds of one process after compilation; CPU seconds are printed beside them, for a machine that is busy:

- six files of 400 records: WM proven on all, each in 10; CI and CIm proven on all, each in 120; SB proven on five and
  within 3 records on M5-38, each in 300; OWA proven on five in 60, the gap on M5-38 shown
- all 1080 records: WM proven on M4-33 and M5-38, each in 60
- 5,000 records of 4 columns: WM proven in 300 and 1 GB
- 100,000 records of 7 columns: WM, no proof asked for, in 120
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from bench.points import correlated
from experiments.learned_linkage import DISTANCES, FILES, masked_file, read_census
from numpy.typing import NDArray

from discreet._kernels.clustering.mdav import mdav
from discreet.attack.learning.learn import Learned, learn

Floats = NDArray[np.float64]
HARD = "M5-38"
KINDS = {name.lower(): name for name in DISTANCES}
LIMITS = {"WM": 10.0, "OWA": 60.0, "CI": 120.0, "CIm": 120.0, "SB": 300.0}
WITHOUT_BAR = 60.0
SLACK = {("SB", HARD): 3, ("OWA", HARD): 400}
"""How many records may stay open where no proof is asked for."""
BY_DEFAULT = (*(name.lower() for name in LIMITS), "whole", "5k", "100k")
GIGABYTE = 1.0


@dataclass(slots=True)
class Board:
    """What was met and what was missed, told as it comes."""

    met: int = 0
    missed: list[str] = field(default_factory=list)

    def tell(self, name: str, worst: Learned, cpu: float, limit: float | None, slack: int = 0) -> None:
        """One line of the table, and the bar it is held to, if any."""
        gap = worst.bound - worst.found
        said = "proven" if worst.optimal else f"gap {gap}"
        line = (
            f"{name:<14}{worst.found:>7} of {len(worst.records):>6}  {said:>9}  {worst.seconds:>7.1f} s "
            f"{cpu:>7.1f} cpu"
        )
        if limit is None:
            print(f"{line}   no bar", flush=True)
            return
        asked = "proven" if slack == 0 else f"within {slack}" if slack <= 3 else "a result"
        self.judge(
            name, worst.seconds <= 1.02 * limit and gap <= slack, f"{line}   bar: {asked} in {limit:g} s"
        )

    def judge(self, name: str, met: bool, line: str) -> None:
        """One line that ends in whether its bar is met."""
        self.met += met
        self.missed += [] if met else [name]
        print(f"{line}: {'met' if met else 'MISSED'}", flush=True)

    def close(self) -> int:
        """The last line, and the exit code: 1 where a bar was missed."""
        total = self.met + len(self.missed)
        missed = f"; missed: {', '.join(self.missed)}" if self.missed else ""
        print(f"{self.met} of {total} bars met{missed}")
        return 1 if self.missed else 0


def measured(
    original: Floats, masked: Floats, kind: str, seconds: float, *, prove: bool = True, seed: int = 0
) -> tuple[Learned, float]:
    """The worst case and the CPU seconds it took."""
    distance, metric = DISTANCES[kind]
    cpu = time.process_time()
    worst = learn(original, masked, distance=distance, metric=metric, seconds=seconds, prove=prove, seed=seed)
    return worst, time.process_time() - cpu


def in_pairs(original: Floats, k: int) -> Floats:
    """The columns microaggregated by MDAV in consecutive pairs."""
    masked = original.copy()
    for first in range(0, original.shape[1], 2):
        labels = mdav(original[:, first : first + 2], k)
        for column in range(first, min(first + 2, original.shape[1])):
            masked[:, column] = (np.bincount(labels, original[:, column]) / np.bincount(labels))[labels]
    return masked


def six(board: Board, census: Floats, kind: str, *, seed: int, draw: int) -> None:
    """The six files of 400 records under one distance."""
    limit = LIMITS.get(kind)
    for name in FILES:
        files = masked_file(census, name, seed=draw)
        worst, cpu = measured(*files, kind, limit or WITHOUT_BAR, seed=seed)
        board.tell(f"{kind:<6}{name}", worst, cpu, limit, SLACK.get((kind, name), 0))


def whole(board: Board, census: Floats, *, seed: int) -> None:
    """All records of the Census file under the weighted mean."""
    for name in ("M4-33", HARD):
        worst, cpu = measured(*masked_file(census, name, records=len(census)), "WM", 60.0, seed=seed)
        board.tell(f"WM    {name}", worst, cpu, 60.0)


def five_thousand(seed: int) -> tuple[Learned, float, float]:
    """The worst case of an invented file, its CPU seconds, and the most memory that this process held, in GB."""
    original = correlated(5_000, 4, seed=0, kind="skew")
    worst, cpu = measured(original, in_pairs(original, 3), "WM", 300.0, seed=seed)
    return worst, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def medium(board: Board, *, seed: int) -> None:
    """Five thousand invented records with a proof, in a process of their own so that memory is theirs alone."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        worst, cpu, gigabytes = pool.apply(five_thousand, (seed,))
    board.tell("WM    5k x 4", worst, cpu, 300.0)
    board.judge(
        "memory of 5k x 4",
        gigabytes < GIGABYTE,
        f"{'':<14}peak memory {gigabytes:.2f} GB   bar: {GIGABYTE:g} GB",
    )


def large(board: Board, *, seed: int) -> None:
    """A hundred thousand invented records without a proof."""
    original = correlated(100_000, 7, seed=0, kind="skew")
    noise = 0.1 * original.std(axis=0) * np.random.default_rng(1).standard_normal(original.shape)
    worst, cpu = measured(original, original + noise, "WM", 90.0, prove=False, seed=seed)
    board.tell("WM    100k x 7", worst, cpu, 120.0, len(original))
    if worst.interval is not None:
        low, high = worst.interval
        print(f"{'':<14}learned from {worst.learned_from} records: worst case from {low:.2%} to {high:.2%}")


def parts(text: str) -> list[str]:
    """The parts named, separated by commas."""
    names = text.lower().split(",")
    known = {*KINDS, "whole", "5k", "100k"}
    if unknown := [name for name in names if name not in known]:
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: not among {', '.join(sorted(known))}")
    return names


def main() -> int:
    parser = argparse.ArgumentParser(description="Seconds to prove the worst case of linkage.")
    parser.add_argument("folder", nargs="?", default=os.environ.get("DISCREET_DATA", "shared/data"))
    parser.add_argument("--only", type=parts, default=list(BY_DEFAULT))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--draw", type=int, default=0)
    asked = parser.parse_args()
    board = Board()
    census = read_census(Path(asked.folder))
    for part in asked.only:
        if part in KINDS:
            six(board, census, KINDS[part], seed=asked.seed, draw=asked.draw)
    if "whole" in asked.only:
        whole(board, census, seed=asked.seed)
    if "5k" in asked.only:
        medium(board, seed=asked.seed)
    if "100k" in asked.only:
        large(board, seed=asked.seed)
    return board.close()


if __name__ == "__main__":
    sys.exit(main())
