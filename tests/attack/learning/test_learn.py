"""The worst case: against brute force, and by what must be true of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.attack.learning.brute_force import worst_case
from tests.attack.learning.conftest import KINDS, noisy

from discreet.attack.learning import learn as learn_module
from discreet.attack.learning import measure as fuzzy
from discreet.attack.learning.learn import Learned, learn
from discreet.attack.learning.relink import relink, relink_points
from discreet.attack.learning.setup import set_up
from discreet.attack.learning.standard import standardise
from discreet.errors import BadParameter, BadValues, Mismatch

Floats = NDArray[np.float64]
Files = tuple[Floats, Floats]


@pytest.fixture(scope="module")
def results(small: Files) -> dict[tuple[str, bool], Learned]:
    return {(d, m): learn(*small, distance=d, metric=m, seconds=600, seed=1) for d, m in KINDS}


@pytest.mark.parametrize(("distance", "metric"), [kind for kind in KINDS if kind != ("bilinear", True)])
@settings(max_examples=8)
@given(seed=st.integers(0, 10**6), coarse=st.booleans())
def test_the_worst_case_is_that_of_brute_force(distance: str, metric: bool, seed: int, coarse: bool) -> None:
    columns = 2 if distance == "bilinear_free" or seed % 2 else 3
    original, masked = noisy(7, columns, seed, amount=2.0)
    if coarse:
        original, masked = np.round(original), np.round(masked)
    worst = learn(original, masked, distance=distance, metric=metric, seconds=600, seed=0)
    assert worst.optimal
    assert worst.found == worst_case(distance, metric, standardise(original), standardise(masked))


@pytest.mark.parametrize(("distance", "metric"), KINDS)
def test_the_parameters_give_exactly_the_count_reported(
    results: dict[tuple[str, bool], Learned], small: Files, distance: str, metric: bool
) -> None:
    worst = results[distance, metric]
    again = relink(*small, distance=distance, parameters=worst.parameters)
    assert again.tolist() == worst.records.tolist()
    assert worst.found == int(again.sum())
    assert worst.found <= worst.bound <= 60
    assert worst.optimal == (worst.found == worst.bound)
    assert worst.optimal
    assert worst.learned_from == 60
    assert worst.interval is None


def test_wider_families_re_identify_no_fewer(results: dict[tuple[str, bool], Learned], small: Files) -> None:
    found = {kind: worst.found for kind, worst in results.items()}
    equal = int(relink(*small, distance="weighted", parameters=np.full(3, 1 / 3)).sum())
    assert equal <= found["weighted", False] <= found["choquet", False]
    assert equal <= found["owa", False] <= found["choquet", False]
    assert found["weighted", False] <= found["bilinear", False] <= found["bilinear_free", False]
    assert found["weighted", True] == found["weighted", False]
    assert found["owa", True] == found["owa", False]
    assert found["weighted", True] <= found["choquet", True] <= found["choquet", False]
    assert found["weighted", True] <= found["bilinear", True] <= found["bilinear", False]


def test_metrics_keep_to_their_constraints(results: dict[tuple[str, bool], Learned]) -> None:
    assert (results["weighted", True].parameters > 0).all()
    assert (results["owa", True].parameters > 0).all()
    measure = results["choquet", True].parameters
    assert (fuzzy.submodular_rows(3) @ measure[1:] >= -1e-12).all()
    assert np.linalg.eigvalsh(results["bilinear", True].parameters)[0] >= -1e-12


def test_plain_distances_keep_to_their_constraints(
    results: dict[tuple[str, bool], Learned], small: Files
) -> None:
    for kind in (("weighted", False), ("owa", False)):
        weights = results[kind].parameters
        assert (weights >= 0).all()
        assert weights.sum() == pytest.approx(1)
    measure = results["choquet", False].parameters
    assert (fuzzy.monotone_rows(3) @ measure[1:] >= 0).all()
    assert (measure[0], measure[-1]) == (0.0, 1.0)
    matrix = results["bilinear", False].parameters
    left, right = (standardise(each) for each in small)
    differences = left[:, None, :] - right[None, :, :]
    assert (np.einsum("ijk,kl,ijl->ij", differences, matrix, differences) >= -1e-9).all()


@pytest.mark.parametrize("additivity", [1, 2, 3])
def test_k_additive_measures_lie_between_weights_and_full_measures(
    results: dict[tuple[str, bool], Learned], small: Files, additivity: int
) -> None:
    worst = learn(*small, distance="choquet", additivity=additivity, seconds=600, seed=1)
    assert worst.optimal
    masses = fuzzy.moebius(worst.parameters)
    assert np.allclose(masses[fuzzy.sizes(3) > additivity], 0, atol=1e-9)
    low, high = results["weighted", False].found, results["choquet", False].found
    assert low <= worst.found <= high
    if additivity == 1:
        assert worst.found == low
    if additivity == 3:
        assert worst.found == high


@pytest.mark.parametrize("distance", ["weighted", "choquet", "bilinear"])
def test_a_column_in_clear_with_distinct_values_gives_everyone_away(distance: str) -> None:
    original, masked = noisy(80, 3, seed=2, amount=3.0)
    masked[:, 1] = original[:, 1]
    worst = learn(original, masked, distance=distance, seconds=600, seed=0)
    assert worst.found == worst.bound == 80


@pytest.mark.parametrize(("distance", "metric"), KINDS)
def test_records_that_share_a_masked_row_are_never_re_identified(
    grouped: Files, distance: str, metric: bool
) -> None:
    worst = learn(*grouped, distance=distance, metric=metric, seconds=600, seed=0)
    assert worst.found == worst.bound == 0
    assert not worst.records.any()


@pytest.mark.parametrize("distance", ["weighted", "owa", "choquet", "bilinear_free"])
def test_the_order_of_records_and_columns_does_not_matter(small: Files, distance: str) -> None:
    original, masked = small
    random = np.random.default_rng(0)
    rows, columns = random.permutation(60), random.permutation(3)
    here = learn(original, masked, distance=distance, seconds=600, seed=0)
    there = learn(
        original[rows][:, columns], masked[rows][:, columns], distance=distance, seconds=600, seed=0
    )
    assert here.optimal
    assert there.optimal
    assert here.found == there.found


def test_the_unit_of_a_column_does_not_matter(small: Files) -> None:
    original, masked = small
    scale, shift = np.array([1000.0, 0.01, 7.0]), np.array([5.0, -3.0, 100.0])
    here = learn(original, masked, seconds=600, seed=0)
    there = learn(original * scale + shift, masked * scale + shift, seconds=600, seed=0)
    assert here.found == there.found


def test_a_constant_column_changes_nothing(small: Files) -> None:
    original, masked = (np.column_stack([each, np.full(60, 4.2)]) for each in small)
    assert learn(original, masked, seconds=600, seed=0).found == learn(*small, seconds=600, seed=0).found


def test_the_same_seed_gives_the_same_result(small: Files) -> None:
    one, two = (learn(*small, distance="choquet", seconds=600, seed=7) for _ in range(2))
    assert one.parameters.tolist() == two.parameters.tolist()


def test_without_time_for_a_proof_the_best_found_comes_with_its_gap() -> None:
    original, masked = noisy(60, 3, seed=4, amount=0.6)
    full = learn(original, masked, distance="choquet", seconds=600, seed=0)
    short = learn(original, masked, distance="choquet", seconds=1e-6, seed=0)
    assert short.found <= full.found <= full.bound <= short.bound
    assert short.found < short.bound
    assert not short.optimal
    assert "at most" in str(short)


def test_without_a_proof_only_records_that_none_can_win_lower_the_bound(small: Files) -> None:
    worst = learn(*small, prove=False, seconds=600, seed=0)
    assert worst.found <= worst.bound
    assert worst.bound >= learn(*small, seconds=600, seed=0).found


def test_masked_rows_of_nobody_are_rivals_too(small: Files) -> None:
    original, masked = small
    plain = learn(original, masked, seconds=600, seed=0)
    more = learn(original, np.vstack([masked, masked]), seconds=600, seed=0)
    assert len(more.records) == 60
    assert plain.found > 0
    assert more.found == 0


def test_a_large_file_is_learned_from_a_part_and_counted_as_a_whole(
    small: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.attack.learning.learn.MOST_PAIRS", 0)
    monkeypatch.setattr("discreet.attack.learning.learn.FEWEST_RECORDS", 20)
    part = learn(*small, distance="owa", seconds=600, seed=0)
    monkeypatch.undo()
    whole = learn(*small, distance="owa", seconds=600, seed=0)
    assert part.learned_from == 20
    assert part.found <= whole.found <= part.bound
    assert part.interval is not None
    assert part.interval[0] == part.found / 60
    assert part.interval[0] <= part.interval[1] <= 1
    assert relink(*small, distance="owa", parameters=part.parameters).sum() == part.found


@pytest.mark.parametrize("seed", range(4))
def test_a_matrix_learned_from_a_part_counts_no_fewer_than_the_mahalanobis_distance(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.attack.learning.learn.MOST_PAIRS", 0)
    monkeypatch.setattr("discreet.attack.learning.learn.FEWEST_RECORDS", 10)
    original, masked = noisy(150, 4, seed=seed, amount=0.6)
    part = learn(original, masked, distance="bilinear", seconds=600, seed=seed)
    setup = set_up(standardise(original), standardise(masked), "bilinear", False, None)
    plain = setup.parameters(setup.starts(np.full(4, 1 / 4))[0])
    assert part.learned_from == 10
    assert part.found >= relink(original, masked, distance="bilinear", parameters=plain).sum()


def test_rivals_found_by_a_tree_lead_to_the_same_worst_case(
    small: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = learn(*small, seconds=600, seed=0)
    monkeypatch.setattr("discreet.attack.learning.blocks.MANY_PAIRS", 0)
    monkeypatch.setattr("discreet.attack.learning.blocks.FEW", 5)
    monkeypatch.setattr("discreet.attack.learning.relink.MANY_PAIRS", 0)
    by_tree = learn(*small, seconds=600, seed=0)
    assert by_tree.optimal
    assert by_tree.found == plain.found
    again = relink(*small, distance="weighted", parameters=by_tree.parameters)
    assert again.tolist() == by_tree.records.tolist()


@pytest.mark.parametrize("distance", ["weighted", "owa", "choquet"])
def test_no_time_to_drop_beaten_rivals_leads_to_the_same_worst_case(
    small: Files, monkeypatch: pytest.MonkeyPatch, distance: str
) -> None:
    plain = learn(*small, distance=distance, seconds=600, seed=0)
    monkeypatch.setattr("discreet.attack.learning.learn.PREPARING", -1.0)
    slowly = learn(*small, distance=distance, seconds=600, seed=0)
    assert slowly.optimal
    assert slowly.found == plain.found


@pytest.mark.parametrize("distance", ["weighted", "owa", "bilinear"])
def test_linkage_of_many_records_is_that_of_every_pair(distance: str) -> None:
    original, masked = noisy(1300, 3, seed=3, amount=0.2)
    parameters = np.diag([0.5, 0.3, 0.2]) if distance == "bilinear" else np.array([0.5, 0.3, 0.2])
    left, right = standardise(original), standardise(masked)
    squares = (left[:, None, :] - right[None, :, :]) ** 2
    far = (-np.sort(-squares, axis=2) if distance == "owa" else squares) @ np.array([0.5, 0.3, 0.2])
    own = far.diagonal().copy()
    np.fill_diagonal(far, np.inf)
    won = relink(original, masked, distance=distance, parameters=parameters)
    assert 0 < won.sum() < 1300
    assert won.tolist() == (own < far.min(axis=1)).tolist()


def test_parameters_do_not_lie_where_two_distances_are_equal_on_paper() -> None:
    # Whole numbers that are swapped, one column in clear: the Mahalanobis distance ties two masked rows.
    original, noise = noisy(14, 3, seed=52, amount=0.3)
    original = np.round(2 * original)
    ranks = noise.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable")
    masked = np.take_along_axis(np.sort(original, axis=0), ranks, axis=0)
    rows, columns = np.array([3, 0, 13, 4, 6, 11, 1, 2, 10, 12, 7, 9, 5, 8]), np.array([1, 0, 2])
    for files in ((original, masked), (original[rows][:, columns], masked[rows][:, columns])):
        worst = learn(*files, distance="bilinear_free", seconds=600, seed=0)
        assert worst.found == worst.bound == 14


@pytest.mark.parametrize(("distance", "metric"), KINDS)
@pytest.mark.parametrize(
    ("original", "masked", "found"),
    [
        (np.array([[0.0], [1.0]]), np.array([[0.1], [0.9]]), 2),
        (np.ones((5, 2)), np.ones((5, 2)), 0),
        (np.arange(12.0).reshape(6, 2), np.arange(12.0).reshape(6, 2), 6),
        (1e200 * np.arange(12.0).reshape(6, 2), 1e-200 * np.arange(12.0).reshape(6, 2), 6),
    ],
    ids=["two records", "constant", "unmasked", "far from one"],
)
def test_odd_files_get_a_proven_answer(
    original: Floats, masked: Floats, found: int, distance: str, metric: bool
) -> None:
    worst = learn(original, masked, distance=distance, metric=metric, seconds=600, seed=0)
    assert worst.found == worst.bound == found
    assert np.isfinite(worst.parameters).all()


def test_progress_is_told_what_is_found_and_what_is_proven(small: Files) -> None:
    told: list[tuple[float, float, str]] = []
    worst = learn(*small, seconds=600, seed=0, progress=lambda *said: told.append(said))
    assert all(done <= total for done, total, _ in told)
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert told[-1][:2] == (worst.found, worst.bound)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"distance": "wieghted"}, "Did you mean 'weighted'"),
        ({"distance": "bilinear_free", "metric": True}, "no metric"),
        ({"additivity": 2}, "belongs to the distance 'choquet'"),
        ({"distance": "choquet", "additivity": 4}, "from 1 to the number of columns, 3; got 4"),
        ({"seconds": 0.0}, "above 0"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_by_name(
    small: Files, asked: dict[str, object], said: str
) -> None:
    with pytest.raises(BadParameter, match=said):
        learn(*small, **asked)  # type: ignore[arg-type]


def test_a_measure_over_too_many_columns_is_refused_with_the_way_out() -> None:
    files = np.random.default_rng(0).normal(size=(2, 20, 11))
    with pytest.raises(BadParameter, match="additivity=2"):
        learn(*files, distance="choquet")


def test_files_that_do_not_belong_together_are_refused(small: Files) -> None:
    original, masked = small
    with pytest.raises(Mismatch, match="same columns"):
        learn(original, masked[:, :2])
    with pytest.raises(Mismatch, match="for every original"):
        learn(original, masked[:50])
    hole = masked.copy()
    hole[3, 1] = np.nan
    with pytest.raises(BadValues, match="1 records of the masked file"):
        learn(original, hole)


def test_parameters_of_the_wrong_shape_are_refused(small: Files) -> None:
    with pytest.raises(BadParameter, match="shape"):
        relink(*small, distance="choquet", parameters=np.ones(3))
    with pytest.raises(BadParameter, match="no learned distance"):
        relink(*small, distance="cosine", parameters=np.ones(3))


def test_weights_of_a_metric_are_moved_off_zero_without_losing_anybody(small: Files) -> None:
    left, right = (standardise(each) for each in small)
    whole = np.array([0.5, 0.3, 0.2])
    assert learn_module._positive(whole, left, right, "weighted") is whole
    some = np.array([0.6, 0.4, 0.0])
    moved = learn_module._positive(some, left, right, "weighted")
    assert (moved > 0).all()
    assert moved.sum() == pytest.approx(1)
    assert moved == pytest.approx(some, abs=1e-3)
    before, after = (int(relink_points(left, right, "weighted", each).sum()) for each in (some, moved))
    assert after >= before
