"""Keys, signatures and checks on the command line."""

from __future__ import annotations

import json
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def signed(in_process: Run, work: Path) -> Path:
    """The folder of a release that the key `office` signed, with the key beside it."""
    made = in_process("keygen", "office", folder=work)
    assert made.returncode == 0, made.stderr
    done = in_process("protect", "people.csv", "--out", "release", "--sign", "office", folder=work)
    assert done.returncode == 0, done.stderr
    assert "signed" in done.stdout
    return work


def test_a_signed_release_is_verified(in_process: Run, signed: Path) -> None:
    assert stat.S_IMODE((signed / "office").stat().st_mode) == 0o600
    told = in_process("verify", "release/public", "--key", "office.pub", "--json", folder=signed)
    assert told.returncode == 0, told.stdout + told.stderr
    said = json.loads(told.stdout)
    assert said["sound"]
    assert said["vouched_by"] == "a signature"
    alone = in_process("verify", "release/public", folder=signed)
    assert alone.returncode == 0
    assert "not checked: nobody's signature" in alone.stdout
    assert "nothing vouches for the manifest" in alone.stdout


def test_what_does_not_hold_is_exit_code_1_and_what_is_no_release_2(in_process: Run, signed: Path) -> None:
    manifest = signed / "release" / "public" / "manifest.json"
    said = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**said, "steps": []}))
    told = in_process("verify", "release/public", "--key", "office.pub", folder=signed)
    assert told.returncode == 1
    assert "broken: the manifest is signed by the key" in told.stdout
    refused = in_process("assess", "release", "--original", "people.csv", folder=signed)
    assert refused.returncode == 2
    assert "the public half" in refused.stderr
    manifest.write_text("{}")
    assert in_process("verify", "release", folder=signed).returncode == 2
    assert in_process("verify", "release", "--key", "people.csv", folder=signed).returncode == 2


def test_a_passphrase_comes_from_the_environment_and_is_needed(
    in_process: Run, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCREET_PASSPHRASE", "long and secret")
    made = in_process("keygen", "office", "--passphrase", "--json", folder=work)
    assert json.loads(made.stdout)["encrypted"]
    assert "long and secret" not in made.stdout
    done = in_process("protect", "people.csv", "--out", "release", "--sign", "office", folder=work)
    assert done.returncode == 0, done.stderr
    monkeypatch.setenv("DISCREET_PASSPHRASE", "another")
    wrong = in_process("protect", "people.csv", "--out", "other", "--sign", "office", folder=work)
    assert wrong.returncode == 2
    assert "passphrase" in wrong.stderr
    monkeypatch.delenv("DISCREET_PASSPHRASE")
    asked = in_process("protect", "people.csv", "--out", "other", "--sign", "office", folder=work)
    assert asked.returncode == 2
    assert not (work / "other").exists()


def test_protect_names_the_columns_left_out_to_the_steward_and_counts_them_in_public(
    in_process: Run, work: Path
) -> None:
    done = in_process("protect", "people.csv", "--out", "release", folder=work)
    assert "left out: person, name" in done.stdout
    told = in_process("protect", "people.csv", "--out", "again", "--json", folder=work)
    assert isinstance(json.loads(told.stdout)["columns_dropped"], int)
