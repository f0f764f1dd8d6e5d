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

    Somebody of whom nothing is known, or of whose facts no word is left anywhere, is found by guessing only. Who has
    many documents is hit by guessing more often, which tells nothing of the release: each person counts as if they had
    one document, so that guessing finds one in as many as there are, and a sure find is one. Raises DoesNotApply where
    there is nobody.
    """
    if not people:
        raise DoesNotApply(NOBODY)
    documents = len(sanitised)
    index = Index.of((each.text for each in sanitised), progress=progress)
    found = first = 0.0
    nothing_found = 0
    for place, person in enumerate(people):
        progress(place, len(people), "searching")
        try:
            relevance = index.relevance(" ".join(sorted(person.facts)))
        except BadParameter:
            relevance = np.zeros(documents)
        nothing_found += not relevance.any()
        best = np.flatnonzero(relevance >= relevance.max() - 1e-12)
        chance = len(person.documents.intersection(best.tolist())) / len(best)
        first += chance
        found += as_of_one_document(chance, len(person.documents), documents)
    return Risk(
        name=SEARCH_FACTS,
        risk=found / len(people),
        meaning=MEANING,
        interval=wilson(found, len(people)),
        baseline=1 / documents,
        attempts=len(people),
        reidentifies=True,
        details={
            "people": len(people),
            "stands_first": first / len(people),
            "facts_known_of_a_person": sum(len(each.facts) for each in people) / len(people),
            "searches_that_found_nothing": nothing_found,
        },
    )


def as_of_one_document(chance: float, own: int, documents: int) -> float:
    """The chance of somebody with `own` of so many documents, brought to that of somebody with one of them.

    Guessing becomes one in as many as there are, a sure find stays one, and less than guessing at least nothing.

    >>> [round(as_of_one_document(chance, 2, 5), 2) for chance in (0.0, 0.4, 0.7, 1.0)]
    [0.0, 0.2, 0.6, 1.0]
    """
    guessing = own / documents
    if guessing == 1:
        return 1 / documents
    gained = (chance - guessing) / (1 - guessing)
    return max(0.0, 1 / documents + (1 - 1 / documents) * gained)
