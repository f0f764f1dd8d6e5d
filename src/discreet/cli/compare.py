"""`discreet compare`: several releases of one original, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.assessment import EXCEEDED, LOST, Assessment
from discreet.cli import assess, datasets, given, options, outcome, show
from discreet.errors import BadParameter

THEN = "discreet compare ONE OTHER --original FILE"


def compare(
    releases: Annotated[list[Path], typer.Argument(help="The folders of two or more releases.")],
    original: options.Original,
    project: options.ProjectFile = None,
    header: options.Header = None,
    ceiling: options.Ceilings = None,
    floor: options.Floors = None,
    map_file: Annotated[
        Path | None,
        typer.Option("--map", help="Risk against loss of the releases: .html, .svg, .png or .pdf."),
    ] = None,
    cluster: datasets.ClusterAddress = None,
    workers: datasets.Workers = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Put releases of the same original side by side: risks, losses, score and limits.

    Exit code 1 when limits are set and none of the releases is known to meet them all.
    """
    if len(releases) < 2:
        raise BadParameter(f"compare needs two or more releases: {THEN}.")
    if len({folder.resolve() for folder in releases}) < len(releases):
        raise BadParameter(f"compare: a release is named twice. Name each once: {THEN}.")
    for folder in releases:
        given.release_folder(folder, THEN)
    options.check_output(map_file, force, original, project, endings=options.chart_endings())
    settings = options.project_beside(original, project, header)
    settings = datasets.with_engine(settings, cluster, workers, original)
    ceilings, floors = options.limits(ceiling, "ceiling"), options.limits(floor, "floor")
    table = datasets.original_of(original, settings)
    found = {
        str(folder): assess.run(folder, original, settings, None, ceilings, floors, json, table=table)
        for folder in releases
    }
    for folder in releases:
        assess.keep(folder, found[str(folder)], settings)
    if map_file is not None:
        _save_map(found, map_file, force)
    if json:
        show.as_json({name: each.to_dict() for name, each in found.items()})
    else:
        _tell(found)
    outcome.leave_several(found, quiet=json)


def _tell(found: dict[str, Assessment]) -> None:
    names = list(found)
    rows = show.grid("Side by side", "", *names)
    every = list(found.values())
    first = [name for each in every for name in (headline.name for headline in each.headlines)]
    for risk in dict.fromkeys(first):
        shown = [each.risk(risk) for each in every]
        rows.add_row(risk, *("not computed" if one is None else f"{one.risk:.1%}" for one in shown))
    rows.add_row(
        "lost", *("not computed" if each.lost is None else f"{each.lost.loss:.1f}%" for each in every)
    )
    rows.add_row("within the limits", *(_verdict(each) for each in every))
    for risk in dict.fromkeys(risk.name for each in every for risk in each.risks):
        shown = [each.risk(risk) for each in every]
        rows.add_row(f"risk {risk}", *("not computed" if one is None else f"{one.risk:.1%}" for one in shown))
    for loss in dict.fromkeys(loss.name for each in every for loss in each.losses if loss.name != LOST):
        lost = [each.loss(loss) for each in every]
        rows.add_row(f"loss {loss}", *("not computed" if one is None else f"{one.loss:.4g}" for one in lost))
    scores = [each.score for each in every]
    rows.add_row("score", *("not computed" if one is None else f"{one.score:.1f}" for one in scores))
    show.out.print(rows)
    show.before(every[0])


def _verdict(found: Assessment) -> str:
    if any(limit.status == EXCEEDED for limit in found.limits):
        return "no"
    return "yes" if found.acceptable else "not checked"


def _save_map(found: dict[str, Assessment], path: Path, force: bool) -> None:
    from discreet.reporting.charts import save_chart
    from discreet.reporting.map_chart import ru_map

    points = [
        (name, each.identity.risk, each.lost.loss)
        for name, each in found.items()
        if each.identity is not None and each.lost is not None
    ]
    if not points:
        raise BadParameter(
            "compare: no release has both the headline risk 'identity' and the headline loss, so there is no map."
        )
    save_chart(ru_map(points, risk_title="risk (identity)", loss_title="lost (percent)"), path, force=force)
