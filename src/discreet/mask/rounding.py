"""Rounding: each number replaced by a multiple of a base."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from discreet import registry
from discreet.parameters import NUMERIC_KEYS, Masking, Real
from discreet.promises import Multiples
from discreet.results import Masked
from discreet.table import Table


@registry.mask(
    family="rounding",
    scales=registry.NUMERIC,
    missing="stays missing",
    guarantees=("all values are multiples of the base", "no value moves by more than half the base"),
    example={"base": 5},
    cites=("Willenborg and de Waal, Elements of Statistical Disclosure Control, Springer, 2001",),
)
def round(
    table: Table,
    *,
    columns: Masking = NUMERIC_KEYS,
    base: Annotated[float, Real(above=0, usual=(1, 1000), about="the step: values become multiples of it")],
) -> Masked:
    """The table with each number replaced by the nearest multiple of the base; halves go to the even multiple."""
    values = np.round(table.numbers(columns) / base) * base
    return Masked(
        table=table.with_numbers(columns, values),
        promises=(Multiples(columns=tuple(columns), base=base),),
    )
