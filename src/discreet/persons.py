"""Several records of one person: whose they are, and what hints at them where no column says so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.dataset import Dataset
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


def warnings_about(table: Table | Dataset) -> tuple[str, ...]:
    """What a steward should know before such a table is published: that people may have several records unsaid.

    Of a dataset the identifiers are read in parts, one after the other, with 8 bytes for each record in memory.
    """
    if table.having(Role.PERSON):
        return ()
    repeating = [name for name in table.having(Role.IDENTIFIER) if _shared(table, [name])]
    shared = _shared(table, repeating) if repeating else 0
    if shared < max(1, REPEATED * len(table)):
        return ()
    return (
        f"{shared} of {len(table)} records share {listed(repeating)} with another record, so several records may be of "
        "one person, and each counts as a person of its own. Give the column that numbers people the "
        "role 'person'; where no two records are of one person, nothing is to be done.",
    )


def _shared(table: Table | Dataset, columns: Sequence[str]) -> int:
    """How many records have the same values in these columns as another one; those with a blank among them have not."""
    parts = (part for _, part in table.parts(columns)) if isinstance(table, Dataset) else (table,)
    # A hash of 64 bits stands for the values: by chance two of a billion records share one in one run of forty.
    hashes = [part.frame.select(columns).drop_nulls().hash_rows(seed=0).to_numpy() for part in parts]
    counts = np.unique(np.concatenate(hashes), return_counts=True)[1]
    return int(counts[counts > 1].sum())
