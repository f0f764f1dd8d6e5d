"""Sampling weights, where a masking is asked to heed them."""

from __future__ import annotations

from discreet.errors import BadTable
from discreet.table import FloatArray, Table


def weights_of(table: Table, method: str) -> FloatArray:
    """The sampling weights; a table without is a named error."""
    weights = table.weights()
    if weights is None:
        raise BadTable(
            f"{method}: weighted needs sampling weights, and no column of '{table.name}' has that role."
        )
    return weights
