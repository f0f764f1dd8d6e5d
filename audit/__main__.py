"""Runs the audit: `python -m audit --minutes 10`. Prints trials and failures, and how to repeat each failure."""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from audit import broken_files, full_disk, guarantees, kills, markers, threads, verdicts
from audit.outcome import Outcome, faults
from audit.people import Draw
from audit.program import Worker

Trial = Callable[[Draw, Path, Worker], Outcome]
CHECKS: dict[str, tuple[str, Trial]] = {
    "kills": ("killed or stopped at a random moment", kills.trial),
    "full disk": ("no room in the middle of a file", full_disk.trial),
    "markers": ("cells that are not published, in public bytes", markers.trial),
    "guarantees": ("sentences of the manifest, recomputed on the file", guarantees.trial),
    "verdicts": ("risks and limits, recomputed by plain matching", verdicts.trial),
    "threads": ("the same bytes on any number of threads", threads.trial),
    "tables": ("damaged tables", broken_files.tables),
    "projects": ("damaged project files", broken_files.projects),
    "manifests": ("damaged manifests", broken_files.manifests),
}
LANES = 2


@dataclass(slots=True)
class Tally:
    """How many trials of a check were made, how many could look, how long they took, and what they found."""

    trials: int = 0
    looked: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)


class Audit:
    """Trials of all checks, those that had the least time so far first, until the time is up."""

    def __init__(self, seed: int, names: list[str]) -> None:
        self.seed = seed
        self.tallies = {name: Tally() for name in names}
        self.lock = threading.Lock()

    def run(self, until: float) -> None:
        """Makes trials in turn; each has a folder and a draw of its own."""
        worker = Worker()
        while time.monotonic() < until:
            with self.lock:
                name = min(self.tallies, key=lambda each: self.tallies[each].seconds)
                tally = self.tallies[name]
                number, tally.trials = tally.trials, tally.trials + 1
                tally.seconds += 1e-3
            begun = time.monotonic()
            outcome = one(self.seed, name, number, worker)
            with self.lock:
                tally.seconds += time.monotonic() - begun
                tally.looked += outcome.looked
                tally.faults += [f"trial {number}: {each}" for each in outcome.faults]
        worker.close()


def one(seed: int, name: str, number: int, worker: Worker) -> Outcome:
    """One trial of a check: the same for the same seed, name and number."""
    draw = np.random.default_rng([seed, list(CHECKS).index(name), number])
    with tempfile.TemporaryDirectory() as folder:
        try:
            return CHECKS[name][1](draw, Path(folder), worker)
        except (OSError, ValueError, KeyError, AssertionError) as problem:
            return faults(f"the audit itself failed: {type(problem).__name__}: {problem}")


def table(tallies: dict[str, Tally]) -> str:
    """Trials and failures as a table for a docs page."""
    lines = ["| check | trials | could look | failures |", "|---|---|---|---|"]
    for name, tally in tallies.items():
        failed = len({each.split(":")[0] for each in tally.faults})
        lines.append(f"| {CHECKS[name][0]} | {tally.trials} | {tally.looked} | {failed} |")
    return "\n".join(lines)


def main() -> int:
    """1 where anything failed, or where a check never looked."""
    parser = argparse.ArgumentParser(prog="audit", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("--only", choices=list(CHECKS), action="append")
    parser.add_argument("--trial", type=int, help="repeat this trial alone, of the check named by --only")
    asked = parser.parse_args()
    if asked.trial is not None:
        found = one(asked.seed, asked.only[0], asked.trial, Worker())
        print(found)
        return int(bool(found.faults))
    audit = Audit(asked.seed, asked.only or list(CHECKS))
    until = time.monotonic() + 60 * asked.minutes
    lanes = [threading.Thread(target=audit.run, args=(until,)) for _ in range(LANES)]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    print(table(audit.tallies))
    for name, tally in audit.tallies.items():
        for each in tally.faults:
            print(f"{name}, {each}")
    print(f"To repeat one: python -m audit --seed {asked.seed} --only NAME --trial NUMBER")
    return int(any(each.faults or not each.looked for each in audit.tallies.values()))


if __name__ == "__main__":
    sys.exit(main())
