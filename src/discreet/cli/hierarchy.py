"""`discreet hierarchy`: what each value of a column becomes, level by level, without a text editor."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli import options, show
from discreet.errors import BadParameter
from discreet.hierarchies import ENDING, ValueHierarchy, file_name, hierarchy_from
from discreet.hierarchies import hierarchy as build
from discreet.project import FILE_NAME, with_column_key
from discreet.reading import read
from discreet.table import Role, Table
from discreet.writing import write_text

MOST_LINES = 200


def hierarchy(
    file: Annotated[Path, typer.Argument(help="The file that has the column.")],
    column: Annotated[str, typer.Argument(help="The column.")],
    by: Annotated[
        str | None,
        typer.Option(
            help="widths, periods, prefix, icd, nuts, isco, frequency, neighbours or ontology; by the column "
            "where left out."
        ),
    ] = None,
    steps: Annotated[
        str | None,
        typer.Option(
            help="What each level is, such as 5,10,20 for bands, month,year for days, 4,2 for kept characters, "
            "0.01,0.05 for rare categories."
        ),
    ] = None,
    bottom: Annotated[str | None, typer.Option(help="Numbers or days below this share an open band.")] = None,
    top: Annotated[str | None, typer.Option(help="Numbers or days from this on share an open band.")] = None,
    ontology: Annotated[
        str | None, typer.Option(help='The ontology that joins the categories: "wordnet", or a file.')
    ] = None,
    given: Annotated[
        Path | None,
        typer.Option(
            "--from", help="A file of levels, such as ARX writes: check it against the column, and show it."
        ),
    ] = None,
    tree: Annotated[
        bool, typer.Option("--tree", help="Show the tree with its texts, down to the values.")
    ] = False,
    most_lines: Annotated[
        int | None,
        typer.Option("--lines", min=1, help="How many lines of the tree to show at most."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help=f"The file to write; COLUMN{ENDING} beside the data.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show it and write nothing.")] = False,
    into: Annotated[
        Path | None, typer.Option("--into", help="The project file in which the column shall name it.")
    ] = None,
    project: options.ProjectFile = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Build the hierarchy of a column, from its values to what holds them all, and write it to a file."""
    place = out or options.folder_of(file) / file_name(column)
    _check_together(by, steps, bottom, top, ontology, given, out, dry_run, into)
    if given is None and not dry_run:
        options.check_output(place, force, file, project, into)
    table = _read(file, project)
    made = (
        hierarchy_from(given, table, column)
        if given is not None
        else build(
            table,
            column,
            by=by,
            steps=None if steps is None else [each.strip() for each in steps.split(",")],
            bottom=bottom,
            top=top,
            ontology=ontology,
        )
    )
    written = given or place
    project_text = None if into is None else _named(into, column, written)
    if given is None and not dry_run:
        made.save(place, force=force)
    if into is not None and project_text is not None:
        write_text(into, project_text, force=True)
    _show(made, tree, most_lines, json)
    if not json:
        _tell_what_next(column, None if dry_run else written, given is None, into)


def _check_together(
    by: str | None,
    steps: str | None,
    bottom: str | None,
    top: str | None,
    ontology: str | None,
    given: Path | None,
    out: Path | None,
    dry_run: bool,
    into: Path | None,
) -> None:
    """Raises BadParameter for options that contradict each other."""
    if given is not None and any(each is not None for each in (by, steps, bottom, top, ontology, out)):
        raise BadParameter(
            "hierarchy: --from shows a file that is there; nothing is built or written beside it."
        )
    if dry_run and (into is not None or out is not None):
        raise BadParameter("hierarchy: --dry-run writes nothing; leave out --out and --into.")


def _read(file: Path, project: Path | None) -> Table:
    """The file as its project describes it; without one, every column as it is."""
    if project is None and not (options.folder_of(file) / FILE_NAME).exists():
        return read(file, rest=Role.INSENSITIVE)
    return read(file, project=options.project_beside(file, project))


def _named(into: Path, column: str, place: Path) -> str:
    """The text of the project file in which the column names this file, from the folder of the project."""
    name = os.path.relpath(place.resolve(), into.resolve().parent)
    return with_column_key(into, column, "ontology", Path(name).as_posix())


def _show(made: ValueHierarchy, tree: bool, most: int | None, json: bool) -> None:
    if json:
        show.as_json({**made.to_dict(), **(_tree(made, most) if tree else {})})
        return
    records = sum(made.records)
    rows = show.grid(
        f"{made.column}: {len(made.rows)} values of {records} records", "level", "what", "groups",
        "fewest records", "most records",
    )  # fmt: skip
    for each in made.levels:
        rows.add_row(str(each.level), each.what, str(each.groups), str(each.smallest), str(each.largest))
    show.out.print(rows)
    if tree:
        _show_tree(made, MOST_LINES if most is None else most)


def _tree(made: ValueHierarchy, most: int | None) -> dict[str, Any]:
    """The lines of the tree for programs, and how many of them are left out."""
    lines = list(made.lines())
    shown = [
        {"depth": depth, "text": text, "values": values, "records": records}
        for depth, text, values, records in lines[:most]
    ]
    return {"tree": shown, **({"lines_left": len(lines) - len(shown)} if len(lines) > len(shown) else {})}


def _show_tree(made: ValueHierarchy, most: int) -> None:
    show.out.print()
    left = 0
    for number, (depth, text, values, records) in enumerate(made.lines()):
        if number >= most:
            left += 1
            continue
        several = f"{values} values, " if values > 1 else ""
        show.out.print(f"{'  ' * depth}{text}  ({several}{records} record{'' if records == 1 else 's'})")
    if left:
        show.out.print(f"… and {left} more lines; the file has them all.")


def _tell_what_next(column: str, written: Path | None, fresh: bool, into: Path | None) -> None:
    if written is None:
        show.out.print("\nNothing was written.")
        return
    show.out.print(f"\nWrote {written}." if fresh else f"\n{written} covers every value of the column.")
    if into is not None:
        show.out.print(f"{into} names it for '{column}'.")
    else:
        show.out.print(
            f'Name it in the project, under the column: ontology = "{written.name}", or add --into {FILE_NAME}.'
        )
