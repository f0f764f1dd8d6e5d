"""Stopping, closed pipes, full disks and odd names: one sentence, the right code, nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.small_census import PROJECT, laid_out, refused

Run = Callable[..., subprocess.CompletedProcess[str]]
FULL = Path("/dev/full")
SEARCH = ("search", "people.csv", "--seconds", "100000", "--journal", "journal")


def _stopped(number: int, work: Path, *more: str) -> tuple[int, str, str]:
    """What a long search says when it is sent a signal in the middle of its work."""
    running = subprocess.Popen(
        [sys.executable, "-m", "discreet", *SEARCH, *more],
        cwd=work,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while not (work / "journal").exists():
        assert running.poll() is None
        time.sleep(0.05)
    running.send_signal(number)
    said, complained = running.communicate(timeout=120)
    return running.returncode, said, complained


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_command_says_so_and_leaves_with_130(work: Path, number: int) -> None:
    code, _, complained = _stopped(number, work)
    assert code == 130
    assert complained.startswith("discreet: Interrupted: stopped")
    assert complained.count("\n") == 1
    assert not list(work.glob(".*.part"))


def test_a_stopped_command_tells_a_program_in_json(work: Path) -> None:
    code, said, _ = _stopped(signal.SIGINT, work, "--json")
    assert code == 130
    assert json.loads(said)["error"]["exit_code"] == 130


@pytest.mark.parametrize("as_json", [False, True])
def test_an_output_that_is_full_is_no_bug_of_discreet(as_json: bool) -> None:
    if not FULL.exists():
        pytest.skip("this system has no /dev/full")
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "discreet", "methods", *(["--json"] if as_json else [])],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("discreet: BadFile: the system refused")
    assert done.stderr.count("\n") == 1


def test_a_reader_that_goes_away_is_no_limit_exceeded() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "discreet", "methods"],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["a[red]b", "[bold]", "a [", "-dash ü 名"])
def test_a_release_may_have_any_name(discreet: Run, work: Path, name: str) -> None:
    done = discreet("protect", "people.csv", "--mask", "rank_swap columns=age", f"--out={name}", folder=work)
    assert done.returncode == 0, done.stderr
    assert f"{name}/private" in done.stdout


def test_an_unclosed_quotation_mark_in_a_mask_is_bad_input(discreet: Run, work: Path) -> None:
    done = discreet("protect", "people.csv", "--mask", "rank_swap 'columns=age", folder=work)
    assert done.returncode == 2
    assert "quotation mark" in done.stderr


@pytest.mark.parametrize("limit", ["--ceiling=link=10", "--ceiling=link=inf", "--ceiling=link=nan"])
def test_a_ceiling_that_anything_would_meet_is_refused(discreet: Run, work: Path, limit: str) -> None:
    assert discreet("protect", "people.csv", folder=work).returncode == 0
    done = discreet("assess", "release", "--original", "people.csv", limit, folder=work)
    assert done.returncode == 2
    assert "0.1 for ten percent" in done.stderr


@pytest.mark.parametrize(
    "arguments", [["attack"], ["methods", "--such"], ["such"], ["demo", "--records", "many"]]
)
def test_arguments_that_make_no_sense_are_told_to_a_program_in_json(
    arguments: list[str], in_process: Run
) -> None:
    done = in_process(*arguments, "--json")
    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert (error["name"], error["exit_code"]) == ("BadUsage", 2)
    assert error["message"]


def test_a_journal_of_other_roles_is_bad_input_and_says_what_differs(in_process: Run, tmp_path: Path) -> None:
    work = laid_out(tmp_path)
    search = ("search", "people.csv", "--trials", "4", "--journal", "journal", "--force")
    assert in_process(*search, folder=work).returncode == 0
    other = PROJECT.replace('role = "confidential"', 'role = "quasi-identifier"')
    (work / "discreet.toml").write_text(other)
    told = refused(in_process(*search, folder=work), "Mismatch")
    assert "what is said of the column 'ill'" in told
