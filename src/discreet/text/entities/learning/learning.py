"""From reviewed documents to a model and its threshold."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.progress import SILENT, Progress, part
from discreet.text.document import Corpus
from discreet.text.entities.annotations import AnnotatedDocument
from discreet.text.entities.learning.model import SequenceModel
from discreet.text.entities.learning.threshold import Threshold, choose_threshold, cross_fitted
from discreet.text.entities.recognition import recognise, resolved
from discreet.text.entities.register import Register
from discreet.text.span import Span


def learned(
    documents: Sequence[AnnotatedDocument],
    *,
    missed_at_most: float = 0.02,
    confidence: float = 0.95,
    recognisers: Sequence[str] | None = None,
    progress: Progress = SILENT,
) -> tuple[SequenceModel, Threshold]:
    """The model of all reviewed documents, and the threshold at which the bound holds for documents it did not see.

    Each document is tried with a model learned from others, joined with rules and register as in a release. Raises
    BadParameter for fewer than two documents.
    """
    rules = []
    for place, each in enumerate(documents):
        progress(place, 3 * len(documents), "rules")
        rules.append(recognise(each.text, recognisers=recognisers))
    chances = cross_fitted(documents, rules, progress=part(progress, 1, 3, "trying"))

    def joined(place: int, proposed: Sequence[Span]) -> Sequence[Span]:
        return with_register(documents[place].text, [*rules[place], *proposed])

    threshold = choose_threshold(
        documents, chances, joined, missed_at_most=missed_at_most, confidence=confidence
    )
    model = SequenceModel.learn(documents, rules, progress=part(progress, 2, 3, "learning"))
    return model, threshold


def with_register(text: str, spans: Sequence[Span]) -> list[Span]:
    """The spans of a text, overlaps resolved, and every further mention of what they name."""
    register = Register.of(Corpus.of([text]), [resolved(text, spans)])
    return [each.span for each in register.mentions(0)]
