"""The plan in a proposed project file was tried, and the file says what came of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import discreet as dc
from discreet.errors import UnknownColumn
from discreet.inspection import Proposal, inspect, summary
from discreet.table import Role


def townspeople(records: int = 200) -> pl.DataFrame:
    draws = np.random.default_rng(3)
    return pl.DataFrame(
        {
            "household": np.arange(records) // 2 + 100,
            "age": draws.integers(18, 90, records),
            "wage": draws.lognormal(8, 0.5, records).round(2),
            "town": draws.choice(["Reus", "Salt", "Olot", "Vic"], records),
            "illness": draws.choice(["flu", "asthma", "none"], records, p=[0.2, 0.1, 0.7]),
        }
    )


@pytest.fixture(scope="module")
def proposed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Proposal]:
    file = tmp_path_factory.mktemp("towns") / "people.csv"
    townspeople().write_csv(file)
    proposal = inspect(file).with_plan(file)
    (file.parent / "discreet.toml").write_text(proposal.to_toml())
    return file, proposal


def test_the_file_that_is_proposed_keeps_to_its_own_limits(proposed: tuple[Path, Proposal]) -> None:
    file, _ = proposed
    project = dc.Project.load(file.parent / "discreet.toml")
    table = dc.read(file)
    release = dc.Release.load(
        dc.protect(table, project.plan, seed=5).save(file.parent / "release", force=True)
    )
    judged = dc.assess(table, release, ceilings=project.assess.ceilings, floors=project.assess.floors)
    assert dict(project.assess.ceilings) == {"identity": 0.10}
    assert dict(project.assess.floors) == {"k_anonymity": 5}
    assert judged.verdict == "met", [str(each) for each in judged.limits]
    assert not project.release.draft


def test_what_was_tried_stands_in_the_file_with_what_it_reached(proposed: tuple[Path, Proposal]) -> None:
    _, proposal = proposed
    assert proposal.plan is not None
    chosen = proposal.plan.chosen
    assert chosen is not None
    text = proposal.to_toml()
    assert f"# Tried: {len(proposal.plan.tried)} plans" in text
    assert "# identity  attribute" in text
    assert f"{chosen.risk('identity'):.1%}" in text
    assert "yes *" in text
    assert "Not tried" not in text
    assert f"identity {chosen.risk('identity'):.1%}, attribute" in summary(proposal.plan)
    json.dumps(proposal.to_dict(), allow_nan=False)
    for cell in ("Reus", "asthma"):
        assert cell not in text
        assert cell not in str(proposal.to_dict())


def test_the_same_file_gives_the_same_project_file(proposed: tuple[Path, Proposal]) -> None:
    file, proposal = proposed
    assert inspect(file).with_plan(file).to_toml() == proposal.to_toml()


def test_a_frame_is_tried_as_its_file_is(proposed: tuple[Path, Proposal]) -> None:
    _, proposal = proposed
    frame = townspeople()
    again = inspect(frame).with_plan(frame)
    assert again.plan is not None
    assert proposal.plan is not None
    of_frame, of_file = again.plan.to_dict(), proposal.plan.to_dict()
    # What a file holds is masked to the decimals of its columns, so that losses differ a little.
    assert {name for name in of_file if of_frame[name] != of_file[name]} <= {"chosen", "tried"}
    assert again.plan.meets


def test_a_column_that_is_left_out_says_what_it_was_and_why(proposed: tuple[Path, Proposal]) -> None:
    _, proposal = proposed
    assert proposal.plan is not None
    assert proposal.plan.chosen is not None
    (household,) = (each for each in proposal.columns if each.name == "household")
    left_out = household.name in proposal.plan.chosen.left_out
    assert (household.role == Role.IDENTIFIER) == left_out
    assert any("household otherwise: left out" in each for each in household.reasons) == left_out


def test_a_proposal_that_was_not_tried_says_so() -> None:
    text = inspect(townspeople()).to_toml()
    assert "# Not tried" in text
    assert "identity = 0.1" in text


def test_where_no_plan_keeps_to_the_limits_the_release_is_a_draft(tmp_path: Path) -> None:
    frame = townspeople().drop("household")
    proposal = inspect(frame).with_plan(frame, floors={"l_diversity": 50})
    assert proposal.plan is not None
    assert not proposal.plan.meets
    text = proposal.to_toml()
    assert "NO PLAN THAT WAS TRIED KEEPS TO THE LIMITS" in text
    (tmp_path / "discreet.toml").write_text(text)
    assert dc.Project.load(tmp_path / "discreet.toml").release.draft
    assert "NOT within the limits" in summary(proposal.plan)


def test_files_without_anything_to_try_get_no_plan_and_no_limits(tmp_path: Path) -> None:
    frame = pl.DataFrame({"diagnosis": ["flu", "asthma", "none"] * 20})
    proposal = inspect(frame).with_plan(frame)
    text = proposal.to_toml()
    assert "No plan was tried" in text
    assert "[assess" not in text
    (tmp_path / "discreet.toml").write_text(text)
    assert dc.Project.load(tmp_path / "discreet.toml").plan.steps == ()
    assert proposal.plan is not None
    assert summary(proposal.plan) == "no plan is proposed"


def test_data_that_cannot_be_tried_are_told(tmp_path: Path) -> None:
    frame = townspeople()
    with pytest.raises(UnknownColumn, match="'city'"):
        inspect(frame).with_plan(frame.rename({"town": "city"}))
    file = tmp_path / "people.parquet"
    frame.with_columns(wage=pl.Series([float("inf"), *frame["wage"][1:]])).write_parquet(file)
    proposal = inspect(file).with_plan(file)
    assert proposal.plan is None
    assert any("The plan was not tried" in each for each in proposal.remarks)
