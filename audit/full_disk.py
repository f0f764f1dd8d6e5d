"""A disk without room, in the middle of any file of any format, gives a named error and leaves nothing behind."""

from __future__ import annotations

import resource
from pathlib import Path

from audit import people, plans
from audit.outcome import Outcome, faults
from audit.people import Draw
from audit.program import Worker, finished, start
from audit.release_files import broken, digest, leftovers

FORMATS = ("csv", "parquet", "arrow", "xlsx", "sav", "dta", "xpt")


def trial(draw: Draw, folder: Path, worker: Worker) -> Outcome:
    """Writes a release with files cut off at a random size, and looks for what is left."""
    steps = [plans.step(draw, "rank_swap")]
    made = people.make(draw, folder, steps, records=int(draw.integers(200, 900)))
    chosen = str(draw.choice(FORMATS))
    text = people.project(steps, [*people.LEVELS, made.rare[1]], release=f'format = "{chosen}"')
    (folder / "discreet.toml").write_text(text)
    before, release = digest(made.file), folder / "release"
    room = int(2 ** draw.uniform(5, 16))
    process = start(
        ["protect", made.file, "--out", release],
        folder,
        environment={"PYTHONDONTWRITEBYTECODE": "1"},
        before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )
    answer = finished(process)
    whole = broken(release) if answer.code == 0 else "a release in spite of it" if release.exists() else ""
    return faults(
        answer.fault((0, 2)),
        f"{chosen}: {whole}" if whole else "",
        "" if digest(made.file) == before else "the original was changed",
        f"left unfinished: {leftovers(folder)}" if leftovers(folder) else "",
        f"{chosen}: another cause is told" if answer.code == 2 and not _tells_of_room(answer.said) else "",
    )


def _tells_of_room(said: str) -> bool:
    return any(word in said.lower() for word in ("too large", "no space", "no room", "disk", "refused"))
