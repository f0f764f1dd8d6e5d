"""`discreet inspect`: what the columns of a file seem to be, for the steward to correct."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options, show
from discreet.inspection import inspect as inspect_file
from discreet.inspection import summary, told
from discreet.project import FILE_NAME, ReadOptions
from discreet.writing import write_text


def inspect(
    file: Annotated[Path, typer.Argument(help="The file to look at.")],
    out: Annotated[
        Path | None, typer.Option("--out", help=f"The project file to write; {FILE_NAME} beside the data.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Propose columns and a plan without trying any plan.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds", help="Stop trying plans after so long; the file tells where that changed it."
        ),
    ] = None,
    ceiling: options.Ceilings = None,
    floor: options.Floors = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the proposal and write nothing.")] = False,
    sheet: Annotated[
        str | None,
        typer.Option("--sheet", help="The sheet of a workbook; the one that holds most when left out."),
    ] = None,
    header: options.Header = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Propose a role and a scale for every column and a plan that was tried, and write a project file to correct."""
    place = out or options.folder_of(file) / FILE_NAME
    if not dry_run:
        options.check_output(place, force, file, project=True)
    proposal = inspect_file(file, ReadOptions(header=header, sheet=sheet))
    if not quick:
        with show.bar(json, lines=True) as progress:
            proposal = proposal.with_plan(
                file,
                ceilings=options.limits(ceiling, "ceiling") or None,
                floors=options.limits(floor, "floor") or None,
                seconds=seconds,
                progress=progress,
            )
    if not dry_run:
        write_text(place, proposal.to_toml(), force=force)
    if json:
        show.as_json(proposal.to_dict())
        return
    for line in proposal.lines():
        show.out.print(line)
    if proposal.plan is not None:
        for line in ("", *told(proposal.plan, proposal.records), "", f"Proposed: {summary(proposal.plan)}"):
            show.out.print(line)
    if not dry_run:
        show.out.print(f"\nWrote {place}: correct what is wrong, then run: discreet protect {file}")
