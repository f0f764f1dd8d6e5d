"""Small tables of any content: every loss is a number or a named error, and zero on identical tables."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.small_ontologies import ANIMALS

from discreet.errors import BadTable, NotComputable
from discreet.registry import Method, methods
from discreet.table import Table

WORDS = ["dog", "cat", "eagle", "mammal"]
KINDS = ("real", "huge", "tiny", "shifted", "constant", "whole", "date", "flag", "word", "ordered")

USUAL = ["real", "real", "whole", "word", "ordered"]
"""Columns that most measures have an answer for."""


def column(rng: np.random.Generator, kind: str, count: int) -> pl.Series:
    numbers = rng.normal(size=count)
    made = {
        "real": lambda: pl.Series(numbers),
        "huge": lambda: pl.Series(numbers * 1e200),
        "tiny": lambda: pl.Series(numbers * 1e-200),
        "shifted": lambda: pl.Series(numbers + 1e12),
        "constant": lambda: pl.Series(np.full(count, 0.1)),
        "whole": lambda: pl.Series(rng.integers(-3, 4, count)),
        "date": lambda: pl.Series(rng.integers(0, 20_000, count).astype(np.int32)).cast(pl.Date),
        "flag": lambda: pl.Series(numbers > 0),
    }
    words = pl.Series(rng.choice(WORDS, count).tolist(), dtype=pl.String)
    values = made[kind]() if kind in made else words
    absent = rng.random(count) < rng.choice([0.0, 0.2, 1.0], p=[0.6, 0.3, 0.1])
    return values.set(pl.Series(absent, dtype=pl.Boolean), None)


def table(rng: np.random.Generator, kinds: list[str], count: int) -> Table:
    values = {f"c{place}": column(rng, kind, count) for place, kind in enumerate(kinds)}
    values["t"] = column(rng, "word", count)
    roles = {"t": "confidential"}
    if rng.random() < 0.4:
        values["w"], roles["w"] = pl.Series(rng.integers(0, 4, count).astype(float)), "weight"
    orders = {f"c{place}": WORDS for place, kind in enumerate(kinds) if kind == "ordered"}
    return Table.of(pl.DataFrame(values), roles=roles, orders=orders, rest="quasi-identifier")


METHODS = [pytest.param(each, id=each.name) for each in methods("loss")]


def answers(method: Method, seed: int) -> bool:
    """Whether the loss of some tables is a number, and then one that can be; otherwise it is a named error."""
    rng = np.random.default_rng(seed)
    usual = rng.random() < 0.6
    kinds = USUAL if usual else rng.choice(KINDS, rng.integers(1, 5)).tolist()
    changed = [str(rng.choice(KINDS)) if not usual and rng.random() < 0.2 else kind for kind in kinds]
    counts = [40] if usual else [1, 2, 5, 40]
    original = table(rng, kinds, int(rng.choice(counts)))
    masked = original if rng.random() < 0.2 else table(rng, changed, int(rng.choice(counts)))
    given: dict[str, Any] = {}
    if "truth" in method.extras and masked is not original:
        given["truth"] = rng.integers(-1, len(original), len(masked))
    if "ontology" in [each.name for each in method.parameters]:
        given |= {"columns": ["t"], "ontology": ANIMALS}
    try:
        found = method.function(original, masked, **given)
    except (NotComputable, BadTable):
        return False
    assert math.isfinite(found.loss)
    assert found.loss >= 0
    if masked is original:
        assert found.loss == pytest.approx(0, abs=1e-9)
    json.dumps(found.to_dict(), allow_nan=False)
    return True


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_a_loss_is_a_number_or_a_named_error(method: Method, seed: int) -> None:
    answers(method, seed)


@pytest.mark.parametrize("method", METHODS)
def test_a_loss_often_is_a_number(method: Method) -> None:
    assert sum(answers(method, seed) for seed in range(20)) >= 5
