"""Probabilistic linkage: the estimate from patterns of agreement, and the pairing."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import permutations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from tests.attack.brute_force import plain, stands_for, tightened

from discreet._kernels.matching import patterns as pattern_kernels
from discreet._kernels.matching.pairing import best_pairs
from discreet._kernels.matching.patterns import Agreement, pair_patterns, pattern_counts_by_record
from discreet.assessment import assess
from discreet.attack import link, link_probabilistic, records
from discreet.attack.agreement import Files
from discreet.attack.mixture import Mixture, alike, estimated, estimated_by_record, from_known_pairs, patterns
from discreet.demo import table as census
from discreet.errors import BadParameter, NotComputable
from discreet.plan import Plan
from discreet.progress import SILENT
from discreet.protection import protect
from discreet.table import Table

probabilistic = import_module("discreet.attack.link_probabilistic")


def words(rows: Sequence[Sequence[str]]) -> Table:
    """A table whose columns hold one letter, or word, each."""
    columns = {chr(ord("a") + place): [row[place] for row in rows] for place in range(len(rows[0]))}
    return Table.of(pl.DataFrame(columns), roles={}, rest="quasi-identifier")


def simulated(
    seed: int, pairs: int, matches: NDArray[np.float64], others: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Counts of patterns, one pair in fifty being a match."""
    rng = np.random.default_rng(seed)
    is_match = rng.random(pairs) < 0.02
    agree = rng.random((pairs, len(matches))) < np.where(is_match[:, None], matches, others)
    return np.bincount(agree @ (1 << np.arange(len(matches))), minlength=1 << len(matches))


def test_the_estimate_recovers_the_chances_that_made_the_patterns() -> None:
    matches, others = np.array([0.95, 0.8, 0.9, 0.7, 0.99]), np.array([0.1, 0.3, 0.05, 0.2, 0.5])
    found = estimated(simulated(1, 400_000, matches, others), 0.5)
    assert found.matches == pytest.approx(matches, abs=0.03)
    assert found.others == pytest.approx(others, abs=0.01)
    assert found.prior == pytest.approx(0.02, abs=0.002)


@given(st.lists(st.integers(0, 1000), min_size=8, max_size=8).filter(lambda counts: sum(counts) > 0))
def test_the_estimate_is_finite_and_bounded_whatever_the_counts(counts: list[int]) -> None:
    found = estimated(np.array(counts), 0.1)
    for chances in (found.matches, found.others):
        assert ((chances > 0) & (chances < 1)).all()
    assert 0 <= found.prior <= 0.1
    assert np.isfinite(found.weights()).all()


@given(st.lists(st.integers(1, 1000), min_size=8, max_size=8))
def test_climbing_makes_the_counts_more_likely_than_the_start(counts: list[int]) -> None:
    def likelihood(mixture: Mixture) -> float:
        bits = patterns(3)
        each = [
            prior * (chances**bits * (1 - chances) ** (1 - bits)).prod(axis=1)
            for prior, chances in ((mixture.prior, mixture.matches), (1 - mixture.prior, mixture.others))
        ]
        return float(np.array(counts) @ np.log(sum(each)))

    bits = patterns(3)
    start = Mixture(matches=np.full(3, 0.9), others=counts @ bits / sum(counts), prior=0.2)
    assert likelihood(estimated(np.array(counts), 0.2)) >= likelihood(start) - 1e-6


def test_a_pair_that_agrees_more_never_weighs_less() -> None:
    weights = estimated(np.array([900, 40, 3, 50, 2, 5, 1, 10]), 0.05).weights()
    for pattern in range(8):
        for column in range(3):
            assert weights[pattern | 1 << column] >= weights[pattern]


def test_known_pairs_are_counted_in_place_of_the_estimate() -> None:
    found = from_known_pairs(np.array([90, 5, 3, 2]), np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 0.0]]))
    assert found.matches == pytest.approx([3.5 / 4, 1.5 / 4])
    assert found.others == pytest.approx([0.07, 0.05])


@pytest.mark.parametrize("seed", range(6))
def test_the_pairing_has_the_greatest_total_weight(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Every letter is published as itself somewhere, so that none was joined to another.
    rows = [
        ["xxxx", "yyyy", "zzzz", *("".join(rng.choice(list("xyz"), 4)) for _ in range(3))] for _ in range(2)
    ]
    found = link_probabilistic(words(rows[0]), words(rows[1]))
    agree = np.array(
        [[[a == b for a, b in zip(one, other, strict=True)] for other in rows[0]] for one in rows[1]]
    )
    ratio = np.array(
        [
            [
                np.log(found.details["agree_in_matches"][name] / found.details["agree_in_others"][name]),
                np.log(
                    (1 - found.details["agree_in_matches"][name])
                    / (1 - found.details["agree_in_others"][name])
                ),
            ]
            for name in "abcd"
        ]
    )
    weight = np.where(agree, ratio[:, 0], ratio.min(axis=1)).sum(axis=2)
    best = max(weight[np.arange(6), list(order)].sum() for order in permutations(range(6)))
    assert weight[np.arange(6), found.nearest].sum() == pytest.approx(best)
    assert sorted(found.nearest.tolist()) == list(range(6))


def climbed(
    agree: NDArray[np.float64], most_matches: float, *, ordered: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The chances to agree in matches and in others, by expectation and maximisation over pairs one by one.

    With `ordered` no column agrees less often in matches than in others.
    """
    matches, others, prior = (
        np.full(agree.shape[1], 0.9),
        agree.mean(axis=0).clip(1e-6, 1 - 1e-6),
        most_matches,
    )
    for _ in range(1000):
        both = [
            share * np.where(agree == 1, chances, 1 - chances).prod(axis=1)
            for share, chances in ((prior, matches), (1 - prior, others))
        ]
        likely = both[0] / (both[0] + both[1])
        before = matches, others
        matches = (likely @ agree / likely.sum()).clip(1e-6, 1 - 1e-6)
        others = ((1 - likely) @ agree / (1 - likely).sum()).clip(1e-6, 1 - 1e-6)
        matches = np.maximum(matches, others) if ordered else matches
        prior = min(float(likely.mean()), most_matches)
        if max(np.abs(before[0] - matches).max(), np.abs(before[1] - others).max()) < 1e-9:
            break
    return matches, others


def climbed_by_record(
    agree: NDArray[np.float64], records: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The chances to agree in matches and in others, each record having one match; pairs stand by published record."""
    pairs = agree.reshape(records, -1, agree.shape[1])
    edge = 0.5 / pairs.shape[1]
    own = pairs.mean(axis=1, keepdims=True).clip(edge, 1 - edge)
    matches = np.full(agree.shape[1], 0.9)
    for _ in range(1000):
        ratio = np.where(pairs == 1, matches / own, (1 - matches) / (1 - own)).prod(axis=2)
        likely = ratio / ratio.sum(axis=1, keepdims=True)
        before, matches = matches, np.einsum("rk,rkc->c", likely, pairs) / records
        matches = matches.clip(1e-6, 1 - 1e-6)
        if np.abs(before - matches).max() < 1e-9:
            break
    return matches, agree.mean(axis=0).clip(1e-6, 1 - 1e-6)


def related(records: int, seed: int) -> tuple[Table, Table]:
    """Four columns that say much the same, three that do not, and a masking that changes one of these the most."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 4, records)
    columns = [np.where(rng.random(records) < 0.8, group, rng.integers(0, 4, records)) for _ in range(4)]
    columns += [
        np.minimum(rng.zipf(1.3, records), 60),
        rng.integers(0, 20, records),
        rng.integers(0, 2, records),
    ]
    known = np.column_stack(columns)
    moved = rng.permuted(known, axis=0)
    masked = np.where(rng.random(known.shape) < [0, 0.1, 0, 0, 0, 0.8, 0], moved, known)
    return words([[str(cell) for cell in row] for row in known.tolist()]), words(
        [[str(cell) for cell in row] for row in masked.tolist()]
    )


BANDS = {"[0, 1)": (0.0, np.nextafter(1, 0)), "[1, 2.5)": (1.0, np.nextafter(2.5, 1)), ">= 2": (2.0, np.inf)}


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(5, 10), st.integers(5, 10), st.sampled_from([0.0, 0.3, 1.0]))
def test_patterns_give_the_chances_that_all_pairs_one_by_one_give(
    seed: int, published: int, known: int, tolerance: float
) -> None:
    """Numbers, numbers published as bands, letters, and letters of which two are published under one new name."""
    rng = np.random.default_rng(seed)

    def some(count: int) -> dict[str, list[Any]]:
        numbers = [
            [None if rng.random() < 0.2 else rng.integers(0, 6) / 2 for _ in range(count)] for _ in "ad"
        ]
        # All letters are published as they are known at first, so that none was joined to another.
        letters = [[*"xyz-", *rng.choice(list("xxxyyz-"), count - 4)] for _ in "bc"]
        words = [[None if each == "-" else each for each in column] for column in letters]
        return dict(zip("adbc", [*numbers, *words], strict=True))

    mine, theirs = some(known), some(published)
    theirs["d"] = [None if each is None else str(rng.choice(list(BANDS))) for each in theirs["d"]]
    truth = np.arange(published) % known
    theirs["c"] = [{"x": "x or y", "y": "x or y"}.get(mine["c"][owner], mine["c"][owner]) for owner in truth]
    meant = {name: stands_for(mine[name], theirs[name], truth.tolist()) for name in "bc"}
    ends = {"a": plain(theirs["a"]), "d": [None if each is None else BANDS[each] for each in theirs["d"]]}
    reach = {name: tolerance * spread(mine[name]) * (1 + 1e-12) for name in "ad"}

    def same(name: str, row: int, other: int) -> bool:
        one, cell = mine[name][row], theirs[name][other]
        if one is None or cell is None:
            return one is None and cell is None
        if name in meant:
            return one in meant[name][cell]
        low, high = tightened(mine[name], ends[name])[other] or (np.nan, np.nan)
        return bool(low - reach[name] <= one <= high + reach[name])

    pairs = [(row, other) for other in range(published) for row in range(known)]
    agree = np.array([[float(same(name, *pair)) for name in "abcd"] for pair in pairs])
    # Columns that agree alike stay alike until rounding parts them, and then either can become the one that counts.
    sorts = [sorted(map(tuple, agree[:, list(order)].tolist())) for order in permutations(range(4))]
    assume(all(sorts[0] != other for other in sorts[1:]))
    tables = [Table.of(pl.DataFrame(each), roles={}, rest="quasi-identifier") for each in (mine, theirs)]
    found = link_probabilistic(*tables, tolerance=tolerance, truth=truth)
    most = min(0.5, 1 / max(known, published))
    free = climbed(agree, most)
    ways = [free, climbed(agree, most, ordered=True)] if (free[0] < free[1]).any() else [free]
    ways += [climbed_by_record(agree, published), (np.full(4, 0.9), np.full(4, 0.1))]
    told = [
        [found.details[chances][name] for name in "abcd"]
        for chances in ("agree_in_matches", "agree_in_others")
    ]
    assert any(np.allclose(told, way, atol=1e-6) for way in ways)


def test_pairs_that_resemble_each_other_are_not_taken_for_matches() -> None:
    """Far more pairs agree in four related columns than there are matches."""
    original, masked = related(1000, 5)
    agree = (original.frame.to_numpy() == masked.frame.to_numpy()).mean(axis=0)
    found = link_probabilistic(original, masked)
    assert found.details["weighting"] == "estimated record by record"
    assert list(found.details["agree_in_matches"].values()) == pytest.approx(agree, abs=0.1)


@pytest.mark.parametrize("records", [300, 1000])
def test_as_many_are_found_as_by_an_intruder_who_knows_pairs(records: int) -> None:
    original, masked = related(records, 6)
    taught = link_probabilistic(original, masked, training=np.arange(records // 2))
    found = link_probabilistic(original, masked)
    assert found.records is not None
    assert found.records[records // 2 :].mean() >= taught.risk - 0.03


@pytest.mark.parametrize("limits", [{}, {"DENSE_PAIRS": 0}, {"MOST_PAIRED": 200 * 50}])
def test_no_fewer_are_found_than_by_counting_columns_however_bad_the_estimate(
    monkeypatch: pytest.MonkeyPatch, limits: dict[str, int]
) -> None:
    original, masked = related(200, 7)
    monkeypatch.setattr(records, "FEWEST_TRIED", 5)
    for name, most in limits.items():
        monkeypatch.setattr(probabilistic, name, most)
    with monkeypatch.context() as patched:
        patched.setattr(probabilistic, "_models", lambda *_: (alike(7),))
        counting = link_probabilistic(original, masked)
    bad = Mixture(matches=np.full(7, 0.1), others=np.full(7, 0.9), prior=0.01)
    for name in ("estimated", "estimated_by_record"):
        monkeypatch.setattr(probabilistic, name, lambda *_, **__: bad)
    found = link_probabilistic(original, masked)
    assert found.details["weighting"] == "every column alike"
    assert found.risk == counting.risk
    assert found.risk > 0.1


@given(st.integers(0, 1000), st.integers(1, 12), st.integers(1, 12), st.integers(1, 4))
def test_patterns_are_counted_for_each_record(seed: int, records: int, others: int, width: int) -> None:
    rng = np.random.default_rng(seed)
    low = rng.integers(0, 5, (records, width)).astype(np.int32)
    high = low + rng.integers(0, 3, (records, width)).astype(np.int32)
    agreement = Agreement(rng.integers(0, 6, (others, width)).astype(np.int32), low, high)
    counts = pattern_counts_by_record(agreement)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pattern_kernels, "PLAIN_PAIRS", -1)
        assert pattern_counts_by_record(agreement).tolist() == counts.tolist()
    for record in range(records):
        with_all = pair_patterns(agreement, slice(record, record + 1))[0]
        assert counts[record].tolist() == np.bincount(with_all, minlength=1 << width).tolist()


@given(st.integers(0, 1000), st.integers(1, 20), st.integers(1, 20))
def test_the_estimate_record_by_record_is_finite_whatever_the_counts(
    seed: int, records: int, others: int
) -> None:
    counts = np.random.default_rng(seed).multinomial(others, np.full(8, 1 / 8), records)
    found = estimated_by_record(counts)
    assert ((found.matches > 0) & (found.matches < 1)).all()
    assert np.isfinite(found.weights()).all()


def spread(values: list[float | None]) -> float:
    """The standard deviation of the values that are there; 1 where it is 0."""
    return float(np.std([each for each in values if each is not None] or [0.0])) or 1.0


def test_everybody_different_is_found_when_nothing_is_masked() -> None:
    people = census(300, seed=2)
    alike = people.frame.select(pl.len().over(people.keys))["len"].to_numpy()
    found = link_probabilistic(people, people)
    assert found.records == pytest.approx(1 / alike)
    assert set(found.details["tolerance"].values()) == {0}


def test_records_that_are_alike_share_the_chance() -> None:
    same = words(["xx"] * 10)
    found = link_probabilistic(same, same)
    assert found.records == pytest.approx(np.full(10, 0.1))
    assert found.certain == 0


def test_neither_order_nor_truth_decides_between_pairings_that_weigh_the_same() -> None:
    """With one letter of two nothing is known but the letter, so the risk must not rise with aligned rows."""
    rng = np.random.default_rng(0)
    rows = ["".join(rng.choice(list("xy"), 1)) for _ in range(200)]
    found = link_probabilistic(words(rows), words(rows))
    assert found.risk == pytest.approx(2 / 200)


def test_noise_is_met_with_a_tolerance() -> None:
    people = census(300, seed=4)
    release = protect(people, Plan.of([("add_noise", {"p": 0.1})]), seed=2)
    numeric = ["age", "hours", "income", "rent"]
    exact = link_probabilistic(people, release.table, keys=numeric, tolerance=0)
    chosen = link_probabilistic(people, release.table, keys=numeric)
    assert all(each > 0 for each in chosen.details["tolerance"].values())
    assert chosen.risk > exact.risk + 0.1


def test_training_pairs_teach_and_are_not_judged() -> None:
    people = census(200, seed=4)
    release = protect(people, Plan.of([("pram", {"theta": 0.7}), ("add_noise", {"p": 0.3})]), seed=2)
    found = link_probabilistic(people, release.table, training=np.arange(50))
    assert found.attempts == 150
    assert found.records is not None
    assert found.risk == pytest.approx(found.records[50:].mean())
    agreed = int((people.frame["sex"] == release.table.frame["sex"])[:50].sum())
    assert found.details["agree_in_matches"]["sex"] == pytest.approx((agreed + 0.5) / 51)


@pytest.mark.parametrize(
    ("attack", "given"), [(link_probabilistic, {"tolerance": 0.5}), (link, {"distance": "mahalanobis"})]
)
def test_masked_records_of_nobody_teach_nothing(attack: Any, given: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(30, 3))
    tables = [
        Table.of(pl.DataFrame(each, schema=["a", "b", "c"]), roles={}, rest="quasi-identifier")
        for each in (values, values + 0.3 * rng.normal(size=values.shape))
    ]
    truth = np.where(np.arange(30) < 5, -1, np.arange(30))
    pairs = attack(*tables, truth=truth, training=np.arange(5, 12), **given)
    more = attack(*tables, truth=truth, training=np.arange(12), **given)
    assert more.records.tolist() == pairs.records.tolist()


def test_large_files_are_paired_from_lists_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    people = census(150, seed=6)
    release = protect(people, Plan.of([("add_noise", {"p": 0.1})]), seed=2)
    whole = link_probabilistic(people, release.table)
    monkeypatch.setattr(probabilistic, "DENSE_PAIRS", 0)
    monkeypatch.setattr(probabilistic, "KEPT", 3)
    listed = link_probabilistic(people, release.table)
    assert whole.details["exact"]
    assert not listed.details["exact"]
    assert listed.risk == pytest.approx(whole.risk, abs=0.1)


@pytest.mark.parametrize("step", [("add_noise", {"p": 0.1}), ("rank_swap", {"p": 10})])
def test_a_large_file_is_found_to_give_away_as_much_as_a_small_one(
    monkeypatch: pytest.MonkeyPatch, step: tuple[str, dict[str, Any]]
) -> None:
    people = census(300, seed=3)
    release = protect(people, Plan.of([step]), seed=1)
    given: dict[str, Any] = {"truth": release.truth, "keys": ["age", "hours", "income", "sex", "occupation"]}
    whole = link_probabilistic(people, release.table, **given)
    for most in (0, 500):
        monkeypatch.setattr(probabilistic, "DENSE_PAIRS", most)
        listed = link_probabilistic(people, release.table, **given)
        assert sorted(listed.nearest.tolist()) == list(range(300))
        assert listed.risk == pytest.approx(whole.risk, abs=0.05)


@pytest.mark.parametrize(("known", "published"), [(60, 60), (40, 70), (70, 40)])
@pytest.mark.parametrize("kept", [3, 50, 70])
def test_pairs_from_lists_fall_short_of_the_best_of_them_by_as_little_as_is_said(
    monkeypatch: pytest.MonkeyPatch, kept: int, known: int, published: int
) -> None:
    """The exact assignment over the listed pairs, and over all that speak for a match where all are listed."""
    monkeypatch.setattr(probabilistic, "DENSE_PAIRS", 0)
    monkeypatch.setattr(probabilistic, "KEPT", kept)
    monkeypatch.setattr(probabilistic, "_pair_the_rest", lambda *_: None)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        rows = rng.choice(list("xyzuvw"), (known, 3))
        moved = np.where(rng.random((published, 3)) < 0.7, np.resize(rows, (published, 3)), "x")
        original, masked = (words(["".join(row) for row in each]) for each in (rows, moved))
        files = Files.of(original, masked, list("abc"), np.full(published, -1))
        agreement = files.agreement(np.zeros(0))
        weights = Mixture(
            matches=np.array([0.9, 0.7, 0.8]), others=np.array([0.2, 0.3, 0.1]), prior=0.01
        ).weights()
        weight = weights[pair_patterns(agreement, slice(None))]
        pairs = best_pairs(agreement, weights, keep=kept)
        listed = np.zeros_like(weight)
        listed[np.repeat(np.arange(published), np.diff(pairs.indptr)), pairs.indices] = pairs.weights
        best = listed[linear_sum_assignment(listed, maximize=True)].sum()
        partner, exact = probabilistic._paired(agreement, weights, SILENT)
        paired = np.flatnonzero(partner >= 0)
        total = weight[paired, partner[paired]].sum()
        assert len(set(partner[paired].tolist())) == len(paired)
        assert best - 1e-4 * weight.max() * published <= total <= best + 1e-9
        if pairs.complete.all():
            speaking = np.maximum(weight, 0.0)
            assert total == pytest.approx(speaking[linear_sum_assignment(speaking, maximize=True)].sum())
        assert exact == (bool(pairs.complete.all()) and len(paired) == min(known, published))


def test_of_more_than_16_keys_those_hardest_to_guess_are_compared_and_the_others_named() -> None:
    rng = np.random.default_rng(5)
    levels = rng.permutation(np.arange(2, 20))
    frame = pl.DataFrame(
        {f"key {place:02d}": rng.integers(0, count, 60).astype(str) for place, count in enumerate(levels)}
    )
    table = Table.of(frame, roles=dict.fromkeys(frame.columns, "quasi-identifier"))
    found = link_probabilistic(table, table)
    easiest = sorted(f"key {place:02d}" for place, count in enumerate(levels) if count <= 3)
    assert list(found.left_out) == easiest
    assert sorted(found.details["agree_in_matches"]) == sorted(set(frame.columns) - set(easiest))
    assert found.risk == 1.0
    assert link_probabilistic(table, table, keys=frame.columns[:16]).left_out == ()
    judged = assess(table, attacks=["link_probabilistic"], losses=[], ceilings={"link_probabilistic": 1.0})
    assert judged.verdict == "not checked"


def test_bad_requests_are_named() -> None:
    few = words(["ab", "ba"])
    with pytest.raises(BadParameter, match="tolerance must be a number at least 0"):
        link_probabilistic(few, few, tolerance=-1)
    with pytest.raises(NotComputable, match="true partner"):
        link_probabilistic(few, few, truth=np.array([-1, -1]))


@pytest.mark.parametrize("seed", range(3))
def test_numbers_exactly_as_far_apart_as_the_tolerance_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known, masked = (rng.integers(0, 400, 50).astype(np.float64) for _ in range(2))
    one, other = (
        Table.of(pl.DataFrame({"a": each}), roles={}, rest="quasi-identifier") for each in (known, masked)
    )
    files = Files.of(one, other, ["a"], np.arange(50))
    gaps = np.abs(files.published.middle - files.known.middle[:, 0])
    for allowed in range(1, 300):
        agreement = files.agreement(np.array([allowed]) / files.spreads)
        agree = (agreement.low <= agreement.place[:, 0]) & (agreement.place[:, 0] < agreement.high)
        assert (agree == (gaps <= allowed)).all(), allowed


@given(st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_a_sample_of_people_in_a_large_file_takes_the_partners_of_the_greatest_weight(seed: int) -> None:
    people = census(60, seed=seed)
    masked = protect(people, Plan.of([("rank_swap", {"p": 10})]), seed=1).table
    whole = link_probabilistic(people, masked, tolerance=0.3)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(probabilistic, "MOST_PAIRED", 60 * 20)
        patched.setattr(probabilistic, "MOST_COMPARED", 0)
        patched.setattr(records, "FEWEST_TRIED", 5)
        found = link_probabilistic(people, masked, tolerance=0.3)
    assert "people_tried" not in whole.details
    assert (found.details["people_tried"], found.details["people"]) == (20, 60)
    assert found.details["one_to_one"] is False
    assert "can find more people" in found.details["not_tried"]
    assert "not_tried" not in whole.details
    assert found.records is not None
    assert int(np.isnan(found.records).sum()) == 40
    assert found.interval is not None
    assert found.interval[0] <= found.risk <= found.interval[1]
    assert found.interval[1] - found.interval[0] > 0.1
    chosen = np.flatnonzero(~np.isnan(found.records))
    assert found.risk == pytest.approx(found.records[chosen].mean())
    files = Files.of(people, masked, sorted(people.keys), np.arange(60))
    agreement = files.agreement(np.full(len(files.spreads), 0.3))
    model = Mixture(
        matches=np.array(list(found.details["agree_in_matches"].values())),
        others=np.array(list(found.details["agree_in_others"].values())),
        prior=0.1,
    )
    weight = model.weights()[pair_patterns(agreement, slice(None))]
    best = weight == weight.max(axis=1, keepdims=True)
    place = np.argsort(files.published.order)[chosen]
    own = np.argsort(files.known.order)[chosen]
    assert found.records[chosen] == pytest.approx(best[place, own] / best[place].sum(axis=1))


def test_a_file_too_large_to_try_all_weights_is_paired_one_to_one_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = census(400, seed=3)
    release = protect(people, Plan.of([("rank_swap", {"p": 10})]), seed=1)
    given: dict[str, Any] = {"truth": release.truth, "keys": ["age", "hours", "income", "sex", "occupation"]}
    whole = link_probabilistic(people, release.table, **given)
    monkeypatch.setattr(probabilistic, "DENSE_PAIRS", 0)
    monkeypatch.setattr(probabilistic, "MOST_PAIRED", 400 * 100)
    monkeypatch.setattr(records, "FEWEST_TRIED", 5)
    found = link_probabilistic(people, release.table, **given)
    assert sorted(found.nearest.tolist()) == list(range(400))
    assert "not_tried" not in found.details
    assert "people_tried" not in found.details
    assert found.details["exact"] is False
    assert found.risk == pytest.approx(whole.risk, abs=0.05)


@given(st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_pairs_one_to_one_find_no_fewer_in_a_large_file_than_a_sample_each_for_itself(seed: int) -> None:
    people = census(60, seed=seed)
    masked = protect(people, Plan.of([("pram", {"theta": 0.6})]), seed=1).table
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(probabilistic, "DENSE_PAIRS", 0)
        patched.setattr(probabilistic, "MOST_PAIRED", 60 * 20)
        patched.setattr(records, "FEWEST_TRIED", 5)
        found = link_probabilistic(people, masked, tolerance=0.3)
        patched.setattr(probabilistic, "MOST_COMPARED", 0)
        alone = link_probabilistic(people, masked, tolerance=0.3)
    assert "not_tried" not in found.details
    assert found.records is not None
    assert alone.records is not None
    tried = ~np.isnan(alone.records)
    assert np.nansum(found.records[tried]) >= alone.records[tried].sum() - 1e-9
    # A result of a sample says so, whichever way it was found.
    assert ("people_tried" in found.details) == bool(np.isnan(found.records).any())
    assert found.details.get("one_to_one", True) == ("people_tried" not in found.details)
