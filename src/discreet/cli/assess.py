"""`discreet assess`: attack a release and measure its loss."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from discreet.assessment import Assessment
from discreet.assessment import assess as assess_release
from discreet.caching import Cache
from discreet.cli import options, show
from discreet.intruder import OWNER
from discreet.project import Project
from discreet.reading import read
from discreet.reading.alike import read_alike
from discreet.release import Release

ReleaseFolder = Annotated[
    Path, typer.Argument(help="The folder of a release, as `discreet protect` wrote it.")
]


def assess(
    release: ReleaseFolder,
    original: options.Original,
    project: options.ProjectFile = None,
    private: options.Private = None,
    population: options.Population = None,
    attack: options.Attacks = None,
    loss: options.Losses = None,
    ceiling: options.Ceilings = None,
    floor: options.Floors = None,
    json: options.AsJson = False,
) -> None:
    """Attack a release as an intruder would and measure what use is left; exit code 1 when a limit is exceeded."""
    said = options.project_beside(original, project)
    judged = replace(
        said.assess,
        attacks=tuple(attack) if attack else said.assess.attacks,
        losses=tuple(loss) if loss else said.assess.losses,
    )
    said = replace(said, assess=judged)
    found = run(
        release,
        original,
        said,
        private,
        options.limits(ceiling, "ceiling"),
        options.limits(floor, "floor"),
        json,
        population,
    )
    if json:
        show.as_json(found.to_dict())
    else:
        show.assessment(found)
    if not found.acceptable:
        raise typer.Exit(1)


def run(
    folder: Path,
    original: Path,
    project: Project,
    private: Path | None,
    ceilings: dict[str, float],
    floors: dict[str, float],
    quiet: bool,
    population: Path | None = None,
) -> Assessment:
    """The assessment of the release in a folder, with the project's limits and those given here."""
    with show.bar(quiet) as progress:
        release = Release.load(folder, private=private)
        table = read(original, project=project)
        judged = project.assess
        everybody = (
            None if population is None else read_alike(population, release.table, options=project.read)
        )
        return assess_release(
            table,
            release,
            attacks=judged.attacks or None,
            losses=judged.losses or None,
            ceilings={**judged.ceilings, **ceilings},
            floors={**judged.floors, **floors},
            alpha=0.5 if judged.alpha is None else judged.alpha,
            intruder=replace(OWNER, population=everybody),
            cache=Cache(folder / "private" / "assessment") if (folder / "private").is_dir() else None,
            progress=progress,
        )
