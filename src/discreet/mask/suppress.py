"""Local suppression: single cells set to missing until nobody stands out."""

from __future__ import annotations

from typing import Annotated

import polars as pl

from discreet import registry
from discreet._kernels.tuples import tuples_of
from discreet.coding import codes_of
from discreet.errors import Unreachable
from discreet.mask.column_choices import cells_needed
from discreet.mask.suppression import suppressed_cells
from discreet.mask.suppression_any import suppressed_cells_any
from discreet.parameters import KEYS, Choice, Masking, Whole
from discreet.progress import SILENT, Progress
from discreet.promises import KAnonymous, KMatched
from discreet.results import Masked
from discreet.table import Table


@registry.mask(
    family="suppression",
    scales=registry.ANY_SCALE,
    missing="a value of its own: a record with missing cells needs k-1 others with the same cells missing; or, with "
    "missing='any', it matches anything",
    guarantees=(
        "every combination of the columns is shared by at least k records",
        "with missing='any', at least k records agree with each record wherever neither is missing",
        "no value is changed: a cell is kept or missing",
    ),
    cites=(
        "Sweeney, International Journal on Uncertainty, Fuzziness and Knowledge-based Systems 10(5), 2002",
    ),
)
def suppress(
    table: Table,
    *,
    columns: Masking = KEYS,
    k: Annotated[int, Whole(at_least=2, usual=(2, 10), about="fewest records that share a combination")] = 3,
    missing: Annotated[
        str,
        Choice(among=("own", "any"), about="whether a missing value is one of its own or matches anything"),
    ] = "own",
    progress: Progress = SILENT,
) -> Masked:
    """The table with few cells set to missing so that each combination of the columns occurs at least k times.

    Records that are rare lose one cell where that is enough, else two, and so on; among the choices that cost equally
    many cells, the one that helps most records goes first. Where a few records are wanting, others that are not rare
    lose the same cells to keep them company, if that costs less. Finding the very fewest cells is NP-hard; this comes
    near. Beyond nine columns not every set of columns is tried, but those that bring company to the records that stand
    out. Where missing is a value of its own, `facts` tells how many cells no suppression could do without; the more
    columns, the further that is below what is possible.

    With missing='any' far fewer cells go, and less is gained: the rule is so generous that k-1 blank records would
    satisfy it for a whole file. Cells are therefore taken only from records that have too few matches.
    """
    if len(table) < k:
        raise Unreachable(
            f"suppress: k={k} needs at least {k} records and the table has {len(table)}. Lower k."
        )
    cells = suppressed_cells if missing == "own" else suppressed_cells_any
    distinct = tuples_of(codes_of(table, columns))
    gone = cells(distinct, k, progress)
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
    if missing == "own":
        facts["cells_needed_at_least"] = cells_needed(distinct.codes, distinct.frequencies, k)
    promise = KAnonymous if missing == "own" else KMatched
    return Masked(
        table=table.with_values(fresh), facts=facts, promises=(promise(columns=tuple(columns), k=k),)
    )
