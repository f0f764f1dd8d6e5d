"""`discreet assess`: attack a release and measure its loss."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from discreet.assessment import Assessment
from discreet.assessment import assess as assess_release
from discreet.caching import Cache
from discreet.cli import documents, given, options, outcome, show
from discreet.compact import with_texts_once
from discreet.errors import BadParameter
from discreet.intruder import OWNER
from discreet.project import Project
from discreet.reading import read
from discreet.reading.read_like import read_like
from discreet.release import Release
from discreet.table import Table

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
    json: options.AsJson = False,
) -> None:
    """Attack a release, or a file as it is, as an intruder would and measure what use is left.

    Exit code 1 when a limit is exceeded or could not be checked.
    """
    if documents.is_release(release):
        _of_documents(release, original, private, queries, gold, attack, loss, ceiling, json)
        return
    if original is not None:
        given.release_folder(release, THEN)
    elif given.is_release(release):
        raise BadParameter(f"{release} is a release, which is judged beside its original: {THEN}.")
    else:
        given.data_file(release, "what is to be assessed")
    settings = options.project_beside(original or release, project, header)
    judged = replace(
        settings.assess,
        attacks=tuple(attack) if attack else settings.assess.attacks,
        losses=tuple(loss) if loss else settings.assess.losses,
    )
    settings = replace(settings, assess=judged)
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
    if json:
        show.as_json(found.to_dict())
    else:
        show.assessment(found)
    outcome.leave(found, quiet=json)


def _of_documents(
    release: Path,
    original: Path | None,
    private: Path | None,
    queries: Path | None,
    gold: Path | None,
    attacks: list[str] | None,
    losses: list[str] | None,
    ceilings: list[str] | None,
    json: bool,
) -> None:
    found = documents.run(
        release,
        original,
        private=private,
        queries=queries,
        gold=gold,
        attacks=attacks,
        losses=losses,
        ceilings=ceilings,
        quiet=json,
    )
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
    table: Table | None = None,
    texts_once: bool = False,
) -> Assessment:
    """The assessment of the release in a folder, or of the original as it is, with the project's limits and these.

    `table` is the original where it has been read already, which a pipe can be only once. With `texts_once` the tables
    are held in less memory while they are attacked, and so are those of the assessment.
    """
    with show.bar(quiet) as progress:
        release = None if folder is None else Release.load(folder, private=private)
        table = read(original, project=project) if table is None else table
        judged = project.assess
        everybody = None
        if population is not None:
            like = table if release is None else release.table
            everybody = read_like(population, like, options=project.read)
            del like
        if texts_once:
            table = with_texts_once(table)
            release = release and replace(release, table=with_texts_once(release.table))
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
            progress=progress,
        )
