"""The ontology: concepts and their is-a links as integer arrays, with names.

Concepts are numbered by their identifiers in sorted order, so "the lowest number" is "the first identifier", and
a tie is broken the same way everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.errors import BadParameter, UnknownConcept
from discreet.ontology.links import Adjacency, Ids, lowest
from discreet.ontology.terms import Terms
from discreet.ontology.texts import Texts


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ontology:
    """Concepts with one root, is-a links upwards and downwards, and the words for them.

    `ancestors[c]` is T(c): every concept above c and c itself, sorted; `steps` has, in the same places, the
    fewest links to each. `depth` counts the fewest links from the root. `level` is the column in which a file of levels
    first has the concept, 0 that of the values; it is empty where that is the steps above the deepest concept, and for
    all other sources. `terms` leads from words to concepts.
    """

    name: str
    identifiers: Texts
    labels: Texts
    glosses: Texts
    terms: Terms
    parents: Adjacency
    children: Adjacency
    ancestors: Adjacency
    steps: NDArray[np.int16]
    depth: Ids
    level: Ids
    root: int
    digest: str

    def __len__(self) -> int:
        return len(self.identifiers)

    def __str__(self) -> str:
        return f"{self.name}: {len(self)} concepts, depth {self.max_depth}"

    __repr__ = __str__

    @property
    def max_depth(self) -> int:
        """D: the links from the root to the deepest concept."""
        return int(self.depth.max())

    def concept(self, identifier: str) -> int:
        """The number of the concept with this identifier. Raises UnknownConcept."""
        place = self.identifiers.find(identifier)
        if place < 0:
            raise UnknownConcept(f"ontology '{self.name}' has no concept with the identifier asked for.")
        return place

    def find(self, value: str) -> Ids:
        """The concepts a value can mean, the likeliest first: by identifier, else by word (`Terms.find`)."""
        place = self.identifiers.find(value)
        return np.array([place], dtype=np.int32) if place >= 0 else self.terms.find(value)

    def lcs(self, concepts: ArrayLike) -> int:
        """The least common subsumer: an ancestor of all the concepts with no other such ancestor below it.

        Of several the deepest, ties by identifier.
        """
        chosen = np.unique(self.checked(concepts))
        if not len(chosen):
            raise BadParameter("the least common subsumer needs at least one concept; got none.")
        above, times = np.unique(self.ancestors.targets[self.ancestors.places(chosen)], return_counts=True)
        least = lowest(self.ancestors, above[times == len(chosen)])
        return int(least[np.argmax(self.depth[least])])

    def checked(self, concepts: ArrayLike) -> NDArray[np.int64]:
        """The concepts as numbers of this ontology. Raises BadParameter for a number that is none."""
        numbers = np.atleast_1d(np.asarray(concepts, dtype=np.int64))
        if len(numbers) and not 0 <= int(numbers.min()) <= int(numbers.max()) < len(self):
            raise BadParameter(f"concepts of ontology '{self.name}' are numbered 0 to {len(self) - 1}.")
        return numbers
