"""Datasets on the command line: folders and patterns of files, masked in parts."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.engine.people import in_files, register

from discreet.cli import datasets
from discreet.inspection import sampling
from discreet.reading import scan
from discreet.release import Release

Run = Callable[..., subprocess.CompletedProcess[str]]
PROJECT = """
[columns]
id = { role = "identifier" }
age = { role = "quasi-identifier" }
rent = { role = "quasi-identifier" }
region = { role = "quasi-identifier" }
illness = { role = "confidential" }

[[mask]]
method = "microaggregate"
columns = ["age", "rent"]
k = 5

[[mask]]
method = "pram"
columns = ["region"]

[assess.ceilings]
identity = 0.9
"""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    frame = register().select("id", "age", "rent", "region", "illness").head(3_000)
    in_files(tmp_path / "people", frame)
    (tmp_path / "discreet.toml").write_text(PROJECT)
    return tmp_path


def test_a_folder_of_files_is_protected_verified_and_assessed(in_process: Run, work: Path) -> None:
    done = in_process("protect", "people", folder=work)
    assert done.returncode == 0, done.stderr
    assert "Released 3,000 records in 1 file:" in done.stdout
    assert "no limit is known to be met" in done.stdout
    published = pl.read_parquet(work / "release" / "public" / "people" / "*.parquet")
    assert published.columns == ["age", "rent", "region", "illness"]
    assert published.group_by("age", "rent").len()["len"].min() >= 5  # type: ignore[operator]
    assert in_process("verify", "release", folder=work).returncode == 0
    found = in_process("assess", "release", "--original", "people", "--json", folder=work)
    assert found.returncode == 0, found.stderr
    assert [each["status"] for each in json.loads(found.stdout)["limits"]] == ["met"]


def test_protect_warns_of_people_with_several_records_and_keeps_the_history(
    in_process: Run, work: Path
) -> None:
    frame = pl.read_parquet(work / "people").with_columns(
        pl.col("id").sort().gather(pl.arange(0, pl.len()) // 3)
    )
    in_files(work / "admissions", frame)
    done = in_process("protect", "admissions", folder=work)
    assert done.returncode == 0, done.stderr
    assert "Warning: 3000 of 3000 records share 'id' with another record" in done.stdout
    assert "discreet assess release --original admissions   # " in done.stdout
    listed = json.loads(in_process("history", "--json", folder=work).stdout)["releases"]
    assert [each["plan"] for each in listed] == [["microaggregate k=5", "pram"]]
    (work / "discreet.toml").write_text(
        PROJECT.replace('id = { role = "identifier" }', 'id = { role = "person" }')
    )
    done = in_process("protect", "admissions", "--force", "--json", folder=work)
    assert json.loads(done.stdout)["warnings"] == []


def test_a_pattern_names_the_same_dataset(in_process: Run, work: Path) -> None:
    (work / "seed").write_text("5\n")
    for given, out in (("people", "one"), ("people/*.parquet", "two")):
        done = in_process("protect", given, "--out", out, "--seed-file", "seed", folder=work)
        assert done.returncode == 0, done.stderr
    one, two = (
        (work / each / "public" / "people" / "part-00000.parquet").read_bytes() for each in ("one", "two")
    )
    assert one == two


def test_options_for_single_files_are_refused(in_process: Run, work: Path) -> None:
    for option in (["--upto", "1"], ["--no-header"], ["--sanitise-text", "illness"]):
        done = in_process("protect", "people", *option, folder=work)
        assert done.returncode == 2
        assert "not for a dataset" in done.stderr
    (work / "people.csv").write_text("age\n1\n")
    done = in_process("protect", "people.csv", "--workers", "2", folder=work)
    assert done.returncode == 2
    assert "are for a dataset" in done.stderr
    assert not (work / "release").exists()


def test_the_project_says_where_a_dataset_is_worked_on(in_process: Run, work: Path) -> None:
    with (work / "discreet.toml").open("a") as file:
        file.write('\n[engine]\ncluster = "tcp://127.0.0.1:9"\n')
    done = in_process("protect", "people", folder=work)
    assert done.returncode == 3
    assert "there is no Dask scheduler at tcp://127.0.0.1:9" in done.stderr
    assert not (work / "release").exists()


def test_a_cluster_and_a_number_of_workers_contradict_each_other(in_process: Run, work: Path) -> None:
    done = in_process("protect", "people", "--cluster", "tcp://127.0.0.1:9", "--workers", "2", folder=work)
    assert done.returncode == 2
    assert "either its address or a number of workers" in done.stderr


def test_a_folder_of_texts_is_inspected_protected_and_assessed(
    in_process: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "RUN", 4)
    frame = register().select("id", "age", "rent", "region", "illness").head(1_500)
    frame = frame.with_columns(id=pl.col("id") % 750)
    (tmp_path / "people").mkdir()
    for number in range(3):
        own = frame[number * 500 : number * 500 + 500]
        own.write_csv(tmp_path / "people" / f"{number}.csv", separator=";")
    done = in_process("inspect", "people", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    written = (tmp_path / "discreet.toml").read_text()
    assert "from a look at 256 of 1500 records of people" in written
    assert "A sample was looked at, 256 of 1500 records" in done.stdout
    assert "on all 256" in done.stdout
    assert "1500 of 1500 records share 'id' with another record" in done.stdout
    assert 'delimiter = ";"' in written
    done = in_process("protect", "people", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Released 1,500 records in 1 file:" in done.stdout
    assert "discreet assess release --original people" in done.stdout
    done = in_process("assess", "release", "--original", "people", "--json", folder=tmp_path)
    assert done.returncode in (0, 1), done.stderr


def test_one_file_is_masked_in_parts_where_that_is_wanted_or_it_is_large(
    in_process: Run, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (work / "seed").write_text("5\n")
    register().select("id", "age", "rent", "region", "illness").head(3_000).write_csv(work / "people.csv")
    kept = [*("--seed-file", "seed"), *("--mask", "pram columns=region")]
    for out, options in (("wanted", ["--in-parts"]), ("whole", []), ("large", []), ("forced", ["--whole"])):
        if out == "large":
            monkeypatch.setattr(scan, "LARGE", 1000)
        done = in_process("protect", "people.csv", "--out", out, *kept, *options, folder=work)
        assert done.returncode == 0, done.stderr
        told = (
            "people.csv was masked in parts (--whole reads it whole, where it fits in memory)" in done.stdout
        )
        assert told == (out in ("wanted", "large"))
    parted = pl.read_parquet(work / "wanted" / "public" / "people" / "*.parquet")
    assert parted.equals(pl.read_parquet(work / "large" / "public" / "people" / "*.parquet"))
    assert parted.equals(pl.read_csv(work / "whole" / "public" / "people.csv"))
    assert parted.equals(pl.read_csv(work / "forced" / "public" / "people.csv"))
    done = in_process("protect", "people", "--whole", folder=work)
    assert done.returncode == 2
    assert "--whole is for a single file" in done.stderr


def test_a_release_never_replaces_the_dataset_in_it(in_process: Run, work: Path) -> None:
    assert in_process("protect", "people", folder=work).returncode == 0
    (work / "people").rename(work / "release" / "people")
    done = in_process("protect", "release/people", "--project", "discreet.toml", "--force", folder=work)
    assert done.returncode == 2
    assert "never replaces its original" in done.stderr
    assert (work / "release" / "people").is_dir()


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets, "WHOLE_UP_TO", 100)


@pytest.fixture
def very_large(in_parts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even the columns that an attack needs fit in memory."""
    scanned = Release.scan
    monkeypatch.setattr(
        Release, "scan", lambda *given, **more: replace(scanned(*given, **more), whole_cells=0)
    )


@pytest.mark.usefixtures("very_large")
def test_a_large_release_is_assessed_attacked_and_compared_in_parts(in_process: Run, work: Path) -> None:
    for out in ("release", "other"):
        assert in_process("protect", "people", "--out", out, folder=work).returncode == 0
    found = in_process("assess", "release", "--original", "people", "--json", folder=work)
    assert found.returncode == 1, found.stderr
    told = json.loads(found.stdout)
    assert [each["status"] for each in told["limits"]] == ["not checked"]
    assert "link_probabilistic" in told["limits"][0]["unchecked"]
    assert {"link", "k_anonymity", "attribute_by_class"} <= {each["name"] for each in told["risks"]}
    again = in_process("assess", "release", "--original", "people", "--json", folder=work)
    assert json.loads(again.stdout) == told
    attacked = in_process("attack", "release", "--original", "people", "--attack", "link", folder=work)
    assert attacked.returncode == 0, attacked.stderr
    assert "Most exposed" in attacked.stdout
    beside = in_process("compare", "release", "other", "--original", "people", folder=work)
    assert beside.returncode == 1, beside.stderr
    assert "not checked" in beside.stdout
    as_is = in_process("assess", "people", "--json", folder=work)
    assert as_is.returncode == 1
    assert json.loads(as_is.stdout)["before"]["k"] == 1


@pytest.mark.usefixtures("very_large")
def test_a_large_release_has_a_report_with_all_sections(in_process: Run, work: Path) -> None:
    assert in_process("protect", "people", folder=work).returncode == 0
    done = in_process("report", "release", "--original", "people", "--out", "report.json", folder=work)
    assert done.returncode == 1, done.stderr
    facts = json.loads((work / "report.json").read_text())
    assert {each["column"] for each in facts["columns"]} == {"age", "rent", "region", "illness"}
    assert {each["column"]: each["blanked"] for each in facts["cells"]}["age"] == 0
    assert facts["exposure"]["rows"]
    assert "not checked" in json.dumps(facts["verdict"])


@pytest.mark.usefixtures("in_parts")
def test_options_that_need_the_whole_table_are_refused_of_large_ones(in_process: Run, work: Path) -> None:
    assert in_process("protect", "people", folder=work).returncode == 0
    (work / "everybody.csv").write_text("age\n1\n")
    for command, option in (
        ("assess", ["--population", "everybody.csv"]),
        ("assess", ["--records", "records.csv"]),
        ("attack", ["--population", "everybody.csv"]),
    ):
        done = in_process(command, "release", "--original", "people", *option, folder=work)
        assert done.returncode == 2, (command, option, done.stderr)
        assert "dataset" in done.stderr
