"""The columns of an original beside what was published of them, whether tables hold them or datasets in parts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from discreet.dataset import Dataset
from discreet.release import Release, ReleaseInParts
from discreet.table import IntArray, Table


def columns_beside(
    original: Table | Dataset, release: Release | ReleaseInParts
) -> Iterator[tuple[str, Table, Table]]:
    """The name of each published column that the original has, with a table of either side that holds it.

    Of datasets one column is in memory at a time, and both tables are in the order of the original.
    """
    names = [name for name in release.table.names if name in original.names]
    if isinstance(original, Table) and isinstance(release, Release):
        yield from ((name, original, release.table) for name in names)
        return
    assert isinstance(original, Dataset)
    assert isinstance(release, ReleaseInParts)
    order = release.order
    places = None if order is None else np.argsort(order)
    del order
    for name in names:
        published = release.table.whole([name])
        yield name, original.whole([name]), published if places is None else published.take(places)


def truth_of(release: Release | ReleaseInParts) -> IntArray:
    """For each published record, in the order of `columns_beside`, the row of its original."""
    return release.truth if isinstance(release, Release) else np.arange(len(release.table))
