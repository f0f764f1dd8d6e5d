"""The operators on tuples of categories: comparison, centroid and order, and the baselines they are compared with.

A file is a set of p distinct tuples with frequencies: `codes` is a p x m array of value numbers, one column and one
`Space` for each of the m attributes, and `frequencies` says how many records each tuple has. A centroid is one
candidate number for each attribute (Martínez, Sánchez and Valls 2012; Martínez 2013).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.errors import BadParameter
from discreet.ontology.pairs import climb
from discreet.ontology.space import Space

Codes = NDArray[np.int64]
Weights = NDArray[np.float64]
Candidates = tuple[int, ...]


def compare(
    spaces: Sequence[Space], base: Sequence[int], codes: ArrayLike, frequencies: ArrayLike
) -> Weights:
    """The weighted semantic distance (wsd) of a centroid to each tuple.

    Frequency times the mean over the attributes of the distance; `base` has one candidate for each attribute.
    """
    tuples, weights = _checked(spaces, codes, frequencies)
    total = np.zeros(len(tuples))
    for space, candidate, column in zip(spaces, base, tuples.T, strict=True):
        total += space.distances[candidate, column]
    return weights * total / len(spaces)


def compare_to_tuple(spaces: Sequence[Space], base: int, codes: ArrayLike, frequencies: ArrayLike) -> Weights:
    """The weighted semantic distance of one of the tuples (by its row) to each of them."""
    tuples, weights = _checked(spaces, codes, frequencies)
    total = np.zeros(len(tuples))
    for space, column in zip(spaces, tuples.T, strict=True):
        total += space.between[column[base], column]
    return weights * total / len(spaces)


def centroid(spaces: Sequence[Space], codes: ArrayLike, frequencies: ArrayLike) -> Candidates:
    """The semantic centroid of the tuples: for each attribute that of its values (`Space.centroid`)."""
    tuples, weights = _checked(spaces, codes, frequencies)
    return tuple(
        space.centroid(_by_value(space, column, weights))
        for space, column in zip(spaces, tuples.T, strict=True)
    )


def lcs(spaces: Sequence[Space], codes: ArrayLike, frequencies: ArrayLike) -> Candidates:
    """The least common subsumer of each attribute's values: a baseline that one outlier drives to the root."""
    tuples, weights = _checked(spaces, codes, frequencies)
    return tuple(
        space.lcs(_by_value(space, column, weights)) for space, column in zip(spaces, tuples.T, strict=True)
    )


def mode(spaces: Sequence[Space], codes: ArrayLike, frequencies: ArrayLike) -> Candidates:
    """The most frequent tuple, the first of several: a baseline that does not see meaning."""
    tuples, weights = _checked(spaces, codes, frequencies)
    return _as_candidates(spaces, tuples, int(np.argmax(weights)))


def consensus(spaces: Sequence[Space], codes: ArrayLike, frequencies: ArrayLike) -> Candidates:
    """The tuple with the least total confusion with all others, the first of several: a baseline.

    The confusion of using a for b counts the links down to b on the way from a to b: none when a is a kind of b
    (Guzmán-Arenas and others 2010, 2011). A value apart is confused with all others by the most links there can be.
    """
    tuples, weights = _checked(spaces, codes, frequencies)
    total = np.zeros(len(tuples))
    for space, column in zip(spaces, tuples.T, strict=True):
        total += (_confusion(space) @ _by_value(space, column, weights))[column]
    return _as_candidates(spaces, tuples, int(np.argmin(total)))


def at_random(
    spaces: Sequence[Space], codes: ArrayLike, frequencies: ArrayLike, generator: np.random.Generator
) -> Candidates:
    """The tuple of a record drawn at random: a baseline."""
    tuples, weights = _checked(spaces, codes, frequencies)
    return _as_candidates(spaces, tuples, int(generator.choice(len(tuples), p=weights / weights.sum())))


def order(spaces: Sequence[Space], codes: ArrayLike, frequencies: ArrayLike) -> Codes:
    """The tuples (by row) in semantic order.

    First the tuple farthest from the centroid, then the others by growing distance to that one, both by weighted
    semantic distance; the first row wins a tie.
    """
    tuples, weights = _checked(spaces, codes, frequencies)
    start = int(np.argmax(compare(spaces, centroid(spaces, tuples, weights), tuples, weights)))
    apart = compare_to_tuple(spaces, start, tuples, weights)
    apart[start] = -1.0
    return np.argsort(apart, kind="stable").astype(np.int64)


def _checked(spaces: Sequence[Space], codes: ArrayLike, frequencies: ArrayLike) -> tuple[Codes, Weights]:
    tuples = np.asarray(codes, dtype=np.int64)
    weights = np.asarray(frequencies, dtype=np.float64)
    if tuples.ndim != 2 or tuples.shape[1] != len(spaces) or not len(tuples):
        raise BadParameter(f"codes must have one row for each tuple and {len(spaces)} columns.")
    if weights.shape != (len(tuples),) or not np.isfinite(weights).all() or not (weights > 0).all():
        raise BadParameter(f"frequencies must be {len(tuples)} numbers above zero.")
    sizes = np.array([len(space) for space in spaces])
    if (tuples < 0).any() or (tuples >= sizes).any():
        raise BadParameter("codes must be numbers of values: from 0 up to the values of their space.")
    return tuples, weights


def _by_value(space: Space, column: Codes, weights: Weights) -> Weights:
    return np.bincount(column, weights=weights, minlength=len(space)).astype(np.float64, copy=False)


def _as_candidates(spaces: Sequence[Space], tuples: Codes, row: int) -> Candidates:
    return tuple(int(space.own[value]) for space, value in zip(spaces, tuples[row], strict=True))


def _confusion(space: Space) -> NDArray[np.float64]:
    ontology = space.distance.ontology
    concepts = space.concepts[space.own].astype(np.int64)
    mapped = np.flatnonzero(concepts >= 0)
    result = np.full((len(space), len(space)), float(ontology.max_depth))
    result[np.ix_(mapped, mapped)] = climb(ontology, concepts[mapped], concepts[mapped])
    np.fill_diagonal(result, 0.0)
    return result
