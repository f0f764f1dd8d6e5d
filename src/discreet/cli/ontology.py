"""`discreet ontology`: what words mean, and what the values of a file were taken for."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options, show
from discreet.errors import BadParameter
from discreet.ontology.chosen import ontology_named, ontology_of
from discreet.ontology.columns import meanings_of
from discreet.ontology.graph import Ontology
from discreet.ontology.mapping import Meaning
from discreet.reading import read
from discreet.table import Table
from discreet.writing import write_text

NOWHERE = "(none)"


def ontology(
    name: Annotated[str | None, typer.Argument(help='"wordnet", or the file or folder of one.')] = None,
    words: Annotated[list[str] | None, typer.Argument(help="Words to look up in it.")] = None,
    of: Annotated[
        Path | None,
        typer.Option("--of", help="A file with a project: tell what the values of its columns stand for."),
    ] = None,
    column: Annotated[str | None, typer.Option("--column", help="One column of that file only.")] = None,
    write: Annotated[
        Path | None, typer.Option("--write", help="Write that column's values as a mapping file to correct.")
    ] = None,
    project: options.ProjectFile = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Look words up in an ontology, or tell what the values of a file's columns stand for, those of nothing first."""
    if (name is None) == (of is None):
        raise BadParameter("ontology: name an ontology, or a file with --of; one of the two.")
    if name is not None:
        if column is not None or write is not None:
            raise BadParameter(
                "ontology: --column and --write are for the columns of a file; name it with --of."
            )
        _look_up(ontology_named(name), words or [], json)
        return
    assert of is not None
    options.check_output(write, force, of, project)
    table = read(of, project=options.project_beside(of, project))
    found = {each: meanings_of(table, each) for each in _columns(table, column)}
    if write is not None:
        _write(found, write, force)
    _show(table, found, json)
    if write is not None and not json:
        show.out.print(f'Wrote {write}: correct it, and name it in the project: mapping = "{write}"')


def _look_up(known: Ontology, words: list[str], json: bool) -> None:
    """Tells the size and digest of the ontology, and every sense of each word."""
    senses = {
        word: [
            Meaning(word, *(texts[int(each)] for texts in (known.identifiers, known.labels, known.glosses)))
            for each in known.find(word)
        ]
        for word in words
    }
    if json:
        found = {word: [each._asdict() for each in several] for word, several in senses.items()}
        show.as_json({"ontology": known.name, "concepts": len(known), "sha256": known.digest, "words": found})
        return
    show.out.print(f"{known}, sha256 {known.digest}")
    for word, several in senses.items():
        show.out.print(_grid(f"\n{word}", several or [Meaning(word, "", "", "")]))


def _columns(table: Table, wanted: str | None) -> list[str]:
    """The column asked for, or all with an ontology."""
    chosen = (
        [name for name in table.names if table[name].ontology] if wanted is None else [table[wanted].name]
    )
    if not chosen or not table[chosen[0]].ontology:
        which = "no column has an ontology" if wanted is None else f"column '{wanted}' has none"
        raise BadParameter(f'ontology: in the project {which}; write ontology = "wordnet" or a file.')
    return chosen


def _write(found: dict[str, list[Meaning]], place: Path, force: bool) -> None:
    if len(found) != 1:
        raise BadParameter(f"ontology: --write is for one column; name it with --column: {', '.join(found)}.")
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["value", "concept"])
    rows.writerows([each.value, each.identifier] for several in found.values() for each in several)
    write_text(place, text.getvalue(), force=force)


def _show(table: Table, found: dict[str, list[Meaning]], json: bool) -> None:
    known = {name: str(ontology_of(table, name, None)) for name in found}
    if json:
        show.as_json(
            {
                name: {
                    "ontology": known[name],
                    "unmapped": sum(not each.identifier for each in several),
                    "values": [each._asdict() for each in several],
                }
                for name, several in found.items()
            }
        )
        return
    for name, several in found.items():
        missed = sum(not each.identifier for each in several)
        show.out.print(_grid(f"{name}: {len(several)} values in {known[name]}", several))
        if missed:
            show.out.print(
                f"{missed} of {len(several)} stand for nothing: --write a mapping file and correct it."
            )
        show.out.print("")


def _grid(title: str, several: list[Meaning]) -> object:
    rows = show.grid(title, "value", "concept", "what it is")
    for each in several:
        rows.add_row(each.value, each.identifier or NOWHERE, each.gloss or each.label)
    return rows
