"""SUDA: scores, contributions and the chance that a unique match is right."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import prod

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.attack import suda
from discreet.attack.suda import intrusion, shared_out
from discreet.errors import BadParameter
from discreet.table import FloatArray, Table

# A worked example of SUDA scoring: ten people, four keys, sets of at most three columns.
PEOPLE = pl.DataFrame(
    [
        ("urban", "female", "secondary incomplete", "employed"),
        ("urban", "female", "secondary incomplete", "employed"),
        ("urban", "female", "primary incomplete", "non-LF"),
        ("urban", "male", "secondary complete", "employed"),
        ("rural", "female", "secondary complete", "unemployed"),
        ("urban", "male", "secondary complete", "employed"),
        ("urban", "female", "primary complete", "non-LF"),
        ("urban", "male", "post-secondary", "unemployed"),
        ("urban", "female", "secondary incomplete", "non-LF"),
        ("urban", "female", "secondary incomplete", "non-LF"),
    ],
    schema=["residence", "sex", "education", "labour"],
    orient="row",
)


@pytest.fixture
def people() -> Table:
    return Table.of(PEOPLE, roles={}, rest="quasi-identifier")


def test_scores_are_those_of_the_worked_example(people: Table) -> None:
    found = suda(people)
    assert found.scores.tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    assert found.smallest.tolist() == [0, 0, 1, 0, 1, 0, 1, 1, 0, 0]
    assert found.details["special_uniques"] == 4


def test_contributions_are_the_part_of_a_score_through_each_column(people: Table) -> None:
    found = suda(people)
    # The fifth record: residence alone scores 6; sex with education, sex with labour, education with labour 2 each.
    assert found.contributions[4] == pytest.approx([6 / 12, 4 / 12, 4 / 12, 4 / 12])
    assert (found.contributions[0] == 0).all()
    # All records: education alone scores 6 three times, and is in two pairs of the fifth record.
    assert found.columns["education"] == pytest.approx((6 + 4 + 6 + 6) / 34)


def test_who_is_known_to_be_in_the_file_is_found_by_every_unique_match(people: Table) -> None:
    records = suda(people).records
    assert records is not None
    assert records.tolist() == [0, 0, 1, 0, 1, 0, 1, 1, 0, 0]


def test_the_chance_of_the_file_follows_from_uniques_and_pairs(people: Table) -> None:
    found = suda(people, fraction=0.01)
    assert found.details["file_level"] == pytest.approx(4 * 0.01 / (4 * 0.01 + 6 * 0.99))
    assert found.records is not None
    assert found.records[4] > found.records[7] > found.records[2] > 0


def test_weights_tell_the_sampled_fraction() -> None:
    table = Table.of(
        PEOPLE.with_columns(weight=pl.lit(20.0)), roles={"weight": "weight"}, rest="quasi-identifier"
    )
    assert suda(table).details["fraction"] == pytest.approx(0.05)


@given(st.floats(0.001, 1.0), st.lists(st.sampled_from([0.0, 1.0, 2.0, 6.0, 40.0]), min_size=1, max_size=8))
def test_the_average_odds_against_stay_those_of_the_file(file_level: float, scores: list[float]) -> None:
    chance = shared_out(file_level, np.array(scores))
    scored = np.array(scores) > 0
    assert (chance[~scored] == 0).all()
    if scored.any():
        assert (1 / chance[scored] - 1).mean() == pytest.approx(1 / file_level - 1, abs=1e-9)


def test_a_file_without_uniques_has_no_intrusion() -> None:
    assert intrusion(0, 10, 0.1) == 0
    assert intrusion(5, 0, 0.1) == 1
    alike = Table.of(pl.DataFrame({"sex": ["f", "f"]}), roles={"sex": "quasi-identifier"})
    assert suda(alike).risk == 0


def test_records_alone_on_more_columns_than_searched_are_counted() -> None:
    frame = pl.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    assert suda(table, depth=1).details["alone_only_on_more_columns"] == 4
    assert suda(table, depth=2).details["alone_only_on_more_columns"] == 0


def test_bad_parameters_are_named(people: Table) -> None:
    for name, bad in (("depth", 0), ("depth", 1.5), ("fraction", 0), ("fraction", 1.5)):
        with pytest.raises(BadParameter, match=f"suda: {name} must be"):
            suda(people, **{name: bad})  # type: ignore[arg-type]
    wide = Table.of(
        pl.DataFrame({f"c{place}": [1] for place in range(63)}), roles={}, rest="quasi-identifier"
    )
    with pytest.raises(BadParameter, match="at most 62 keys"):
        suda(wide)


def test_a_record_that_only_all_of_many_keys_single_out_has_a_chance() -> None:
    # Each record differs from some other one in one column only, so that no part of the ten columns singles it out.
    corners = np.array([[place >> bit & 1 for bit in range(10)] for place in range(1 << 10)])
    frame = pl.DataFrame(corners, schema=[f"key {bit}" for bit in range(10)])
    found = suda(Table.of(frame, roles={}, rest="quasi-identifier"))
    assert found.smallest.tolist() == [10] * len(corners)
    assert found.details["alone_only_on_more_columns"] == 0
    assert found.risk == 1.0


@given(
    st.integers(1, 6).flatmap(
        lambda width: st.lists(st.tuples(*[st.sampled_from("xyz")] * width), min_size=1, max_size=12)
    )
)
def test_every_record_that_is_alone_on_the_keys_has_a_chance_above_zero(rows: list[tuple[str, ...]]) -> None:
    names = [f"key {place}" for place in range(len(rows[0]))]
    table = Table.of(pl.DataFrame(rows, schema=names, orient="row"), roles={}, rest="quasi-identifier")
    found = suda(table, fraction=0.1)
    alone = np.array([count == 1 for count in map(Counter(rows).__getitem__, rows)])
    assert found.records is not None
    assert ((found.records > 0) == alone).all()
    assert ((found.smallest > 0) == alone).all()


def tried_out(rows: list[tuple[str | None, ...]], depth: int | None) -> FloatArray:
    """For each record the part of its score through each key, and in the last place its score, by trying every set."""
    width = len(rows[0])
    deepest = width if depth is None else min(depth, width)

    def alone(row: tuple[str | None, ...], keys: tuple[int, ...]) -> bool:
        return sum(all(row[key] == other[key] for key in keys) for other in rows) == 1

    parts = np.zeros((len(rows), width + 1))
    for record, row in enumerate(rows):
        for size in range(1, deepest + 1):
            for keys in combinations(range(width), size):
                if alone(row, keys) and not any(
                    alone(row, part) for part in combinations(keys, size - 1) if part
                ):
                    parts[record, [*keys, width]] += prod(width - place for place in range(size, deepest))
    return parts


@given(
    st.lists(
        st.tuples(*[st.sampled_from(["x", "y", "z", None])] * 3, st.just("same")), min_size=1, max_size=9
    ),
    st.none() | st.integers(1, 8),
    st.sampled_from([0.01, 0.5, 1.0]),
)
def test_scores_parts_and_chances_are_those_of_trying_every_set(
    rows: list[tuple[str | None, ...]], depth: int | None, fraction: float
) -> None:
    table = Table.of(
        pl.DataFrame(rows, schema=dict.fromkeys("abcd", pl.String), orient="row"),
        roles={},
        rest="quasi-identifier",
    )
    found, parts = suda(table, depth=depth, fraction=fraction), tried_out(rows, depth)
    scores = parts[:, -1]
    assert found.scores == pytest.approx(scores)
    assert found.contributions == pytest.approx(parts[:, :-1] / np.maximum(scores, 1)[:, None])
    sizes = Counter(rows)
    uniques, pairs = (sum(size for size in sizes.values() if size == count) for count in (1, 2))
    assert found.records is not None
    assert (found.records[scores == 0] == 0).all()
    if (scores > 0).any():
        odds = 1 / found.records[scores > 0] - 1
        assert odds.mean() == pytest.approx(pairs * (1 - fraction) / (uniques * fraction), abs=1e-9)
        assert np.ptp(odds * scores[scores > 0]) == pytest.approx(
            0, abs=1e-6 * (1 + scores.max() * odds.max())
        )
