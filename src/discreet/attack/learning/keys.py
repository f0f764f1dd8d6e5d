"""Which columns, pairs and sets of columns leak: what the learned parameters say, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from discreet.attack.learning import measure as fuzzy
from discreet.attack.learning.learn import Learned
from discreet.errors import BadParameter
from discreet.table import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSet:
    """A set of columns and the value a fuzzy measure gives it."""

    members: tuple[str, ...]
    value: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeyColumns:
    """What leaks, by the parameters that re-identify the most.

    `columns` is the share of each column, summing to 1: the weights, the Shapley values of the measure, or the
    diagonal of the matrix in absolute value; protect the largest more. It is empty for OWA, whose weights belong to
    ranks (`ranks`, largest difference first) and not to columns. `pairs` is the matrix of the bilinear form, or the
    interaction indices of the measure: above 0 two columns say more together than apart. `lattice` lists the sets of
    columns with their values, from the empty set to all.
    """

    names: tuple[str, ...]
    distance: str
    columns: Mapping[str, float]
    ranks: tuple[float, ...] = ()
    pairs: FloatArray | None = None
    lattice: tuple[ColumnSet, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """All of it, safe for JSON."""
        return {
            "distance": self.distance,
            "columns": dict(self.columns),
            "ranks": list(self.ranks),
            "pairs": None if self.pairs is None else self.pairs.tolist(),
            "lattice": [{"members": list(each.members), "value": each.value} for each in self.lattice],
        }


def key_columns(learned: Learned, names: Sequence[str]) -> KeyColumns:
    """What the learned parameters say about the columns with these names."""
    keys = tuple(names)
    columns = (
        fuzzy.columns_of(learned.parameters) if learned.distance == "choquet" else len(learned.parameters)
    )
    if len(keys) != columns or len(set(keys)) != columns:
        raise BadParameter(f"the distance was learned over {columns} columns; got {len(set(keys))} names.")
    if learned.distance == "owa":
        ranks = tuple(float(each) for each in learned.parameters)
        return KeyColumns(names=keys, distance="owa", columns={}, ranks=ranks)
    if learned.distance == "weighted":
        return KeyColumns(names=keys, distance="weighted", columns=_shares(keys, learned.parameters))
    if learned.distance == "choquet":
        return KeyColumns(
            names=keys,
            distance="choquet",
            columns=_shares(keys, fuzzy.shapley(learned.parameters)),
            pairs=fuzzy.interaction(learned.parameters),
            lattice=_lattice(keys, learned.parameters),
        )
    diagonal = np.abs(np.diag(learned.parameters))
    return KeyColumns(
        names=keys, distance=learned.distance, columns=_shares(keys, diagonal), pairs=learned.parameters
    )


def _shares(names: tuple[str, ...], values: FloatArray) -> dict[str, float]:
    total = float(values.sum())
    return {name: float(value) / total for name, value in zip(names, values, strict=True)}


def _lattice(names: tuple[str, ...], measure: FloatArray) -> tuple[ColumnSet, ...]:
    inside = fuzzy.membership(len(names))
    return tuple(
        ColumnSet(
            members=tuple(name for name, held in zip(names, row, strict=True) if held), value=float(value)
        )
        for row, value in zip(inside, measure, strict=True)
    )
