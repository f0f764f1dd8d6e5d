"""What is known of all records of a dataset, from passes over its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy

import numpy as np

from discreet.all_records import Moments, counts_of, moments_of_parts
from discreet.dataset import Dataset
from discreet.table import FloatArray, Role, Scale, levels_in_order


class AllParts:
    """All records of a dataset, for a mask that sees those from `first` on.

    Each statistic is worked out when it is first asked for, and kept: whoever asks on one part has it for all others.
    """

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self.first = 0
        self._moments: dict[tuple[str, ...], Moments] = {}
        self._counts: dict[tuple[str, bool], dict[object, float]] = {}

    def at(self, first: int) -> AllParts:
        """The same statistics, for the part that begins with this record."""
        there = copy(self)
        there.first = first
        return there

    def moments(self, columns: Sequence[str]) -> Moments:
        names = tuple(columns)
        if names not in self._moments:
            self._moments[names] = moments_of_parts(
                lambda: (part.numbers(names) for _, part in self.dataset.parts(names))
            )
        return self._moments[names]

    def numbers(self, column: str) -> FloatArray:
        out = np.empty(len(self.dataset))
        for first, part in self.dataset.parts([column]):
            out[first : first + len(part)] = part.numbers([column])[:, 0]
        return out

    def weights(self) -> FloatArray | None:
        holders = self.dataset.having(Role.WEIGHT)
        if not holders:
            return None
        found = [part.weights() for _, part in self.dataset.parts(holders)]
        return np.concatenate([each for each in found if each is not None])

    def levels(self, column: str) -> tuple[object, ...]:
        return tuple(self.counts(column))

    def counts(self, column: str, *, weighted: bool = False) -> Mapping[object, float]:
        asked = (column, weighted)
        if asked not in self._counts:
            self._counts[asked] = self._counted(column, weighted=weighted)
        return self._counts[asked]

    def _counted(self, column: str, *, weighted: bool) -> dict[object, float]:
        names = [column, *(self.dataset.having(Role.WEIGHT) if weighted else ())]
        found: dict[object, list[float]] = {}
        for _, part in self.dataset.parts(names):
            for level, count in counts_of(part, column, weighted=weighted).items():
                found.setdefault(level, []).append(count)
        return {level: float(np.sum(found[level])) for level in self._in_order(column, found)}

    def _in_order(self, column: str, levels: Mapping[object, object]) -> list[object]:
        described = self.dataset[column]
        if described.scale == Scale.ORDINAL and described.order:
            known = levels_in_order(described.order, self.dataset.types[column])
            return [level for level in known if level in levels]
        return sorted(levels)  # type: ignore[type-var]
