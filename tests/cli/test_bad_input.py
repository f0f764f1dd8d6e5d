"""Bad input: one clear sentence, the right exit code, nothing written, no cell of the data shown."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

PROJECT = """
[columns.secretname]
role = "identifier"
[columns.age]
role = "quasi-identifier"
scale = "numeric"
[[mask]]
method = "microaggregate"
columns = ["age"]
k = 3
"""
HEADER = "secretname,age\n"
GOOD = HEADER + "".join(f"Zaphod{row},{row % 7}\n" for row in range(20))
SECRET = "Zaphod"


@pytest.mark.parametrize(
    ("what", "data", "project", "code", "name"),
    [
        ("empty file", b"", PROJECT, 2, "BadFile"),
        ("header only", HEADER.encode(), PROJECT, 3, "Unreachable"),
        ("one row", (HEADER + "Zaphod,4\n").encode(), PROJECT, 3, "Unreachable"),
        ("duplicate column names", b"age,age\nZaphod,2\n", PROJECT, 2, "BadFile"),
        ("mixed types", (GOOD + "Zaphod,Zaphod\n").encode(), PROJECT, 2, "BadValues"),
        ("too many fields", (GOOD + "Zaphod,3,4\n").encode(), PROJECT, 2, "BadFile"),
        ("too few fields", (GOOD + "Zaphod\n").encode(), PROJECT, 2, "BadFile"),
        ("not UTF-8", GOOD.encode() + b"Zaphod\xff\xfe\x81,3\n", PROJECT, 2, "BadFile"),
        (
            "column not in the file",
            GOOD.encode(),
            PROJECT + '[columns.agee]\nrole = "weight"\n',
            2,
            "UnknownColumn",
        ),
        (
            "column without a role",
            GOOD.encode(),
            PROJECT.replace("columns.secretname", "columns.x"),
            2,
            "UnknownColumn",
        ),
        (
            "key and identifier at once",
            GOOD.encode(),
            PROJECT.replace('["age"]', '["age", "secretname"]'),
            2,
            "BadTable",
        ),
        ("k larger than the file", GOOD.encode(), PROJECT.replace("k = 3", "k = 21"), 3, "Unreachable"),
        ("k out of range", GOOD.encode(), PROJECT.replace("k = 3", "k = 1"), 2, "BadParameter"),
        (
            "typo in a method",
            GOOD.encode(),
            PROJECT.replace("microaggregate", "microagregate"),
            2,
            "UnknownMethod",
        ),
        ("typo in a parameter", GOOD.encode(), PROJECT.replace("k = 3", "kk = 3"), 2, "UnknownParameter"),
        ("typo in a key", GOOD.encode(), PROJECT.replace("role", "roll"), 2, "UnknownKey"),
        ("not TOML", GOOD.encode(), "[columns", 2, "BadProject"),
        ("no masking", GOOD.encode(), PROJECT.split("[[mask]]")[0], 2, "BadProject"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 40 and "\n" not in value else "",
)
def test_bad_input_is_named(
    discreet: Run, tmp_path: Path, what: str, data: bytes, project: str, code: int, name: str
) -> None:
    (tmp_path / "people.csv").write_bytes(data)
    (tmp_path / "discreet.toml").write_text(project)
    done = discreet("protect", "people.csv", folder=tmp_path)
    assert done.returncode == code, f"{what}: {done.stdout}{done.stderr}"
    assert done.stderr.startswith(f"discreet: {name}: "), done.stderr
    assert done.stderr.count("\n") == 1 or name == "UnknownKey"
    assert SECRET not in done.stderr + done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["discreet.toml", "people.csv"]
    as_json = discreet("protect", "people.csv", "--json", folder=tmp_path)
    assert as_json.returncode == code
    assert json.loads(as_json.stdout)["error"]["name"] == name


@pytest.mark.parametrize(
    ("what", "rows"),
    [
        ("constant", ["Zaphod,5"] * 9),
        ("all missing", ["Zaphod,"] * 9),
        ("a cell of many megabytes", [f"{'Z' * 100_000_000},1"] + ["a,2"] * 8),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_odd_input_is_masked(discreet: Run, tmp_path: Path, what: str, rows: list[str]) -> None:
    (tmp_path / "people.csv").write_text(HEADER + "\n".join(rows) + "\n")
    (tmp_path / "discreet.toml").write_text(PROJECT)
    done = discreet("protect", "people.csv", folder=tmp_path)
    assert done.returncode == 0, f"{what}: {done.stderr[:500]}"


def test_missing_files_are_named(discreet: Run, tmp_path: Path) -> None:
    for arguments in (
        ("protect", "nobody.csv"),
        ("inspect", "nobody.csv"),
        ("assess", "nowhere", "--original", "nobody.csv"),
        ("report", "nowhere", "--original", "nobody.csv"),
    ):
        done = discreet(*arguments, folder=tmp_path)
        assert done.returncode == 2
        assert "nobody.csv" in done.stderr or "nowhere" in done.stderr or "discreet.toml" in done.stderr
    assert discreet("assess").returncode == 2
    assert discreet("no-such-command").returncode == 2


def test_a_fault_of_ours_says_where_and_shows_no_data(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from discreet.cli import app, edge

    def broken(*_: object, **__: object) -> None:
        raise ValueError("Zaphod, 42, spent 300 on gargle blasters")

    monkeypatch.setattr(app, "app", broken)
    with pytest.raises(SystemExit) as left:
        edge.main(["demo"])
    assert left.value.code == 70
    shown = capsys.readouterr().err
    assert "ValueError in test_bad_input.py" in shown
    assert "Zaphod" not in shown
