from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.demo import people, project

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def discreet() -> Run:
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


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with the invented census and its project file."""
    people(400, seed=4).write_csv(tmp_path / "people.csv")
    (tmp_path / "discreet.toml").write_text(project())
    return tmp_path
