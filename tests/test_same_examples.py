"""Property tests draw the same examples in every run, and others, and more of them, when asked to."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
UNSEEDED = re.compile(
    r"default_rng\((?:None)?\)|\bRandom\(\)|\brandom\.seed\(\)|^import uuid|^from uuid|seed=None\b|PCG64\w*\(\)",
    re.M,
)
PROPERTY = """
from pathlib import Path
from hypothesis import given, settings, strategies as st
from discreet import seeds

def told(name, line):
    with (Path(__file__).parent / name).open("a") as file:
        file.write(f"{line}\\n")

@given(st.floats())
def test_usual(x):
    told("usual", x)

@settings(max_examples=7)
@given(st.integers(), st.booleans())
def test_few(x, y):
    told("few", (x, y, seeds.check(None)))
"""


def drawn(folder: Path, *options: str, times: int = 3) -> tuple[str, str]:
    """The examples of a test with the usual number of them and of one with seven, in a run of its own."""
    folder.mkdir()
    shutil.copy(TESTS / "conftest.py", folder)
    (folder / "test_property.py").write_text(PROPERTY, encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(folder)],
        check=True,
        cwd=folder,
        capture_output=True,
        env={**os.environ, "DISCREET_FUZZ_TIMES": str(times)},
    )
    return (folder / "usual").read_text(), (folder / "few").read_text()


def test_the_same_examples_are_drawn_in_every_run(tmp_path: Path) -> None:
    first, again = drawn(tmp_path / "first"), drawn(tmp_path / "again")
    assert first == again
    assert len(first[0].splitlines()) >= 100
    assert len(first[1].splitlines()) == 7


def test_fuzzing_draws_other_examples_more_of_them_and_the_same_for_a_seed(tmp_path: Path) -> None:
    fuzz = ("--hypothesis-profile=fuzz",)
    usual = drawn(tmp_path / "usual")
    one, again = (drawn(tmp_path / name, *fuzz, "--hypothesis-seed=1") for name in ("one", "again"))
    other = drawn(tmp_path / "other", *fuzz, "--hypothesis-seed=2")
    assert one == again
    assert len({usual[1], one[1], other[1]}) == 3
    assert len(one[1].splitlines()) == 3 * 7
    assert len(one[0].splitlines()) >= 3 * 100


@pytest.mark.parametrize(
    "place", sorted(TESTS.rglob("*.py")), ids=lambda place: str(place.relative_to(TESTS))
)
def test_no_test_takes_random_numbers_without_a_seed(place: Path) -> None:
    if place != Path(__file__).resolve():
        assert UNSEEDED.findall(place.read_text(encoding="utf-8")) == []
