"""Two tables side by side: the numbers to compare, record by record, and the loss that comes of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from discreet.dataset import Dataset
from discreet.errors import NotComputable
from discreet.in_parts import holding, room_of
from discreet.matches import true_matches
from discreet.results import Loss
from discreet.stored import Matrix, Stored, StoredMatrix
from discreet.table import Described, FloatArray, IntArray, Table

TOO_FAR = 1e50
WEIGHTED = "statistics are weighted by the sampling weights of each table that has them"
UNWEIGHTED = "sampling weights are not used: every record counts alike"


def finite_numbers(table: Table, columns: Sequence[str]) -> FloatArray:
    """The columns as numbers, missing as NaN; infinite values, of which nothing can be computed, are refused."""
    values = table.numbers(columns)
    infinite = np.isinf(values).sum(axis=0)
    if infinite.any():
        worst = int(np.argmax(infinite))
        raise NotComputable(
            f"column '{columns[worst]}' of table '{table.name}' holds {int(infinite[worst])} infinite values, so "
            "its statistics have no value."
        )
    return values


def comparable_numbers(
    original: Table | Dataset, masked: Table | Dataset, columns: Sequence[str]
) -> tuple[Matrix, Matrix]:
    """The numbers of both tables, each column in a unit near its largest true value.

    No measure depends on the units, and squares of numbers near one neither overflow nor vanish. The unit is a power
    of two, so that no digit is lost. Those of datasets lie in files.
    """
    if isinstance(original, Table) and isinstance(masked, Table):
        return _comparable(original, masked, columns)
    assert isinstance(masked, Dataset)
    room = room_of(masked)

    def made(name: str) -> tuple[Stored, Stored]:
        true, published = _comparable(holding(original, name), holding(masked, name), [name])
        return room.stored(true[:, 0]), room.stored(published[:, 0])

    both = [room.once(("numbers", name), partial(made, name)) for name in columns]
    return (
        StoredMatrix(tuple(true for true, _ in both), len(original)),
        StoredMatrix(tuple(published for _, published in both), len(masked)),
    )


def _comparable(original: Table, masked: Table, columns: Sequence[str]) -> tuple[FloatArray, FloatArray]:
    true, published = finite_numbers(original, columns), finite_numbers(masked, columns)
    size = np.array(
        [_largest(true[:, place]) or _largest(published[:, place]) for place in range(len(columns))]
    )
    _, exponent = np.frexp(size)
    with np.errstate(over="ignore", under="ignore"):
        true, published = np.ldexp(true, -exponent), np.ldexp(published, -exponent)
    for place, name in enumerate(columns):
        if _largest(published[:, place]) > TOO_FAR:
            raise NotComputable(
                f"column '{name}' of table '{masked.name}' holds values more than {TOO_FAR:g} times as large as the "
                "largest true one, so its statistics have no value."
            )
    return true, published


def _largest(values: FloatArray) -> float:
    return float(np.fmax.reduce(np.abs(values), initial=0.0))


def paired_rows(original: Described, masked: Described, truth: IntArray | None) -> tuple[IntArray, IntArray]:
    """The rows of the original and the rows of the masked table that belong together, in the masked order.

    Masked records that come from nobody are left out.
    """
    owner = true_matches(original, masked, truth)
    rows = np.flatnonzero(owner >= 0)
    if len(rows) == 0:
        raise NotComputable(
            "no masked record comes from a record of the original, so there are no cells to compare."
        )
    return owner[rows], rows


def aligned_numbers(
    original: Table, masked: Table, columns: Sequence[str], truth: IntArray | None
) -> tuple[FloatArray, FloatArray]:
    """The comparable numbers, record by record; masked records that come from nobody are left out."""
    left, right = paired_rows(original, masked, truth)
    true, published = _comparable(original, masked, columns)
    return (
        true if _is_every_row(left, len(original)) else true[left],
        published if _is_every_row(right, len(masked)) else published[right],
    )


def aligned_columns(
    original: Table | Dataset, masked: Table | Dataset, columns: Sequence[str], truth: IntArray | None
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """The same, one column after the other."""
    for name in columns:
        true, published = aligned_numbers(holding(original, name), holding(masked, name), [name], truth)
        yield true[:, 0], published[:, 0]


def _is_every_row(rows: IntArray, count: int) -> bool:
    return len(rows) == count and bool((rows == np.arange(count)).all())


def loss_of(
    name: str,
    value: float,
    meaning: str,
    *,
    columns: Mapping[str, float] | None = None,
    left_out: int = 0,
    details: Mapping[str, Any] | None = None,
) -> Loss:
    """The loss, when it is a number: what overflowed on the way is no answer."""
    if not math.isfinite(value):
        raise NotComputable(
            f"{name}: the values are too large or too small to compute with. Change their units."
        )
    return Loss(
        name=name,
        loss=max(0.0, float(value)),
        meaning=meaning,
        columns=dict(columns or {}),
        left_out=int(left_out),
        details=dict(details or {}),
    )
