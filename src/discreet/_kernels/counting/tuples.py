"""A file as its distinct tuples with their frequencies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Ints
from discreet._kernels.counting.classes import class_sizes


class Tuples(NamedTuple):
    """The distinct rows of codes, how often each occurs, and which of them each record is."""

    codes: Ints
    frequencies: Ints
    which: Ints


def tuples_of(codes: Ints, times: Ints | None = None) -> Tuples:
    """The distinct rows of int64 codes [records, columns], in the order of their codes.

    Row i stands for `times[i]` records, or for one. The order of the records does not matter to it. Costs time in
    proportion to the records, and sorts no more than the distinct rows.
    """
    label = class_sizes(codes).label
    number = int(label.max(initial=-1)) + 1
    first = np.empty(number, np.int64)
    first[label[::-1]] = np.arange(len(codes) - 1, -1, -1)
    distinct = codes[first]
    order = np.lexsort(distinct.T[::-1]) if codes.shape[1] else np.arange(number)
    rank = np.empty(number, np.int64)
    rank[order] = np.arange(number)
    which = rank[label]
    return Tuples(
        distinct[order], np.bincount(which, weights=times, minlength=number).astype(np.int64), which
    )
