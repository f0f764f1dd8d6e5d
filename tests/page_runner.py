"""Runs the commands and snippets of a page of the documentation, in order, in the current folder.

Every fenced block names its language. `sh`, `python` and `pycon` (as in a Python session, its answers compared) are
run, `toml` must be TOML, and `text` is what a program answers. HTML comments, which a reader does not see, stand before
a block where it needs one:

    <!-- starts from: demo -->                  what lies in the folder: see `starts_from`; once, anywhere in the page
    <!-- not run: why -->                       the block is not run
    <!-- not run `discreet search`: why -->     the commands of the block that begin so are not run
    <!-- exits with 1: `discreet assess` -->    commands that begin so end with this code, others with 0
    <!-- in tests: 3000 -> 300 -->              this text of the block is replaced, to be quick
    <!-- file: neighbour.toml -->               the block is written to this file
    <!-- run ... -->                            Python for what the page says in words; `block` is the last block
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import signal
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discreet.cli import edge

LANGUAGES = {"sh", "python", "pycon", "toml", "text"}
PART = re.compile(
    r"^<!-- (?P<comment>.*?)-->$|^```(?P<language>\S*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)
NOTE = re.compile(r"(?P<kind>starts from|not run|exits with|in tests|file)(?P<what>.*?): (?P<text>.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A comment about the block that follows: `kind what: text`."""

    kind: str
    what: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block, or Python in a comment, with the notes that stand before it."""

    language: str
    text: str
    line: int
    notes: tuple[Note, ...] = ()

    def notes_of(self, kind: str) -> list[Note]:
        """The notes of a kind."""
        return [each for each in self.notes if each.kind == kind]


def blocks(page: str) -> list[Block]:
    """The blocks of a page in order; a comment that is no note, or stands before no block, is an error."""
    found: list[Block] = []
    notes: list[Note] = []
    end = 0
    for part in PART.finditer(page):
        line = page.count("\n", 0, part.start()) + 1
        if notes and page[end : part.start()].strip():
            raise ValueError(f"line {line}: the comment above stands before no block.")
        end = part.end()
        comment = part["comment"]
        if comment is None:
            found.append(Block(language=part["language"], text=part["text"], line=line, notes=tuple(notes)))
            notes = []
        elif comment.startswith("run\n"):
            found.append(Block(language="python", text=comment.removeprefix("run\n"), line=line + 1))
        elif (note := _note(comment.strip(), line)).kind != "starts from":
            notes.append(note)
    return found


def starts_from(page: str) -> str:
    """What the page starts from: `demo`, the folder that `discreet demo` leaves, or else an empty folder."""
    notes = [_note(each, 0) for each in re.findall(r"^<!-- (starts from: .*) -->$", page, re.MULTILINE)]
    return notes[0].text if notes else ""


def _note(comment: str, line: int) -> Note:
    parsed = NOTE.fullmatch(comment)
    if parsed is None:
        raise ValueError(f"line {line}: a comment that says nothing known: {comment!r}.")
    return Note(kind=parsed["kind"], what=parsed["what"].strip(" `"), text=parsed["text"].strip(" `"))


def run_page(name: str, page: str) -> None:
    """Runs every block of the page in the current folder, and raises where one fails."""
    names: dict[str, Any] = {"__name__": "__main__", "Path": Path}
    for block in blocks(page):
        if any(not note.what for note in block.notes_of("not run")):
            continue
        text = block.text
        for note in block.notes_of("in tests"):
            old, new = (each.strip() for each in note.text.split("->"))
            assert old in text, f"{name}, line {block.line}: no {old!r} to replace."
            text = text.replace(old, new)
        try:
            _run_block(block, text, f"{name}:{block.line}", names)
        except BaseException as error:
            error.add_note(f"in the block at {name}, line {block.line}")
            raise
        names["block"] = text


def _run_block(block: Block, text: str, place: str, names: dict[str, Any]) -> None:
    for note in block.notes_of("file"):
        Path(note.text).write_text(text, encoding="utf-8")
    if block.language == "sh":
        for command in text.splitlines():
            _run_command(command, block)
    elif block.language == "pycon":
        _run_session(text, place, names)
    elif block.language == "python":
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile("\n" * block.line + text, place, "exec"), names)
    elif block.language == "toml":
        tomllib.loads(text)


def _run_command(command: str, block: Block) -> None:
    """Runs a line of a shell in this process; only `discreet` can be run."""
    words = shlex.split(command, comments=True)
    skipped = tuple(note.what for note in block.notes_of("not run"))
    if not words or command.startswith(skipped):
        return
    assert words[0] == "discreet", f"{command}: only `discreet` is run; say why others are not."
    codes = {note.text: int(note.what) for note in block.notes_of("exits with")}
    expected = next((code for start, code in codes.items() if command.startswith(start)), 0)
    code, output = answer(words[1:])
    assert code == expected, f"{command}\nends with {code} and not {expected}:\n{output}"


def answer(arguments: list[str]) -> tuple[int, str]:
    """The exit code and the output of the command line, run in this process from its edge on."""
    output = io.StringIO()
    with _signals_kept(), contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            edge.main(arguments)
        except SystemExit as left:
            return int(left.code or 0), output.getvalue()
    raise AssertionError("the command line leaves with an exit code")


@contextlib.contextmanager
def _signals_kept() -> Iterator[None]:
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


def _run_session(text: str, place: str, names: Mapping[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(text, {}, place, place, 0)
    test.globs = names  # type: ignore[assignment]  # the page goes on with what the session names
    output = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=output.write, clear_globs=False)
    assert runner.failures == 0, output.getvalue()
