"""The threshold of a learned model, chosen so that a bound on what it misses holds, and said what that rests on."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scipy import stats

from discreet.errors import BadParameter
from discreet.progress import SILENT, Progress, part
from discreet.results import FORMAT
from discreet.text.entities.annotations import AnnotatedDocument
from discreet.text.entities.learning.model import Chances, SequenceModel
from discreet.text.entities.scores import DetectionScores, Found, detection_scores
from discreet.text.span import Span

THRESHOLDS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
"""The thresholds that are tried, from the one that hides the most."""
FOLDS = 5

Joined = Callable[[int, Sequence[Span]], Sequence[Span]]
"""For a document, by its place, and what the model proposes: all that would be hidden, with rules and register."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """A threshold and what it rests on.

    `bound` is the share of direct identifiers that is missed at most, with `confidence`, when as many were reviewed as
    `direct` counts and these were found. `threshold` is None where the bound that was asked for cannot be shown even
    at the lowest threshold; `more_documents` then says how many more have to be reviewed if no further one is missed.
    """

    missed_at_most: float
    confidence: float
    threshold: float | None
    bound: float
    direct: Found
    scores: DetectionScores
    documents: int
    more_documents: int = 0

    def __str__(self) -> str:
        rests = (
            f"{self.direct.of - self.direct.found:.0f} of {self.direct.of} reviewed direct identifiers missed in "
            f"{self.documents} documents, so at most {self.bound:.1%} with {self.confidence:.0%} confidence"
        )
        if self.threshold is None:
            return (
                f"not shown that at most {self.missed_at_most:.1%} are missed: {rests}. Review about "
                f"{self.more_documents} more documents."
            )
        return f"threshold {self.threshold:g}: {rests}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "missed_at_most": self.missed_at_most,
            "confidence": self.confidence,
            "threshold": self.threshold,
            "bound": self.bound,
            "documents": self.documents,
            "more_documents": self.more_documents,
            "scores": self.scores.to_dict(),
        }


def most_missed(missed: int, of: int, confidence: float) -> float:
    """The share that is missed at most, with this confidence, when so many of so many were (Clopper and Pearson 1934).

    >>> f"{most_missed(0, 149, 0.95):.4f}"
    '0.0199'
    """
    if of == 0 or missed >= of:
        return 1.0
    return float(stats.beta.ppf(confidence, missed + 1, of - missed))


def needed(missed: int, missed_at_most: float, confidence: float) -> int:
    """How many entities have to be reviewed to show the bound, when so many of them are missed.

    >>> needed(0, 0.02, 0.95)
    149
    """
    low, high = missed, max(2, missed + 1)
    while most_missed(missed, high, confidence) > missed_at_most:
        low, high = high, high * 2
    while low + 1 < high:
        middle = (low + high) // 2
        enough = most_missed(missed, middle, confidence) <= missed_at_most
        low, high = (low, middle) if enough else (middle, high)
    return high


def cross_fitted(
    documents: Sequence[AnnotatedDocument], rules: Sequence[Sequence[Span]], *, progress: Progress = SILENT
) -> tuple[Chances, ...]:
    """For each reviewed document the chances by a model that was learned from other documents.

    Raises BadParameter for fewer than two documents.
    """
    folds = min(FOLDS, len(documents))
    if folds < 2:
        raise BadParameter(
            "a threshold needs at least two reviewed documents, to learn from one and try another."
        )
    found: dict[int, Chances] = {}
    for fold in range(folds):
        others = [place for place in range(len(documents)) if place % folds != fold]
        told = part(progress, fold, folds, f"part {fold + 1} of {folds}")
        model = SequenceModel.learn(
            [documents[each] for each in others], [rules[each] for each in others], progress=told
        )
        for place in range(fold, len(documents), folds):
            found[place] = model.chances(documents[place].text, rules[place])
    return tuple(found[place] for place in range(len(documents)))


def choose_threshold(
    documents: Sequence[AnnotatedDocument],
    chances: Sequence[Chances],
    joined: Joined,
    *,
    missed_at_most: float = 0.02,
    confidence: float = 0.95,
) -> Threshold:
    """The highest threshold at which at most this share of direct identifiers is missed, with this confidence.

    Thresholds are tried from the lowest on and the first that fails ends it, so that trying several does not weaken the
    bound (testing in a fixed sequence). An entity counts as missed when any of its mentions is not hidden. The bound
    takes entities as independent draws from the material that is still to come, and holds for nothing else.
    """
    if not 0 < missed_at_most < 1 or not 0.5 <= confidence < 1:
        raise BadParameter(
            "choose_threshold: missed_at_most must be between 0 and 1, and confidence from 0.5 to below 1."
        )
    chosen: Threshold | None = None
    for threshold in THRESHOLDS:
        found = _tried(documents, chances, joined, threshold, missed_at_most, confidence)
        if found.threshold is None:
            return found if chosen is None else chosen
        chosen = found
    assert chosen is not None
    return chosen


def _tried(
    documents: Sequence[AnnotatedDocument],
    chances: Sequence[Chances],
    joined: Joined,
    threshold: float,
    missed_at_most: float,
    confidence: float,
) -> Threshold:
    """One threshold with what it reaches; without its value where it does not keep the bound."""
    pairs = zip(documents, chances, strict=True)
    proposed = [each.spans(document.text, threshold) for document, each in pairs]
    scores = detection_scores(documents, [joined(place, each) for place, each in enumerate(proposed)])
    missed = round(scores.direct.of - scores.direct.found)
    bound = most_missed(missed, scores.direct.of, confidence)
    more = max(0, needed(missed, missed_at_most, confidence) - scores.direct.of)
    rate = scores.direct.of / len(documents)
    return Threshold(
        missed_at_most=missed_at_most,
        confidence=confidence,
        threshold=threshold if bound <= missed_at_most else None,
        bound=bound,
        direct=scores.direct,
        scores=scores,
        documents=len(documents),
        more_documents=0 if bound <= missed_at_most else math.ceil(more / rate) if rate else more,
    )
