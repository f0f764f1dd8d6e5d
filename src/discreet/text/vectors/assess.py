"""The assessment of a release of vectors: its attacks and measures, and what its report tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from discreet.distributions import Bar, Distribution
from discreet.errors import NotComputable
from discreet.headline import Before
from discreet.progress import SILENT, Progress
from discreet.release import NOTHING_VOUCHES
from discreet.table import FloatArray
from discreet.text.assessment import TextAssessment, TextStep, TextSubject, assess_text
from discreet.text.release import TextRelease
from discreet.text.vectors.groups import MaskedMatrix
from discreet.text.vectors.losses import BINS, distance_histograms
from discreet.text.vectors.matrix import DocumentTermMatrix
from discreet.text.vectors.methods import METHODS
from discreet.text.vectors.published import PublishedMatrix, VectorPair
from discreet.text.vectors.release import guarantees_of, load_vectors
from discreet.verification import Finding

BARS = 20
SUMMARIES = {
    "microaggregate": "Documents are put into groups of at least k that are alike by the cosine, and each row becomes "
    "the centre of its group.",
    "semantic_microaggregate": "Documents are put into groups of at least k that are alike in meaning, and the words "
    "of a group become the lowest concepts above them.",
}
TITLES = {
    "microaggregate": "Spherical microaggregation",
    "semantic_microaggregate": "Semantic microaggregation",
}
CITES = {
    "microaggregate": (
        "Abril, Navarro-Arribas and Torra, Computers & Security 49, 2015 (spherical microaggregation)",
        "Domingo-Ferrer and Torra, Data Mining and Knowledge Discovery 11, 2005 (MDAV)",
    ),
    "semantic_microaggregate": (
        "Abril, Navarro-Arribas and Torra, CCIA 2013 (semantic microaggregation of vector spaces)",
        "Wu and Palmer, ACL 1994 (dissimilarity of concepts)",
    ),
}


def assess_vectors(
    original: DocumentTermMatrix,
    masked: MaskedMatrix,
    *,
    attacks: Sequence[str] | None = None,
    losses: Sequence[str] | None = None,
    ceilings: Mapping[str, float] | None = None,
    floors: Mapping[str, float] | None = None,
    progress: Progress = SILENT,
) -> TextAssessment:
    """The assessment of a masked matrix: who can be found in it, and what use it has lost.

    `ceilings` are the highest risks allowed ("identity", "attribute" or one attack), `floors` the lowest levels (the k
    of k_anonymity). A limit is met, exceeded, or not checked.
    """
    pair = VectorPair.of(original, masked)
    checks = guarantees_of(PublishedMatrix.of(masked), int(masked.parameters["k"]))
    subject = _subject(pair, order="shuffled", checks=checks, doubt="", facts=masked.facts, manifest={})
    return _assessed(pair, subject, attacks, losses, ceilings, floors, progress)


def assess_vector_release(
    folder: str | Path,
    original: DocumentTermMatrix,
    *,
    private: str | Path | None = None,
    attacks: Sequence[str] | None = None,
    losses: Sequence[str] | None = None,
    ceilings: Mapping[str, float] | None = None,
    floors: Mapping[str, float] | None = None,
    progress: Progress = SILENT,
) -> TextAssessment:
    """The same of a release in a folder, from its published files; its private half tells which row is whose."""
    release, pair = load_vectors(folder, original, private=private)
    return _assessed(pair, _of_release(release, pair), attacks, losses, ceilings, floors, progress)


def _of_release(release: TextRelease, pair: VectorPair) -> TextSubject:
    k = int(pair.parameters["k"])
    return _subject(
        pair,
        order=str(release.manifest.done.get("order_of_rows", "")),
        checks=guarantees_of(pair.published, k),
        doubt="" if release.private is not None else NOTHING_VOUCHES,
        facts=release.secrets.get("facts", {}),
        manifest=release.manifest.to_dict(),
    )


def _assessed(
    pair: VectorPair,
    subject: TextSubject,
    attacks: Sequence[str] | None,
    losses: Sequence[str] | None,
    ceilings: Mapping[str, float] | None,
    floors: Mapping[str, float] | None,
    progress: Progress,
) -> TextAssessment:
    return assess_text(
        subject,
        pair,
        METHODS,
        before=exposed(pair.original),
        attacks=attacks,
        losses=losses,
        ceilings=ceilings,
        floors=floors,
        progress=progress,
    )


def exposed(original: DocumentTermMatrix) -> Before:
    """How exposed the matrix is as it is: one in as many as there are equal rows is the right one."""
    kept = original.take(~original.without_words)
    if not len(kept):
        return Before(identity=None, attribute=None, k=None)
    equal = PublishedMatrix(weights=kept.weights, vocabulary=kept.vocabulary).equal_rows()
    sizes = np.bincount(equal)
    return Before(identity=float((1.0 / sizes[equal]).mean()), attribute=None, k=int(sizes.min()))


def _subject(
    pair: VectorPair,
    *,
    order: str,
    checks: Sequence[Finding],
    doubt: str,
    facts: Mapping[str, Any],
    manifest: Mapping[str, Any],
) -> TextSubject:
    rows, terms = pair.published.weights.shape
    built = {
        name: each for name, each in pair.original.built.items() if name != "method" and each is not None
    }
    steps = (
        TextStep(
            title="Document-term matrix",
            summary="Each document became a row of weights tf * log(|D| / df) of its terms, of length one.",
            parameters=built,
        ),
        TextStep(
            title=TITLES.get(pair.method, pair.method),
            summary=SUMMARIES.get(pair.method, ""),
            parameters=pair.parameters,
            facts=facts,
            guarantees=tuple(each.says for each in checks),
            cites=CITES.get(pair.method, ()),
        ),
    )
    return TextSubject(
        name=pair.original.name,
        kind="vectors",
        size=f"{rows:,} documents as rows of {terms:,} terms"
        + (f"; {pair.left_out:,} left out" if pair.left_out else ""),
        order=order,
        steps=steps,
        checks=tuple(checks),
        doubt=doubt,
        distributions=_distributions(pair),
        not_tested=NOT_TESTED,
        assumed=ASSUMED,
        manifest=manifest,
    )


NOT_TESTED = (
    "Whether somebody's writing is told by style, or by words that were left out of the vocabulary, was not tested.",
    "Other releases of the same documents were not combined with this one. A second release of the same corpus needs "
    "an assessment of both together.",
)
ASSUMED = (
    "The intruder has the documents themselves, or some of their words, knows that they are in the corpus, and knows "
    "how the matrix was built. Most real intruders know less, and then find fewer.",
    "An attack shows what one way of attacking gets; a better one may get more, but no more than one in as many as "
    "there are equal rows. The intervals cover the play of chance only, not what is assumed here.",
)


def _distributions(pair: VectorPair) -> tuple[Distribution, ...]:
    """Terms a row, weights and distances, before and after."""
    known, shown = pair.known, pair.published.weights
    found = [
        _histogram("terms in a row", np.diff(known.indptr), np.diff(shown.indptr), whole=True),
        _histogram("weight of a term", known.data, shown.data),
    ]
    try:
        before, after = distance_histograms(pair)
    except NotComputable:
        return tuple(found)
    edges = np.linspace(0, 1, BINS + 1)
    return (*found, _drawn("cosine distance of two documents", edges, before, after))


def _histogram(name: str, before: Any, after: Any, *, whole: bool = False) -> Distribution:
    """Numbers before and after in bars of equal width; the last bar holds all that lies beyond the usual."""
    both = np.concatenate([before, after]).astype(np.float64)
    high = float(np.quantile(both, 0.99)) if len(both) else 1.0
    high = float(max(1, int(high) + 1)) if whole else high or 1.0
    edges: FloatArray = np.linspace(0, high, BARS + 1)
    counts = [np.histogram(np.minimum(each, high), bins=edges)[0] for each in (before, after)]
    return _drawn(name, edges, *counts)


def _drawn(name: str, edges: FloatArray, before: Any, after: Any) -> Distribution:
    bars = tuple(
        Bar(
            label=f"{low:.3g} to {high:.3g}",
            original=int(old) if old == 0 or old >= 3 else None,
            published=int(new) if new == 0 or new >= 3 else None,
            low=float(low),
            high=float(high),
        )
        for low, high, old, new in zip(edges[:-1], edges[1:], before, after, strict=True)
    )
    return Distribution(
        column=name,
        role="",
        kind="numbers",
        changed=True,
        original_records=int(np.sum(before)),
        published_records=int(np.sum(after)),
        original_missing=0.0,
        published_missing=0.0,
        bars=bars,
    )
