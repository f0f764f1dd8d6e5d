"""`discreet demo`: the whole way of the data, on people who do not exist."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import assess, options, protect, show
from discreet.errors import BadParameter
from discreet.project import FILE_NAME, Project
from discreet.writing.release import files_of_release

MOST_NOTES = 600
"""More notes than these show nothing more."""
DATA, PROPOSED, RELEASE, REPORT = "people.csv", "proposed.toml", "release", "report.html"


def _ours(folder: Path) -> list[str]:
    """The files that a demonstration leaves in a folder; none where it has left none there."""
    written = [DATA, PROPOSED, FILE_NAME, REPORT]
    if not all((folder / name).is_file() for name in written):
        return []
    return [*written, *(f"{RELEASE}/{name}" for name in files_of_release(folder / RELEASE))]


def demo(
    folder: Annotated[Path, typer.Option("--folder", help="Where to leave everything.")] = Path(
        "discreet-demo"
    ),
    records: Annotated[
        int, typer.Option("--records", min=100, max=1_000_000, help="How many people.")
    ] = 3000,
    corpus: Annotated[
        bool, typer.Option("--corpus", help="Invent a corpus instead, and publish it as vectors.")
    ] = False,
    documents: Annotated[
        bool, typer.Option("--documents", help="Invent an archive of letters instead, and sanitise it.")
    ] = False,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Invent a census, inspect it, mask it, attack the result and write the report."""
    if documents and corpus:
        raise BadParameter("demo: --corpus and --documents are two demonstrations; choose one of them.")
    if documents:
        from discreet.cli.demo_documents import demo_documents

        demo_documents(folder, force, json)
        return
    if corpus:
        from discreet.cli.demo_corpus import demo_corpus

        demo_corpus(folder, min(records, MOST_NOTES), force, json)
        return
    from discreet import demo as census
    from discreet.inspection import inspect
    from discreet.reporting import report
    from discreet.writing import new_folder, write_text

    with new_folder(folder, force=force, ours=_ours) as work:
        file = work / DATA
        census.people(records).write_csv(file)
        proposal = inspect(file)
        write_text(work / PROPOSED, proposal.to_toml())
        write_text(work / FILE_NAME, census.project(DATA))
        project = Project.load(work / FILE_NAME)
        protect.run(file, project, project.plan, work / RELEASE, None, False, json)
        found = assess.run(work / RELEASE, file, project, None, {}, {}, json)
        report(found).save(work / REPORT)
    if json:
        show.as_json({"folder": str(folder), "assessment": found.to_dict()})
        return
    show.assessment(found)
    show.out.print(f"\nEverything is in {folder}:")
    meanings = {
        DATA: f"{records} people who do not exist",
        PROPOSED: "what `discreet inspect` proposed",
        FILE_NAME: "the project file, as a steward corrected it",
        f"{RELEASE}/public": "what would be published, with its manifest",
        f"{RELEASE}/private": "what must stay secret",
        REPORT: "the report: open it in a browser",
    }
    for name, meaning in meanings.items():
        show.out.print(f"  {name:<17} {meaning}")
