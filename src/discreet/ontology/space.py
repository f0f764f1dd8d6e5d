"""One column's values in their ontology, with all distances worked out: what masking methods compute on.

Values are numbered 0..p-1 and candidates 0..q-1. Candidates are the concepts that a centroid can be: every value's
concepts and all above them. A value that stands apart is its own candidate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, count, takewhile

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.errors import BadParameter, NotComputable
from discreet.ontology.distances import Matrix, SemanticDistance
from discreet.ontology.graph import Ontology
from discreet.ontology.links import Adjacency, Ids, lowest
from discreet.ontology.mapping import MappedValues, of_concepts
from discreet.ontology.texts import Texts

MOST_CELLS = 400_000_000
TIE = 1e-9
"""Sums that differ by less than this share are a tie: the order of adding must not choose the centroid."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Space:
    """Values, candidates and the distances between them.

    `distances[c, v]` is that of candidate c to value v, `between[u, v]` that of two values. `texts[c]` is what to
    publish for candidate c. `concepts[c]` is its concept, -1 for a value apart; `own[v]` the candidate that is
    value v itself. `above` leads from a value to the candidates at or above it, `upwards` from a candidate to those,
    and `below` to those at or under it. `generality` ranks candidates: the most general first, then by identifier.
    """

    distance: SemanticDistance
    values: tuple[str, ...]
    texts: Texts
    concepts: Ids
    own: Ids
    distances: Matrix
    between: Matrix
    above: Adjacency
    upwards: Adjacency
    below: Adjacency
    depth: Ids
    generality: Ids

    @classmethod
    def of(
        cls, distance: SemanticDistance, values: MappedValues | ArrayLike, *, measured: bool = True
    ) -> Space:
        """The space of mapped values, or of concepts given by number.

        With several senses a distance is the least over them. Raises NotComputable when there are too many distinct
        values for their distances to be held in memory, BadParameter when there are none. Who needs no distances says
        so with `measured`: there are none then, and any number of values will do.
        """
        ontology = distance.ontology
        mapped = values if isinstance(values, MappedValues) else of_concepts(ontology, np.asarray(values))
        if not len(mapped):
            raise BadParameter("a semantic space needs at least one value; got none.")
        senses, places = np.unique(mapped.senses.targets, return_inverse=True)
        by_value = Adjacency(mapped.senses.offsets, places.astype(np.int32))
        concepts = np.unique(ontology.ancestors.targets[ontology.ancestors.places(senses)])
        apart = np.flatnonzero(mapped.apart)
        size = len(concepts) + len(apart)
        own = np.empty(len(mapped), dtype=np.int32)
        own[apart] = len(concepts) + np.arange(len(apart))
        own[~mapped.apart] = np.searchsorted(concepts, mapped.concepts[~mapped.apart])
        depth = np.full(size, ontology.max_depth + 1, dtype=np.int32)
        depth[: len(concepts)] = ontology.depth[concepts]
        generality = np.empty(size, dtype=np.int32)
        generality[np.argsort(depth, kind="stable")] = np.arange(size)
        distances, between = np.empty((0, 0)), np.empty((0, 0))
        if measured:
            _refuse_too_many(len(mapped), size)
            known = distance.matrix(concepts, senses)
            distances = _to_values(known, by_value, apart, distance.largest)
            between = _between_values(known[np.searchsorted(concepts, senses)], by_value, distance.largest)
        upwards = _upwards(ontology, concepts, len(apart))
        return cls(
            distance=distance,
            values=mapped.values,
            texts=_texts(ontology, mapped, concepts, apart),
            concepts=np.append(concepts, np.full(len(apart), -1)).astype(np.int32),
            own=own,
            distances=distances,
            between=between,
            above=_above(ontology, by_value, senses, concepts, apart),
            upwards=upwards,
            below=upwards.reversed(size),
            depth=depth,
            generality=generality,
        )

    def __len__(self) -> int:
        return len(self.values)

    def hierarchy(self, frequencies: ArrayLike) -> NDArray[np.int64]:
        """The minimum hierarchy H(V): the candidates between the values that occur and their LCS."""
        return Gathering.of(self, frequencies).hierarchy()

    def sums(self, frequencies: ArrayLike) -> NDArray[np.float64]:
        """For each candidate the sum over the values of frequency times distance."""
        return Gathering.of(self, frequencies).sums

    def centroid(self, frequencies: ArrayLike) -> int:
        """The candidate of the minimum hierarchy with the least sum of frequency times distance.

        A tie goes to the most general, then to the identifier (Martínez, Valls and Sánchez 2012).
        """
        return Gathering.of(self, frequencies).centroid()

    def lcs(self, frequencies: ArrayLike) -> int:
        """The least candidate above all values that occur, as `Ontology.lcs`. Raises NotComputable if none is."""
        return Gathering.of(self, frequencies).lcs()


class Gathering:
    """A group of values that grows and shrinks, with what its centroid needs kept up to date."""

    __slots__ = ("_above", "_apart", "_counts", "_mapped", "frequencies", "space", "sums")

    def __init__(self, space: Space) -> None:
        self.space = space
        self.frequencies = np.zeros(len(space))
        self.sums = np.zeros(len(space.concepts))
        self._counts = np.zeros(len(space.concepts), dtype=np.int64)
        self._above = space.upwards.counts
        self._apart = int(np.count_nonzero(space.concepts < 0))
        self._mapped = 0

    @classmethod
    def of(cls, space: Space, frequencies: ArrayLike) -> Gathering:
        """The group with these frequencies, one for each value of the space."""
        given = np.array(frequencies, dtype=np.float64)
        if given.shape != (len(space),) or not np.isfinite(given).all() or (given < 0).any():
            raise BadParameter(f"frequencies must be {len(space)} finite numbers, none of them negative.")
        group = cls(space)
        group.frequencies = given
        group.sums = space.distances @ given
        present = np.flatnonzero(given > 0)
        above = space.above.targets[space.above.places(present)]
        group._counts = np.bincount(above, minlength=len(space.concepts))
        group._mapped = int(np.count_nonzero(space.concepts[space.own[present]] >= 0))
        return group

    def add(self, value: int, frequency: float = 1.0) -> None:
        """Let so many records with this value join."""
        if self.frequencies[value] == 0 and frequency > 0:
            self._count(value, 1)
        self.frequencies[value] += frequency
        self.sums += frequency * self.space.distances[:, value]

    def remove(self, value: int, frequency: float = 1.0) -> None:
        """Let so many records with this value leave. Raises BadParameter when there are not so many."""
        if frequency > self.frequencies[value]:
            raise BadParameter("more records leave a group than it has of this value.")
        if self.frequencies[value] == frequency and frequency > 0:
            self._count(value, -1)
        self.frequencies[value] -= frequency
        self.sums -= frequency * self.space.distances[:, value]

    def hierarchy(self) -> NDArray[np.int64]:
        """The candidates between the values of the group and their LCS; values apart beside them."""
        concepts = len(self._counts) - self._apart
        found = concepts + np.flatnonzero(self._counts[concepts:])
        if self._mapped:
            inside = self.space.below[self._least_common()]
            found = np.concatenate([inside[self._counts[inside] > 0], found])
        if not len(found):
            raise BadParameter("an empty group has no centroid.")
        return found

    def centroid(self) -> int:
        """The group's centroid, as `Space.centroid` defines it. Raises BadParameter for an empty group."""
        candidates = self.hierarchy()
        sums = self.sums[candidates]
        least = sums.min()
        tied = candidates[sums <= least + TIE * max(1.0, abs(least))]
        return int(tied[np.argmin(self.space.generality[tied])])

    def lcs(self) -> int:
        """The group's least common subsumer. Raises NotComputable when values apart leave it without one."""
        present = np.flatnonzero(self.frequencies > 0)
        if len(present) == 1 and not self._mapped:
            return int(self.space.own[present[0]])
        if not self._mapped or self._counts[len(self._counts) - self._apart :].any():
            raise NotComputable("values that stand apart have no common subsumer.")
        return self._least_common()

    def _least_common(self) -> int:
        common = np.flatnonzero(self._counts[: len(self._counts) - self._apart] == self._mapped)
        # What is above one of them is among them, so one that has them all above it is the only least one.
        most = int(common[np.argmax(self._above[common])])
        if self._above[most] == len(common):
            return most
        least = lowest(self.space.upwards, common)
        return int(least[np.argmax(self.space.depth[least])])

    def _count(self, value: int, step: int) -> None:
        self._counts[self.space.above[value]] += step
        if self.space.concepts[self.space.own[value]] >= 0:
            self._mapped += step


def _above(
    ontology: Ontology, by_value: Adjacency, senses: Ids, concepts: Ids, apart: NDArray[np.int64]
) -> Adjacency:
    """From values to the candidates at or above any of their senses; a value apart is under itself alone."""
    upwards = ontology.ancestors.taken(senses)
    places = upwards.places(by_value.targets)
    value = np.repeat(by_value.sources, upwards.counts[by_value.targets])
    candidates = np.searchsorted(concepts, upwards.targets[places])
    alone = len(concepts) + np.arange(len(apart))
    return Adjacency.of(np.append(value, apart), np.append(candidates, alone), len(by_value))


def _upwards(ontology: Ontology, concepts: Ids, apart: int) -> Adjacency:
    links = ontology.ancestors.taken(concepts)
    size = len(concepts) + apart
    alone = np.arange(len(concepts), size)
    above = np.append(np.searchsorted(concepts, links.targets), alone)
    return Adjacency.of(np.append(links.sources, alone), above, size)


def _least(matrix: Matrix, by_value: Adjacency) -> Matrix:
    """The matrix with one column for each value that has senses, the least over them."""
    columns = matrix[:, by_value.targets]
    starts = by_value.offsets[:-1][by_value.counts > 0]
    return columns if len(starts) == columns.shape[1] else np.minimum.reduceat(columns, starts, axis=1)


def _to_values(known: Matrix, by_value: Adjacency, apart: NDArray[np.int64], far: float) -> Matrix:
    """Distances of candidates to values, those apart put in: zero to themselves, as far as can be from all else."""
    result = np.full((len(known) + len(apart), len(by_value)), far)
    result[: len(known), by_value.counts > 0] = _least(known, by_value)
    result[len(known) + np.arange(len(apart)), apart] = 0.0
    return result


def _between_values(known: Matrix, by_value: Adjacency, far: float) -> Matrix:
    """Distances between values from those between their senses."""
    mapped = np.flatnonzero(by_value.counts)
    result = np.full((len(by_value), len(by_value)), far)
    result[np.ix_(mapped, mapped)] = _least(_least(known, by_value).T, by_value)
    np.fill_diagonal(result, 0.0)
    return result


def _refuse_too_many(values: int, candidates: int) -> None:
    if candidates * values > MOST_CELLS:
        raise NotComputable(
            f"{values} distinct values with {candidates} candidates need too many distances. "
            "Recode the column to fewer values, or mask it in blocks."
        )


def _texts(ontology: Ontology, mapped: MappedValues, concepts: Ids, apart: NDArray[np.int64]) -> Texts:
    """What to publish for each candidate: the file's own word where it has one, else the ontology's label.

    A label that leads to another concept when it is looked up, or that the file or its mapping uses for something else,
    gives way to another word for the concept, then to the identifier, then to the label with the number of its sense.
    So no two candidates are published alike, and who looks a text up finds what was meant; only where all of these are
    taken is it the identifier in brackets, which means nothing.
    """
    words: dict[int, str] = {}
    for value, concept in zip(mapped.values, mapped.concepts.tolist(), strict=True):
        words.setdefault(concept, value)
    taken = set(mapped.values) | mapped.spoken_for
    for concept in concepts.tolist():
        if concept not in words:
            words[concept] = _word(ontology, concept, taken, mapped.every_sense)
            taken.add(words[concept])
    return Texts.of(
        [words[concept] for concept in concepts.tolist()] + [mapped.values[int(each)] for each in apart]
    )


def _word(ontology: Ontology, concept: int, taken: set[str], every_sense: bool) -> str:
    """A text that is not taken and means the concept, and nothing else where a word is taken for all its senses."""
    read_as = slice(None) if every_sense else slice(1)
    label, identifier = ontology.labels[concept], ontology.identifiers[concept]
    words = (label, *ontology.terms.words(concept), identifier)
    for text in chain(words, _numbered(ontology, label)):
        if text not in taken and ontology.find(text)[read_as].tolist() == [concept]:
            return text
    text = identifier
    while text in taken:
        text = f"({text})"
    return text


def _numbered(ontology: Ontology, label: str) -> Iterator[str]:
    """The label with the number of each of its senses."""
    texts = (f"{label}#{number}" for number in count(1))
    return takewhile(lambda text: len(ontology.find(text)) > 0, texts)
