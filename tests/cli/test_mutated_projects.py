"""A project file with something wrong in it is bad input, and never a fault of discreet."""

from __future__ import annotations

import random
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.mutated_projects import FILES, OTHERS, WHOLE, damaged, exchanged, places, written

from discreet.errors import DiscreetError
from discreet.project import Project
from discreet.protection import protect
from discreet.reading import read

Run = Callable[..., subprocess.CompletedProcess[str]]
EXPECTED = (0, 1, 2, 3)
OUR_BUG = 70


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mutated")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def check_carried_out(home: Path, content: bytes) -> None:
    """Reads the project, the file and carries the plan out; only errors by name are let through."""
    file = home / "discreet.toml"
    file.write_bytes(content)
    try:
        said = Project.load(file)
        table = read(home / "people.csv", project=said)
        protect(
            table,
            said.plan,
            seed=1,
            order=said.release.order,
            pseudonymise=said.release.pseudonymise,
            publish_text=said.release.publish_text,
            sanitise_text=said.release.sanitise_text,
            policy=said.release.policy,
        )
    except DiscreetError as error:
        if error.exit_code == OUR_BUG:
            raise


def test_the_project_that_all_begin_with_is_a_good_one(home: Path) -> None:
    (home / "discreet.toml").write_text(written(WHOLE))
    said = Project.load(home / "discreet.toml")
    assert set(WHOLE) == set(said.to_dict())
    assert len(protect(read(home / "people.csv", project=said), said.plan, seed=1).table) == 24


@pytest.mark.parametrize("place", list(places(WHOLE)), ids=lambda place: ".".join(map(str, place)))
def test_another_value_of_any_type_at_any_place_is_told_by_name(home: Path, place: tuple[Any, ...]) -> None:
    for other in OTHERS:
        check_carried_out(home, exchanged(WHOLE, place, other).encode())


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_flipped_bytes_and_lines_lost_doubled_or_swapped_are_told_by_name(home: Path, draw: int) -> None:
    check_carried_out(home, damaged(written(WHOLE), random.Random(draw)))


KNOWN: list[tuple[tuple[Any, ...], Any]] = [
    (("read", "encoding"), "a\x00"),
    (("read", "encoding"), "zip"),
    (("mask", 0, "p"), 10**400),
    (("assess", "floors", "k_anonymity"), 10**400),
    (("assess", "alpha"), 10**400),
    (("columns", "town", "order", 2), "elsewhere"),
]


@pytest.mark.parametrize(("place", "other"), KNOWN, ids=lambda each: str(each)[:40])
@pytest.mark.parametrize("command", ["protect", "assess", "search"])
def test_what_was_once_a_fault_of_discreet_is_bad_input(
    in_process: Run, tmp_path: Path, command: str, place: tuple[Any, ...], other: Any
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "discreet.toml").write_text(exchanged(WHOLE, place, other))
    more = ("--trials", "1") if command == "search" else ()
    done = in_process(command, "people.csv", *more, folder=tmp_path)
    assert done.returncode == 2 or (done.returncode in EXPECTED and command != "protect"), done.stderr


@pytest.mark.parametrize("draw", range(12))
def test_what_inspect_writes_may_be_damaged_too(in_process: Run, tmp_path: Path, draw: int) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    assert in_process("inspect", "people.csv", folder=tmp_path).returncode == 0
    project = (tmp_path / "discreet.toml").read_text()
    assert tomllib.loads(project)
    (tmp_path / "discreet.toml").write_bytes(damaged(project, random.Random(draw)))
    for command in (("protect", "people.csv"), ("assess", "people.csv", "--attack", "k_anonymity")):
        assert in_process(*command, folder=tmp_path).returncode in EXPECTED
