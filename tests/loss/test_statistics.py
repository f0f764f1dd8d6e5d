"""IL1 to IL5 against their definitions, one cell and one pair at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest

from discreet import loss
from discreet.errors import NotComputable
from discreet.table import FloatArray, Table

Maker = Callable[..., Table]


def present(*columns: FloatArray) -> list[FloatArray]:
    keep = ~np.any([np.isnan(each) for each in columns], axis=0)
    return [each[keep] for each in columns]


def covariance(one: FloatArray, two: FloatArray) -> float:
    left, right = present(one, two)
    products = [(a - left.mean()) * (b - right.mean()) for a, b in zip(left, right, strict=True)]
    return float(sum(products)) / (len(left) - 1)


def test_il1_is_the_mean_relative_change_of_the_cells(numeric: Maker) -> None:
    original = numeric({"a": [2.0, -4.0, 5.0], "b": [10.0, 10.0, None]})
    masked = numeric({"a": [3.0, -4.0, 4.0], "b": [12.0, 9.0, 1.0]})
    found = loss.il1(original, masked)
    assert found.loss == pytest.approx((0.5 + 0 + 0.2 + 0.2 + 0.1) / 5)
    assert found.columns == {"a": pytest.approx(0.7 / 3), "b": pytest.approx(0.15)}
    assert found.left_out == 1


def test_il1_of_a_true_zero_is_relative_to_the_spread(numeric: Maker) -> None:
    original, masked = numeric({"a": [0.0, 2.0, 4.0]}), numeric({"a": [1.0, 2.0, 4.0]})
    assert loss.il1(original, masked).loss == pytest.approx((1 / 2) / 3)


def test_il1_counts_the_cells_that_have_no_scale(numeric: Maker) -> None:
    original, masked = numeric({"a": [0.0, 0.0, 0.0]}), numeric({"a": [1.0, 0.0, 0.0]})
    found = loss.il1(original, masked)
    assert (found.loss, found.left_out) == (0.0, 1)


def test_il1s_is_the_change_in_units_of_root_two_deviations(numeric: Maker) -> None:
    original, masked = numeric({"a": [0.0, 2.0, 4.0]}), numeric({"a": [1.0, 2.0, 4.0]})
    assert loss.il1s(original, masked).loss == pytest.approx(1 / (math.sqrt(2) * 2) / 3)


def test_il1_follows_the_truth_and_leaves_out_records_from_nobody(numeric: Maker) -> None:
    original = numeric({"a": [1.0, 2.0, 4.0]})
    masked = numeric({"a": [5.0, 9.0, 1.0]})
    truth = np.array([2, -1, 0])
    assert loss.il1(original, masked, truth=truth).loss == pytest.approx(0.25 / 2)


def test_the_statistics_are_those_of_their_definitions(
    matrix: Callable[[FloatArray], Table], two_matrices: tuple[FloatArray, FloatArray]
) -> None:
    true, published = two_matrices
    original, masked = matrix(true), matrix(published)
    old, new = true.T, published.T

    def change(statistic: Callable[..., float], *places: int) -> float:
        before = statistic(*(old[place] for place in places))
        return abs(before - statistic(*(new[place] for place in places))) / abs(before)

    def correlation(one: FloatArray, two: FloatArray) -> float:
        left, right = present(one, two)
        return covariance(left, right) / math.sqrt(covariance(left, left) * covariance(right, right))

    pairs = list(combinations(range(3), 2))
    means = [change(lambda column: float(np.nanmean(column)), place) for place in range(3)]
    variances = [change(lambda column: covariance(column, column), place) for place in range(3)]
    covariances = [change(covariance, *pair) for pair in combinations_with_replacement(range(3), 2)]
    correlations = [change(correlation, *pair) for pair in pairs]
    assert loss.il2(original, masked).loss == pytest.approx(np.mean(means))
    assert loss.il3(original, masked).loss == pytest.approx(np.mean(covariances))
    assert loss.il4(original, masked).loss == pytest.approx(np.mean(variances))
    assert loss.il5(original, masked).loss == pytest.approx(np.mean(correlations))
    assert loss.il5(original, masked).columns["a"] == pytest.approx(np.mean(correlations[:2]))
    parts = [
        loss.il1(original, masked).loss,
        *(float(np.mean(each)) for each in (means, covariances, variances, correlations)),
    ]
    assert loss.il(original, masked).loss == pytest.approx(100 * np.mean(parts))


def test_weights_of_two_are_records_counted_twice(numeric: Maker) -> None:
    rng = np.random.default_rng(8)
    true, published = rng.normal(3.0, 1.0, (40, 2)), rng.normal(3.5, 1.3, (40, 2))
    times = rng.integers(0, 4, 40)

    def weighted(values: FloatArray) -> Table:
        return numeric(dict(zip("ab", values.T.tolist(), strict=True)), weight=times.tolist())

    def repeated(values: FloatArray) -> Table:
        return numeric(dict(zip("ab", np.repeat(values, times, axis=0).T.tolist(), strict=True)))

    for measure in (loss.il2, loss.il3, loss.il4, loss.il5):
        by_weight = measure(weighted(true), weighted(published)).loss
        # Both tables scale by n/(n-1) of their own records, so relative changes agree exactly.
        assert by_weight == pytest.approx(measure(repeated(true), repeated(published)).loss)


def test_each_table_uses_its_own_weights(numeric: Maker) -> None:
    original = numeric({"a": [1.0, 3.0]}, weight=[1.0, 1.0])
    masked = numeric({"a": [1.0, 3.0]}, weight=[1.0, 3.0])
    assert loss.il2(original, masked).loss == pytest.approx(0.25)
    assert loss.il2(original, numeric({"a": [1.0, 3.0]})).loss == 0.0


def test_a_column_made_constant_has_lost_its_correlations(numeric: Maker) -> None:
    original = numeric({"a": [1.0, 2.0, 3.0, 4.0], "b": [2.0, 1.0, 4.0, 3.0]})
    masked = numeric({"a": [2.5, 2.5, 2.5, 2.5], "b": [2.0, 1.0, 4.0, 3.0]})
    assert loss.il5(original, masked).loss == 1.0
    assert loss.il4(original, masked).loss == 0.5


def test_a_zero_mean_is_left_out_and_counted(numeric: Maker) -> None:
    original = numeric({"a": [-0.1, 0.2, -0.1], "b": [1.0, 2.0, 3.0]})
    masked = numeric({"a": [-0.1, 0.3, -0.1], "b": [1.0, 2.0, 3.6]})
    found = loss.il2(original, masked)
    assert found.loss == pytest.approx(0.1)
    assert found.left_out == 1


def test_il_of_one_column_averages_four_parts_and_says_so(numeric: Maker) -> None:
    original, masked = numeric({"a": [1.0, 2.0, 4.0]}), numeric({"a": [1.0, 2.0, 5.0]})
    found = loss.il(original, masked)
    parts = [measure(original, masked).loss for measure in (loss.il1, loss.il2, loss.il3, loss.il4)]
    assert found.loss == pytest.approx(100 * np.mean(parts))
    assert found.details["without"] == ["il5"]
    assert found.left_out == 1


def test_infinite_values_are_named_and_refused(numeric: Maker) -> None:
    original, masked = numeric({"a": [1.0, 2.0]}), numeric({"a": [1.0, math.inf]})
    for measure in (loss.il1, loss.il1s, loss.il2, loss.il3, loss.il4, loss.il, loss.pil, loss.sse):
        with pytest.raises(NotComputable, match=r"column 'a' .* 1 infinite"):
            measure(original, masked)


def test_units_however_extreme_do_not_matter(numeric: Maker) -> None:
    old, new = [1.0, 2.0, 4.0], [1.0, 3.0, 5.0]
    for measure in (loss.il1, loss.il1s, loss.il2, loss.il3, loss.il4, loss.pil, loss.sse):
        expected = measure(numeric({"a": old}), numeric({"a": new})).loss
        for unit in (1e-300, 1e300):
            found = measure(
                numeric({"a": [unit * each for each in old]}), numeric({"a": [unit * each for each in new]})
            )
            assert found.loss == pytest.approx(expected)


def test_values_beyond_any_comparison_are_not_computable(numeric: Maker) -> None:
    original, masked = numeric({"a": [1e-200, 2e-200]}), numeric({"a": [1e200, 3e200]})
    for measure in (loss.il1, loss.il4, loss.pil, loss.sse):
        with pytest.raises(NotComputable, match="times as large as the largest true one"):
            measure(original, masked)
