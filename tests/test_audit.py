"""The audit in short: a few trials of every check find nothing, and each check would find what it is there for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from audit import guarantees, markers, people, verdicts
from audit.__main__ import CHECKS, one
from audit.program import Answer, Worker
from audit.release_files import broken, digest

TRIALS = {"kills": 1, "full disk": 1, "threads": 1, "verdicts": 2}
ORIGINAL = pl.DataFrame(
    {
        "a": ["y", "x", "y", "x"],
        "n": [2.0, 1.0, 1.0, None],
        "b": [0.0, 1.0, 4.0, None],
        "m": [1, 1, 1, 1],
        "o": [3, 1, 2, 1],
    }
)
FILE = pl.DataFrame(
    {
        "a": ["x", "x", "y", "y"],
        "n": ["1", "1", "2", None],
        "b": ["[0, 2)", "[0, 2)", "[2, 4]", None],
        "m": ["1", "1", "1", "2"],
        "o": ["5", "1", "5", "2"],
        "c": ["z", "z", "z", None],
    }
)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name in CHECKS for number in range(TRIALS.get(name, 3))]
)
def test_a_trial_finds_nothing(name: str, number: int, worker: Worker) -> None:
    assert one(20261118, name, number, worker).faults == ()


@pytest.mark.parametrize(
    ("sentence", "true", "false"),
    [
        ("every combination of 'a' is shared by at least {} records", "2", "3"),
        ("at least {} records match each on 'a', 'n', where missing matches anything", "2", "3"),
        ("{} keep their values, each as often as in the original", "'a'", "'b'"),
        ("the means of {} are those of the original", "'n'", "'m'"),
        ("there are at most {} different combinations of 'a', 'm'", "3", "2"),
        ("no value of {} lies outside the range that it has in the original", "'n'", "'m'"),
        ("{} hold no value that they do not hold in the original", "'a'", "'m'"),
        ("whoever has more of {} than another in the original has no less of it here", "'o'", "'n'"),
        ("all values of 'n' are multiples of {}", "0.5", "2"),
        ("no value of 'n' is below {}", "1", "1.01"),
        ("no value of 'n' is above {}", "2", "1.99"),
        ("no value of 'n' is below 1 or above {}", "2", "1.5"),
        ("no value of 'n' is below {} or above 2", "1", "1.5"),
        ("'a' holds at most {} categories", "2", "1"),
        ("{} holds at most 1 category", "'c'", "'a'"),
        ("the intervals of {} contain the values of the original that they stand for", "'b'", "'n'"),
        ("the file holds {} records", "4", "5"),
    ],
)
def test_a_sentence_is_checked_by_its_words(sentence: str, true: str, false: str) -> None:
    assert guarantees.wrong(sentence.format(true), ORIGINAL, FILE) == ""
    lie = sentence.format(false)
    assert guarantees.wrong(lie, ORIGINAL, FILE) == f"not true: {lie}"


def test_a_sentence_that_nobody_can_check_is_a_fault() -> None:
    assert guarantees.wrong("all is well", ORIGINAL, FILE) == "nobody can check: all is well"


def test_plain_matching_finds_whoever_the_published_cells_leave_alone() -> None:
    original = pl.DataFrame(
        {name: ["x", "x", "y"] if name not in people.NUMBERS else [1.0, 2.0, 3.0] for name in people.KEYS}
    )
    bands = {
        "age": ["[0, 2]", "[0, 2]", "3.0"],
        "hours": ["[0, 3)", None, "3"],
        "income": ["1", "2", "[3, 9)"],
    }
    masked = pl.DataFrame({name: bands.get(name, ["x", "x", "y"]) for name in people.KEYS})
    assert verdicts.matched(original, original.cast(pl.String)) == 1.0
    assert verdicts.matched(original, masked) == 1.0
    alike = masked.with_columns(pl.lit("[1, 3]").alias("income"), pl.lit(None).cast(pl.String).alias("hours"))
    assert verdicts.matched(original, alike) == pytest.approx((0.5 + 0.5 + 1) / 3)
    gone = masked.with_columns(pl.lit("[7, 9]").alias("income"))
    assert verdicts.matched(original, gone) == 0.0


def test_a_cell_in_a_manifest_is_found(
    tmp_path: Path, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = people.make(np.random.default_rng(5), tmp_path, [{"method": "suppress", "k": 3}])
    run = Worker.run

    def leaking(self: Worker, arguments: list[str | Path], folder: Path) -> Answer:
        answer = run(self, arguments, folder)
        manifest = folder / "release" / "public" / "manifest.json"
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "more": made.secret[0]}))
        return answer

    monkeypatch.setattr(Worker, "run", leaking)
    monkeypatch.setattr(people, "make", lambda *given: made)
    found = markers.trial(np.random.default_rng(5), tmp_path, worker).faults
    assert "manifest.json holds 1 cells that are not published" in found


def test_half_a_release_is_found(tmp_path: Path, worker: Worker) -> None:
    made = people.make(np.random.default_rng(5), tmp_path, [{"method": "suppress", "k": 3}])
    release = tmp_path / "release"
    assert broken(release) == "there is no release"
    assert worker.run(["protect", made.file, "--out", release], tmp_path).code == 0
    assert broken(release) == ""
    private = release / "private" / "manifest.private.json"
    told = json.loads(private.read_text())
    private.write_text(json.dumps({**told, "published_sha256": digest(made.file)}))
    assert broken(release) == "the private half is that of another release"
    with (release / "public" / "people.csv").open("a") as file:
        file.write("\n")
    assert broken(release) == "the published file is not the one its manifest tells of"
    private.unlink()
    (release / "public" / "manifest.json").unlink()
    assert broken(release) == "half a release: FileNotFoundError"


def test_an_answer_that_is_a_fault_of_discreet_is_told_from_a_refusal() -> None:
    assert Answer(2, "BadFile").fault() == ""
    assert Answer(70, "Bug").fault() == "exit code 70: Bug"
    assert Answer(None, "").fault() == "the process died or did not end"
    assert Answer(1, "Traceback (most recent call last)").fault() == "a traceback was shown"
