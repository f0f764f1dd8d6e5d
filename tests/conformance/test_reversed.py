"""Published in reverse, where nobody stands at the own place, a file is as risky and as lossy as in order."""

from __future__ import annotations

import numpy as np
import pytest
from tests.conformance.conftest import near, told
from tests.conformance.test_losses import run

from discreet.demo import table as census
from discreet.errors import NotComputable
from discreet.registry import Method, methods
from discreet.table import Table

PAIRED = [pytest.param(each, id=each.name) for each in methods("loss") if "truth" in each.extras]


@pytest.fixture(scope="module")
def masked(people: Table) -> Table:
    """Everybody with the values of the one before."""
    moved = people.take(np.roll(np.arange(len(people)), 1))
    return people.with_values({name: moved.frame[name] for name in people.keys})


@pytest.fixture(scope="module")
def people() -> Table:
    return census(120, seed=3)


@pytest.mark.parametrize("method", PAIRED)
def test_a_file_in_reverse_loses_as_much(method: Method, people: Table, masked: Table) -> None:
    backwards = np.arange(len(people))[::-1]
    assert (backwards != np.arange(len(people))).all()
    try:
        expected = near(told(run(method, people, masked)))
    except NotComputable:
        pytest.skip(f"{method.name} has no answer here")
    assert told(run(method, people, masked.take(backwards), truth=backwards)) == expected
    assert told(run(method, people.take(backwards), masked, truth=backwards)) == expected
