"""Local suppression: single cells set to missing until nobody stands out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated

import numpy as np
import polars as pl

from discreet import registry
from discreet._kernels.counting.classes import class_sizes
from discreet._kernels.counting.tuples import Tuples, tuples_of
from discreet.classes import matching_people
from discreet.coding import MISSING, codes_of
from discreet.errors import BadParameter, Unreachable
from discreet.guarantees import KAnonymous, KMatched
from discreet.households import codes_filled_from_household, for_whole_households, household_columns
from discreet.mask.column_choices import cells_needed
from discreet.mask.required import (
    DIVERSE_AND_CLOSE,
    SHARED_BY_K,
    USUAL_C,
    ClosenessParameter,
    DiversityParameter,
    DiversityVariant,
    Protected,
    RecursiveParameter,
    check_reachable,
    check_reached,
    guaranteed,
    matched,
    required,
)
from discreet.mask.suppression import suppressed_cells, suppressed_items
from discreet.mask.suppression_any import suppressed_cells_any
from discreet.mask.suppression_required import suppressed_cells_for
from discreet.method import CountedMasking
from discreet.models import Variant
from discreet.parameters import KEYS, Choice, Masking, Whole
from discreet.progress import SILENT, Progress
from discreet.registry import DeclaredGuarantee
from discreet.requirement import Holdings
from discreet.results import Masked
from discreet.table import BoolArray, FloatArray, IntArray, Table


def suppress_counted(
    combinations: Table,
    counts: IntArray,
    *,
    columns: Sequence[str],
    k: int,
    missing: str = "own",
    l: float | None = None,  # noqa: E741
    l_variant: Variant = "distinct",
    c: float = USUAL_C,
    t: float | None = None,
    confidential: Sequence[str] | None = None,
    progress: Progress = SILENT,
) -> CountedMasking:
    """What becomes of distinct combinations that so many records have each: as `suppress` does it for the records."""
    required(
        combinations, "suppress", columns, k=k, l=l, l_variant=l_variant, c=c, t=t, confidential=confidential
    )
    if int(counts.sum()) < k:
        raise Unreachable(f"suppress: k={k} needs at least {k} records and the dataset has {counts.sum()}.")
    codes = codes_of(combinations, columns)
    order = np.lexsort(codes.T[::-1])
    items = suppressed_items(codes[order], counts[order], k, progress, _importance(combinations, columns))
    blank = items.lost
    frame = combinations.frame.select(columns)[order][items.origin]
    fresh = frame.with_columns(
        frame[name].set(pl.Series(blank[:, j]), None) for j, name in enumerate(columns)
    )
    weighed = blank * items.counts[:, None]
    facts = {
        "suppressed_cells": int(weighed.sum()),
        "by_column": dict(zip(columns, weighed.sum(axis=0).tolist(), strict=True)),
        "records_touched": int(items.counts[blank.any(axis=1)].sum()),
        "cells_needed_at_least": cells_needed(codes[order], counts[order], k),
    }
    by_origin = np.argsort(items.origin, kind="stable")
    return CountedMasking(
        origin=order[items.origin][by_origin],
        counts=items.counts[by_origin],
        frame=fresh[by_origin],
        columns=tuple(combinations[name] for name in columns),
        facts=facts,
        guarantees=(KAnonymous(columns=tuple(columns), k=k, told=()),),
    )


@registry.mask(
    family="suppression",
    title="Suppress",
    meaning="few cells are blanked so that no combination is rare",
    tells=registry.Tells("nothing that the blanks do not show: all other cells are as they were"),
    splits=registry.Split.COUNTS,
    searched=registry.Searched(usual_for=registry.CATEGORIES, to_a_goal=({},), jointly=({},)),
    only_blanks=True,
    by_counts=suppress_counted,
    whole_only=(
        registry.WholeOnly("missing", "any", "missing='own'"),
        registry.WholeOnly("l", None, "generalise, which reaches l in parts too"),
        registry.WholeOnly("t", None, "generalise, which reaches t in parts too"),
    ),
    scales=registry.ANY_SCALE,
    in_words=registry.InWords(
        instead={"k": "as few cells as possible are blanked so that at least {} share each combination"}
    ),
    missing="a value of its own: a record with missing cells needs k-1 others with the same cells missing; or, with "
    "missing='any', it matches anything",
    guarantees=(
        SHARED_BY_K,
        DeclaredGuarantee(
            "with missing='any', at least k records agree with each record wherever neither is missing",
            KMatched,
            when={"missing": "any"},
        ),
        *DIVERSE_AND_CLOSE,
    ),
    by_design=(
        "a value of a household is suppressed for all its members or for none",
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
    l: DiversityParameter = None,  # noqa: E741
    l_variant: DiversityVariant = "distinct",
    c: RecursiveParameter = USUAL_C,
    t: ClosenessParameter = None,
    confidential: Protected = None,
    progress: Progress = SILENT,
) -> Masked:
    """The table with few cells set to missing so that each combination of the columns occurs at least k times.

    Records that are rare lose one cell where that is enough, else two, and so on; among the choices that cost equally
    many cells, the one that helps most records goes first. Where a few records are wanting, others that are not rare
    lose the same cells to keep them company, if that costs less. Finding the very fewest cells is NP-hard; this comes
    near. Beyond nine columns not every set of columns is tried, but those that bring company to the records that stand
    out. Where missing is a value of its own, `facts` tells how many cells no suppression could do without; the more
    columns, the further that is below what is possible.

    Of columns with another `importance` those that matter least go first, where missing is a value of its own and
    neither `l` nor `t` is asked for; the others count alike.

    With missing='any' far fewer cells go, and less is gained: the rule is so generous that k-1 blank records would
    satisfy it for a whole file. Cells are therefore taken only from records that have too few matches.

    With `l` and `t` cells go until the confidential values of records that are alike are diverse enough, and near
    enough to those of the file. Where records belong to people, k counts people. A column that is the same for all
    members of a household is suppressed for all of them at once: the others would tell it.

    k-anonymity by suppressed cells is by Sweeney 2002.

    >>> print(dc.mask.suppress(table, columns=["sex", "education", "marital_status"], k=5))
    suppress: 400 records (suppressed_cells 64, records_touched 56, cells_needed_at_least 53)
    """
    wanted = required(
        table, "suppress", columns, k=k, l=l, l_variant=l_variant, c=c, t=t, confidential=confidential
    )
    if missing == "any" and not wanted.plain:
        raise BadParameter(
            "suppress: l and t have no meaning with missing='any', where records have no classes."
        )
    check_reachable(table, "suppress", wanted)
    of_households = household_columns(table, columns)
    known = codes_filled_from_household(table, columns, of_households)
    everything = Holdings(table, wanted)
    cells = (
        partial(_own, everything, _importance(table, columns))
        if missing == "own"
        else partial(_any, everything)
    )
    lost = _for_households(table, known, [name in of_households for name in columns], cells, progress)
    if missing == "own":
        check_reached(everything, "suppress", class_sizes(np.where(lost, MISSING, known)).label)
    gone = lost & (codes_of(table, columns) != MISSING)
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
        distinct = tuples_of(known)
        facts["cells_needed_at_least"] = cells_needed(distinct.codes, distinct.frequencies, k)
    guarantees = guaranteed(table, columns, wanted) if missing == "own" else (matched(table, columns, k),)
    return Masked(table=table.with_values(fresh), facts=facts, guarantees=guarantees)


Cells = Callable[[Tuples, Progress], BoolArray]
"""From rows of codes to the cells that each record loses."""


def _for_households(
    table: Table, known: IntArray, of_households: Sequence[bool], cells: Cells, progress: Progress
) -> BoolArray:
    """Which cells go: those that are to, and with them those of all members where the value is the household's."""
    households = table.households() if any(of_households) else None
    codes = known.copy()
    while True:
        gone = cells(tuples_of(codes), progress)
        if not gone.any():
            break
        codes[gone] = MISSING
        if households is None:
            break
        for place in np.flatnonzero(of_households).tolist():
            taken = (codes[:, place] == MISSING) & (known[:, place] != MISSING)
            codes[for_whole_households(taken, households), place] = MISSING
    lost: BoolArray = (codes == MISSING) & (known != MISSING)
    return lost


def _importance(table: Table, columns: Sequence[str]) -> FloatArray:
    """How much each of the columns matters to the steward."""
    return np.array([table[name].importance for name in columns])


def _own(everything: Holdings, importance: FloatArray, distinct: Tuples, progress: Progress) -> BoolArray:
    """The cells that go where missing is a value of its own."""
    if everything.plain:
        return suppressed_cells(distinct, everything.requirement.k, progress, importance)
    return suppressed_cells_for(distinct, everything, progress)


def _any(everything: Holdings, distinct: Tuples, progress: Progress) -> BoolArray:
    """The cells that go where missing matches anything.

    Where people can have several records, more and more records are asked for until they are of k people.
    """
    k = everything.requirement.k
    records = k
    while True:
        gone = suppressed_cells_any(distinct, records, progress)
        if everything.plain:
            return gone
        left = np.where(gone, MISSING, distinct.codes[distinct.which])
        least = int(matching_people(tuples_of(left), everything.persons).min())
        if least >= k:
            return gone
        records = min(len(gone), records + k - least)
