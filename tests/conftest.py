"""What all tests share: the reference data, the worked examples, and how property tests draw their examples.

`make test` draws the same examples every time, `make fuzz` others each time and many more of them.
"""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from discreet import seeds

FUZZ = "fuzz"
TIMES = int(os.environ.get("DISCREET_FUZZ_TIMES", "20"))
"""How many times the usual number of examples a property test gets under the profile `fuzz`."""

# The first call of a kernel compiles it, so a time limit on single examples would fail at random.
settings.register_profile("discreet", deadline=None, derandomize=True, database=None)
settings.register_profile(
    FUZZ,
    deadline=None,
    derandomize=False,
    database=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("discreet")


STOPS = {
    number: signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
}
"""What answers a request to stop, wherever the tests run: a shell that runs them in the background ignores Ctrl-C."""


@pytest.fixture(autouse=True)
def stops_are_answered() -> Iterator[None]:
    """A command that has ended in this process ignores requests to stop, and so would all processes it starts."""
    _answer_stops()
    yield
    _answer_stops()


def _answer_stops() -> None:
    for number, answer in STOPS.items():
        signal.signal(number, answer)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Multiplies the examples of every property test under the profile `fuzz`, its own number of them too.

    A profile does not reach the `max_examples` that a test sets for itself. Hypothesis keeps settings on the test
    function, where its own plugin for pytest changes them too.
    """
    if config.getoption("--hypothesis-profile") != FUZZ:
        return
    functions = {item.function for item in items if isinstance(item, pytest.Function)}
    for function in filter(is_hypothesis_test, functions):
        usual = function._hypothesis_internal_use_settings
        more = settings(usual, max_examples=TIMES * usual.max_examples)
        function._hypothesis_internal_use_settings = more


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says loudly how many tests were left out because there is no browser here."""
    skipped = [
        each for each in terminalreporter.stats.get("skipped", []) if "no Chromium" in str(each.longrepr)
    ]
    if skipped:
        terminalreporter.write_sep("!", f"{len(skipped)} browser tests did not run", red=True, bold=True)
        terminalreporter.write_line(
            "There is no Chromium on this machine. `make browser` installs it where it can."
        )


@pytest.fixture(scope="session", autouse=True)
def operating_system_draw(pytestconfig: pytest.Config) -> Iterator[Callable[[], int]]:
    """How a secret seed is really drawn. All tests but those of the drawing itself get one seed, the same in each run.

    Under `make fuzz` it follows from the seed of the run.
    """
    really = seeds.draw
    told = pytestconfig.getoption("--hypothesis-seed")
    secret = random.Random(f"the seed of run {told}").getrandbits(seeds.BITS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seeds, "draw", lambda: secret)
        yield really


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder of public data files; tests that need it are skipped where it is absent."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("DISCREET_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"reference data not found: expected {folder}")
    return folder


@pytest.fixture(scope="session")
def oracle() -> dict[str, Any]:
    """The worked examples of the semantic operators."""
    place = Path(__file__).resolve().parent / "oracle" / "semantics.json"
    read: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
    return read
