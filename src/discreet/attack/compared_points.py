"""What is left to compare by distance where a manifest gives clues: the columns that no clue has settled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from discreet.attack.clues.kinds import Clue, Points, Same
from discreet.comparing import AxisColumn, CategoryColumn, ComparedColumn

FEW_AXES = 20
MOST_COMPARED = 2e10
"""People times published records times axes: beyond, a sample of people is looked for in the whole file."""


class AxesCount(NamedTuple):
    """How many axes points have."""

    axes: int

    def most_tried(self, records: int) -> float:
        """How many people can be looked for in reasonable time."""
        return np.inf if self.axes <= FEW_AXES else MOST_COMPARED / (self.axes * records)


def axes_count(columns: Iterable[ComparedColumn], clues: Sequence[Clue]) -> AxesCount:
    """The axes of likelihoods, and of columns of which there is no clue."""
    axes = sum(clue.known.shape[1] for clue in clues if isinstance(clue, Points))
    clued = {name for clue in clues for name in clue.columns}
    axes += sum(
        1 if isinstance(each, AxisColumn) else each.levels for each in columns if each.name not in clued
    )
    return AxesCount(axes)


def settled_by(clues: Sequence[Clue]) -> set[str]:
    """The columns whose distance says no more than the clues: likelihoods, and those that must be the same."""
    return {
        name
        for clue in clues
        if isinstance(clue, Points) or (isinstance(clue, Same) and not clue.may_vanish)
        for name in clue.columns
    }


def can_go_back(clues: Sequence[Clue]) -> bool:
    """Whether likelihoods decide, beside columns that must be the same, so that records can look for people too."""
    hard = [clue for clue in clues if not isinstance(clue, Points)]
    return len(hard) < len(clues) and all(isinstance(clue, Same) and not clue.may_vanish for clue in hard)


def unsettled(columns: Iterable[ComparedColumn], settled: set[str], room: int) -> Iterator[ComparedColumn]:
    """The other columns, but for bands: being inside is all that they say. Categories as long as axes are left."""
    for column in columns:
        if column.name in settled or (isinstance(column, AxisColumn) and column.banded):
            continue
        if isinstance(column, CategoryColumn):
            room -= column.levels + len(column.holds)
            if room < 0:
                continue
        yield column
