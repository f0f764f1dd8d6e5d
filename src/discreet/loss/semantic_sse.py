"""Semantic loss: how far published categories are in meaning from the true ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from discreet import registry
from discreet.errors import NotComputable
from discreet.loss.compared import UNWEIGHTED, loss_of, paired_rows
from discreet.ontology.columns import (
    DistanceParameter,
    Interpretation,
    MappingParameter,
    OntologyParameter,
    SensesParameter,
    understood,
)
from discreet.parameters import SEMANTIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import FloatArray, IntArray, Table

MEANING = (
    "the squared distance in meaning between true and published records as a percentage of that to the middle of the "
    "file: 0 is unchanged, 100 is as bad as publishing one combination of concepts for everybody"
)


class _Apart(NamedTuple):
    """One column: for each record the distance to the published value and to the centroid; NaN where nothing was."""

    published: FloatArray
    centroid: FloatArray
    values_apart: int


@registry.loss(
    family="semantic",
    title="Squared error in meaning",
    unit=registry.NUMBER,
    splits=registry.Split.SUMS,
    scales=registry.CATEGORIES,
    missing="a suppressed cell is as far from the true value as can be; cells missing in the original are left out and "
    f"counted; {UNWEIGHTED}",
    meaning=MEANING,
    cites=("Martínez, Sánchez and Valls, Computers & Security 31(5), 2012",),
)
def semantic_sse(
    original: Table,
    masked: Table,
    *,
    columns: Compared = SEMANTIC_KEYS,
    distance: DistanceParameter = "log_sc",
    ontology: OntologyParameter = None,
    mapping: MappingParameter = None,
    senses: SensesParameter = "first",
    truth: IntArray | None = None,
) -> Loss:
    """The semantic sum of squared errors over the total sum of squares, in percent.

    SSE sums over the records the square of the mean, over the columns, of the distance between the true and the
    published value; SST is the same with the semantic centroid of the whole file for the published values. Values
    that stand for no concept are at distance 0 from themselves and as far as can be from all others; the details count
    them. The ontology is that of each column of the original unless another is given.

    The semantic SSE of Martínez, Sánchez and Valls (2012): the sum of the squared distances above.

    >>> masked = dc.mask.semantic_microaggregate(table, k=5).table
    >>> print(dc.loss.semantic_sse(table, masked))
    semantic_sse: 17.75 (79 parts left out)
    """
    left, right = paired_rows(original, masked, truth)
    how = Interpretation(
        ontology=ontology, distance=distance, mapping=mapping, senses=senses, unmapped="apart"
    )
    found = {name: _apart(original, masked, name, how, left, right) for name in columns}
    lost, spread = (
        _squares([getattr(each, side) for each in found.values()]) for side in ("published", "centroid")
    )
    if spread <= 0:
        raise NotComputable(
            "semantic_sse: the columns are constant or missing in the original, so there is no spread to compare with."
        )
    by_column = {
        name: (_squares([each.published]), _squares([each.centroid])) for name, each in found.items()
    }
    return loss_of(
        "semantic_sse",
        100 * lost / spread,
        MEANING,
        columns={name: 100 * own / total for name, (own, total) in by_column.items() if total > 0},
        left_out=sum(int(np.isnan(each.centroid).sum()) for each in found.values()),
        details={
            "sse": lost,
            "sst": spread,
            "records": len(left),
            "values_apart": sum(each.values_apart for each in found.values()),
        },
    )


def _squares(apart: Sequence[FloatArray]) -> float:
    """The sum over the records of the squared mean of the distances that there are."""
    # Sum over records of (1/m sum over columns of d)^2, Martínez, Sánchez and Valls 2012.
    stacked = np.column_stack(apart)
    present = ~np.isnan(stacked)
    means = np.where(present, stacked, 0.0).sum(axis=1) / np.maximum(1, present.sum(axis=1))
    return float((means**2).sum())


def _apart(
    original: Table, masked: Table, name: str, how: Interpretation, left: IntArray, right: IntArray
) -> _Apart:
    space, (old, new) = understood([original, masked], name, how)
    true, published = old[left], new[right]
    known = true >= 0
    if not known.any():
        nothing = np.full(len(true), np.nan)
        return _Apart(nothing, nothing, 0)
    middle = space.distances[space.centroid(np.bincount(true[known], minlength=len(space)))]
    # One more column for a published value that is missing.
    between = np.column_stack([space.between, np.full(len(space), space.distance.largest)])
    place = np.maximum(true, 0)
    return _Apart(
        np.where(known, between[place, published], np.nan),
        np.where(known, middle[place], np.nan),
        int((space.concepts[space.own] < 0).sum()),
    )
