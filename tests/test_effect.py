"""What masking did is counted as plain polars counts it, and an unfinished release meets no limit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.small_people import PLAN, SEED, people

import discreet as dc
from discreet.assessment import EXCEEDED, MET, NOT_CHECKED, assess
from discreet.effect import Effect, effect
from discreet.errors import BadParameter
from discreet.release import Release
from discreet.table import Table
from discreet.verification import BROKEN

KEYS = ["region", "sex", "age"]
COARSE = dc.Plan.of(["suppress k=4 columns=region,sex,age", "round base=5 columns=income"])


def patients() -> Table:
    """Sixty people with one to three records each."""
    draw = np.random.default_rng(5)
    person = np.repeat(np.arange(60), draw.integers(1, 4, 60))
    region, sex, age = draw.integers(0, 3, 60), draw.integers(0, 2, 60), draw.integers(2, 9, 60) * 10
    frame = pl.DataFrame(
        {
            "person": person,
            "region": [f"r{region[each]}" for each in person],
            "sex": ["fm"[sex[each]] for each in person],
            "age": age[person],
            "income": draw.integers(100, 999, len(person)),
            "ill": [f"d{each}" for each in draw.integers(0, 4, len(person))],
        }
    )
    roles = {"person": "person", "ill": "confidential", "income": "insensitive"}
    return Table.of(frame, roles=roles, rest="quasi-identifier", name="patients")


@pytest.fixture(scope="module")
def released() -> tuple[Table, Release, Effect]:
    table = patients()
    release = dc.protect(table, COARSE, seed=3)
    return table, release, effect(table, release, ceilings={"identity": 0.2}, floors={"k_anonymity": 4})


def test_k_counts_people_as_polars_does(released: tuple[Table, Release, Effect]) -> None:
    table, release, found = released
    frame = release.table.frame.with_columns(table.frame["person"])
    sizes = frame.group_by(KEYS).agg(pl.col("person").n_unique().alias("people"))
    assert found.k == sizes["people"].min()
    assert found.counted == "people"
    assert found.k != table.frame.group_by(KEYS).len()["len"].min()


def test_l_is_that_of_polars(released: tuple[Table, Release, Effect]) -> None:
    _, release, found = released
    assert found.l == release.table.frame.group_by(KEYS).agg(pl.col("ill").n_unique())["ill"].min()


def test_blanked_and_changed_cells_are_those_of_polars(released: tuple[Table, Release, Effect]) -> None:
    table, release, found = released
    for each in found.columns:
        before, after = table.frame[each.column], release.table.frame[each.column]
        assert each.blanked == int((before.is_not_null() & after.is_null()).sum())
        assert each.changed == int((before != after).fill_null(False).sum())
    touched = {each.column for each in found.columns if each.blanked or each.changed}
    assert "income" in touched
    assert "person" not in {each.column for each in found.columns}


def test_a_number_that_is_only_written_otherwise_is_not_changed() -> None:
    table = Table.of(pl.DataFrame({"a": [1, 2, None]}), roles={"a": "quasi-identifier"})
    release = dc.protect(table, dc.Plan.of(["round base=1 columns=a"]), seed=1)
    assert release.table.frame["a"].dtype != pl.String
    found = effect(table, release)
    assert [(each.changed, each.blanked) for each in found.columns] == [(0, 0)]


def test_limits_that_need_an_attack_are_not_checked(released: tuple[Table, Release, Effect]) -> None:
    _, _, found = released
    assert {limit.name: limit.status for limit in found.limits} == {
        "identity": NOT_CHECKED,
        "k_anonymity": MET,
    }


def test_limits_of_the_effect_are_those_that_assess_finds(released: tuple[Table, Release, Effect]) -> None:
    table, release, _ = released
    for floor in (1, 4, 99):
        shown = effect(table, release, floors={"k_anonymity": floor}).limits[0]
        judged = assess(table, release, attacks=["k_anonymity"], losses=[], floors={"k_anonymity": floor})
        assert (shown.status, shown.found) == (judged.limits[0].status, judged.limits[0].found)


def test_steps_that_draw_values_at_random_are_named() -> None:
    table = people()
    found = effect(table, dc.protect(table, PLAN, seed=SEED))
    assert found.random_steps == ("add_noise",)
    assert "say little" in found.reached[-1]


@pytest.mark.parametrize(("variant", "drawn"), [("deterministic", ()), ("stochastic", ("round",))])
def test_rounding_draws_only_where_it_is_told_to(variant: str, drawn: tuple[str, ...]) -> None:
    table = people()
    plan = dc.Plan.of([f"round columns=age base=5 variant={variant}"])
    assert effect(table, dc.protect(table, plan, seed=SEED)).random_steps == drawn


def test_an_unfinished_release_meets_no_limit(tmp_path: Path) -> None:
    table = patients()
    release = dc.protect(table, COARSE, seed=3, upto=1)
    assert [step.method for step in release.steps] == ["suppress"]
    assert release.manifest.steps_left == 1
    floors = {"k_anonymity": 2}
    judged = assess(table, release, attacks=["k_anonymity"], losses=[], floors=floors)
    assert judged.verdict == NOT_CHECKED
    assert "unfinished" in judged.limits[0].unchecked
    assert effect(table, release, floors=floors).limits[0].status == NOT_CHECKED
    beyond = assess(table, release, attacks=["k_anonymity"], losses=[], floors={"k_anonymity": 500})
    assert beyond.verdict == EXCEEDED
    folder = release.save(tmp_path / "release")
    again = Release.load(folder)
    assert (
        again.manifest.unfinished
        == "the release is unfinished: 1 of the 2 steps of its plan were carried out"
    )
    assert [each.state for each in dc.verify(folder).findings if "all steps" in each.says] == [BROKEN]
    assert not dc.verify(folder).sound


def test_the_same_seed_lets_the_same_steps_do_the_same() -> None:
    table = people()
    whole = dc.protect(table, PLAN, seed=SEED, order="kept").table.frame
    first = dc.protect(table, PLAN, seed=SEED, order="kept", upto=1).table.frame
    assert first["age"].equals(whole["age"])
    assert not first["town"].equals(whole["town"])
    full = dc.protect(table, PLAN, seed=SEED, upto=2)
    assert full.manifest.to_dict() == dc.protect(table, PLAN, seed=SEED).manifest.to_dict()
    assert "steps_left" not in full.manifest.to_dict()


@pytest.mark.parametrize("upto", [0, 3, -1])
def test_there_are_no_more_steps_than_the_plan_has(upto: int) -> None:
    with pytest.raises(BadParameter, match="the plan has 2 steps"):
        dc.protect(people(), PLAN, upto=upto)
