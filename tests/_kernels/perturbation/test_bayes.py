from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from discreet._kernels.perturbation.bayes import draw_between, draw_classes, draw_discriminant, draw_line


def test_drawn_coefficients_scatter_about_the_least_squares_ones_as_they_should() -> None:
    generator = np.random.default_rng(1)
    points = np.column_stack([np.ones(60), generator.normal(size=(60, 2))])
    values = points @ np.array([1.0, 2.0, -1.0]) + generator.normal(size=60)
    lines = [draw_line(points, values, generator) for _ in range(4000)]
    drawn = np.array([line.coefficients for line in lines if line is not None])
    best, left, _, _ = np.linalg.lstsq(points, values, rcond=None)
    freedom = 60 - 3
    # The posterior of coefficients is a multivariate t with these degrees of freedom.
    expected = float(left[0]) / freedom * np.linalg.inv(points.T @ points) * freedom / (freedom - 2)
    assert drawn.mean(axis=0) == pytest.approx(best, abs=0.02)
    assert np.cov(drawn.T) == pytest.approx(expected, abs=0.004)
    squared = [line.deviation**2 for line in lines if line is not None]
    assert np.mean(squared) == pytest.approx(float(left[0]) / (freedom - 2), rel=0.03)


def test_directions_that_do_not_vary_are_left_out() -> None:
    generator = np.random.default_rng(2)
    known = generator.normal(size=50)
    points = np.column_stack([np.ones(50), known, 2 * known, np.zeros(50)])
    line = draw_line(points, 3 * known, generator)
    assert line is not None
    assert points @ line.coefficients == pytest.approx(3 * known, abs=1e-6)
    assert line.explained == pytest.approx(1.0)


def test_residuals_without_freedom_give_no_line() -> None:
    assert draw_line(np.eye(3), np.arange(3.0), np.random.default_rng(0)) is None


@given(
    st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=20),
    st.floats(0, 100),
    st.floats(-5, 5),
    st.floats(0, 10),
)
def test_draws_stay_between_their_bounds(
    means: list[float], deviation: float, low: float, width: float
) -> None:
    drawn = draw_between(np.array(means), deviation, low, low + width, np.random.default_rng(1))
    assert ((drawn >= low) & (drawn <= low + width)).all()


@pytest.mark.parametrize("mean", [-3.0, 0.2, 4.0])
def test_draws_between_bounds_are_truncated_normal(mean: float) -> None:
    drawn = draw_between(np.full(20_000, mean), 1.5, -1.0, 2.0, np.random.default_rng(3))
    expected = stats.truncnorm((-1 - mean) / 1.5, (2 - mean) / 1.5, mean, 1.5)
    assert stats.kstest(drawn, expected.cdf).statistic < 0.012


def test_classes_follow_what_tells_them_apart() -> None:
    generator = np.random.default_rng(4)
    codes = generator.choice(3, size=30_000, p=[0.5, 0.3, 0.2])
    points = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]])[codes] + generator.normal(size=(30_000, 2))
    by = draw_discriminant(points, codes, 3, generator)
    fresh = draw_classes(points, by, generator)
    assert (fresh == codes).mean() > 0.8
    assert np.bincount(fresh) / 30_000 == pytest.approx([0.5, 0.3, 0.2], abs=0.02)
    # Where the classes are equally likely before, chances are those of the normal densities.
    middle = draw_classes(np.tile([1.5, 0.0], (20_000, 1)), by, generator)
    assert (middle == 0).mean() / (middle == 1).mean() == pytest.approx(5 / 3, rel=0.12)


def test_a_column_that_tells_classes_apart_exactly_is_no_trouble() -> None:
    codes = np.repeat([0, 1], 200)
    points = np.column_stack([np.ones(400), codes == 1]).astype(np.float64)
    generator = np.random.default_rng(5)
    fresh = draw_classes(points, draw_discriminant(points, codes, 2, generator), generator)
    assert (fresh == codes).mean() > 0.95


def test_a_line_counts_points_as_often_as_it_is_told() -> None:
    generator = np.random.default_rng(6)
    points = np.column_stack([np.ones(40), generator.normal(size=40)])
    values = points @ np.array([1.0, 2.0]) + generator.normal(size=40)
    times = generator.integers(0, 4, 40)
    lines = [draw_line(points, values, generator, times / times.mean()) for _ in range(3000)]
    drawn = np.array([line.coefficients for line in lines if line is not None])
    best = np.linalg.lstsq(np.repeat(points, times, axis=0), np.repeat(values, times), rcond=None)[0]
    assert drawn.mean(axis=0) == pytest.approx(best, abs=0.03)
    left = float((times * (values - points @ best) ** 2).sum() / times.mean())
    squared = [line.deviation**2 for line in lines if line is not None]
    assert np.mean(squared) == pytest.approx(left / ((times > 0).sum() - 2 - 2), rel=0.05)


def test_classes_count_as_often_as_they_are_told() -> None:
    generator = np.random.default_rng(7)
    codes = np.tile([0, 1], 10_000)
    points = codes[:, None] + generator.normal(size=(20_000, 1))
    counted = np.where(codes == 0, 1.6, 0.4)
    by = draw_discriminant(points, codes, 2, generator, counted)
    # Half-way between the means the densities are the same, and chances are those of the shares.
    middle = draw_classes(np.full((20_000, 1), 0.5), by, generator)
    assert (middle == 0).mean() == pytest.approx(0.8, abs=0.02)
