"""`discreet attack`: what an intruder gets right about a release, and whose records are exposed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.assessment import Assessment
from discreet.assessment import assess as assess_release
from discreet.cli import options, show
from discreet.cli.published import published
from discreet.errors import NotComputable
from discreet.foreign import foreign_release
from discreet.intruder import OWNER, Intruder
from discreet.reading import read
from discreet.reporting.exposure import Exposure, exposure
from discreet.table import Table

NO_ATTACK_FITS = "No attack fits the columns: give those that an intruder may know the role quasi-identifier."
ROW_BY_ROW = (
    "no manifest tells of this file, so row 1 is taken to be row 1 of the original, and so on; if its rows were put in "
    "another order, all links are judged wrongly and the risks are too low"
)
RowCount = Annotated[int, typer.Option("--rows", min=1, help="How many of the most exposed records to show.")]


def attack(
    release: Annotated[
        Path, typer.Argument(help="The folder of a release, or a masked file in the order of the original.")
    ],
    original: options.Original,
    intruder: Annotated[
        Path | None,
        typer.Option("--intruder", help="A TOML file that says what the intruder knows; all, when left out."),
    ] = None,
    attack: options.Attacks = None,
    project: options.ProjectFile = None,
    private: options.Private = None,
    rows: RowCount = 10,
    json: options.AsJson = False,
) -> None:
    """Attack a release as a given intruder would, and tell which rows of the published file are exposed."""
    from discreet.project.intruder import read_intruder

    said = options.project_beside(original, project)
    with show.bar(json) as progress:
        table = read(original, project=said)
        given = published(release, table, private)
        attacked = foreign_release(given, table) if isinstance(given, Table) else given
        who = OWNER if intruder is None else read_intruder(intruder, table)
        if isinstance(given, Table):
            who = replace(who, reads_manifest=False)
        # What makes an intruder impossible is one error, not one reason for each attack.
        who.view(table, attacked.table, attacked.truth)
        found = assess_release(table, attacked, attacks=attack, losses=[], intruder=who, progress=progress)
    if not found.risks:
        reasons = "; ".join(show.reason(each) for each in found.not_done)
        raise NotComputable(
            f"no attack could be computed, which says nothing about safety. {reasons or NO_ATTACK_FITS}"
        )
    exposed = exposure(found, most=rows)
    assumed = ROW_BY_ROW if isinstance(given, Table) else ""
    if json:
        show.as_json({**_told(found, who, exposed), "assumed": assumed})
        return
    if assumed:
        show.out.print(f"Assumed: {assumed}.")
    _tell(found, who, exposed)


def _told(found: Assessment, who: Intruder, exposed: Exposure | None) -> dict[str, Any]:
    return {
        "intruder": str(who),
        "risks": [each.to_dict() for each in found.risks],
        "not_computed": [{"name": each.name, "reason": each.reason} for each in found.not_done],
        "exposed_rows": []
        if exposed is None
        else [
            {"row": each.row, "chances": dict(zip(exposed.attacks, each.chances, strict=True))}
            for each in exposed.rows
        ],
    }


def _tell(found: Assessment, who: Intruder, exposed: Exposure | None) -> None:
    show.out.print(f"Attacked by {who}.\n")
    show.risks(found)
    show.not_done(found)
    if exposed is None or not exposed.rows:
        return
    shown = show.grid(
        "\nMost exposed (rows of the published file, and the chance)",
        "row",
        *(name.replace("_", " ") for name in exposed.attacks),
    )
    for each in exposed.rows:
        shown.add_row(str(each.row), *(f"{chance:.1%}" for chance in each.chances))
    show.out.print(shown)
    if exposed.as_exposed:
        show.out.print(f"and {exposed.as_exposed} more records as exposed as the last of these")
    for chances in exposed.chances:
        show.out.print(
            f"{chances.attack}: a chance of 100% for {chances.full} of {len(found.release.table)} records"
        )
