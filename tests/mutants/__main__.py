"""Draws random mutants of the package and runs the tests on each: `make mutants N=40 SEED=7 ONLY=src/discreet/loss`.

A mutant is the package with one small change. Where the tests pass all the same, they would not have seen that
mistake: the change is printed. Left out are the kernels (compiled loops; a changed one would be compiled for each
mutant), the invented census, decorators, docstrings, annotations, messages of errors and texts of six words or more.
A survivor may do the same as the original: judge by its diff.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.operators import Mutant, mutants
from tests.mutants.recorded import PACKAGE, ROOT, Recorded, environment, load

APART = ("_kernels", "demo", "__main__.py")
FIRST = 8.0
"""Seconds of tests that are run at once; the others follow where these pass: few files are read for most mutants."""
PATIENCE = 5.0
"""How many times as long as usual a test may take before the mutant counts as one that never ends."""
LEAST = 10.0
"""Seconds that every test may take."""
STARTED = 60.0
"""Seconds for starting Python and pytest, on a machine with other work."""


WAITING = 4.0
"""How many times as many seconds as processor seconds a test may take on a machine without other work."""


def busy() -> float:
    """How many times as long as on a machine without other work everything takes now: what each processor has to do."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


@dataclass(frozen=True, slots=True)
class Drawn:
    """A mutant of a file, and the tests to run on it."""

    place: Path
    mutant: Mutant
    tests: dict[str, float]
    """With the seconds that each takes as a rule, the most telling first."""

    def stages(self) -> list[dict[str, float]]:
        """The tests to run first, and those to run where these pass."""
        first: dict[str, float] = {}
        for test, seconds in self.tests.items():
            if first and sum(first.values()) + seconds > FIRST:
                break
            first[test] = seconds
        rest = {test: seconds for test, seconds in self.tests.items() if test not in first}
        return [first, rest] if rest else [first]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutant."""

    drawn: Drawn
    killed: bool
    why: str


def draw(number: int, seed: int, only: list[str]) -> list[tuple[Path, Mutant]]:
    """Random mutants, no two of the same statement; a file is drawn as often as it is long."""
    files = [
        place
        for place in sorted(PACKAGE.rglob("*.py"))
        if place.relative_to(PACKAGE).parts[0] not in APART
        and (not only or any(place.relative_to(ROOT).is_relative_to(each) for each in only))
    ]
    generator = random.Random(seed)
    sizes = [place.stat().st_size for place in files]
    drawn: dict[tuple[Path, int], Mutant] = {}
    made: dict[Path, list[Mutant]] = {}
    for _ in range(100 * number):
        place = generator.choices(files, sizes)[0]
        if place not in made:
            made[place] = mutants(place.read_bytes())
        if made[place] and len(drawn) < number:
            mutant = generator.choice(made[place])
            drawn.setdefault((place, mutant.first), mutant)
    return [(place, mutant) for (place, _), mutant in drawn.items()]


def run(drawn: Drawn) -> Outcome:
    """Runs the tests on the mutant, in processes of their own and with the package on disk unchanged."""
    if not drawn.tests:
        return Outcome(drawn, killed=False, why="no test runs it")
    source = drawn.place.read_bytes()
    name = ".".join(drawn.place.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for tests in drawn.stages():
        with tempfile.TemporaryDirectory(prefix="mutant-", ignore_cleanup_errors=True) as folder:
            place = Path(folder)
            (place / "source.py").write_bytes(drawn.mutant.of(source))
            limits = {test: LEAST + PATIENCE * seconds for test, seconds in tests.items()}
            (place / "tests").write_text(json.dumps(limits), encoding="utf-8")
            (place / "tmp").mkdir()
            given = environment(
                MUTANT_MODULE=name,
                MUTANT_SOURCE=str(place / "source.py"),
                MUTANT_TESTS=str(place / "tests"),
                MUTANT_PATIENCE=str(WAITING * busy()),
                TMPDIR=str(place / "tmp"),
            )
            code, said = _pytest(tests, given)
        if code != 0:
            return Outcome(drawn, killed=True, why=said)
    return Outcome(drawn, killed=False, why=f"{len(drawn.tests)} tests pass")


def _pytest(tests: dict[str, float], given: dict[str, str]) -> tuple[int, str]:
    files = list(dict.fromkeys(test.split("::")[0] for test in tests))
    options = ["-x", "-q", "--tb=no", "-p", "selecting", "-p", "no:cacheprovider", "-p", "no:xdist"]
    with subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, *files],
        cwd=ROOT,
        env=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=busy() * (STARTED + PATIENCE * sum(tests.values())))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return 1, "does not end"
    if process.returncode in (-signal.SIGPROF, -signal.SIGALRM):
        return 1, "does not end"
    failed = [line for line in said.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return process.returncode, (failed[0] if failed else f"pytest leaves with {process.returncode}")[:200]


def told(outcome: Outcome) -> str:
    """A survivor for people: where it is, what was done and the lines before and after."""
    place, mutant = outcome.drawn.place, outcome.drawn.mutant
    before = place.read_bytes()
    after = mutant.of(before).decode().splitlines()
    lines = list(difflib.unified_diff(before.decode().splitlines(), after, lineterm="", n=0))[3:]
    where = f"{place.relative_to(ROOT)}:{mutant.line}"
    return "\n".join([f"{where}  {mutant.operator} ({outcome.why})", *(f"    {line}" for line in lines)])


def chosen(number: int, seed: int, only: list[str], recorded: Recorded, budget: float) -> list[Drawn]:
    """The drawn mutants with their tests."""
    found = []
    for place, mutant in draw(number, seed, only):
        tests = recorded.tests(place, mutant, budget)
        found.append(Drawn(place, mutant, {test: recorded.seconds[test] for test in tests}))
    return found


def main() -> None:
    """Prints the survivors of a random draw, and how many were killed."""
    parser = argparse.ArgumentParser(description="Mutants that the tests do not see.")
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=60.0, help="of tests for one mutant at most")
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument(
        "--after", type=int, default=0, help="go on after so many of the draw, where it was stopped"
    )
    parser.add_argument("--as-recorded", action="store_true", help="record nothing now")
    parser.add_argument("--killed", action="store_true", help="print what killed the others too")
    asked = parser.parse_args()
    recorded = load(0 if asked.as_recorded else asked.workers)
    drawn = chosen(asked.number, asked.seed, asked.only, recorded, asked.seconds)[asked.after :]
    killed = 0
    with ThreadPoolExecutor(asked.workers) as pool:
        for done, outcome in enumerate(pool.map(run, drawn), start=1):
            killed += outcome.killed
            if not outcome.killed or asked.killed:
                sys.stdout.write(f"{'killed ' if outcome.killed else ''}{told(outcome)}\n")
            sys.stdout.flush()
            sys.stderr.write(f"\r{killed} of {done} killed, {len(drawn) - done} to go ")
    share = f" ({killed / len(drawn):.0%})" if drawn else ""
    sys.stdout.write(f"\n{killed} of {len(drawn)} killed{share}, seed {asked.seed}\n")


if __name__ == "__main__":
    main()
