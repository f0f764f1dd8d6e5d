"""Links between concepts as flat arrays: who is above whom, how many steps away, and in what order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.errors import BadOntology

Ids = NDArray[np.int32]
"""Concepts by number: positions in the ontology's sorted identifiers."""

STEP_BITS = 16
MOST_ANCESTORS = 60_000_000
"""Pairs of a concept and one above it, six bytes each; WordNet has 0.8 million, SNOMED CT 6 million."""
RUNS_AT_ONCE = 1000
T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class Adjacency:
    """For each source a run of targets: those of i are `targets[offsets[i]:offsets[i + 1]]`."""

    offsets: NDArray[np.int64]
    targets: Ids

    @classmethod
    def of(cls, sources: ArrayLike, targets: ArrayLike, size: int) -> Adjacency:
        """Links from pairs, each source's targets sorted, repeated pairs once."""
        pairs = np.unique((np.asarray(sources, dtype=np.int64) << 32) | np.asarray(targets, dtype=np.int64))
        counts = np.bincount(pairs >> 32, minlength=size)
        return cls(_offsets(counts), (pairs & 0xFFFFFFFF).astype(np.int32))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, source: int) -> Ids:
        return self.targets[self.offsets[source] : self.offsets[source + 1]]

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many targets each source has."""
        return np.diff(self.offsets)

    @property
    def sources(self) -> Ids:
        """The source of each target."""
        return np.repeat(np.arange(len(self), dtype=np.int32), self.counts)

    def reversed(self, size: int) -> Adjacency:
        """The same links from targets to sources."""
        return Adjacency.of(self.targets, self.sources, size)

    def places(self, sources: ArrayLike) -> NDArray[np.int64]:
        """Where the targets of these sources stand, one source after the other."""
        chosen = np.asarray(sources, dtype=np.int64)
        return _runs(self.offsets[chosen], self.offsets[chosen + 1] - self.offsets[chosen])

    def taken(self, sources: ArrayLike) -> Adjacency:
        """The links of these sources only, renumbered from zero in the order given."""
        chosen = np.asarray(sources, dtype=np.int64)
        return Adjacency(
            _offsets(self.offsets[chosen + 1] - self.offsets[chosen]), self.targets[self.places(chosen)]
        )


def generations(parents: Adjacency) -> list[Ids]:
    """The concepts in an order that has every parent in an earlier generation than its children.

    Concepts on a cycle, and all below it, are left out: fewer than all of them says that there is one.
    """
    waiting = parents.counts
    children = parents.reversed(len(parents))
    generation = np.flatnonzero(waiting == 0).astype(np.int32)
    found = []
    while len(generation):
        found.append(generation)
        below, met = np.unique(children.targets[children.places(generation)], return_counts=True)
        waiting[below] -= met
        generation = below[waiting[below] == 0]
    return found


def ancestors(parents: Adjacency, order: list[Ids]) -> tuple[Adjacency, NDArray[np.int16]]:
    """All that lies above each concept, itself included, and the fewest links to each of them.

    `order` is that of `generations`. A concept's ancestors are itself and those of its parents, one link
    further; where several parents lead to the same ancestor the nearest counts. All are held in memory, so that
    BadOntology is raised where they are too many, as in very long chains.
    """
    size = len(parents)
    starts, counts = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    above, steps = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int16)
    filled = 0
    for generation in order:
        kin = parents.taken(generation)
        if filled + len(generation) + int(counts[kin.targets].sum()) > MOST_ANCESTORS:
            raise BadOntology(
                f"the concepts of the ontology have more than {MOST_ANCESTORS} concepts above them, all counted, which "
                f"is more than are held in memory; some lie {len(order) - 1} links below the top. Leave out what your "
                "values do not need, or join links of long chains."
            )
        places = _runs(starts[kin.targets], counts[kin.targets])
        heir = np.repeat(kin.sources.astype(np.int64), counts[kin.targets])
        own = np.arange(len(generation), dtype=np.int64)
        pair = np.concatenate([own * size + generation, heir * size + above[places]])
        step = np.concatenate([np.zeros(len(own), dtype=np.int64), steps[places].astype(np.int64) + 1])
        key = np.sort((pair << STEP_BITS) | step)
        pair = key >> STEP_BITS
        nearest = np.flatnonzero(np.diff(pair, prepend=-1))
        above, steps = _room(above, filled + len(nearest)), _room(steps, filled + len(nearest))
        above[filled : filled + len(nearest)] = pair[nearest] % size
        steps[filled : filled + len(nearest)] = key[nearest] & ((1 << STEP_BITS) - 1)
        counts[generation] = np.bincount(pair[nearest] // size, minlength=len(generation))
        starts[generation] = filled + np.cumsum(counts[generation]) - counts[generation]
        filled += len(nearest)
    return Adjacency(_offsets(counts), _gathered(above, starts, counts)), _gathered(steps, starts, counts)


def _gathered(array: NDArray[T], starts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[T]:
    """The runs of the array one after the other, some thousand at a time to spare memory."""
    found = np.empty(int(counts.sum()), dtype=array.dtype)
    filled = 0
    for first in range(0, len(starts), RUNS_AT_ONCE):
        some = slice(first, first + RUNS_AT_ONCE)
        places = _runs(starts[some], counts[some])
        found[filled : filled + len(places)] = array[places]
        filled += len(places)
    return found


def lowest(upwards: Adjacency, concepts: NDArray[T]) -> NDArray[T]:
    """Those of the concepts that have no other of them below; `upwards` leads from a concept to all above and itself.

    With several parents a concept can be nearer to the root than one above it, so depth alone does not tell.
    """
    met, times = np.unique(upwards.targets[upwards.places(concepts)], return_counts=True)
    return concepts[np.isin(concepts, met[times == 1])]


def cycles(parents: Adjacency) -> Ids:
    """For each concept the number of the cycle it lies on, or -1."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    size = len(parents)
    marks = np.ones(len(parents.targets), dtype=np.int8)
    graph = csr_array((marks, parents.targets, parents.offsets.astype(np.int32)), shape=(size, size))
    count, component = connected_components(graph, directed=True, connection="strong")
    alone = np.bincount(component, minlength=count) == 1
    sources = parents.sources
    alone[component[sources[sources == parents.targets]]] = False
    return np.where(alone[component], -1, component).astype(np.int32)


def _offsets(counts: NDArray[np.integer]) -> NDArray[np.int64]:
    offsets = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets


def _runs(starts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers start, start + 1, ... of each run, one run after the other."""
    before = np.cumsum(counts) - counts
    return np.repeat(starts - before, counts) + np.arange(int(counts.sum()))


def _room(array: NDArray[T], needed: int) -> NDArray[T]:
    """The array with room for as many entries; it doubles, so that filling it costs what it holds."""
    if needed <= len(array):
        return array
    grown = np.empty(max(needed, 2 * len(array)), dtype=array.dtype)
    grown[: len(array)] = array
    return grown
