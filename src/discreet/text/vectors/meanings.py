"""Words and concepts compared by what they mean: dissimilarities worked out once, and the concept above both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.ontology.distances import Matrix, distance
from discreet.ontology.graph import Ontology
from discreet.table import IntArray

DISTANCE = "wu_palmer"
UNKNOWN = np.float32(np.nan)
FIRST_ROOM = 256


class Meanings:
    """The items of an anonymised space: words, each with all its senses, and concepts, each with itself alone.

    Items are numbered as they come. The dissimilarity of two items is the least Wu-Palmer dissimilarity over all pairs
    of their senses; what was computed once is kept.
    """

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self._distance = distance(ontology, DISTANCE)
        self._senses: list[IntArray] = []
        self._of_word: dict[str, int] = {}
        self._of_concept: dict[int, int] = {}
        self._known = np.full((FIRST_ROOM, FIRST_ROOM), UNKNOWN, dtype=np.float32)
        self._above: dict[tuple[int, int], int] = {}

    def word(self, word: str) -> int:
        """The item of a word; -1 where the ontology does not know it."""
        if word not in self._of_word:
            senses = np.asarray(self.ontology.find(word), dtype=np.int64)
            self._of_word[word] = self._new(senses) if len(senses) else -1
        return self._of_word[word]

    def concept(self, concept: int) -> int:
        """The item of a concept."""
        if concept not in self._of_concept:
            self._of_concept[concept] = self._new(np.array([concept], dtype=np.int64))
        return self._of_concept[concept]

    def concept_of(self, item: int) -> int:
        """The concept that an item is, or the likeliest sense of a word."""
        return int(self._senses[item][0])

    def senses(self, item: int) -> IntArray:
        """The concepts that an item can stand for, the likeliest first."""
        return self._senses[item]

    def dissimilarities(self, rows: Sequence[int], columns: Sequence[int]) -> Matrix:
        """The least dissimilarity of each item of `rows` to each of `columns`."""
        left, right = np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64)
        found = self._known[np.ix_(left, right)]
        missing = np.isnan(found)
        if missing.any():
            self._work_out(left[missing.any(axis=1)], right[missing.any(axis=0)])
            found = self._known[np.ix_(left, right)]
        return found.astype(np.float64)

    def above(self, first: int, second: int) -> int:
        """The item of the lowest concept above both, at the pair of senses that are the least unlike.

        Of equally near pairs the likelier senses count, those of the first item before those of the second.
        """
        if first == second:
            return self.concept(self.concept_of(first))
        key = (first, second)
        if key not in self._above:
            ours, theirs = self._senses[first], self._senses[second]
            matrix = self._distance.matrix(ours, theirs)
            row, column = np.unravel_index(int(matrix.argmin()), matrix.shape)
            self._above[key] = self.concept(self.ontology.lcs([ours[row], theirs[column]]))
        return self._above[key]

    def _new(self, senses: IntArray) -> int:
        number = len(self._senses)
        self._senses.append(senses)
        if number >= len(self._known):
            grown = np.full((2 * number, 2 * number), UNKNOWN, dtype=np.float32)
            grown[:number, :number] = self._known
            self._known = grown
        return number

    def _work_out(self, rows: IntArray, columns: IntArray) -> None:
        left, first = self._all_senses(rows)
        right, second = self._all_senses(columns)
        every = self._distance.matrix(left, right)
        least = np.minimum.reduceat(np.minimum.reduceat(every, first, axis=0), second, axis=1)
        self._known[np.ix_(rows, columns)] = least
        self._known[np.ix_(columns, rows)] = least.T

    def _all_senses(self, items: IntArray) -> tuple[IntArray, NDArray[np.int64]]:
        """The senses of these items one after the other, and where those of each start."""
        runs = [self._senses[int(item)] for item in items]
        starts = np.cumsum([0, *(len(run) for run in runs[:-1])])
        return np.concatenate(runs), starts.astype(np.int64)
