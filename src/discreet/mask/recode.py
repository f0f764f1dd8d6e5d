"""Global recoding: coarser values for everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np
import polars as pl

from discreet import registry
from discreet.bands import write_bands
from discreet.errors import BadParameter, BadValues, NotComputable, Unreachable, WrongScale
from discreet.guarantees import Guarantee, OnlyLevels
from discreet.mask.categories import labels_of
from discreet.mask.runs import as_text
from discreet.mask.top_code import relabelled
from discreet.parameters import (
    CATEGORY_KEYS,
    NUMERIC_KEYS,
    Choice,
    Masking,
    Numbers,
    Pairs,
    Real,
    Whole,
    Word,
)
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.table import FloatArray, Scale, Table, moments_of

DIGITS = 10
"""How many digits an edge is written with, where these say it exactly or keep edges apart."""

CITES = ("Willenborg and de Waal, Elements of Statistical Disclosure Control, Springer, 2001",)


@registry.mask(
    family="recoding",
    title="Recode",
    meaning="rare categories are joined, or categories renamed by a mapping",
    tells=registry.Tells("which categories were joined", clue="recoded"),
    splits=registry.Split.COUNTS,
    searched=registry.Searched(usual_for=registry.CATEGORIES),
    scales=registry.CATEGORIES,
    missing="stays missing",
    example={"columns": ["occupation"], "rarest": 5},
    guarantees=(
        DeclaredGuarantee("the column holds no other categories than those left after recoding", OnlyLevels),
    ),
    cites=CITES,
)
def recode(
    table: Table,
    *,
    columns: Masking = CATEGORY_KEYS,
    mapping: Annotated[
        Mapping[str, str] | None, Pairs(about="old categories and the new ones they become")
    ] = None,
    rarest: Annotated[
        int | None, Whole(at_least=1, usual=(1, 10), about="how many of the rarest categories are joined")
    ] = None,
    rarer_than: Annotated[
        float | None,
        Real(
            above=0,
            below=1,
            usual=(0.005, 0.1),
            about="categories with a smaller share of the records are joined",
        ),
    ] = None,
    label: Annotated[str, Word(about="the name of the joined category")] = "other",
) -> Masked:
    """The table with categories joined: by a mapping, or the rarest ones into one new category.

    Categories that the mapping does not name stay. An ordinal column stays ordinal only when the mapping joins
    neighbours; the rarest of an ordinal column are joined into a category without a place, so it becomes nominal.
    """
    if sum(given is not None for given in (mapping, rarest, rarer_than)) != 1:
        raise BadParameter("recode: give one of mapping, rarest and rarer_than.")
    recoded: dict[str, int] = {}
    guarantees: list[Guarantee] = []
    for name in columns:
        # An order that lacks a value of the column is told here, before anything is guaranteed of its levels.
        table.codes(name)
        levels = labels_of(table, name, table.levels(name))
        labels = dict(mapping) if mapping is not None else _rarest(table, name, rarest, rarer_than, label)
        unknown = sum(1 for old in labels if old not in levels and old not in table[name].order)
        if unknown:
            raise BadValues(
                f"recode: the mapping names {unknown} categories that column '{name}' does not have."
            )
        order = tuple(dict.fromkeys(labels.get(level, level) for level in levels))
        ordinal = (
            table[name].scale == Scale.ORDINAL and mapping is not None and _joins_neighbours(levels, labels)
        )
        scale = Scale.ORDINAL if ordinal else Scale.NOMINAL
        table, recoded[name], guarantee = relabelled(table, name, labels, scale, order)
        guarantees.append(guarantee)
    return Masked(table=table, facts={"recoded": recoded}, guarantees=tuple(guarantees))


def _rarest(
    table: Table, name: str, rarest: int | None, rarer_than: float | None, label: str
) -> dict[str, str]:
    """The rarest categories and the label that joins them; ties go to the first by name."""
    counts = table.frame[name].drop_nulls().cast(pl.String).value_counts(name="count").sort("count", name)
    if rarest is None:
        present = len(table) - table.frame[name].null_count()
        rarest = int((counts["count"] < float(rarer_than or 0) * present).sum())
    if rarest and rarest >= counts.height:
        raise Unreachable(
            f"recode: column '{name}' has {counts.height} categories; at most "
            f"{max(0, counts.height - 1)} can be joined."
        )
    if label in counts[name][rarest:].to_list():
        raise BadParameter(
            f"recode: column '{name}' has a category named like the joined one. Give another label."
        )
    return dict.fromkeys(counts[name][:rarest].to_list(), label)


def _joins_neighbours(levels: Sequence[str], labels: Mapping[str, str]) -> bool:
    """Whether every new category stands for levels that are next to each other."""
    seen: list[str] = []
    for level in levels:
        new = labels.get(level, level)
        if new in seen[:-1]:
            return False
        if not seen or seen[-1] != new:
            seen.append(new)
    return True


@registry.mask(
    family="recoding",
    title="Recode numbers",
    meaning="numbers become bands",
    tells=registry.Tells("each published value says which true ones it can stand for", clue="held"),
    splits=registry.Split.ROWS,
    scales=registry.NUMERIC,
    missing="stays missing",
    example={"columns": ["age"], "bins": 6},
    guarantees=(DeclaredGuarantee("there are no other intervals than the bins", OnlyLevels),),
    by_design=("each value becomes the interval that holds it",),
    cites=CITES,
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
) -> Masked:
    """The table with numbers replaced by the bins they fall in, as an ordinal column of intervals such as [20, 30).

    Values below the first cut and from the last cut on fall into open bins. Intervals of dates and times are written as
    such; their cuts are given as days since 1970, or in the unit of the column. Bins of equally many records count
    records, whatever these weigh.
    """
    if (cuts is None) == (bins is None):
        raise BadParameter("recode_numbers: give either cuts or bins.")
    made: dict[str, int] = {}
    guarantees: list[Guarantee] = []
    for name in columns:
        if isinstance(table.frame[name].dtype, pl.Duration):
            raise WrongScale(
                f"recode_numbers: column '{name}' holds lengths of time; make numbers of them first."
            )
        values = table.numbers([name])[:, 0]
        edges = (
            np.array(cuts, dtype=float) if cuts is not None else _edges(values, int(bins or 0), variant, name)
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
