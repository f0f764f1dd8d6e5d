"""Releases of documents on the command line: how `assess` and `report` look at them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options, show
from discreet.errors import BadParameter, listed
from discreet.headline import HEADLINES
from discreet.text.assessment import TextAssessment

Queries = Annotated[
    Path | None,
    typer.Option("--queries", help="For documents: what readers and intruders look for, a TOML file."),
]
Gold = Annotated[
    Path | None,
    typer.Option("--gold", help="For documents: annotated ones as JSON lines, to count what was missed."),
]
People = Annotated[
    Path | None,
    typer.Option("--people", help="For documents: what the public knows of people, a TOML file."),
]


def run(
    folder: Path,
    original: Path | None,
    *,
    private: Path | None,
    queries: Path | None,
    gold: Path | None,
    people: Path | None,
    attacks: list[str] | None = None,
    losses: list[str] | None = None,
    ceilings: list[str] | None = None,
    quiet: bool = False,
) -> TextAssessment:
    """The assessment of the release of documents in a folder."""
    from discreet.text.attacks.known_people import read_people
    from discreet.text.document_assessment import METHODS, assess_documents
    from discreet.text.entities.annotations import read_annotations
    from discreet.text.reading import read
    from discreet.text.retrieval.queries import read_queries

    if original is None:
        raise BadParameter("assess: give the folder that was sanitised: --original FOLDER.")
    names = [*HEADLINES, *(each.name for each in METHODS.values() if each.kind == "attack")]
    with show.bar(quiet) as progress:
        corpus = read(original, progress=progress)
        return assess_documents(
            corpus,
            folder,
            private=private,
            queries=() if queries is None else read_queries(queries),
            gold=() if gold is None else read_annotations(gold),
            people=() if people is None else read_people(people, corpus),
            attacks=attacks or None,
            losses=losses or None,
            ceilings=options.limits(ceilings, "ceiling", names),
            progress=progress,
        )


def is_release(folder: Path) -> bool:
    """Whether a folder holds a release of documents. Raises BadParameter for one of vectors, which has its own."""
    from discreet.text.release import is_text_release, load_text_release

    if not folder.is_dir() or not is_text_release(folder):
        return False
    if load_text_release(folder, private=None).manifest.kind != "documents":
        raise BadParameter(
            "this is a release of vectors: use `discreet corpus assess` or `discreet corpus report`."
        )
    return True


def refuse(*, of: str = "a table", **given: object) -> None:
    """Raises BadParameter for options that were given and mean something for another kind of release only."""
    meant = [f"--{name.replace('_', '-')}" for name, value in given.items() if value not in (None, [])]
    if meant:
        raise BadParameter(f"{listed(meant)}: this is for {of}, and would be ignored here. Leave it out.")
