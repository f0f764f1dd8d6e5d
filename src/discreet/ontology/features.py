"""Similarities of concepts by what they are described with: words, glosses and neighbours.

They need an ontology that has these, and two concepts with the same description are as alike as can be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from discreet.errors import NotComputable
from discreet.ontology.graph import Ontology
from discreet.ontology.links import Adjacency
from discreet.ontology.pairs import shared
from discreet.ontology.terms import normalised

Concepts = NDArray[np.int64]
Ratios = NDArray[np.float64]
EXAMPLE = re.compile(r'"[^"]*"?')
WORD = re.compile(r"[^\W\d_]{2,}")
EMPTY_WORDS = frozenset(
    WORD.findall(
        "an and any are as at be been being by can etc for from has have having in into is it its like may "
        "more most not of on one or other out over so some such than that the their them there these they "
        "this those to up used usually very was were when where which while who whose with without "
    )
)


def tversky(ontology: Ontology, a: Concepts, b: Concepts) -> Ratios:
    """The similarity of Tversky (1977) over the words for each concept and for all above it."""
    return _ratios(ontology, a, b, lambda concept: _words(ontology, ontology.ancestors[concept]))


def rodriguez(ontology: Ontology, a: Concepts, b: Concepts) -> Ratios:
    """The similarity of Rodríguez and Egenhofer (2003): words, features and neighbours with the same weight.

    The features are the words of the gloss, the neighbours the concepts above. Raises NotComputable when the
    ontology has no glosses.
    """
    _need_glosses(ontology, "rodriguez")
    words = _ratios(ontology, a, b, lambda concept: _words(ontology, [concept]))
    features = _ratios(ontology, a, b, lambda concept: _gloss(ontology, concept))
    neighbours = _ratios(ontology, a, b, lambda concept: map(str, ontology.ancestors[concept]))
    return (words + features + neighbours) / 3


def petrakis(ontology: Ontology, a: Concepts, b: Concepts) -> Ratios:
    """The X-similarity of Petrakis and others (2006); the neighbourhood follows the is-a links up to the root.

    Raises NotComputable when the ontology has no glosses.
    """
    _need_glosses(ontology, "petrakis")
    same = _overlap(*_described(a, b, lambda concept: _words(ontology, [concept]))) > 0
    glosses = _overlap(*_described(a, b, lambda concept: _gloss(ontology, concept)))
    around = _overlap(*_described(a, b, lambda concept: _words(ontology, ontology.ancestors[concept])))
    return np.where(same, 1.0, np.maximum(glosses, around))


def _need_glosses(ontology: Ontology, name: str) -> None:
    if not ontology.glosses.block:
        raise NotComputable(
            f"{name} compares glosses, and ontology '{ontology.name}' has none. Use another distance."
        )


def _described(
    a: Concepts, b: Concepts, features: Callable[[int], Iterable[str]]
) -> tuple[Adjacency, Adjacency]:
    """The features of the concepts of both sides, numbered alike."""
    numbers: dict[str, int] = {}
    known: dict[int, list[int]] = {}
    for concept in np.union1d(a, b).tolist():
        known[concept] = [numbers.setdefault(feature, len(numbers)) for feature in features(concept)]

    def linked(concepts: Concepts) -> Adjacency:
        pairs = [(row, each) for row, concept in enumerate(concepts.tolist()) for each in known[concept]]
        flat = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return Adjacency.of(flat[:, 0], flat[:, 1], len(concepts))

    return linked(a), linked(b)


def _ratios(ontology: Ontology, a: Concepts, b: Concepts, features: Callable[[int], Iterable[str]]) -> Ratios:
    """Tversky's ratio, the mean over both directions; g follows from the depths of the two concepts."""
    left, right = _described(a, b, features)
    common = shared(left, right)
    only_a, only_b = left.counts[:, None] - common, right.counts[None, :] - common
    deep_a, deep_b = ontology.depth[a][:, None], ontology.depth[b][None, :]
    part = np.where(deep_a + deep_b > 0, np.minimum(deep_a, deep_b) / np.maximum(1, deep_a + deep_b), 0.5)
    there = common + part * only_a + (1 - part) * only_b
    back = common + part * only_b + (1 - part) * only_a
    # Where nothing is common both ratios are zero, whatever is below the line.
    return (common / np.where(common > 0, there, 1) + common / np.where(common > 0, back, 1)) / 2


def _overlap(left: Adjacency, right: Adjacency) -> Ratios:
    common = shared(left, right)
    together = left.counts[:, None] + right.counts[None, :] - common
    return np.asarray(common / np.maximum(1, together))


def _words(ontology: Ontology, concepts: Iterable[int]) -> list[str]:
    return [normalised(word) for concept in concepts for word in ontology.terms.words(int(concept))]


def _gloss(ontology: Ontology, concept: int) -> list[str]:
    text = EXAMPLE.sub(" ", ontology.glosses[concept]).casefold()
    return [word for word in WORD.findall(text) if word not in EMPTY_WORDS]
