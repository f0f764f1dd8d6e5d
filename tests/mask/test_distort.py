from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from discreet.errors import NotComputable, WrongScale
from discreet.mask import distort
from discreet.mask.distort import redrawn
from discreet.mask.families import COUNTS, DENSITIES, fit_counts, fit_density, kolmogorov_smirnov
from discreet.table import Table

LEVELS = ("low", "middle", "high")
whole = st.none() | st.integers(-1000, 1000)


def ages(values: Sequence[int | None]) -> Table:
    return Table.of(
        pl.DataFrame({"age": pl.Series(list(values), dtype=pl.Int64)}), roles={"age": "quasi-identifier"}
    )


def schools(values: Sequence[str | None]) -> Table:
    frame = pl.DataFrame({"school": pl.Series(list(values), dtype=pl.String)})
    return Table.of(frame, roles={"school": "quasi-identifier"}, orders={"school": LEVELS})


@given(st.lists(whole, max_size=40), st.sampled_from(["best", "empirical", "normal", "uniform", "laplace"]))
def test_numbers_keep_their_order_their_range_and_their_type(values: list[int | None], family: str) -> None:
    masked = distort(ages(values), family=family, seed=1).table.frame["age"]
    assert masked.dtype == pl.Int64
    assert [value is None for value in values] == [value is None for value in masked]
    pairs = [(old, new) for old, new in zip(values, masked, strict=True) if old is not None]
    present = [old for old, _ in pairs]
    assert all(min(present) <= new <= max(present) for _, new in pairs)
    for (old, new), (other, fresh) in product(pairs, pairs):
        assert old >= other or new <= fresh


@given(
    st.lists(st.sampled_from([*LEVELS, None]), max_size=40), st.sampled_from(["best", "empirical", *COUNTS])
)
def test_ordinal_columns_keep_their_order_and_their_levels(values: list[str | None], family: str) -> None:
    masked = distort(schools(values), family=family, seed=1).table.frame["school"].to_list()
    assert [value is None for value in values] == [value is None for value in masked]
    pairs = [
        (LEVELS.index(old), LEVELS.index(new)) for old, new in zip(values, masked, strict=True) if old and new
    ]
    for (old, new), (other, fresh) in product(pairs, pairs):
        assert old >= other or new <= fresh


@given(st.lists(st.integers(-1, 4), max_size=60), st.integers(0, 99))
def test_as_many_records_keep_their_category_as_the_new_counts_allow(values: list[int], seed: int) -> None:
    codes = np.array([0, *values], dtype=np.int64)
    fresh = redrawn(codes, 5, np.random.default_rng(seed))
    assert ((codes < 0) == (fresh < 0)).all()
    before, after = Counter(codes[codes >= 0].tolist()), Counter(fresh[fresh >= 0].tolist())
    kept = int((codes[codes >= 0] == fresh[codes >= 0]).sum())
    assert kept == sum(min(before[level], after[level]) for level in before)


def test_nominal_counts_are_drawn_anew() -> None:
    frame = pl.DataFrame({"region": ["north"] * 600 + ["south"] * 400})
    table = Table.of(frame, roles={"region": "quasi-identifier"})
    counts = [int((distort(table, seed=seed).table.frame["region"] == "north").sum()) for seed in range(200)]
    assert np.mean(counts) == pytest.approx(600, abs=4)
    assert np.std(counts) == pytest.approx(np.sqrt(240), rel=0.2)


@pytest.mark.parametrize("family", sorted(DENSITIES))
def test_the_family_that_values_come_from_is_near_and_the_best_no_farther(family: str) -> None:
    source = {
        "normal": stats.norm(5, 2),
        "lognormal": stats.lognorm(0.8),
        "exponential": stats.expon(2, 3),
        "uniform": stats.uniform(3, 6),
        "gamma": stats.gamma(2.5, scale=3),
        "weibull": stats.weibull_min(1.7, scale=4),
        "logistic": stats.logistic(1, 2),
        "laplace": stats.laplace(1, 2),
        "gumbel": stats.gumbel_r(1, 2),
        "beta": stats.beta(2, 5, scale=10),
    }[family]
    values = np.asarray(source.ppf((np.arange(2000) + 0.5) / 2000))
    fitted, best = fit_density(values, (family,)), fit_density(values, tuple(DENSITIES))
    assert fitted is not None
    assert best is not None
    assert best.distance <= fitted.distance < 0.025


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=50, unique=True))
def test_the_distance_is_that_of_scipy(values: list[float]) -> None:
    density = stats.norm(3, 40)
    ours = kolmogorov_smirnov(np.sort(values), density)
    assert ours == pytest.approx(stats.kstest(values, density.cdf).statistic)


def test_gamma_and_weibull_are_fitted_by_maximum_likelihood() -> None:
    values = np.sort(np.random.default_rng(2).gamma(2.5, 3, 400))
    for family, peer in (("gamma", stats.gamma), ("weibull", stats.weibull_min)):
        fitted = fit_density(values, (family,))
        assert fitted is not None
        shape, _, scale = peer.fit(values, floc=0)
        expected = peer(shape, scale=scale).cdf(values)
        assert np.asarray(fitted.density.cdf(values)) == pytest.approx(expected, abs=2e-3)


def test_ordinal_families_are_told_apart() -> None:
    binomial = np.round(stats.binom.pmf(np.arange(6), 5, 0.4) * 10_000).astype(np.int64)
    geometric = np.array([5000, 2500, 1250, 625, 312, 156])
    assert fit_counts(binomial, COUNTS)[0] == "binomial"
    assert fit_counts(geometric, COUNTS)[0] == "geometric"
    assert fit_counts(np.full(6, 100), COUNTS)[0] == "uniform"


def test_unbounded_draws_can_leave_the_range() -> None:
    table = ages(list(range(40, 60)) * 20)
    masked = distort(table, family="normal", bounded=False, seed=1).table.frame["age"]
    assert masked.min() < 40  # type: ignore[operator]
    assert masked.max() > 59  # type: ignore[operator]


def test_the_family_taken_is_a_fact_for_the_steward() -> None:
    generator = np.random.default_rng(1)
    table = Table.of(pl.DataFrame({"x": generator.normal(size=500)}), roles={"x": "quasi-identifier"})
    facts = distort(table, seed=1).facts
    assert facts["families"]["x"] in DENSITIES
    assert 0 < facts["distances"]["x"] < 0.1


def test_a_constant_column_stays() -> None:
    table = ages([7, 7, None, 7])
    assert distort(table, seed=1).table.frame.equals(table.frame, null_equal=True)


def test_dates_stay_dates() -> None:
    days = [date(2000, 1, day) for day in range(1, 29)]
    table = Table.of(pl.DataFrame({"born": days}), roles={"born": "quasi-identifier"})
    masked = distort(table, seed=1).table.frame["born"]
    assert masked.dtype == pl.Date
    assert masked.is_between(days[0], days[-1]).all()


def test_a_family_that_does_not_fit_is_a_named_error() -> None:
    with pytest.raises(NotComputable, match="no density of family 'gamma' can be fitted to column 'age'"):
        distort(ages([-1, 2, 3]), family="gamma")
    with pytest.raises(WrongScale, match="family 'gamma' has no meaning for the ordinal column 'school'"):
        distort(schools(["low", "high"]), family="gamma")
