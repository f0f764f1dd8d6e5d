"""`discreet inspect`: what the columns of a file seem to be, for the steward to correct."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options, show
from discreet.inspection import Further, Proposal, inspect_further, summary, told
from discreet.inspection import inspect as inspect_file
from discreet.project import FILE_NAME, Project, ReadOptions
from discreet.project.editing import with_section
from discreet.writing import write_text


def inspect(
    file: Annotated[Path, typer.Argument(help="The file to look at, or a folder or pattern of files.")],
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
    project: Annotated[
        Path | None,
        typer.Option(
            "--project",
            help="Go on from this project: what it says stays, and only what it leaves open is proposed.",
        ),
    ] = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Propose a role and a scale for every column and a plan that was tried, and write a project file to correct."""
    place = out or options.folder_of(file) / FILE_NAME
    if not dry_run:
        options.check_output(place, force, file, project=True)
    further = None if project is None else inspect_further(file, _said(project, sheet, header))
    proposal = (
        inspect_file(file, ReadOptions(header=header, sheet=sheet)) if further is None else further.proposal
    )
    if not quick:
        ceilings, floors = options.limits(ceiling, "ceiling"), options.limits(floor, "floor")
        if further is not None:
            ceilings = {**further.project.assess.ceilings, **ceilings}
            floors = {**further.project.assess.floors, **floors}
        with show.bar(json, lines=True) as progress:
            proposal = proposal.with_plan(
                file, ceilings=ceilings or None, floors=floors or None, seconds=seconds, progress=progress
            )
    further = None if further is None else replace(further, proposal=proposal)
    if not dry_run:
        write_text(place, _text(proposal, further, sheet, header), force=force)
    if json:
        show.as_json((further or proposal).to_dict())
        return
    for line in proposal.lines():
        show.out.print(line)
    if proposal.plan is not None:
        for line in ("", *told(proposal.plan, proposal.seen), "", f"Proposed: {summary(proposal.plan)}"):
            show.out.print(line)
    if not dry_run:
        show.out.print(f"\nWrote {place}{_what_next(proposal, place, file)}")


def _what_next(proposal: Proposal, place: Path, file: Path) -> str:
    """What the steward does with the file that was written."""
    if proposal.plan is not None and proposal.plan.chosen is None:
        return ", without a step of masking: correct the roles and inspect again, or write steps of your own."
    apart = [] if place == options.folder_of(file) / FILE_NAME else ["--project", place]
    return f": correct what is wrong, then run: {show.typed('discreet', 'protect', file, *apart)}"


def _said(project: Path, sheet: str | None, header: bool | None) -> Project:
    """The project, with what the options say of how the file is read."""
    given = Project.load(project)
    read = replace(
        given.read,
        sheet=given.read.sheet if sheet is None else sheet,
        header=given.read.header if header is None else header,
    )
    return replace(given, read=read)


def _text(proposal: Proposal, further: Further | None, sheet: str | None, header: bool | None) -> str:
    """The project file to write: one of its own, or the one given with what is proposed."""
    if further is None:
        return proposal.to_toml()
    said = {key: value for key, value in (("sheet", sheet), ("header", header)) if value is not None}
    text = further.project.path.read_bytes().decode("utf-8-sig")
    return with_section(further.text(text), "read", said)
