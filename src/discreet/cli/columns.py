"""`discreet columns`: every column of a file as it is, with its role and what is proposed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options, show
from discreet.inspection import ColumnFacts, column_facts
from discreet.project import FILE_NAME, Project
from discreet.reporting.words import percent


def columns(
    file: Annotated[Path, typer.Argument(help="The file to look at.")],
    project: options.ProjectFile = None,
    json: options.AsJson = False,
) -> None:
    """Tell of every column its type, its values in a small histogram, its role, and what is proposed.

    Without a project file the roles are those that are proposed.
    """
    place = project or options.folder_of(file) / FILE_NAME
    settings = Project.load(place) if project is not None or place.exists() else None
    with show.bar(json) as progress:
        progress(0, 1, "look at the columns")
        found = column_facts(file, settings)
        progress(1, 1, "looked at")
    if json:
        show.as_json(found.to_dict())
        return
    rows = show.grid(
        f"{found.file}: {found.records:,} records",
        "column",
        "type",
        "different",
        "missing",
        "role",
        "scale",
        "values",
    )
    for each in found.columns:
        missing = percent(each.proposed.missing / max(1, found.records))
        told = (each.column.name, each.type, f"{each.proposed.distinct:,}", missing)
        rows.add_row(*told, str(each.column.role), str(each.column.scale), _sketch(each))
    show.out.print(rows)
    for remark in found.remarks:
        show.out.print(remark)


def _sketch(column: ColumnFacts) -> str:
    """The distribution as a row of blocks."""
    shares = [bar.original or 0 for bar in column.distribution.bars]
    most = max(shares, default=0)
    return "".join(" ▁▂▃▄▅▆▇█"[-(-8 * each // most)] for each in shares) if most else ""
