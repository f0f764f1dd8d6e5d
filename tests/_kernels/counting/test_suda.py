"""Minimal sample uniques and their scores, against trying every set of columns."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet._kernels.arrays import Ints
from discreet._kernels.counting import grouping
from discreet._kernels.counting.suda import MinimalUniques, minimal_uniques, suda_scores

CODES = st.integers(0, 5).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from([-7, 0, 1, 2, 2**62]), min_size=width, max_size=width), max_size=25
    ).map(lambda rows: np.array(rows, np.int64).reshape(len(rows), width))
)


def tried_uniques(codes: Ints, deepest: int) -> list[list[int]]:
    """For each record the masks of its minimal uniques, from counting on every set of columns."""
    rows = codes.tolist()
    width = codes.shape[1]

    def unique(record: int, columns: tuple[int, ...]) -> bool:
        mine = [rows[record][j] for j in columns]
        return sum([row[j] for j in columns] == mine for row in rows) == 1

    return [
        sorted(
            sum(1 << j for j in columns)
            for size in range(1, min(deepest, width) + 1)
            for columns in combinations(range(width), size)
            if unique(record, columns)
            and not any(
                unique(record, part) for smaller in range(1, size) for part in combinations(columns, smaller)
            )
        )
        for record in range(len(rows))
    ]


def as_lists(found: MinimalUniques) -> list[list[int]]:
    ends = found.indptr.tolist()
    return [found.masks[a:b].tolist() for a, b in pairwise(ends)]


@given(CODES, st.integers(1, 5), st.booleans())
def test_minimal_uniques_are_those_of_trying_every_set_of_columns(
    codes: Ints, deepest: int, hashed: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouping, "numba_is_loaded", lambda: hashed)
        found = minimal_uniques(codes, deepest)
    assert as_lists(found) == tried_uniques(codes, deepest)


@given(CODES, st.integers(1, 4))
def test_scores_sum_the_ways_to_reach_each_minimal_unique(codes: Ints, deepest: int) -> None:
    width = codes.shape[1]
    score, by_column = suda_scores(minimal_uniques(codes, deepest), width, deepest)
    for record, masks in enumerate(tried_uniques(codes, deepest)):
        points = {
            mask: prod(width - i for i in range(mask.bit_count(), min(deepest, width))) for mask in masks
        }
        assert score[record] == sum(points.values())
        for j in range(width):
            assert by_column[record, j] == sum(value for mask, value in points.items() if mask >> j & 1)


def test_a_small_file_has_the_uniques_one_sees_in_it() -> None:
    codes = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 1], [1, 0, 0]])
    found = minimal_uniques(codes, 3)
    assert as_lists(found) == [[0b101], [0b110], [], [], [0b001]]
    assert suda_scores(found, 3, 3).score.tolist() == [1.0, 1.0, 0.0, 0.0, 2.0]


def test_progress_counts_the_columns() -> None:
    seen: list[tuple[int, int]] = []
    minimal_uniques(np.zeros((3, 2), np.int64), 2, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_what_has_no_minimal_uniques_is_refused() -> None:
    with pytest.raises(ValueError, match="int64"):
        minimal_uniques(np.zeros((2, 2)), 2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="depth 0"):
        minimal_uniques(np.zeros((2, 2), np.int64), 0)
    with pytest.raises(ValueError, match="got 63 columns"):
        minimal_uniques(np.zeros((2, 63), np.int64), 1)
    with pytest.raises(ValueError, match="cannot be scored"):
        suda_scores(MinimalUniques(np.array([0, 1]), np.array([0b111])), 3, 2)
