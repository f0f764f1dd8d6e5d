"""Several records of one person: whose they are, and what hints at them where no column says so."""

from __future__ import annotations

import numpy as np
import polars as pl

from discreet.errors import listed
from discreet.table import IntArray, Role, Table

REPEATED = 0.05
"""From this share of records on that share their identifiers with another one, a warning is due."""


def persons_behind(original: Table, truth: IntArray) -> IntArray | None:
    """For each masked record the person it is about, by its original; None where the original tells no persons.

    A record that comes from nobody is a person of its own.
    """
    persons = original.persons()
    if persons is None:
        return None
    nobody = np.flatnonzero(truth < 0)
    behind: IntArray = np.full(len(truth), -1, dtype=np.int64)
    known = truth >= 0
    behind[known] = persons[truth[known]]
    behind[nobody] = int(persons.max(initial=-1)) + 1 + np.arange(len(nobody))
    return behind


def warnings_about(table: Table) -> tuple[str, ...]:
    """What a steward should know before such a table is published: that people may have several records unsaid."""
    repeating = _repeating_identifiers(table)
    if table.having(Role.PERSON) or not repeating:
        return ()
    known = table.frame.select(repeating).drop_nulls()
    shared = int(known.select(pl.struct(pl.all()).is_duplicated()).to_series().sum())
    if shared < max(1, REPEATED * len(table)):
        return ()
    return (
        f"{shared} of {len(table)} records share {listed(repeating)} with another record, so several records may be of "
        "one person, and each counts as a person of its own. Give the column that numbers people the "
        "role 'person'; where no two records are of one person, nothing is to be done.",
    )


def _repeating_identifiers(table: Table) -> list[str]:
    """The identifiers with values that are not all different: others number records, not people."""
    return [
        name
        for name in table.having(Role.IDENTIFIER)
        if table.frame[name].drop_nulls().n_unique() < len(table) - table.frame[name].null_count()
    ]
