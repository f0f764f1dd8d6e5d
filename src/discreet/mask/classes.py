"""Records that share values: strata and households as whole numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet._kernels.classes import class_sizes
from discreet.errors import BadTable
from discreet.mask.suppress import category_codes
from discreet.table import IntArray, Role, Table


def stratum_of(table: Table, columns: Sequence[str]) -> IntArray:
    """The stratum of each record, counted from 0: records alike in all the columns, missing being a value."""
    return class_sizes(category_codes(table, columns)).label


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
    holders = table.having(Role.HOUSEHOLD)
    if not holders:
        raise BadTable(
            f"{method}: no column of '{table.name}' has the role 'household', so households are not known."
        )
    codes = category_codes(table, holders).copy()
    alone = np.flatnonzero(codes[:, 0] == 0)
    codes[alone, 0] = codes.max(initial=0) + 1 + np.arange(len(alone))
    return class_sizes(codes).label
