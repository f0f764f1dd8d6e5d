"""The risk of each record stands by its row in the original, in a file for the owner alone, without a cell."""

from __future__ import annotations

import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.conftest import in_process as in_process
from tests.cli.small_census import PROJECT, SECRET
from tests.cli.small_census import people as census
from tests.small_people import PLAN, RARE_TOWN, SECRET_NAME, SEED, people

import discreet as dc
from discreet.assessment import assess
from discreet.errors import NotComputable
from discreet.records_at_risk import records_at_risk
from discreet.table import Table

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_chances_stand_by_the_row_of_the_original() -> None:
    table = people()
    release = dc.protect(table, dc.Plan.of(["sample fraction=0.5"]), seed=SEED)
    found = assess(table, release, attacks=["link", "k_anonymity"], losses=[])
    at_risk = records_at_risk(found)
    link = found.risk("link")
    assert link is not None
    assert link.records is not None
    wanted = dict(zip((release.truth + 1).tolist(), link.records.tolist(), strict=True))
    assert dict(at_risk.frame.select("row", "link").iter_rows()) == wanted
    assert at_risk.frame["row"].is_sorted()
    assert at_risk.notes == (
        f"{len(table) - len(release.table)} records of the original are not published and have no row",
    )


def test_the_headline_chance_is_the_highest_of_the_attacks_that_name_people() -> None:
    table = people()
    found = assess(table, dc.protect(table, PLAN, seed=SEED), losses=[])
    assert found.identity is not None
    frame = records_at_risk(found).frame
    counted = [name for name in found.identity.attacks if name in frame.columns]
    assert len(counted) > 1
    assert frame["identity"].equals(frame.select(pl.max_horizontal(counted)).to_series().alias("identity"))
    assert float(frame["identity"].mean()) >= found.identity.risk - 1e-12  # type: ignore[arg-type]


def test_the_columns_that_make_a_record_special_are_named() -> None:
    frame = pl.DataFrame(
        {
            "age": [30, 30, 40, 40, 40, 40],
            "sex": ["f", "m", "f", "m", "f", "m"],
            "job": ["a", "a", "a", "a", "a", "mayor"],
        }
    )
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    at_risk = records_at_risk(assess(table, losses=[])).frame
    assert at_risk["special"][5] == "job 100%"
    assert at_risk["special: job"][5] == 1
    assert at_risk["special"][2] is None or at_risk["special"][2] == ""
    parts = at_risk.select(pl.sum_horizontal("special: age", "special: sex", "special: job")).to_series()
    assert np.allclose(parts.filter(at_risk["special"] != ""), 1)


def test_household_risk_is_in_the_file() -> None:
    frame = pl.DataFrame({"home": [1, 1, 2, 2, 3, 3], "age": [1, 2, 3, 3, 5, 6], "w": [10.0] * 6})
    roles = {"home": "household", "w": "weight"}
    table = Table.of(frame, roles=roles, rest="quasi-identifier")
    found = assess(table, losses=[])
    at_risk = records_at_risk(found).frame
    risk = found.risk("household_risk")
    assert risk is not None
    assert at_risk["household_risk"].to_list() == pytest.approx(risk.records)


def test_the_file_is_private_and_holds_no_cell(tmp_path: Path, in_process: Run) -> None:
    census().write_csv(tmp_path / "people.csv")
    (tmp_path / "discreet.toml").write_text(PROJECT)
    bare = in_process("assess", "people.csv", "--records", "who.csv", folder=tmp_path)
    assert bare.returncode == 0, bare.stderr
    assert "Keep it secret" in bare.stdout
    assert in_process("protect", "people.csv", folder=tmp_path).returncode == 0
    line = ("assess", "release", "--original", "people.csv", "--records", "who.parquet")
    assert in_process(*line, folder=tmp_path).returncode == 0
    for name in ("who.csv", "who.parquet"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
        assert SECRET.encode() not in (tmp_path / name).read_bytes()
    assert len(pl.read_csv(tmp_path / "who.csv")) == len(pl.read_parquet(tmp_path / "who.parquet")) == 30
    again = in_process(*line, folder=tmp_path)
    assert again.returncode == 2
    assert "--force" in again.stderr
    original = in_process("assess", "people.csv", "--records", "people.csv", "--force", folder=tmp_path)
    assert original.returncode == 2


def test_no_cell_is_in_the_frame() -> None:
    table = people()
    text = records_at_risk(assess(table, dc.protect(table, PLAN, seed=SEED), losses=[])).frame.write_csv()
    assert RARE_TOWN not in text
    assert SECRET_NAME not in text
    assert "7654321" not in text


def test_where_no_attack_told_of_records_there_is_no_file() -> None:
    table = Table.of(pl.DataFrame({"a": [1, 2, 3]}), roles={"a": "insensitive"})
    with pytest.raises(NotComputable, match="quasi-identifier"):
        records_at_risk(assess(table, losses=[]))
