"""A plugin of pytest that runs the tests named in a file, in that order, without looking for smaller examples.

A test that keeps the processors busy for longer than its limit, or waits for four times as long, ends the process, in
compiled loops too.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, is_hypothesis_test, settings

_limits: dict[str, float] = json.loads(Path(os.environ["MUTANT_TESTS"]).read_text(encoding="utf-8"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the chosen tests, in their order; the first example that fails is enough."""
    places = {test: place for place, test in enumerate(_limits)}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in places])
    items[:] = sorted((item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid])
    functions = {item.function for item in items if isinstance(item, pytest.Function)}
    for function in filter(is_hypothesis_test, functions):
        usual = function._hypothesis_internal_use_settings
        quick = settings(usual, phases=(Phase.explicit, Phase.generate))
        function._hypothesis_internal_use_settings = quick


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Winds up two clocks: of processor seconds, so that other work on the machine does not count, and of seconds."""
    signal.setitimer(signal.ITIMER_PROF, _limits[item.nodeid])
    signal.setitimer(signal.ITIMER_REAL, float(os.environ["MUTANT_PATIENCE"]) * _limits[item.nodeid])
    return (yield)
