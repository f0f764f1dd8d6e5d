"""Loss of categories, value by value: how far published categories are from the true ones."""

from __future__ import annotations

import numpy as np

from discreet import registry
from discreet.in_parts import holding
from discreet.loss.coded import coded, ranked
from discreet.loss.compared import UNWEIGHTED, loss_of, paired_rows
from discreet.parameters import CATEGORY_KEYS, Compared
from discreet.results import Loss
from discreet.table import FloatArray, IntArray, Table

MEANING = (
    "how far published categories are from the true ones, on average over cells: 0 is unchanged, 1 is as far as can "
    "be; between categories without an order it is the share of cells that changed"
)


@registry.loss(
    family="categories",
    title="Distance between categories",
    unit=registry.FROM_0_TO_1,
    splits=registry.Split.SUMS,
    in_portions=True,
    scales=registry.CATEGORIES,
    missing=f"a category of its own, at distance 1 from all others: a suppressed cell is lost; {UNWEIGHTED}",
    meaning=MEANING,
    cites=("Domingo-Ferrer and Torra, in Confidentiality, Disclosure and Data Access, North-Holland, 2001",),
)
def category_distance(
    original: Table, masked: Table, *, columns: Compared = CATEGORY_KEYS, truth: IntArray | None = None
) -> Loss:
    """The mean over cells of the distance between the true and the published category.

    Nominal categories are at distance 0 or 1. Ordinal ones are as far apart as their places in the order of the
    original, divided by the largest such distance, so that it lies between 0 and 1 too. A category that the
    original's order does not name, such as two that were joined into one, is at distance 1.

    The distances of Domingo-Ferrer and Torra (2001): 0 or 1, or steps over the most steps.

    >>> masked = dc.mask.pram(table, columns=["sex"], theta=0.2, seed=1).table
    >>> print(dc.loss.category_distance(table, masked, columns=["sex"]))
    category_distance: 0.1825
    """
    left, right = paired_rows(original, masked, truth)
    found = {
        name: float(_distances(holding(original, name), holding(masked, name), name, left, right).mean())
        for name in columns
    }
    return loss_of(
        "category_distance",
        float(np.mean(list(found.values()))),
        MEANING,
        columns=found,
        details={"records": len(left)},
    )


def _distances(original: Table, masked: Table, name: str, left: IntArray, right: IntArray) -> FloatArray:
    both = coded(original, masked, name)
    differs: FloatArray = (both.original[left] != both.masked[right]).astype(np.float64)
    ordered = ranked(original, masked, name)
    if ordered is None:
        return differs
    old, new, number = ordered[0][left], ordered[1][right], ordered[2]
    # 0 or 1 without an order, |place - place'| / (places - 1) with one, Domingo-Ferrer and Torra 2001.
    placed = (old >= 0) & (new >= 0)
    apart: FloatArray = np.abs(old - new) / max(1, number - 1)
    return np.where(placed, apart, differs)
