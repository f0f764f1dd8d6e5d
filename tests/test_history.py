"""The history of a project tells its releases and verdicts, holds no cell, and survives kills."""

from __future__ import annotations

import json
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import in_process as in_process
from tests.cli.small_census import PROJECT, SECRET, people

from discreet.errors import BadFile
from discreet.history import NAME, NOT_ASSESSED, history

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def place(tmp_path: Path, in_process: Run) -> Path:
    people().write_csv(tmp_path / "people.csv")
    (tmp_path / "discreet.toml").write_text(
        PROJECT + '[assess]\nattacks = ["k_anonymity"]\nlosses = ["lost"]\n'
    )
    assert in_process("protect", "people.csv", folder=tmp_path).returncode == 0
    return tmp_path


def test_a_release_stands_in_the_history_until_it_is_replaced(place: Path, in_process: Run) -> None:
    first = history(place).releases
    assert [(each.folder, each.there, each.verdict) for each in first] == [("release", True, NOT_ASSESSED)]
    assert first[0].plan == ("add_noise p=0.2",)
    line = ("assess", "release", "--original", "people.csv", "--ceiling", "k_anonymity=1")
    assert in_process(*line, folder=place).returncode == 0
    judged = history(place).releases[0]
    assert judged.verdict == "met"
    assert judged.lost is not None
    assert judged.limits == ("k_anonymity at most 1: met",)
    assert in_process("protect", "people.csv", "--force", folder=place).returncode == 0
    assert [each.there for each in history(place).releases] == [False, True]
    shown = in_process("history", folder=place)
    assert "(gone)" in shown.stdout
    assert "release is not assessed" in shown.stdout


def test_the_history_fits_a_terminal_of_80_columns(place: Path, in_process: Run) -> None:
    line = ("assess", "release", "--original", "people.csv", "--ceiling", "k_anonymity=1")
    assert in_process(*line, folder=place).returncode == 0
    (made,) = history(place).releases
    shown = in_process("history", folder=place).stdout.splitlines()
    assert all(len(each) <= 80 for each in shown)
    assert any(made.made[:16].replace("T", " ") in each and "add_noise" in each for each in shown)
    assert not any("project file" in each for each in shown)
    (place / "discreet.toml").write_text((place / "discreet.toml").read_text() + "\n# a thought\n")
    assert "changed since" in " ".join(in_process("history", folder=place).stdout.split())


def test_a_changed_project_file_is_told(place: Path, in_process: Run) -> None:
    assert history(place).releases[0].project_changed is False
    with (place / "discreet.toml").open("a") as file:
        file.write("\n# a thought\n")
    assert history(place).releases[0].project_changed is True
    (place / "discreet.toml").unlink()
    assert history(place).releases[0].project_changed is None


def test_the_history_is_private_and_holds_no_cell(place: Path, in_process: Run) -> None:
    kept = place / NAME
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    masks = ("--mask", "recode columns=ill mapping={'Zaphod flu 1'='Zaphod cold'}", "--out", "other")
    assert in_process("protect", "people.csv", *masks, folder=place).returncode in (0, 2)
    assert SECRET not in kept.read_text()
    assert SECRET not in in_process("history", "--json", folder=place).stdout


@pytest.mark.parametrize("left", ['{"event": "prot', "\x00\x00", "[1]", "{}", '{"event": "protected"}'])
def test_what_a_kill_leaves_is_passed_over(place: Path, in_process: Run, left: str) -> None:
    with (place / NAME).open("a") as file:
        file.write(left)
    assert in_process("protect", "people.csv", "--out", "other", folder=place).returncode == 0
    found = history(place)
    assert [each.folder for each in found.releases] == ["release", "other"]
    assert found.unread == 1
    assert "cannot be read and are left out" in in_process("history", folder=place).stdout


def test_a_cut_at_any_byte_loses_the_last_event_at_most(place: Path, in_process: Run) -> None:
    assert in_process("protect", "people.csv", "--out", "other", folder=place).returncode == 0
    whole = (place / NAME).read_bytes()
    for size in range(whole.index(b"\n") + 1, len(whole), 37):
        (place / NAME).write_bytes(whole[:size])
        assert [each.folder for each in history(place).releases] == ["release"]


def test_a_release_stands_where_its_history_cannot_be_kept(place: Path, in_process: Run) -> None:
    (place / NAME).unlink()
    (place / NAME).mkdir()
    done = in_process("protect", "people.csv", "--out", "other", "--json", folder=place)
    assert done.returncode == 0
    assert any("cannot be kept" in each for each in json.loads(done.stdout)["warnings"])
    with pytest.raises(BadFile, match="cannot be read"):
        history(place)


def test_a_folder_without_a_history_says_what_makes_one(tmp_path: Path, in_process: Run) -> None:
    done = in_process("history", tmp_path)
    assert done.returncode == 2
    assert "discreet protect" in done.stderr


def test_steps_are_tried_one_by_one_and_taken_back(place: Path, in_process: Run) -> None:
    masks = ("--mask", "add_noise p=0.2 columns=age", "--mask", "suppress k=3 columns=town", "--force")
    one = in_process("protect", "people.csv", *masks, "--upto", "1", folder=place)
    assert "--upto 2" in one.stdout
    assert "not for publication" in one.stdout
    assert json.loads((place / "release/public/manifest.json").read_text())["steps_left"] == 1
    line = ("assess", "release", "--original", "people.csv", "--ceiling", "k_anonymity=1")
    judged = in_process(*line, folder=place)
    assert judged.returncode == 1
    assert "unfinished" in judged.stdout
    assert in_process("protect", "people.csv", *masks, "--upto", "3", folder=place).returncode == 2
    assert in_process("protect", "people.csv", *masks, folder=place).returncode == 0
    assert [each.unfinished != "" for each in history(place).releases] == [False, True, False]
