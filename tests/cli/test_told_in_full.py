"""What `discreet attack` and `discreet coalition` say about what their figures stand for."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

PROJECT = """
[columns.person]
role = "identifier"
[columns.age]
role = "quasi-identifier"
scale = "numeric"
[columns.town]
role = "quasi-identifier"
scale = "nominal"
[columns.trade]
role = "quasi-identifier"
scale = "nominal"
[[mask]]
method = "{method}"
columns = ["age"]
{parameters}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pl.DataFrame(
        {
            "person": [f"p{row}" for row in range(60)],
            "age": [20 + row * 7 % 50 for row in range(60)],
            "town": ["north", "south", "north"] * 20,
            "trade": ["baker", "baker", "smith", "smith"] * 15,
        }
    ).write_csv(tmp_path / "people.csv")
    return tmp_path


def protected(run: Run, folder: Path, name: str, method: str, parameters: str) -> None:
    (folder / "discreet.toml").write_text(PROJECT.format(method=method, parameters=parameters))
    done = run("protect", "people.csv", "--out", name, folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_copy_of_a_release_that_publishes_people_several_times_is_compared(
    in_process: Run, folder: Path
) -> None:
    protected(in_process, folder, "noisy", "add_noise", "p = 0.2")
    protected(in_process, folder, "drawn", "impute", "implicates = 2")
    told = in_process(
        "coalition", "noisy", "drawn", "--column", "age", "--original", "people.csv", folder=folder
    )
    assert told.returncode == 0, told.stderr
    shown = [line.rsplit(maxsplit=1)[0].strip() for line in told.stdout.splitlines() if "alone" in line]
    assert shown == ["noisy alone", "drawn, copy 1 alone", "drawn, copy 2 alone"]


def test_an_intruder_with_a_file_is_not_said_to_know_more_than_it_holds(
    in_process: Run, folder: Path
) -> None:
    protected(in_process, folder, "release", "add_noise", "p = 0.2")
    pl.read_csv(folder / "people.csv").select("person", "age").write_csv(folder / "register.csv")
    (folder / "who.toml").write_text('file = "register.csv"\nmatch = "person"\n')
    told = in_process(
        "attack",
        "release",
        "--original",
        "people.csv",
        "--intruder",
        "who.toml",
        "--attack",
        "link",
        folder=folder,
    )
    assert told.returncode == 0, told.stderr
    assert "all quasi-identifiers" not in told.stdout
    assert "'register', as far as it has them" in " ".join(told.stdout.split())


def test_records_that_suda_does_not_reach_are_told(in_process: Run, folder: Path) -> None:
    protected(in_process, folder, "release", "round", "base = 25")
    lone = ("attack", "release", "--original", "people.csv", "--attack")
    deep = in_process(*lone, "suda depth=3", folder=folder)
    assert deep.returncode == 0, deep.stderr
    assert "single out count as 0" not in deep.stdout
    one = pl.read_csv(folder / "people.csv").with_columns(
        town=pl.when(pl.int_range(60) == 7).then(pl.lit("south")).otherwise(pl.col("town"))
    )
    one.filter(pl.int_range(60) < 9).write_csv(folder / "people.csv")
    protected(in_process, folder, "few", "round", "base = 25")
    shallow = in_process("attack", "few", *lone[2:], "suda depth=1", folder=folder)
    assert "records that only more columns than it tries single out count as 0" in " ".join(
        shallow.stdout.split()
    )


def test_the_original_is_no_release(in_process: Run, folder: Path) -> None:
    protected(in_process, folder, "noisy", "add_noise", "p = 0.2")
    told = in_process(
        "coalition", "noisy", "./people.csv", "--column", "age", "--original", "people.csv", folder=folder
    )
    assert told.returncode == 2
    assert "among the releases too" in told.stderr


def test_a_file_as_it_is_is_no_release_and_every_loss_has_its_unit(in_process: Run, folder: Path) -> None:
    protected(in_process, folder, "noisy", "add_noise", "p = 0.2")
    limit = ("--attack", "link", "--loss", "il1s", "--loss", "sse", "--ceiling", "link=0.01")
    bare = in_process("assess", "people.csv", *limit, folder=folder)
    assert bare.returncode == 1
    assert "the file as it is" in bare.stdout
    assert "As it is, the file should not be published" in bare.stdout
    assert "release" not in bare.stdout
    assert "Loss" not in bare.stdout
    masked = in_process("assess", "noisy", "--original", "people.csv", *limit, folder=folder)
    assert re.search(r"il1s +[\d.]+ +standard deviations", masked.stdout)
    assert re.search(r"sse +[\d.]+ +percent", masked.stdout)


def test_what_to_run_next_can_be_run_as_it_is_said(in_process: Run, folder: Path) -> None:
    (folder / "people.csv").rename(folder / "my people.csv")
    told = in_process("inspect", "my people.csv", "--quick", "--out", "plan.toml", folder=folder)
    (line,) = [each for each in told.stdout.splitlines() if "then run: " in each]
    command = shlex.split(line.partition("then run: ")[2])
    assert command == ["discreet", "protect", "my people.csv", "--project", "plan.toml"]
    done = in_process(*command[1:], "--out", "my release", folder=folder)
    assert done.returncode == 0, done.stderr
    (line,) = [each for each in done.stdout.splitlines() if "discreet assess" in each]
    words = shlex.split(line.partition("#")[0])
    assert words[1:3] == ["assess", "my release"]
    assert "my people.csv" in words


def test_a_text_file_has_no_sheets(in_process: Run, folder: Path) -> None:
    told = in_process("inspect", "people.csv", "--quick", "--sheet", "2020", folder=folder)
    assert (told.returncode, "is no workbook" in told.stderr) == (2, True)
