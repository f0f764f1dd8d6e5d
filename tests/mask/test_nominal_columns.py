"""Nominal columns without an ontology in microaggregation and resampling: 0 or 1 apart, and the mode."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet.mask.coordinates as coordinates_module
from discreet.attack import transparency
from discreet.errors import NotComputable, WrongScale
from discreet.mask import k_resample, microaggregate
from discreet.mask.centres import centres
from discreet.mask.coordinates import scaled, spread_out
from discreet.plan import Plan
from discreet.protection import protect
from discreet.table import Scale, Table

Rows = list[tuple[str, str, int]]
COLUMNS = ["sex", "trade", "age"]
VARIANTS = ["mdav", "individual", "component", "adaptive"]
PEOPLE = st.lists(
    st.tuples(
        st.sampled_from("fm"), st.sampled_from(["smith", "cook", "clerk", "guard"]), st.integers(18, 25)
    ),
    min_size=6,
    max_size=24,
)


def table_of(rows: Rows) -> Table:
    frame = pl.DataFrame(rows, schema=COLUMNS, orient="row")
    return Table.of(frame, roles={}, rest="quasi-identifier")


def mdav_by_hand(points: list[tuple[str, ...]], k: int) -> list[set[int]]:
    """MDAV over categories 0 or 1 apart; of tuples that are as far, the first by their texts."""
    left = sorted(range(len(points)), key=lambda row: (points[row], row))
    groups: list[set[int]] = []

    def apart(one: tuple[str, ...], other: tuple[str, ...]) -> int:
        return sum(a != b for a, b in zip(one, other, strict=True))

    def middle(rows: list[int]) -> tuple[str, ...]:
        found = []
        for column in zip(*(points[row] for row in rows), strict=True):
            counts = Counter(column)
            found.append(min(counts, key=lambda value: (-counts[value], value)))
        return tuple(found)

    def take(around: tuple[str, ...]) -> None:
        nearest = sorted(left, key=lambda row: (apart(points[row], around), points[row], row))[:k]
        groups.append(set(nearest))
        left[:] = [row for row in left if row not in groups[-1]]

    def farthest(place: tuple[str, ...]) -> tuple[str, ...]:
        return points[max(left, key=lambda row: apart(points[row], place))]

    while len(left) >= 3 * k:
        first = farthest(middle(left))
        take(first)
        take(farthest(first))
    if len(left) >= 2 * k:
        take(farthest(middle(left)))
    groups.append(set(left))
    return groups


@given(PEOPLE, st.integers(2, 4))
def test_mdav_forms_the_groups_of_the_definition(rows: Rows, k: int) -> None:
    people: list[tuple[str, ...]] = [row[:2] for row in rows]
    masked = microaggregate(table_of(rows), columns=COLUMNS[:2], k=k, standardise=False)
    labels = masked.facts["labels"]["sex+trade"]
    found = sorted(
        sorted(people[row] for row in np.flatnonzero(labels == each)) for each in set(labels.tolist())
    )
    assert found == sorted(sorted(people[row] for row in group) for group in mdav_by_hand(people, k))


@given(PEOPLE, st.integers(2, 4), st.sampled_from(VARIANTS))
def test_nominal_columns_become_the_mode_of_their_group(rows: Rows, k: int, variant: str) -> None:
    table = table_of(rows)
    masked = microaggregate(table, columns=COLUMNS, k=k, variant=variant)
    for names, labels in masked.facts["labels"].items():
        assert np.bincount(labels).min() >= k
        for name in set(names.split("+")) - {"age"}:
            for label in np.unique(labels):
                group = np.flatnonzero(labels == label)
                counts = Counter(table.frame[name].gather(group).to_list())
                mode = min(counts, key=lambda value: (-counts[value], value))
                assert set(masked.table.frame[name].gather(group).to_list()) == {mode}


@given(PEOPLE, st.integers(2, 3), st.booleans())
def test_resampling_leaves_nobody_among_fewer_than_k(rows: Rows, k: int, together: bool) -> None:
    masked = k_resample(table_of(rows), columns=COLUMNS, k=k, together=together, seed=1)
    for names in [COLUMNS] if together else [[name] for name in COLUMNS]:
        assert masked.table.frame.group_by(names).len()["len"].min() >= k  # type: ignore[operator]


def test_resampling_keeps_a_category_where_every_sample_has_enough_of_it() -> None:
    rows: Rows = [("f", "smith", 20)] * 300 + [("m", "cook", 20)] * 300
    masked = k_resample(table_of(rows), columns=["trade"], k=2, seed=1)
    assert (masked.table.frame["trade"] == table_of(rows).frame["trade"]).mean() > 0.9  # type: ignore[operator]


@settings(max_examples=50)
@given(PEOPLE)
def test_standardised_a_nominal_column_counts_as_much_as_a_number(rows: Rows) -> None:
    codes = np.unique([row[1] for row in rows], return_inverse=True)[1].reshape(-1, 1).astype(float)
    if len(np.unique(codes)) < 2:
        return
    points = spread_out(*scaled(codes, [Scale.NOMINAL], standardise=True))
    between = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    assert between.mean() == pytest.approx(2.0)
    plain = spread_out(*scaled(codes, [Scale.NOMINAL], standardise=False))
    assert set(np.round(((plain[:, None] - plain[None]) ** 2).sum(axis=2), 12).ravel()) == {0.0, 1.0}


def test_a_mode_counts_records_by_their_weights_where_these_are_given() -> None:
    values = np.array([[0.0], [0.0], [1.0], [2.0], [2.0]])
    labels = np.array([0, 0, 0, 1, 1])
    assert centres(values, labels, [Scale.NOMINAL])[:, 0].tolist() == [0, 0, 0, 2, 2]
    assert centres(values, labels, [Scale.NOMINAL], np.array([1.0, 1, 3, 0, 0]))[:, 0].tolist() == [
        1,
        1,
        1,
        2,
        2,
    ]


def test_types_and_missing_values_of_nominal_columns_stay() -> None:
    frame = pl.DataFrame(
        {"code": [1, 1, 2, 2, 1, None, None], "yes": [True, False, True, True, False, True, True]}
    )
    table = Table.of(frame, roles={}, rest="quasi-identifier", scales={"code": "nominal", "yes": "nominal"})
    masked = microaggregate(table, columns=["code", "yes"], k=2).table
    assert masked.frame.schema == frame.schema
    assert masked.frame["code"].is_null().to_list() == [False] * 5 + [True] * 2


def test_sums_of_z_scores_are_refused_for_categories() -> None:
    with pytest.raises(WrongScale, match="zscore"):
        microaggregate(table_of([("f", "cook", 20)] * 6), columns=COLUMNS, k=2, variant="zscore")


def test_too_many_categories_for_a_component_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coordinates_module, "MOST_INDICATORS", 5)
    with pytest.raises(NotComputable, match="2 categories"):
        microaggregate(
            table_of([("f", "cook", 20), ("m", "cook", 20)] * 3), columns=["sex"], k=2, variant="component"
        )


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_attack_by_the_manifest_finds_the_groups_by_the_numbers_among_them(variant: str) -> None:
    generator = np.random.default_rng(1)
    rows: Rows = [
        ("fm"[sex], ["smith", "cook"][trade], int(age))
        for sex, trade, age in zip(
            generator.integers(0, 2, 60),
            generator.integers(0, 2, 60),
            generator.integers(18, 80, 60),
            strict=True,
        )
    ]
    table = table_of(rows)
    release = protect(
        table, Plan.of([("microaggregate", {"columns": COLUMNS, "k": 3, "variant": variant})]), seed=1
    )
    assert transparency(table, release.table, manifest=release.manifest).risk > 0.1
