"""Which tests run which lines of the package: recorded once, kept outside the tree, and read for every mutant.

A recording is one file, put in place when it is whole. What was cut short, or cannot be read, is recorded anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from sqlite3 import DatabaseError
from typing import Any

from coverage import CoverageData
from coverage.exceptions import CoverageException
from tests.mutants.operators import Mutant

ROOT = Path(__file__).resolve().parents[2]
INSIDE = Path(__file__).resolve().parent / "inside"
PACKAGE = ROOT / "src" / "discreet"
NEVER = ("tests/_kernels", "tests/demo", "tests/mutants", "tests/test_same_examples.py", "tests/test_docs.py")
"""Tests of what is not mutated, of the tests themselves, and of pages whose code runs the commands."""
LOOK_AT_ALL = {
    "tests/test_docs.py::test_the_reference_says_what_the_methods_say": 2.0,
    "tests/test_shown.py::test_a_repr_that_no_one_wrote_leaves_out_values_secrets_and_who_is_who": 0.1,
    "tests/conformance/test_facts.py::test_shares_and_chances_are_read_in_percent_and_amounts_are_not": 0.1,
}
"""Tests that see what modules declare when they are imported, without running a line of theirs, with their seconds."""
RAN = (0, 1, 5)
"""How pytest leaves when it ran what there was to run: all pass, some fail, none there."""

Reached = dict[str, dict[str, int]]
"""By file of the package and by test the lines that the test ran: a number whose bit 2**line is set for each."""


def environment(**more: str) -> dict[str, str]:
    """The environment of a run: the package of this tree comes first, and what every process of it loads."""
    paths = [str(INSIDE), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **more}


def _digest(place: Path) -> str:
    return hashlib.sha256(place.read_bytes()).hexdigest()


@dataclass(frozen=True, slots=True)
class Recording:
    """What one run of some test files showed."""

    tests: dict[str, str]
    """The test files that were run, with their digests."""
    modules: dict[str, str]
    """The files of the package as they were, by their digests."""
    seconds: dict[str, float]
    """The processor seconds of each test that passed."""
    lines: Reached

    def save(self, folder: Path) -> None:
        """Writes the recording beside its final place, then moves it there."""
        handle, name = tempfile.mkstemp(prefix="unfinished-", dir=folder)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            lines = {
                module: {test: f"{on:x}" for test, on in of.items()} for module, of in self.lines.items()
            }
            told = {"tests": self.tests, "modules": self.modules, "seconds": self.seconds, "lines": lines}
            json.dump(told, file)
        Path(name).replace(folder / f"{Path(name).name.removeprefix('unfinished-')}.json")

    @classmethod
    def read(cls, place: Path) -> Recording | None:
        """The recording in a file, or None where it cannot be read; such a file is removed."""
        try:
            told: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
            lines = {
                module: {test: int(on, 16) for test, on in of.items()} for module, of in told["lines"].items()
            }
            return cls(told["tests"], told["modules"], told["seconds"], lines)
        except (ValueError, KeyError, TypeError, AttributeError):
            _tell(f"a recording cannot be read and is made anew: {place.name}")
            place.unlink()
            return None


@dataclass
class Recorded:
    """The lines that each test ran, and the seconds that it took."""

    seconds: dict[str, float] = field(default_factory=lambda: dict(LOOK_AT_ALL))
    breadth: dict[str, int] = field(default_factory=dict)
    """How many lines of the package each test ran."""
    recordings: list[tuple[Recording, set[str]]] = field(default_factory=list)
    """Each recording with those of its tests that are still as they were."""

    def add(self, recording: Recording, files: set[str]) -> None:
        """Takes from a recording the tests of these files."""
        tests = {test for test in recording.seconds if test.split("::")[0] in files}
        self.seconds |= {test: recording.seconds[test] for test in tests}
        for of in recording.lines.values():
            for test in tests & set(of):
                self.breadth[test] = self.breadth.get(test, 0) + of[test].bit_count()
        self.recordings.append((recording, tests))

    def tests(self, module: Path, mutant: Mutant, budget: float) -> list[str]:
        """The tests that run the mutated line: those of the module's own name, then the most specific for their time.

        A constant is run where it is used. After them come those that run any line of the module, which are all there
        is where no test is known to run the line. Together they take `budget` seconds at most, the first one apart.
        """
        name = str(module.relative_to(ROOT))
        exact: set[str] = set()
        inside: dict[str, int] = {}
        places = {name: range(mutant.first, mutant.last + 1)} if mutant.inside else uses(module, mutant.first)
        for recording, tests in self.recordings:
            of = recording.lines.get(name, {})
            inside |= {test: of[test].bit_count() for test in tests & set(of)}
            for place, lines in places.items():
                of = recording.lines.get(place, {})
                if of:
                    before = lines_before(ROOT / place, recording.modules[place])
                    mask = sum(1 << before[line] for line in lines if line in before)
                    exact |= {test for test in tests & set(of) if of[test] & mask}
        inside = dict.fromkeys(exact, 1) | inside
        chosen: list[str] = [] if mutant.inside else list(LOOK_AT_ALL)
        spent = 0.0
        ranked = (
            (
                each not in exact,
                not _is_own(each, module),
                -inside[each] / self.breadth[each] / (0.05 + self.seconds[each]),
                each,
            )
            for each in inside
        )
        for *_, test in sorted(ranked):
            if test not in chosen and (not spent or spent + self.seconds[test] <= budget):
                chosen.append(test)
                spent += self.seconds[test]
        return chosen


def _is_own(test: str, module: Path) -> bool:
    """Whether a test is named after the module, or tries the examples in it."""
    dotted = ".".join(module.relative_to(PACKAGE.parent).with_suffix("").parts)
    return f"test_{module.stem}" in test or f"[{dotted}]" in test


def uses(module: Path, line: int) -> dict[str, list[int]]:
    """By file of the package the other lines that name the constants which this line of a module declares."""
    text = module.read_text(encoding="utf-8").splitlines()[line - 1]
    declared = re.match(r"[A-Z][A-Z0-9_]*(, [A-Z][A-Z0-9_]*)*(?=:| =)", text)
    if declared is None:
        return {}
    word = re.compile(rf"\b({'|'.join(declared[0].split(', '))})\b")
    found = {}
    for place in sorted(PACKAGE.rglob("*.py")):
        source = place.read_text(encoding="utf-8")
        if word.search(source) and (place == module or module.stem in source):
            named = {number for number, each in enumerate(source.splitlines(), start=1) if word.search(each)}
            found[str(place.relative_to(ROOT))] = sorted(named - ({line} if place == module else set()))
    return found


def kept() -> Path:
    """The folder of what was recorded of this tree."""
    name = hashlib.sha256(str(ROOT).encode()).hexdigest()[:12]
    place = Path(tempfile.gettempdir()) / f"discreet-mutants-{os.getuid()}" / name
    (place / "sources").mkdir(parents=True, exist_ok=True)
    return place


def lines_before(module: Path, digest: str) -> dict[int, int]:
    """For each line of the file that stood in its recorded version too, the number that it had there."""
    now = module.read_text(encoding="utf-8").splitlines()
    if _digest(module) == digest:
        return {line: line for line in range(1, len(now) + 1)}
    source = kept() / "sources" / digest
    if not source.exists():
        return {}
    then = source.read_text(encoding="utf-8").splitlines()
    blocks = SequenceMatcher(None, then, now, autojunk=False).get_matching_blocks()
    return {block.b + each + 1: block.a + each + 1 for block in blocks for each in range(block.size)}


def load(workers: int) -> Recorded:
    """What was recorded, after recording the test files that are new or changed, unless there are no workers for it."""
    files = [
        str(place.relative_to(ROOT))
        for place in sorted((ROOT / "tests").rglob("test_*.py"))
        if not str(place.relative_to(ROOT)).startswith(NEVER)
    ]
    current = {name: _digest(ROOT / name) for name in files}
    known = {name for recording, names in _latest(current) for name in names}
    groups: dict[str, list[str]] = {}
    for name in files:
        if name not in known:
            groups.setdefault(str(Path(name).parent), []).append(name)
    for room, changed in groups.items() if workers else ():
        _tell(f"recording {len(changed)} files of {room}")
        _record({name: current[name] for name in changed}, workers)
    recorded = Recorded()
    for recording, names in _latest(current):
        recorded.add(recording, names)
    return recorded


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _latest(current: dict[str, str]) -> list[tuple[Recording, set[str]]]:
    """The recordings, latest first, each with the test files that none made later has."""
    taken: set[str] = set()
    found = []
    for place in sorted(kept().glob("*.json"), key=lambda each: each.stat().st_mtime_ns, reverse=True):
        recording = Recording.read(place)
        if recording is not None:
            same = {name for name, digest in recording.tests.items() if current.get(name) == digest}
            if same - taken:
                found.append((recording, same - taken))
            taken |= same
    return found


def _record(tests: dict[str, str], workers: int) -> None:
    """Runs the test files, and keeps which lines each test ran and how long it took; twice where lines were lost."""
    for attempt in (1, 2):
        folder = Path(tempfile.mkdtemp(prefix="run-", dir=kept()))
        try:
            modules = _modules()
            _run(list(tests), folder, workers)
            lines, damaged = reached(folder.glob("lines.*"))
            if damaged and attempt == 1:
                _tell(f"the lines of {damaged} processes with tests cannot be read: once more")
                continue
            seconds = json.loads((folder / "seconds.json").read_text(encoding="utf-8"))
            Recording(tests, modules, seconds, lines).save(kept())
            return
        finally:
            shutil.rmtree(folder)


def _modules() -> dict[str, str]:
    """The digests of the package's files, each of which is kept under its digest."""
    found = {}
    for place in PACKAGE.rglob("*.py"):
        digest = found[str(place.relative_to(ROOT))] = _digest(place)
        source = kept() / "sources" / digest
        if not source.exists():
            source.write_bytes(place.read_bytes())
    return found


def _run(names: list[str], folder: Path, workers: int) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "recording",
            "-p",
            "no:cacheprovider",
            f"-n{workers}",
            *names,
        ],
        cwd=ROOT,
        check=False,
        stdout=subprocess.DEVNULL,
        env=environment(
            RECORD_DATA=str(folder / "lines"),
            RECORD_SOURCE=str(PACKAGE),
            RECORD_TIMES=str(folder / "seconds.json"),
        ),
    )
    if done.returncode not in RAN:
        message = f"pytest leaves with {done.returncode}: nothing is recorded of {', '.join(names)}"
        raise SystemExit(message)


def reached(parts: Iterable[Path]) -> tuple[Reached, int]:
    """The lines of all processes of a run together, and from how many of those with tests they could not be read.

    Processes that a test starts and kills may leave half a file, which does not matter.
    """
    lines: Reached = {}
    damaged = 0
    for part in sorted(parts):
        data = CoverageData(basename=str(part))
        try:
            data.read()
            by_file = {file: data.contexts_by_lineno(file) for file in data.measured_files()}
        except (CoverageException, DatabaseError):
            damaged += part.name.startswith("lines.tests")
            continue
        finally:
            data.close()
        for file, by_line in by_file.items():
            of = lines.setdefault(str(Path(file).relative_to(ROOT)), {})
            for line, tests in by_line.items():
                for test in filter(None, tests):
                    of[test] = of.get(test, 0) | 1 << line
    return lines, damaged
