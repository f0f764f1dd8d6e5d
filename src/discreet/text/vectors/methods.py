"""The attacks on vectors and the measures of their loss, as the report and the command line know them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from discreet.text.method import TextMethod, declared
from discreet.text.vectors import attacks, classification, clustering, learned_link, losses, queries
from discreet.text.vectors.published import VectorPair

PART = attacks.WORDS_KNOWN
ATTACKS: tuple[TextMethod[VectorPair, Any], ...] = (
    TextMethod(
        name="k_anonymity",
        kind="attack",
        title="k-anonymity",
        meaning=attacks.EQUAL,
        run=attacks.k_anonymity,
    ),
    TextMethod(
        name="link_cosine",
        kind="attack",
        title="Linking by the cosine",
        meaning=attacks.COSINE,
        run=attacks.link_cosine,
        headline="identity",
    ),
    TextMethod(
        name="link_cosine_words",
        kind="attack",
        title=f"Linking by the cosine, {PART} words known",
        meaning=attacks.COSINE_PART,
        run=partial(attacks.link_cosine, words=PART, name="link_cosine_words"),
        headline="identity",
        needed=False,
    ),
    TextMethod(
        name="link_rare",
        kind="attack",
        title="Linking by rare words",
        meaning=attacks.RARE,
        run=attacks.link_rare,
        headline="identity",
    ),
    TextMethod(
        name="link_rare_words",
        kind="attack",
        title=f"Linking by rare words, {PART} words known",
        meaning=attacks.RARE_PART,
        run=partial(attacks.link_rare, words=PART, name="link_rare_words"),
        headline="identity",
        needed=False,
    ),
    TextMethod(
        name="link_learned",
        kind="attack",
        title="Linking by a learned weighting",
        meaning=learned_link.LEARNED,
        run=learned_link.link_learned,
        headline="identity",
        needed=False,
    ),
    TextMethod(
        name="link_learned_words",
        kind="attack",
        title=f"Linking by a learned weighting, {PART} words known",
        meaning=learned_link.LEARNED,
        run=partial(learned_link.link_learned, words=PART, name="link_learned_words"),
        headline="identity",
        needed=False,
    ),
    TextMethod(
        name="link_semantic",
        kind="attack",
        title="Linking by meaning",
        meaning=attacks.SEMANTIC,
        run=attacks.link_semantic,
        headline="identity",
    ),
    TextMethod(
        name="vocabulary",
        kind="attack",
        title="Terms that name a document",
        meaning=attacks.VOCABULARY,
        run=attacks.vocabulary,
        headline="identity",
    ),
    TextMethod(
        name="class_learned",
        kind="attack",
        title="Learning the class",
        meaning=attacks.CLASS,
        run=attacks.class_learned,
        headline="attribute",
    ),
)
LOSSES: tuple[TextMethod[VectorPair, Any], ...] = (
    TextMethod(name="lost", kind="loss", title="Lost", meaning=losses.LOST, run=losses.lost),
    TextMethod(name="il", kind="loss", title="Information loss (IL)", meaning=losses.IL, run=losses.il),
    TextMethod(name="queries", kind="loss", title="Queries", meaning=queries.MEANING, run=queries.queries),
    TextMethod(
        name="classification",
        kind="loss",
        title="Classification",
        meaning=classification.MEANING,
        run=classification.classification,
    ),
    TextMethod(
        name="clustering",
        kind="loss",
        title="Clustering",
        meaning=clustering.MEANING,
        run=clustering.clustering,
    ),
    TextMethod(name="sparsity", kind="loss", title="Sparsity", meaning=losses.SPARSITY, run=losses.sparsity),
    TextMethod(name="weights", kind="loss", title="Mean weight", meaning=losses.WEIGHTS, run=losses.weights),
    TextMethod(
        name="distances",
        kind="loss",
        title="Distances between documents",
        meaning=losses.DISTANCES,
        run=losses.distances,
    ),
)
METHODS: Mapping[str, TextMethod[VectorPair, Any]] = declared((*ATTACKS, *LOSSES))
