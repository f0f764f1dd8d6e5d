"""Exit codes are those of the page about them, for every command and every way that limits can stand."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.demo import people
from discreet.demo.corpus import notes
from discreet.errors import DiscreetError

Run = Callable[..., subprocess.CompletedProcess[str]]
PAGE = (Path(__file__).parents[2] / "docs/reference/exit-codes.md").read_text()
PROJECT = """
[columns]
age = { role = "quasi-identifier" }
hours = { role = "quasi-identifier" }
region = { role = "quasi-identifier" }
commute = { role = "insensitive" }
[[mask]]
method = "microaggregate"
columns = ["age", "hours", "region"]
k = 12
"""
LIMITS = {
    "all limits met": ["--ceiling", "identity=1"],
    "one exceeded": ["--ceiling", "identity=0.000001"],
    "one not checked": ["--ceiling", "l_diversity=0.5"],
    "no limit set": [],
    "bad input": ["--ceiling", "identty=0.5"],
}
COMMANDS = {
    "assess RELEASE --original FILE": ["assess", "one", "--original", "people.csv"],
    "assess FILE": ["assess", "people.csv"],
    "report RELEASE --original FILE": ["report", "one", "--original", "people.csv", "--force"],
    "compare ONE OTHER --original FILE": ["compare", "one", "other", "--original", "people.csv"],
    "search FILE": ["search", "people.csv", "--trials", "1", "--method", "microaggregate", "--force"],
    "corpus assess RELEASE --original MATRIX": ["corpus", "assess", "vectors", "--original", "matrix"],
    "corpus report RELEASE --original MATRIX": [
        "corpus", "report", "vectors", "--original", "matrix", "--out", "vectors.html", "--force",
    ],
    "protect FILE": ["protect", "people.csv", "--out", "again", "--force"],
    "history": ["history"],
}  # fmt: skip
JUDGE_NOTHING = ("protect FILE", "history")


def rows() -> dict[str, dict[str, int]]:
    """The codes that the page tells, by command and by how limits stand."""
    lines = [line for line in PAGE.partition("## By command")[2].splitlines() if line.startswith("|")]
    headings, *body = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]
    return {name: dict(zip(headings[1:], map(int, codes), strict=True)) for name, *codes in body[1:]}


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory, apart: Run) -> Path:
    """A folder with a file, two releases of it, a matrix of documents and its release."""
    folder = tmp_path_factory.mktemp("codes")
    people(90, seed=3).select("age", "hours", "region", "commute").write_csv(folder / "people.csv")
    (folder / "discreet.toml").write_text(PROJECT)
    for name, text in notes(30).items():
        file = folder / "documents" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    for command in (
        ["protect", "people.csv", "--out", "one"],
        ["protect", "people.csv", "--out", "other"],
        ["corpus", "build", "documents", "--out", "matrix"],
        ["corpus", "protect", "matrix", "--k", "3", "--out", "vectors"],
    ):
        done = apart(*command, folder=folder)
        assert done.returncode == 0, done.stderr
    return folder


def test_the_page_tells_of_each_command_and_of_each_way_that_limits_can_stand() -> None:
    assert list(rows()) == list(COMMANDS)
    assert all(list(each) == list(LIMITS) for each in rows().values())


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("stands", LIMITS)
def test_a_command_ends_with_the_code_of_the_page(
    in_process: Run, work: Path, command: str, stands: str
) -> None:
    given = LIMITS[stands]
    if command.startswith("corpus") and stands == "one not checked":
        given = ["--ceiling", "link_semantic=0.5"]
    if command in JUDGE_NOTHING:
        given = ["--nothing"] if stands == "bad input" else []
        name, _, bound = "".join(LIMITS[stands][1:]).partition("=")
        limit = f"[assess.ceilings]\n{name} = {bound}\n" if name and not given else ""
        (work / "discreet.toml").write_text(PROJECT + limit)
    try:
        done = in_process(*COMMANDS[command], *given, folder=work)
    finally:
        (work / "discreet.toml").write_text(PROJECT)
    assert done.returncode == rows()[command][stands], done.stdout + done.stderr
    if done.returncode == 1:
        assert "exit code 1" in done.stdout


def test_codes_of_errors_are_those_of_the_page() -> None:
    known = {int(line.split("|")[1]) for line in PAGE.splitlines() if line[:3].strip("| ").isdigit()}
    found, left = set(), [DiscreetError]
    while left:
        error = left.pop()
        found.add(error.exit_code)
        left += error.__subclasses__()
    assert found | {0, 1} == known


def test_a_program_gets_the_same_code_and_an_error_as_json(apart: Run, work: Path) -> None:
    for given, code in (("identity=0.000001", 1), ("identity=1", 0), ("identty=1", 2)):
        done = apart("assess", "one", "--original", "people.csv", "--ceiling", given, "--json", folder=work)
        assert done.returncode == code
        assert isinstance(json.loads(done.stdout or done.stderr), dict)
