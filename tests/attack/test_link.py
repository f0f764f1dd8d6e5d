"""Linkage by distance, against trying every pair."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.attack.brute_force import shared

import discreet as dc
from discreet.assessment import assess
from discreet.attack import link
from discreet.attack.one_to_one import expected_hits, pair_by_auction, pair_off
from discreet.demo import table as census
from discreet.errors import BadParameter, BadValues, NotComputable
from discreet.intruder import Intruder
from discreet.plan import Plan
from discreet.protection import protect
from discreet.table import Table

Floats = NDArray[np.float64]


def numbers(values: Floats) -> Table:
    """A table of numeric quasi-identifiers a, b, c, …"""
    names = [chr(ord("a") + place) for place in range(values.shape[1])]
    return Table.of(pl.DataFrame(values, schema=names), roles={}, rest="quasi-identifier")


def standard(values: Floats) -> Floats:
    return np.asarray((values - values.mean(axis=0)) / values.std(axis=0))


def chances(distances: Floats, truth: NDArray[np.int64]) -> Floats:
    """1/t for each row whose true column is among its t nearest ones, tried one by one."""
    nearest = np.isclose(distances, distances.min(axis=1, keepdims=True), rtol=1e-12, atol=1e-12)
    return np.where(nearest[np.arange(len(truth)), truth], 1 / nearest.sum(axis=1), 0.0)


@pytest.fixture(scope="module")
def correlated() -> tuple[Floats, Floats]:
    """Forty records of three correlated columns, with noise that hardly touches one direction."""
    rng = np.random.default_rng(5)
    known = rng.normal(size=(40, 3)) @ np.array([[1.0, 0.9, 0.2], [0.0, 0.4, 0.5], [0.0, 0.0, 1.0]])
    masked = known + rng.normal(size=(40, 1)) * [0.8, 0.8, 0.0] + rng.normal(size=(40, 3)) * 0.05
    return known, masked


def test_euclidean_is_the_sum_of_squared_standardised_differences(correlated: tuple[Floats, Floats]) -> None:
    known, masked = correlated
    gaps = ((standard(masked)[:, None] - standard(known)[None]) ** 2).sum(axis=2)
    found = link(numbers(known), numbers(masked), distance="euclidean")
    assert found.records == pytest.approx(chances(gaps, np.arange(40)))
    assert found.details["distance"] == "euclidean"


def test_weights_multiply_squared_differences(correlated: tuple[Floats, Floats]) -> None:
    known, masked = correlated
    gaps = (np.array([0.1, 1.0, 4.0]) * (standard(masked)[:, None] - standard(known)[None]) ** 2).sum(axis=2)
    found = link(numbers(known), numbers(masked), distance="weighted", weights={"a": 0.1, "c": 4})
    assert found.records == pytest.approx(chances(gaps, np.arange(40)))


def test_mahalanobis_divides_by_the_variance_of_the_differences(correlated: tuple[Floats, Floats]) -> None:
    known, masked = correlated
    left, right = standard(known), standard(masked)
    both = np.cov(np.hstack([left, right]), rowvar=False, bias=True)
    variance = both[:3, :3] + both[3:, 3:] - both[:3, 3:] - both[3:, :3]
    gap = right[:, None] - left[None]
    gaps = np.einsum("ijk,kl,ijl->ij", gap, np.linalg.inv(variance), gap)
    found = link(numbers(known), numbers(masked), distance="mahalanobis")
    assert found.records == pytest.approx(chances(gaps, np.arange(40)))
    assert found.risk > link(numbers(known), numbers(masked), distance="euclidean").risk


def test_mahalanobis_counts_a_column_left_alone_the_most() -> None:
    rng = np.random.default_rng(1)
    known = rng.normal(size=(200, 3))
    masked = known + rng.normal(size=(200, 3)) * [0.0, 3.0, 3.0]
    assert link(numbers(known), numbers(masked), distance="mahalanobis").risk == 1
    assert link(numbers(known), numbers(known), distance="mahalanobis").risk == 1


def test_mahalanobis_learns_from_training_pairs_and_is_judged_on_the_others(
    correlated: tuple[Floats, Floats],
) -> None:
    known, masked = correlated
    training = np.arange(25)
    found = link(numbers(known), numbers(masked), distance="mahalanobis", training=training)
    assert found.attempts == 15
    assert found.records is not None
    assert found.risk == pytest.approx(found.records[25:].mean())
    owner = link(numbers(known), numbers(masked), distance="mahalanobis")
    assert not np.array_equal(owner.nearest, found.nearest)
    with pytest.raises(NotComputable, match="3 pairs and 3 columns"):
        link(numbers(known), numbers(masked), distance="mahalanobis", training=training[:3])


def test_distances_that_do_not_learn_are_judged_on_everybody(correlated: tuple[Floats, Floats]) -> None:
    known, masked = correlated
    assert link(numbers(known), numbers(masked), training=np.arange(25)).attempts == 40


def test_gower_is_the_mean_over_numbers_and_categories() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(2, 30))
    words = rng.choice(["x", "y", "z"], size=(2, 30))
    tables = [
        Table.of(pl.DataFrame({"n": values[i], "w": words[i]}), roles={}, rest="quasi-identifier")
        for i in (0, 1)
    ]
    spreads = [(row - row.mean()) / row.std() for row in values]
    gaps = np.abs(spreads[1][:, None] - spreads[0][None]) + (words[1][:, None] != words[0][None])
    found = link(*tables, distance="gower")
    assert link(*tables).details["distance"] == found.details["distance"] == "gower"
    assert found.records == pytest.approx(chances(gaps, np.arange(30)))


def plainly(known: Floats, masked: Floats, *, by_own: bool) -> float:
    """How many masked records are at the least distance from their own original, by a few lines of NumPy."""
    ours, theirs = (known.mean(axis=0), known.std(axis=0)), (masked.mean(axis=0), masked.std(axis=0))
    middle, spread = theirs if by_own else ours
    known, masked = (known - ours[0]) / ours[1], (masked - middle) / spread
    gaps = ((masked[:, None] - known[None]) ** 2).sum(axis=2)
    near = gaps <= gaps.min(axis=1, keepdims=True) * (1 + 1e-9) + 1e-12
    return float((np.diag(near) / near.sum(axis=1)).mean())


def test_means_of_skewed_numbers_beside_categories_that_stay_are_linked_as_plain_matching_links_them() -> (
    None
):
    rng = np.random.default_rng(8)
    size = rng.lognormal(3, 1.2, 500)
    frame = pl.DataFrame(
        {
            "sales": size * 1000,
            "staff": np.ceil(size / 3),
            "power": size * rng.lognormal(0, 0.3, 500),
            "town": rng.choice(list("uvwxy"), 500),
            "branch": rng.choice(list("abcde"), 500),
        }
    )
    firms = Table.of(frame, roles={}, rest="quasi-identifier")
    masked = dc.mask.mondrian(firms, k=5, numbers="mean").table
    numeric, words = ["sales", "staff", "power"], ["town", "branch"]
    known, shown = (each.numbers(numeric) / firms.numbers(numeric).std(axis=0) for each in (firms, masked))
    gaps = ((shown[:, None] - known[None]) ** 2).sum(axis=2)
    for name in words:
        gaps += masked.frame[name].to_numpy()[:, None] != frame[name].to_numpy()[None]
    found = np.isclose(gaps, gaps.min(axis=1, keepdims=True), rtol=1e-12, atol=1e-12)
    plain = float((np.diag(found) / found.sum(axis=1)).mean())
    assert link(firms, masked).risk >= 0.95 * plain


MOVED: dict[str, Callable[[Floats], Floats]] = {
    "means of groups": lambda known: dc.mask.microaggregate(numbers(known), k=4).table.numbers(
        ["a", "b", "c"]
    ),
    "noise": lambda known: known + np.random.default_rng(1).normal(size=known.shape) * known.std(axis=0) / 10,
    "stretched": lambda known: 0.8 * known + 3 * known.mean(axis=0),
    "rounded": lambda known: np.round(known / known.std(axis=0), 1) * known.std(axis=0),
    "halved above": lambda known: np.where(known > 2 * known.mean(axis=0), known / 2, known),
}


@pytest.mark.parametrize("shape", ["skewed", "even"])
@pytest.mark.parametrize("way", MOVED)
def test_linking_finds_as_many_as_plain_matching_by_either_standardisation(way: str, shape: str) -> None:
    rng = np.random.default_rng(7)
    size = (300, 3)
    known = rng.lognormal(3, 1.2, size) if shape == "skewed" else rng.normal(50, 10, size)
    masked = MOVED[way](known)
    found = link(numbers(known), numbers(masked)).risk
    assert found >= 0.95 * max(plainly(known, masked, by_own=each) for each in (True, False))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("joined", [True, False])
def test_linking_finds_about_as_many_as_plain_matching_by_either_reading_of_categories(
    seed: int, joined: bool
) -> None:
    """The most frequent category of a group is published for all of it; rare ones are then nowhere published."""
    rng = np.random.default_rng(seed)
    chances = np.arange(1, 13) ** (0.0 if joined else 2.0)
    columns = [rng.choice(12, 240, p=chances / chances.sum()) for _ in range(3)]
    order = np.lexsort(columns[:1] if joined else (columns[1] // 3, columns[0] // 3))
    shown = [each.copy() for each in columns]
    for first in range(0, 240, 4):
        group = order[first : first + 4]
        for each in shown:
            each[group] = np.bincount(each[group]).argmax()
    known, masked = (
        Table.of(
            pl.DataFrame({name: each.astype(str) for name, each in zip("xyz", side, strict=True)}),
            roles={},
            rest="quasi-identifier",
        )
        for side in (columns, shown)
    )
    apart = {"by name": np.zeros((240, 240)), "as sets": np.zeros((240, 240))}
    for before, after in zip(columns, shown, strict=True):
        kept = set(before[before == after].tolist())
        stands = np.eye(12, dtype=bool)
        for one, other in zip(before.tolist(), after.tolist(), strict=True):
            stands[other, one] |= one not in kept
        apart["by name"] += after[:, None] != before[None, :]
        apart["as sets"] += ~stands[after][:, before]
    found = [
        np.mean(
            [
                gaps[row, row] == gaps[row].min() and 1 / (gaps[row] == gaps[row].min()).sum()
                for row in range(240)
            ]
        )
        for gaps in apart.values()
    ]
    assert link(known, masked).risk >= 0.9 * max(found)


def shuffled_whole_numbers(
    rng: np.random.Generator, count: int, columns: int, unit: float
) -> tuple[Table, Table]:
    """Small whole numbers times a unit, and the same with each column in another order, as swapping leaves it."""
    known: Floats = rng.integers(0, 9, size=(count, columns)).astype(np.float64) * unit
    return numbers(known), numbers(np.column_stack([rng.permutation(column) for column in known.T]))


def exact_chances(known: Table, masked: Table, power: int) -> tuple[list[float], list[int]]:
    """1/t and t in fractions: both files have the same columns, so a gap in whole units stands for one in spreads.

    Published records that are the same share their chances.
    """
    tables = [np.round(table.frame.to_numpy() * 10).astype(np.int64) for table in (masked, known)]
    spread = [Decimal(int(n)).sqrt() for n in (len(known) * (tables[1] ** 2).sum(0) - tables[1].sum(0) ** 2)]
    found, ties = [], []
    for place, one in enumerate(tables[0].tolist()):
        gaps = [
            sum((abs(x - y) / s) ** power for x, y, s in zip(one, other, spread, strict=True))
            for other in tables[1].tolist()
        ]
        tied = [place for place, gap in enumerate(gaps) if gap - min(gaps) < Decimal("1e-20")]
        found.append(1 / len(tied) if place in tied else 0.0)
        ties.append(len(tied))
    return shared(found, tables[0].tolist(), [True] * len(found)), ties


@pytest.mark.parametrize("unit", [1.0, 0.1])
@pytest.mark.parametrize("seed", range(5))
def test_distances_that_are_equal_on_paper_tie(seed: int, unit: float) -> None:
    rng = np.random.default_rng(seed)
    known, masked = shuffled_whole_numbers(rng, 60, 2, unit)
    for distance, power in (("euclidean", 2), ("gower", 1)):
        found = link(known, masked, distance=distance)
        chance, ties = exact_chances(known, masked, power)
        assert found.ties.tolist() == ties, distance
        assert found.records == pytest.approx(chance), distance


def test_the_order_of_the_columns_makes_no_difference_to_ties() -> None:
    rng = np.random.default_rng(2)
    values = rng.integers(0, 5, size=(80, 4)).astype(float)
    for distance in ("euclidean", "gower", "mahalanobis"):
        found = [
            link(numbers(values[:, order]), numbers(values[::-1][:, order]), distance=distance).records
            for order in ([0, 1, 2, 3], [3, 1, 0, 2])
        ]
        assert found[0] == pytest.approx(found[1])


def test_a_column_of_one_large_value_ties_nothing() -> None:
    rng = np.random.default_rng(1)
    known = np.column_stack([rng.normal(size=50), np.full(50, 1e14)])
    found = link(numbers(known), numbers(known + np.array([1e-7, 0.0])), distance="euclidean")
    assert found.risk == 1


@pytest.mark.parametrize("distance", ["euclidean", "gower", "mahalanobis"])
@pytest.mark.parametrize("base", [1e9, 1e15, 1e15 + 0.5, 2.0**53, 1e18])
def test_large_numbers_close_together_do_not_tie_records_that_other_columns_tell_apart(
    base: float, distance: str
) -> None:
    rng = np.random.default_rng(1)
    known = np.column_stack([base + rng.integers(-1, 2, 60), rng.permutation(60)])
    assert link(numbers(known), numbers(known), distance=distance).risk == 1


@pytest.mark.parametrize("seed", range(3))
def test_large_whole_numbers_tie_as_small_ones_do(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known, masked = shuffled_whole_numbers(rng, 60, 2, 1.0)
    far = [Table.of(each.frame + 1e14, roles={}, rest="quasi-identifier") for each in (known, masked)]
    for distance in ("euclidean", "gower"):
        near = link(known, masked, distance=distance)
        assert link(far[0], far[1], distance=distance).records == pytest.approx(near.records), distance


@pytest.mark.parametrize("distance", ["gower", "euclidean"])
def test_a_blank_is_as_far_from_a_value_as_an_average_record_is(distance: str) -> None:
    known = pl.DataFrame({"n": [0.0, 1.0, None, 5.0], "m": [0.0, 2.0, 2.0, 9.0], "w": ["x", None, "y", "y"]})
    masked = known.with_columns(n=pl.Series([0.0, None, 3.0, 5.0]), w=pl.Series(["x", "x", "y", "y"]))
    tables = [Table.of(each, roles={}, rest="quasi-identifier") for each in (known, masked)]
    power = 1 if distance == "gower" else 2
    # Of the twelve pairs of a known with a published word, two are x with x, and four y with y.
    words = {("x", "x"): 0.0, ("y", "y"): 0.0, ("x", "y"): 1.0, ("y", "x"): 1.0}
    unlike = 6 / 12
    # All published values of m are known ones; those of n are not, and go by their own mean and deviation.
    n, m = (np.abs(one[None] - other[:, None]) ** power for one, other in _columns_of(known, masked))
    n = np.where(np.isnan(n), np.nanmean(n), n)
    n[1, 2] = 0.0  # blank beside blank
    w = np.array([[words.get((one or "", other), unlike) for one in known["w"]] for other in masked["w"]])
    assert link(*tables, distance=distance).records == pytest.approx(chances(n + m + w, np.arange(4)))


def _columns_of(known: pl.DataFrame, masked: pl.DataFrame) -> list[tuple[Floats, Floats]]:
    return [(_zscores(known[name]), _zscores(masked[name])) for name in ("n", "m")]


def _zscores(values: pl.Series) -> Floats:
    present = values.cast(pl.Float64).to_numpy()
    return np.asarray((present - np.nanmean(present)) / np.nanstd(present))


def test_a_record_with_few_cells_is_not_near_to_everybody() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "n": rng.normal(size=100),
            "m": rng.normal(size=100),
            "w": rng.choice(["x", "y"], size=100),
        }
    )
    sparse = frame.with_columns(
        pl.when(pl.int_range(100) > 0).then(pl.col("n")), pl.when(pl.int_range(100) > 0).then(pl.col("m"))
    )
    noisy = sparse.with_columns(pl.col("n") + 0.01, pl.col("m") * 0.99)
    tables = [Table.of(each, roles={}, rest="quasi-identifier") for each in (sparse, noisy)]
    assert link(*tables, distance="gower").risk > 0.95


def test_k_alike_records_share_the_chance(correlated: tuple[Floats, Floats]) -> None:
    known, _ = correlated
    release = protect(numbers(known), Plan.of([("microaggregate", {"k": 4})]))
    for distance in ("euclidean", "mahalanobis"):
        found = link(numbers(known), release.table, distance=distance, direction="original to masked")
        assert found.records is not None
        assert found.records.max() <= 0.25
        assert found.certain == 0


def test_both_directions_find_everybody_when_nothing_is_masked() -> None:
    people = census(300, seed=2)
    alike = people.frame.select(pl.len().over(people.keys))["len"].to_numpy()
    for direction in ("masked to original", "original to masked"):
        assert link(people, people, direction=direction).records == pytest.approx(1 / alike)


def test_records_are_those_of_masked_rows_in_both_directions(correlated: tuple[Floats, Floats]) -> None:
    known, masked = correlated
    order = np.random.default_rng(4).permutation(40)
    for direction in ("masked to original", "original to masked"):
        plain = link(numbers(known), numbers(masked), direction=direction)
        moved = link(numbers(known), numbers(masked[order]), direction=direction, truth=order)
        assert plain.records is not None
        assert moved.records == pytest.approx(plain.records[order])


def test_an_original_with_two_masked_records_has_no_single_link(correlated: tuple[Floats, Floats]) -> None:
    known, masked = correlated
    twice = np.concatenate([np.arange(40), [3]])
    both = numbers(masked[twice])
    assert link(numbers(known), both, truth=twice).attempts == 41
    with pytest.raises(NotComputable, match="several masked records"):
        link(numbers(known), both, truth=twice, direction="original to masked")


def test_records_of_nobody_are_no_attempts(correlated: tuple[Floats, Floats]) -> None:
    known, masked = correlated
    truth = np.where(np.arange(40) < 10, np.arange(40), -1)
    assert link(numbers(known), numbers(masked), truth=truth).attempts == 10
    with pytest.raises(NotComputable, match="true partner"):
        link(numbers(known), numbers(masked), truth=np.full(40, -1))


@given(st.integers(1, 5), st.integers(0, 3), st.integers(0, 10_000))
def test_one_to_one_pairs_have_the_least_total_distance(count: int, more: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    queries = rng.integers(0, 4, size=(count, 2)).astype(np.float64)
    targets = rng.integers(0, 4, size=(count + more, 2)).astype(np.float64)
    costs = ((queries[:, None] - targets[None]) ** 2).sum(axis=2)
    least = min(
        costs[np.arange(count), list(chosen)].sum() for chosen in permutations(range(count + more), count)
    )
    found = pair_off(queries, targets)
    assert found.exact
    assert len(set(found.partner.tolist())) == count
    assert costs[np.arange(count), found.partner].sum() == pytest.approx(least)
    back = pair_off(targets, queries)
    assert (back.partner >= 0).sum() == count


def test_one_to_one_needs_more_neighbours_than_the_first_few_and_stays_exact() -> None:
    from scipy.optimize import linear_sum_assignment

    rng = np.random.default_rng(8)
    queries, targets = rng.normal(size=(150, 2)) * 0.1, rng.normal(size=(150, 2))
    costs = ((queries[:, None] - targets[None]) ** 2).sum(axis=2)
    rows, columns = linear_sum_assignment(costs)
    found = pair_off(queries, targets)
    assert found.exact
    assert costs[np.arange(150), found.partner].sum() == pytest.approx(costs[rows, columns].sum())


@pytest.mark.parametrize("noise", [0.0, 0.05, 0.5])
def test_one_to_one_by_auction_pairs_everybody_and_falls_little_short(noise: float) -> None:
    rng = np.random.default_rng(9)
    targets = rng.normal(size=(500, 3))
    queries = targets[:400] + noise * rng.normal(size=(400, 3))
    best, found = pair_off(queries, targets), pair_by_auction(queries, targets)
    assert best.exact
    assert len(set(found.partner.tolist())) == 400
    assert found.partner.min() >= 0
    totals = [float(((queries - targets[each.partner]) ** 2).sum()) for each in (best, found)]
    assert totals[0] <= totals[1] + 1e-9 <= 1.1 * totals[0] + 1e-9
    assert found.exact == (totals[1] == pytest.approx(totals[0]) and noise == 0)


def test_one_to_one_by_auction_ends_where_all_records_are_alike() -> None:
    alike = np.ones((200, 2))
    found = pair_by_auction(alike, alike)
    assert sorted(found.partner.tolist()) == list(range(200))
    assert found.exact


def test_one_to_one_that_would_take_too_long_is_refused_with_a_way_out() -> None:
    wide = np.zeros((60_000, 100))
    with pytest.raises(NotComputable, match="60000 records on 100 axes"):
        pair_by_auction(wide, wide)


def test_one_to_one_of_large_files_leaves_nobody_without_a_partner() -> None:
    rng = np.random.default_rng(10)
    known = rng.normal(size=(6000, 2))
    masked = known + 0.01 * rng.normal(size=known.shape)
    found = link(numbers(known), numbers(masked), one_to_one=True)
    assert sorted(found.nearest.tolist()) == list(range(6000))
    assert not found.details["exact"]
    assert found.risk > link(numbers(known), numbers(masked)).risk


def test_one_to_one_deals_partners_out_among_records_that_are_alike() -> None:
    partner, truth = np.array([0, 1, 2]), np.array([0, 1, 2])
    chance, ties = expected_hits(partner, truth, np.array([0, 0, 1]), np.array([0, 1, 2]))
    assert chance.tolist() == [0.5, 0.5, 1.0]
    assert ties.tolist() == [2, 2, 1]


def test_one_to_one_is_not_told_who_is_who_by_the_order_of_the_files() -> None:
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 25)
    corners += 5.0 * np.repeat(np.arange(25), 4)[:, None]
    turned = corners.reshape(25, 4, 2)[:, [1, 3, 0, 2]].reshape(100, 2)
    middle = (corners + turned) / 2
    order = np.random.default_rng(1).permutation(100)
    plain = link(numbers(corners), numbers(middle), one_to_one=True)
    assert 0.2 < plain.risk < 0.8
    moved = link(numbers(corners), numbers(middle[order]), one_to_one=True, truth=order)
    assert plain.records is not None
    assert moved.records == pytest.approx(plain.records[order])


def test_one_to_one_keeps_the_shares_of_k_alike_records(correlated: tuple[Floats, Floats]) -> None:
    known, _ = correlated
    release = protect(numbers(known), Plan.of([("microaggregate", {"k": 4})]))
    found = link(numbers(known), release.table, one_to_one=True)
    assert found.records is not None
    assert found.records.max() <= 0.25
    assert found.details["exact"]
    assert link(numbers(known), numbers(known), one_to_one=True).risk == 1


def test_numbers_that_became_bands_are_used() -> None:
    people = census(250, seed=5)
    plan = Plan.of([("recode_numbers", {"columns": ["age", "income"], "bins": 200, "variant": "quantile"})])
    release = protect(people, plan)
    found = assess(people, release, attacks=["link"], losses=[]).risk("link")
    assert found is not None
    assert found.left_out == ()
    assert found.details["distance"] == "gower"
    assert found.risk > 0.97
    two = link(people, release.table, keys=["age", "income"], truth=release.truth)
    one = link(people, release.table, keys=["age"], truth=release.truth)
    assert two.risk > one.risk + 0.5


def test_keys_that_are_not_published_are_named() -> None:
    people = census(60, seed=5)
    found = link(people, people.without(["age"]))
    assert found.details["columns_not_published"] == ["age"]
    assert found.left_out == ()


def test_nothing_left_to_compare_is_an_error() -> None:
    people = census(50, seed=5)
    with pytest.raises(NotComputable, match="none of the 10"):
        link(people, people.without(people.keys))


def test_an_intruder_with_a_sample_and_other_names_links_fewer() -> None:
    people = census(400, seed=9)
    release = protect(people, Plan.of([("add_noise", {"p": 0.5}), ("pram", {"theta": 0.5})]), seed=3)
    all_known = assess(people, release, attacks=["link"], losses=[]).risk("link")
    view = Intruder(columns=("age", "sex", "income"), records=0.5)
    some = assess(people, release, attacks=["link"], losses=[], intruder=view).risk("link")
    assert all_known is not None
    assert some is not None
    assert some.attempts == 200
    assert some.risk < all_known.risk


def test_bad_requests_are_named(correlated: tuple[Floats, Floats]) -> None:
    known, masked = (numbers(each) for each in correlated)
    with pytest.raises(BadParameter, match="weights go with"):
        link(known, masked, weights={"a": 1})
    with pytest.raises(BadParameter, match="weights go with"):
        link(known, masked, distance="weighted")
    with pytest.raises(BadParameter, match="'d', not among the keys"):
        link(known, masked, distance="weighted", weights={"d": 1})
    with pytest.raises(BadParameter, match="above zero"):
        link(known, masked, distance="weighted", weights={"a": 0, "b": 0, "c": 0})
    with pytest.raises(BadParameter, match="one_to_one"):
        link(known, masked, distance="gower", one_to_one=True)
    endless = numbers(np.where(np.arange(120).reshape(40, 3) == 7, np.inf, correlated[0]))
    with pytest.raises(BadValues, match="column 'b' of table 'table' has 1 infinite"):
        link(endless, masked)


def test_too_many_categories_for_axes_are_refused_with_a_way_out() -> None:
    frame = pl.DataFrame({"w": [f"{i}" for i in range(600)]})
    words = Table.of(frame, roles={}, rest="quasi-identifier")
    with pytest.raises(NotComputable, match="gower"):
        link(words, words, distance="mahalanobis")
    with pytest.raises(NotComputable, match="gower"):
        link(words, words, one_to_one=True)
    for distance in ("auto", "euclidean", "gower"):
        assert link(words, words, distance=distance).risk == 1
