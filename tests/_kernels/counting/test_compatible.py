"""Matches of records with missing values, against comparing all pairs."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet._kernels.counting import compatible
from discreet._kernels.counting.compatible import compare_all, compatible_counts

ROW = st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 1))


@given(
    st.lists(ROW, min_size=1, max_size=15),
    st.lists(st.tuples(ROW, st.integers(1, 4)), min_size=1, max_size=15),
)
def test_counts_are_those_of_all_pairs(
    queries: list[tuple[int, ...]], rows: list[tuple[tuple[int, ...], int]]
) -> None:
    tables = (
        np.array(queries, dtype=np.int64),
        np.array([row for row, _ in rows], dtype=np.int64),
        np.array([count for _, count in rows], dtype=np.int64),
    )
    with patch.object(compatible, "PAIRS", 0):
        by_pattern = compatible_counts(*tables)
    expected = [
        sum(
            count
            for row, count in rows
            if all(a == 0 or b == 0 or a == b for a, b in zip(query, row, strict=True))
        )
        for query in queries
    ]
    assert by_pattern.tolist() == expected
    assert compare_all(*tables).tolist() == expected


def test_nothing_to_compare_with_matches_nothing() -> None:
    nothing = np.empty((0, 2), dtype=np.int64)
    assert compatible_counts(np.ones((2, 2), np.int64), nothing, np.empty(0, np.int64)).tolist() == [0, 0]
    assert compatible_counts(nothing, np.ones((2, 2), np.int64), np.ones(2, np.int64)).tolist() == []
