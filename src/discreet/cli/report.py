"""`discreet report`: a page about a release that opens without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from discreet.assessment import Assessment
from discreet.cli import assess, documents, options, show
from discreet.text.assessment import TextAssessment
from discreet.visible import visible_line


def report(
    release: assess.ReleaseFolder,
    original: options.Original,
    out: Annotated[Path, typer.Option("--out", help="The page to write: .html, or .json.")] = Path(
        "report.html"
    ),
    audience: Annotated[
        Literal["internal", "external"],
        typer.Option("--audience", help="internal (everything) or external (safe to publish)."),
    ] = "internal",
    project: options.ProjectFile = None,
    header: options.Header = None,
    private: options.Private = None,
    ceiling: options.Ceilings = None,
    floor: options.Floors = None,
    queries: documents.Queries = None,
    gold: documents.Gold = None,
    people: documents.People = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Assess a release and write the report; exit code 1 when a limit is exceeded or could not be checked."""
    from discreet.reporting import report as make_report

    options.check_output(out, force, original, project, private)
    found: Assessment | TextAssessment
    if documents.is_release(release):
        documents.refuse(project=project, header=header, floor=floor)
        found = documents.run(
            release,
            original,
            private=private,
            queries=queries,
            gold=gold,
            people=people,
            ceilings=ceiling,
            quiet=json,
        )
    else:
        documents.refuse(queries=queries, gold=gold, people=people, of="a release of documents")
        settings = options.project_beside(original, project, header)
        ceilings, floors = options.limits(ceiling, "ceiling"), options.limits(floor, "floor")
        found = assess.run(release, original, settings, private, ceilings, floors, json)
    written = make_report(found, audience=audience)
    written.save(out, force=force)
    if json:
        show.as_json(written.to_dict())
    else:
        show.out.print(f"Wrote {out}" + ("" if audience == "external" else " (internal: do not publish)"))
        for limit in found.limits:
            if not limit.met:
                show.out.print(visible_line(str(limit)), style="yellow", markup=False)
    if not found.acceptable:
        raise typer.Exit(1)
