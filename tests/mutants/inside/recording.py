"""A plugin of pytest that records which lines of the package each test runs, and how long the test takes."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import coverage
import pytest
from hypothesis import HealthCheck, Phase, is_hypothesis_test, settings

EXAMPLES = 3
"""Examples of a property test while lines are recorded: most lines that it reaches at all it reaches early."""

BEGAN = pytest.StashKey[tuple[float, float]]()
_recorder: coverage.Coverage | None = None
_tests: dict[str, float] = {}
_failed: set[str] = set()


def pytest_configure(config: pytest.Config) -> None:
    """Starts to record in the processes that run tests."""
    global _recorder
    if hasattr(config, "workerinput"):
        _recorder = coverage.Coverage(
            data_file=f"{os.environ['RECORD_DATA']}.tests",
            data_suffix=True,
            config_file=False,
            source=[os.environ["RECORD_SOURCE"]],
        )
        _recorder.start()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Gives property tests few examples, and notes by how much their time falls short."""
    functions = {item.function for item in items if isinstance(item, pytest.Function)}
    for function in filter(is_hypothesis_test, functions):
        usual = function._hypothesis_internal_use_settings
        function.usual_examples = usual.max_examples
        function._hypothesis_internal_use_settings = settings(
            usual,
            max_examples=min(EXAMPLES, usual.max_examples),
            phases=(Phase.explicit, Phase.generate),
            suppress_health_check=list(HealthCheck),
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Counts the lines for the test that is being run, in the processes that it starts too."""
    if _recorder is not None:
        _recorder.switch_context(item.nodeid)
        os.environ["RECORD_TEST"] = item.nodeid
        usual = getattr(getattr(item, "function", None), "usual_examples", EXAMPLES)
        item.stash[BEGAN] = _busy(), max(1.0, usual / EXAMPLES)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tells the time that the processors worked on the test, as all its examples would take it."""
    report = yield
    if BEGAN in item.stash:
        began, times = item.stash[BEGAN]
        report.user_properties.append(("busy", (_busy() - began) * times))
    return report


def _busy() -> float:
    """Processor seconds of this process and of those it started: other work on the machine does not count."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Notes the time of a test up to its last phase."""
    _tests[report.nodeid] = max((float(str(time)) for _, time in report.user_properties), default=0.0)
    if report.outcome != "passed":
        _failed.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Saves the lines (in a worker) or the times (where all reports arrive)."""
    os.environ.pop("RECORD_TEST", None)
    if _recorder is not None:
        _recorder.stop()
        _recorder.save()
    elif not hasattr(session.config, "workerinput"):
        passed = {test: time for test, time in _tests.items() if test not in _failed}
        Path(os.environ["RECORD_TIMES"]).write_text(json.dumps(passed), encoding="utf-8")
