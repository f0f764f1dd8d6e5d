"""An error that an attack raises begins with its name, so that it is known which of many could not be computed."""

from __future__ import annotations

import numpy as np
import pytest
from tests.conformance.test_attacks import as_it_is, run

from discreet.demo import table as census
from discreet.errors import NotComputable
from discreet.registry import Method, methods
from discreet.table import Table

TOGETHER = ("learned", "learned_from_pairs")
"""Attacks that are computed by one room, which speaks for both."""
ATTACKS = [pytest.param(each, id=each.name) for each in methods("attack") if each.name not in TOGETHER]


@pytest.mark.parametrize("method", ATTACKS)
def test_an_error_about_an_odd_table_begins_with_the_name(method: Method, odd_table: Table) -> None:
    said = f"{method.name}: an answer"
    try:
        run(method, odd_table, as_it_is(odd_table))
    except NotComputable as problem:
        said = str(problem)
    assert said.startswith(f"{method.name}: ")


@pytest.mark.parametrize("method", ATTACKS)
def test_an_error_about_records_of_nobody_begins_with_the_name(method: Method) -> None:
    people = census(60, seed=3)
    if "truth" in method.extras:
        with pytest.raises(NotComputable, match=rf"^{method.name}: "):
            run(method, people, as_it_is(people), None, truth=np.full(len(people), -1))
