"""Loss for a purpose: clustering, classification, regression, telling tables apart, principal components."""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import loss
from discreet.errors import BadParameter, NotComputable, WrongScale
from discreet.loss.partitions import adjusted_rand, partition_distance
from discreet.loss.pmse import propensity_scores
from discreet.table import FloatArray, Table

Maker = Callable[..., Table]
MatrixMaker = Callable[[FloatArray], Table]


def crossed(one: list[int], other: list[int]) -> FloatArray:
    table = np.zeros((max(one) + 1, max(other) + 1))
    for pair in zip(one, other, strict=True):
        table[pair] += 1
    return table


GROUPS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30)


@given(GROUPS)
def test_the_adjusted_rand_index_counts_pairs_of_records(pairs: list[tuple[int, int]]) -> None:
    from sklearn.metrics import adjusted_rand_score

    one, other = [first for first, _ in pairs], [second for _, second in pairs]
    assert adjusted_rand(crossed(one, other)) == pytest.approx(adjusted_rand_score(one, other))


@given(GROUPS)
def test_the_distance_of_partitions_is_that_of_its_definition(pairs: list[tuple[int, int]]) -> None:
    def information(labels: list[object]) -> float:
        shares = [labels.count(each) / len(labels) for each in set(labels)]
        return -sum(share * math.log2(share) for share in shares)

    one, other = [first for first, _ in pairs], [second for _, second in pairs]
    both = information(list(pairs))
    expected = (2 * both - information(list(one)) - information(list(other))) / both if both else 0.0
    found = partition_distance(crossed(one, other))
    assert found == pytest.approx(expected, abs=1e-12)
    assert 0 <= found <= 1 + 1e-12


@pytest.fixture
def blobs() -> FloatArray:
    rng = np.random.default_rng(3)
    return np.repeat([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]], 30, axis=0) + rng.normal(size=(90, 2))


def test_groups_far_apart_are_found_again_under_noise(matrix: MatrixMaker, blobs: FloatArray) -> None:
    noise = np.random.default_rng(4).normal(size=blobs.shape)
    found = loss.clustering(matrix(blobs), matrix(blobs + noise), clusters=3)
    assert found.loss == 0
    assert found.details["adjusted_rand"] == 1


def test_groups_of_exchanged_records_are_not_found_again(matrix: MatrixMaker, blobs: FloatArray) -> None:
    exchanged = np.random.default_rng(5).permutation(blobs)
    found = loss.clustering(matrix(blobs), matrix(exchanged), clusters=3)
    assert found.loss > 0.9
    assert loss.clustering(
        matrix(blobs), matrix(exchanged), clusters=3, measure="rand"
    ).loss == pytest.approx(1 - found.details["adjusted_rand"])


def test_the_truth_brings_exchanged_records_back(matrix: MatrixMaker, blobs: FloatArray) -> None:
    order = np.random.default_rng(5).permutation(len(blobs))
    assert loss.clustering(matrix(blobs), matrix(blobs[order]), clusters=3, truth=order).loss == 0


def test_no_more_groups_are_sought_than_records_differ(numeric: Maker) -> None:
    original, masked = numeric({"a": [1.0, 2.0, 3.0, 4.0]}), numeric({"a": [1.5, 1.5, 3.5, 3.5]})
    found = loss.clustering(original, masked, clusters=3)
    assert found.details["groups_in_original"] == 3
    assert found.details["groups_in_masked"] == 2
    with pytest.raises(NotComputable, match="no groups"):
        loss.clustering(numeric({"a": [1.0, 1.0]}), numeric({"a": [1.0, 1.0]}))


def least_squares(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Coefficients and HC1 standard errors, with the intercept first."""
    design = np.column_stack([np.ones(len(y)), x])
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ y
    residual = y - design @ coefficients
    meat = sum(np.outer(row, row) * e**2 for row, e in zip(design, residual, strict=True))
    variance = inverse @ meat @ inverse * len(y) / (len(y) - design.shape[1])
    return coefficients, np.sqrt(np.diag(variance))


def test_the_overlap_is_that_of_the_confidence_intervals(matrix: MatrixMaker) -> None:
    from scipy.stats import t

    rng = np.random.default_rng(11)
    true = rng.normal(size=(50, 3)) @ np.array([[1.0, 0.3, 0.4], [0.0, 1.0, -0.5], [0.0, 0.0, 1.0]])
    published = true + rng.normal(scale=0.3, size=true.shape)
    (b, s), (c, u) = (least_squares(each[:, :2], each[:, 2]) for each in (true, published))
    half = float(t.ppf(0.975, 47))
    overlaps = []
    for place in (1, 2):
        low = max(b[place] - half * s[place], c[place] - half * u[place])
        high = min(b[place] + half * s[place], c[place] + half * u[place])
        common = max(0.0, high - low)
        overlaps.append((common / (2 * half * s[place]) + common / (2 * half * u[place])) / 2)
    found = loss.regression(matrix(true), matrix(published), targets=["c"])
    assert found.loss == pytest.approx(1 - np.mean(overlaps))
    moved = np.median(np.abs(b - c)[1:] / s[1:])
    assert found.details["standard_errors_moved"]["c"] == pytest.approx(moved)


def test_weighted_regression_is_that_of_repeated_records_but_for_the_errors(numeric: Maker) -> None:
    rng = np.random.default_rng(2)
    x, times = rng.normal(size=60), rng.integers(1, 4, 60)
    y = x + rng.normal(size=60)
    weighted = numeric({"x": x.tolist(), "y": y.tolist()}, weight=times.tolist())
    repeated = numeric({"x": np.repeat(x, times).tolist(), "y": np.repeat(y, times).tolist()})
    found = loss.regression(weighted, repeated, targets=["y"], columns=["x"])
    assert found.details["standard_errors_moved"]["y"] == pytest.approx(0, abs=1e-9)
    assert 0 < found.loss < 0.5


def test_a_predictor_that_says_the_same_as_others_is_left_out(numeric: Maker) -> None:
    rng = np.random.default_rng(6)
    a, y = rng.normal(size=40), rng.normal(size=40)
    table = numeric({"a": a.tolist(), "b": (2 * a + 1).tolist(), "y": y.tolist()})
    found = loss.regression(table, table, targets=["y"])
    assert (found.loss, found.left_out) == (0.0, 1)


def test_a_coefficient_that_cannot_be_estimated_any_more_is_lost(numeric: Maker) -> None:
    rng = np.random.default_rng(6)
    a, b, y = (rng.normal(size=40).tolist() for _ in range(3))
    original = numeric({"a": a, "b": b, "y": y})
    masked = numeric({"a": [0.0] * 40, "b": b, "y": y})
    overlap_of_b = 1 - loss.regression(original, masked, targets=["y"], columns=["b"]).loss
    assert overlap_of_b == pytest.approx(1)
    assert 0.5 <= loss.regression(original, masked, targets=["y"]).loss < 0.75


def test_an_exact_relation_is_kept_or_lost(numeric: Maker) -> None:
    a = [float(each) for each in range(30)]
    original = numeric({"a": a, "y": [3 * each + 1 for each in a]})
    other = numeric({"a": a, "y": [4 * each + 1 for each in a]})
    assert loss.regression(original, original, targets=["y"], columns=["a"]).loss == 0
    assert loss.regression(original, other, targets=["y"], columns=["a"]).loss == 1


def test_targets_must_be_of_the_right_scale(nominal: Maker, numeric: Maker) -> None:
    words, numbers = nominal({"a": ["x", "y"] * 9}), numeric({"a": [1.0, 2.0] * 9})
    with pytest.raises(WrongScale, match="only numbers"):
        loss.regression(words, words, targets=["a"], columns=["a"])
    with pytest.raises(WrongScale, match="only categories"):
        loss.classification(numbers, numbers, targets=["a"])


def labelled(values: FloatArray, labels: list[str]) -> Table:
    frame = pl.DataFrame({"a": values[:, 0], "b": values[:, 1], "kind": labels})
    return Table.of(frame, roles={"kind": "confidential"}, rest="quasi-identifier")


@pytest.mark.parametrize("model", ["logistic", "tree"])
def test_a_masking_that_exchanges_records_makes_predictions_worse(blobs: FloatArray, model: str) -> None:
    labels = ["x"] * 30 + ["y"] * 30 + ["z"] * 30
    original = labelled(blobs, labels)
    exchanged = labelled(np.random.default_rng(8).permutation(blobs), labels)
    found = loss.classification(original, exchanged, model=model)
    accuracy = found.details["accuracy"]["kind"]
    assert accuracy["original to original"] > 0.95
    assert accuracy["guessing"] == pytest.approx(1 / 3, abs=0.05)
    assert found.loss == pytest.approx(accuracy["original to original"] - accuracy["masked to original"])
    for scenario in ("masked to original", "masked to masked", "original to masked"):
        assert loss.classification(original, exchanged, model=model, scenario=scenario).loss > 0.4


def test_nobody_is_tested_by_a_model_that_has_seen_them() -> None:
    rng = np.random.default_rng(9)
    values = rng.normal(size=(600, 2))
    table = labelled(values, rng.choice(["x", "y"], 600).tolist())
    order = rng.permutation(600)
    found = loss.classification(table, table.take(order), model="tree", truth=order)
    # Labels are coin tosses: only a model that had seen the tested records could be right more often.
    assert all(each < 0.6 for each in found.details["accuracy"]["kind"].values())


@pytest.mark.parametrize("labels", [["x"] * 40 + ["y"] * 50, ["x"] * 30 + ["y"] * 30 + ["z"] * 30])
def test_fits_of_a_classifier_that_do_not_settle_are_counted(
    blobs: FloatArray, labels: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = labelled(blobs, labels)
    assert "fits_not_settled" not in loss.classification(table, table, folds=2).details
    monkeypatch.setattr(import_module("discreet.loss.classification"), "MOST_STEPS", 1)
    assert loss.classification(table, table, folds=2).details["fits_not_settled"] == 4
    assert "fits_not_settled" not in loss.classification(table, table, folds=2, model="tree").details


def test_a_target_of_one_category_cannot_be_learnt(blobs: FloatArray) -> None:
    table = labelled(blobs, ["x"] * 90)
    with pytest.raises(NotComputable, match="two categories"):
        loss.classification(table, table)


def test_a_single_category_predicts_nothing() -> None:
    frame = pl.DataFrame({"a": ["x"] * 12, "kind": ["y", "z"] * 6})
    table = Table.of(frame, roles={"kind": "confidential"}, rest="quasi-identifier")
    with pytest.raises(NotComputable, match="a single category"):
        loss.classification(table, table)
    assert loss.pmse(table, table).loss == 0


def test_propensity_scores_are_those_of_the_greatest_likelihood() -> None:
    rng = np.random.default_rng(12)
    values = rng.normal(size=(400, 3)) * [1.0, 100.0, 0.01]
    published = (rng.random(400) < 1 / (1 + np.exp(-values[:, 0] - values[:, 1] / 200))).astype(float)
    scores, rank = propensity_scores(values, published)
    assert rank == 3
    # The likelihood is greatest where sum (y - p) = 0 and sum (y - p) x = 0 for every feature.
    assert (published - scores).sum() == pytest.approx(0, abs=1e-4)
    assert (published - scores) @ (values / values.std(axis=0)) == pytest.approx([0, 0, 0], abs=2e-3)


def test_a_regression_that_does_not_settle_gives_no_number(
    matrix: MatrixMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = np.random.default_rng(12).normal(size=(200, 3))
    monkeypatch.setattr(import_module("discreet.loss.pmse"), "MOST_STEPS", 1)
    with pytest.raises(NotComputable, match="does not settle"):
        loss.pmse(matrix(true), matrix(true * 2 + 1))


def test_a_random_draw_from_the_original_is_told_apart_as_chance_expects(matrix: MatrixMaker) -> None:
    rng = np.random.default_rng(13)
    true = rng.normal(size=(500, 3))
    original = matrix(true)
    ratios = [
        loss.pmse(original, matrix(true[rng.integers(0, 500, 300)])).details["ratio"] for _ in range(80)
    ]
    assert np.mean(ratios) == pytest.approx(1, abs=0.15)


def test_tables_that_can_be_told_apart_perfectly_have_the_worst_score(numeric: Maker) -> None:
    rng = np.random.default_rng(14)
    original = numeric({"a": rng.normal(size=200).tolist()})
    masked = numeric({"a": (rng.normal(size=200) + 50).tolist()})
    found = loss.pmse(original, masked)
    assert found.loss == pytest.approx(0.25, abs=0.001)
    assert found.details["share_of_worst"] == pytest.approx(1, abs=0.004)


def test_products_show_a_correlation_that_is_gone(matrix: MatrixMaker) -> None:
    rng = np.random.default_rng(15)
    true = rng.normal(size=(500, 2)) @ np.array([[1.0, 0.9], [0.0, 0.4]])
    original, masked = matrix(true), matrix(np.column_stack([true[:, 0], rng.permutation(true[:, 1])]))
    assert loss.pmse(original, masked, interactions=False).loss < 0.001
    assert loss.pmse(original, masked).loss > 0.05


def test_too_many_products_are_refused(numeric: Maker) -> None:
    wide = numeric({f"c{place}": [1.0, 2.0, 4.0] for place in range(30)})
    with pytest.raises(BadParameter, match="set interactions to false"):
        loss.pmse(wide, wide)
    assert loss.pmse(wide, wide, interactions=False).loss == pytest.approx(0, abs=1e-12)


def test_eigenvalues_are_those_of_the_correlation_matrix(matrix: MatrixMaker) -> None:
    rng = np.random.default_rng(16)
    true = rng.normal(size=(80, 3)) @ np.array([[1.0, 0.8, 0.1], [0.0, 1.0, 0.5], [0.0, 0.0, 1.0]])
    published = true + rng.normal(size=true.shape)
    before, after = (np.sort(np.linalg.eigvalsh(np.corrcoef(each.T)))[::-1] for each in (true, published))
    found = loss.eigenvalues(matrix(true), matrix(published))
    assert found.loss == pytest.approx(np.abs(before - after).sum() / 6)
    assert found.details["original"] == pytest.approx(before.tolist())


def test_a_column_made_constant_takes_its_variance_away(numeric: Maker) -> None:
    original = numeric({"a": [1.0, -1.0, 1.0, -1.0], "b": [1.0, 1.0, -1.0, -1.0]})
    masked = numeric({"a": [0.0, 0.0, 0.0, 0.0], "b": [1.0, 1.0, -1.0, -1.0]})
    found = loss.eigenvalues(original, masked)
    assert found.details["masked"] == pytest.approx([1.0, 0.0])
    assert found.loss == pytest.approx(0.25)
    with pytest.raises(NotComputable, match="fewer than two columns"):
        loss.eigenvalues(masked, original)
