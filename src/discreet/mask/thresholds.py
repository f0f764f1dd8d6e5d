"""Coding at thresholds: what lies beyond one, above or below, becomes one value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import numpy as np

from discreet import registry
from discreet.all_records import AllRecords, Alone
from discreet.bands import OR_LESS, OR_MORE
from discreet.errors import BadParameter, NotComputable, Unreachable, WrongScale
from discreet.guarantees import Guarantee, Within
from discreet.mask.categories import labels_of
from discreet.mask.relabelling import relabelled
from discreet.mask.weights import weights_of
from discreet.parameters import Choice, Flag, Real, Whole, Word
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.table import BoolArray, FloatArray, Scale, Table

End = Literal["top", "bottom"]

Threshold = Annotated[
    float | None, Real(holds_cells=True, about="numeric columns: the value beyond which all is extreme")
]
Share = Annotated[
    float | None,
    Real(above=0, below=1, usual=(0.01, 0.2), about="numeric columns: the share of records coded"),
]
Categories = Annotated[
    int | None,
    Whole(
        at_least=1,
        usual=(1, 4),
        scales=(Scale.ORDINAL,),
        about="ordinal columns: how many levels are joined",
    ),
]
Replacement = Annotated[
    str, Choice(among=("threshold", "mean"), about="numeric columns: what takes the place of extreme values")
]
Weighted = Annotated[
    bool, Flag(about="numeric columns: whether the share is of the sampling weights, not of the records")
]
Label = Annotated[str | None, Word(about="ordinal columns: the name of the joined level")]

SCALES = registry.ORDERED
CITES = ("Willenborg and de Waal, Elements of Statistical Disclosure Control, Springer, 2001",)
GUARANTEES = (
    DeclaredGuarantee(
        "no value lies beyond the threshold, or beyond the mean that replaces what did", Within
    ),
)
MISSING = "stays missing"
EXAMPLE = {"columns": ["age", "income"], "share": 0.05}


def code_beyond(
    table: Table,
    columns: Sequence[str],
    end: End,
    *,
    threshold: float | None,
    share: float | None,
    categories: int | None,
    replace: str,
    label: str | None,
    weighted: bool,
    all_records: AllRecords | None,
) -> Masked:
    """The table with what lies beyond a threshold at one end of each column joined in one value or level."""
    method = f"{end}_code"
    numeric = [name for name in columns if table[name].scale == Scale.NUMERIC]
    ordinal = [name for name in columns if table[name].scale == Scale.ORDINAL]
    if numeric and (threshold is None) == (share is None):
        raise BadParameter(f"{method}: numeric columns need either threshold or share.")
    if ordinal and categories is None:
        raise BadParameter(f"{method}: ordinal columns need categories: how many levels are joined.")
    if not numeric and (threshold is not None or share is not None):
        raise WrongScale(f"{method}: threshold and share are for numeric columns, and none is named.")
    if not ordinal and (categories is not None or label is not None):
        raise WrongScale(f"{method}: categories and label are for ordinal columns, and none is named.")
    if weighted and share is None:
        raise BadParameter(f"{method}: weighted has no meaning without share.")
    if weighted:
        weights_of(table, method)
    all_records = all_records or Alone(table)
    coded: dict[str, int] = {}
    guarantees: list[Guarantee] = []
    for name in numeric:
        place = _placed(all_records, name, end, threshold, share, replace, weighted=weighted)
        table, count, guarantee = _code_numbers(table, name, end, place)
        coded[name] = count
        guarantees.append(guarantee)
    for name in ordinal:
        levels = table.levels(name) if table[name].order else all_records.levels(name)
        table, count, guarantee = _code_levels(table, name, end, levels, int(categories or 0), label)
        coded[name] = count
        guarantees.append(guarantee)
    return Masked(table=table, facts={"coded": coded}, guarantees=tuple(guarantees))


class _Placed(NamedTuple):
    """The value beyond which all is extreme, and what takes the place of that."""

    cut: float
    joined: float


def _placed(
    all_records: AllRecords,
    name: str,
    end: End,
    threshold: float | None,
    share: float | None,
    replace: str,
    *,
    weighted: bool,
) -> _Placed:
    """Where a column is cut, and what replaces the rest; told by all records where the parameters do not say it."""
    if threshold is not None and replace == "threshold":
        return _Placed(float(threshold), float(threshold))
    values = all_records.numbers(name)
    weights = all_records.weights() if weighted else None
    counted = np.ones(len(values)) if weights is None else weights
    cut = (
        float(threshold)
        if threshold is not None
        else _quantile(values, counted, end, float(share or 0), name)
    )
    extreme = _beyond(values, cut, end)
    mean = replace == "mean" and extreme.any()
    return _Placed(cut, _mean(values[extreme], counted[extreme]) if mean else cut)


def _beyond(values: FloatArray, cut: float, end: End) -> BoolArray:
    extreme: BoolArray = values > cut if end == "top" else values < cut
    return extreme


def _code_numbers(table: Table, name: str, end: End, place: _Placed) -> tuple[Table, int, Guarantee]:
    values = table.numbers([name])[:, 0]
    extreme = _beyond(values, place.cut, end)
    fresh = np.where(extreme, place.joined, values)
    masked = table.with_numbers([name], fresh[:, None])
    # Dates and times are rounded to their unit, so the bound is what the cells hold now.
    bound = float(masked.numbers([name])[extreme, 0][0]) if extreme.any() else place.cut
    guarantee = Within(columns=(name,), high=bound) if end == "top" else Within(columns=(name,), low=bound)
    return masked, int(extreme.sum()), guarantee


def _mean(values: FloatArray, weights: FloatArray) -> float:
    """The weighted mean, or the plain one where nothing weighs; between the smallest and the largest value."""
    counted = weights if weights.any() else np.ones(len(values))
    share = counted / counted.sum()
    return float(np.clip(values @ share, values.min(), values.max()))


def _quantile(values: FloatArray, weights: FloatArray, end: End, share: float, name: str) -> float:
    """The most extreme value that leaves at most the given share of the weights beyond it."""
    there = ~np.isnan(values)
    order = np.argsort(values[there], kind="stable")
    ranked, counted = values[there][order], weights[there][order]
    if counted.sum() <= 0:
        raise NotComputable(
            f"{end}_code: column '{name}' has no values that weigh anything, so a share of them has no threshold."
        )
    if end == "top":
        ranked, counted = ranked[::-1], counted[::-1]
    # A share that sums of weights exceed by their last digits is not exceeded.
    beyond = np.cumsum(counted) <= share * counted.sum() * (1 + 1e-12)
    return float(ranked[int(beyond.sum())])


def _code_levels(
    table: Table, name: str, end: End, known: Sequence[object], categories: int, label: str | None
) -> tuple[Table, int, Guarantee]:
    column = table[name]
    levels = labels_of(table, name, known)
    if categories >= len(levels):
        raise Unreachable(
            f"{end}_code: column '{name}' has {len(levels)} levels; at most {len(levels) - 1} of them can be joined."
        )
    gone = levels[-categories:] if end == "top" else levels[:categories]
    kept = levels[:-categories] if end == "top" else levels[categories:]
    joined = label or (f"{gone[0]}{OR_MORE}" if end == "top" else f"{gone[-1]}{OR_LESS}")
    if joined in kept:
        raise BadParameter(
            f"{end}_code: column '{name}' has a level with the name given for the joined one already."
        )
    order = (*kept, joined) if end == "top" else (joined, *kept)
    return relabelled(table, name, dict.fromkeys(gone, joined), column.scale, order)
