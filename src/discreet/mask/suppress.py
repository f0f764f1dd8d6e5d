"""Local suppression: single cells set to missing until nobody stands out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Annotated

import numpy as np
import polars as pl

from discreet import registry
from discreet.errors import Unreachable
from discreet.parameters import KEYS, Masking, Whole
from discreet.progress import SILENT, Progress
from discreet.promises import KAnonymous
from discreet.results import Masked
from discreet.table import BoolArray, IntArray, Table


@registry.mask(
    family="suppression",
    scales=registry.ANY_SCALE,
    missing="counts as a value of its own: a record with missing cells needs k-1 others with the same cells missing",
    guarantees=("every combination of the columns is shared by at least k records",),
    cites=(
        "Sweeney, International Journal on Uncertainty, Fuzziness and Knowledge-based Systems 10(5), 2002",
    ),
)
def suppress(
    table: Table,
    *,
    columns: Masking = KEYS,
    k: Annotated[int, Whole(at_least=2, usual=(2, 10), about="fewest records that share a combination")] = 3,
    progress: Progress = SILENT,
) -> Masked:
    """The table with few cells set to missing so that each combination of the columns occurs at least k times.

    Records that are rare lose one cell where that is enough, else two, and so on; among the choices that cost equally
    many cells, the one that helps most records goes first. Where fewer than k rare records are left in the end, others
    lose the same cells to keep them company. Finding the very fewest cells is NP-hard; this comes near.
    """
    if len(table) < k:
        raise Unreachable(
            f"suppress: k={k} needs at least {k} records and the table has {len(table)}. Lower k."
        )
    codes = category_codes(table, columns)
    gone = np.zeros(codes.shape, dtype=bool)
    for size in range(1, len(columns) + 1):
        progress(size - 1, len(columns), "suppress")
        _suppress_by_size(codes, gone, k, size)
    _borrow(codes, gone, k)
    progress(len(columns), len(columns), "suppress")
    fresh = {
        name: table.frame[name].set(pl.Series(gone[:, place]), None)
        for place, name in enumerate(columns)
        if gone[:, place].any()
    }
    facts = {
        "suppressed_cells": int(gone.sum()),
        "by_column": {name: int(gone[:, place].sum()) for place, name in enumerate(columns)},
        "records_touched": int(gone.any(axis=1).sum()),
    }
    return Masked(
        table=table.with_values(fresh), facts=facts, promises=(KAnonymous(columns=tuple(columns), k=k),)
    )


def category_codes(table: Table, columns: Sequence[str]) -> IntArray:
    """Whole numbers that are equal where the values are; missing is zero."""
    ranked = table.frame.select(pl.col(name).rank("dense").fill_null(0).cast(pl.Int64) for name in columns)
    return ranked.to_numpy()


def _suppress_by_size(codes: IntArray, gone: BoolArray, k: int, size: int) -> None:
    """Takes `size` cells from each rare record that this puts among k or more; changes `gone`."""
    choices = list(combinations(range(codes.shape[1]), size))
    while True:
        rare = np.flatnonzero(_class_sizes(np.where(gone, 0, codes)) < k)
        if len(rare) == 0 or not choices:
            return
        helped = [_helped(codes, gone, rare, choice, k) for choice in choices]
        best = max(range(len(choices)), key=lambda place: len(helped[place]))
        if len(helped[best]) == 0:
            return
        gone[np.ix_(helped[best], np.array(choices[best]))] = True


def _helped(codes: IntArray, gone: BoolArray, rare: IntArray, choice: tuple[int, ...], k: int) -> IntArray:
    """The rare records that are among k or more once these cells are missing too."""
    trial = np.where(gone, 0, codes)
    trial[np.ix_(rare, np.array(choice))] = 0
    return rare[_class_sizes(trial)[rare] >= k]


def _borrow(codes: IntArray, gone: BoolArray, k: int) -> None:
    """Lets the last rare records, fewer than k, join others that lose the same cells for it; changes `gone`."""
    width = codes.shape[1]
    choices = [
        np.array(choice) for size in range(1, width + 1) for choice in combinations(range(width), size)
    ]
    while True:
        current = np.where(gone, 0, codes)
        sizes = _class_sizes(current)
        rare = np.flatnonzero(sizes < k)
        if len(rare) == 0:
            return
        members = np.flatnonzero((current == current[rare[0]]).all(axis=1))
        offers = [(choice, _donors(current, sizes, members, choice, k)) for choice in choices]
        possible = [(choice, donors) for choice, donors in offers if donors is not None]
        best, donors = min(possible, key=lambda offer: len(offer[0]) * (len(members) + len(offer[1])))
        gone[np.ix_(np.concatenate([members, donors]), best)] = True


def _donors(
    current: IntArray, sizes: IntArray, members: IntArray, choice: IntArray, k: int
) -> IntArray | None:
    """Records that can lose the chosen cells so that the rare members are among k; None where there are too few.

    They agree with the members on the other columns. Classes give what they have above k; where that is too little,
    classes are given whole, so that nobody new becomes rare.
    """
    others = np.setdiff1d(np.arange(current.shape[1]), choice)
    alike = (current[:, others] == current[members[0], others]).all(axis=1)
    alike[members] = False
    joined = alike & (current[:, choice] == 0).all(axis=1)
    need = k - len(members) - int(joined.sum())
    common = np.flatnonzero(alike & ~joined & (sizes >= k))
    if need <= 0 or len(common) < need:
        return common[:0] if need <= 0 else None
    _, which, counts = np.unique(current[common], axis=0, return_inverse=True, return_counts=True)
    which = which.reshape(-1)
    by_class = np.argsort(which, kind="stable")
    starts = np.repeat(np.cumsum(counts) - counts, counts)
    above_k = by_class[np.arange(len(common)) - starts < counts[which[by_class]] - k]
    if len(above_k) >= need:
        return common[np.sort(above_k)[:need]]
    fitting = np.flatnonzero(counts >= need)
    given = [fitting[np.argmin(counts[fitting])]] if len(fitting) else np.argsort(-counts, kind="stable")
    taken = given[: int(np.searchsorted(np.cumsum(counts[given]), need)) + 1]
    return common[np.isin(which, taken)]


def _class_sizes(codes: IntArray) -> IntArray:
    """How many records share each record's combination."""
    _, which, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    sizes: IntArray = counts[which.reshape(-1)]
    return sizes
