"""`discreet report`: a page about a release that opens without a network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from discreet.assessment import Assessment
from discreet.cli import assess, datasets, documents, given, options, outcome, show
from discreet.errors import BadParameter
from discreet.searching.tried import plans_tried
from discreet.table import Table
from discreet.text.assessment import TextAssessment
from discreet.visible import visible_line

if TYPE_CHECKING:
    from discreet.reporting import Report
    from discreet.reporting.facts import Facts
    from discreet.reporting.text_facts import TextFacts

THEN = "discreet report RELEASE --original FILE"


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
    journal: Annotated[
        Path | None,
        typer.Option("--journal", help="The journal of a search: its plans are drawn on the internal map."),
    ] = None,
    cluster: datasets.ClusterAddress = None,
    workers: datasets.Workers = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Assess a release and write the report; exit code 1 when a limit is exceeded or could not be checked."""
    from discreet.reporting import ENDINGS
    from discreet.reporting import report as make_report

    options.check_output(out, force, original, project, private, journal, endings=ENDINGS)
    written: Report[Facts] | Report[TextFacts]
    found: Assessment | TextAssessment
    if documents.is_release(release):
        documents.refuse(project=project, header=header, floor=floor, journal=journal)
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
        written = make_report(found, audience=audience)
    else:
        documents.refuse(queries=queries, gold=gold, people=people, of="a release of documents")
        given.release_folder(release, THEN)
        if journal is not None:
            given.data_file(journal, "the journal of a search")
        settings = options.project_beside(original, project, header)
        settings = datasets.with_engine(settings, cluster, workers, original)
        ceilings, floors = options.limits(ceiling, "ceiling"), options.limits(floor, "floor")
        found = assess.run(release, original, settings, private, ceilings, floors, json)
        assess.keep(release, found, settings)
        tried = _tried(journal, found)
        written = make_report(found, audience=audience, reference=tried)
    written.save(out, force=force)
    if json:
        show.as_json(written.to_dict())
    else:
        show.out.print(f"Wrote {out}" + ("" if audience == "external" else " (internal: do not publish)"))
        for limit in found.limits:
            if not limit.met:
                show.out.print(visible_line(str(limit)), style="yellow", markup=False)
    outcome.leave(found, quiet=json)


def _tried(journal: Path | None, found: Assessment) -> tuple[tuple[str, float, float], ...]:
    """The plans in the journal of a search, where one is given."""
    if journal is None:
        return ()
    if not isinstance(found.original, Table):
        raise BadParameter(
            "--journal is of a search, which takes a single file and not a dataset. Leave it out."
        )
    return plans_tried(journal, found.original)
