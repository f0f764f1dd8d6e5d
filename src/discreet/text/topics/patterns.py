"""The terms of a matcher as a tree of stems, which all places of a text walk down together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.text.topics.stems import stem, stems_of
from discreet.text.topics.term import Term
from discreet.text.topics.tokens import APART, Ids
from discreet.text.words import WORD, stop_words

SHORTEST_SOLID = 4
"""A phrase of fewer letters is not looked for written as one word."""
LONGEST_ENDING = 3
"""A stem that lacks more letters of its word is shared by words of other meanings, and not looked for misspelt."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patterns:
    """Sequences of stems and the terms that each stands for.

    `stems` numbers the stems from one. `root` leads from the number of a first stem to a node, zero for none; `keys`,
    sorted, are a node and the number of a next stem in one number, and `targets` the nodes that they lead to. `ends`
    says which pattern ends in a node, or -1. `spelt` are the stems that a misspelt word may be taken for.
    """

    terms: tuple[tuple[Term, ...], ...]
    stems: dict[str, int]
    root: Ids
    keys: NDArray[np.int64]
    targets: Ids
    ends: Ids
    spelt: frozenset[str]

    @classmethod
    def of(cls, terms: Iterable[Term]) -> Patterns:
        """The patterns of terms: the stems of their words, and for phrases also that of the words written as one."""
        by_path: dict[tuple[str, ...], list[Term]] = {}
        given = tuple(terms)
        for term in given:
            for path in _paths(term.text):
                by_path.setdefault(path, []).append(term)
        stems = {
            each: place
            for place, each in enumerate(sorted({one for path in by_path for one in path}), start=1)
        }
        steps: dict[tuple[int, int], int] = {}
        ends = [-1]
        for number, path in enumerate(by_path):
            node = 0
            for one in path:
                if (node, stems[one]) not in steps:
                    steps[node, stems[one]] = len(ends)
                    ends.append(-1)
                node = steps[node, stems[one]]
            ends[node] = number
        root = np.zeros(len(stems) + 1, dtype=np.int32)
        for (node, each), target in steps.items():
            if node == 0:
                root[each] = target
        further = sorted(
            (node * (len(stems) + 1) + each, target) for (node, each), target in steps.items() if node
        )
        return cls(
            terms=tuple(tuple(found) for found in by_path.values()),
            stems=stems,
            root=root,
            keys=np.array([key for key, _ in further], dtype=np.int64),
            targets=np.array([target for _, target in further], dtype=np.int32),
            ends=np.array(ends, dtype=np.int32),
            spelt=frozenset(one for each in given for one in _spelt(each.text)),
        )

    def single(self, one: str) -> int:
        """The pattern that this stem alone is, or -1."""
        return int(self.ends[self.root[self.stems.get(one, 0)]]) if one in self.stems else -1

    def found(self, stems: Ids, after: NDArray[np.int8]) -> Iterator[tuple[NDArray[np.intp], int, Ids]]:
        """The places where patterns begin, how many words these have, and which they are; fewer words first."""
        nodes = self.root[stems]
        places = np.flatnonzero(nodes)
        nodes = nodes[places]
        words = 1
        while len(places):
            which = self.ends[nodes]
            ended = which >= 0
            yield places[ended], words, which[ended]
            going_on = (places + words < len(stems)) & (after[places + words - 1] != APART)
            places, nodes = places[going_on], nodes[going_on]
            wanted = nodes.astype(np.int64) * len(self.root) + stems[places + words]
            at = np.searchsorted(self.keys, wanted)
            there = at < len(self.keys)
            there[there] = self.keys[at[there]] == wanted[there]
            places, nodes = places[there], self.targets[at[there]]
            words += 1


def _paths(text: str) -> Iterator[tuple[str, ...]]:
    path = stems_of(text)
    if path:
        yield path
    if len(path) > 1:
        solid = "".join(WORD.findall(text))
        if len(solid) >= SHORTEST_SOLID and solid not in stop_words():
            yield (stem(solid),)


def _spelt(text: str) -> Iterator[str]:
    """The stems of a term that stand for little else; of one such as "e-mail" also that of its words as one."""
    words = WORD.findall(text)
    solid = ["".join(words)] if len(words) > 1 and min(map(len, words)) == 1 else []
    for word in (*words, *solid):
        if len(word) - len(stem(word)) <= LONGEST_ENDING and word not in stop_words():
            yield stem(word)


def best_term(terms: Sequence[Term], written: str) -> Term:
    """The term that a text in lower case stands for: the one written so, else the one that weighs most."""
    exact = next((each for each in terms if each.text == written), None)
    return exact if exact is not None else max(terms, key=lambda each: (each.weight, each.text))
