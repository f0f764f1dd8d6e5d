"""Categories: value by value, in tables, and as uncertainty."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import loss
from discreet.errors import BadParameter, NotComputable
from discreet.mask import recode_numbers
from discreet.plan import Plan
from discreet.protection import protect
from discreet.table import Table
from discreet.transitions import published_matrix

Maker = Callable[..., Table]
WORDS = st.sampled_from(["p", "q", "r", None])
ROWS = st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=15)


def table_of(rows: Sequence[tuple[str | None, ...]]) -> Table:
    names = "abc"[: len(rows[0])]
    frame = pl.DataFrame(list(rows), schema=dict.fromkeys(names, pl.String), orient="row")
    return Table.of(frame, roles={}, rest="quasi-identifier")


def test_nominal_categories_are_the_same_or_not(nominal: Maker) -> None:
    original = nominal({"a": ["x", "y", "z", None], "b": ["u", "u", "u", "u"]})
    masked = nominal({"a": ["x", "z", None, None], "b": ["u", "v", "u", "u"]})
    found = loss.category_distance(original, masked)
    assert found.columns == {"a": 0.5, "b": 0.25}
    assert found.loss == 0.375


def test_ordinal_categories_are_as_far_apart_as_their_places(nominal: Maker) -> None:
    orders = {"a": ["low", "middle", "high"]}
    original = nominal({"a": ["low", "low", "high", "middle"]}, orders)
    masked = nominal({"a": ["middle", "high", None, "middle"]}, orders)
    assert loss.category_distance(original, masked).loss == pytest.approx((0.5 + 1 + 1 + 0) / 4)


def test_a_category_without_a_place_is_as_far_as_can_be(nominal: Maker) -> None:
    original = nominal({"a": ["low", "high"]}, {"a": ["low", "middle", "high"]})
    masked = nominal({"a": ["not high", "high"]}, {"a": ["not high", "high"]})
    assert loss.category_distance(original, masked).loss == 0.5


def test_numbers_as_categories_are_compared_as_numbers() -> None:
    def table(values: pl.Series) -> Table:
        return Table.of(
            pl.DataFrame({"a": values}), roles={}, scales={"a": "nominal"}, rest="quasi-identifier"
        )

    whole, real = table(pl.Series([1, 2, 3])), table(pl.Series([1.0, 2.0, 4.0]))
    assert loss.category_distance(whole, real).loss == pytest.approx(1 / 3)


@given(ROWS, ROWS)
def test_contingency_is_the_sum_over_tables_of_the_differences_of_cells(
    old: list[tuple[str | None, ...]], new: list[tuple[str | None, ...]]
) -> None:
    total, shares = 0, []
    for size in (1, 2, 3):
        for chosen in combinations(range(3), size):
            left, right = (Counter(tuple(row[i] for i in chosen) for row in rows) for rows in (old, new))
            difference = sum(abs(left[cell] - right[cell]) for cell in left | right)
            total += difference
            shares.append(difference / (len(old) + len(new)))
    found = loss.contingency(table_of(old), table_of(new), dimension=3)
    assert found.details["differences"] == total
    assert found.details["tables"] == 7
    assert found.loss == pytest.approx(np.mean(shares))


def test_one_way_tables_count_a_suppression_twice(nominal: Maker) -> None:
    original, masked = nominal({"a": ["x", "y", "y"]}), nominal({"a": ["x", "y", None]})
    assert loss.contingency(original, masked, dimension=1).details["differences"] == 2


def test_contingency_counts_weights() -> None:
    def table(weights: list[float]) -> Table:
        frame = pl.DataFrame({"a": ["x", "y"], "w": weights})
        return Table.of(frame, roles={"a": "quasi-identifier", "w": "weight"})

    found = loss.contingency(table([10.0, 20.0]), table([10.0, 30.0]))
    assert found.details["differences"] == 10
    assert found.loss == pytest.approx(10 / 70)


def test_too_many_tables_are_refused(nominal: Maker) -> None:
    wide = nominal({f"c{place}": ["x"] for place in range(40)})
    with pytest.raises(BadParameter, match="Name fewer columns or lower dimension"):
        loss.contingency(wide, wide, dimension=4)


def conditional(pairs: list[tuple[str | None, str | None]]) -> float:
    joint, seen = Counter(pairs), Counter(new for _, new in pairs)
    return -sum(count / len(pairs) * math.log2(count / seen[new]) for (_, new), count in joint.items())


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=20))
def test_conditional_entropy_is_that_of_the_pairs(pairs: list[tuple[str | None, str | None]]) -> None:
    original, masked = table_of([(old,) for old, _ in pairs]), table_of([(new,) for _, new in pairs])
    assert loss.conditional_entropy(original, masked).loss == pytest.approx(conditional(pairs), abs=1e-12)


def test_joining_two_equal_halves_loses_one_bit(nominal: Maker) -> None:
    original, masked = nominal({"a": ["x", "y"] * 8}), nominal({"a": ["other"] * 16})
    found = loss.conditional_entropy(original, masked)
    assert found.loss == 1
    assert found.details["share"] == 1
    assert found.details["transitions"] == {"a": "estimated"}


def test_the_bits_lost_by_banding_numbers_are_those_within_bands() -> None:
    original = Table.of(pl.DataFrame({"age": [30, 31, 50, 51] * 4}), roles={}, rest="quasi-identifier")
    masked = recode_numbers(original, cuts=[40.0]).table
    assert loss.conditional_entropy(original, masked, columns=["age"]).loss == 1


def test_a_given_matrix_is_inverted_by_bayes(nominal: Maker) -> None:
    original, masked = nominal({"a": ["x", "x", "x", "y"]}), nominal({"a": ["x", "x", "y", "y"]})
    matrix = {"x": {"x": 0.8, "y": 0.2}, "y": {"x": 0.4, "y": 0.6}}

    def bits(share: float) -> float:
        return -share * math.log2(share) - (1 - share) * math.log2(1 - share)

    seen_x, seen_y = (
        bits(0.75 * 0.8 / (0.75 * 0.8 + 0.25 * 0.4)),
        bits(0.75 * 0.2 / (0.75 * 0.2 + 0.25 * 0.6)),
    )
    found = loss.conditional_entropy(original, masked, matrix=matrix)
    assert found.loss == pytest.approx((seen_x + seen_y) / 2)
    assert found.details["transitions"] == {"a": "given"}


def test_a_matrix_that_does_not_fit_is_refused(nominal: Maker) -> None:
    original, masked = nominal({"a": ["x", "y"]}), nominal({"a": ["x", "z"]})
    with pytest.raises(BadParameter, match="1 cells of column 'a'"):
        loss.conditional_entropy(original, masked, matrix={"x": {"x": 1.0}, "y": {"y": 1.0}})
    with pytest.raises(BadParameter, match="gives no chance"):
        loss.conditional_entropy(original, masked, matrix={"x": {"x": 1.0}, "y": {"y": 1.0}, "z": {"z": 1.0}})


def test_the_matrix_that_pram_publishes_is_used(nominal: Maker) -> None:
    original = nominal({"a": ["x", "y", "z", "z"] * 20})
    release = protect(original, Plan.of([("pram", {"columns": ["a"], "theta": 0.4})]), seed=5)
    found = loss.conditional_entropy(original, release.table, manifest=release.manifest)
    assert found.details["transitions"] == {"a": "published"}
    categories, matrix = published_matrix(release.manifest.steps[0], "a")
    rows = {old: dict(zip(categories, row, strict=True)) for old, row in zip(categories, matrix, strict=True)}
    given_it = loss.conditional_entropy(original, release.table, matrix=rows)
    assert found.loss == pytest.approx(given_it.loss)
    estimated = loss.conditional_entropy(original, release.table)
    assert found.loss == pytest.approx(estimated.loss, abs=0.3)


def test_a_second_step_on_the_column_makes_the_matrix_unknown(nominal: Maker) -> None:
    original = nominal({"a": ["x", "y", "z", "z"] * 20})
    steps: list[tuple[str, dict[str, Any]]] = [
        ("pram", {"columns": ["a"]}),
        ("recode", {"columns": ["a"], "mapping": {"x": "y"}}),
    ]
    release = protect(original, Plan.of(steps), seed=5)
    found = loss.conditional_entropy(original, release.table, manifest=release.manifest)
    assert found.details["transitions"] == {"a": "estimated"}


def test_records_from_nobody_alone_cannot_be_compared(nominal: Maker) -> None:
    table = nominal({"a": ["x", "y"]})
    for measure in (loss.category_distance, loss.conditional_entropy, loss.certainty_penalty):
        with pytest.raises(NotComputable, match="no masked record comes from"):
            measure(table, table, truth=np.array([-1, -1]))
