"""Whatever plan a file was masked by, clues that cannot err leave everybody's own record in."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.attack import transparency
from discreet.errors import DiscreetError, NotComputable
from discreet.plan import Plan
from discreet.protection import protect
from discreet.release import Release
from discreet.table import Table

NUMBERS, LEVELS, WORDS = ["a", "b", "c"], ["o"], ["s", "t"]
ORDER = ["low", "mid", "high", "top"]
ODD_ORDER = ["a to c", "a", "c", "b"]
SOME_WORDS = ["x", "y", "z", "q r", "(any)"]


def small_table(rng: np.random.Generator) -> Table:
    """Few records, with ties, gaps, decimals, a constant or a date among the columns."""
    count = int(rng.choice([1, 2, 3, 5, 8, 20, 40]))
    kinds: dict[str, Callable[[], Any]] = {
        "few": lambda: rng.integers(0, 4, count).astype(float),
        "decimal": lambda: rng.integers(-50, 50, count) * 0.1,
        "wide": lambda: np.exp(3 * rng.normal(size=count)),
        "constant": lambda: np.full(count, 0.1),
        "whole": lambda: rng.integers(18, 90, count),
        "day": lambda: [date(2000, 1, 1) + timedelta(days=int(day)) for day in rng.integers(0, 60, count)],
        "hour": lambda: [
            datetime(2000, 1, 1) + timedelta(hours=int(hour)) for hour in rng.integers(0, 600, count)
        ],
    }
    columns = {name: pl.Series(name, kinds[str(rng.choice(list(kinds)))]()) for name in NUMBERS}
    order = ORDER if rng.random() < 0.7 else ODD_ORDER
    columns["o"] = pl.Series("o", rng.choice(order, count).tolist(), dtype=pl.String)
    for name in WORDS:
        columns[name] = pl.Series(name, rng.choice(SOME_WORDS, count).tolist(), dtype=pl.String)
    for name, values in columns.items():
        if rng.random() < 0.3:
            columns[name] = values.set(pl.Series(rng.random(count) < 0.2), None)
    columns["w"] = pl.Series("w", rng.choice([1.0, 2.5, 10.0], count))
    scales = dict.fromkeys(NUMBERS, "numeric") | dict.fromkeys(WORDS, "nominal") | {"o": "ordinal"}
    return Table.of(
        pl.DataFrame(list(columns.values())),
        roles={"w": "weight"},
        rest="quasi-identifier",
        scales=scales,
        orders={"o": order},
    )


def some_step(rng: np.random.Generator) -> tuple[str, dict[str, Any]]:
    """A step whose clues cannot err, with parameters drawn at random."""

    def some(names: list[str]) -> list[str]:
        return [str(name) for name in rng.permutation(names)[: rng.integers(1, len(names) + 1)]]

    def one(*among: Any) -> Any:
        return among[int(rng.integers(len(among)))]

    ordered = NUMBERS + LEVELS
    coded = {"columns": some(NUMBERS), "replace": one("threshold", "mean")}
    step: tuple[str, dict[str, Any]] = one(
        ("rank_swap", {"columns": some(ordered), "p": one(1.0, 10.0, 33.3, 100.0)}),
        (
            "microaggregate",
            {"columns": some(ordered), "k": one(2, 3), "variant": "individual", "weighted": one(True, False)},
        ),
        (
            "round",
            {
                "columns": some(NUMBERS),
                "base": one(0.1, 0.3, 5.0),
                "variant": one("deterministic", "stochastic", "multivariate"),
            },
        ),
        (one("top_code", "bottom_code"), {**coded, "threshold": one(-1.0, 0.1, 2.0, 40.0)}),
        (one("top_code", "bottom_code"), {**coded, "share": one(0.2, 0.5), "weighted": one(True, False)}),
        (one("top_code", "bottom_code"), {"columns": LEVELS, "categories": one(1, 2)}),
        ("recode", {"columns": some(WORDS + LEVELS), "rarest": one(1, 2)}),
        ("recode", {"columns": some(WORDS), "mapping": {"x": "y", "z": "w"}}),
        (
            "recode_numbers",
            {"columns": some(NUMBERS), "bins": one(2, 5), "variant": one("width", "quantile")},
        ),
        ("recode_numbers", {"columns": some(NUMBERS), "cuts": [0.1, 0.7, 33.0]}),
        ("camouflage", {"columns": some(NUMBERS), "width": one(0.1, 7.3), "steps": one(1, 10)}),
        ("generalise", {"columns": some(ordered + WORDS), "k": 2, "max_suppressed": one(0.0, 0.3)}),
        ("generalise_locally", {"columns": some(LEVELS + WORDS), "k": 2}),
        ("mondrian", {"columns": some(ordered + WORDS), "k": 2, "numbers": one("interval", "mean")}),
        ("resample", {"columns": some(ordered)}),
        ("distort", {"columns": some(NUMBERS), "family": one("best", "normal"), "bounded": one(True, False)}),
        ("suppress", {"columns": some(ordered + WORDS), "k": 2, "missing": one("own", "any")}),
        ("sample", {"fraction": 0.5}),
    )
    return step


def fitting(drawn: Callable[[], tuple[Table, Plan]], seed: int) -> tuple[Table, Release]:
    """The first table and plan, of those drawn, that fit each other, and the release."""
    for _ in range(60):
        table, plan = drawn()
        try:
            return table, protect(table, plan, seed=seed)
        except DiscreetError:
            continue
    pytest.fail("no plan fits")


@given(st.integers(0, 1_000_000))
@settings(max_examples=150, deadline=None)
def test_sure_clues_never_rule_out_the_true_record(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = small_table(rng)
    table, release = fitting(
        lambda: (table, Plan.of([some_step(rng) for _ in range(int(rng.integers(1, 4)))])),
        int(rng.integers(1000)),
    )
    assert release.truth is not None
    known = np.sort(rng.choice(len(table), int(rng.integers(1, len(table) + 1)), replace=False))
    place = np.full(len(table), -1)
    place[known] = np.arange(len(known))
    truth = place[release.truth]
    if (truth < 0).all():
        with pytest.raises(NotComputable, match="true partner"):
            transparency(table.take(known), release.table, truth=truth, manifest=release.manifest)
        return
    found = transparency(table.take(known), release.table, truth=truth, manifest=release.manifest)
    assert found.details["true_record_ruled_out"] == 0
    assert found.failed == 0


@given(st.integers(0, 1_000_000), st.sampled_from(["recode_numbers", "threshold", "share", "mapping"]))
@settings(max_examples=60)
def test_a_published_rule_leaves_the_records_that_look_the_same(seed: int, rule: str) -> None:
    rng = np.random.default_rng(seed)
    steps: dict[str, tuple[str, dict[str, Any]]] = {
        "recode_numbers": ("recode_numbers", {"columns": NUMBERS, "cuts": [0.1, 0.7, 33.0]}),
        "threshold": ("top_code", {"columns": NUMBERS, "threshold": 2.0}),
        "share": ("bottom_code", {"columns": NUMBERS, "share": 0.3, "replace": "mean"}),
        "mapping": ("recode", {"columns": WORDS, "mapping": {"x": "y", "y": "z"}}),
    }
    table, release = fitting(lambda: (small_table(rng), Plan.of([steps[rule]])), 1)
    found = transparency(table, release.table, truth=release.truth, manifest=release.manifest)
    rows = release.table.frame.select(table.keys).rows()
    assert found.candidates.tolist() == [rows.count(row) for row in rows]


def attacked(table: Table, *steps: tuple[str, dict[str, Any]]) -> Any:
    release = protect(table, Plan.of(steps), seed=1)
    return transparency(table, release.table, truth=release.truth, manifest=release.manifest)


def test_the_average_level_of_a_part_is_not_taken_for_the_level_of_its_members() -> None:
    frame = pl.DataFrame({"o": ["low", "low", "high", "top", "mid", "top"], "n": [1.0, 1, 1, 9, 9, 9]})
    table = Table.of(
        frame, roles={}, rest="quasi-identifier", scales={"o": "ordinal", "n": "numeric"}, orders={"o": ORDER}
    )
    found = attacked(table, ("mondrian", {"columns": ["o", "n"], "k": 3, "numbers": "mean"}))
    assert found.failed == 0
    assert "does not say whom" in found.details["no_clue"]["o"]


def test_a_threshold_between_two_days_stands_for_dates_as_the_day_that_is_published() -> None:
    days = pl.Series("day", [date(2000, 1, 1 + place) for place in range(8)])
    table = Table.of(days.to_frame(), roles={}, rest="quasi-identifier", scales={"day": "numeric"})
    threshold = (date(2000, 1, 5) - date(1970, 1, 1)).days + 0.3
    found = attacked(table, ("top_code", {"columns": ["day"], "threshold": threshold}))
    assert found.details["true_record_ruled_out"] == 0
    assert found.certain == 4


def test_a_threshold_outside_the_day_stands_for_times_as_the_end_of_the_day() -> None:
    times = pl.Series("time", [0, 1, 50, 7_200_000_000_000]).cast(pl.Time)
    table = Table.of(times.to_frame(), roles={}, rest="quasi-identifier", scales={"time": "numeric"})
    assert attacked(table, ("top_code", {"columns": ["time"], "threshold": -1.0})).failed == 0
    assert attacked(table, ("bottom_code", {"columns": ["time"], "threshold": 1e15})).failed == 0


def test_ranks_are_no_clue_for_who_holds_as_many_records_but_other_ones() -> None:
    rng = np.random.default_rng(3)
    table = Table.of(pl.DataFrame({"n": rng.normal(size=40)}), roles={}, rest="quasi-identifier")
    release = protect(
        table, Plan.of([("sample", {"fraction": 0.5}), ("distort", {"columns": ["n"]})]), seed=2
    )
    assert release.truth is not None
    known = np.arange(20)
    truth = np.where(release.truth < 20, release.truth, -1)
    found = transparency(table.take(known), release.table, truth=truth, manifest=release.manifest)
    assert "does not hold the whole file" in found.details["no_clue"]["n"]
    assert found.details["true_record_ruled_out"] == 0


def test_times_that_became_intervals_hold_the_times_they_hide() -> None:
    hours = pl.Series("h", [datetime(2000, 1, 1) + timedelta(hours=7 * place) for place in range(12)])
    for values in (hours, hours.dt.cast_time_unit("ns"), hours.dt.replace_time_zone("UTC"), hours.dt.time()):
        table = Table.of(values.to_frame(), roles={}, rest="quasi-identifier", scales={"h": "numeric"})
        found = attacked(table, ("recode_numbers", {"columns": ["h"], "bins": 4}))
        assert found.details["true_record_ruled_out"] == 0
        assert found.candidates.max() <= 4


def test_a_label_that_reads_as_a_level_and_as_a_run_of_levels_holds_both() -> None:
    levels = pl.Series("o", ["a", "a", "c", "c", "a to c", "b", "b", "b"])
    table = Table.of(
        levels.to_frame(), roles={}, rest="quasi-identifier", scales={"o": "ordinal"}, orders={"o": ODD_ORDER}
    )
    for k in (2, 3, 4):
        found = attacked(table, ("mondrian", {"columns": ["o"], "k": k}))
        assert found.details["true_record_ruled_out"] == 0


@given(
    st.lists(
        st.lists(st.sampled_from([0, 0.1, 0.2, 0.7, 1, 3, 10]), min_size=2, max_size=3, unique=True),
        min_size=2,
        max_size=3,
    ),
    st.sampled_from(["zscore", "component"]),
    st.randoms(),
)
@settings(max_examples=60)
def test_groups_along_an_axis_are_sure_only_where_the_axis_is_settled(
    sides: list[list[float]], variant: str, random: Any
) -> None:
    """In a table of all combinations no direction is longer than the others but by rounding."""
    rows = list(itertools.product(*sides))
    random.shuffle(rows)
    names = [f"x{place}" for place in range(len(sides))]
    frame = pl.DataFrame(rows, schema=names, orient="row")
    table = Table.of(frame, roles={}, rest="quasi-identifier", scales=dict.fromkeys(names, "numeric"))
    release = protect(
        table, Plan.of([("microaggregate", {"columns": names, "k": 2, "variant": variant})]), seed=1
    )
    assert release.truth is not None
    order = np.array(random.sample(range(len(table)), len(table)))
    truth = np.argsort(order)[release.truth]
    found = transparency(table.take(order), release.table, truth=truth, manifest=release.manifest)
    assert found.details["true_record_ruled_out"] == 0
