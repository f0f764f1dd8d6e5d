"""Which tests run which lines of the package: recorded once, kept outside the tree, and read for every mutant."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from coverage import CoverageData
from tests.mutants.operators import Mutant

ROOT = Path(__file__).resolve().parents[2]
INSIDE = Path(__file__).resolve().parent / "inside"
PACKAGE = ROOT / "src" / "discreet"
NEVER = ("tests/_kernels", "tests/demo", "tests/mutants", "tests/test_same_examples.py", "tests/test_docs.py")
"""Tests of what is not mutated, and of the tests themselves."""


def environment(**more: str) -> dict[str, str]:
    """The environment of a run: the package of this tree comes first, and what every process of it loads."""
    paths = [str(INSIDE), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **more}


def _digest(place: Path) -> str:
    return hashlib.sha256(place.read_bytes()).hexdigest()


@dataclass
class Recorded:
    """The lines that each test ran, and the seconds that it took."""

    seconds: dict[str, float] = field(default_factory=dict)
    data: list[tuple[CoverageData, dict[str, str], set[str]]] = field(default_factory=list)
    """Of each recording its lines, the digests of the package's files, and the tests that are still as they were."""

    def tests(self, module: Path, mutant: Mutant, budget: float) -> list[str]:
        """The tests that run the mutated line, those of the module's own name first, then the quickest.

        After them come those that run any line of the module, which are all there is where no test is known to run
        the line: it is run on import, or the module was changed since. Together they take `budget` seconds at most.
        """
        exact: set[str] = set()
        every: set[str] = set()
        for data, digests, tests in self.data:
            lines = data.contexts_by_lineno(str(module))
            every |= tests & {test for named in lines.values() for test in named}
            if mutant.inside and digests.get(str(module.relative_to(ROOT))) == _digest(module):
                on = [lines.get(line, []) for line in range(mutant.first, mutant.last + 1)]
                exact |= tests & {test for named in on for test in named}
        chosen: list[str] = []
        spent = 0.0
        ranked = ((each not in exact, not _is_own(each, module), self.seconds[each], each) for each in every)
        for *_, seconds, test in sorted(ranked):
            spent += seconds
            if spent <= budget or not chosen:
                chosen.append(test)
        return chosen


def _is_own(test: str, module: Path) -> bool:
    """Whether a test is named after the module, or tries the examples in it."""
    dotted = ".".join(module.relative_to(PACKAGE.parent).with_suffix("").parts)
    return f"test_{module.stem}" in test or f"[{dotted}]" in test


def kept() -> Path:
    """The folder of what was recorded of this tree."""
    name = hashlib.sha256(str(ROOT).encode()).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"discreet-mutants-{os.getuid()}" / name


def load(workers: int) -> Recorded:
    """What was recorded, after recording the test files that are new or changed, unless there are no workers for it."""
    files = [
        str(place.relative_to(ROOT))
        for place in sorted((ROOT / "tests").rglob("test_*.py"))
        if not str(place.relative_to(ROOT)).startswith(NEVER)
    ]
    current = {name: _digest(ROOT / name) for name in files}
    known = {name: digest for run in _runs() for name, digest in _meta(run)["tests"].items()}
    groups: dict[str, list[str]] = {}
    for name in files:
        if known.get(name) != current[name]:
            groups.setdefault(str(Path(name).parent), []).append(name)
    for room, names in groups.items() if workers else ():
        _tell(f"recording {len(names)} files of {room}")
        _record(names, current, workers)
    return _together(current)


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _runs() -> list[Path]:
    return sorted(kept().glob("*/meta.json"), key=lambda place: place.stat().st_mtime_ns)


def _meta(run: Path) -> dict[str, dict[str, str]]:
    read: dict[str, dict[str, str]] = json.loads(run.read_text(encoding="utf-8"))
    return read


def _record(names: list[str], digests: dict[str, str], workers: int) -> None:
    """Runs the test files, and keeps which lines each test ran and how long it took."""
    kept().mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="run-", dir=kept()))
    modules = {str(place.relative_to(ROOT)): _digest(place) for place in PACKAGE.rglob("*.py")}
    subprocess.run(
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
    told = {"tests": {name: digests[name] for name in names}, "modules": modules}
    (folder / "meta.json").write_text(json.dumps(told), encoding="utf-8")


def _together(current: dict[str, str]) -> Recorded:
    recorded = Recorded()
    latest: dict[str, Path] = {}
    for run in _runs():
        latest.update(
            {name: run for name, digest in _meta(run)["tests"].items() if current.get(name) == digest}
        )
    for run in sorted(set(latest.values())):
        mine = {name for name, other in latest.items() if other == run}
        seconds = json.loads((run.parent / "seconds.json").read_text(encoding="utf-8"))
        tests = {test for test in seconds if test.split("::")[0] in mine}
        recorded.seconds |= {test: float(seconds[test]) for test in tests}
        recorded.data.append((_lines(run.parent), _meta(run)["modules"], tests))
    return recorded


def _lines(folder: Path) -> CoverageData:
    """The lines of all processes of a recording as one."""
    whole = CoverageData(basename=str(folder / "all"))
    if not (folder / "all").exists():
        for part in sorted(folder.glob("lines.*")):
            data = CoverageData(basename=str(part))
            data.read()
            whole.update(data)
            part.unlink()
        whole.write()
    whole.read()
    return whole
