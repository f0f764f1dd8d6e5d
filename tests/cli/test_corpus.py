"""`discreet corpus`: the whole way on the command line, exit codes, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.page_runner import answer

from discreet.demo.corpus import notes


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with documents, their matrix and a release."""
    work = tmp_path_factory.mktemp("corpus")
    for name, text in notes(60).items():
        file = work / "documents" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (work / "documents" / "health" / "picture.png").write_bytes(b"\x89PNG\0\0")
    assert answer(["corpus", "build", str(work / "documents"), "--out", str(work / "matrix")])[0] == 0
    code, output = answer(
        [
            "corpus",
            "protect",
            str(work / "matrix"),
            "--k",
            "3",
            "--out",
            str(work / "release"),
            "--format",
            "parquet",
        ]
    )
    assert code == 0, output
    return work


def asked(*arguments: object) -> tuple[int, str]:
    return answer(["corpus", *map(str, arguments)])


def test_building_tells_what_was_left_out(place: Path) -> None:
    code, output = asked("build", place / "documents", "--out", place / "again", "--json")
    assert code == 0
    told = json.loads(output)
    assert told["documents"] == 60
    assert told["files_that_are_no_text"] == ["health/picture.png"]
    assert asked("build", place / "documents", "--out", place / "again")[0] == 2
    code, output = asked("build", place / "documents", "--out", place / "again", "--force")
    assert code == 0
    assert "1 files hold no text" in output


def test_a_release_is_assessed_with_its_limits(place: Path) -> None:
    given = (place / "release", "--original", place / "matrix")
    code, output = asked("assess", *given, "--ceiling", "identity=0.34", "--floor", "k_anonymity=3", "--json")
    assert code == 0, output
    found = json.loads(output)
    assert [each["status"] for each in found["limits"]] == ["met", "met"]
    code, output = asked(
        "assess", *given, "--floor", "k_anonymity=4", "--loss", "il", "--attack", "k_anonymity"
    )
    assert code == 1
    assert "exceeded" in output


def test_the_report_is_a_page_or_json(place: Path) -> None:
    given = (place / "release", "--original", place / "matrix")
    assert asked("report", *given, "--out", place / "report.html")[0] == 0
    page = (place / "report.html").read_text()
    assert "Report on a release of vectors" in page
    code, output = asked(
        "report", *given, "--out", place / "outside.json", "--audience", "external", "--json"
    )
    assert code == 0
    assert json.loads((place / "outside.json").read_text()) == json.loads(output)
    assert asked("report", *given, "--out", place / "report.html")[0] == 2


def test_a_release_of_vectors_is_verified(place: Path) -> None:
    code, output = answer(["verify", str(place / "release")])
    assert code == 0
    assert "holds: every row occurs at least 3 times, byte for byte" in output


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["protect", "matrix", "--k", "1"], 2, "k"),
        (["protect", "matrix", "--k", "61", "--out", "new"], 3, "needs 61 documents"),
        (["protect", "documents", "--out", "new"], 2, "holds no matrix"),
        (["protect", "matrix", "--out", "matrix", "--force"], 2, "would be replaced"),
        (["protect", "matrix", "--method", "semantic", "--out", "new"], 2, "are no words of"),
        (["build", "nowhere"], 2, "there is no file"),
        (["assess", "release", "--original", "matrix", "--ceiling", "identty=0.1"], 2, "identity"),
        (["assess", "release", "--original", "matrix", "--attack", "link"], 2, "no attack or measure"),
        (["assess", "documents", "--original", "matrix"], 2, "manifest"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_said_with_its_exit_code(
    place: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, said: str
) -> None:
    monkeypatch.chdir(place)
    found, output = asked(*arguments)
    assert (found, said in output) == (code, True), output


def test_the_demonstration_goes_the_whole_way(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    wanted = ["demo", "--corpus", "--folder", str(folder), "--records", "100"]
    code, output = answer(wanted)
    assert code == 0, output
    assert sorted(each.name for each in folder.iterdir()) == ["documents", "matrix", "release", "report.html"]
    assert answer(wanted)[0] == 2
    assert answer([*wanted, "--force"])[0] == 0
    (folder / "mine.txt").write_text("keep")
    assert answer([*wanted, "--force"])[0] == 2
