"""Numbers at the edge of what a computer holds, and bytes that are no text, in every command."""

from __future__ import annotations

import json
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
ROWS = 24
COLUMNS: dict[str, list[object]] = {
    "huge": [1e308, -1e308, 1.7e308, 1.0],
    "denormal": [5e-324, 0.0, -5e-324, 2e-308],
    "apart": [1e308, 5e-324, 0.0, -1.0],
    "long": [2**63 - 1, -(2**63), 0, 1],
    "infinite": [float("inf"), float("-inf"), 1.0, 2.0],
    "words": ["inf", "-inf", "nan", "1e999"],
}
PLANS = {
    "age": ["add_noise columns=age p=0.1"],
    "cells": ["suppress columns=age k=2"],
    "noise": ["add_noise p=0.1"],
    "groups": ["microaggregate k=3"],
    "swap": ["rank_swap p=30"],
    "round": ["round base=10"],
}
PROJECT = """[columns.value]
role = "quasi-identifier"
scale = "{scale}"
[columns.age]
role = "quasi-identifier"
scale = "numeric"
[columns.illness]
role = "confidential"
scale = "nominal"
"""


def people(folder: Path, values: list[object]) -> Path:
    frame = pl.DataFrame(
        {
            "value": [values[row % len(values)] for row in range(ROWS)],
            "age": [20 + row for row in range(ROWS)],
            "illness": [f"i{row % 4}" for row in range(ROWS)],
        }
    )
    frame.write_parquet(folder / "people.parquet")
    scale = "nominal" if isinstance(values[0], str) else "numeric"
    (folder / "discreet.toml").write_text(PROJECT.format(scale=scale), encoding="utf-8")
    return folder / "people.parquet"


@pytest.mark.parametrize("kind", COLUMNS)
def test_every_command_answers_or_names_what_is_wrong(tmp_path: Path, in_process: Run, kind: str) -> None:
    file = people(tmp_path, COLUMNS[kind])
    releases = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answers = [in_process("inspect", file, "--dry-run", "--json"), in_process("assess", file, "--json")]
        for name, plan in PLANS.items():
            masks = [each for step in plan for each in ("--mask", step)]
            made = in_process("protect", file, "--out", tmp_path / name, *masks, "--json")
            answers.append(made)
            if made.returncode == 0:
                releases.append(tmp_path / name)
        limit = ["--ceiling", "identity=0.9"]
        for place in releases[:2]:
            answers.append(in_process("assess", place, "--original", file, *limit, "--json"))
            answers.append(in_process("attack", place, "--original", file, "--json"))
            page = tmp_path / f"{place.name}.html"
            answers.append(in_process("report", place, "--original", file, *limit, "--out", page, "--json"))
        if len(releases) > 1:
            answers.append(in_process("compare", *releases[:2], "--original", file, "--json"))
        found = ["--seconds", "2", "--trials", "6", *limit, "--out", tmp_path / "found.toml"]
        answers.append(in_process("search", file, *found, "--json"))
    for answer in answers:
        assert answer.returncode in (0, 1, 2, 3), (kind, answer.args, answer.stdout, answer.stderr)
        assert "Traceback" not in answer.stderr
        assert "Warning" not in answer.stderr
        json.loads(answer.stdout, parse_constant=lambda word: pytest.fail(f"{word} is no answer"))


@pytest.mark.parametrize("kind", ["huge", "apart", "infinite"])
def test_what_cannot_be_computed_is_not_called_safe(tmp_path: Path, in_process: Run, kind: str) -> None:
    file = people(tmp_path, COLUMNS[kind])
    answer = in_process("assess", file, "--ceiling", "identity=0.01", "--json")
    assert answer.returncode != 0


def test_a_nul_byte_is_named_by_every_command(tmp_path: Path, in_process: Run) -> None:
    people(tmp_path, COLUMNS["long"])
    file = tmp_path / "people.csv"
    file.write_bytes(b"value,age,illness\n1,2,x\n3,4,y\x00z\n")
    for command in (["inspect", "--dry-run"], ["assess"], ["protect", "--mask", "round base=10"], ["search"]):
        answer = in_process(command[0], file, *command[1:])
        assert answer.returncode == 2
        assert "line 3: a NUL byte" in answer.stderr
