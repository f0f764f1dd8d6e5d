"""The one column where a method takes only one."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.errors import BadParameter


def only_column(columns: Sequence[str], name: str, method: str) -> str:
    """The one column that was asked for."""
    if len(columns) != 1:
        raise BadParameter(f"{method}: {name} must be one column; got {len(columns)}.")
    return columns[0]
