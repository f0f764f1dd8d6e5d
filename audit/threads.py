"""The same file, plan and seed give the same bytes on any number of threads."""

from __future__ import annotations

from pathlib import Path

from audit import people, plans
from audit.outcome import REFUSED, Outcome, faults
from audit.people import Draw
from audit.program import Worker, finished, start
from audit.release_files import digest, manifest


def trial(draw: Draw, folder: Path, worker: Worker) -> Outcome:
    """Masks one file twice, with one thread and with four."""
    made = people.make(draw, folder, plans.plan(draw, longest=2), records=int(draw.integers(50, 2000)))
    seed = folder / "seed"
    seed.write_text(draw.bytes(16).hex())
    seed.chmod(0o600)
    seen = []
    for count in ("1", "4"):
        release = folder / f"release{count}"
        threads = {"POLARS_MAX_THREADS": count, "NUMBA_NUM_THREADS": count, "OMP_NUM_THREADS": count}
        command: list[str | Path] = ["protect", made.file, "--out", release, "--seed-file", seed]
        answer = finished(start(command, folder, environment=threads))
        if answer.code in (2, 3):
            return REFUSED
        if answer.fault((0,)):
            return faults(answer.fault((0,)))
        seen.append([digest(release / "public" / manifest(release)["file"]["name"]), manifest(release)])
    return faults("" if seen[0] == seen[1] else "other bytes with other threads")
