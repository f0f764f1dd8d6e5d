"""Camouflage: each number replaced by an interval that contains it, and not in its middle."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import numpy as np
import polars as pl

from discreet import registry, seeds
from discreet.bands import write_band
from discreet.errors import BadParameter, WrongScale
from discreet.guarantees import Intervals
from discreet.parameters import NUMERIC_KEYS, Masking, Real, Whole
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import FloatArray, IntArray, Scale, Table

DIGITS = 15
"""How many digits an end is written with: as many as every float64 can hold."""

MOST_CELLS = 1e13
"""How many beginnings there may be from zero to the largest value, so that ends differ in their written digits."""


@registry.mask(
    family="camouflage",
    title="Camouflage",
    meaning="numbers become intervals that contain them",
    tells=registry.Tells("each published value says which true ones it can stand for", clue="held"),
    splits=registry.Split.ROWS,
    by_columns={},
    scales=registry.NUMERIC,
    in_words=registry.InWords(besides={"width": "{} wide"}),
    missing="stays missing",
    guarantees=(DeclaredGuarantee("each interval contains the value it stands for", Intervals),),
    by_design=(
        "all intervals of a column are equally wide",
        "a value is equally likely to lie in each of the equal parts of its interval",
    ),
    example={"width": 10},
    cites=("Gopal, Garfinkel and Goes, Operations Research 50(3), 2002",),
)
def camouflage(
    table: Table,
    *,
    columns: Masking = NUMERIC_KEYS,
    width: Annotated[
        float, Real(above=0, usual=(1, 1000), about="how wide the intervals are; days for dates")
    ],
    steps: Annotated[
        int, Whole(at_least=1, usual=(2, 20), about="in how many places of its interval a value can lie")
    ] = 10,
    seed: Seed = None,
    first_column: int = 0,
) -> Masked:
    """The table with each number replaced by an interval [low, high) of the given width that contains it.

    Intervals begin at multiples of width/steps, and each of the `steps` intervals that contain a value is drawn with
    the same chance: so neither the middle nor any other part of an interval is a better guess than the rest. The column
    becomes an ordinal one of intervals, from low to high. With one step there is no chance: fixed bins.

    Gopal, Garfinkel and Goes 2002 answer queries by such intervals; here every cell becomes one, drawn at random.

    >>> masked = dc.mask.camouflage(table, columns=["age"], width=10, seed=1)
    >>> list(zip(table.frame["age"][:3], masked.table.frame["age"][:3]))
    [(40, '[35, 45)'), (39, '[39, 49)'), (6, '[1, 11)')]
    """
    seen, fresh, described = {}, {}, []
    for place, name in enumerate(columns):
        values = table.numbers([name])[:, 0]
        dates = _is_date(table, name, width, steps)
        present = np.flatnonzero(~np.isnan(values))
        begins = _begins(
            values[present], width, steps, dates, name, seeds.generator(seed, first_column + place)
        )
        distinct, which = np.unique(begins, return_inverse=True)
        labels = _labels(distinct, width, steps, dates)
        places = np.full(len(values), -1, dtype=np.int64)
        places[present] = which
        fresh[name] = _texts(labels, places)
        seen[name] = len(labels)
        described.append(
            replace(table[name], scale=Scale.ORDINAL, order=labels, value_labels={}, missing_codes=())
        )
    return Masked(
        table=table.with_values(fresh, described),
        facts={"intervals": seen},
        guarantees=(Intervals(columns=tuple(columns), before=table),),
    )


def _is_date(table: Table, name: str, width: float, steps: int) -> bool:
    """Whether the column holds dates, when intervals have a meaning for its type."""
    dtype = table.frame[name].dtype
    if dtype.is_temporal() and dtype != pl.Date:
        raise WrongScale(f"camouflage: column '{name}' holds times; make numbers or dates of them first.")
    if dtype == pl.Date and (width != int(width) or width < steps):
        raise BadParameter(
            f"camouflage: the dates of column '{name}' need a width of whole days, of at least {steps} days for "
            f"steps={steps}; got {width:g}."
        )
    return dtype == pl.Date


def _begins(
    values: FloatArray, width: float, steps: int, dates: bool, name: str, generator: np.random.Generator
) -> IntArray:
    """For each value the number of the beginning of its interval."""
    step = width / steps
    if len(values) and np.abs(values).max() / step > MOST_CELLS:
        raise BadParameter(
            f"camouflage: width={width:g} is too narrow for the size of the values of column '{name}'. Raise it."
        )
    cells = np.floor(values / step).astype(np.int64)
    # Ends are what is written, in decimal digits: a value next to one belongs where the written ends say.
    cells -= values < _ends(cells, step, dates)
    cells += values >= _ends(cells + 1, step, dates)
    begins: IntArray = cells - generator.integers(0, steps, len(cells))
    return begins


def _ends(numbers: IntArray, step: float, dates: bool) -> FloatArray:
    """The ends with these numbers, as they are written."""
    if dates:
        days: FloatArray = np.floor(numbers * step + 0.5)
        return days
    distinct, which = np.unique(numbers, return_inverse=True)
    written = np.array([float(f"{number * step:.{DIGITS}g}") for number in distinct.tolist()])
    ends: FloatArray = written[which] if len(written) else written
    return ends


def _labels(begins: IntArray, width: float, steps: int, dates: bool) -> tuple[str, ...]:
    """The intervals that begin there, as text."""
    low, high = (_ends(numbers, width / steps, dates) for numbers in (begins, begins + steps))
    if dates:
        days = [
            pl.Series(end).cast(pl.Int64).cast(pl.Int32).cast(pl.Date).cast(pl.String) for end in (low, high)
        ]
        return tuple(write_band(first, last) for first, last in zip(*days, strict=True))
    return tuple(
        write_band(f"{first:.{DIGITS}g}", f"{last:.{DIGITS}g}")
        for first, last in zip((low + 0.0).tolist(), (high + 0.0).tolist(), strict=True)
    )


def _texts(labels: tuple[str, ...], places: IntArray) -> pl.Series:
    wanted = pl.Series(np.maximum(places, 0), dtype=pl.UInt32).set(pl.Series(places < 0), None)
    return pl.Series(list(labels), dtype=pl.String).gather(wanted)
