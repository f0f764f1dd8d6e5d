"""Small matrices and corpora for the tests of vectors."""

from __future__ import annotations

import numpy as np

from discreet.demo.corpus import notes
from discreet.text.document import Corpus, Document
from discreet.text.vectors.matrix import DocumentTermMatrix
from discreet.text.vectors.vectorise import vectorise


def some_matrix(
    seed: int, documents: int, terms: int = 20, held: int = 5, classes: int = 0
) -> DocumentTermMatrix:
    """A random matrix; documents of a class share most of their terms."""
    draw = np.random.default_rng(seed)
    rows = np.zeros((documents, terms))
    labels = draw.integers(max(1, classes), size=documents)
    for row, label in zip(rows, labels, strict=True):
        likely = np.where(np.arange(terms) % max(1, classes) == label, 5.0, 1.0)
        chosen = draw.choice(terms, min(held, terms), replace=False, p=likely / likely.sum())
        row[chosen] = draw.random(len(chosen)) + 0.1
    names = [f"class {label}" for label in labels] if classes else None
    return DocumentTermMatrix.of(rows, classes=names)


def invented(count: int) -> DocumentTermMatrix:
    """The matrix of invented notes."""
    found = notes(count)
    corpus = Corpus(documents=tuple(Document.of(text, name=name) for name, text in found.items()))
    return vectorise(corpus, classes=[name.split("/")[0] for name in found])
