"""`discreet search`: the plan with the least loss within the limits."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table as Grid

from discreet.assessment import LOST
from discreet.cli import datasets, edge, options, show
from discreet.errors import NoPlan
from discreet.project import EngineOptions, Project
from discreet.searching import SearchResult
from discreet.searching import search as search_table
from discreet.searching.of_dataset import FEWEST, SAMPLE
from discreet.writing import write_text

Out = Annotated[
    Path,
    typer.Option("--out", help="The project file to write, with the plan found: `discreet protect` runs it."),
]
Masks = Annotated[
    list[str] | None,
    typer.Option("--method", help="A mask to try, instead of the usual ones; can be repeated."),
]
Journal = Annotated[
    Path | None, typer.Option("--journal", help="A file that keeps every point, to go on after a stop.")
]
MapFile = Annotated[
    Path | None, typer.Option("--map", help="Risk against loss of all plans: .html, .svg, .png or .pdf.")
]


USUAL_SECONDS = 60.0


def search(
    file: Annotated[Path, typer.Argument(help="The original.")],
    out: Out = Path("found.toml"),
    ceiling: options.Ceilings = None,
    floor: options.Floors = None,
    importance: options.Importances = None,
    method: Masks = None,
    loss: Annotated[str | None, typer.Option("--loss", help="The measure of loss to make small.")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="How long to search (60).")] = None,
    trials: Annotated[int | None, typer.Option("--trials", help="How many plans to try.")] = None,
    sample: Annotated[
        int, typer.Option("--sample", min=FEWEST, help="Of a dataset: how many records plans are tried on.")
    ] = SAMPLE,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster", metavar="ADDRESS", help="A Dask scheduler whose workers try plans side by side."
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", min=1, help="Try plans side by side on so many Dask workers on this machine."
        ),
    ] = None,
    journal: Journal = None,
    map_file: MapFile = None,
    project: options.ProjectFile = None,
    header: options.Header = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Try many plans and find the one with the least loss that keeps to the limits."""
    options.check_output(out, force, file, journal, project=True)
    options.check_output(map_file, force, file, journal, project, endings=options.chart_endings())
    settings = options.with_importance(options.project_beside(file, project, header), importance)
    if cluster is not None or workers is not None:
        settings = replace(settings, engine=EngineOptions(cluster=cluster, workers=workers))
    table = datasets.original_of(file, settings)
    with show.bar(json, lines=True) as progress, datasets.running_trials(settings.engine) as engine:
        try:
            found = search_table(
                table,
                ceilings={**settings.assess.ceilings, **options.limits(ceiling, "ceiling")},
                floors={**settings.assess.floors, **options.limits(floor, "floor")},
                methods=method,
                loss=loss,
                begin=[settings.plan] if settings.plan.steps else [],
                seconds=_left_of(seconds, trials),
                trials=trials,
                sample=sample,
                engine=engine,
                journal=journal,
                progress=progress,
            )
        except NoPlan as none:
            _save_draft(none.found, settings, out, map_file, force, json)
            raise
    write_text(out, _with_plan(settings, found), force=force)
    if map_file is not None:
        _save_map(found, map_file, force)
    if json:
        show.as_json(found.to_dict())
        return
    _tell(found)
    show.out.print(f"\nWrote {out}; next: discreet protect {file} --project {out}")


def _save_draft(
    found: object, settings: Project, out: Path, map_file: Path | None, force: bool, json: bool
) -> None:
    """Writes the best plan so far where none was chosen, as a draft; nothing where none was tried."""
    if not isinstance(found, SearchResult):
        return
    write_text(out, _with_plan(settings, found, draft=True), force=force)
    if map_file is not None:
        _save_map(found, map_file, force)
    if not json:
        show.out.print(_front(found))
        show.out.print(f"\nWrote {out} with the best plan so far, which is only a draft: {_doubt(found)}.\n")


def _doubt(found: SearchResult) -> str:
    """Why a plan that a search did not choose is no more than a draft."""
    return "it has not met all attacks" if found.chosen.meets else "it does not keep to the limits"


def _with_plan(project: Project, found: SearchResult, *, draft: bool = False) -> str:
    """The project file with the plan that was found in the place of its own, and the limits it was found for."""
    import tomlkit

    kept = {"ceilings": dict(found.ceilings), "floors": dict(found.floors)}
    assess = {**project.to_dict().get("assess", {}), **{name: each for name, each in kept.items() if each}}
    whole = {**project.to_dict(), "mask": found.plan.to_dict(), "assess": assess}
    if draft:
        whole["release"] = {**whole.get("release", {}), "draft": True}
    return tomlkit.dumps(whole)


def _save_map(found: SearchResult, path: Path, force: bool) -> None:
    from discreet.reporting.charts import save_chart
    from discreet.reporting.search_map import search_map

    save_chart(search_map(found), path, force=force)


def _left_of(seconds: float | None, trials: int | None) -> float | None:
    """What is left of the seconds of the command once it was loaded and the file was read; never nothing."""
    if seconds is None:
        return None if trials is not None else USUAL_SECONDS
    if seconds <= 0:
        return seconds
    return max(0.01, seconds - (time.monotonic() - edge.Start.at))


def _front(found: SearchResult) -> Grid:
    """The best trade-offs between risk and loss."""
    where = f", on {found.sample:,} of {found.records:,} records" if found.sample else ""
    front = show.grid(f"The best trade-offs{where}", found.loss, "risks", "within limits", "plan")
    for point in found.front:
        risks = ", ".join(f"{name} {risk:.1%}" for name, risk in found.shown(point).items())
        lost = f"{point.loss:.1f}%" if found.loss == LOST else f"{point.loss:.3g}"
        front.add_row(lost, risks, "yes" if point.meets else "no", str(point))
    return front


def _tell(found: SearchResult) -> None:
    show.out.print(_front(found))
    if found.failed:
        show.out.print(
            f"\n{len(found.failed)} plans could not be carried out; the first: {found.failed[0].reason}"
        )
    show.out.print(f"\nChosen: {found}")
    if found.sample:
        show.out.print(
            "The others were tried on the sample alone, in which records have fewer others like them: on the whole "
            "dataset their risks are mostly smaller."
        )
