"""Groups of records with nominal columns, by squared distances: 0 or 1 between categories, the mode in their middle."""

from __future__ import annotations

import numpy as np

from discreet._kernels.counting.tuples import tuples_of
from discreet.mask.attributes import Attribute, GrowingGroup, NumberGroup
from discreet.mask.coordinates import ScaledColumns
from discreet.mask.semantic_groups import adaptive_groups, fixed_groups, labels_of_records
from discreet.progress import SILENT, Progress
from discreet.table import FloatArray, IntArray


class Squares:
    """A column of numbers whose distances are squared differences and whose centre is the mean."""

    def __init__(self, values: FloatArray) -> None:
        self.values = values

    def to_centre(self, centre: float) -> FloatArray:
        apart: FloatArray = (self.values - centre) ** 2
        return apart

    def to_tuple(self, row: int) -> FloatArray:
        return self.to_centre(float(self.values[row]))

    def group(self) -> GrowingGroup:
        return NumberGroup(self.values)


class Matches:
    """A column of categories: `apart` is the squared distance of two that differ, and the centre is the mode."""

    def __init__(self, codes: IntArray, apart: float) -> None:
        self.codes = codes
        self.apart = apart

    def to_centre(self, centre: float) -> FloatArray:
        return np.where(self.codes == int(centre), 0.0, self.apart)

    def to_tuple(self, row: int) -> FloatArray:
        return self.to_centre(float(self.codes[row]))

    def group(self) -> GrowingGroup:
        return _MatchGroup(self.codes)


class _MatchGroup:
    def __init__(self, codes: IntArray) -> None:
        self.codes = codes
        self.counts = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.int64)

    def add(self, row: int, count: int) -> None:
        self.counts[self.codes[row]] += count

    def remove(self, row: int, count: int) -> None:
        self.counts[self.codes[row]] -= count

    def centre(self) -> float:
        return float(np.argmax(self.counts))


def mixed_groups(scaled: ScaledColumns, k: int, *, adaptive: bool, progress: Progress = SILENT) -> IntArray:
    """The group of each record, of fixed or adaptive size, by MDAV over numbers and categories; none is missing."""
    coded = [np.unique(column, return_inverse=True) for column in scaled.points.T]
    distinct = tuples_of(np.column_stack([which.reshape(-1) for _, which in coded]))
    attributes: list[Attribute] = [
        Matches(codes, apart) if apart else Squares(levels[codes])
        for codes, apart, (levels, _) in zip(distinct.codes.T, scaled.apart.tolist(), coded, strict=True)
    ]
    made = (adaptive_groups if adaptive else fixed_groups)(
        attributes, distinct.frequencies, k, progress=progress
    )
    return labels_of_records(made, distinct)
