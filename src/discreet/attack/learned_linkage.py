"""What linkage by a learned distance starts from, and what it reports of the distance that was learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from discreet._kernels.counting.distinct import distinct_rows
from discreet.attack.points import columns_as_sets, points_of
from discreet.errors import NotComputable, WrongScale
from discreet.matches import true_matches
from discreet.parameters import Choice, Flag, Real, Whole
from discreet.table import FloatArray, IntArray, Table

if TYPE_CHECKING:
    from discreet.attack.learning.learn import Learned

CITES = (
    "Abril, Navarro-Arribas and Torra, Improving record linkage with supervised learning for disclosure risk "
    "assessment, Information Fusion 13, 2012",
    "Abril, Torra and Navarro-Arribas, Supervised learning using a symmetric bilinear form for record linkage, "
    "Information Fusion 26, 2015",
)
ABOUT_MISSING = "a missing value counts as the mean of its column"
MOST_LISTED = 1024
DistanceName = Annotated[
    str,
    Choice(
        among=("weighted", "owa", "choquet", "bilinear", "bilinear_free"),
        about="what is learned: a weight per column, per rank of the differences, per set of columns, per pair",
    ),
]
Metric = Annotated[
    bool, Flag(about="only metrics: positive weights, a submodular measure, a semi-definite matrix")
]
Additivity = Annotated[
    int | None,
    Whole(at_least=1, at_most=16, about="the largest set of columns with a value of its own (choquet)"),
]
Seconds = Annotated[float, Real(above=0.0, about="how long to look for more and for a proof")]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AlignedPairs:
    """Both tables as points: in the first `pairs` places the true pairs, after them the records without a partner.

    `rows` holds the row of the masked table that each published point is.
    """

    known: FloatArray
    published: FloatArray
    pairs: int
    rows: IntArray

    def shared_out(self, chances: FloatArray) -> FloatArray:
        """The chances of the pairs by the rows of the masked table; identical published rows share theirs evenly."""
        labels = distinct_rows(self.published[: self.pairs]).labels
        means = np.bincount(labels, chances) / np.bincount(labels)
        records = np.zeros(len(self.rows))
        records[self.rows[: self.pairs]] = means[labels]
        return records


def aligned_pairs(
    original: Table, masked: Table, keys: Sequence[str], truth: IntArray | None
) -> AlignedPairs:
    """The true pairs in the same places, records without a partner after them."""
    owner = true_matches(original, masked, truth)
    paired = np.flatnonzero(owner >= 0)
    if len(paired) == 0 or len(masked) < 2:
        raise NotComputable(
            "learned linkage needs at least two masked records, one of them with a true original."
        )
    if len(np.unique(owner[paired])) < len(paired):
        raise NotComputable(
            "learned linkage: several masked records come from one original, so that no link is the only right one."
        )
    known, published = points_of(columns_as_sets(original, masked, keys, owner))
    if known.shape[1] != len(keys):
        raise WrongScale(
            "learned linkage: what is published of a key has no order. Leave it out of the keys."
        )
    rows = np.concatenate([paired, np.flatnonzero(owner < 0)])
    people = np.concatenate([owner[paired], np.setdiff1d(np.arange(len(original)), owner[paired])])
    return AlignedPairs(
        known=np.ascontiguousarray(known[people]),
        published=np.ascontiguousarray(published[rows]),
        pairs=len(paired),
        rows=rows,
    )


def column_shares(result: Learned, keys: Sequence[str]) -> dict[str, float]:
    from discreet.attack.learning.keys import key_columns

    return dict(key_columns(result, keys).columns)


def learned_details(result: Learned, keys: Sequence[str]) -> dict[str, Any]:
    return {
        "distance": result.distance,
        "metric": result.metric,
        "additivity": result.additivity,
        "found": result.found,
        "bound": result.bound,
        "optimal": result.optimal,
        "seconds": round(result.seconds, 3),
        "learned_from": result.learned_from,
        "keys": list(keys),
        **parameter_details(result.parameters),
    }


def parameter_details(parameters: FloatArray) -> dict[str, Any]:
    """The parameters as plain data, unless there are very many."""
    return {"parameters": parameters.tolist()} if parameters.size <= MOST_LISTED else {}
