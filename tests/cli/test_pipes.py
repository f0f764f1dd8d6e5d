"""What is piped in is read once and whole, or refused; nothing of it is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from discreet.demo import people, project

Run = Callable[..., subprocess.CompletedProcess[str]]
RECORDS = 400


@pytest.fixture(scope="module")
def census(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("census")
    people(RECORDS).write_csv(folder / "people.csv")
    (folder / "discreet.toml").write_text(project(), encoding="utf-8")
    return folder


def fed(pipe: Path, content: bytes) -> threading.Thread:
    """A FIFO that gives the content to its first reader."""
    os.mkfifo(pipe)
    feeding = threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True)
    feeding.start()
    return feeding


def test_standard_input_is_inspected_whole_and_described_in_the_current_folder(
    census: Path, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "discreet", "inspect", "/dev/stdin"],
        input=(census / "people.csv").read_bytes(),
        capture_output=True,
        cwd=tmp_path,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert f"{RECORDS} records" in done.stdout.decode()
    assert (tmp_path / "discreet.toml").exists()


def test_every_command_reads_a_pipe_once(census: Path, tmp_path: Path, in_process: Run) -> None:
    content = (census / "people.csv").read_bytes()
    said = ["--project", census / "discreet.toml"]
    for number in (1, 2):
        feeding = fed(tmp_path / f"masked{number}", content)
        done = in_process("protect", tmp_path / f"masked{number}", "--out", tmp_path / f"r{number}", *said)
        assert done.returncode == 0, done.stderr
        feeding.join()
        assert pl.read_csv(tmp_path / f"r{number}" / "public" / f"masked{number}.csv").height == RECORDS
    for command in (
        ["assess", tmp_path / "r1", "--original"],
        ["attack", tmp_path / "r1", "--original"],
        ["compare", tmp_path / "r1", tmp_path / "r2", "--original"],
    ):
        pipe = tmp_path / str(command[0])
        feeding = fed(pipe, content)
        done = in_process(*command, pipe, *said, "--json")
        assert done.returncode in (0, 1), done.stderr + done.stdout
        assert "error" not in json.loads(done.stdout)
        feeding.join()
    whole = tmp_path / "whole"
    feeding = fed(whole, content)
    done = in_process("assess", whole, *said, "--json")
    assert done.returncode in (0, 1), done.stderr + done.stdout
    feeding.join()
