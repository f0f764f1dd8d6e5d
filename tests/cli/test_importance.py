"""The importance of columns: how much each counts in what is lost, and which are blanked last."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.errors import BadParameter

Run = Callable[..., subprocess.CompletedProcess[str]]


def people(**importance: float) -> dc.Table:
    draw = np.random.default_rng(3)
    frame = pl.DataFrame(
        {
            "town": draw.choice(list("abcdef"), 200),
            "trade": draw.choice(list("uvwxyz"), 200),
            "pay": np.round(draw.lognormal(3, 1, 200), 2),
        }
    )
    table = dc.Table.of(frame, roles={}, rest="quasi-identifier")
    columns = tuple(replace(each, importance=importance.get(each.name, 1.0)) for each in table.columns)
    return replace(table, columns=columns)


def blanked(table: dc.Table, name: str) -> dc.Table:
    gone = pl.Series(name, [None] * len(table), dtype=table.frame[name].dtype)
    return table.with_values({name: gone})


@given(st.sampled_from(["town", "trade", "pay"]), st.floats(1.5, 50))
def test_losing_a_column_costs_more_the_more_it_matters(name: str, importance: float) -> None:
    alike, heavy, light = (people(**{name: each}) for each in (1.0, importance, 1 / importance))
    costs = [dc.loss.lost(table, blanked(table, name)).loss for table in (light, alike, heavy)]
    assert costs[0] < costs[1] < costs[2]


@given(st.floats(0.01, 100))
def test_only_the_proportions_of_importance_matter(scale: float) -> None:
    one, other = people(town=2, trade=1, pay=3), people(town=2 * scale, trade=scale, pay=3 * scale)
    masked = blanked(one, "town")
    assert dc.loss.lost(one, masked).loss == pytest.approx(dc.loss.lost(other, masked).loss)


def test_nothing_and_everything_lost_are_the_same_whatever_matters() -> None:
    table = people(pay=7)
    nothing = blanked(blanked(blanked(table, "town"), "trade"), "pay")
    assert dc.loss.lost(table, table).loss == 0
    assert dc.loss.lost(table, nothing).loss == pytest.approx(100)


def test_what_matters_most_is_blanked_last() -> None:
    def gone(**importance: float) -> dict[str, int]:
        done = dc.mask.suppress(people(**importance), columns=["town", "trade"], k=7)
        assert done.table.frame.group_by("town", "trade").len()["len"].min() >= 7  # type: ignore[operator]
        return {name: done.table.frame[name].null_count() for name in ("town", "trade")}

    towns, trades = gone(town=10), gone(trade=10)
    assert towns["town"] < trades["town"]
    assert trades["trade"] < towns["trade"]


def test_the_public_half_says_nothing_of_importance() -> None:
    release = dc.protect(people(pay=3), dc.Plan.of(["add_noise columns=pay"]), seed=1)
    assert "importance" not in str(release.manifest.to_dict())


def test_search_keeps_in_the_project_what_matters(in_process: Run, tmp_path: Path) -> None:
    people().frame.write_csv(tmp_path / "people.csv")
    roles = "".join(f'[columns.{name}]\nrole = "quasi-identifier"\n' for name in people().names)
    (tmp_path / "discreet.toml").write_text(roles)
    search = ("search", "people.csv", "--ceiling", "identity=0.9", "--trials", "4")
    done = in_process(*search, "--importance", "pay=3", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert dc.Project.load(tmp_path / "found.toml").columns["pay"].importance == 3
    for written, says in (("pay", "takes a column and a number"), ("pay=0", "above 0"), ("day=2", "'pay'")):
        wrong = in_process(*search, "--importance", written, "--force", folder=tmp_path)
        assert wrong.returncode == 2
        assert says in wrong.stderr


def test_a_project_refuses_an_importance_of_nothing(tmp_path: Path) -> None:
    (tmp_path / "discreet.toml").write_text('[columns.pay]\nrole = "confidential"\nimportance = 0\n')
    with pytest.raises(BadParameter, match="line 3: importance must be a number above 0"):
        dc.Project.load(tmp_path / "discreet.toml")
