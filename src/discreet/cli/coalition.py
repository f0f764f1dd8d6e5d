"""`discreet coalition`: what users rebuild who put several releases together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.attack import Fused, Negation
from discreet.attack import coalition as rebuild
from discreet.attack.fusion.fuse import By
from discreet.cli import options, show
from discreet.cli.published import published
from discreet.errors import BadParameter
from discreet.project import FILE_NAME
from discreet.reading import read
from discreet.reading.alike import read_alike
from discreet.table import Table
from discreet.writing import write_text


def coalition(
    releases: Annotated[
        list[Path],
        typer.Argument(
            help="Two or more releases of the same people: folders, or files with rows in one order."
        ),
    ],
    column: Annotated[str, typer.Option("--column", help="The column to rebuild.")],
    original: Annotated[
        Path | None, typer.Option("--original", help="The original, to tell how much was rebuilt.")
    ] = None,
    match: Annotated[
        str | None, typer.Option("--match", help="A column of all files that tells who is who.")
    ] = None,
    by: Annotated[
        By | None, typer.Option("--by", help="How values become one; the usual way when left out.")
    ] = None,
    negation: Annotated[
        Path | None, typer.Option("--negation", help="A TOML file that says what ordered labels mean.")
    ] = None,
    clusters: Annotated[
        int | None, typer.Option("--clusters", min=1, help="The number of clusters of categories.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Where to write the rebuilt column (CSV, for you only).")
    ] = None,
    project: options.ProjectFile = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Rebuild a column from several releases of the same people, and tell how much of it is right."""
    options.check_output(out, force, original or releases[0])
    if original is not None and original.resolve() in [each.resolve() for each in releases]:
        raise BadParameter(
            f"coalition: {original.name} is the original and among the releases too, which gives all away. Leave "
            "it out of the releases."
        )
    true = None if original is None else _original(original, project)
    given = [published(each, true) for each in releases]
    told = None if negation is None else _negation(negation, true, column)
    fused = rebuild(given, column=column, original=true, match=match, by=by, negation=told, clusters=clusters)
    if out is not None:
        rebuilt = fused.values.to_frame()
        if fused.people is not None:
            rebuilt = rebuilt.insert_column(0, fused.people)
        write_text(out, rebuilt.write_csv(), force=force, private=True)
    if json:
        show.as_json(fused.to_dict())
        return
    _tell(fused, releases)
    if out is not None:
        show.out.print(f"Wrote {out} (what an intruder would have: do not publish)")


def _original(file: Path, project: Path | None) -> Table:
    """The original as its project describes it, or as it is where there is no project."""
    if project is None and not (file.parent / FILE_NAME).exists():
        return read_alike(file)
    return read(file, project=options.project_beside(file, project))


def _negation(file: Path, original: Table | None, column: str) -> Negation:
    from discreet.attack.fusion.declared import read_negation

    return read_negation(file, () if original is None else original[column].order)


def _tell(fused: Fused, releases: list[Path]) -> None:
    known = fused.values.len() - fused.values.null_count()
    show.out.print(
        f"Column '{fused.column}' from {fused.releases} releases, by {fused.by}: {known} of {fused.values.len()} values"
    )
    strange = sum(fused.details.get("values_not_among_the_levels", ()))
    if strange:
        show.out.print(
            f"  {strange} published values are not among the {len(fused.levels)} categories of the original"
        )
    for place in dict.fromkeys(fused.details.get("left_out", ())):
        show.out.print(f"  {releases[place]} holds no numbers in that column and was left out")
    if fused.rebuilt is None:
        show.out.print("  give --original to see how many of them are right")
        return
    show.out.print(str(fused.rebuilt))
    rows = show.grid("\nRight values", "from", "share")
    for name, share in zip(_names(fused, releases), fused.rebuilt.single, strict=True):
        rows.add_row(f"{name} alone", f"{share:.1%}")
    rows.add_row("together", f"{fused.rebuilt.risk:.1%}")
    show.out.print(rows)


def _names(fused: Fused, releases: list[Path]) -> list[str]:
    """What was compared by itself: the releases, and each copy of those that publish people several times."""
    places: list[int] = fused.details["release_of_each"]
    return [
        f"{releases[place]}, copy {places[: number + 1].count(place)}"
        if places.count(place) > 1
        else str(releases[place])
        for number, place in enumerate(places)
    ]
