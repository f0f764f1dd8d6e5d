"""`discreet history`: the releases of a project, how each was made, and what became of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table as Grid

from discreet.cli import options, show
from discreet.cli.outcome import STYLES
from discreet.errors import BadFile
from discreet.history import NOT_ASSESSED, PastRelease
from discreet.history import history as history_of

HEADINGS = ("release", "made (UTC)", "plan", "identity", "attribute", "lost", "verdict", "project file")
WORDS = {None: "gone", True: "changed since", False: "the same"}


def history(
    folder: Annotated[Path, typer.Argument(help="The folder of the project file.")] = Path(),
    json: options.AsJson = False,
) -> None:
    """List the releases of a project: when each was made and how, its risks and loss, and its verdict."""
    if folder.is_file():
        raise BadFile(
            f"{folder} is a file. Give the folder of the project file (discreet history {folder.parent})."
        )
    found = history_of(folder)
    if json:
        show.as_json(found.to_dict())
        return
    show.out.print(_rows(found.releases))
    if found.unread:
        show.out.print(
            f"{found.unread} lines of the history cannot be read and are left out.", style="yellow"
        )
    _tell_next(found.releases)


def _rows(releases: tuple[PastRelease, ...]) -> Grid:
    """A row for each release; columns that would say nothing are left out, so that the others fit."""
    told = [_told(each) for each in releases]
    usual = {"attribute": "", "project file": WORDS[False]}
    headings = [
        name for name in HEADINGS if name not in usual or any(row[name] != usual[name] for row in told)
    ]
    rows = show.grid("Releases, the last one at the end", *headings)
    rows.columns[headings.index("made (UTC)")].no_wrap = True
    for each, row in zip(releases, told, strict=True):
        rows.add_row(*(row[name] for name in headings), style=STYLES.get(each.verdict, "yellow"))
    return rows


def _told(each: PastRelease) -> dict[str, str]:
    cells = (
        each.folder if each.there else f"{each.folder} (gone)",
        each.made[:16].replace("T", " "),
        ", ".join(step.split()[0] for step in each.plan) + (" (unfinished)" if each.unfinished else ""),
        _share(each.identity),
        _share(each.attribute),
        "" if each.lost is None else f"{each.lost:.1f}%",
        each.verdict,
        WORDS[each.project_changed],
    )
    return dict(zip(HEADINGS, cells, strict=True))


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def _tell_next(releases: tuple[PastRelease, ...]) -> None:
    """Which releases nobody has judged yet."""
    for each in releases:
        if each.there and each.verdict == NOT_ASSESSED and not each.unfinished:
            show.out.print(f"{each.folder} is not assessed: discreet assess {each.folder} --original FILE")


def noted(keep: Callable[[], None]) -> list[str]:
    """What hinders keeping the history, as warnings: a release stands whatever becomes of its history."""
    try:
        keep()
    except BadFile as problem:
        return [str(problem)]
    return []
