"""From the values of a column to the concepts they stand for."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import BadFile, UnmappedValues
from discreet.ontology.graph import Ontology
from discreet.ontology.links import Adjacency, Ids

Senses = Literal["first", "all"]
Unmapped = Literal["error", "apart"]


class Meaning(NamedTuple):
    """What one value was taken for; empty texts for a value apart."""

    value: str
    identifier: str
    label: str
    gloss: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MappedValues:
    """Distinct values and the concepts that each can mean, the likeliest first.

    A value without concepts stands apart: it is at distance zero from itself and as far as can be from all else.
    `spoken_for` are the words that the steward's mapping says something of, whether they occur or not; `every_sense`
    says that a word is taken for all its senses.
    """

    ontology: Ontology
    values: tuple[str, ...]
    senses: Adjacency
    spoken_for: frozenset[str] = frozenset()
    every_sense: bool = False

    def __len__(self) -> int:
        return len(self.values)

    def __str__(self) -> str:
        apart = int(self.apart.sum())
        note = f", {apart} of them apart" if apart else ""
        return f"{len(self)} values mapped to {self.ontology.name}{note}"

    @property
    def apart(self) -> NDArray[np.bool_]:
        """Which values stand for no concept."""
        return np.equal(self.senses.counts, 0)

    @property
    def concepts(self) -> Ids:
        """The likeliest concept of each value; -1 for a value apart."""
        found = np.full(len(self), -1, dtype=np.int32)
        mapped = np.flatnonzero(~self.apart)
        found[mapped] = self.senses.targets[self.senses.offsets[mapped]]
        return found

    def meanings(self) -> list[Meaning]:
        """What each value was taken for, for the steward to check: the likeliest sense is not always the right one."""
        described = (self.ontology.identifiers, self.ontology.labels, self.ontology.glosses)
        return [
            Meaning(value, *(texts[concept] if concept >= 0 else "" for texts in described))
            for value, concept in zip(self.values, self.concepts.tolist(), strict=True)
        ]


def map_values(
    ontology: Ontology,
    values: Iterable[str],
    *,
    mapping: Mapping[str, str] | str | Path | None = None,
    senses: Senses = "first",
    unmapped: Unmapped = "error",
) -> MappedValues:
    """The concepts that the distinct values stand for.

    A value is looked up as an identifier, as a word, as a numbered sense ("worker#1"), then whatever its case,
    underscores, hyphens and plural. `mapping` (value to word, identifier or numbered sense; a dictionary or a CSV
    file of two columns) goes first. Of several senses the first is taken, or "all": then a distance is the
    least over the senses. Values that mean nothing are an error, or stand "apart" with a 0/1 distance.
    Raises UnmappedValues, which holds the values but does not print them, and BadFile.
    """
    given = read_mapping(mapping) if isinstance(mapping, str | Path) else dict(mapping or {})
    distinct = tuple(dict.fromkeys(values))
    found = [ontology.find(given.get(value, value)) for value in distinct]
    missed = [value for value, concepts in zip(distinct, found, strict=True) if not len(concepts)]
    if missed and unmapped == "error":
        astray = sum(1 for value in missed if given.get(value))
        note = f" ({astray} of them mapped to what is no concept)" if astray else ""
        raise UnmappedValues(
            f"{len(missed)} of {len(distinct)} values stand for no concept of ontology '{ontology.name}'{note}; the "
            "error's `values` holds them, and `discreet ontology --of FILE` lists them. Map them (mapping=…) or "
            "let them stand apart (unmapped='apart').",
            missed,
        )
    if senses == "first":
        found = [concepts[:1] for concepts in found]
    offsets = np.zeros(len(found) + 1, dtype=np.int64)
    np.cumsum([len(concepts) for concepts in found], out=offsets[1:])
    targets = np.concatenate([*found, np.empty(0, dtype=np.int32)]).astype(np.int32)
    return MappedValues(
        ontology=ontology,
        values=distinct,
        senses=Adjacency(offsets, targets),
        spoken_for=frozenset(given),
        every_sense=senses == "all",
    )


def of_concepts(ontology: Ontology, concepts: NDArray[np.integer] | list[int]) -> MappedValues:
    """Distinct concepts as values, each called by its identifier, in the order of their numbers."""
    distinct = np.unique(ontology.checked(concepts))
    names = tuple(ontology.identifiers[int(concept)] for concept in distinct)
    return MappedValues(
        ontology=ontology,
        values=names,
        senses=Adjacency(np.arange(len(distinct) + 1), distinct.astype(np.int32)),
    )


def read_mapping(path: str | Path) -> dict[str, str]:
    """What a mapping file says: value, then concept, in a CSV file of two columns headed "value,concept".

    Raises BadFile, with the line, for a row that has not two columns or a value that is mapped twice.
    """
    mapping: dict[str, str] = {}
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file))
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"mapping file '{path}' cannot be read: {type(error).__name__}.") from error
    if rows[:1] == [["value", "concept"]]:
        rows[0] = []
    for line, row in enumerate(rows, start=1):
        if not row:
            continue
        if len(row) != 2:
            raise BadFile(
                f"mapping file '{path}', line {line}: expected value,concept; found {len(row)} columns."
            )
        if row[0] in mapping:
            raise BadFile(f"mapping file '{path}', line {line}: this value is mapped a second time.")
        mapping[row[0]] = row[1]
    return mapping
