"""`discreet attack`: what an intruder gets right about a release, and whose records are exposed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.assessment import Assessment
from discreet.assessment import assess as assess_release
from discreet.cli import datasets, options, show
from discreet.cli.given import release_folder
from discreet.cli.published import published
from discreet.coding import labels_of
from discreet.dataset import Dataset
from discreet.errors import Mismatch, NotComputable, listed
from discreet.exposure import Exposure, exposure
from discreet.external_release import external_release
from discreet.intruder import OWNER, Intruder
from discreet.method_call import name_in
from discreet.progress import Progress
from discreet.project import Project
from discreet.reading.read_like import read_like
from discreet.release import Release
from discreet.table import Role, Table

NO_ATTACK_FITS = "No attack fits the columns: give those that an intruder may know the role quasi-identifier."
ROW_BY_ROW = (
    "no manifest tells of this file, so row 1 is taken to be row 1 of the original, and so on; if its rows were put in "
    "another order, all links are judged wrongly and the risks are too low"
)
SAME_FILE = (
    "what is attacked is the original itself, so nothing was masked; give the file that is to be published"
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
    population: options.Population = None,
    attack: options.Attacks = None,
    project: options.ProjectFile = None,
    header: options.Header = None,
    private: options.Private = None,
    rows: RowCount = 10,
    cluster: datasets.ClusterAddress = None,
    workers: datasets.Workers = None,
    json: options.AsJson = False,
) -> None:
    """Attack a release as a given intruder would, and tell which rows of the published file are exposed."""
    settings = options.project_beside(original, project, header)
    settings = datasets.with_engine(settings, cluster, workers, original)
    with show.bar(json) as progress:
        table = datasets.original_of(original, settings)
        bare = None
        if isinstance(table, Dataset):
            datasets.refuse(intruder=intruder, population=population)
            found = _of_dataset(release, table, private, settings, attack, progress)
        else:
            attacked = published(release, table, private, settings.read)
            bare = attacked if isinstance(attacked, Table) else None
            given = attacked if isinstance(attacked, Release) else external_release(attacked, table)
            who = _intruder(intruder, population, table, given, settings)
            if bare is not None:
                who = replace(who, reads_manifest=False)
            _check_keys(who, table, given)
            found = assess_release(table, given, attacks=attack, losses=[], intruder=who, progress=progress)
    if not found.risks:
        reasons = "; ".join(show.reason(each) for each in found.not_done)
        raise NotComputable(
            f"no attack could be computed, which says nothing about safety. {reasons or NO_ATTACK_FITS}"
        )
    exposed = exposure(found, most=rows)
    assumed = "" if bare is None else ROW_BY_ROW
    warnings = [] if bare is None or isinstance(table, Dataset) else _warnings(bare, table)
    if json:
        show.as_json({**_payload(found, exposed), "assumed": assumed, "warnings": warnings})
        return
    for each in warnings:
        show.out.print(f"Warning: {each}.", style="red")
    if assumed:
        show.out.print(f"Assumed: {assumed}.")
    _tell(found, exposed)
    _tell_next(found, release, original, bare is not None)


def _of_dataset(
    folder: Path,
    original: Dataset,
    private: Path | None,
    settings: Project,
    attacks: list[str] | None,
    progress: Progress,
) -> Assessment:
    """What attacks find about the release of a dataset in a folder, in parts."""
    release_folder(folder, "discreet attack RELEASE --original FOLDER")
    release = Release.scan(folder, private=private)
    with datasets.running(settings.engine) as engine:
        return assess_release(original, release, attacks=attacks, losses=[], engine=engine, progress=progress)


def _intruder(
    file: Path | None, population: Path | None, table: Table, attacked: Release, project: Project
) -> Intruder:
    """The intruder that the file describes, or the one who knows all, with a population where one is given."""
    from discreet.reading.intruder import read_intruder

    who = OWNER if file is None else read_intruder(file, table, project.read)
    if population is None:
        return who
    return replace(who, population=read_like(population, attacked.table, options=project.read))


def _check_keys(who: Intruder, table: Table, attacked: Release) -> None:
    """Raises what makes an intruder impossible as one error, and not as one reason for each attack."""
    who.view(table, attacked.table, attacked.truth)
    if table.keys and not who.known_keys(table, attacked.table):
        raise Mismatch(
            f"the published '{attacked.table.name}' has none of the quasi-identifiers of the original "
            f"({listed(table.keys)}), so no attack can be computed, which says nothing about safety. Give its "
            "columns the names of the original, or correct the roles in the project."
        )


def _warnings(given: Table, original: Table) -> list[str]:
    """What no attack is needed for: a file that was not masked, or that names people outright."""
    files = [each.source.digest for each in (given, original) if each.source is not None]
    found = [SAME_FILE] if len(files) == 2 and files[0] == files[1] else []
    names = [*given.having(Role.IDENTIFIER), *_numbers_of_people(given, original)]
    if names:
        found.append(
            f"the published file still holds {listed(names)}, by its role an identifier, which names people whatever "
            "the attacks find; take it out"
        )
    return found


def _numbers_of_people(given: Table, original: Table) -> list[str]:
    """The columns of persons that hold a number of the original: no pseudonyms."""
    return [
        name
        for name in given.having(Role.PERSON)
        if name in original.names
        and set(labels_of(given.frame[name]).drop_nulls()) & set(labels_of(original.frame[name]))
    ]


def _payload(found: Assessment, exposed: Exposure | None) -> dict[str, Any]:
    return {
        "intruder": found.intruder.to_dict(),
        "manifest_vouched_by": found.release.vouched_by,
        "doubt": found.release.doubt,
        "risks": [each.to_dict() for each in found.risks],
        "not_computed": [{"name": each.name, "reason": each.reason} for each in found.not_done],
        "exposed_rows": []
        if exposed is None
        else [
            {"row": each.row, "chances": dict(zip(exposed.attacks, each.chances, strict=True))}
            for each in exposed.rows
        ],
    }


def _tell(found: Assessment, exposed: Exposure | None) -> None:
    show.doubt(found.release)
    show.out.print(f"Attacked by {found.intruder}.\n")
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
        shown.add_row(
            str(each.row), *("not tried" if chance is None else f"{chance:.1%}" for chance in each.chances)
        )
    show.out.print(shown)
    if exposed.as_exposed:
        show.out.print(f"and {exposed.as_exposed} more records as exposed as the last of these")
    for chances in exposed.chances:
        show.out.print(
            f"{chances.attack}: a chance of 100% for {chances.full} of {len(found.records)} records"
        )


def _tell_next(found: Assessment, release: Path, original: Path, external: bool) -> None:
    """What a steward can do about the strongest attack on who people are."""
    linking = [risk for risk in found.risks if risk.reidentifies and risk.level is None]
    if not linking:
        return
    worst = max(linking, key=lambda risk: risk.risk)
    name = name_in(worst.name)
    show.out.print("\nWhat next", style="bold")
    show.out.print(
        f"The strongest attack that finds people is {worst.name}: it is right about {worst.risk:.1%} of those it "
        f"tried. `discreet methods {name}` tells how it works and what its number means."
    )
    if external:
        show.out.print("If that is more than you accept, mask the file more before it is published.")
        return
    show.out.print(
        "If that is more than you accept, change the masking in the project and protect again, or let "
        f"`discreet search {original}` look for a better plan. To hold releases to a limit: "
        f"`discreet assess {release} --original {original} --ceiling identity=0.1`."
    )
