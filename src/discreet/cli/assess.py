"""`discreet assess`: attack a release and measure its loss."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.assessment import Assessment
from discreet.assessment import assess as assess_release
from discreet.caching import Cache
from discreet.cli import datasets, documents, given, options, outcome, show
from discreet.cli.history import noted
from discreet.compact import with_texts_once
from discreet.dataset import Dataset
from discreet.errors import BadParameter
from discreet.formats import BY_NAME
from discreet.history import note_assessment
from discreet.intruder import OWNER
from discreet.project import Project
from discreet.reading.read_like import read_like
from discreet.records_at_risk import records_at_risk
from discreet.release import Release
from discreet.table import Table

RECORD_FILES = (*BY_NAME["csv"].written[:1], *BY_NAME["parquet"].written[:1])
NOT_AS_IT_IS = "As it is, the file should not be published"
THEN = "discreet assess RELEASE --original FILE"
ReleaseFolder = Annotated[
    Path, typer.Argument(help="The folder of a release, as `discreet protect` wrote it.")
]
ReleaseOrFile = Annotated[
    Path,
    typer.Argument(
        help="The folder of a release; or a file that is not masked yet, to see how exposed it is."
    ),
]
Records = Annotated[
    Path | None,
    typer.Option(
        "--records",
        help="Write the risk of each record, by its row in the original: .csv or .parquet, for the owner alone.",
    ),
]
OriginalIfReleased = Annotated[
    Path | None, typer.Option("--original", help="The original file that was masked, for a release.")
]


def assess(
    release: ReleaseOrFile,
    original: OriginalIfReleased = None,
    project: options.ProjectFile = None,
    header: options.Header = None,
    private: options.Private = None,
    population: options.Population = None,
    attack: options.Attacks = None,
    loss: options.Losses = None,
    ceiling: options.Ceilings = None,
    floor: options.Floors = None,
    queries: documents.Queries = None,
    gold: documents.Gold = None,
    people: documents.People = None,
    records: Records = None,
    cluster: datasets.ClusterAddress = None,
    workers: datasets.Workers = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Attack a release, or a file as it is, as an intruder would and measure what use is left.

    Exit code 1 when a limit is exceeded or could not be checked.
    """
    options.check_output(records, force, release, original, project, population, endings=RECORD_FILES)
    if documents.is_release(release):
        documents.refuse(project=project, header=header, population=population, floor=floor, records=records)
        _of_documents(
            release,
            original,
            json,
            private=private,
            queries=queries,
            gold=gold,
            people=people,
            attacks=attack,
            losses=loss,
            ceilings=ceiling,
        )
        return
    documents.refuse(queries=queries, gold=gold, people=people, of="a release of documents")
    _check_given(release, original, private)
    settings = options.project_beside(original or release, project, header)
    settings = datasets.with_engine(settings, cluster, workers, original or release)
    settings = _judged_by(settings, attack, loss)
    found = run(
        None if original is None else release,
        original or release,
        settings,
        private,
        options.limits(ceiling, "ceiling"),
        options.limits(floor, "floor"),
        json,
        population,
        texts_once=True,
    )
    _show(found, records, force, json, as_it_is=original is None)
    if original is None:
        outcome.leave(found, quiet=json, what=NOT_AS_IT_IS)
        return
    keep(release, found, settings)
    outcome.leave(found, quiet=json)


def _check_given(release: Path, original: Path | None, private: Path | None) -> None:
    """Raises where what is given is neither a release and its original nor a file as it is."""
    if original is not None:
        given.release_folder(release, THEN)
        return
    documents.refuse(private=private, of="a release with its --original")
    if given.is_release(release):
        raise BadParameter(f"{release} is a release, which is judged beside its original: {THEN}.")
    given.data_file(release, "what is to be assessed")


def _show(found: Assessment, records: Path | None, force: bool, json: bool, *, as_it_is: bool) -> None:
    """What was found, with the file of the records at risk where one is to be written."""
    written = None if records is None else _write_records(found, records, force, json)
    if json:
        show.as_json({**found.to_dict(), **({} if written is None else {"records_file": written})})
        return
    show.assessment(found, as_it_is=as_it_is)
    if written is not None:
        _tell_records(written)


def _judged_by(settings: Project, attacks: list[str] | None, losses: list[str] | None) -> Project:
    """The project with the attacks and losses that options name in place of its own."""
    judged = replace(
        settings.assess,
        attacks=tuple(attacks) if attacks else settings.assess.attacks,
        losses=tuple(losses) if losses else settings.assess.losses,
    )
    return replace(settings, assess=judged)


def _write_records(found: Assessment, place: Path, force: bool, quiet: bool) -> dict[str, Any]:
    """Writes the risk of each record; the name of the file and what it does not hold."""
    with show.bar(quiet) as progress:
        risks = records_at_risk(found, progress=progress)
    risks.save(place, force=force)
    return {"file": str(place), "records": len(risks.frame), "notes": list(risks.notes)}


def _tell_records(written: dict[str, Any]) -> None:
    show.out.print(
        f"\nWrote {written['file']}: the risk of {written['records']:,} records, by row of the original"
    )
    for note in written["notes"]:
        show.out.print(f"  {note}")
    show.out.print("Keep it secret: it tells who is found.")


def keep(folder: Path, found: Assessment, project: Project) -> None:
    """Keeps in the history of the project what was found of a release, or warns that it cannot be kept."""
    for warning in noted(lambda: note_assessment(folder, found, project)):
        show.err.print(f"Warning: {warning}", style="red")


def _of_documents(release: Path, original: Path | None, json: bool, **given_texts: Any) -> None:
    found = documents.run(release, original, quiet=json, **given_texts)
    if json:
        show.as_json(found.to_dict())
    else:
        show.text_assessment(found)
    outcome.leave(found, quiet=json)


def run(
    folder: Path | None,
    original: Path,
    project: Project,
    private: Path | None,
    ceilings: dict[str, float],
    floors: dict[str, float],
    quiet: bool,
    population: Path | None = None,
    table: Table | Dataset | None = None,
    texts_once: bool = False,
) -> Assessment:
    """The assessment of the release in a folder, or of the original as it is, with the project's limits and these.

    `table` is the original where it has been read already, which a pipe can be only once. With `texts_once` the tables
    are held in less memory while they are attacked, and so are those of the assessment.
    """
    table = datasets.original_of(original, project) if table is None else table
    if isinstance(table, Dataset):
        datasets.refuse(population=population)
    with show.bar(quiet) as progress, datasets.running_for(table, project.engine) as engine:
        release = datasets.release_of(folder, table, private)
        judged = project.assess
        everybody = None
        if population is not None and isinstance(table, Table):
            like = release.table if isinstance(release, Release) else table
            everybody = read_like(population, like, options=project.read)
            del like
        if texts_once and isinstance(table, Table):
            table = with_texts_once(table)
            if isinstance(release, Release):
                release = replace(release, table=with_texts_once(release.table))
        kept = None if folder is None else folder / "private"
        return assess_release(
            table,
            release,
            attacks=judged.attacks or None,
            losses=judged.losses or None,
            ceilings={**judged.ceilings, **ceilings},
            floors={**judged.floors, **floors},
            alpha=0.5 if judged.alpha is None else judged.alpha,
            intruder=replace(OWNER, population=everybody),
            cache=Cache(kept / "assessment") if kept is not None and kept.is_dir() else None,
            engine=engine,
            progress=progress,
        )
