"""Attacks on published vectors: equal rows, linking by cosine, by rare words and by meaning, and the vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from discreet.errors import DoesNotApply, NotComputable
from discreet.results import Risk
from discreet.table import FloatArray, IntArray
from discreet.text.vectors.linking import chance, chances_of, linked, products, some_words, tried
from discreet.text.vectors.matrix import unit_rows
from discreet.text.vectors.meanings import Meanings
from discreet.text.vectors.published import VectorPair
from discreet.text.vectors.semantic_documents import SemanticDocument, semantic_distance
from discreet.text.vectors.semantic_microaggregate import semantic_documents

if TYPE_CHECKING:
    from scipy.sparse import csr_array

WORDS_KNOWN = 10
EQUAL = "the average chance of a document, for an intruder who finds the rows that are equal to its own"
COSINE = "the share of documents whose published row is told by the largest cosine with the document"
COSINE_PART = (
    f"the share of documents that {WORDS_KNOWN} of their words, drawn at random, tell by the largest cosine"
)
RARE = "the share of documents whose published row is told by the rare words that both have"
RARE_PART = f"the share of documents that the rarest of {WORDS_KNOWN} of their words, drawn at random, tell"
SEMANTIC = "the share of documents whose published row is told by the least distance in meaning"
VOCABULARY = "the average chance that a published term, which fewer than k documents have, names the document"
CLASS = "the share of documents whose class is learned from the published row of the largest cosine"


def k_anonymity(pair: VectorPair) -> Risk:
    """How many published rows are equal to each one: the smallest number is the k that was reached."""
    chances = 1.0 / pair.sizes[pair.groups]
    risk = float(chances.mean()) if len(chances) else 0.0
    return Risk(
        name="k_anonymity",
        risk=risk,
        meaning=EQUAL,
        records=chances,
        interval=(risk, risk),
        attempts=len(chances),
        level=float(pair.sizes.min(initial=len(chances))),
        reidentifies=True,
        details={"unique": int((chances == 1).sum()), "different_rows": len(pair.sizes)},
    )


def link_cosine(pair: VectorPair, *, words: int | None = None, name: str = "link_cosine") -> Risk:
    """How many documents are linked to their published row by the largest cosine, all words known or some."""
    rows = tried(pair)
    known = _known(pair, rows, words)
    found = chances_of(pair, known, pair.centres, rows)
    return linked(pair, name, COSINE if words is None else COSINE_PART, rows, found, _told(words))


def link_rare(pair: VectorPair, *, words: int | None = None, name: str = "link_rare") -> Risk:
    """How many documents are linked by the words they share with a published row, rare ones counting the most.

    A word counts by the square of log(rows / rows that have it), as the published rows tell it, times its weight there.
    """
    rows = tried(pair)
    rarity = _rarity(pair)
    known = _present(_known(pair, rows, words))
    known.data = rarity[known.indices] ** 2
    found = chances_of(pair, unit_rows(known), _present(pair.centres), rows)
    return linked(pair, name, RARE if words is None else RARE_PART, rows, found, _told(words))


def link_semantic(pair: VectorPair) -> Risk:
    """How many documents are linked to the published concepts that are nearest to their words in meaning."""
    if not pair.is_semantic:
        raise DoesNotApply("words are published as they are, and no concepts in their place.")
    from discreet.ontology.readers import wordnet

    meanings = Meanings(wordnet())
    rows = tried(pair)
    documents = semantic_documents(meanings, pair.original.take(pair.origin[rows]))
    shown = published_documents(meanings, pair, pair.firsts)
    near = np.array([[-semantic_distance(meanings, each, centre) for centre in shown] for each in documents])
    return linked(pair, "link_semantic", SEMANTIC, rows, chance(near, pair.groups[rows], pair.sizes), {})


def published_documents(meanings: Meanings, pair: VectorPair, rows: IntArray) -> list[SemanticDocument]:
    """Published rows of concepts as weighted meanings: the concept of an identifier, or the likeliest one of a word."""
    ontology = meanings.ontology
    items = []
    for term in pair.published.vocabulary:
        found = ontology.find(term)
        if not len(found):
            raise NotComputable("a published concept is none of WordNet as it is installed here.")
        labelled = [int(each) for each in found if ontology.labels[int(each)] == term]
        items.append(meanings.concept(labelled[0] if labelled else int(found[0])))
    weights = pair.published.weights[rows]
    numbers = np.array(items, dtype=np.int64)
    return [
        SemanticDocument(numbers[weights.indices[start:end]], weights.data[start:end])
        for start, end in zip(weights.indptr[:-1], weights.indptr[1:], strict=True)
    ]


def vocabulary(pair: VectorPair) -> Risk:
    """What the list of terms tells by itself: a term that few documents have names each of them with so much chance.

    Terms in at least k documents, k being the number of equal rows that was reached, name nobody.
    """
    k = int(pair.sizes.min(initial=len(pair.origin)))
    held = _holders(pair)
    counts = np.bincount(held.indices, minlength=held.shape[1])
    names = np.where((counts > 0) & (counts < k), 1.0 / np.maximum(counts, 1), 0.0)
    chances = np.zeros(len(pair.origin))
    np.maximum.at(chances, np.repeat(np.arange(held.shape[0]), np.diff(held.indptr)), names[held.indices])
    risk = float(chances.mean()) if len(chances) else 0.0
    return Risk(
        name="vocabulary",
        risk=risk,
        meaning=VOCABULARY,
        records=chances,
        interval=(risk, risk),
        baseline=1.0 / max(1, len(pair.origin)),
        attempts=len(chances),
        reidentifies=True,
        details={
            "terms_of_fewer_than_k_documents": int((names > 0).sum()),
            "terms_of_one_document": int((names == 1).sum()),
            "k": k,
        },
    )


def class_learned(pair: VectorPair) -> Risk:
    """How many classes are learned from the nearest published row by the cosine, where classes are published."""
    classes = pair.published.classes
    if classes is None:
        raise DoesNotApply("classes are not published.")
    rows = tried(pair)
    names, numbers = np.unique(np.array(classes, dtype=object), return_inverse=True)
    of_group = numbers[pair.firsts]
    right = np.empty(len(rows))
    for some, near in products(_known(pair, rows, None), pair.centres):
        right[some] = of_group[near.argmax(axis=1)] == numbers[rows[some]]
    shares = np.bincount(numbers, minlength=len(names)) / max(1, len(numbers))
    found = linked(pair, "class_learned", CLASS, rows, right, {"classes": len(names)})
    from dataclasses import replace

    return replace(found, baseline=float(shares.max(initial=0.0)), reidentifies=False)


def _known(pair: VectorPair, rows: IntArray, words: int | None) -> csr_array:
    """What the intruder knows of these documents: their weights, or those of some of their words."""
    known = pair.known[rows]
    return known if words is None else unit_rows(some_words(known, words))


def _told(words: int | None) -> dict[str, int]:
    return {} if words is None else {"words_known": words}


def _present(rows: csr_array) -> csr_array:
    """Which terms each row has."""
    present = rows.copy()
    present.data = np.ones(len(rows.data))
    return present


def _rarity(pair: VectorPair) -> FloatArray:
    """How rare each term is among the published rows."""
    held = np.bincount(pair.shown.indices, minlength=pair.shown.shape[1])
    return np.log((len(pair.origin) + 1) / (held + 1))


def _holders(pair: VectorPair) -> csr_array:
    """Which documents have each published term; of a concept, a word that it stands above."""
    from scipy.sparse import csr_array

    if not pair.is_semantic:
        place = {word: number for number, word in enumerate(pair.original.vocabulary)}
        columns = [place[word] for word in pair.published.vocabulary if word in place]
        return _present(pair.known[:, columns])
    from discreet.ontology.readers import wordnet

    ontology = wordnet()
    words = [np.asarray(ontology.find(word), dtype=np.int64) for word in pair.original.vocabulary]
    above = ontology.ancestors
    rows, columns = [], []
    wanted = {
        int(concept): place
        for place, term in enumerate(pair.published.vocabulary)
        for concept in ontology.find(term)
    }
    for number, senses in enumerate(words):
        reached = {wanted[int(each)] for each in above.targets[above.places(senses)] if int(each) in wanted}
        rows += [number] * len(reached)
        columns += sorted(reached)
    shape = (len(words), len(pair.published.vocabulary))
    return _present(csr_array(pair.known @ csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)))
