"""Rounding: each number replaced by a multiple of a base."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np

from discreet import registry
from discreet.all_records import AllRecords, drawn_by_rows
from discreet.errors import BadParameter, listed
from discreet.guarantees import Multiples
from discreet.parameters import NUMERIC_KEYS, Choice, Masking, Real
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import FloatArray, Table

Chances = Callable[[], FloatArray]
Rounding = Callable[[FloatArray, Chances], FloatArray]


@registry.mask(
    family="rounding",
    title="Round",
    meaning="numbers become multiples of a base",
    tells=registry.Tells("the base, so the range that a rounded number stands for", clue="rounded"),
    splits=registry.Split.ROWS,
    scales=registry.NUMERIC,
    in_words=registry.InWords(instead={"base": "numbers become multiples of {}"}),
    missing="stays missing; a multivariate sum is that of the values present",
    guarantees=(DeclaredGuarantee("all values are multiples of the base", Multiples),),
    by_design=(
        "with the variant 'deterministic' no value moves by more than half the base, else by less than the base",
        "with the variant 'stochastic' every value is kept in expectation",
        "with the variant 'multivariate' the sum of each record is its original sum, rounded",
    ),
    example={"base": 5, "variant": "stochastic"},
    cites=(
        "Willenborg and de Waal, Elements of Statistical Disclosure Control, Springer, 2001",
        "Cox and Ernst, Controlled rounding, INFOR 20(4), 1982",
    ),
)
def round(
    table: Table,
    *,
    columns: Masking = NUMERIC_KEYS,
    base: Annotated[float, Real(above=0, usual=(1, 1000), about="the step: values become multiples of it")],
    variant: Annotated[
        str,
        Choice(
            among=("deterministic", "stochastic", "multivariate"),
            about="to the nearest multiple, by chance up or down, or so that the sum of each record stays",
        ),
    ] = "deterministic",
    seed: Seed = None,
    all_records: AllRecords | None = None,
) -> Masked:
    """The table with each number replaced by a multiple of the base.

    `deterministic` takes the nearest multiple, halves the even one. `stochastic` goes up with a chance that is the
    distance from the multiple below, in bases, so that every value, mean and total is kept in expectation.
    `multivariate` rounds a record as a whole (controlled rounding in one direction): of all ways to take each value up
    or down that add up to the record's rounded sum, the nearest to the record. So parts still add up to their total,
    when the total is rounded to the same base. Only `stochastic` draws random numbers.

    Rounding as in Willenborg and de Waal 2001, `multivariate` after Cox and Ernst 1982.

    >>> dc.mask.round(table, columns=["age"], base=5).table.frame["age"][:3].to_list(), table.frame["age"][:3].to_list()
    ([40, 40, 5], [40, 39, 6])
    """
    _check_dates(table, columns, base)
    first = 0 if all_records is None else all_records.first

    def chances() -> FloatArray:
        """A random number from 0 to 1 for each cell."""
        return drawn_by_rows(
            lambda generator, records: generator.random((records, len(columns))),
            seed,
            first=first,
            records=len(table),
        )

    multiples = ROUNDINGS[variant](_snapped(table.numbers(columns) / base), chances)
    return Masked(
        # Adding zero turns -0.0 into 0.0, which would tell the sign of what was rounded away.
        table=table.with_numbers(columns, multiples * base + 0.0),
        guarantees=(Multiples(columns=tuple(columns), base=base),),
    )


def _check_dates(table: Table, columns: Masking, base: float) -> None:
    dates = [name for name in columns if table.frame[name].dtype.is_temporal()]
    if dates and base != int(base):
        raise BadParameter(
            f"round: base must be whole for the dates and times of {listed(dates)}; got {base:g}."
        )


def _snapped(steps: FloatArray) -> FloatArray:
    """What is whole but for the last digits of a division or a sum, made whole."""
    nearest = np.round(steps)
    exact = np.abs(steps - nearest) <= 1e-12 * np.maximum(1.0, np.abs(steps))
    return np.where(exact, nearest, steps)


def _deterministic(steps: FloatArray, _: Chances) -> FloatArray:
    return np.round(steps)


def _stochastic(steps: FloatArray, chances: Chances) -> FloatArray:
    below = np.floor(steps)
    return below + (chances() < steps - below)


def _multivariate(steps: FloatArray, _: Chances) -> FloatArray:
    """Each record to the nearest whole point of its rounded sum: the largest remainders go up."""
    below = np.floor(steps)
    remainders = np.nan_to_num(steps - below, nan=-1.0)
    whole = np.nansum(below, axis=1)
    # The remainders add up to less than the number of those above zero, so that no multiple is moved.
    up = np.round(_snapped(2 * np.nansum(steps, axis=1)) / 2) - whole
    order = np.argsort(-remainders, axis=1, kind="stable")
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.broadcast_to(np.arange(steps.shape[1]), steps.shape), axis=1)
    taken: FloatArray = below + (rank < up[:, None])
    return taken


ROUNDINGS: dict[str, Rounding] = {
    "deterministic": _deterministic,
    "stochastic": _stochastic,
    "multivariate": _multivariate,
}
