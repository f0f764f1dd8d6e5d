"""Global recoding of numbers: everybody's become bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np
import polars as pl

from discreet import registry
from discreet.all_records import AllRecords, Alone
from discreet.bands import write_bands
from discreet.errors import BadParameter, NotComputable, WrongScale
from discreet.guarantees import Guarantee, OnlyLevels
from discreet.mask.runs import as_text
from discreet.parameters import NUMERIC_KEYS, Choice, Masking, Numbers, Whole
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.table import FloatArray, Scale, Table, moments_of

DIGITS = 10
"""How many digits an edge is written with, where these say it exactly or keep edges apart."""


@registry.mask(
    family="recoding",
    title="Recode numbers",
    meaning="numbers become bands",
    tells=registry.Tells("each published value says which true ones it can stand for", clue="held"),
    splits=registry.Split.ROWS,
    scales=registry.NUMERIC,
    in_words=registry.InWords(besides={"bins": "{} of them", "cuts": "cut at {}"}),
    missing="stays missing",
    example={"columns": ["age"], "bins": 6},
    guarantees=(DeclaredGuarantee("there are no other intervals than the bins", OnlyLevels),),
    by_design=("each value becomes the interval that holds it",),
    cites=("Willenborg and de Waal, Elements of Statistical Disclosure Control, Springer, 2001",),
)
def recode_numbers(
    table: Table,
    *,
    columns: Masking = NUMERIC_KEYS,
    cuts: Annotated[
        Sequence[float] | None, Numbers(rising=True, about="where one bin ends and the next begins")
    ] = None,
    bins: Annotated[
        int | None, Whole(at_least=2, usual=(3, 20), about="how many bins, when no cuts are given")
    ] = None,
    variant: Annotated[
        str, Choice(among=("width", "quantile"), about="bins of equal width, or of equally many records")
    ] = "width",
    all_records: AllRecords | None = None,
) -> Masked:
    """The table with numbers replaced by the bins they fall in, as an ordinal column of intervals such as [20, 30).

    Values below the first cut and from the last cut on fall into open bins. Intervals of dates and times are written as
    such; their cuts are given as days since 1970, or in the unit of the column. Bins of equally many records count
    records, whatever these weigh.

    Global recoding as in Willenborg and de Waal 2001.

    >>> dc.mask.recode_numbers(table, columns=["age"], cuts=[18, 40, 65]).table["age"].order
    ('< 18', '[18, 40)', '[40, 65)', '>= 65')
    """
    if (cuts is None) == (bins is None):
        raise BadParameter("recode_numbers: give either cuts or bins.")
    everybody = all_records or Alone(table)
    made: dict[str, int] = {}
    guarantees: list[Guarantee] = []
    for name in columns:
        if isinstance(table.frame[name].dtype, pl.Duration):
            raise WrongScale(
                f"recode_numbers: column '{name}' holds lengths of time; make numbers of them first."
            )
        values = table.numbers([name])[:, 0]
        edges = (
            np.array(cuts, dtype=float)
            if cuts is not None
            else _edges(everybody.numbers(name), int(bins or 0), variant, name)
        )
        dtype = table.frame[name].dtype
        if dtype.is_temporal():
            # Days, or the units of a time, are whole: a value from an edge on is one from the next whole one on.
            edges = np.unique(np.ceil(edges))
            _check_moments(edges, dtype, name)
        labels = write_bands(_texts(edges, dtype))
        places = pl.Series(np.searchsorted(edges, values, side="right"))
        binned = (
            pl.Series(name, labels)
            .gather(places)
            .to_frame()
            .select(pl.when(pl.Series(~np.isnan(values))).then(pl.col(name)))[name]
        )
        described = replace(table[name], scale=Scale.ORDINAL, order=labels, value_labels={}, missing_codes=())
        table = table.with_values({name: binned}, [described])
        made[name] = len(labels)
        guarantees.append(OnlyLevels(columns=(name,), levels=labels))
    return Masked(table=table, facts={"bins": made}, guarantees=tuple(guarantees))


def _check_moments(edges: FloatArray, dtype: pl.DataType, name: str) -> None:
    """Raises BadParameter where a cut is no moment that a column of this type can hold."""
    first, last = moments_of(dtype)
    if not ((edges >= first) & (edges <= last)).all():
        raise BadParameter(
            f"recode_numbers: the cuts of column '{name}' must lie between {first} and {last}, the first and the last "
            "moment that it can hold, in its unit."
        )


def _edges(values: FloatArray, bins: int, variant: str, name: str) -> FloatArray:
    present = values[~np.isnan(values)]
    if len(present) == 0 or present.min() == present.max():
        raise NotComputable(
            f"recode_numbers: column '{name}' has fewer than two distinct values to make bins of."
        )
    if variant == "width":
        return _written(np.linspace(present.min(), present.max(), bins + 1)[1:-1])
    inner = np.unique(np.quantile(present, np.arange(1, bins) / bins))
    return _written(inner[inner > present.min()] if (inner > present.min()).any() else inner)


def _written(edges: FloatArray) -> FloatArray:
    """Edges rounded to the digits a person reads, where that keeps them apart."""
    short = np.array([float(f"{edge:.{DIGITS}g}") for edge in edges.tolist()])
    return short if (np.diff(short) > 0).all() else edges


def _texts(edges: FloatArray, dtype: pl.DataType) -> list[str]:
    """The edges as text, each of which reads back as that edge; those of dates and times as dates and times."""
    if dtype.is_temporal():
        return as_text(pl.Series(edges).cast(pl.Int64).cast(dtype)).to_list()
    short = [f"{edge:.{DIGITS}g}" for edge in edges.tolist()]
    return [
        text if float(text) == edge else repr(edge) for text, edge in zip(short, edges.tolist(), strict=True)
    ]
