"""A disk without room is one named error in every format, and leaves nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from discreet.formats import WRITTEN

resource = pytest.importorskip("resource")
WRITE = """
import random, resource, signal, sys
import polars as pl
from discreet.errors import BadFile, BadTable
from discreet.table import Table
from discreet.writing import write_frame
numbers = random.Random(1)
frame = pl.DataFrame({"A": [numbers.random() for _ in range(9000)], "B": [str(numbers.random()) for _ in range(9000)]})
table = Table.of(frame, roles={}, rest="insensitive")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))
for ending in sys.argv[1:]:
    try:
        write_frame(table.frame, table.columns, "people" + ending)
    except (BadFile, BadTable) as problem:
        print(ending, type(problem).__name__, problem)
"""


def test_no_room_on_the_disk_is_told_in_every_format(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    folder = tmp_path / "folder"
    temporary.mkdir()
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", WRITE, *WRITTEN],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "TMPDIR": str(temporary)},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    told = done.stdout.splitlines()
    assert [line.split()[0] for line in told] == list(WRITTEN)
    for line in told:
        # The writer of .xpt does not notice that its last bytes were refused; reading it back does.
        assert " BadFile " in line or line.startswith(".xpt BadTable"), line
        assert any(each in line for each in ("disk", "too large", "No space")), line
    assert list(folder.iterdir()) == []


LAST_BYTES = """
import resource, signal, sys
from pathlib import Path
import polars as pl
from discreet.errors import BadFile
from discreet.table import Table
from discreet.writing import write_frame
table = Table.of(pl.DataFrame({"A": list(range(3000)), "B": ["b"] * 3000}), roles={}, rest="insensitive")
write_frame(table.frame, table.columns, "whole" + sys.argv[1])
size = Path("whole" + sys.argv[1]).stat().st_size
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
for short in range(1, 700, 9):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size - short, resource.RLIM_INFINITY))
    try:
        write_frame(table.frame, table.columns, "cut" + sys.argv[1])
        print("written")
    except BadFile as problem:
        print(problem)
"""


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".arrow"])
def test_no_room_for_the_last_bytes_is_told_too(tmp_path: Path, ending: str) -> None:
    command = [sys.executable, "-c", LAST_BYTES, ending]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, done.stderr
    told = done.stdout.splitlines()
    assert len(told) == 78
    assert all("too large" in line or "No space" in line or "disk" in line for line in told), set(told)
    assert [each.name for each in tmp_path.iterdir()] == [f"whole{ending}"]
