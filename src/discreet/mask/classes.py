"""Records that share values: strata and households as whole numbers."""

from __future__ import annotations

from collections.abc import Sequence

from discreet._kernels.counting.classes import class_sizes
from discreet.coding import codes_of
from discreet.errors import BadTable
from discreet.table import IntArray, Role, Table


def stratum_of(table: Table, columns: Sequence[str]) -> IntArray:
    """The stratum of each record, counted from 0: records alike in all the columns, missing being a value."""
    return class_sizes(codes_of(table, columns)).label


def strata_columns(table: Table, given: Sequence[str] | None, method: str) -> tuple[str, ...]:
    """The columns given, or those with the role 'stratum' where none is."""
    chosen = table.having(Role.STRATUM) if given is None else tuple(given)
    if not chosen:
        raise BadTable(
            f"{method}: no column of '{table.name}' has the role 'stratum'. Name the strata, or give one that role."
        )
    return chosen


def household_of(table: Table, method: str) -> IntArray:
    """The household of each record, counted from 0; a record without a number is a household of its own."""
    households = table.households()
    if households is None:
        raise BadTable(
            f"{method}: no column of '{table.name}' has the role 'household', so households are not known."
        )
    return class_sizes(households[:, None]).label
