"""Releases of documents on the command line: how `assess` and `report` look at them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options, show
from discreet.errors import BadParameter
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


def run(
    folder: Path,
    original: Path | None,
    *,
    private: Path | None,
    queries: Path | None,
    gold: Path | None,
    attacks: list[str] | None = None,
    losses: list[str] | None = None,
    ceilings: list[str] | None = None,
    quiet: bool = False,
) -> TextAssessment:
    """The assessment of the release of documents in a folder."""
    from discreet.text.document_assessment import METHODS, assess_documents
    from discreet.text.entities.annotations import read_annotations
    from discreet.text.reading import read
    from discreet.text.retrieval.queries import read_queries

    if original is None:
        raise BadParameter("assess: give the folder that was sanitised: --original FOLDER.")
    names = [*HEADLINES, *(each.name for each in METHODS.values() if each.kind == "attack")]
    with show.bar(quiet) as progress:
        return assess_documents(
            read(original, progress=progress),
            folder,
            private=private,
            queries=() if queries is None else read_queries(queries),
            gold=() if gold is None else read_annotations(gold),
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
