"""A plugin of pytest that runs the tests named in a file, in that order, without looking for smaller examples."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import Phase, is_hypothesis_test, settings


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the chosen tests, in their order; the first example that fails is enough."""
    chosen = Path(os.environ["MUTANT_TESTS"]).read_text(encoding="utf-8").splitlines()
    places = {test: place for place, test in enumerate(chosen)}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in places])
    items[:] = sorted((item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid])
    functions = {item.function for item in items if isinstance(item, pytest.Function)}
    for function in filter(is_hypothesis_test, functions):
        usual = function._hypothesis_internal_use_settings
        quick = settings(usual, phases=(Phase.explicit, Phase.generate))
        function._hypothesis_internal_use_settings = quick
