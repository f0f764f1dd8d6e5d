"""`discreet preview`: what each step of the plan does, on some of the records, before anything is released."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options, show
from discreet.previewing import USUAL_RECORDS
from discreet.previewing import preview as preview_plan
from discreet.reading import read


def preview(
    file: Annotated[Path, typer.Argument(help="The original.")],
    mask: Annotated[
        list[str] | None,
        typer.Option(
            "--mask",
            help="A masking step instead of those in the project: 'microaggregate k=5 columns=age,income'.",
        ),
    ] = None,
    records: Annotated[
        int, typer.Option("--records", min=2, help="How many records to look at.")
    ] = USUAL_RECORDS,
    whole: Annotated[bool, typer.Option("--all", help="Look at all records.")] = False,
    project: options.ProjectFile = None,
    header: options.Header = None,
    json: options.AsJson = False,
) -> None:
    """Show what each step of the plan does to risk, loss and columns, on some of the records; nothing is written."""
    settings = options.project_beside(file, project, header)
    plan = options.plan_of(mask) if mask else settings.plan
    with show.bar(json) as progress:
        progress(0, 1, "read")
        found = preview_plan(
            read(file, project=settings),
            plan,
            records=None if whole else records,
            ceilings=settings.assess.ceilings,
            floors=settings.assess.floors,
            publish_text=settings.release.publish_text,
            progress=progress,
        )
    if json:
        show.as_json(found.to_dict())
        return
    for line in found.lines():
        show.out.print(line)
