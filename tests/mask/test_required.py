"""k with l and t, counted in people and for whole households: every guarantee on small random tables, by hand."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import brute_classes as brute

from discreet.errors import BadParameter, GuaranteeBroken, Unreachable
from discreet.households import household_columns
from discreet.mask import generalise, generalise_locally, mondrian, suppress
from discreet.mask.generalise import losses_of
from discreet.mask.hierarchies import hierarchies_of
from discreet.ontology.columns import Interpretation
from discreet.plan import Plan
from discreet.protection import protect
from discreet.results import Masked
from discreet.table import Table

KEYS = ["town", "age", "sex"]
ROW = st.tuples(
    st.sampled_from(["a", "b", "c", None]),
    st.sampled_from([20, 21, 35, 60]),
    st.sampled_from(["f", "m"]),
    st.sampled_from(["flu", "cold", "hay fever", None]),
    st.integers(0, 9),
    st.integers(0, 7),
)
ROWS = st.lists(ROW, min_size=4, max_size=26)
TWO_HOMES = [
    ("a", 20, "f", "flu", 10, 8),
    ("a", 35, "m", "flu", 11, 8),
    ("b", 20, "m", "cold", 12, 9),
    ("b", 60, "m", "cold", 13, 9),
]
"""Two households of different towns: with them the town is known to be that of the household."""
MASKS: dict[str, Callable[..., Masked]] = {
    "generalise": generalise,
    "generalise with suppression": lambda table, **goal: generalise(table, max_suppressed=0.4, **goal),
    "generalise_locally": generalise_locally,
    "mondrian": mondrian,
    "suppress": suppress,
}
GOALS = st.fixed_dictionaries(
    {"k": st.integers(2, 3)},
    optional={
        "l": st.sampled_from([1.5, 2.0]),
        "l_variant": st.sampled_from(["distinct", "entropy", "recursive"]),
        "t": st.sampled_from([0.3, 0.6]),
    },
).map(lambda goal: goal if "l" in goal else {name: goal[name] for name in goal if name != "l_variant"})


def table_of(rows: list[Any], *, people: bool = False, homes: bool = False) -> Table:
    """A table in which the town is that of the household, where there are households."""
    towns = {row[5]: row[0] for row in rows if row[0] is not None}
    frame = pl.DataFrame(
        {
            "town": pl.Series(
                [towns.get(row[5]) if homes and row[0] is not None else row[0] for row in rows],
                dtype=pl.String,
            ),
            "age": [row[1] for row in rows],
            "sex": [row[2] for row in rows],
            "illness": pl.Series([row[3] for row in rows], dtype=pl.String),
            "who": [row[4] for row in rows],
            "home": [row[5] for row in rows],
        }
    )
    roles = dict.fromkeys(KEYS, "quasi-identifier") | {"illness": "confidential"}
    roles |= {"who": "person" if people else "insensitive", "home": "household" if homes else "insensitive"}
    return Table.of(frame, roles=roles)


def check(
    table: Table, masked: Table, goal: dict[str, Any], *, people: bool, of_households: tuple[str, ...]
) -> None:
    """What an intruder sees who fills blanks from households: every class reaches the goal."""
    rows = brute.filled(masked.frame, KEYS, of_households, "home")
    who = table.frame["who"].to_list() if people else list(range(len(table)))
    illness = masked.frame["illness"].to_list()
    for members in brute.classes(rows).values():
        assert len({who[place] for place in members}) >= goal["k"]
        if "l" in goal:
            level = brute.level(members, illness, who, goal.get("l_variant", "distinct"), 3.0)
            assert level >= goal["l"] - 1e-9
        if "t" in goal:
            assert brute.distance(members, illness, who, ordered=False) <= goal["t"] + 1e-9


def reached(mask: Callable[..., Masked], table: Table, goal: dict[str, Any]) -> Masked | None:
    """What the mask gives; None where it says that the goal is out of reach."""
    try:
        return mask(table, columns=KEYS, **goal)
    except Unreachable:
        return None


def whole_file_reaches(table: Table, goal: dict[str, Any], *, people: bool) -> bool:
    who = table.frame["who"].to_list() if people else list(range(len(table)))
    illness = table.frame["illness"].to_list()
    level = brute.level(range(len(table)), illness, who, goal.get("l_variant", "distinct"), 3.0)
    return bool(len(set(who)) >= goal["k"] and level >= goal.get("l", 0))


@pytest.mark.parametrize("name", MASKS)
@settings(max_examples=120)
@given(rows=ROWS, goal=GOALS, people=st.booleans(), homes=st.booleans())
def test_every_class_reaches_k_l_and_t_in_people_and_after_filling_from_households(
    name: str, rows: list[Any], goal: dict[str, Any], people: bool, homes: bool
) -> None:
    table = table_of(rows, people=people, homes=homes)
    done = reached(MASKS[name], table, goal)
    if done is None:
        # People who are in several classes are why finer classes may reach an l that the whole file does not.
        assert not whole_file_reaches(table, goal, people=people) or (people and "l" in goal)
        return
    check(table, done.table, goal, people=people, of_households=household_columns(table, KEYS))
    for guarantee in done.guarantees:
        guarantee.check(done.table)
    assert {type(guarantee).__name__ for guarantee in done.guarantees} == {
        "KAnonymous",
        *(["LDiverse"] if "l" in goal else []),
        *(["TClose"] if "t" in goal else []),
    }


def brute_force(table: Table, goal: dict[str, Any]) -> float:
    """The least loss over all combinations of levels, nothing suppressed."""
    trees = hierarchies_of(table, KEYS, Interpretation())
    ladders = [each.levels() for each in trees]
    lost = [losses_of(tree, ladder, "spread") for tree, ladder in zip(trees, ladders, strict=True)]
    illness, who = table.frame["illness"].to_list(), list(range(len(table)))
    best = np.inf
    for levels in product(*(range(len(each)) for each in ladders)):
        nodes = [
            ladder[level][tree.codes].tolist()
            for tree, ladder, level in zip(trees, ladders, levels, strict=True)
        ]
        groups = brute.classes(list(zip(*nodes, strict=True))).values()
        fine = all(
            len(members) >= goal["k"]
            and brute.level(members, illness, who, goal.get("l_variant", "distinct"), 3.0)
            >= goal.get("l", 0) - 1e-12
            and brute.distance(members, illness, who, ordered=False) <= goal.get("t", 1) + 1e-12
            for members in groups
        )
        if fine:
            total = sum(
                float(each[level][tree.codes].sum())
                for each, level, tree in zip(lost, levels, trees, strict=True)
            )
            best = min(best, total / (3 * len(table)))
    return best


@settings(max_examples=150)
@given(rows=ROWS, goal=GOALS)
def test_generalise_loses_no_more_than_the_best_combination_of_levels(
    rows: list[Any], goal: dict[str, Any]
) -> None:
    table = table_of(rows)
    expected = brute_force(table, goal)
    if np.isinf(expected):
        with pytest.raises(Unreachable):
            generalise(table, columns=KEYS, **goal)
        return
    assert generalise(table, columns=KEYS, **goal).facts["loss"] == pytest.approx(expected)
    suppressed = generalise(table, columns=KEYS, max_suppressed=0.3, **goal)
    assert suppressed.facts["loss"] <= expected + 1e-9
    assert suppressed.facts["suppressed_records"] <= 0.3 * len(table)


@settings(max_examples=150)
@given(
    rows=ROWS,
    shared=st.booleans(),
    k=st.integers(2, 3),
    missing=st.sampled_from(["own", "any"]),
    people=st.booleans(),
)
def test_no_suppressed_value_of_a_household_is_told_by_another_member(
    rows: list[Any], shared: bool, k: int, missing: str, people: bool
) -> None:
    table = table_of([*rows, *TWO_HOMES] if shared else rows, people=people, homes=True)
    if len(table.frame["who"].unique() if people else table.frame) < k:
        with pytest.raises(Unreachable, match="needs at least"):
            suppress(table, columns=KEYS, k=k, missing=missing)
        return
    done = suppress(table, columns=KEYS, k=k, missing=missing)
    assert len(done.guarantees) == 1
    if "town" in household_columns(table, KEYS):
        gone = table.frame["town"].is_not_null() & done.table.frame["town"].is_null()
        homes = set(table.frame["home"].filter(gone))
        kept = done.table.frame.filter(pl.col("home").is_in(list(homes)))
        assert kept["town"].null_count() == len(kept)
    for guarantee in done.guarantees:
        guarantee.check(done.table)


@settings(max_examples=100)
@given(rows=ROWS, k=st.integers(2, 3))
def test_local_generalisation_publishes_a_value_of_a_household_alike_for_all_members(
    rows: list[Any], k: int
) -> None:
    table = table_of([*rows, *TWO_HOMES], homes=True)
    assert "town" in household_columns(table, KEYS)
    for mask in (generalise_locally, mondrian):
        frame = mask(table, columns=KEYS, k=k).table.frame
        towns = frame.drop_nulls("town").group_by("home").agg(pl.col("town").n_unique())
        assert (towns["town"] == 1).all()


def test_a_rare_class_of_one_illness_joins_another_and_not_only_a_small_one() -> None:
    rows = [("a", 20, "f", "flu", i, i) for i in range(5)] + [("b", 20, "f", "cold", i, i) for i in range(5)]
    table = table_of(rows)
    for name, mask in MASKS.items():
        alone, diverse = mask(table, columns=KEYS, k=3), mask(table, columns=KEYS, k=3, l=2)
        assert alone.table.frame["town"].to_list() == table.frame["town"].to_list(), name
        assert diverse.table.frame["town"].n_unique() == 1, name


@pytest.mark.parametrize("name", MASKS)
@settings(max_examples=40)
@given(rows=ROWS, c=st.sampled_from([0.7, 1.5, 5.0]))
def test_recursive_diversity_is_reached_for_the_c_that_is_asked_for(
    name: str, rows: list[Any], c: float
) -> None:
    table = table_of(rows)
    done = reached(MASKS[name], table, {"k": 2, "l": 2, "l_variant": "recursive", "c": c})
    illness, who = table.frame["illness"].to_list(), list(range(len(table)))
    if done is None:
        assert brute.level(range(len(table)), illness, who, "recursive", c) < 2
        return
    assert [each.to_dict().get("c") for each in done.guarantees] == [None, c]
    for members in brute.classes(done.table.frame.select(KEYS).rows()).values():
        assert brute.level(members, illness, who, "recursive", c) >= 2


def test_what_cannot_be_reached_says_how_near_the_best_came() -> None:
    table = table_of([("a", 20, "f", "flu", i, i) for i in range(6)])
    with pytest.raises(
        Unreachable, match=r"k=3 and l=2 with .* leaves 6 of 6 records in classes .* k=6 and l=1"
    ):
        generalise(table, columns=KEYS, k=3, l=2)
    for mask in (generalise_locally, mondrian, suppress):
        with pytest.raises(Unreachable, match=r"k=3 and l=2 is out of reach: 6 of 6 records.* k=6 and l=1\."):
            mask(table, columns=KEYS, k=3, l=2)


def test_fewer_than_k_people_are_out_of_reach_whatever_the_number_of_records() -> None:
    table = table_of([("a", 20, "f", "flu", 1, 1)] * 9, people=True)
    for mask in (generalise_locally, mondrian, suppress):
        with pytest.raises(Unreachable, match="k=3 needs at least 3 people and the table has 1"):
            mask(table, columns=KEYS, k=3)
    with pytest.raises(Unreachable):
        generalise(table, columns=KEYS, k=3)


@pytest.mark.parametrize("mask", [generalise, generalise_locally, mondrian, suppress])
def test_goals_without_meaning_are_refused(mask: Callable[..., Masked]) -> None:
    table = table_of([("a", 20, "f", "flu", i, i) for i in range(6)])
    refused: list[tuple[dict[str, Any], str]] = [
        ({"l_variant": "entropy"}, "l_variant has no meaning without l"),
        ({"c": 2.0, "l": 2}, "c has no meaning"),
        ({"confidential": ["illness"]}, "confidential has no meaning without l or t"),
        ({"l": 2, "confidential": ["sex"]}, "cannot be masked and be what an intruder wants to learn"),
    ]
    for parameters, message in refused:
        with pytest.raises(BadParameter, match=message):
            mask(table, columns=KEYS, **parameters)
    public = Table.of(table.frame.select(KEYS), roles={}, rest="quasi-identifier")
    with pytest.raises(BadParameter, match="has none"):
        mask(public, l=2)


def test_l_and_t_have_no_meaning_where_missing_matches_anything() -> None:
    table = table_of([("a", 20, "f", "flu", i, i) for i in range(6)])
    with pytest.raises(BadParameter, match="missing='any'"):
        suppress(table, columns=KEYS, l=2, missing="any")


def test_the_guarantee_says_people_and_cannot_be_kept_where_they_are_unknown() -> None:
    rows = [("a", 20, "f", "flu", i % 4, i) for i in range(8)]
    table = table_of(rows, people=True)
    guarantee = suppress(table, columns=KEYS, k=3).guarantees[0]
    assert guarantee.says().endswith("at least 3 people")
    assert guarantee.fault(table) == ""
    with pytest.raises(GuaranteeBroken, match="nothing that says which records are of the same person"):
        guarantee.check(table.without(["who"]))


def test_a_release_keeps_l_and_t_on_the_written_file(tmp_path: Any) -> None:
    rows = [
        (town, age, "f", illness, 0, 0)
        for town in "ab"
        for age in (20, 60)
        for illness in ("flu", "cold", None)
    ]
    release = protect(
        table_of(rows * 2), Plan.of([("generalise", {"columns": KEYS, "k": 3, "l": 2, "t": 0.4})]), seed=1
    )
    release.save(tmp_path / "release")
    assert [each["guarantee"] for each in release.manifest.guarantees] == ["KAnonymous", "LDiverse", "TClose"]


def fewest_cells(table: Table, columns: list[str], k: int, l: float) -> int:  # noqa: E741
    """The fewest cells without which every class has k records and l illnesses, by trying all."""
    rows, illness = table.frame.select(columns).rows(), table.frame["illness"].to_list()
    patterns = list(product((False, True), repeat=len(columns)))
    best = len(rows) * len(columns)
    for chosen in product(patterns, repeat=len(rows)):
        lost = sum(map(sum, chosen))
        if lost >= best:
            continue
        left = [
            tuple(None if gone else cell for cell, gone in zip(row, which, strict=True))
            for row, which in zip(rows, chosen, strict=True)
        ]
        classes = brute.classes(left).values()
        if all(len(members) >= k and len({illness[each] for each in members}) >= l for members in classes):
            best = lost
    return best


def test_the_columns_that_help_most_are_blanked_first() -> None:
    frame = pl.DataFrame({"a": list("yxxxx"), "b": list("ppppq"), "illness": list("ffgfg")})
    table = Table.of(frame, roles={"illness": "confidential"}, rest="quasi-identifier")
    done = suppress(table, k=2, l=2)
    assert done.facts["suppressed_cells"] == fewest_cells(table, ["a", "b"], 2, 2)
    six = pl.DataFrame(
        {"a": list("yxxxxx"), "b": list("pppppq"), "c": list("nmmmnn"), "illness": list("ffffgg")}
    )
    table = Table.of(six, roles={"illness": "confidential"}, rest="quasi-identifier")
    # The fewest too, by trying all for some seconds.
    assert suppress(table, k=2, l=2).facts["suppressed_cells"] == 8
