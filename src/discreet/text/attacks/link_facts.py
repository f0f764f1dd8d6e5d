"""Linking documents by what is left in them: an intruder knows facts, and looks for the document that shows them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from discreet.errors import Mismatch
from discreet.results import Risk, wilson
from discreet.table import FloatArray
from discreet.text.attacks.known_facts import Facts

LINK_FACTS = "link_facts"
MEANING = "the share of documents found by somebody who knows the names, places, dates and numbers in them"


def link_facts(known: Sequence[Facts], visible: Sequence[Facts]) -> Risk:
    """The share of documents that an intruder finds by the facts that are left.

    For each original document the intruder knows its facts, and takes the sanitised document that shows those of them
    which are rarest together, facts that contradict counting against it; where several are equal, one of them at
    random. A document that shows nothing can be any of those that show nothing.
    """
    if len(known) != len(visible):
        raise Mismatch(f"there are {len(known)} original documents and {len(visible)} sanitised ones.")
    documents = len(known)
    chances = _chances(known, visible)
    found = float(chances.sum())
    shown = [len(each) for each in visible]
    return Risk(
        name=LINK_FACTS,
        risk=found / documents if documents else 0.0,
        meaning=MEANING,
        records=chances,
        interval=wilson(found, documents),
        baseline=1 / documents if documents else 0.0,
        attempts=documents,
        reidentifies=True,
        details={
            "facts_left_in_a_document": float(np.mean(shown)) if shown else 0.0,
            "documents_without_a_fact": sum(each == 0 for each in shown),
            "documents_alone_with_their_facts": sum(
                many == 1 for facts, many in Counter(visible).items() if facts
            ),
        },
    )


def _chances(known: Sequence[Facts], visible: Sequence[Facts]) -> FloatArray:
    """For each document the chance that the intruder takes its own sanitised one."""
    spread = Counter(fact for facts in visible for fact in facts)
    weight = {fact: math.log((len(visible) + 1) / many) for fact, many in spread.items()}
    holders: dict[str, list[int]] = {}
    for place, facts in enumerate(visible):
        for fact in facts:
            holders.setdefault(fact, []).append(place)
    # What a document shows counts against it, and for it twice where the intruder knows it: shown facts that are
    # not known are a contradiction, and a document that shows nothing is better than one that contradicts.
    against = np.array([-sum(weight[fact] for fact in sorted(facts)) for facts in visible])
    chances = np.zeros(len(known))
    for place, facts in enumerate(known):
        score = against.copy()
        for fact in sorted(facts & weight.keys()):
            score[holders[fact]] += 2 * weight[fact]
        best = np.flatnonzero(score >= score.max() - 1e-9)
        chances[place] = 1 / len(best) if place in best else 0.0
    return chances
