"""Whole records: how many look alike, and how their distribution has changed."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import loss
from discreet.errors import NotComputable
from discreet.mask import recode, recode_numbers
from discreet.table import Table

Maker = Callable[..., Table]
VALUES = st.lists(st.sampled_from(["p", "q", "r", "s"]), min_size=1, max_size=20)


def column(values: list[str]) -> Table:
    return Table.of(pl.DataFrame({"a": values}), roles={}, rest="quasi-identifier")


def test_discernibility_is_the_sum_of_squared_class_sizes(nominal: Maker) -> None:
    original = nominal({"a": ["x", "y", "z", "z"], "b": ["u", "u", "u", "v"]})
    masked = nominal({"a": ["x", "x", "z", "z"], "b": ["u", "u", "u", "u"]})
    found = loss.discernibility(original, masked)
    assert found.details["original"] == 4
    assert found.details["masked"] == 8
    assert found.loss == pytest.approx((8 / 16 - 4 / 16) / (1 - 4 / 16))


def test_records_that_are_not_published_are_charged_the_whole_table(nominal: Maker) -> None:
    original, masked = nominal({"a": ["x", "y", "z", "w"]}), nominal({"a": ["x", "y"]})
    found = loss.discernibility(original, masked)
    assert found.details["masked"] == 1 + 1 + 2 * 4
    assert found.details["not_published"] == 2


def test_discernibility_is_0_to_1(nominal: Maker) -> None:
    original = nominal({"a": ["x", "y", "z", "z"]})
    assert loss.discernibility(original, nominal({"a": ["x"] * 4})).loss == 1
    assert loss.discernibility(original, nominal({"a": ["x", "y", "z", "w"]})).loss == 0


def test_discernibility_of_records_that_are_all_alike_has_no_value(nominal: Maker) -> None:
    with pytest.raises(NotComputable, match="nothing can be lost"):
        loss.discernibility(nominal({"a": ["x", "x"]}), nominal({"a": ["x", "x"]}))


def test_numbers_and_the_intervals_they_became_are_both_told_apart() -> None:
    original = Table.of(pl.DataFrame({"age": [30, 31, 50, 51]}), roles={}, rest="quasi-identifier")
    masked = recode_numbers(original, cuts=[40.0]).table
    assert loss.discernibility(original, masked).details["masked"] == 8


@given(VALUES, VALUES, st.sampled_from([0.1, 0.5, 2.0]))
def test_kl_is_that_of_the_smoothed_shares(old: list[str], new: list[str], smoothing: float) -> None:
    left, right = Counter(old), Counter(new)
    cells = sorted(left | right)
    f = [(left[cell] + smoothing) / (len(old) + smoothing * len(cells)) for cell in cells]
    g = [(right[cell] + smoothing) / (len(new) + smoothing * len(cells)) for cell in cells]
    expected = sum(p * math.log(p / q) for p, q in zip(f, g, strict=True))
    found = loss.kl_divergence(column(old), column(new), smoothing=smoothing)
    assert found.loss == pytest.approx(max(0.0, expected), abs=1e-12)
    assert found.details["gone"] == len(set(old) - set(new))


def test_intervals_are_penalised_by_their_width() -> None:
    ages = [10, 20, 30, 60, 110]
    original = Table.of(pl.DataFrame({"age": ages}), roles={}, rest="quasi-identifier")
    masked = recode_numbers(original, cuts=[20.0, 40.0]).table
    # "< 20" reaches down to 10 and ">= 40" up to 110.
    expected = [0.1, 0.2, 0.2, 0.7, 0.7]
    assert loss.certainty_penalty(original, masked).loss == pytest.approx(np.mean(expected))


def test_a_label_that_names_no_interval_is_as_wide_as_the_numbers_under_it() -> None:
    original = Table.of(pl.DataFrame({"age": [10, 20, 30, 110]}), roles={}, rest="quasi-identifier")
    words = Table.of(
        pl.DataFrame({"age": ["young", "young", "young", "old"]}), roles={}, rest="quasi-identifier"
    )
    assert loss.certainty_penalty(original, words).loss == pytest.approx(3 * 0.2 / 4)


def test_joined_categories_are_penalised_by_how_many_they_stand_for(nominal: Maker) -> None:
    original = nominal({"a": ["w", "x", "y", "z"]})
    masked = recode(original, mapping={"w": "other", "x": "other"}).table
    assert loss.certainty_penalty(original, masked).loss == pytest.approx((0.5 + 0.5) / 4)
    renamed = recode(original, mapping={"w": "double-u"}).table
    assert loss.certainty_penalty(original, renamed).loss == 0


def test_suppressed_cells_are_as_vague_as_can_be(nominal: Maker) -> None:
    original, masked = nominal({"a": ["x", "y", None]}), nominal({"a": ["x", None, None]})
    found = loss.certainty_penalty(original, masked)
    assert found.loss == 0.5
    assert found.left_out == 1


def test_a_day_that_became_its_year_is_penalised_by_the_length_of_the_year() -> None:
    days = [dt.date(1966, 1, 1), dt.date(1967, 5, 1), dt.date(1969, 12, 31)]
    original = Table.of(pl.DataFrame({"born": days}), roles={}, rest="quasi-identifier")
    years = pl.DataFrame({"born": [str(day.year) for day in days]})
    masked = Table.of(years, roles={}, rest="quasi-identifier", scales={"born": "nominal"})
    assert loss.certainty_penalty(original, masked).loss == pytest.approx(364 / (4 * 365))
