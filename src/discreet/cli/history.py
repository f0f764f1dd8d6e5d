"""`discreet history`: the releases of a project, how each was made, and what became of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options, show
from discreet.cli.outcome import STYLES
from discreet.errors import BadFile
from discreet.history import NOT_ASSESSED, PastRelease
from discreet.history import history as history_of

WORDS = {None: "gone", True: "changed since", False: "the same"}


def history(
    folder: Annotated[Path, typer.Argument(help="The folder of the project file.")] = Path(),
    json: options.AsJson = False,
) -> None:
    """List the releases of a project: when each was made and how, its risks and loss, and its verdict."""
    if folder.is_file():
        raise BadFile(
            f"{folder} is a file. Give the folder of the project file: discreet history {folder.parent}."
        )
    found = history_of(folder)
    if json:
        show.as_json(found.to_dict())
        return
    rows = show.grid(
        "Releases, the last one at the end",
        "release", "made (UTC)", "plan", "identity", "attribute", "lost", "verdict", "project file",
    )  # fmt: skip
    for each in found.releases:
        rows.add_row(
            each.folder if each.there else f"{each.folder} (gone)",
            each.made[:16].replace("T", " "),
            ", ".join(step.split()[0] for step in each.plan) + (" (unfinished)" if each.unfinished else ""),
            _share(each.identity),
            _share(each.attribute),
            "" if each.lost is None else f"{each.lost:.1f}%",
            each.verdict,
            WORDS[each.project_changed],
            style=STYLES.get(each.verdict, "yellow"),
        )
    show.out.print(rows)
    if found.unread:
        show.out.print(
            f"{found.unread} lines of the history cannot be read and are left out.", style="yellow"
        )
    _tell_next(found.releases)


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
