"""Swapping: values change places with values of similar rank, so every column keeps what it holds."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from discreet import registry, seeds
from discreet.errors import Unreachable
from discreet.mask.coordinates import coordinates, with_coordinates
from discreet.parameters import ORDERED_KEYS, Masking, Real
from discreet.progress import SILENT, Progress
from discreet.promises import SameValues
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import FloatArray, IntArray, Table


@registry.mask(
    family="swapping",
    scales=registry.ORDERED,
    missing="stays missing, in its place; only present values are ranked and swapped",
    guarantees=(
        "each column keeps its values, each as often as before",
        "no value moves by more than p percent of the ranks",
    ),
    cites=("Moore, Controlled data-swapping techniques, US Bureau of the Census, 1996",),
)
def rank_swap(
    table: Table,
    *,
    columns: Masking = ORDERED_KEYS,
    p: Annotated[
        float,
        Real(above=0, at_most=100, usual=(1, 20), about="how far a value may move, in percent of ranks"),
    ] = 5,
    seed: Seed = None,
    progress: Progress = SILENT,
) -> Masked:
    """The table with each column's values swapped with values at most p percent of the ranks away.

    Every column is swapped by itself, so what is known of one column (its distribution, its totals) is kept exactly
    and what links the columns of one record is loosened.
    """
    points = coordinates(table, columns)
    swapped = {}
    for place, name in enumerate(columns):
        progress(place, len(columns), "rank_swap")
        moved = _swap_column(points[:, place], p, seeds.generator(seed, place), name)
        swapped[name] = int((moved != np.arange(len(moved))).sum())
        present = np.flatnonzero(~np.isnan(points[:, place]))
        points[present, place] = points[present[moved], place]
    progress(len(columns), len(columns), "rank_swap")
    return Masked(
        table=with_coordinates(table, columns, points),
        facts={"swapped": swapped},
        promises=(SameValues(columns=tuple(columns), before=table),),
    )


def _swap_column(values: FloatArray, p: float, generator: np.random.Generator, name: str) -> IntArray:
    """For each present value, which present value takes its place."""
    from discreet._kernels.rank_swap import rank_swap_pairs

    present = values[~np.isnan(values)]
    window = int(p * len(present) / 100)
    if window < 1:
        raise Unreachable(
            f"rank_swap: p={p:g} percent of the {len(present)} values of column '{name}' is less than one rank, so "
            "nothing can be swapped. Raise p."
        )
    order = shuffled_sort(present, generator)
    partner = rank_swap_pairs(len(present), window, generator)
    moved = np.empty(len(present), dtype=np.int64)
    moved[order] = order[partner]
    return moved


def shuffled_sort(values: FloatArray, generator: np.random.Generator) -> IntArray:
    """The order that sorts the values, equal ones in random order."""
    shuffle = generator.permutation(len(values))
    return shuffle[np.argsort(values[shuffle], kind="stable")]
