"""What masking steps, attacks and measures return: frozen records that never recompute, print or plot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import polars as pl

from discreet.errors import NotComputable, listed
from discreet.guarantees import Guarantee
from discreet.table import FloatArray, IntArray, Table
from discreet.visible import visible_line

FORMAT = 1
"""The version of every `to_dict`."""

FROM_NOBODY = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Masked:
    """What one masking step returns.

    `facts` says what the step did (groups, swaps, suppressed cells); it is for the steward and is not published.
    `origin[i]` is the row of the step's input that row i of the result comes from, -1 where it comes from nobody;
    None means that row i is the masked row i. `guarantees` are the properties that the published file must have.
    `parameters` are those of the call; a method that chooses one itself says here what it took. What of them is
    published is for `discreet.public_half` to say.
    """

    table: Table
    facts: Mapping[str, Any] = field(default_factory=dict, repr=False)
    guarantees: tuple[Guarantee, ...] = ()
    origin: IntArray | None = field(default=None, repr=False)
    method: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, float]:
        """The facts that are plain numbers; others, such as the order of categories, may hold cells."""
        return {name: fact for name, fact in plain(self.facts).items() if isinstance(fact, int | float)}

    def __str__(self) -> str:
        counts = ", ".join(f"{name} {fact}" for name, fact in self.counts.items())
        return f"{self.method}: {len(self.table)} records" + (f" ({counts})" if counts else "")

    def __repr__(self) -> str:
        return f"<{visible_line(str(self))}>"

    def _repr_html_(self) -> str:
        from discreet.notebook import masked_html

        return masked_html(self)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Risk:
    """What one attack achieved.

    `risk` is a share from 0 to 1. `records` is the chance of each masked record. `baseline` is what guessing
    gives. `level` is the number a privacy model reaches (the k of k-anonymity), where the attack is one.
    `names_people` says whether `records` are chances of finding out who a record belongs to. `interval` covers the play
    of chance, 95 times in 100, and is the risk alone where nothing is left to chance, as in what holds of the published
    file itself; with `proven` it goes from what was found to what is proven to be the most. `left_out` names published
    columns that the intruder knows and the attack could not use: such a result is no proof that a limit is met.
    """

    name: str
    risk: float
    meaning: str = field(repr=False)
    records: FloatArray | None = field(default=None, repr=False)
    interval: tuple[float, float] | None = None
    baseline: float | None = None
    attempts: int = 0
    failed: int = 0
    level: float | None = None
    reidentifies: bool = False
    proven: bool = False
    left_out: tuple[str, ...] = ()
    columns: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __init_subclass__(cls) -> None:
        # A dataclass writes a repr of its own, with whole arrays, unless the class has one.
        cls.__repr__ = Risk.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        return f"<{visible_line(str(self))}>"

    def _repr_html_(self) -> str:
        from discreet.notebook import risk_html

        return risk_html(self)

    def to_frame(self) -> pl.DataFrame:
        """A row for each masked record: its row in the masked table, counted from 1, and the chance that it is found.

        Raises NotComputable where the attack tells nothing of single records.
        """
        if self.records is None:
            raise NotComputable(f"{self.name} tells nothing of single records, only of the whole table.")
        rows = np.arange(1, len(self.records) + 1)
        return pl.DataFrame({"row": rows, "chance": self.records}, nan_to_null=True)

    def __str__(self) -> str:
        line = f"{self.name}: {self.risk:.1%} of {self.attempts} attempts"
        extra = []
        if self.interval is not None:
            extra.append(self.interval_text)
        if self.baseline is not None:
            extra.append(f"guessing {self.baseline:.1%}")
        if self.level is not None:
            extra.append(f"level {self.level:g}")
        if self.failed:
            extra.append(f"{self.failed} attempts failed")
        if self.left_out:
            extra.append(f"without {listed(self.left_out)}")
        return line + (f" ({'; '.join(extra)})" if extra else "")

    @property
    def by_chance(self) -> bool:
        """Whether there is an interval that covers the play of chance: neither a proof nor an exact number."""
        return self.interval is not None and not self.proven and self.interval[0] < self.interval[1]

    @property
    def of_a_sample(self) -> bool:
        """Whether only a sample of people was looked for, so that the risk of the file may be another."""
        return "people_tried" in self.details

    @property
    def not_tried(self) -> str:
        """What the attack left untried that could find more; empty where there is nothing, or nothing that is known."""
        return str(self.details.get("not_tried", ""))

    @property
    def interval_text(self) -> str:
        """What the interval says, in words; empty where there is none."""
        if self.interval is None:
            return ""
        low, high = self.interval
        if self.proven:
            return "proven to be the most" if low == high else f"at most {high:.1%} is proven"
        if low == high:
            return "exact"
        return f"95% interval {low:.1%}-{high:.1%}"

    def to_dict(self) -> dict[str, Any]:
        """The result without its records: safe for JSON."""
        return {
            "format": FORMAT,
            "name": self.name,
            "risk": self.risk,
            "meaning": self.meaning,
            "interval": None if self.interval is None else list(self.interval),
            "proven": self.proven,
            "baseline": self.baseline,
            "attempts": self.attempts,
            "failed": self.failed,
            "level": self.level,
            "left_out": list(self.left_out),
            "columns": dict(self.columns),
            "details": plain(self.details),
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Loss:
    """What one measure of loss found: zero on the original, larger when more use was lost.

    `left_out` counts the parts (cells, columns, pairs) that have no value under the definition. The details name the
    columns among them (`columns_left_out`), and say how many cells of the others were blanked (`cells_blanked`).
    """

    name: str
    loss: float
    meaning: str
    columns: Mapping[str, float] = field(default_factory=dict)
    left_out: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<{visible_line(str(self))}>"

    def _repr_html_(self) -> str:
        from discreet.notebook import loss_html

        return loss_html(self)

    def __str__(self) -> str:
        extra = [f"{self.left_out} parts left out"] if self.left_out else []
        if self.details.get("columns_left_out"):
            extra.append(f"without {listed(self.details['columns_left_out'])}")
        if self.details.get("cells_blanked"):
            extra.append(f"{self.details['cells_blanked']} cells blanked")
        return f"{self.name}: {self.loss:.4g}" + (f" ({'; '.join(extra)})" if extra else "")

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "name": self.name,
            "loss": self.loss,
            "meaning": self.meaning,
            "columns": dict(self.columns),
            "left_out": self.left_out,
            "details": plain(self.details),
        }


def plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that JSON can hold: numbers, texts and small structures; arrays and tables stay behind."""
    return {name: _plain(value) for name, value in facts.items() if not isinstance(value, np.ndarray | Table)}


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return plain({str(name): each for name, each in value.items()})
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(each) for each in value]
    return value


def wilson(successes: float, attempts: int) -> tuple[float, float]:
    """The 95% Wilson interval of a share, from the expected number of successes."""
    if attempts == 0:
        return (0.0, 1.0)
    z = 1.959963984540054
    share = successes / attempts
    middle = share + z * z / (2 * attempts)
    spread = z * math.sqrt(max(0.0, share * (1 - share)) / attempts + z * z / (4 * attempts * attempts))
    scale = 1 + z * z / attempts
    return (max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


def as_kept(result: Risk | Loss) -> Risk | Loss:
    """The result as the cache gives it later: what all risks, or all losses, have, with details that are plain.

    What an attack tells of every record beside its chance, such as the nearest one, is as large as a column.
    """
    kind = Risk if isinstance(result, Risk) else Loss
    common = {each.name: getattr(result, each.name) for each in fields(kind)}
    return kind(**{**common, "details": plain(result.details)})
