"""Clues from published parameters on a handful of records, by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri

from discreet.attack.clues.kinds import Points, PublishedStep, Range, StepClues
from discreet.attack.clues.noise import _shares, likely_noise
from discreet.attack.clues.ordering import kept_order
from discreet.attack.clues.swapping import swapped_ranks, window
from discreet.attack.fusion.precision import error_variances, read_published
from discreet.attack.points import points_at
from discreet.manifest import PublicManifest
from discreet.table import Table

Values = list[float | None]


def numbers(**columns: Sequence[float | None] | Sequence[str]) -> Table:
    return Table.of(pl.DataFrame(columns), roles={}, rest="quasi-identifier")


def step(known: Table, masked: Table, **more: Any) -> PublishedStep:
    given: dict[str, Any] = {
        "method": "any",
        "parameters": {},
        "columns": known.names,
        "blanked": frozenset(),
        "blanked_before": frozenset(),
        "whole": True,
        "dropped_after": False,
        **more,
    }
    return PublishedStep(known=known, masked=masked, **given)


def the_points(told: StepClues) -> tuple[Any, Any]:
    (points,) = told.clues
    assert isinstance(points, Points)
    return tuple(points_at(each, np.arange(each.shape[0])) for each in (points.known, points.masked))  # type: ignore[return-value]


def the_range(told: StepClues) -> Range:
    (found,) = told.clues
    assert isinstance(found, Range)
    return found


def noise(variant: str, known: Table, masked: Table, p: float = 0.5) -> tuple[Any, Any]:
    return the_points(likely_noise(step(known, masked, parameters={"p": p, "variant": variant})))


def test_noise_is_measured_in_its_own_spread_and_the_file_is_shrunk_back() -> None:
    # The mean of 1, 3 and 5 is 3, the variance 8/3; noise of half the spread is half of it wide.
    known, masked = noise("uncorrelated", numbers(x=[1.0, 3.0, 5.0]), numbers(x=[3.0, 7.0]))
    spread = math.sqrt(8 / 3)
    assert known[:, 0] == pytest.approx([-2 / spread / 0.5, 0, 2 / spread / 0.5])
    assert masked[:, 0] == pytest.approx([0, 4 / spread / 0.5 / math.sqrt(1.25)])
    # 'linear' noise was shrunk before it was published.
    _, linear = noise("linear", numbers(x=[1.0, 3.0, 5.0]), numbers(x=[3.0, 7.0]))
    assert np.abs(linear[:, 0]) == pytest.approx([0, 4 / spread / 0.5])


@pytest.mark.parametrize("variant", ["correlated", "linear"])
def test_noise_like_the_columns_is_measured_by_their_covariance(variant: str) -> None:
    x, y = [1.0, 2.0, 4.0, 7.0], [2.0, 1.0, 5.0, 3.0]
    table = numbers(x=[*x], y=[*y])
    known, masked = noise(variant, table, table, p=0.4)
    values = np.column_stack([x, y])
    inverse = np.linalg.inv(0.16 * np.cov(values, rowvar=False, bias=True))
    gap = values[0] - values[3]
    assert ((known[0] - known[3]) ** 2).sum() == pytest.approx(gap @ inverse @ gap)
    shrunk = values[3] - values.mean(axis=0)
    shrunk = shrunk / math.sqrt(1.16) if variant == "correlated" else shrunk
    away = values[0] - values.mean(axis=0) - shrunk
    assert ((known[0] - masked[3]) ** 2).sum() == pytest.approx(away @ inverse @ away)


def test_uncorrelated_noise_does_not_ask_how_columns_go_together() -> None:
    x, y = [1.0, 2.0, 4.0, 7.0], [1.0, 2.0, 4.0, 7.5]
    known, _ = noise("uncorrelated", numbers(x=[*x], y=[*y]), numbers(x=[*x], y=[*y]), p=0.4)
    expected = sum(((a[0] - a[3]) / np.std(a) / 0.4) ** 2 for a in (x, y))
    assert ((known[0] - known[3]) ** 2).sum() == pytest.approx(expected)


def test_a_missing_value_stands_at_the_mean_and_incomplete_records_say_nothing_of_the_covariance() -> None:
    x: Values = [1.0, 2.0, 4.0, 7.0, None]
    y: Values = [2.0, 1.0, 5.0, 3.0, 4.0]
    known, _ = noise("correlated", numbers(x=x, y=y), numbers(x=x, y=y))
    assert np.isfinite(known).all()
    means = np.array([3.5, 3.0])
    spreads = np.array([np.std([1, 2, 4, 7]), np.std([2, 1, 5, 3, 4])])
    standard = (np.array([[1, 2, 4, 7, 3.5], [2, 1, 5, 3, 4]]).T - means) / spreads
    inverse = np.linalg.inv(0.25 * np.cov(standard[:4], rowvar=False, bias=True))
    gap = standard[4] - standard[0]
    assert ((known[4] - known[0]) ** 2).sum() == pytest.approx(gap @ inverse @ gap)


def test_nonlinear_noise_goes_through_normal_scores() -> None:
    known, masked = noise(
        "nonlinear", numbers(x=[10.0, 20.0, 40.0, 40.0]), numbers(x=[15.0, 40.0, 5.0, 90.0])
    )
    # Shares below, half of the equal ones included: 1/8, 3/8 and 3/4 of four; 15 lies between the first two.
    scores = ndtri(np.array([1 / 8, 3 / 8, 3 / 4, 3 / 4]))
    back = ndtri(np.array([1 / 4, 3 / 4, 1 / 8, 7 / 8]))
    scale = 0.5 * scores.std()
    assert known[:, 0] - known[0, 0] == pytest.approx((scores - scores[0]) / scale)
    assert masked[:, 0] - known[0, 0] == pytest.approx((back - scores[0]) / scale)


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=8), st.lists(st.integers(-2, 22), min_size=1, max_size=8)
)
def test_shares_rise_with_the_values_and_are_never_nothing_or_all(
    ordered: list[int], halves: list[int]
) -> None:
    ranked = np.sort(np.array(ordered, dtype=np.float64))
    values = np.sort(np.array(halves) / 2)
    found = _shares(values, ranked)
    assert (np.diff(found) >= -1e-12).all()
    assert ((found >= 0.5 / len(ordered)) & (found <= 1 - 0.5 / len(ordered))).all()
    for value, share in zip(values, found, strict=True):
        below, equal = (
            sum(each < value for each in ordered),
            ordered.count(int(value)) if value % 1 == 0 else 0,
        )
        if equal:
            assert share == pytest.approx((below + equal / 2) / len(ordered))
        else:
            assert (
                max(below - 0.5, 0.5) - 1e-9
                <= share * len(ordered)
                <= min(below + 0.5, len(ordered) - 0.5) + 1e-9
            )
    assert np.isnan(_shares(np.array([np.nan, 1.0]), np.empty(0))).all()
    assert np.isnan(_shares(np.array([np.nan]), ranked)).all()


@given(
    st.lists(st.one_of(st.none(), st.integers(0, 6)), min_size=1, max_size=8),
    st.lists(st.integers(0, 6), max_size=8),
    st.integers(0, 4),
)
def test_a_window_holds_what_is_so_many_positions_away(
    values: Values, ordered: list[int], reach: int
) -> None:
    ranked = sorted(ordered)
    floats = np.array([np.nan if each is None else each for each in values], dtype=np.float64)
    low, high = window(floats, np.array(ranked, dtype=np.float64), reach)
    for value, one, other in zip(values, low, high, strict=True):
        if value is None:
            assert np.isnan(one)
            assert np.isnan(other)
        elif not ranked:
            assert (one, other) == (np.inf, -np.inf)
        else:
            first, last = sum(each < value for each in ranked), sum(each <= value for each in ranked) - 1
            assert one == ranked[min(max(0, first - reach), len(ranked) - 1)]
            assert other == ranked[min(max(0, last + reach), len(ranked) - 1)]


def swap(variant: str, known: Table, masked: Table, **more: Any) -> StepClues:
    parameters = {"p": 20, "variant": variant} if "parameters" not in more else more.pop("parameters")
    return swapped_ranks(step(known, masked, parameters=parameters, **more))


TEN = numbers(x=[float(each) for each in range(10)])


def test_a_swapped_value_is_within_p_percent_of_the_ranks() -> None:
    found = the_range(swap("window", numbers(x=[5.0, 0.0, None]), TEN))
    assert found.low.tolist()[:2] == [3, 0]
    assert found.high.tolist()[:2] == [7, 2]
    assert np.isnan([found.low[2], found.high[2]]).all()
    assert found.axis.tolist() == list(range(10))
    assert not found.may_vanish
    assert found.columns == ("x",)
    told = the_range(swap("window", numbers(x=[5.0]), TEN, p_at_most=40))
    assert (told.low[0], told.high[0]) == (1, 9)


def test_cells_blanked_since_widen_the_window() -> None:
    blanked = numbers(x=[*(float(each) for each in range(8)), None, None])
    found = the_range(swap("window", numbers(x=[4.0]), blanked, blanked=frozenset({"x"})))
    # A fifth of ten ranks, and two more for the two that are blank.
    assert (found.low[0], found.high[0]) == (0, 7)
    assert found.may_vanish
    plain = the_range(swap("window", numbers(x=[4.0]), blanked))
    # A fifth of eight ranks.
    assert (plain.low[0], plain.high[0], plain.may_vanish) == (3, 5, False)


@pytest.mark.parametrize(
    ("variant", "usual"), [("buckets", math.sqrt(19 / 6)), ("distribution", math.sqrt(0.5))]
)
def test_other_swaps_say_how_far_values_usually_move(variant: str, usual: float) -> None:
    known, masked = the_points(swap(variant, numbers(x=[5.0, 2.5, None]), TEN))
    # The middle of the positions a value is at, over the usual move of a fifth of ten ranks.
    assert known[:, 0] * 2 * usual == pytest.approx([5.5, 3.0, 5.0])
    assert masked[:, 0] * 2 * usual == pytest.approx([each + 0.5 for each in range(10)])


def test_what_says_nothing_of_swaps_is_said() -> None:
    assert swap("window", TEN, TEN, parameters={"variant": "window"}).silent == {
        "x": "p is not published; give an upper bound of it"
    }
    assert swap("other", TEN, TEN).silent == {"x": "no attack on the variant 'other' is known"}
    assert swap("window", TEN, TEN, dropped_after=True).silent == {
        "x": "records were dropped after it, so ranks are not known"
    }
    for told in (swap("other", TEN, TEN), swap("window", TEN, TEN, dropped_after=True)):
        assert told.clues == ()


def test_a_kept_order_gives_each_known_value_the_masked_ones_of_its_ranks() -> None:
    known, masked = numbers(x=[3.0, 1.0, 3.0, None, 9.0]), numbers(x=[50.0, 20.0, None, 30.0, 10.0])
    found = the_range(kept_order(step(known, masked)))
    assert found.low[[0, 1, 2, 4]].tolist() == [20, 10, 20, 50]
    assert found.high[[0, 1, 2, 4]].tolist() == [30, 10, 30, 50]
    assert np.isnan([found.low[3], found.high[3]]).all()
    assert kept_order(step(known, masked, whole=False)).clues == ()
    few = kept_order(step(known, numbers(x=[1.0, 2.0])))
    assert few.clues == ()
    assert few.silent == {
        "x": "the intruder does not hold the whole file, so the ranks of known values are not known"
    }
    words = kept_order(step(numbers(c=["a", "b"]), numbers(c=["b", "a"])))
    assert words.silent == {"c": "it has no order"}
    bands = kept_order(step(numbers(x=[1.0, 5.0]), numbers(x=["[0, 2)", "[4, 6)"])))
    assert bands.silent == {"x": "it has no order"}


class Told:
    """The steps of a manifest, which is all that is read of it."""

    def __init__(self, *steps: dict[str, Any]) -> None:
        self.steps = steps


def read(
    values: list[float], *steps: tuple[str, dict[str, Any]], unit: float = 1.0
) -> tuple[list[float], float | None]:
    told: Any = Told(*({"method": name, "parameters": {"columns": ["x"], **given}} for name, given in steps))
    manifest: PublicManifest | None = told if steps else None
    found = read_published(np.array(values), manifest, "x", unit=unit)
    return found.values.tolist(), found.variance


def test_published_parameters_give_the_variance_of_the_errors() -> None:
    values = [1.0, 3.0, 5.0, math.nan]
    same, none = read(values)
    assert same[:3] == values[:3]
    assert none is None
    for variant in ("uncorrelated", "correlated"):
        _, variance = read(values, ("add_noise", {"p": 0.5, "variant": variant}))
        # The published variance of 8/3 is that of the values and a quarter of it.
        assert variance == pytest.approx(8 / 3 * 0.25 / 1.25)
    blown, variance = read(values, ("add_noise", {"p": 0.5, "variant": "linear"}))
    assert blown[:3] == pytest.approx([3 - 2 * math.sqrt(1.25), 3, 3 + 2 * math.sqrt(1.25)])
    assert variance == pytest.approx(8 / 3 * 0.25)
    assert read(values, ("round", {"base": 6}))[1] == pytest.approx(3)
    assert read(values, ("round", {"base": 6, "variant": "stochastic"}))[1] == pytest.approx(6)
    assert read(values, ("round", {"base": 6}), unit=2.0)[1] == pytest.approx(12)
    assert read(values, ("round", {"base": None}))[1] is None
    assert read(values, ("add_noise", {"p": 0.5, "variant": "nonlinear"}))[1] is None
    assert read(values, ("rank_swap", {"p": 5}))[1] is None
    assert read(values, ("round", {"base": 6}), ("round", {"base": 6}))[1] is None
    assert read(values, ("round", {"base": 6, "columns": ["y"]}))[1] is None
    assert read(values, ("round", {"base": 6, "columns": None}))[1] is None
    assert read([2.0, 2.0], ("add_noise", {"p": 0.5, "variant": "linear"})) == ([2.0, 2.0], 0.0)


def test_errors_that_are_not_published_follow_from_how_far_releases_are_apart() -> None:
    rng = np.random.default_rng(1)
    true = rng.normal(0, 10, 5000)
    spreads = (1.0, 2.0, 3.0)
    values = np.column_stack([true + rng.normal(0, spread, 5000) for spread in spreads])
    apart = {(i, j): np.var(values[:, i] - values[:, j]) for i, j in ((0, 1), (0, 2), (1, 2))}
    found = error_variances(values, [None, None, None])
    # Three sums of two are solved exactly.
    assert found[0] == pytest.approx((apart[0, 1] + apart[0, 2] - apart[1, 2]) / 2)
    assert found[2] == pytest.approx((apart[0, 2] + apart[1, 2] - apart[0, 1]) / 2)
    assert error_variances(values[:, :2], [1.5, None])[1] == pytest.approx(apart[0, 1] - 1.5)
    told = error_variances(values, [1.0, 4.0, 9.0])
    assert told.tolist() == [1.0, 4.0, 9.0]
    # Nothing is taken as exact.
    exact = error_variances(values, [0.0, 4.0, 9.0])
    assert exact[0] == pytest.approx(1e-12 * max(values.var(axis=0)))
    assert error_variances(np.zeros((3, 2)), [0.0, 0.0]).tolist() == [1.0, 1.0]
