"""How far what analysts compute moved: statistics of single columns and associations of pairs, each from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from discreet.comparing import ComparedColumn, StoredColumn
from discreet.loss.lost_associations import association_chances
from discreet.loss.lost_categories import frequency_chance
from discreet.loss.lost_columns import Weights, is_blank
from discreet.loss.lost_lines import Lines, line_chances, lines_of
from discreet.table import FloatArray, Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LostStatistics:
    """The loss of each kind of statistic, a number for each column, and of each pair's association; NaN without one.

    `importance` and `importance_of_pairs` say how much each of them counts.
    """

    kinds: Mapping[str, FloatArray]
    pairs: FloatArray
    importance: FloatArray
    importance_of_pairs: FloatArray

    @property
    def by_column(self) -> FloatArray:
        """The mean over the kinds of statistics that a column has."""
        return _mean(np.vstack(list(self.kinds.values())), axis=0)

    @property
    def by_kind(self) -> dict[str, float]:
        """The mean of each kind of statistic that there is."""
        means = {
            name: float(_mean(each)) for name, each in {**self.kinds, "associations": self.pairs}.items()
        }
        return {name: each for name, each in means.items() if not np.isnan(each)}

    @property
    def loss(self) -> float | None:
        """The mean of two halves, the columns and the pairs, however many there are of each; None without any."""
        columns = _weighted_mean(self.by_column, self.importance)
        pairs = _weighted_mean(self.pairs, self.importance_of_pairs)
        halves = _mean(np.array([columns, pairs]))
        return None if np.isnan(halves) else float(halves)

    @property
    def undefined(self) -> int:
        """How many columns and pairs have no statistic in the original that could be lost."""
        return int(np.isnan(self.by_column).sum() + np.isnan(self.pairs).sum())


def _mean(values: FloatArray, axis: int | None = None) -> FloatArray:
    """The mean of the numbers among the values; NaN where there is none."""
    there = ~np.isnan(values)
    count = there.sum(axis=axis)
    total = np.where(there, values, 0.0).sum(axis=axis)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _weighted_mean(values: FloatArray, weights: FloatArray) -> float:
    """The mean of the numbers among the values by their weights; NaN where there is none."""
    there = ~np.isnan(values)
    total = float(weights[there].sum())
    return float((values[there] * weights[there]).sum()) / total if total > 0 else np.nan


def lost_statistics(original: Table, masked: Table, columns: Sequence[ComparedColumn]) -> LostStatistics:
    """What was lost of the statistics of the columns, with each table's sampling weights.

    The loss of a statistic is 1 - kept (1 - chance). `kept` is the share of the values that are still there, and
    `chance` how sure somebody could be, with a thousand of the original's records, that the statistic of those that are
    there is not the true one.
    """
    weights = weights_of(original), weights_of(masked)
    lines = lines_of(columns, weights)
    pairs = _lost(association_chances(lines, columns, weights), _kept(columns, weights))
    importance = [original[each.name].importance for each in columns]
    return _together(_lost_kinds(columns, lines, weights), pairs, importance)


def lost_statistics_in_parts(
    columns: Sequence[StoredColumn], importance: Sequence[float], weights: Weights
) -> LostStatistics:
    """The same of columns in files, of which two are held at a time."""
    kinds = []
    pairs = np.full((len(columns), len(columns)), np.nan)
    for place, each in enumerate(columns):
        one = [each.whole()]
        kinds.append(_lost_kinds(one, lines_of(one, weights), weights))
        for other in range(place + 1, len(columns)):
            two = [*one, columns[other].whole()]
            chances = association_chances(lines_of(two, weights), two, weights)
            pairs[place, other] = _lost(chances, _kept(two, weights))[0, 1]
    joined = {name: np.concatenate([each[name] for each in kinds]) for name in kinds[0]}
    return _together(joined, pairs, importance)


def _lost_kinds(columns: Sequence[ComparedColumn], lines: Lines, weights: Weights) -> dict[str, FloatArray]:
    """The loss of each kind of statistic of single columns."""
    chances = {
        **line_chances(lines, columns, weights),
        "frequencies": np.array([frequency_chance(each, weights) for each in columns], dtype=np.float64),
    }
    own = np.diagonal(_kept(columns, weights))
    return {name: _lost(each, own) for name, each in chances.items()}


def _together(
    kinds: Mapping[str, FloatArray], pairs: FloatArray, importance: Sequence[float]
) -> LostStatistics:
    """What single columns and pairs of them lost, each with what it counts."""
    above = np.triu_indices(len(importance), k=1)
    counts = np.array(importance)
    return LostStatistics(
        kinds=kinds,
        pairs=pairs[above],
        importance=counts,
        importance_of_pairs=np.outer(counts, counts)[above],
    )


def _lost(chance: FloatArray, kept: FloatArray) -> FloatArray:
    return np.asarray(1.0 - kept * (1.0 - chance))


def weights_of(table: Table) -> FloatArray:
    """What each record weighs: one, where no column tells."""
    given = table.weights()
    return np.ones(len(table)) if given is None else given


def _kept(columns: Sequence[ComparedColumn], weights: Weights) -> FloatArray:
    """For each pair of columns the share of records in which both are present, of what it was; at most 1.

    On the diagonal are the columns alone. NaN where the original has none.
    """
    blank = [is_blank(each) for each in columns]
    both = []
    for side in (0, 1):
        present = np.column_stack([~each[side] for each in blank]).astype(np.float64)
        total = weights[side].sum()
        # Not by `@`, whose threads spin for longer than so small a product takes.
        there = np.einsum("ij,ik->jk", present * weights[side][:, None], present)
        both.append(there / (total if total > 0 else 1.0))
    return np.where(both[0] > 0, np.minimum(1.0, both[1] / np.where(both[0] > 0, both[0], 1.0)), np.nan)
