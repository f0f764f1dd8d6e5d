"""What a coalition rebuilt, and how much of it is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from discreet.results import FORMAT, Risk, plain
from discreet.table import IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rebuilt(Risk):
    """How much of a column several releases give back: `risk` is the share of values rebuilt.

    `baseline` is what the best single release has right, and `single` that of each. `distance` is how far the rebuilt
    values are from the true ones: for categories 0 to 1, for numbers in standard deviations. `confusion` counts the
    records of each true category [rows] that were rebuilt as each [columns], the last column being those that stay
    unknown; it is None for numbers.
    """

    single: tuple[float, ...]
    distance: float
    confusion: IntArray | None = field(default=None, repr=False)

    def __str__(self) -> str:
        line = f"{self.risk:.1%} of {self.attempts} values rebuilt"
        extra = (
            [] if self.interval is None else [f"95% interval {self.interval[0]:.1%}-{self.interval[1]:.1%}"]
        )
        extra.append(f"best single release {max(self.single):.1%}")
        return f"{line} ({'; '.join(extra)})"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fused:
    """A column rebuilt from several releases.

    `values` has one value for each person, missing where no release tells any; `people` names them, where a column told
    who is who. `known_in` is the number of releases that tell a value. `clusters` numbers the groups of records of
    which the releases say alike things, where the values come from clustering. `rebuilt` holds the comparison with the
    original, where one was given; `release_of_each` in the details says which release each of its `single` shares
    belongs to, since a release that publishes people several times counts as several.
    """

    column: str
    values: pl.Series = field(repr=False)
    by: str
    releases: int
    known_in: IntArray = field(repr=False)
    levels: tuple[str, ...] = field(default=(), repr=False)
    clusters: IntArray | None = field(default=None, repr=False)
    people: pl.Series | None = field(default=None, repr=False)
    details: Mapping[str, Any] = field(default_factory=dict, repr=False)
    rebuilt: Rebuilt | None = None

    def __str__(self) -> str:
        found = self.values.len() - self.values.null_count()
        records = f"{found} of {self.values.len()} records"
        line = f"column '{self.column}' from {self.releases} releases, by {self.by}: {records}"
        return line if self.rebuilt is None else f"{line}; {self.rebuilt}"

    def to_dict(self) -> dict[str, Any]:
        """What was found without the values: safe for JSON."""
        return {
            "format": FORMAT,
            "column": self.column,
            "by": self.by,
            "releases": self.releases,
            "records": self.values.len(),
            "unknown": self.values.null_count(),
            "details": plain(self.details),
            "rebuilt": None if self.rebuilt is None else self.rebuilt.to_dict(),
        }
