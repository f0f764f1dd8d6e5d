"""What every guarantee is, and the words and bounds that guarantees share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Any, ClassVar

from discreet.errors import GuaranteeBroken
from discreet.shapes import Check
from discreet.table import Described, Table

SLACK = 1e-9
"""How far a computed bound may be off by its last digits."""
DIGITS = 6
"""How many digits a bound has in words."""
_PRIVATE = ("columns", "before", "levels", "wordings")
"""Fields that the public half does not tell as they are."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Guarantee:
    """A property of some columns of the published file.

    `shape` declares the numbers that the public half tells of a guarantee, from which `guarantee_of` makes it again;
    `later` those that releases of earlier versions do not tell, whose defaults stand for these.
    A guarantee that is `in_order` can be checked only where the records are in the order of before.
    """

    columns: tuple[str, ...]
    shape: ClassVar[Mapping[str, Check]] = {}
    later: ClassVar[Mapping[str, Check]] = {}
    in_order: ClassVar[bool] = False

    def says(self) -> str:
        """The property in plain words."""
        raise TypeError(f"{type(self).__name__} does not say what it guarantees")

    def fault(self, published: Table) -> str:
        """What is wrong in the published table, in plain words; empty when the guarantee holds."""
        raise TypeError(f"{type(self).__name__} cannot be checked")

    def check(self, published: Table) -> None:
        """Raises GuaranteeBroken when the published table lacks the property."""
        fault = self.fault(published)
        if fault:
            raise GuaranteeBroken(f"guaranteed: {self.says()}; found in the published file: {fault}.")

    def unchecked(self, published: Table) -> str:
        """Why the published table alone cannot tell whether the guarantee holds, in plain words; empty where it can."""
        gone = [name for name in self.columns if name not in published.names]
        return f"the file has no column {quoted(gone)}" if gone else ""

    def as_shown(self, published: Described) -> Guarantee:
        """The guarantee as the public half tells it: with nothing that the published table does not show."""
        return self

    def to_dict(self) -> dict[str, Any]:
        numbers = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in _PRIVATE}
        return {
            "guarantee": type(self).__name__,
            "columns": list(self.columns),
            **{name: _plain(value) for name, value in numbers.items()},
            "says": self.says(),
        }


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def floor(value: float, digits: int = DIGITS) -> float:
    """The greatest number of so many digits that is not above the value."""
    return _rounded(value, digits, ROUND_FLOOR)


def ceiling(value: float, digits: int = DIGITS) -> float:
    """The least number of so many digits that is not below the value."""
    return _rounded(value, digits, ROUND_CEILING)


def _rounded(value: float, digits: int, way: str) -> float:
    if not math.isfinite(value):
        return value
    short = float(Context(prec=digits, rounding=way).create_decimal(Decimal(value)))
    inward = short > value if way == ROUND_FLOOR else short < value
    # A decimal number that is no float may be read as the next one inward, or as none at all.
    return value if inward or math.isinf(short) else short


def exact_words(value: float) -> str:
    """A number that reads back as the same one, without a point where it is whole."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def quoted(names: Iterable[str]) -> str:
    """Names in quotes, all of them, as the words of a guarantee list its columns."""
    return ", ".join(f"'{name}'" for name in names)
