"""The formats that are read, and how a file's format is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType

from discreet.errors import BadFile
from discreet.ontology.builder import Builder, Cycles
from discreet.ontology.readers import claml, icd, mesh, obo, rdf, rf2, rows, wndb
from discreet.ontology.readers.wordnet_home import holds_wordnet, wordnet_folder

STARTS = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class OntologyFormat:
    """One format: its name, what it is, which files it has and how they are read."""

    name: str
    what: str
    builder: Callable[[Path], Builder]
    sources: Callable[[Path], Sequence[Traversable]] = lambda path: [path]
    on_cycles: Cycles = "error"


def _nouns(path: Path) -> Builder:
    return wndb.builder(wordnet_folder(path), ("noun",))


def _noun_files(path: Path) -> list[Traversable]:
    return wndb.sources(wordnet_folder(path), ("noun",))


FORMATS: MappingProxyType[str, OntologyFormat] = MappingProxyType(
    {
        each.name: each
        for each in (
            OntologyFormat(
                name="levels", what="CSV, a row from leaf to root (ARX, anjana)", builder=rows.levels
            ),
            OntologyFormat(name="edges", what="CSV, a row for each child and parent", builder=rows.edges),
            OntologyFormat(
                name="wordnet", what="a WordNet folder: its nouns", builder=_nouns, sources=_noun_files
            ),
            OntologyFormat(name="obo", what="OBO", builder=obo.builder),
            OntologyFormat(name="owl", what="OWL or RDFS in RDF/XML, Turtle or N-Triples", builder=rdf.owl),
            OntologyFormat(name="skos", what="SKOS in RDF/XML, Turtle or N-Triples", builder=rdf.skos),
            OntologyFormat(
                name="rf2",
                what="SNOMED CT, a folder with an RF2 snapshot",
                builder=rf2.builder,
                sources=rf2.sources,
            ),
            OntologyFormat(
                name="icd", what="ICD-9 or ICD-10, a table of codes and titles", builder=icd.builder
            ),
            OntologyFormat(name="claml", what="ICD and others in ClaML", builder=claml.builder),
            OntologyFormat(
                name="mesh", what="MeSH descriptors, XML or ASCII", builder=mesh.builder, on_cycles="cut"
            ),
        )
    }
)
"""The formats by name."""


def recognised(path: Path) -> OntologyFormat:
    """The format of a file or folder, from its name and how it starts. Raises BadFile when it cannot be told."""
    name = _folder_format(path) if path.is_dir() else _file_format(path)
    if not name:
        raise BadFile(
            f"'{path}': the format cannot be told. Name it: format=… (one of {', '.join(FORMATS)}), or give the "
            "file the ending of its format: .csv, .obo, .owl, .ttl."
        )
    return FORMATS[name]


def _folder_format(path: Path) -> str:
    if holds_wordnet(path) or holds_wordnet(path / "dict"):
        return "wordnet"
    return "rf2" if next(path.rglob("*sct2_Relationship_Snapshot*.txt"), None) else ""


def _file_format(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadFile(f"'{path}' cannot be read: {type(error).__name__}.") from error
    start, suffix = content[:STARTS], path.suffix.lower()
    if suffix == ".obo" or start.startswith(b"format-version:"):
        return "obo"
    if b"<ClaML" in start:
        return "claml"
    if b"<DescriptorRecordSet" in start or b"*NEWRECORD" in start:
        return "mesh"
    if suffix in (".owl", ".rdf", ".ttl", ".nt", ".n3") or b"<rdf:RDF" in start:
        return "skos" if rdf.speaks_skos(content) else "owl"
    if suffix in (".csv", ".tsv", ".txt"):
        return _rows_format(path)
    return ""


def _rows_format(path: Path) -> str:
    table = rows.rows_of(path)
    if icd.looks_like_codes(path) and not rows.end_in_one(table):
        return "icd"
    if path.suffix.lower() == ".txt" and not all(len(row) > 1 for row in table if row):
        return ""
    return "edges" if table and rows.column_names(table[0]) else "levels"
