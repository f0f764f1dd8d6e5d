"""Classes of records by hand: how many people each has, and how diverse and how close its confidential values are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

import polars as pl
from scipy.stats import wasserstein_distance

Row = tuple[Any, ...]


def filled(frame: pl.DataFrame, columns: Sequence[str], told: Sequence[str], household: str) -> list[Row]:
    """The rows of some columns, with what another member of the household tells in place of blanks."""
    rows = [list(row) for row in frame.select(columns).rows()]
    for place, name in enumerate(columns):
        if name in told:
            homes = frame[household].to_list()
            known = {
                home: row[place] for home, row in zip(homes, rows, strict=True) if row[place] is not None
            }
            for home, row in zip(homes, rows, strict=True):
                if row[place] is None and home is not None:
                    row[place] = known.get(home)
    return [tuple(row) for row in rows]


def classes(rows: Sequence[Hashable]) -> dict[Hashable, list[int]]:
    """The records of each class."""
    found: dict[Hashable, list[int]] = {}
    for place, row in enumerate(rows):
        found.setdefault(row, []).append(place)
    return found


def values_in(members: Sequence[int], values: Sequence[Any], people: Sequence[Any]) -> list[Any]:
    """The values of a class, each once for each person who has it."""
    pairs = {(people[place], values[place]) for place in members if values[place] is not None}
    return [value for _, value in pairs]


def level(
    members: Sequence[int], values: Sequence[Any], people: Sequence[Any], variant: str, c: float
) -> float:
    """The l of a class; infinite where it has no value."""
    held = values_in(members, values, people)
    if not held:
        return math.inf
    counts = sorted(Counter(held).values(), reverse=True)
    having = {people[place] for place in members if values[place] is not None}
    if variant == "distinct":
        found = float(len(counts))
    elif variant == "entropy":
        found = math.exp(-sum(n / len(held) * math.log(n / len(held)) for n in counts))
    else:
        found = float(
            max((m for m in range(1, len(counts) + 1) if counts[0] < c * sum(counts[m - 1 :])), default=0)
        )
    return min(found, 1.0) if counts[0] == len(having) else found


def distance(members: Sequence[int], values: Sequence[Any], people: Sequence[Any], *, ordered: bool) -> float:
    """The t of a class: the earth mover's distance of its values to those of the file."""
    own = values_in(members, values, people)
    file = values_in(range(len(values)), values, people)
    if not own:
        return 0.0
    kinds = sorted(set(file))
    if ordered:
        if len(kinds) < 2:
            return 0.0
        places = {kind: place for place, kind in enumerate(kinds)}
        return float(
            wasserstein_distance([places[each] for each in own], [places[each] for each in file])
        ) / (len(kinds) - 1)
    ours, theirs = Counter(own), Counter(file)
    return sum(abs(ours[kind] / len(own) - theirs[kind] / len(file)) for kind in kinds) / 2
