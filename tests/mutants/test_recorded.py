"""What was recorded chooses the tests of a mutant; what cannot be read of it is recorded anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from coverage import CoverageData
from tests.mutants import recorded
from tests.mutants.__main__ import FIRST, Drawn
from tests.mutants.operators import mutants
from tests.mutants.recorded import (
    LOOK_AT_ALL,
    PACKAGE,
    ROOT,
    Recorded,
    Recording,
    lines_before,
    reached,
    uses,
)

MODULE = PACKAGE / "seeds.py"
NAME = str(MODULE.relative_to(ROOT))


def of(lines: dict[str, list[int]], seconds: dict[str, float], digest: str | None = None) -> Recorded:
    """A recording of the module: the lines and the seconds of some tests."""
    found = Recorded()
    bits = {test: sum(1 << line for line in on) for test, on in lines.items()}
    files = {test.split("::")[0]: "" for test in seconds}
    digest = digest or recorded._digest(MODULE)
    found.add(
        Recording(files, {NAME: digest}, seconds, {NAME: bits, "src/other.py": {"a::wide": 1022}}), set(files)
    )
    return found


def inner() -> tuple[int, list[int]]:
    """A line that runs when a function is called, and those that do not belong to it."""
    line = next(each.first for each in mutants(MODULE.read_bytes()) if each.inside)
    return line, [1000, 1001]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of its own for recordings."""
    (tmp_path / "sources").mkdir()
    monkeypatch.setattr(recorded, "kept", lambda: tmp_path)
    return tmp_path


def test_tests_that_run_the_line_come_first_then_the_most_specific_for_their_time() -> None:
    line, others = inner()
    mutant = next(each for each in mutants(MODULE.read_bytes()) if each.first == line)
    lines = {
        "a::slow": [line],
        "a::wide": [line],
        "a::quick": [line],
        "a::beside": others,
        "a::test_seeds": [line],
    }
    seconds = {"a::slow": 9.0, "a::wide": 1.0, "a::quick": 1.0, "a::beside": 0.1, "a::test_seeds": 20.0}
    found = of(lines, seconds)
    order = ["a::test_seeds", "a::quick", "a::slow", "a::wide", "a::beside"]
    assert found.tests(MODULE, mutant, 100.0) == order
    assert found.tests(MODULE, mutant, 21.5) == ["a::test_seeds", "a::quick", "a::beside"]
    assert found.tests(MODULE, mutant, 1.0) == ["a::test_seeds"]


def test_what_a_module_declares_when_it_is_imported_is_looked_at_by_tests_of_all_modules() -> None:
    declared = next(each for each in mutants(MODULE.read_bytes()) if not each.inside)
    found = of({"a::one": [5]}, {"a::one": 1.0})
    assert found.tests(MODULE, declared, 100.0) == [*LOOK_AT_ALL, "a::one"]
    for each in LOOK_AT_ALL:
        assert each in found.seconds
        file, _, test = each.partition("::")
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8")


def test_a_constant_is_run_where_it_is_used() -> None:
    module = PACKAGE / "manifest.py"
    text = module.read_text(encoding="utf-8").splitlines()
    line = next(place for place, each in enumerate(text, start=1) if each.startswith("SIGNATURE_NAME"))
    mutant = next(each for each in mutants(module.read_bytes()) if each.first == line)
    elsewhere = {place: lines for place, lines in uses(module, line).items() if "manifest" not in place}
    other, lines = next(iter(elsewhere.items()))
    assert all("SIGNATURE_NAME" in (ROOT / other).read_text().splitlines()[each - 1] for each in lines)
    seconds = {"a::wide": 1.0, "a::user": 50.0}
    bits = {
        other: {"a::user": 1 << lines[-1], "a::wide": 2},
        str(module.relative_to(ROOT)): {"a::wide": 1 << line},
    }
    modules = {name: recorded._digest(ROOT / name) for name in bits}
    found = Recorded()
    found.add(Recording({"a": ""}, modules, seconds, bits), {"a"})
    assert found.tests(module, mutant, 60.0) == [*LOOK_AT_ALL, "a::user", "a::wide"]
    assert uses(PACKAGE / "seeds.py", 1) == {}


def test_a_recording_read_again_is_the_same_and_a_damaged_one_is_removed(folder: Path) -> None:
    recording = Recording({"a": "1"}, {NAME: "2"}, {"a::t": 0.5}, {NAME: {"a::t": 1 << 300}})
    recording.save(folder)
    [place] = folder.glob("*.json")
    assert Recording.read(place) == recording
    assert recorded._latest({"a": "1"}) == [(recording, {"a"})]
    assert recorded._latest({"a": "another"}) == []
    place.write_bytes(place.read_bytes()[:-9])
    assert recorded._latest({"a": "1"}) == []
    assert not place.exists()


def test_lines_of_processes_are_put_together_and_those_of_tests_counted_where_damaged(tmp_path: Path) -> None:
    names = ["lines.tests.1", "lines.2", "lines.tests.3", "lines.4"]
    for name, line in zip(names, (3, 5, 7, 9), strict=True):
        data = CoverageData(basename=str(tmp_path / name))
        data.set_context("a::t")
        data.add_lines({str(MODULE): [line]})
        data.write()
        data.close()
    for name in names[2:]:
        whole = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(b"no database" + whole[11:])
    assert reached(tmp_path.glob("lines.*")) == ({NAME: {"a::t": 2**3 + 2**5}}, 1)


def test_a_line_keeps_its_tests_where_lines_before_it_changed(folder: Path) -> None:
    now = MODULE.read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "sources" / "old").write_text("".join([now[0], *now[2:]]), encoding="utf-8")
    before = lines_before(MODULE, "old")
    assert before == {1: 1} | {line: line - 1 for line in range(3, len(now) + 1)}
    assert lines_before(MODULE, "never kept") == {}


def test_the_first_tests_are_run_alone_and_all_are_run() -> None:
    mutant = mutants(MODULE.read_bytes())[0]
    tests = {"a": FIRST / 2, "b": FIRST / 2, "c": 0.1}
    assert Drawn(MODULE, mutant, tests).stages() == [{"a": FIRST / 2, "b": FIRST / 2}, {"c": 0.1}]
    assert Drawn(MODULE, mutant, {"a": 2 * FIRST}).stages() == [{"a": 2 * FIRST}]
