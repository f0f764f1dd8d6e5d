"""What the steward has is never replaced: not by --force, not by a slip of the hand."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
MASK = ("--mask", "microaggregate k=3 columns=age,income")


@pytest.mark.parametrize(
    "command",
    [
        ("inspect", "people.csv", "--out", "people.csv"),
        ("inspect", "people.csv", "--out", "link.toml"),
        ("search", "people.csv", "--out", "people.csv", "--trials", "1"),
        ("search", "people.csv", "--map", "people.csv", "--trials", "1"),
        ("protect", "people.csv", *MASK, "--out", "people.csv"),
        ("protect", "people.csv", *MASK, "--out", "."),
        ("demo", "--folder", ".", "--records", "100"),
    ],
)
def test_force_never_replaces_the_original(discreet: Run, work: Path, command: tuple[str, ...]) -> None:
    (work / "link.toml").symlink_to("people.csv")
    before = (work / "people.csv").read_bytes()
    done = discreet(*command, "--force", folder=work)
    assert done.returncode == 2, done.stdout
    assert "WouldOverwrite" in done.stderr
    assert (work / "people.csv").read_bytes() == before
    assert sorted(each.name for each in work.iterdir()) == ["discreet.toml", "link.toml", "people.csv"]


@pytest.mark.parametrize("place", ["release", "release/public", "release/private"])
def test_force_never_replaces_a_release_that_holds_the_original(
    discreet: Run, work: Path, place: str
) -> None:
    assert discreet("protect", "people.csv", *MASK, folder=work).returncode == 0
    kept = (work / "people.csv").rename(work / place / "original.csv")
    before = kept.read_bytes()
    for file in (kept, work / "copy.csv"):
        (work / "copy.csv").write_bytes(before)
        done = discreet("protect", file, *MASK, "--project", "discreet.toml", "--force", folder=work)
        assert done.returncode == 2, done.stdout
        assert kept.read_bytes() == before


def test_force_replaces_a_release_and_a_demonstration(discreet: Run, work: Path) -> None:
    for _ in range(2):
        done = discreet("protect", "people.csv", *MASK, "--force", folder=work)
        assert done.returncode == 0, done.stderr
        done = discreet("demo", "--records", "100", "--force", folder=work)
        assert done.returncode == 0, done.stderr


def test_a_file_in_the_way_is_told_before_a_long_search(discreet: Run, work: Path) -> None:
    (work / "found.toml").write_text("mine")
    done = discreet("search", "people.csv", "--seconds", "100000", folder=work)
    assert done.returncode == 2
    assert "found.toml is there already" in done.stderr
