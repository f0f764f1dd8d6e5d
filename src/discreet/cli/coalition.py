"""`discreet coalition`: what users rebuild who put several releases together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from discreet._kernels.clustering.agglomerate import Linkage
from discreet.attack import Fused, Negation
from discreet.attack import coalition as rebuild
from discreet.attack.fusion.fuse import By
from discreet.attack.fusion.operators import Mean
from discreet.attack.fusion.results import Rebuilt
from discreet.cli import options, show
from discreet.cli.published import published
from discreet.errors import BadParameter, WouldOverwrite
from discreet.project import FILE_NAME, Project, ReadOptions
from discreet.reading import read
from discreet.reading.formulas import with_formulas_quoted
from discreet.reading.read_like import read_like
from discreet.release import NOTHING_VOUCHES, Release
from discreet.table import Table
from discreet.writing import write_text

Releases = Annotated[
    list[Path],
    typer.Argument(help="Two or more releases of the same people: folders, or files with rows in one order."),
]
ColumnName = Annotated[str, typer.Option("--column", help="The column to rebuild.")]
Original = Annotated[
    Path | None, typer.Option("--original", help="The original, to tell how much was rebuilt.")
]
Match = Annotated[str | None, typer.Option("--match", help="A column of all files that tells who is who.")]
FusedBy = Annotated[
    By | None, typer.Option("--by", help="How values become one; the usual way when left out.")
]
NegationFile = Annotated[
    Path | None, typer.Option("--negation", help="A TOML file that says what ordered labels mean.")
]
Clusters = Annotated[
    int | None, typer.Option("--clusters", min=1, help="The number of clusters of categories.")
]
Joined = Annotated[
    Linkage | None, typer.Option("--linkage", help="How clusters are joined; complete when left out.")
]
Weights = Annotated[
    str | None, typer.Option("--weights", help="What each release counts, such as 3,1,1 (mean, wowa).")
]
OrderWeights = Annotated[
    str | None,
    typer.Option(
        "--order-weights", help="What the largest value to the smallest count, such as 0,1,0 (owa, wowa)."
    ),
]
WhichMean = Annotated[Mean | None, typer.Option("--mean", help="Which mean; arithmetic when left out.")]
Out = Annotated[
    Path | None, typer.Option("--out", help="Where to write the rebuilt column (CSV, for you only).")
]


def coalition(
    releases: Releases,
    column: ColumnName,
    original: Original = None,
    match: Match = None,
    by: FusedBy = None,
    negation: NegationFile = None,
    clusters: Clusters = None,
    linkage: Joined = None,
    weights: Weights = None,
    order_weights: OrderWeights = None,
    mean: WhichMean = None,
    out: Out = None,
    project: options.ProjectFile = None,
    header: options.Header = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Rebuild a column from several releases of the same people, and tell how much of it is right."""
    _check_files(releases, original, out, force)
    settings, true = _original(original, project, header)
    read_options = ReadOptions(header=header) if settings is None else settings.read
    given = [published(each, true, options=read_options) for each in releases]
    fused = rebuild(
        given,
        column=column,
        original=true,
        match=match,
        by=by,
        negation=None if negation is None else _negation(negation, true, column),
        clusters=clusters,
        linkage=linkage,
        weights=_numbers(weights, "--weights"),
        order_weights=_numbers(order_weights, "--order-weights"),
        mean=mean,
    )
    if out is not None:
        _write(fused, out, force)
    doubtful = _doubtful(releases, given)
    if json:
        show.as_json({**fused.to_dict(), "nothing_vouches_for": doubtful})
        return
    if doubtful:
        show.out.print(f"Beware: {NOTHING_VOUCHES} ({', '.join(doubtful)}).", style="yellow")
    _tell(fused, releases)
    if out is not None:
        show.out.print(f"Wrote {out} (what an intruder would have: do not publish)")


def _doubtful(places: list[Path], releases: Sequence[Release | Table]) -> list[str]:
    """The releases that nothing vouches for, as they were named."""
    given = zip(places, releases, strict=True)
    return [str(place) for place, each in given if isinstance(each, Release) and each.doubt]


def _write(fused: Fused, out: Path, force: bool) -> None:
    """Writes the rebuilt column, beside the names of the people where they were matched by one."""
    rebuilt = fused.values.to_frame()
    if fused.people is not None:
        rebuilt = rebuilt.insert_column(0, fused.people)
    write_text(out, with_formulas_quoted(rebuilt).write_csv(), force=force, private=True)


def _check_files(releases: list[Path], original: Path | None, out: Path | None, force: bool) -> None:
    """Raises before any work is done where a file is given twice, or is to be written over."""
    options.check_output(out, force, original)
    places = [each.resolve() for each in releases]
    if original is not None and original.resolve() in places:
        raise BadParameter(
            f"coalition: {original.name} is the original and among the releases too, which gives all away. Leave "
            "it out of the releases."
        )
    twice = [each for number, each in enumerate(releases) if places[number] in places[:number]]
    if twice:
        raise BadParameter(
            f"coalition: {twice[0]} is named twice, and a release tells nothing new beside itself. Name it once."
        )
    if out is not None and not {out.resolve(), *out.resolve().parents}.isdisjoint(places):
        raise WouldOverwrite(
            f"{out} belongs to one of the releases. Choose another name for what is rebuilt."
        )


def _numbers(text: str | None, option: str) -> list[float] | None:
    """The numbers of an option, which are given with commas between them."""
    try:
        return None if text is None else [float(each) for each in text.split(",")]
    except ValueError:
        raise BadParameter(
            f"coalition: {option} takes numbers with commas between them, such as 3,1,1."
        ) from None


def _original(
    file: Path | None, project: Path | None, header: bool | None
) -> tuple[Project | None, Table | None]:
    """The project given, or the one beside the original, and the original as it describes it; None for what is not.

    Where there is no project the original is taken as it is.
    """
    if file is None:
        return None, None
    if project is None and not (options.folder_of(file) / FILE_NAME).exists():
        return None, read_like(file, options=ReadOptions(header=header))
    settings = options.project_beside(file, project, header)
    return settings, read(file, project=settings)


def _negation(file: Path, original: Table | None, column: str) -> Negation:
    from discreet.attack.fusion.declared import read_negation

    return read_negation(file, () if original is None else original[column].order)


def _tell(fused: Fused, releases: list[Path]) -> None:
    known = fused.values.len() - fused.values.null_count()
    many = "release" if fused.releases == 1 else "releases"
    show.out.print(
        f"Column '{fused.column}' from {fused.releases} {many}, by {fused.by}: {known} of {fused.values.len()} values"
    )
    strange = sum(fused.details.get("values_not_among_the_levels", ()))
    if strange:
        show.out.print(
            f"  {strange} published values are not among the {len(fused.levels)} categories of the original"
        )
    for place in dict.fromkeys(fused.details.get("left_out", ())):
        show.out.print(f"  {releases[place]} holds no numbers in that column and was left out")
    for one, other in fused.details.get("same_values", ()):
        show.out.print(
            f"  {releases[one]} and {releases[other]} say the same of everybody: if one is a copy of the other, leave "
            "it out, for what releases agree on is believed"
        )
    if fused.rebuilt is None:
        show.out.print("  give --original to see how many of them are right")
        return
    show.out.print(str(fused.rebuilt))
    rows = show.grid("\nRight values", "from", "share")
    for name, share in zip(_names(fused, releases), fused.rebuilt.single, strict=True):
        rows.add_row(f"{name} alone", f"{share:.1%}")
    rows.add_row("together", f"{fused.rebuilt.risk:.1%}")
    show.out.print(rows)
    tolerance = fused.rebuilt.details.get("tolerance")
    if tolerance is not None:
        show.out.print(f"A number is right within {tolerance:g} standard deviations of the original.")
    _tell_next(fused.rebuilt)


def _tell_next(rebuilt: Rebuilt) -> None:
    """What the comparison means for publishing one more release."""
    show.out.print("\nWhat next", style="bold")
    if rebuilt.risk > max(rebuilt.single):
        show.out.print(
            "Together the releases give away more than the best of them by itself. Publish fewer of them, or make the "
            "next one from a release that is out already, so that it tells nothing new."
        )
    else:
        show.out.print(
            "Fused in this way, the releases give away no more than the best of them by itself. Another way may: try "
            "`--by`, and the other columns that were published more than once."
        )


def _names(fused: Fused, releases: list[Path]) -> list[str]:
    """What was compared by itself: the releases, and each copy of those that publish people several times."""
    places: list[int] = fused.details["release_of_each"]
    return [
        f"{releases[place]}, copy {places[: number + 1].count(place)}"
        if places.count(place) > 1
        else str(releases[place])
        for number, place in enumerate(places)
    ]
