"""Learned linkage in the currency of plain linkage: never below it, and bounds that hold for expected links."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.attack.learning.conftest import KINDS

import discreet as dc
from discreet.attack.learned import WorstCase
from discreet.attack.learning import families
from discreet.attack.learning.both_ways import most_by_counting
from discreet.attack.learning.families import Family
from discreet.attack.learning.learn import learn
from discreet.attack.learning.measure import additive
from discreet.attack.learning.relink import expected_links
from discreet.attack.learning.standard import standardise
from discreet.attack.link import Direction

Floats = NDArray[np.float64]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
SECONDS = 20.0
few = settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow])


def table_of(values: Floats) -> dc.Table:
    names = [f"c{place}" for place in range(values.shape[1])]
    return dc.Table.of(pl.DataFrame(values, schema=names), roles={}, rest="quasi-identifier")


def census(folder: Path, columns: int) -> dc.Table:
    frame = pl.read_csv(folder / "census.csv")
    return dc.Table.of(frame.select(frame.columns[:columns]), roles={}, rest="quasi-identifier")


def microaggregated(table: dc.Table, groups: tuple[slice, ...], k: int) -> dc.Table:
    for group in groups:
        table = dc.mask.microaggregate(table, columns=list(table.names[group]), k=k).table
    return table


def check_against_plain(worst: WorstCase, original: dc.Table, masked: dc.Table) -> None:
    plain = max(dc.attack.link(original, masked, direction=each).risk for each in DIRECTIONS)
    assert worst.risk >= plain - 1e-12
    assert worst.interval is not None
    assert worst.interval[0] == worst.risk
    assert worst.most / worst.attempts >= worst.risk
    assert worst.found <= worst.bound
    assert worst.found <= worst.expected + 1e-9


@st.composite
def releases(draw: st.DrawFn, records: int = 7, width: int = 3) -> tuple[Floats, Floats]:
    """Some records in whole or broken numbers, and the same with noise, or in groups that share a row."""
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    count, columns = draw(st.integers(3, records)), draw(st.integers(1, width))
    original = random.normal(size=(count, columns)) * 3
    masked = original + random.normal(size=original.shape) * draw(st.sampled_from([0.3, 2.0]))
    if draw(st.booleans()):
        original, masked = np.round(original), np.round(masked)
    if draw(st.booleans()):
        group = np.argsort(np.argsort(original[:, 0], kind="stable")) // 2
        masked = np.array([masked[group == each].mean(axis=0) for each in group])
    return original, masked


@pytest.mark.parametrize(("distance", "metric"), KINDS)
@few
@given(pair=releases(), seconds=st.sampled_from([1e-6, SECONDS]))
def test_the_worst_case_is_never_below_plain_linkage_in_either_direction(
    distance: str, metric: bool, pair: tuple[Floats, Floats], seconds: float
) -> None:
    original, masked = map(table_of, pair)
    worst = dc.attack.learned(original, masked, distance=distance, metric=metric, seconds=seconds)
    check_against_plain(worst, original, masked)


@pytest.mark.parametrize(("distance", "metric"), KINDS)
@few
@given(pair=releases(), seed=st.integers(0, 10**6))
def test_no_parameters_are_expected_to_link_more_than_the_bound(
    distance: str, metric: bool, pair: tuple[Floats, Floats], seed: int
) -> None:
    worst = dc.attack.learned(*map(table_of, pair), distance=distance, metric=metric, seconds=SECONDS)
    left, right = map(standardise, pair)
    random = np.random.default_rng(seed)
    family = Family(distance, metric)
    for draw in range(200):
        # Weights of which some are zero leave ties that others do not.
        weights = random.dirichlet(np.ones(left.shape[1])) * (random.random(left.shape[1]) < 0.6 + draw % 2)
        if not weights.any():
            continue
        weights /= weights.sum()
        parameters = weights if distance == "owa" else family.embedded(Family("weighted"), weights)
        for one, other in ((left, right), (right, left)):
            assert expected_links(one, other, distance, parameters).sum() <= worst.most + 1e-9


@pytest.mark.parametrize(("distance", "metric"), KINDS)
@few
@given(seed=st.integers(0, 10**6), count=st.integers(2, 12))
def test_a_file_of_different_records_that_is_not_masked_gives_everybody_away(
    distance: str, metric: bool, seed: int, count: int
) -> None:
    table = table_of(np.random.default_rng(seed).normal(size=(count, 2)))
    worst = dc.attack.learned(table, table, distance=distance, metric=metric, seconds=SECONDS)
    assert worst.risk == 1.0
    assert worst.interval == (1.0, 1.0)
    assert "proven to be the most" in str(worst)


@few
@given(pair=releases())
def test_identical_published_rows_have_the_same_chance(pair: tuple[Floats, Floats]) -> None:
    worst = dc.attack.learned(*map(table_of, pair), seconds=SECONDS)
    assert worst.records is not None
    assert worst.records.sum() == pytest.approx(worst.expected)
    _, group = np.unique(pair[1], axis=0, return_inverse=True)
    for each in np.unique(group):
        assert np.ptp(worst.records[group.ravel() == each]) == 0


@few
@given(pair=releases(records=5, width=2))
def test_wider_kinds_find_no_less_than_narrower_ones(pair: tuple[Floats, Floats]) -> None:
    columns = pair[0].shape[1]
    kinds = [Family(*kind) for kind in KINDS]
    kinds += [Family("choquet", metric, size) for metric in (False, True) for size in range(1, columns + 1)]
    found = {kind: learn(*pair, **kind._asdict(), seconds=SECONDS, seed=0).found for kind in kinds}
    for wide in kinds:
        for narrow in wide.narrower:
            assert found[wide] >= found[narrow], (wide, narrow)


def test_every_kind_is_reached_from_its_special_cases() -> None:
    assert Family("bilinear_free").first() == [
        Family("weighted"),
        Family("bilinear", metric=True),
        Family("bilinear"),
    ]
    assert Family("choquet").first() == [Family("weighted"), Family("choquet", metric=True), Family("owa")]
    assert Family("choquet", additivity=1).first() == [Family("weighted")]
    assert Family("choquet", True, 3).narrower == (Family("weighted"), Family("choquet", True, 2))
    assert families.__doc__ is not None


@pytest.mark.parametrize("narrow", ["weighted", "owa"])
@given(seed=st.integers(0, 10**6))
def test_a_special_case_as_the_wider_kind_is_the_same_distance(narrow: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    left, right = random.normal(size=(2, 12, 3))
    weights = random.dirichlet(np.ones(3))
    wide = ["choquet"] if narrow == "owa" else ["choquet", "bilinear", "bilinear_free"]
    expected = expected_links(left, right, narrow, weights)
    for each in wide:
        parameters = Family(each).embedded(Family(narrow), weights)
        assert expected_links(left, right, each, parameters).tolist() == expected.tolist()
    assert Family("choquet").equal(3) == pytest.approx(additive(np.full(3, 1 / 3)))


def test_no_more_is_linked_than_there_are_different_rows() -> None:
    rows = np.array([[0.0], [0.0], [1.0], [5.0], [0.0]])
    people = np.array([[0.0], [1.0], [2.0], [3.0]])
    # To the three rows of 0, of which one is nobody's, two people; back each row of 0 has the same nearest people.
    assert most_by_counting(people, rows) == pytest.approx(2 / 3 + 2)
    assert most_by_counting(rows[:4], people) == pytest.approx(3)


def test_a_file_in_groups_of_five_is_not_called_safe(reference_data: Path) -> None:
    original = census(reference_data, 13)
    masked = microaggregated(original, (slice(None),), 5)
    worst = dc.attack.learned(original, masked, seconds=2)
    assert worst.found == worst.bound == 0
    check_against_plain(worst, original, masked)
    assert 0.18 < worst.risk <= worst.most / 1080 <= 0.2 + 1e-9
    assert worst.records is not None
    assert worst.records.max() <= 0.2


def test_the_bound_is_one_for_plain_linkage_too(reference_data: Path) -> None:
    original = census(reference_data, 7)
    masked = microaggregated(original, (slice(0, 3), slice(3, 7)), 8)
    worst = dc.attack.learned(original, masked, seconds=2)
    check_against_plain(worst, original, masked)
    assert worst.most >= worst.expected >= 807


def test_ties_of_pairs_of_columns_count_as_in_plain_linkage(reference_data: Path) -> None:
    whole = census(reference_data, 4)
    original = whole.take(np.sort(np.random.default_rng(0).choice(1080, 400, replace=False)))
    masked = microaggregated(original, (slice(0, 2), slice(2, 4)), 3)
    worst = dc.attack.learned(original, masked, seconds=SECONDS)
    check_against_plain(worst, original, masked)
    assert worst.found < worst.expected
    assert worst.most == worst.expected
    assert "proven to be the most" in str(worst)
