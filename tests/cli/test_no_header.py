"""A file whose first row is a person stops every command, and one word lets it be published without that person."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., subprocess.CompletedProcess[str]]
FIRST = ["Perpetua Zwick", "41", "31772", "Wien"]


def headless(folder: Path) -> Path:
    rows = [FIRST, *([f"Some{row} Body", str(20 + row), str(30_000 + 7 * row), "Wien"] for row in range(30))]
    (folder / "people.csv").write_text("".join(",".join(row) + "\n" for row in rows), encoding="utf-8")
    return folder / "people.csv"


def test_inspect_and_protect_stop_alike_and_show_no_cell(tmp_path: Path, in_process: Run) -> None:
    people = headless(tmp_path)
    (tmp_path / "discreet.toml").write_text(
        '[columns.a]\nrole = "identifier"\n[[mask]]\nmethod = "round"\nbase = 2\ncolumns = ["a"]\n',
        encoding="utf-8",
    )
    for command in (
        ["inspect", people, "--dry-run"],
        ["protect", people],
        ["assess", people],
        ["search", people],
    ):
        done = in_process(*command, folder=tmp_path)
        assert done.returncode == 2
        assert "NoHeader" in done.stderr
        assert "--no-header" in done.stderr
        assert not any(cell in done.stderr + done.stdout for cell in FIRST)


def test_no_header_is_written_down_and_the_first_person_is_not_published(
    tmp_path: Path, in_process: Run
) -> None:
    people = headless(tmp_path)
    assert in_process("inspect", people, "--no-header").returncode == 0
    assert "header = false" in (tmp_path / "discreet.toml").read_text(encoding="utf-8")
    done = in_process("protect", people, "--out", tmp_path / "release")
    assert done.returncode == 0, done.stderr
    public = tmp_path / "release" / "public"
    assert (public / "people.csv").read_text(encoding="utf-8").startswith("column_")
    assert not any(b"Perpetua" in each.read_bytes() for each in public.iterdir())
    assert in_process("assess", tmp_path / "release", "--original", people).returncode in (0, 1)
