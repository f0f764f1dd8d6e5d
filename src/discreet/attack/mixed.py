"""Records of mixed columns for Gower's distance: numbers in standard deviations, categories as codes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet._kernels.gower import Mixed
from discreet.attack.points import compares_as_number, in_spreads, joint_codes, numbers_of
from discreet.table import FloatArray, IntArray, Table


def mixed_of(original: Table, masked: Table, keys: Sequence[str]) -> tuple[Mixed, Mixed]:
    """Both tables as numbers and codes, whose distance is the mean over the columns.

    Numbers and ranks differ by their distance in standard deviations, each table by its own, and not in ranges as
    Gower has it: one outlier would make the range so wide that the column counts for nothing. Categories differ by 0
    or 1. Missing is a value of its own, equal to missing alone: were it left out of the mean, as Gower has it, a record
    with few cells would be near to everybody.
    """
    numbers: list[tuple[FloatArray, FloatArray]] = []
    codes: list[tuple[IntArray, IntArray]] = []
    for name in keys:
        if compares_as_number(original, masked, name):
            ours, theirs = numbers_of(original, name), numbers_of(masked, name)
            numbers.append((in_spreads(ours), in_spreads(theirs)))
            if np.isnan(ours).any() or np.isnan(theirs).any():
                codes.append((np.isnan(ours).astype(np.int64), np.isnan(theirs).astype(np.int64)))
        else:
            left, right, count = joint_codes(original, masked, name)
            codes.append((np.where(left < 0, count, left), np.where(right < 0, count, right)))
    known, published = (
        Mixed(
            np.column_stack([np.empty((count, 0)), *(pair[side] for pair in numbers)]),
            np.column_stack([np.empty((count, 0), np.int64), *(pair[side] for pair in codes)]),
        )
        for side, count in enumerate((len(original), len(masked)))
    )
    return known, published
