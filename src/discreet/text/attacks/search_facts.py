"""Searching for a person: the facts of a document as a query over the sanitised corpus."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.errors import BadParameter, Mismatch
from discreet.progress import SILENT, Progress
from discreet.results import Risk, wilson
from discreet.text.attacks.known_facts import Facts
from discreet.text.document import Corpus
from discreet.text.retrieval.engine import Index

SEARCH_FACTS = "search_facts"
MEANING = (
    "the share of documents that stand first when somebody searches for the facts that are known of them"
)


def search_facts(sanitised: Corpus, known: Sequence[Facts], *, progress: Progress = SILENT) -> Risk:
    """The share of documents that come first in a search for their own facts, equal first ones sharing the chance.

    A document of which nothing is known, or of whose facts no word is left anywhere, is found by guessing only.
    """
    if len(known) != len(sanitised):
        raise Mismatch(f"there are {len(known)} original documents and {len(sanitised)} sanitised ones.")
    documents = len(known)
    index = Index.of((each.text for each in sanitised), progress=progress)
    chances = np.zeros(documents)
    nothing_found = 0
    for place, facts in enumerate(known):
        progress(place, documents, "searching")
        try:
            relevance = index.relevance(" ".join(sorted(facts)))
        except BadParameter:
            relevance = np.zeros(documents)
        nothing_found += not relevance.any()
        best = np.flatnonzero(relevance >= relevance.max() - 1e-12)
        chances[place] = 1 / len(best) if place in best else 0.0
    found = float(chances.sum())
    return Risk(
        name=SEARCH_FACTS,
        risk=found / documents if documents else 0.0,
        meaning=MEANING,
        records=chances,
        interval=wilson(found, documents),
        baseline=1 / documents if documents else 0.0,
        attempts=documents,
        reidentifies=True,
        details={"searches_that_found_nothing": nothing_found},
    )
