"""What the steward has is never replaced: not by --force, not by a slip of the hand."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.small_census import PROJECT, laid_out

from discreet.errors import WouldOverwrite
from discreet.writing import write_json

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


OUTPUTS = {
    "report": ("report", "release", "--original", "people.csv", "--out"),
    "search": ("search", "people.csv", "--trials", "1", "--out"),
    "map": ("search", "people.csv", "--trials", "1", "--map"),
    "compare": ("compare", "release", "other", "--original", "people.csv", "--map"),
    "coalition": ("coalition", "release", "other", "--column", "age", "--out"),
    "hierarchy": ("hierarchy", "people.csv", "age", "--out"),
    "inspect": ("inspect", "people.csv", "--out"),
    "ontology": ("ontology", "--of", "people.csv", "--column", "town", "--write"),
}
KEPT = [
    "people.csv",
    "release/public/manifest.json",
    "release/public/people.csv",
    "release/private/manifest.private.json",
]


@pytest.mark.parametrize("command", OUTPUTS.values(), ids=OUTPUTS)
def test_force_replaces_no_file_of_a_release_no_original_and_no_project(
    in_process: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    work = laid_out(tmp_path)
    (work / "discreet.toml").write_text('[read]\nfile = "people.csv"\n' + PROJECT)
    for out in ("release", "other"):
        assert in_process("protect", "people.csv", "--out", out, folder=work).returncode == 0
    writes_projects = command[0] == "inspect" or (command[:1] == ("search",) and command[-1] == "--out")
    for name in [*KEPT, *([] if writes_projects else ["discreet.toml"])]:
        before = (work / name).read_bytes()
        for force in ([], ["--force"]):
            done = in_process(*command, name, *force, folder=work)
            assert done.returncode == 2, (name, done.stdout)
            assert "WouldOverwrite" in done.stderr, (name, done.stderr)
            assert (work / name).read_bytes() == before


def test_the_library_replaces_no_file_of_a_release_either(in_process: Run, tmp_path: Path) -> None:
    work = laid_out(tmp_path)
    assert in_process("protect", "people.csv", "--out", "release", folder=work).returncode == 0
    for name in ("public/manifest.json", "public/people.csv", "private/manifest.private.json"):
        before = (work / "release" / name).read_bytes()
        with pytest.raises(WouldOverwrite, match="nothing else replaces"):
            write_json(work / "release" / name, {}, force=True)
        assert (work / "release" / name).read_bytes() == before


def test_a_report_replaces_a_report_with_force(in_process: Run, tmp_path: Path) -> None:
    work = laid_out(tmp_path)
    assert in_process("protect", "people.csv", "--out", "release", folder=work).returncode == 0
    report = ("report", "release", "--original", "people.csv", "--out", "report.json")
    assert [in_process(*report, *more, folder=work).returncode for more in ([], ["--force"])] == [0, 0]
    assert in_process(*report, folder=work).returncode == 2


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (
            ("assess", "people.csv", "--ceiling", "identity=0.1", "--ceiling", "identity=0.9"),
            "--ceiling is given twice",
        ),
        (
            ("assess", "people.csv", "--floor", "k_anonymity=3", "--floor", "k_anonymity=2"),
            "--floor is given twice",
        ),
        (
            ("protect", "people.csv", "--mask", "add_noise p=0.1 columns=age p=0.9"),
            "add_noise: p is given twice",
        ),
        (
            ("assess", "people.csv", "--attack", "link distance=gower distance=euclidean"),
            "distance is given twice",
        ),
        (
            ("assess", "people.csv", "--ceiling", "link distance=gower distance=gower=0.1"),
            "distance is given twice",
        ),
    ],
)
def test_what_is_said_twice_is_refused_by_its_name(
    in_process: Run, tmp_path: Path, command: tuple[str, ...], told: str
) -> None:
    done = in_process(*command, folder=laid_out(tmp_path))
    assert done.returncode == 2, done.stdout
    assert told in done.stderr
