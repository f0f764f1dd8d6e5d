from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import seeds
from discreet.all_records import BLOCK, drawn_by_rows, moments_of_parts, row_blocks
from discreet.table import FloatArray


def cloud(records: int) -> FloatArray:
    draw = np.random.default_rng(records)
    values = draw.normal(5, 3, (records, 3)) * [1, 1e6, 1e-6]
    values[draw.random((records, 3)) < 0.05] = np.nan
    return values


def test_moments_do_not_depend_on_where_the_parts_begin() -> None:
    values = cloud(5 * BLOCK + 77)
    once = moments_of_parts(lambda: [values])
    for cuts in ([BLOCK], [2 * BLOCK, 3 * BLOCK], [BLOCK, 2 * BLOCK, 3 * BLOCK, 4 * BLOCK, 5 * BLOCK]):
        parts = np.split(values, cuts)
        again = moments_of_parts(lambda parts=parts: parts)  # type: ignore[misc]
        for name in ("count", "power", "means", "spreads", "covariance", "low", "high"):
            assert np.array_equal(getattr(once, name), getattr(again, name)), name


def test_moments_are_those_of_numpy() -> None:
    values = cloud(3_000)
    found = moments_of_parts(lambda: [values])
    assert found.means * found.power == pytest.approx(np.nanmean(values, axis=0), rel=1e-12)
    assert found.spreads * found.power == pytest.approx(np.nanstd(values, axis=0, ddof=1), rel=1e-12)
    complete = values[~np.isnan(values).any(axis=1)]
    covariance = found.covariance * np.outer(found.power, found.power)
    assert covariance == pytest.approx(np.cov(complete, rowvar=False), rel=1e-10)
    assert found.low.tolist() == np.nanmin(values, axis=0).tolist()


def test_moments_of_very_large_numbers_stay_in_range() -> None:
    found = moments_of_parts(lambda: [np.array([[1e300], [-1e300], [1e300]])])
    assert found.means * found.power == pytest.approx(1e300 / 3)
    assert np.isfinite(found.spreads).all()


def test_moments_of_nothing_are_no_numbers() -> None:
    found = moments_of_parts(lambda: [np.full((3, 1), np.nan)])
    assert found.count.tolist() == [0]
    assert np.isnan(found.spreads).all()
    assert np.isnan(found.covariance).all()


@given(st.integers(0, 3), st.integers(0, 2**64), st.integers(1, 2 * BLOCK + 5))
def test_a_part_draws_what_the_whole_draws_for_its_records(first: int, seed: int, records: int) -> None:
    def draw(generator: np.random.Generator, number: int) -> FloatArray:
        return generator.random((number, 1))

    whole = drawn_by_rows(draw, seed, first=0, records=first * BLOCK + records)
    part = drawn_by_rows(draw, seed, first=first * BLOCK, records=records)
    assert np.array_equal(whole[first * BLOCK :], part)


def test_the_first_block_draws_from_the_stream_itself() -> None:
    assert next(row_blocks(5, 2, first=0, records=3)).generator.random() == seeds.generator(5, 2).random()


def test_parts_begin_with_a_block() -> None:
    with pytest.raises(ValueError, match="must begin with a block"):
        next(row_blocks(5, first=100, records=3))
