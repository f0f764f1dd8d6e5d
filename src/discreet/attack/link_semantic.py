"""Semantic record linkage: a known person is linked to the published records that are nearest in meaning."""

from __future__ import annotations

from discreet import registry
from discreet.attack.semantic_linkage import ABOUT_MISSING, CITES, SemanticLinks, linked_by_meaning
from discreet.ontology.columns import (
    EXACT,
    DistanceParameter,
    Interpretation,
    MappingParameter,
    OntologyParameter,
    SensesParameter,
)
from discreet.parameters import SEMANTIC_KEYS, Known
from discreet.progress import SILENT, Progress
from discreet.table import IntArray, Table

MEANING = (
    "the share of known people that an intruder links to the right published record by taking the one nearest in "
    "meaning: somebody who knows what words mean sees through a word that was replaced by a like one"
)


@registry.attack(
    family="linkage",
    title="Linking to the record nearest in meaning",
    unit=registry.SHARE_OF_PEOPLE,
    splits=registry.Split.QUERIES,
    counts_for=registry.CountsFor("identity"),
    scales=registry.CATEGORIES,
    missing=ABOUT_MISSING,
    meaning=MEANING,
    cites=CITES,
)
def link_semantic(
    original: Table,
    masked: Table,
    *,
    keys: Known = SEMANTIC_KEYS,
    distance: DistanceParameter = "log_sc",
    ontology: OntologyParameter = None,
    mapping: MappingParameter = None,
    senses: SensesParameter = "first",
    truth: IntArray | None = None,
    progress: Progress = SILENT,
) -> SemanticLinks:
    """How many known people are linked to their own published record by the least semantic distance.

    LR is the set of the published records at the least mean distance over the keys; who is in it has a chance of
    1/|LR|, who is not has none, and the risk is the mean over the people (SRL). The intruder's ontology need not be
    that of the masking: it is that of each column of the known file unless another is given. Values that stand for no
    concept match only themselves. Works on distinct tuples.

    The risk is the mean of 1/|LR| or 0 (SRL; Martínez, Sánchez and Valls 2012).

    >>> kinds = dc.ontology.of_edges([("widowed", "alone"), ("single", "alone"), ("married", "together")])
    >>> print(dc.attack.link_semantic(table, release.table, keys=["marital_status"], ontology=kinds))
    link_semantic: 1.2% of 400 attempts (95% interval 0.5%-2.9%; guessing 0.2%)
    """
    how = Interpretation(
        ontology=ontology,
        distance=distance,
        mapping=mapping,
        senses=senses,
        unmapped="apart",
        measured=distance != EXACT,
    )
    return linked_by_meaning("link_semantic", MEANING, original, masked, keys, how, truth, progress)
