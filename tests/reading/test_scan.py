from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.engine.people import RECORDS, ROLES, in_files, register

import discreet as dc
from discreet.errors import BadFile, BadProject, Mismatch, UnknownColumn


def test_a_dataset_reads_what_the_files_hold(tmp_path: Path) -> None:
    folder = in_files(tmp_path / "people")
    for given in (folder, folder / "*.parquet", sorted(folder.iterdir()), str(folder)):
        dataset = dc.scan(given, roles=ROLES, rest="quasi-identifier")
        assert len(dataset) == RECORDS
    assert dataset.read().frame.equals(register())
    assert dataset.part(29_990, 1_020, ["age", "sex"]).frame.equals(
        register()[29_990:31_010].select("age", "sex")
    )
    assert str(dataset) == "dataset 'people': 140000 records, 8 columns in 4 files"


def test_roles_come_from_the_project_beside_the_files(tmp_path: Path) -> None:
    folder = in_files(tmp_path / "people", register().select("age", "sex").head(100))
    (tmp_path / "discreet.toml").write_text(
        '[columns.age]\nrole = "quasi-identifier"\n[columns.sex]\nrole = "insensitive"\n'
    )
    assert dc.scan(folder).keys == ("age",)


def test_arrow_files_are_scanned_too(tmp_path: Path) -> None:
    register().head(10).write_ipc(tmp_path / "one.arrow")
    register()[10:20].write_ipc(tmp_path / "two.arrow")
    dataset = dc.scan(tmp_path, rest="insensitive")
    assert dataset.read().frame.equals(register().head(20))


def test_files_with_other_columns_or_types_are_named(tmp_path: Path) -> None:
    register().head(10).write_parquet(tmp_path / "a.parquet")
    register().head(10).drop("sex").write_parquet(tmp_path / "b.parquet")
    with pytest.raises(Mismatch, match=r"b.parquet has other columns than a.parquet: it lacks 'sex'"):
        dc.scan(tmp_path, rest="insensitive")
    register().head(10).with_columns(pl.col("age").cast(pl.String)).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(Mismatch, match="'age' are of another type"):
        dc.scan(tmp_path, rest="insensitive")


def test_what_is_no_dataset_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no Parquet, Arrow or CSV file"):
        dc.scan(tmp_path / "*.parquet", rest="insensitive")
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(BadFile, match="damaged"):
        dc.scan(tmp_path, rest="insensitive")
    (tmp_path / "a.csv.gz").write_bytes(b"")
    with pytest.raises(BadFile, match="Parquet, Arrow or CSV files, not compressed"):
        dc.scan(tmp_path / "a.csv.gz", rest="insensitive")


def test_columns_without_a_role_and_roles_without_a_column_are_errors(tmp_path: Path) -> None:
    folder = in_files(tmp_path / "people", register().head(10))
    with pytest.raises(UnknownColumn, match="'ages'"):
        dc.scan(folder, roles={"ages": "insensitive"}, rest="insensitive")
    with pytest.raises((BadProject, dc.errors.BadTable)):
        dc.scan(folder)
