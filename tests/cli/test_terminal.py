"""Nothing that a terminal would obey reaches it, whatever the data are called."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.cli.show import Terminal, grid
from discreet.visible import escaped_json, visible, visible_line

Run = Callable[..., subprocess.CompletedProcess[str]]
EVIL = "a\x1b[31m\x07\x9b\x7f\u202e\u2066[bold]:smile:\ufffe</script>"
FORBIDDEN = {
    chr(code) for code in [*range(32), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
}
PROJECT = """
[columns.{name}]
role = "quasi-identifier"
[columns.age]
role = "quasi-identifier"
[columns.ill]
role = "confidential"
[[mask]]
method = "add_noise"
columns = ["age"]
p = 0.2
"""


def obeyed(text: str) -> set[str]:
    return set(text) & (FORBIDDEN - {"\n", "\t"})


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A small original whose column, category and folder have names that a terminal would obey."""
    folder = tmp_path / "dir\x1b[2J\u202e[bold]"
    folder.mkdir()
    frame = pl.DataFrame(
        {
            EVIL: [f"{EVIL}{row % 2}" for row in range(24)],
            "age": [20 + 7 * row % 31 for row in range(24)],
            "ill": [f"flu{row % 3}" for row in range(24)],
        }
    )
    frame.write_csv(folder / "people.csv")
    (folder / "discreet.toml").write_text(PROJECT.format(name=json.dumps(EVIL)), encoding="utf-8")
    return folder


def test_no_command_lets_a_name_speak_to_the_terminal(in_process: Run, evil: Path) -> None:
    file = evil / "people.csv"
    limited = ("--attack", "k_anonymity", "--attack", "link", "--loss", "lost")
    commands = [
        ("inspect", file, "--out", evil / "new.toml"),
        ("protect", file, "--out", evil / "one"),
        ("protect", file, "--out", evil / "two"),
        ("assess", evil / "one", "--original", file, *limited),
        ("attack", evil / "one", "--original", file, "--attack", "link"),
        ("compare", evil / "one", evil / "two", "--original", file),
        ("report", evil / "one", "--original", file, "--out", evil / "report.html"),
        ("search", file, "--trials", "2", "--out", evil / "found.toml"),
        # Errors name files, columns and arguments.
        ("protect", file, "--out", evil / "one"),
        ("protect", file, "--mask", f"add_noise columns={EVIL.replace('[', '')}", "--out", evil / "three"),
        ("assess", evil / "none", "--original", file),
        ("inspect", evil / "none\x1b.csv"),
        ("methods", EVIL),
        (EVIL,),
        ("methods", f"--{EVIL}"),
    ]
    for command in commands:
        done = in_process(*command)
        assert done.returncode != 70, done.stderr
        assert obeyed(done.stdout + done.stderr) == set(), command
        assert done.stdout + done.stderr, command


def test_no_name_begins_a_line_of_its_own(in_process: Run, tmp_path: Path) -> None:
    """A column called "age, a line feed and a verdict" must not write the verdict."""
    forged = "identity must be at most 10%: met"
    name = f"town\n{forged}\n"
    frame = pl.DataFrame(
        {name: [f"t{row % 5}" for row in range(24)], "age": [20 + 7 * row % 31 for row in range(24)]}
    )
    frame.with_columns(ill=pl.Series([f"flu{row % 3}" for row in range(24)])).write_csv(
        tmp_path / "people.csv"
    )
    (tmp_path / "discreet.toml").write_text(PROJECT.format(name=json.dumps(name)), encoding="utf-8")
    file, one = tmp_path / "people.csv", tmp_path / "one"
    commands = [
        ("inspect", file, "--dry-run"),
        ("protect", file, "--out", one),
        ("protect", file, "--mask", f"suppress columns={name} k=2", "--out", tmp_path / "two"),
        ("protect", file, "--mask", f"suppress columns={name}x k=2", "--out", tmp_path / "three"),
        ("assess", one, "--original", file, "--attack", "suda", "--attack", "link", "--loss", "lost"),
        ("attack", one, "--original", file, "--attack", "suda"),
        ("attack", one, "--original", file, "--attack", f"link keys={name}x"),
        ("verify", one),
        ("methods", name),
        ("methods", f"--{name}"),
    ]
    named = 0
    for command in commands:
        done = in_process(*command)
        assert done.returncode != 70, done.stderr
        lines = (done.stdout + done.stderr).splitlines()
        assert lines, command
        assert not [each for each in lines if each.strip(" │").startswith(forged)], command
        named += any(forged in each for each in lines)
    assert named >= 3


def test_json_keeps_every_name_exactly_and_is_as_harmless(in_process: Run, evil: Path) -> None:
    done = in_process("inspect", evil / "people.csv", "--dry-run", "--json")
    assert done.returncode == 0, done.stderr
    assert obeyed(done.stdout) == set()
    assert EVIL in str_values(json.loads(done.stdout))


def str_values(said: object) -> set[str]:
    """Every text in plain data, names too."""
    if isinstance(said, str):
        return {said}
    if isinstance(said, dict):
        return set(said) | {text for each in said.values() for text in str_values(each)}
    return {text for each in said for text in str_values(each)} if isinstance(said, list) else set()


def test_names_are_shown_as_they_are_and_not_as_markup_or_emoji(in_process: Run, evil: Path) -> None:
    done = in_process("protect", evil / "people.csv", "--out", evil / "one")
    assert done.returncode == 0, done.stderr
    assert "dir[U+001B][2J[U+202E][bold]" in done.stdout


def test_a_real_process_shows_nothing_that_a_terminal_obeys(apart: Run, evil: Path) -> None:
    done = apart("inspect", evil / "people.csv", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert obeyed(done.stdout + done.stderr) == set()
    assert "[bold]:smile:" in done.stdout


@given(st.text(st.characters(codec=None)))
def test_any_text_is_shown_without_what_a_terminal_obeys(text: str) -> None:
    console = Terminal(width=4000, soft_wrap=True, record=True, file=io.StringIO())
    rows = grid(text, text)
    rows.add_row(text)
    console.print(text)
    console.print(rows)
    shown = console.export_text()
    assert obeyed(shown) == set()
    shown.encode()
    assert obeyed(visible_line(text) + visible(text)) == set()
    assert not {"\n", "\t"} & set(visible_line(text))


@given(st.dictionaries(st.text(st.characters(codec=None)), st.text(st.characters(codec=None))))
def test_json_says_exactly_the_same_text(said: dict[str, str]) -> None:
    text = escaped_json(json.dumps(said, ensure_ascii=False, indent=2))
    assert json.loads(text) == said
    assert obeyed(text) == set()
    text.encode()


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    ("arguments", "code"), [("methods link", 0), ("methods link --json", 0), ("methods lnk", 2)]
)
def test_an_output_that_is_closed_from_the_start_changes_no_exit_code(
    closed: str, arguments: str, code: int
) -> None:
    command = f"{sys.executable} -m discreet {arguments} {closed}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_said_to_a_closed_output_is_not_written_into_a_file(tmp_path: Path) -> None:
    """The first file that is opened would take the place of an output that is closed."""
    pl.DataFrame({"age": [1, 2, 3], "sex": ["f", "m", "f"]}).write_csv(tmp_path / "people.csv")
    command = f"{sys.executable} -m discreet inspect people.csv >&- 2>&-"
    done = subprocess.run(command, shell=True, cwd=tmp_path, check=False)
    assert done.returncode == 0
    assert "Wrote" not in (tmp_path / "discreet.toml").read_text()
    assert (tmp_path / "people.csv").read_text() == "age,sex\n1,f\n2,m\n3,f\n"


def test_a_file_whose_name_is_no_text_is_bad_input(in_process: Run, tmp_path: Path) -> None:
    file = Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff.csv"))
    file.write_text("age,sex\n1,f\n2,m\n3,f\n")
    done = in_process("inspect", file)
    assert done.returncode == 2, done.stderr
    assert "is not UTF-8 text. Rename" in done.stderr
