"""Which categories a published label can stand for: itself, or all that is under a more general one."""

from __future__ import annotations

import numpy as np

from discreet.errors import BadFile, BadOntology, NotComputable, NotInstalled
from discreet.ontology import VIRTUAL_ROOT
from discreet.ontology.columns import Interpretation, understood
from discreet.table import BoolArray, IntArray, Table

MOST_CELLS = 1 << 28
"""The most pairs of a general label and a category that are held in memory."""


def holds_everything(label: str) -> bool:
    """Whether a label says nothing: "*", or the root of a hierarchy."""
    return label == "*" or (VIRTUAL_ROOT in label and label.strip("()") == VIRTUAL_ROOT.strip("()"))


def members_of_labels(
    original: Table,
    masked: Table,
    name: str,
    labels: list[str],
    known: IntArray,
    published: IntArray,
    truth: IntArray,
    level: IntArray,
) -> tuple[IntArray, BoolArray, BoolArray]:
    """The codes of the general labels, and which levels each of them can stand for, with and without blanked ones.

    `known` and `published` are codes from 1 of the `labels`, 0 where blank; `level[code]` is the number of a code among
    the levels of the known table, -1 where it is none of them. General are all labels that nobody known has, and a
    category that others have become. What such a label stands for follows from its own words ("{a, b}"), from the
    ontology of the column, and from the people it was published for; whoever was blanked may have been any of them.
    """
    pairs = _pairs(known, published, truth, len(labels) + 1)
    general = _general(pairs, level)
    levels = int(level.max(initial=-1)) + 1
    if len(general) * levels > MOST_CELLS:
        raise NotComputable(
            f"column '{name}' has {len(general)} general categories over {levels} values, more than can be compared. "
            "Join rare categories first."
        )
    codes = np.flatnonzero(level >= 0)
    certain = _by_people(pairs, general, level, levels)
    for row, code in enumerate(general.tolist()):
        certain[row] |= _by_words(labels[code - 1], labels, codes, levels)
    if original[name].ontology:
        certain |= _by_ontology(original, masked, name, labels, general, codes, levels)
    blanked = pairs[(pairs[:, 1] == 0) & (pairs[:, 0] > 0), 0]
    holds = certain.copy()
    holds[np.ix_(level[general] < 0, level[blanked])] = True
    return general, holds, certain


def _pairs(known: IntArray, published: IntArray, truth: IntArray, size: int) -> IntArray:
    """The distinct pairs of a known code and the code it was published as."""
    rows = np.flatnonzero(truth >= 0)
    joined = np.unique(known[truth[rows]] * size + published[rows])
    return np.column_stack([joined // size, joined % size])


def _general(pairs: IntArray, level: IntArray) -> IntArray:
    """The codes of labels that stand for other categories than themselves.

    A category of the known table is one where another category became it that is nowhere published as itself: it was
    joined to it. Categories that were exchanged at random stay what they are.
    """
    unseen = np.flatnonzero(level < 0)
    kept = set(pairs[pairs[:, 0] == pairs[:, 1], 0].tolist())
    joined = {
        to
        for one, to in pairs.tolist()
        if one > 0 and to > 0 and one != to and level[to] >= 0 and one not in kept
    }
    return np.array(sorted({*unseen[unseen > 0].tolist(), *joined}), dtype=np.int64)


def _by_people(pairs: IntArray, general: IntArray, level: IntArray, levels: int) -> BoolArray:
    """The levels that each general label was published for."""
    holds = np.zeros((len(general), levels), dtype=bool)
    row = np.full(len(level), -1, dtype=np.int64)
    row[general] = np.arange(len(general))
    seen = pairs[(row[pairs[:, 1]] >= 0) & (pairs[:, 0] > 0)]
    holds[row[seen[:, 1]], level[seen[:, 0]]] = True
    known = level[general] >= 0
    holds[np.flatnonzero(known), level[general[known]]] = True
    return holds


def _by_words(label: str, labels: list[str], codes: IntArray, levels: int) -> BoolArray:
    """The levels that a label names: all of them, or those of a set such as "{a, b}"."""
    if holds_everything(label):
        return np.ones(levels, dtype=bool)
    found = np.zeros(levels, dtype=bool)
    if label.startswith("{") and label.endswith("}"):
        named = {part.strip() for part in label[1:-1].split(",")}
        found[:] = [labels[code - 1] in named for code in codes.tolist()]
    return found


def _by_ontology(
    original: Table,
    masked: Table,
    name: str,
    labels: list[str],
    general: IntArray,
    codes: IntArray,
    levels: int,
) -> BoolArray:
    """The levels that are under a general label in the ontology of the column; none where it cannot be read."""
    found = np.zeros((len(general), levels), dtype=bool)
    try:
        space, _ = understood([original, masked], name, Interpretation(unmapped="apart", measured=False))
    except (BadOntology, BadFile, NotInstalled):
        return found
    place = {value: number for number, value in enumerate(space.values)}
    here = [column for column, code in enumerate(codes.tolist()) if labels[code - 1] in place]
    above = [set(space.above[place[labels[codes[column] - 1]]].tolist()) for column in here]
    for row, code in enumerate(general.tolist()):
        if labels[code - 1] in place:
            own = int(space.own[place[labels[code - 1]]])
            found[row, here] = [own in each for each in above]
    return found
