"""The optimal univariate partition is compared with every possible one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet._kernels.clustering import univariate
from discreet._kernels.clustering.univariate import optimal_univariate


def squared_error(values: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    groups = [values[labels == group] for group in range(labels.max() + 1)]
    return float(sum(((group - group.mean()) ** 2).sum() for group in groups))


def least_squared_error(values: NDArray[np.float64], k: int) -> float:
    """By trying every first group of at least k values, whatever its length."""
    if len(values) == 0:
        return 0.0
    least = np.inf
    for size in range(k, len(values) + 1):
        head = float(((values[:size] - values[:size].mean()) ** 2).sum())
        least = min(least, head + least_squared_error(values[size:], k))
    return least


columns = st.lists(
    st.one_of(st.integers(-5, 5), st.floats(-1e6, 1e6, width=32)), min_size=1, max_size=14
).map(lambda values: np.sort(np.array(values, dtype=np.float64)))


@given(values=columns, k=st.integers(1, 5), offset=st.sampled_from([0.0, 1e9]))
def test_no_partition_has_a_smaller_squared_error(values: NDArray[np.float64], k: int, offset: float) -> None:
    k = min(k, len(values))
    values = values + offset
    found = squared_error(values, optimal_univariate(values, k))
    assert found <= least_squared_error(values, k) * (1 + 1e-9) + 1e-9


@given(values=st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=80).map(sorted), k=st.integers(1, 9))
def test_groups_are_runs_of_k_to_2k_minus_1_values(values: list[float], k: int) -> None:
    k = min(k, len(values))
    labels = optimal_univariate(np.array(values), k)
    sizes = np.bincount(labels)
    assert set(np.diff(labels).tolist()) <= {0, 1}
    assert labels[0] == 0
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1


@given(values=columns, k=st.integers(1, 5))
def test_compiled_and_plain_partitions_are_the_same(values: NDArray[np.float64], k: int) -> None:
    k = min(k, len(values))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(univariate, "PLAIN_COSTS", -1)
        compiled = optimal_univariate(values, k)
        patch.setattr(univariate, "PLAIN_COSTS", 1000)
        patch.setattr(univariate._shortest_path, "_machine_code", None)
        plain = optimal_univariate(values, k)
    assert plain.tolist() == compiled.tolist()


def test_a_far_outlier_does_not_blur_the_groups_of_the_others() -> None:
    fine = np.concatenate(
        [[-1e12], [-1e12 + 1], np.repeat(np.arange(2000) * 1e-3, 2) + np.tile([0, 1e-6], 2000)]
    )
    labels = optimal_univariate(np.sort(fine), 2)
    assert labels.tolist() == np.repeat(np.arange(2001), 2).tolist()


def test_of_equally_good_partitions_the_same_one_is_always_taken() -> None:
    assert optimal_univariate(np.zeros(7), 2).tolist() == [0, 0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("values", "k", "message"),
    [
        ([1.0, 2.0], 3, "groups of 3 cannot be made of 2 values"),
        ([2.0, 1.0], 1, "must be sorted"),
        ([1.0, np.nan], 1, "must be finite"),
    ],
)
def test_what_cannot_be_grouped_is_refused(values: list[float], k: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        optimal_univariate(np.array(values), k)
