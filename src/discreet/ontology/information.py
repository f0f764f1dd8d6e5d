"""How much a concept says: information content, from the graph alone or from counts of use."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.errors import BadParameter
from discreet.ontology.graph import Ontology

Information = NDArray[np.float64]


def intrinsic_information(ontology: Ontology) -> Information:
    """The information of each concept from the leaves below it and the concepts above it.

    IC(c) = -log((leaves(c) / |T(c)| + 1) / (leaves(root) + 1)), zero at the root, rising with every link down
    (Sánchez, Batet and Isern 2011). A leaf has no leaves below it.
    """
    leaf = ontology.children.counts == 0
    leaves = _gathered(ontology, leaf.astype(np.float64)) - leaf
    return np.asarray(-np.log((leaves / ontology.ancestors.counts + 1) / (leaves[ontology.root] + 1)))


def counted_information(ontology: Ontology, counts: Mapping[str, float]) -> Information:
    """The information of each concept from how often it is used: IC(c) = -log p(c) (Resnik 1995).

    `counts` goes by identifier and counts a concept itself; what lies below is added here, each concept
    once. One is added to every concept, so that none has probability zero and a child always says more than
    its parent. Raises BadParameter for a negative count, UnknownConcept for an unknown identifier.
    """
    own = np.ones(len(ontology))
    for identifier, count in counts.items():
        if not (np.isfinite(count) and count >= 0):
            raise BadParameter("counts of concepts must be finite and not negative.")
        own[ontology.concept(identifier)] += count
    used = _gathered(ontology, own)
    return np.asarray(-np.log(used / used[ontology.root]))


def checked_information(ontology: Ontology, information: ArrayLike) -> Information:
    """The information when it can be that of this ontology: not negative, and no child says less than its parent."""
    given = np.asarray(information, dtype=np.float64)
    if given.shape != (len(ontology),):
        raise BadParameter(f"information must have one number for each of the {len(ontology)} concepts.")
    parents = ontology.parents
    if (
        not np.isfinite(given).all()
        or (given < 0).any()
        or (given[parents.sources] < given[parents.targets]).any()
    ):
        raise BadParameter(
            "information must be finite and not negative, and never less for a child than for its parent."
        )
    return given


def _gathered(ontology: Ontology, amounts: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each concept the sum of the amounts of all that lies below it, itself included."""
    above = ontology.ancestors
    sums = np.bincount(above.targets, weights=amounts[above.sources], minlength=len(ontology))
    return sums.astype(np.float64, copy=False)
