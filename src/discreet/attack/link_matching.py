"""Linkage by equal words: a known person is linked to the published records with the most labels in common."""

from __future__ import annotations

from discreet import registry
from discreet.attack.semantic_linkage import ABOUT_MISSING, CITES, SemanticLinks, linked_by_meaning
from discreet.ontology.columns import EXACT, Interpretation
from discreet.parameters import CATEGORY_KEYS, Known
from discreet.progress import SILENT, Progress
from discreet.table import IntArray, Table

MEANING = (
    "the share of known people that an intruder links to the right published record by taking the one with the most "
    "categories in common, without knowing what they mean"
)


@registry.attack(
    family="linkage",
    title="Linking by equal words",
    unit=registry.SHARE_OF_PEOPLE,
    splits=registry.Split.QUERIES,
    counts_for=registry.CountsFor("identity"),
    scales=registry.CATEGORIES,
    missing=ABOUT_MISSING,
    meaning=MEANING,
    cites=CITES,
    cost="expensive",
)
def link_matching(
    original: Table,
    masked: Table,
    *,
    keys: Known = CATEGORY_KEYS,
    truth: IntArray | None = None,
    progress: Progress = SILENT,
) -> SemanticLinks:
    """How many known people are linked to their own published record by the labels they have in common.

    Semantic linkage with a distance of 0 for the same label and 1 for another (MRL): what an intruder without knowledge
    of the words achieves, to compare with.

    The chance is 1/|LR| inside the set LR of nearest records, as in `link_semantic` (Martínez, Sánchez and Valls
    2012).

    >>> print(dc.attack.link_matching(table, release.table, keys=["sex", "education"]))
    link_matching: 4.0% of 400 attempts (95% interval 2.5%-6.4%; guessing 0.2%)
    """
    how = Interpretation(distance=EXACT, measured=False)
    return linked_by_meaning("link_matching", MEANING, original, masked, keys, how, truth, progress)
