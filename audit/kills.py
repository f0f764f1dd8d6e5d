"""Kills, interrupts and requests to end at any moment leave the old release or the new one, and the original."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from audit import people, plans
from audit.outcome import Outcome, faults
from audit.people import Draw
from audit.program import Worker, finished, start
from audit.release_files import broken, digest, leftovers

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
LONGEST = 2.5
"""Seconds within which most of these commands are done: a moment is drawn from them."""


def trial(draw: Draw, folder: Path, worker: Worker) -> Outcome:
    """Makes a release, runs a command that would replace it or add to it, ends it at a random moment, and looks.

    The same command is run again, and another one beside it: both do their work, and clear what was left unfinished.
    """
    made = people.make(
        draw, folder, plans.plan(draw, longest=1, methods=("suppress", "rank_swap")), records=120
    )
    before, release = digest(made.file), folder / "release"
    first = worker.run(["protect", made.file, "--out", release], folder)
    if first.fault((0,)):
        return faults(first.fault((0,)))
    command, sent = _command(draw, made.file, release), SIGNALS[int(draw.integers(len(SIGNALS)))]
    process = start(command, folder)
    time.sleep(float(draw.uniform(0, LONGEST)))
    process.send_signal(sent)
    answer = finished(process)
    page = folder / "report.html"
    seen = (
        "" if digest(made.file) == before else "the original was changed",
        broken(release),
        "half a report" if page.exists() and not page.read_text().rstrip().endswith("</html>") else "",
        _ended(answer.code, sent),
    )
    again = worker.run(command, folder)
    beside = worker.run(["protect", made.file, "--out", folder / "next"], folder)
    return faults(
        *seen,
        again.fault((0, 1, 3)),
        beside.fault((0,)),
        f"left unfinished: {leftovers(folder)}" if leftovers(folder) else "",
    )


def _command(draw: Draw, file: Path, release: Path) -> list[str | Path]:
    commands: list[list[str | Path]] = [
        ["protect", file, "--out", release, "--force"],
        ["search", file, "--seconds", "3", "--ceiling", "identity=0.5", "--force"],
        ["report", release, "--original", file, "--force"],
        ["assess", release, "--original", file],
    ]
    return commands[int(draw.integers(len(commands)))]


def _ended(code: int | None, sent: signal.Signals) -> str:
    """A process that was stopped says so; one that was done before keeps its own answer."""
    allowed = (0, 1, 3, 130, -sent) if sent != signal.SIGKILL else (0, 1, 3, -sent)
    return "" if code in allowed else f"exit code {code} after {sent.name}"
