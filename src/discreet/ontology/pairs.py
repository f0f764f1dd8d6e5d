"""What two sets of concepts have in common, for all pairs at once.

Every measure needs, for each pair, something of the concepts above both: how many there are, the deepest, the
nearest. Instead of asking pair by pair, each common ancestor paints its rectangle (all rows below it by all
columns below it) into the result. The work is the number of (pair, common ancestor) meetings, in array operations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.ontology.graph import Ontology
from discreet.ontology.links import Adjacency, Ids

FAR = np.int32(1 << 30)


@dataclass(frozen=True, slots=True, eq=False)
class Holders:
    """For each feature that occurs, the rows that have it, and where in the links it stood."""

    features: Ids
    starts: NDArray[np.int64]
    rows: Ids
    places: NDArray[np.int64]

    @classmethod
    def of(cls, links: Adjacency) -> Holders:
        places = np.argsort(links.targets, kind="stable")
        features, starts = np.unique(links.targets[places], return_index=True)
        return cls(features, np.append(starts, len(places)), links.sources[places], places)


def meetings(
    holders: Holders, others: Holders, order: NDArray[np.generic] | None = None
) -> Iterator[tuple[int, slice, slice]]:
    """The features that both sides have, each with its runs in `rows`; by rising `order` where given.

    `order` is by feature; of features with the same order the lowest number comes last.
    """
    both, here, there = np.intersect1d(holders.features, others.features, return_indices=True)
    turn = np.arange(len(both)) if order is None else np.lexsort((-both, order[both]))
    starts, ends = holders.starts[here], holders.starts[here + 1]
    other_starts, other_ends = others.starts[there], others.starts[there + 1]
    for place in turn:
        yield (
            int(both[place]),
            slice(int(starts[place]), int(ends[place])),
            slice(int(other_starts[place]), int(other_ends[place])),
        )


def shared(a: Adjacency, b: Adjacency) -> NDArray[np.int32]:
    """How many targets each source of `a` has in common with each source of `b`."""
    left, right = Holders.of(a), Holders.of(b)
    count = np.zeros((len(a), len(b)), dtype=np.int32)
    for _, rows, columns in meetings(left, right):
        count[left.rows[rows, None], right.rows[None, columns]] += 1
    return count


def nearest(ontology: Ontology, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int32]:
    """The fewest is-a links between concepts, up from one to a common ancestor and down to the other."""
    left, right = Holders.of(ontology.ancestors.taken(a)), Holders.of(ontology.ancestors.taken(b))
    up, down = _steps(ontology, a, left), _steps(ontology, b, right)
    links = np.full((len(a), len(b)), FAR, dtype=np.int32)
    for _, rows, columns in meetings(left, right):
        cells = (left.rows[rows, None], right.rows[None, columns])
        links[cells] = np.minimum(links[cells], up[rows, None] + down[None, columns])
    return links


def best_common(
    ontology: Ontology, a: NDArray[np.int64], b: NDArray[np.int64], worth: NDArray[np.generic]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The common ancestor of greatest worth of each pair, ties by identifier, and the links from both to it.

    The deepest when `worth` is the depth (the LCS), the most informative when it is the information.
    """
    left, right = Holders.of(ontology.ancestors.taken(a)), Holders.of(ontology.ancestors.taken(b))
    up, down = _steps(ontology, a, left), _steps(ontology, b, right)
    best = np.empty((len(a), len(b)), dtype=np.int32)
    links = np.empty((len(a), len(b)), dtype=np.int32)
    for concept, rows, columns in meetings(left, right, worth):
        cells = (left.rows[rows, None], right.rows[None, columns])
        best[cells] = concept
        links[cells] = up[rows, None] + down[None, columns]
    return best, links


def climb(ontology: Ontology, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int32]:
    """The fewest links from each concept of `b` up to something that is also above the concept of `a`."""
    left, right = Holders.of(ontology.ancestors.taken(a)), Holders.of(ontology.ancestors.taken(b))
    down = _steps(ontology, b, right)
    links = np.full((len(a), len(b)), FAR, dtype=np.int32)
    for _, rows, columns in meetings(left, right):
        cells = (left.rows[rows, None], right.rows[None, columns])
        links[cells] = np.minimum(links[cells], down[None, columns])
    return links


def _steps(ontology: Ontology, concepts: NDArray[np.int64], holders: Holders) -> NDArray[np.int32]:
    return ontology.steps[ontology.ancestors.places(concepts)][holders.places].astype(np.int32)
