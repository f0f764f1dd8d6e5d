"""Searching for people: what the public knows of somebody as a query over the sanitised documents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.errors import BadParameter, DoesNotApply
from discreet.progress import SILENT, Progress
from discreet.results import Risk, wilson
from discreet.text.attacks.known_people import KnownPerson
from discreet.text.document import Corpus
from discreet.text.retrieval.engine import Index

SEARCH_FACTS = "search_facts"
MEANING = "the share of people of whom a document stands first when somebody searches for what the public knows of them"
NOBODY = "the documents name nobody who could be searched for"


def search_facts(sanitised: Corpus, people: Sequence[KnownPerson], *, progress: Progress = SILENT) -> Risk:
    """The share of people one of whose documents comes first in a search, equal first ones sharing the chance.

    Somebody of whom nothing is known, or of whose facts no word is left anywhere, is found by guessing only: one
    document drawn from all. Raises DoesNotApply where there is nobody.
    """
    if not people:
        raise DoesNotApply(NOBODY)
    documents = len(sanitised)
    index = Index.of((each.text for each in sanitised), progress=progress)
    found = guessed = 0.0
    nothing_found = 0
    for place, person in enumerate(people):
        progress(place, len(people), "searching")
        try:
            relevance = index.relevance(" ".join(sorted(person.facts)))
        except BadParameter:
            relevance = np.zeros(documents)
        nothing_found += not relevance.any()
        best = np.flatnonzero(relevance >= relevance.max() - 1e-12)
        found += len(person.documents.intersection(best.tolist())) / len(best)
        guessed += len(person.documents) / documents
    return Risk(
        name=SEARCH_FACTS,
        risk=found / len(people),
        meaning=MEANING,
        interval=wilson(found, len(people)),
        baseline=guessed / len(people),
        attempts=len(people),
        reidentifies=True,
        details={
            "people": len(people),
            "facts_known_of_a_person": sum(len(each.facts) for each in people) / len(people),
            "searches_that_found_nothing": nothing_found,
        },
    )
