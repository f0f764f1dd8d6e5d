from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.cli import edge
from discreet.demo import people, project

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def apart() -> Run:
    """Runs the command line in a process of its own."""

    def run(*arguments: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "discreet", *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=folder,
            check=False,
            timeout=300,
            env={**os.environ, "COLUMNS": "200", "PYTHONWARNINGS": "error"},
        )

    return run


@pytest.fixture(scope="session")
def discreet(apart: Run) -> Run:
    """Runs the command line. Files with many runs take `in_process` by this name."""
    return apart


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command line in this process, from its edge on: the same words and exit codes in a tenth of the time."""
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        given, out, err = [str(each) for each in arguments], io.StringIO(), io.StringIO()
        with (
            contextlib.chdir(folder or Path.cwd()),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            pytest.raises(SystemExit) as left,
        ):
            edge.main(given)
        return subprocess.CompletedProcess(given, int(left.value.code or 0), out.getvalue(), err.getvalue())

    return run


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with the invented census and its project file."""
    people(400, seed=4).write_csv(tmp_path / "people.csv")
    (tmp_path / "discreet.toml").write_text(project())
    return tmp_path
