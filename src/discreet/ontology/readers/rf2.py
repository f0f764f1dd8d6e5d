"""SNOMED CT in its release format 2 (RF2): the snapshot files of concepts, descriptions and relationships."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.errors import BadFile
from discreet.ontology.builder import Builder

if TYPE_CHECKING:
    import polars as pl

IS_A = "116680003"
FULLY_SPECIFIED = "900000000000003001"
ENGLISH = "en"
KINDS = ("Concept", "Description", "Relationship")
TAG = re.compile(r"\s+\([^()]*\)\Z")


def sources(folder: Path) -> list[Path]:
    """The snapshot files under the folder, kind by kind. Raises BadFile when a kind is not there."""
    found = []
    for kind in KINDS:
        files = sorted(folder.rglob(f"*sct2_{kind}_Snapshot*.txt"))
        if not files:
            raise BadFile(
                f"'{folder}' has no file 'sct2_{kind}_Snapshot….txt': give the folder of an RF2 snapshot."
            )
        found.extend(files)
    return found


def builder(folder: Path) -> Builder:
    """The active concepts of an RF2 snapshot, by SCTID, with their active is-a relationships (116680003).

    The label is the fully specified name, the English one where there are several, without its tag where that is
    clear; the active descriptions of all languages are the words. An extension's files beside those of the
    international release are read together.
    """
    files = sources(folder)
    by_kind = {kind: [path for path in files if f"sct2_{kind}_" in path.name] for kind in KINDS}
    active = set(_active(by_kind["Concept"], ["id"])["id"])
    result = Builder(name="snomed ct")
    for identifier in active:
        result.entry(identifier)
    _add_words(
        result, _active(by_kind["Description"], ["conceptId", "languageCode", "typeId", "term"]), active
    )
    relations = _active(by_kind["Relationship"], ["sourceId", "destinationId", "typeId"])
    result.links = [
        (source, target)
        for source, target, kind in relations.iter_rows()
        if kind == IS_A and source in active and target in active
    ]
    return result


def _add_words(result: Builder, descriptions: pl.DataFrame, active: set[str]) -> None:
    names: dict[str, str] = {}
    english: set[str] = set()
    for concept, language, kind, term in descriptions.iter_rows():
        if concept not in active:
            continue
        words = result.entries[concept].words
        words[term] = 1
        if kind == FULLY_SPECIFIED:
            words.setdefault(TAG.sub("", term), 1)
            if concept not in names or (language == ENGLISH and concept not in english):
                names[concept] = term
            english |= {concept} if language == ENGLISH else set()
    plain = Counter(TAG.sub("", name) for name in names.values())
    for concept, name in names.items():
        short = TAG.sub("", name)
        entry = result.entries[concept]
        entry.label = short if plain[short] == 1 else name
        entry.words[short] = 0


def _active(files: list[Path], columns: list[str]) -> pl.DataFrame:
    """The active rows of the files, as text."""
    import polars as pl

    parts = []
    for path in files:
        try:
            frame = pl.read_csv(
                path, separator="\t", quote_char=None, infer_schema=False, columns=["active", *columns]
            )
        except (pl.exceptions.PolarsError, OSError) as error:
            raise BadFile(
                f"'{path}' is not an RF2 file with the columns {', '.join(['active', *columns])}."
            ) from error
        parts.append(frame.filter(pl.col("active") == "1").select(columns))
    return pl.concat(parts)
