"""What is true of every file: invented files of a dozen records.

Some have few distinct values, or masked values that are those of the original in another order: there many distances
are equal on paper, and differ in their last bits as computed.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.attack.learning.conftest import KINDS, noisy

from discreet.attack.learning.learn import Learned, learn
from discreet.attack.learning.relink import relink

Floats = NDArray[np.float64]
Files = tuple[Floats, Floats]
SECONDS = 600.0
few = settings(max_examples=5, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def files(draw: st.DrawFn) -> Files:
    """A dozen records of two or three columns, masked by noise; half of the files in whole numbers, or swapped."""
    original, masked = noisy(
        draw(st.integers(8, 14)),
        draw(st.integers(2, 3)),
        draw(st.integers(0, 10**6)),
        amount=draw(st.sampled_from([0.3, 1.0, 2.0])),
    )
    kind = draw(st.sampled_from(["as drawn", "as drawn", "whole numbers", "swapped"]))
    if kind == "as drawn":
        return original, masked
    original = np.round(2 * original)
    if kind == "whole numbers":
        return original, np.round(2 * masked)
    # Each masked column holds the original values: the masked ones say only where.
    ranks = masked.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable")
    return original, np.take_along_axis(np.sort(original, axis=0), ranks, axis=0)


def worst_of(pair: Files, distance: str, metric: bool = False) -> Learned:
    worst = learn(*pair, distance=distance, metric=metric, seconds=SECONDS, seed=0)
    assert worst.optimal
    return worst


@few
@given(pair=files())
def test_wider_families_find_no_fewer_and_metrics_no_more(pair: Files) -> None:
    found = {kind: worst_of(pair, *kind).found for kind in KINDS}
    columns = pair[0].shape[1]
    equal = int(relink(*pair, distance="weighted", parameters=np.full(columns, 1 / columns)).sum())
    assert equal <= found["weighted", False] <= found["choquet", False]
    assert equal <= found["owa", False] <= found["choquet", False]
    assert found["weighted", False] <= found["bilinear", False] <= found["bilinear_free", False]
    for distance in ("weighted", "owa", "choquet", "bilinear"):
        assert found[distance, True] <= found[distance, False]


@pytest.mark.parametrize(("distance", "metric"), KINDS)
@few
@given(pair=files())
def test_the_parameters_in_plain_linkage_give_the_very_count_reported(
    distance: str, metric: bool, pair: Files
) -> None:
    worst = worst_of(pair, distance, metric)
    again = relink(*pair, distance=distance, parameters=worst.parameters)
    assert again.tolist() == worst.records.tolist()
    assert worst.found == int(again.sum()) == worst.bound


@pytest.mark.parametrize(("distance", "metric"), KINDS)
@few
@given(pair=files(), size=st.integers(2, 4))
def test_members_of_a_group_that_shares_its_masked_row_are_never_won(
    distance: str, metric: bool, pair: Files, size: int
) -> None:
    original, masked = pair
    order = np.argsort(original[:, 0], kind="stable")
    masked = masked.copy()
    masked[order[:size]] = masked[order[:size]].mean(axis=0)
    assert not worst_of((original, masked), distance, metric).records[order[:size]].any()


@pytest.mark.parametrize("distance", ["weighted", "choquet", "bilinear", "bilinear_free"])
@few
@given(pair=files(), column=st.integers(0, 1))
def test_a_column_in_clear_with_distinct_values_gives_everyone_away(
    distance: str, pair: Files, column: int
) -> None:
    original, masked = pair[0].copy(), pair[1].copy()
    original[:, column] = masked[:, column] = np.random.default_rng(0).permutation(len(original))
    assert worst_of((original, masked), distance).found == len(original)


@pytest.mark.parametrize(("distance", "metric"), KINDS)
@few
@given(pair=files(), seed=st.integers(0, 10**6))
def test_the_order_of_records_and_columns_changes_nothing(
    distance: str, metric: bool, pair: Files, seed: int
) -> None:
    random = np.random.default_rng(seed)
    original, masked = pair
    rows, columns = random.permutation(len(original)), random.permutation(original.shape[1])
    moved = original[rows][:, columns], masked[rows][:, columns]
    assert worst_of(pair, distance, metric).found == worst_of(moved, distance, metric).found
