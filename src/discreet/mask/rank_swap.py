"""Swapping: values change places with values of similar rank, so every column keeps what it holds."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from discreet import registry, seeds
from discreet.errors import Unreachable
from discreet.guarantees import SameValues
from discreet.mask.coordinates import coordinates
from discreet.mask.ranks import PAIRINGS, moved_by_rank
from discreet.parameters import ORDERED_KEYS, Choice, Masking, Real
from discreet.progress import SILENT, Progress
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import IntArray, Table


@registry.mask(
    family="swapping",
    title="Rank swap",
    meaning="values are swapped with others of similar rank",
    tells=registry.Tells(
        "how far in rank a value can have moved, or how far it usually did", clue="swapped_ranks"
    ),
    splits=registry.Split.RANGES,
    by_columns={},
    searched=registry.Searched(usual_for=registry.NUMERIC, turn=2),
    scales=registry.ORDERED,
    in_words=registry.InWords(besides={"p": "within about {}% of the ranks"}),
    missing="stays missing, in its place; only present values are ranked and swapped",
    guarantees=(DeclaredGuarantee("each column keeps its values, each as often as before", SameValues),),
    by_design=("with the variant 'window' no value moves by more than p percent of the ranks",),
    cites=(
        "Moore, Controlled data-swapping techniques, US Bureau of the Census, 1996",
        "Nin, Herranz and Torra, Data and Knowledge Engineering 64(1), 2008 (buckets and distribution)",
    ),
)
def rank_swap(
    table: Table,
    *,
    columns: Masking = ORDERED_KEYS,
    p: Annotated[
        float,
        Real(above=0, at_most=100, usual=(1, 20), about="how far a value may move, in percent of ranks"),
    ] = 5,
    variant: Annotated[
        str, Choice(among=("window", "buckets", "distribution"), about="how the partner of a value is drawn")
    ] = "window",
    seed: Seed = None,
    first_column: int = 0,
    progress: Progress = SILENT,
) -> Masked:
    """The table with each column's values swapped with values of similar rank.

    Every column is swapped by itself, so what is known of one column (its distribution, its totals) is kept exactly
    and what links the columns of one record is loosened. With `window` the partner is at most p percent of the ranks
    away, which an intruder who knows p can use. `buckets` and `distribution` prefer near partners too but rule none
    out, so that nothing follows for sure: the first draws from buckets of p percent of the values, nearer ones more
    likely, the second moves by a normal number of ranks with mean and standard deviation of half of p percent.

    Ranks count records, whatever these weigh: totals of the file are kept, those by sampling weights only roughly.

    `window` is by Moore 1996; the others, with chances of buckets that halve from one to the next, by Nin, Herranz and
    Torra 2008.

    >>> masked = dc.mask.rank_swap(table, columns=["income"], p=5, seed=1)
    >>> table.frame["income"].sum() == masked.table.frame["income"].sum()
    True
    """
    swapped, fresh = {}, {}
    for place, name in enumerate(columns):
        progress(place, len(columns), "rank_swap")
        points = coordinates(table, [name])[:, 0]
        present = np.flatnonzero(~np.isnan(points))
        values = points[present] if len(present) < len(points) else points
        moved = moved_by_rank(
            values,
            _reach(p, len(values), name),
            PAIRINGS[variant],
            seeds.generator(seed, first_column + place),
        )
        swapped[name] = int((moved != np.arange(len(moved))).sum())
        # The values themselves change places: numbers of many digits would not survive a way through float64.
        fresh[name] = table.frame[name].gather(_sources(moved, present, len(points)))
    progress(len(columns), len(columns), "rank_swap")
    return Masked(
        table=table.with_values(fresh),
        facts={"swapped": swapped},
        guarantees=(SameValues(columns=tuple(columns), before=table),),
    )


def _sources(moved: IntArray, present: IntArray, count: int) -> IntArray:
    """For each record the record whose value it gets; itself where its value is missing."""
    if len(present) == count:
        return moved
    source = np.arange(count)
    source[present] = present[moved]
    return source


def _reach(p: float, count: int, name: str) -> int:
    """How many ranks p percent are."""
    reach = int(p * count / 100)
    if reach < 1:
        raise Unreachable(
            f"rank_swap: p={p:g} percent of the {count} values of column '{name}' is less than one rank, so nothing "
            "can be swapped. Raise p."
        )
    return reach
