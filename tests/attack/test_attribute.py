"""Attribute disclosure against guessing by hand."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.attack import attribute_by_class, attribute_by_link
from discreet.attack.guesses import GivenAway, best_middle, chance_of_category
from discreet.demo import table as census
from discreet.errors import BadValues, NotComputable
from discreet.plan import Plan
from discreet.protection import protect
from discreet.table import Table

VALUES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=12)


def small(keys: list[str], secret: list[str | None]) -> Table:
    frame = pl.DataFrame({"key": keys, "secret": pl.Series(secret, dtype=pl.String)})
    return Table.of(frame, roles={"key": "quasi-identifier", "secret": "confidential"})


def chance_by_hand(values: list[int], true: int) -> float:
    counts = Counter(value for value in values if value)
    best = [value for value, count in counts.items() if count == max(counts.values())]
    return 1 / len(best) if true in best else 0.0


@given(VALUES)
def test_the_guess_is_one_of_the_most_frequent_values(rows: list[tuple[int, int]]) -> None:
    label, codes = np.array(rows).T
    everything = [value for _, value in rows]
    found = chance_of_category(codes, label, label, codes, GivenAway(3, np.zeros((0, 3), dtype=bool)))
    for (group, true), chance in zip(rows, found, strict=True):
        values = [value for each, value in rows if each == group and value]
        expected = chance_by_hand(values or everything, true) if true else 0.0
        assert chance == pytest.approx(expected)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=12),
    st.lists(st.sets(st.integers(1, 3)), min_size=2, max_size=2),
)
def test_a_general_category_gives_away_one_of_those_under_it(
    rows: list[tuple[int, int, int]], under: list[set[int]]
) -> None:
    """Codes 4 and 5 are general; of the categories under them each is as good a guess as the others."""
    label, published, true = np.array(rows).T
    holds = np.array([[code in each for code in (1, 2, 3)] for each in under])
    found = chance_of_category(published, label, label, true, GivenAway(3, holds))
    for (group, _, secret), chance in zip(rows, found, strict=True):
        values = [code for each, code, _ in rows if each == group and code]
        counts = Counter(values or [code for _, code, _ in rows if code])
        best = [code for code, count in counts.items() if count == max(counts.values())]
        meant = [under[code - 4] if code > 3 else {code} for code in best]
        told = [1 / len(each) if secret in each else 0.0 for each in meant]
        assert chance == pytest.approx(sum(told) / len(told) if told else 0.0)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(-5, 5)), min_size=1, max_size=12),
    st.sampled_from([0, 1, 2.5]),
)
def test_the_best_interval_holds_the_most_numbers_of_its_group(
    rows: list[tuple[int, int]], reach: float
) -> None:
    label, values = np.array(rows)[:, 0], np.array(rows, dtype=np.float64)[:, 1]
    middles = best_middle(values, label, 3, reach)
    for group in range(3):
        mine = values[label == group]
        if len(mine) == 0:
            assert np.isnan(middles[group])
            continue
        held = (np.abs(mine - middles[group]) <= reach + 1e-9).sum()
        best = max(((mine >= low) & (mine <= low + 2 * reach)).sum() for low in mine)
        assert held == best


def test_a_uniform_class_gives_its_value_away_though_nobody_is_found() -> None:
    table = small(["a", "a", "a", "b", "b", "b"], ["flu", "flu", "flu", "flu", "cold", "gout"])
    found = attribute_by_class(table, table)
    assert found.records == pytest.approx([1, 1, 1, 1 / 3, 1 / 3, 1 / 3])
    assert found.risk == pytest.approx(4 / 6)
    assert found.baseline == pytest.approx(4 / 6)
    assert not found.reidentifies


def test_a_masked_confidential_value_is_judged_by_the_true_one() -> None:
    original = small(["a", "a", "b", "b", "c", "d"], ["x", "x", "y", "y", "x", "y"])
    masked = small(["a", "a", "b", "b", "c", "d"], ["y", "y", "x", "x", "x", "y"])
    assert attribute_by_class(original, masked).records == pytest.approx([0, 0, 0, 0, 1, 1])


def test_categories_that_were_joined_give_away_one_of_them() -> None:
    original = small(["a", "a", "b", "c"], ["x", "y", "z", "u"])
    for name in ("x or y", "x"):
        masked = small(["a", "a", "b", "c"], [name, name, "z", "u"])
        assert attribute_by_class(original, masked).records == pytest.approx([0.5, 0.5, 1, 1])


def test_missing_true_values_are_no_attempt_and_missing_published_ones_leave_the_whole_file() -> None:
    original = small(["a", "a", "b"], ["x", None, "x"])
    masked = small(["a", "a", "b"], [None, None, "x"])
    found = attribute_by_class(original, masked)
    assert found.attempts == 2
    assert found.risk == 1


def test_numbers_count_within_the_tolerance() -> None:
    frame = pl.DataFrame({"key": ["a", "a", "a", "b"], "income": [10.0, 11.0, 90.0, 50.0]})
    table = Table.of(frame, roles={"key": "quasi-identifier", "income": "confidential"})
    near = attribute_by_class(table, table, tolerance=0.02)
    assert near.records == pytest.approx([1, 1, 0, 1])
    assert near.baseline == pytest.approx(0.5)


def test_linking_unmasked_records_learns_everything() -> None:
    people = census(200, seed=11)
    found = attribute_by_link(people, people)
    assert found.risk > 0.97
    assert found.baseline is not None
    assert found.baseline < 0.7


def test_a_wrong_link_can_still_tell_the_value() -> None:
    """Two people whose keys were exchanged, with the same illness: both links are wrong, both guesses right."""
    frame = pl.DataFrame({"age": [20.0, 30.0, 80.0], "ill": ["flu", "flu", "gout"]})
    roles = {"age": "quasi-identifier", "ill": "confidential"}
    original = Table.of(frame, roles=roles)
    masked = Table.of(frame.with_columns(age=pl.Series([30.0, 20.0, 80.0])), roles=roles)
    assert attribute_by_link(original, masked).risk == 1


def test_stronger_masking_teaches_less() -> None:
    people = census(400, seed=12)
    found = [
        attribute_by_link(
            people, protect(people, Plan.of([("add_noise", {"p": p})]), seed=1).table, keys=keys
        ).risk
        for p in (0.05, 2.0)
        for keys in [["age", "hours", "income", "rent"]]
    ]
    assert found[0] > found[1] + 0.1


def test_the_truth_says_who_is_who() -> None:
    people = census(100, seed=13)
    turned = np.arange(100)[::-1].copy()
    expected = attribute_by_class(people, people)
    found = attribute_by_class(people, people.take(turned), truth=turned)
    assert found.risk == pytest.approx(expected.risk)
    with pytest.raises(NotComputable, match="belongs to anybody"):
        attribute_by_class(people, people, truth=np.full(100, -1))


def test_nothing_to_learn_is_said() -> None:
    nothing = small(["a", "b"], [None, None])
    with pytest.raises(NotComputable, match="no confidential value"):
        attribute_by_class(nothing, nothing)


def test_a_band_stands_for_the_middle_of_the_known_values_in_it() -> None:
    frame = pl.DataFrame({"key": [1, 2, 3, 4], "income": [10.0, 20.0, 90.0, 40.0]})
    roles = {"key": "quasi-identifier", "income": "confidential"}
    original = Table.of(frame, roles=roles)
    masked = Table.of(
        frame.with_columns(income=pl.Series(["[0, 40)", "[0, 40)", "[50, 100)", ">= 30"])), roles=roles
    )
    # The middles are 15, 15, 90 and 65, and the standard deviation is 30.8.
    found = attribute_by_class(original, masked, tolerance=5 / 30)
    assert found.columns == pytest.approx({"income": 3 / 4})
    assert found.records == pytest.approx([1, 1, 1, 0])
    assert found.left_out == ()
    assert "columns_left_out" not in found.details


def test_bands_that_hold_one_value_each_give_away_as_much_as_the_values() -> None:
    people = census(200, seed=14)
    values = people.frame["income"].drop_nulls().unique().sort().to_list()
    bands = {
        low: f"[{low!r}, {high!r})" for low, high in zip(values, [*values[1:], 2.0 * values[-1]], strict=True)
    }
    frame = people.frame.with_columns(people.frame["income"].replace_strict(bands, return_dtype=pl.String))
    roles = {column.name: column.role.value for column in people.columns}
    banded = Table.of(frame, roles=roles)
    for attack in (attribute_by_class, attribute_by_link):
        expected, found = (attack(people, each, columns=["income"]) for each in (people, banded))
        assert found.risk == pytest.approx(expected.risk)
        assert found.baseline == pytest.approx(expected.baseline)


def test_keys_that_became_intervals_still_make_classes() -> None:
    roles = {"age": "quasi-identifier", "ill": "confidential"}
    frame = pl.DataFrame({"age": [21.0, 24.0, 61.0], "ill": ["flu", "flu", "gout"]})
    original = Table.of(frame, roles=roles)
    masked = Table.of(frame.with_columns(age=pl.Series(["[20, 30)", "[20, 30)", "[60, 70)"])), roles=roles)
    assert attribute_by_class(original, masked).records == pytest.approx([1, 1, 1])


def test_infinite_numbers_are_named() -> None:
    frame = pl.DataFrame({"key": ["a", "b"], "income": [1.0, float("inf")]})
    table = Table.of(frame, roles={"key": "quasi-identifier", "income": "confidential"})
    with pytest.raises(BadValues, match="'income' of table 'table' has 1 infinite"):
        attribute_by_class(table, table)


@pytest.mark.parametrize("offset", [1e6, 1e9, 1e12, -1e15])
@pytest.mark.parametrize("unit", [1e-300, 1.0, 1e290])
def test_numbers_are_guessed_as_well_in_any_unit_and_from_any_zero(offset: float, unit: float) -> None:
    rng = np.random.default_rng(2)
    keys = rng.integers(0, 5, 200).astype(str).tolist()
    plain = rng.integers(0, 40, 200).astype(np.float64)
    roles = {"key": "quasi-identifier", "secret": "confidential"}
    near, far = (
        Table.of(pl.DataFrame({"key": keys, "secret": each}), roles=roles)
        for each in (plain, (plain + offset) * unit)
    )
    assert attribute_by_class(far, far).records == pytest.approx(attribute_by_class(near, near).records)


def test_one_enormous_published_number_does_not_hide_the_others() -> None:
    rng = np.random.default_rng(3)
    keys = rng.integers(0, 5, 200).astype(str).tolist()
    secret = rng.normal(size=200)
    roles = {"key": "quasi-identifier", "secret": "confidential"}
    original, masked = (
        Table.of(pl.DataFrame({"key": keys, "secret": each}), roles=roles)
        for each in (secret, np.where(np.arange(200) == 0, 1e300, secret))
    )
    plain, found = (attribute_by_class(original, each).risk for each in (original, masked))
    assert found == pytest.approx(plain, abs=0.05)
    assert found > 0.1


@pytest.mark.parametrize("far", [1e300, -1e300, 1.7e308])
def test_published_numbers_too_far_away_to_be_told_in_standard_deviations_give_nothing_away(
    far: float,
) -> None:
    roles = {"key": "quasi-identifier", "secret": "confidential"}
    original, masked = (
        Table.of(pl.DataFrame({"key": ["a", "a", "b"], "secret": secret}), roles=roles)
        for secret in ([0.0, 1e-9, 3e-9], [far, far, 3e-9])
    )
    found = attribute_by_class(original, masked)
    assert found.records == pytest.approx([0, 0, 1])
    assert found.baseline == 0
