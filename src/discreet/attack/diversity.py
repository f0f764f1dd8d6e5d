"""l-diversity: how many different confidential values the records of a class have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Literal, NamedTuple

import numpy as np

from discreet import registry
from discreet._kernels.classes import class_sizes
from discreet.classes import classes_of
from discreet.coding import MISSING, codes_of
from discreet.errors import NotComputable
from discreet.parameters import CONFIDENTIAL, KEYS, Choice, Known, Learned, Real
from discreet.results import Risk
from discreet.table import FloatArray, IntArray, Table

Variant = Literal["distinct", "entropy", "recursive"]
MEANING = (
    "the chance of guessing a confidential value of the most exposed person right: the share of the most frequent "
    "value in the most uniform class of records with the same quasi-identifiers"
)


class Tally(NamedTuple):
    """The values of one column, counted in each class: pairs of a class and a value, and how many records have both."""

    classes: IntArray
    values: IntArray
    counts: IntArray
    present: IntArray
    """How many records of each class have a value."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Diversity(Risk):
    """How diverse the confidential values are: `l` is the least over classes and columns, `levels` each record's.

    The level is infinite where the class of a record holds no value, and so tells none.
    """

    l: float  # noqa: E741
    levels: FloatArray = field(repr=False)


@registry.attack(
    family="models",
    scales=registry.EVERY_SCALE,
    missing="a missing key counts as a value of its own; a missing confidential value is left out of its class",
    meaning=MEANING,
    cites=(
        "Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam, ACM Transactions on Knowledge Discovery from Data "
        "1(1), 2007",
    ),
)
def l_diversity(
    masked: Table,
    *,
    keys: Known = KEYS,
    columns: Learned = CONFIDENTIAL,
    variant: Annotated[
        Variant,
        Choice(among=("distinct", "entropy", "recursive"), about="how the values of a class are counted"),
    ] = "distinct",
    c: Annotated[
        float, Real(above=0, about="recursive: the most frequent value may be this many times the rare ones")
    ] = 3.0,
) -> Diversity:
    """The l that the table reaches: the diversity of confidential values in its least diverse class.

    `distinct` counts the values of a class; `entropy` takes the exponential of their entropy, which rare values do not
    raise much; `recursive` is the largest l for which the most frequent value occurs less than c times as often as the
    l-th most frequent and all rarer ones together. With several columns each is looked at by itself and the least
    counts. Numbers are values like others: two incomes a penny apart are two.
    """
    if len(masked) == 0:
        raise NotComputable("l_diversity: the table has no records, so it has no least diverse class.")
    label = classes_of(masked, keys).label
    tallies = {name: tally_of(masked, name, label) for name in columns}
    tallies = {name: tally for name, tally in tallies.items() if tally.present.any()}
    if not tallies:
        raise NotComputable("l_diversity: the confidential columns hold no value, so there is none to guess.")
    tops = {name: most_frequent(tally)[label] for name, tally in tallies.items()}
    chance: FloatArray = np.max(list(tops.values()), axis=0)
    levels = _least_diverse(tallies.values(), label, variant, c)
    least, highest = float(levels.min()), float(chance.max())
    return Diversity(
        name="l_diversity",
        risk=highest,
        meaning=MEANING,
        records=chance,
        interval=(highest, highest),
        baseline=max(_guessing(tally) for tally in tallies.values()),
        attempts=len(masked),
        level=least,
        columns={name: float(top.max()) for name, top in tops.items()},
        details={
            "l": least,
            "variant": variant,
            "records_in_uniform_classes": int((chance == 1).sum()),
            "average_chance": float(chance.mean()),
        },
        l=least,
        levels=levels,
    )


def _least_diverse(tallies: Iterable[Tally], label: IntArray, variant: Variant, c: float) -> FloatArray:
    """The least l over the columns for each record; infinite where its class has no value in any."""
    levels = np.full(len(label), np.inf)
    for tally in tallies:
        seen = tally.present[label] > 0
        levels[seen] = np.minimum(levels[seen], diversity(tally, variant, c)[label][seen])
    return levels


def _guessing(tally: Tally) -> float:
    """The share of the value that is the most frequent in the whole file."""
    return float(np.bincount(tally.values, weights=tally.counts).max() / tally.present.sum())


def tally_of(table: Table, column: str, label: IntArray) -> Tally:
    """The values of a column counted in each class; missing ones are left out."""
    codes = codes_of(table, [column])[:, 0]
    return counted(label, codes)


def counted(label: IntArray, codes: IntArray) -> Tally:
    """The codes counted in each class, in the order of classes and codes; zero is missing and is left out."""
    known = codes != MISSING
    classes = int(label.max(initial=-1)) + 1
    pairs = np.column_stack([label[known], codes[known]])
    groups = class_sizes(np.ascontiguousarray(pairs))
    first = np.unique(groups.label, return_index=True)[1] if len(pairs) else np.zeros(0, np.int64)
    order = np.lexsort((pairs[first, 1], pairs[first, 0]))
    first = first[order]
    return Tally(
        classes=pairs[first, 0],
        values=pairs[first, 1],
        counts=groups.sizes[first],
        present=np.bincount(label[known], minlength=classes),
    )


def most_frequent(tally: Tally) -> FloatArray:
    """For each class the share of its most frequent value; 0 where it has none."""
    top = np.zeros(len(tally.present), dtype=np.int64)
    np.maximum.at(top, tally.classes, tally.counts)
    return top / np.maximum(1, tally.present)


def diversity(tally: Tally, variant: Variant, c: float) -> FloatArray:
    """The l of each class; 0 where it has no value."""
    if variant == "distinct":
        return np.bincount(tally.classes, minlength=len(tally.present)).astype(np.float64)
    if variant == "entropy":
        share = tally.counts / tally.present[tally.classes]
        entropy = np.bincount(tally.classes, weights=-share * np.log(share), minlength=len(tally.present))
        return np.where(tally.present > 0, np.exp(entropy), 0.0)
    return _recursive(tally, c)


def _recursive(tally: Tally, c: float) -> FloatArray:
    """The largest l of each class with r_1 < c (r_l + ... + r_m), its counts in falling order; 0 where none will do."""
    order = np.lexsort((-tally.counts, tally.classes))
    classes, counts = tally.classes[order], tally.counts[order]
    top = np.zeros(len(tally.present))
    np.maximum.at(top, classes, counts)
    before = np.cumsum(counts) - counts
    start = np.searchsorted(classes, classes, side="left")
    rest = tally.present[classes] - (before - before[start])
    # The tail only shrinks as l grows, so those that hold are the first ones, and their number is the largest l.
    holds = top[classes] < c * rest
    return np.bincount(classes[holds], minlength=len(tally.present)).astype(np.float64)
