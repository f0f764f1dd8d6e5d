"""Queries over a corpus before and after it was sanitised: information lost to readers, risk removed for intruders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from discreet.errors import BadParameter, Mismatch, NotComputable
from discreet.progress import SILENT, Progress
from discreet.results import FORMAT, Loss, Risk
from discreet.table import FloatArray
from discreet.text.document import Corpus
from discreet.text.retrieval.engine import Index, largest_drop
from discreet.text.retrieval.measures import (
    Change,
    Mask,
    Retrieval,
    change,
    normalised_mutual_information,
    retrieval,
)
from discreet.text.retrieval.queries import Purpose, Query

INFORMATION, TOPICS = "information_loss", "topics"
CITES = "Abril, Navarro-Arribas and Torra 2011, On the declassification of confidential documents"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryChange:
    """What one query found before and after, and what changed."""

    query: Query
    threshold: float
    before: Retrieval
    after: Retrieval
    change: Change

    def to_dict(self) -> dict[str, Any]:
        return {
            "purpose": self.query.purpose,
            "threshold": self.threshold,
            "true_documents": self.before.true,
            "f": [self.before.f, self.after.f],
            "coverage": [_number(self.before.coverage), _number(self.after.coverage)],
            "returned": [self.before.returned, self.after.returned],
            "change": self.change.combined,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalComparison:
    """What all queries found before and after. `unanswered` are those that found nothing before."""

    changes: tuple[QueryChange, ...]
    unanswered: tuple[str, ...] = ()

    def mean(self, purpose: Purpose) -> float:
        """The mean change of the queries of one purpose, in percent; NotComputable where none of them found anything.

        Below zero, its size is the information lost to readers, or the risk removed for intruders.
        """
        found = [each.change.combined for each in self.changes if each.query.purpose == purpose]
        if not found:
            raise NotComputable(f"no {purpose} query finds anything in the original documents.")
        return float(np.mean(found))

    def information_loss(self) -> Loss:
        """The information lost to readers, in percent: 0 where every query of theirs finds what it found before."""
        return Loss(
            name=INFORMATION,
            loss=max(0.0, -self.mean("utility")),
            meaning="how much worse readers find what they look for, in percent, over the utility queries",
            left_out=self._unanswered("utility"),
            details=self._details("utility"),
        )

    def topic_risk(self) -> Risk:
        """The share of the risk that is left: 1 where every query of an intruder finds what it found before."""
        removed = max(0.0, -self.mean("risk")) / 100
        left = min(1.0, max(0.0, 1 - removed))
        asked = sum(each.query.purpose == "risk" for each in self.changes)
        return Risk(
            name=TOPICS,
            risk=left,
            meaning="how much of what an intruder finds by searching for sensitive topics can still be found",
            interval=(left, left),
            baseline=0.0,
            attempts=asked,
            failed=self._unanswered("risk"),
            details=self._details("risk"),
        )

    def _unanswered(self, purpose: Purpose) -> int:
        return sum(name.startswith(f"{purpose}.") for name in self.unanswered)

    def _details(self, purpose: Purpose) -> dict[str, Any]:
        found = {each.query.name: each.to_dict() for each in self.changes if each.query.purpose == purpose}
        return {"queries": found, "cites": CITES}

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "queries": {f"{each.query.purpose}.{each.query.name}": each.to_dict() for each in self.changes},
            "unanswered": list(self.unanswered),
        }


def compare_retrieval(
    original: Corpus, sanitised: Corpus, queries: Sequence[Query], *, progress: Progress = SILENT
) -> RetrievalComparison:
    """What each query finds in the original documents and in the sanitised ones, which are in the same order.

    Random documents are those that no query should find. Thresholds are set on the original documents.
    """
    if len(original) != len(sanitised):
        raise Mismatch(
            f"there are {len(original)} original documents and {len(sanitised)} sanitised ones; they must be the same."
        )
    if not queries:
        raise BadParameter("compare_retrieval: give at least one query.")
    before = Index.of((each.text for each in original), progress=progress)
    after = Index.of((each.text for each in sanitised), progress=progress)
    asked = [(each, before.relevance(each.words)) for each in queries]
    names = {each.name: place for place, each in enumerate(original)}
    true = [_true(each, relevance, names) for each, relevance in asked]
    random = ~np.logical_or.reduce(true)
    changes: list[QueryChange] = []
    unanswered: list[str] = []
    for (query, relevance), wanted in zip(asked, true, strict=True):
        if not wanted.any():
            unanswered.append(f"{query.purpose}.{query.name}")
            continue
        found = after.relevance(query.words)
        changes.append(_changed(query, relevance, found, wanted, random))
    return RetrievalComparison(changes=tuple(changes), unanswered=tuple(unanswered))


def _changed(query: Query, before: FloatArray, after: FloatArray, true: Mask, random: Mask) -> QueryChange:
    threshold = largest_drop(before) if query.threshold is None else query.threshold
    first, second = retrieval(before, threshold, true, random), retrieval(after, threshold, true, random)
    nmi = normalised_mutual_information((before >= threshold).tolist(), (after >= threshold).tolist())
    return QueryChange(
        query=query,
        threshold=threshold,
        before=first,
        after=second,
        change=change(first, second, nmi),
    )


def _true(query: Query, relevance: FloatArray, names: dict[str, int]) -> Mask:
    """The documents that a query should find: those named, or those it finds before."""
    if query.documents is None:
        threshold = largest_drop(relevance) if query.threshold is None else query.threshold
        return relevance >= threshold if relevance.any() else np.zeros(len(relevance), dtype=bool)
    unknown = [name for name in query.documents if name not in names]
    if unknown:
        raise BadParameter(
            f"the query '{query.name}' names {len(unknown)} documents that the corpus does not have."
        )
    found = np.zeros(len(relevance), dtype=bool)
    found[[names[name] for name in query.documents]] = True
    return found


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
