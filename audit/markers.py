"""No cell that is not published is found in any public byte, whatever the method."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import polars as pl

from audit import people, plans
from audit.outcome import REFUSED, Outcome, faults
from audit.people import Draw, People
from audit.program import Worker
from audit.release_files import published

NEVER = ("name", "remarks", "person")


def trial(draw: Draw, folder: Path, worker: Worker) -> Outcome:
    """Masks a file by a random plan and looks for its cells in the manifest and in a report that may be published."""
    made = people.make(draw, folder, plans.plan(draw, longest=2))
    release = folder / "release"
    answer = worker.run(["protect", made.file, "--out", release], folder)
    if answer.code in (2, 3):
        return faults(_leak("an error", answer.said, made.secret)) if answer.said else REFUSED
    if answer.fault((0,)):
        return faults(answer.fault((0,)))
    shown = _cells(published(release))
    hidden = [each for each in made.rare if each not in shown]
    numbers = [each for each in _rare_numbers(made) if each not in shown]
    page = folder / "page.html"
    worker.run(["report", release, "--original", made.file, "--audience", "external", "--out", page], folder)
    places = [each for each in (release / "public").rglob("*") if each.is_file()]
    places += [page] if page.exists() else []
    found = [_leak(each.name, each.read_text(), [*made.secret, *hidden, *numbers]) for each in places]
    names = [_leak(each.name, each.read_text(), NEVER) for each in places if each.name == "manifest.json"]
    return faults(*found, *(f"a dropped column is named in {each}" for each in names if each))


def _leak(place: str, text: str, marked: Iterable[str]) -> str:
    count = sum(each in text for each in marked)
    return f"{place} holds {count} cells that are not published" if count else ""


def _rare_numbers(made: People) -> list[str]:
    """Incomes that one person alone has, as they are written, where they have digits enough to be known by."""
    income = made.frame["income"]
    alone = income.filter(income.is_unique())
    return [text for text in alone.cast(pl.String).to_list() if len(text.replace(".", "").rstrip("0")) >= 7]


def _cells(frame: pl.DataFrame) -> str:
    """All cells of a file as one text."""
    return "\n".join("\n".join(each.drop_nulls().to_list()) for each in frame)
