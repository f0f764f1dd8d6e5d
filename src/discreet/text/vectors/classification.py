"""Loss for classification: do classifiers say the same, whether they learn or are asked about masked documents?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from discreet import seeds
from discreet.errors import DoesNotApply, NotComputable, Unreachable
from discreet.results import Loss
from discreet.table import FloatArray, IntArray
from discreet.text.vectors.groups import MaskedMatrix
from discreet.text.vectors.linking import products
from discreet.text.vectors.matrix import DocumentTermMatrix, unit_rows
from discreet.text.vectors.published import VectorPair, in_columns
from discreet.text.vectors.spherical_microaggregate import microaggregate

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SCENARIOS = ("original/masked", "masked/masked", "masked/original")
"""What is learned from, and what is asked about."""
NEIGHBOURS = (5, 10)
TEST_SHARE = 0.3
SEED = 20133
MEANING = (
    "1 less the agreement (Jaccard) of classifiers on masked documents with the same ones on the original, on average "
    "over nearest neighbours and naive Bayes, three scenarios"
)
Predict = Callable[["csr_array", IntArray, "csr_array", int], IntArray]


class Part(NamedTuple):
    """Documents with their classes, as they are and masked."""

    original: csr_array
    masked: csr_array
    classes: IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Classified:
    """Accuracy of each classifier on the original, and for each scenario its accuracy and its agreement with that."""

    original: Mapping[str, float]
    accuracy: Mapping[str, float]
    agreement: Mapping[str, float]


def classification(pair: VectorPair) -> Loss:
    """How far classifiers on masked documents differ from the same ones on the original.

    The documents to learn from and those to ask about are masked separately, as whoever has only one of them would,
    with the method and parameters of the release. They are those of the corpus where it has such parts, else 30 percent
    are drawn to be asked about.
    """
    if pair.is_semantic:
        raise DoesNotApply(
            "classification: concepts are published, which a classifier of words does not know."
        )
    k = pair.parameters.get("k")
    if not isinstance(k, int):
        raise NotComputable("classification: the manifest does not tell k, with which both parts are masked.")
    centre = pair.parameters.get("centre", "spherical")
    rare = pair.parameters.get("rare", "drop")
    try:
        found = classified(pair.original, lambda part: microaggregate(part, k=k, centre=centre, rare=rare))
    except Unreachable as reason:
        raise NotComputable(f"classification: {reason}") from None
    columns = {name: 1 - each for name, each in found.agreement.items()}
    return Loss(
        name="classification",
        loss=float(np.mean(list(columns.values()))),
        meaning=MEANING,
        columns=columns,
        details={"accuracy_on_original": dict(found.original), "accuracy": dict(found.accuracy)},
    )


def classified(matrix: DocumentTermMatrix, mask: Callable[[DocumentTermMatrix], MaskedMatrix]) -> Classified:
    """What classifiers say in the three scenarios, each part masked by itself.

    Raises NotComputable where there are no classes, or only one.
    """
    if matrix.classes is None or len(set(matrix.classes)) < 2:
        many = "no classes" if matrix.classes is None else "one class only"
        raise NotComputable(
            f"classification: the documents have {many}, so that there is nothing to tell apart."
        )
    names, numbers = np.unique(np.array(matrix.classes, dtype=object), return_inverse=True)
    train, test = (_part(matrix, rows, numbers, mask) for rows in halves(matrix))
    original: dict[str, float] = {}
    accuracy: dict[str, float] = {}
    agreement: dict[str, float] = {}
    for label, predict in CLASSIFIERS.items():
        reference = predict(train.original, train.classes, test.original, len(names))
        original[label] = float((reference == test.classes).mean())
        sides = {"original": (train.original, test.original), "masked": (train.masked, test.masked)}
        for scenario in SCENARIOS:
            learned, asked = scenario.split("/")
            said = predict(sides[learned][0], train.classes, sides[asked][1], len(names))
            accuracy[f"{label}, {scenario}"] = float((said == test.classes).mean())
            agreement[f"{label}, {scenario}"] = jaccard(said, reference)
    return Classified(original=original, accuracy=accuracy, agreement=agreement)


def jaccard(first: IntArray, second: IntArray) -> float:
    """The Jaccard index of two classifications, each taken as the set of pairs of a document and its class."""
    same = int((first == second).sum())
    return same / (2 * len(first) - same) if len(first) else 1.0


def halves(matrix: DocumentTermMatrix) -> tuple[IntArray, IntArray]:
    """The documents to learn from and those to ask about."""
    if matrix.split is not None and {"train", "test"} <= set(matrix.split):
        parts = np.array(matrix.split, dtype=object)
        return np.flatnonzero(parts == "train"), np.flatnonzero(parts == "test")
    order = seeds.generator(SEED).permutation(len(matrix))
    many = int(TEST_SHARE * len(matrix))
    return np.sort(order[many:]), np.sort(order[:many])


def _part(
    matrix: DocumentTermMatrix,
    rows: IntArray,
    numbers: IntArray,
    mask: Callable[[DocumentTermMatrix], MaskedMatrix],
) -> Part:
    own = matrix.take(rows)
    masked = mask(own)
    shown = in_columns(masked.weights, masked.vocabulary, matrix.vocabulary)
    return Part(own.weights[masked.rows], unit_rows(shown), numbers[rows][masked.rows])


def _neighbours(many: int) -> Predict:
    """The classifier that takes the class of most of the nearest documents, the nearer ones where that is a tie."""

    def predict(train: csr_array, classes: IntArray, test: csr_array, count: int) -> IntArray:
        found = np.empty(test.shape[0], dtype=np.int64)
        own = np.eye(count)[classes]
        for some, near in products(test, train):
            chosen = nearest(near, many)
            # Cosines add up to at most `many`, so that they decide only between classes of as many votes.
            found[some] = (chosen @ own + ((near * chosen) @ own) / (2 * many)).argmax(axis=1)
        return found

    return predict


def nearest(near: FloatArray, many: int) -> FloatArray:
    """Which columns hold the largest numbers of each row, 1 for each and 0 for others; the first of equal ones."""
    if near.shape[1] <= many:
        return np.ones(near.shape)
    # What differs by rounding only is equal, and an order among equals must not come from it.
    rounded = np.round(near, 12)
    cut = np.partition(rounded, -many, axis=1)[:, -many][:, None]
    above, tied = rounded > cut, rounded == cut
    free = many - above.sum(axis=1, keepdims=True)
    return np.asarray(above | (tied & (tied.cumsum(axis=1) <= free)), dtype=np.float64)


def _naive_bayes(train: csr_array, classes: IntArray, test: csr_array, count: int) -> IntArray:
    """Multinomial naive Bayes on the weights, as scikit-learn has it."""
    from sklearn.naive_bayes import MultinomialNB

    model: Any = MultinomialNB()
    model.fit(train, classes)
    return np.asarray(model.predict(test), dtype=np.int64)


CLASSIFIERS: Mapping[str, Predict] = {
    **{f"{many} nearest neighbours": _neighbours(many) for many in NEIGHBOURS},
    "naive Bayes": _naive_bayes,
}


def relative_losses(found: Classified) -> dict[str, float]:
    """How much of the accuracy on the original each classifier loses in each scenario, as a share."""
    return {
        label: 1 - each / (found.original[label.partition(",")[0]] or 1.0)
        for label, each in found.accuracy.items()
    }
