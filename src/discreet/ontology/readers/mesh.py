"""MeSH descriptors: the XML file (desc….xml) or the ASCII file (d….bin)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from discreet.errors import BadFile
from discreet.ontology.builder import Builder
from discreet.ontology.readers.entities import refuse_entities
from discreet.ontology.readers.text import text_of

CATEGORIES = {
    "A": "Anatomy",
    "B": "Organisms",
    "C": "Diseases",
    "D": "Chemicals and Drugs",
    "E": "Analytical, Diagnostic and Therapeutic Techniques, and Equipment",
    "F": "Psychiatry and Psychology",
    "G": "Phenomena and Processes",
    "H": "Disciplines and Occupations",
    "I": "Anthropology, Education, Sociology, and Social Phenomena",
    "J": "Technology, Industry, and Agriculture",
    "K": "Humanities",
    "L": "Information Science",
    "M": "Named Groups",
    "N": "Health Care",
    "V": "Publication Characteristics",
    "Z": "Geographicals",
}
FIELD = re.compile(r"([A-Z ]+?) = (.*)")
ENTRY_RANK, TREE_RANK = 1, 2


@dataclass(slots=True)
class Descriptor:
    """What one record says."""

    identifier: str = ""
    heading: str = ""
    scope: str = ""
    trees: list[str] = field(default_factory=list)
    entries: list[str] = field(default_factory=list)


def builder(path: Path) -> Builder:
    """The descriptors, by their unique identifier; a descriptor is under that of each tree number's nearest prefix.

    The sixteen categories (one letter) are concepts above the trees. A descriptor can stand in several places, and the
    places can contradict each other; such cycles are cut by default.
    """
    with_start = _start(path)
    records = list(_from_xml(path) if with_start.lstrip().startswith("<") else _from_ascii(path))
    result = Builder(name=path.stem)
    home = {tree: record.identifier for record in records for tree in record.trees}
    described: set[str] = set()
    for number, record in enumerate(records, start=1):
        if record.identifier in described:
            raise BadFile(f"'{path}': record {number} has the unique identifier of another one.")
        described.add(record.identifier)
        entry = result.entry(record.identifier)
        entry.label, entry.gloss = record.heading, record.scope
        entry.words = dict.fromkeys(record.trees, TREE_RANK) | dict.fromkeys(record.entries, ENTRY_RANK)
        entry.words[record.heading] = 0
        for tree in record.trees:
            above = _above(tree, home)
            if above in CATEGORIES:
                result.entry(above).label = CATEGORIES[above]
            if above != record.identifier:
                result.links.append((record.identifier, above))
    return result


def _above(tree: str, home: dict[str, str]) -> str:
    parts = tree.split(".")
    for end in range(len(parts) - 1, 0, -1):
        prefix = ".".join(parts[:end])
        if prefix in home:
            return home[prefix]
    return tree[0]


def _start(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(200).decode("utf-8", "replace").lstrip("\ufeff")
    except OSError as error:
        raise BadFile(f"'{path}' cannot be read: {type(error).__name__}.") from error


def _from_ascii(path: Path) -> Iterator[Descriptor]:
    for number, block in enumerate(text_of(path).split("*NEWRECORD")[1:], start=1):
        record = Descriptor()
        for line in block.splitlines():
            match = FIELD.match(line)
            if not match:
                continue
            name, value = match[1], match[2].strip()
            if name == "UI":
                record.identifier = value
            elif name == "MH":
                record.heading = value
            elif name == "MS":
                record.scope = value
            elif name == "MN":
                record.trees.append(value)
            elif name in ("ENTRY", "PRINT ENTRY"):
                record.entries.append(value.partition("|")[0])
        yield _whole(record, path, number)


def _from_xml(path: Path) -> Iterator[Descriptor]:
    refuse_entities(path)
    number = 0
    try:
        for _, element in ElementTree.iterparse(path):
            if element.tag != "DescriptorRecord":
                continue
            number += 1
            record = Descriptor(
                identifier=element.findtext("DescriptorUI", ""),
                heading=element.findtext("DescriptorName/String", ""),
                scope=element.findtext("ConceptList/Concept[@PreferredConceptYN='Y']/ScopeNote", "").strip(),
                trees=[each.text or "" for each in element.iterfind("TreeNumberList/TreeNumber")],
                entries=[
                    each.text or "" for each in element.iterfind("ConceptList/Concept/TermList/Term/String")
                ],
            )
            element.clear()
            yield _whole(record, path, number)
    except ElementTree.ParseError as error:
        raise BadFile(f"'{path}', line {error.position[0]}: this is not XML.") from error


def _whole(record: Descriptor, path: Path, number: int) -> Descriptor:
    if not (record.identifier and record.heading and all(record.trees)):
        raise BadFile(f"'{path}': record {number} has no unique identifier, heading or tree number.")
    return record
