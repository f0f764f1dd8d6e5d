"""Distinct rows and equivalence classes, against counting in a dictionary."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet._kernels.arrays import Ints
from discreet._kernels.counting import classes, distinct
from discreet._kernels.counting.classes import class_sizes, class_sums
from discreet._kernels.counting.distinct import distinct_rows

CODES = st.integers(0, 4).flatmap(
    lambda width: st.lists(
        st.lists(
            st.one_of(st.integers(-2, 2), st.integers(-(2**63), 2**63 - 1)), min_size=width, max_size=width
        ),
        max_size=40,
    ).map(lambda rows: np.array(rows, np.int64).reshape(len(rows), width))
)


def by_dictionary(rows: Ints) -> tuple[list[int], list[int]]:
    keys = [tuple(row) for row in rows.tolist()]
    sizes = Counter(keys)
    label: dict[tuple[int, ...], int] = {}
    labels = [label.setdefault(key, len(label)) for key in keys]
    return [sizes[key] for key in keys], labels


@given(CODES, st.sampled_from([0, 4]), st.booleans())
def test_classes_are_those_of_a_dictionary(codes: Ints, dense_cells: int, hashed: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classes, "DENSE_CELLS_A_RECORD", dense_cells)
        patch.setattr(distinct, "numba_is_loaded", lambda: hashed)
        sizes, label = class_sizes(codes)
    expected_sizes, expected_label = by_dictionary(codes)
    assert sizes.tolist() == expected_sizes
    assert label.tolist() == expected_label
    assert sizes.dtype == label.dtype == np.int64


@given(CODES, st.sampled_from([0, 4]))
def test_sums_of_classes_are_those_of_a_dictionary(codes: Ints, dense_cells: int) -> None:
    weights = np.arange(len(codes)) ** 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classes, "DENSE_CELLS_A_RECORD", dense_cells)
        sums = class_sums(codes, weights)
    expected: Counter[tuple[int, ...]] = Counter()
    for row, weight in zip(codes.tolist(), weights.tolist(), strict=True):
        expected[tuple(row)] += weight
    assert sums.tolist() == [expected[tuple(row)] for row in codes.tolist()]


@given(CODES)
def test_distinct_rows_name_the_first_of_each_kind(codes: Ints) -> None:
    labels, firsts, counts = distinct_rows(codes)
    np.testing.assert_array_equal(codes[firsts][labels], codes)
    np.testing.assert_array_equal(labels[firsts], np.arange(len(firsts)))
    assert (np.diff(firsts) > 0).all()
    assert counts.sum() == len(codes)
    assert len(firsts) == len(set(map(tuple, codes.tolist())))


def test_many_records_are_classed_as_sorting_would() -> None:
    codes = np.random.default_rng(0).integers(0, 30, size=(50_000, 4))
    sizes, label = class_sizes(codes)
    _, inverse, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    np.testing.assert_array_equal(sizes, counts[inverse])
    pairs = np.unique(np.column_stack([label, inverse]), axis=0)
    assert len(pairs) == len(counts)


def test_zero_and_minus_zero_are_one_row() -> None:
    assert distinct_rows(np.array([[0.0], [-0.0], [1.0]])).labels.tolist() == [0, 0, 1]


def test_other_kinds_of_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="int64"):
        class_sizes(np.zeros((2, 2)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="float64 or int64"):
        distinct_rows(np.zeros((2, 2), np.int32))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="rows by columns"):
        distinct_rows(np.zeros(2))
