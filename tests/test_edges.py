"""What is asked for at the edge of what can be done is done, and one step beyond it is refused by name."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import polars as pl
import pytest

import discreet as dc
from discreet.attack.learning.learn import learn
from discreet.attack.learning.standard import check_aligned
from discreet.errors import DiscreetError
from discreet.intruder import Intruder
from discreet.mask.hierarchies import hierarchies_of
from discreet.ontology.columns import Interpretation
from discreet.reading.limits import check_growth, most_bytes
from discreet.table import Table

NUMBERS = [1.0, 2.0, 4.0, 7.0, 11.0, 16.0]


def table(**columns: Any) -> Table:
    return Table.of(pl.DataFrame(columns), roles={}, rest="quasi-identifier")


X = table(x=NUMBERS, y=[3.0, 1.0, 4.0, 1.0, 5.0, 9.0], c=list("aabbcc"))
THREE = table(x=[1.0, 2.0, 4.0], y=[1.0, 3.0, 2.0], z=[5.0, 1.0, 2.0])
TWO = THREE.take(np.arange(2))
LEVELS = Table.of(
    pl.DataFrame({"o": ["low", "mid", "high"] * 2}),
    roles={},
    rest="quasi-identifier",
    orders={"o": ["low", "mid", "high"]},
)
RELEASE = dc.protect(X, dc.Plan.of([("round", {"columns": ["x"], "base": 2})]), seed=1)
DAYS = table(d=pl.Series([10_000, 10_010, 10_020]).cast(pl.Date))
SIZE = math.prod(len(each.levels()) for each in hierarchies_of(X, ["c", "x"], Interpretation()))
"""How many combinations of levels the columns have."""
POINTS = np.column_stack([NUMBERS, NUMBERS[::-1]])
Do = Callable[[], object]
CHOQUET = partial(learn, POINTS, POINTS, distance="choquet", seconds=60.0, seed=0)
EDGES: dict[str, tuple[list[Do], list[Do], str]] = {
    "the weight of the loss": (
        [partial(dc.assess, X, RELEASE, attacks=["link"], losses=["il1"], alpha=a) for a in (0, 1)],
        [partial(dc.assess, X, RELEASE, attacks=["link"], losses=["il1"], alpha=a) for a in (-0.01, 1.01)],
        "alpha, the weight of the loss, must be from 0 to 1",
    ),
    "a ceiling": (
        [partial(dc.assess, X, RELEASE, attacks=[], losses=[], ceilings={"link": b}) for b in (0, 1)],
        [partial(dc.assess, X, RELEASE, attacks=[], losses=[], ceilings={"link": b}) for b in (-0.01, 1.01)],
        "the ceiling of link must be from 0 to 1",
    ),
    "levels that are joined": (
        [lambda: dc.mask.top_code(LEVELS, categories=2), lambda: dc.mask.bottom_code(LEVELS, categories=2)],
        [lambda: dc.mask.top_code(LEVELS, categories=3), lambda: dc.mask.bottom_code(LEVELS, categories=3)],
        "has 3 levels; at most 2 of them can be joined",
    ),
    "ranks to swap over": (
        [lambda: dc.mask.rank_swap(X, columns=["x"], p=100 / 6 + 1e-9, seed=1)],
        [lambda: dc.mask.rank_swap(X, columns=["x"], p=100 / 6 - 0.01, seed=1)],
        "is less than one rank",
    ),
    "records for k": (
        [
            lambda: dc.mask.mondrian(X, columns=["x"], k=6),
            lambda: dc.mask.microaggregate(X, columns=["x"], k=6),
        ],
        [
            lambda: dc.mask.mondrian(X, columns=["x"], k=7),
            lambda: dc.mask.microaggregate(X, columns=["x"], k=7),
        ],
        "7",
    ),
    "values for a spread": (
        [lambda: dc.mask.add_noise(table(x=[1.0, 2.0, None]), seed=1)],
        [lambda: dc.mask.add_noise(table(x=[1.0, None, None]), seed=1)],
        "fewer than two values",
    ),
    "complete records for a covariance": (
        [
            lambda: dc.mask.add_noise(
                table(x=[1.0, 2.0, None], y=[1.0, 2.0, 3.0]), variant="correlated", seed=1
            )
        ],
        [
            lambda: dc.mask.add_noise(
                table(x=[1.0, 2.0, None], y=[None, 2.0, 3.0]), variant="correlated", seed=1
            )
        ],
        "fewer than two complete records",
    ),
    "records of massc": (
        [lambda: dc.mask.massc(X.take(np.arange(2)), columns=["c"], subsampling=[0.2], seed=1)],
        [lambda: dc.mask.massc(X.take(np.arange(1)), columns=["c"], subsampling=[0.2], seed=1)],
        "the table has 1 records",
    ),
    "columns that vary": (
        [
            lambda: dc.loss.eigenvalues(X, X, columns=["x", "y"]),
            lambda: dc.loss.il5(X, X, columns=["x", "y"]),
        ],
        [lambda: dc.loss.eigenvalues(X, X, columns=["x"]), lambda: dc.loss.il5(X, X, columns=["x"])],
        "(fewer than|at least) two (numeric )?columns",
    ),
    "records that an intruder knows": (
        [lambda: dc.assess(X, RELEASE, attacks=["link"], losses=[], intruder=Intruder(records=6))],
        [lambda: dc.assess(X, RELEASE, attacks=["link"], losses=[], intruder=Intruder(records=7))],
        "7 records are to be known, and the original has 6",
    ),
    "truth": (
        [lambda: dc.attack.link(X, X.take(np.arange(2)), truth=np.array([-1, 5]))],
        [
            lambda: dc.attack.link(X, X.take(np.arange(2)), truth=np.array([-2, 5])),
            lambda: dc.attack.link(X, X.take(np.arange(2)), truth=np.array([-1, 6])),
        ],
        "truth must hold",
    ),
    "additivity": (
        [partial(CHOQUET, additivity=each) for each in (1, 2)],
        [partial(CHOQUET, additivity=each) for each in (0, 3)],
        "additivity must be from 1 to the number of columns, 2",
    ),
    "rows of learned linkage": (
        [
            lambda: check_aligned(POINTS[:1], POINTS[:2]),
            lambda: check_aligned(POINTS[:2, :1], POINTS[:2, :1]),
        ],
        [
            lambda: check_aligned(POINTS[:1], POINTS[:1]),
            lambda: check_aligned(POINTS[:2, :0], POINTS[:2, :0]),
        ],
        "at least one record, two masked records and one column",
    ),
    "more originals than masked rows": (
        [lambda: check_aligned(POINTS[:3], POINTS[:3])],
        [lambda: check_aligned(POINTS[:4], POINTS[:3])],
        "a masked row for every original one",
    ),
    "clusters of a coalition": (
        [partial(dc.attack.coalition, [X, X], column="c", clusters=n) for n in (1, 3)],
        [partial(dc.attack.coalition, [X, X], column="c", clusters=n) for n in (0, 4)],
        "clusters must be from 1 to 3",
    ),
    "widths of days": (
        [lambda: dc.mask.camouflage(DAYS, columns=["d"], width=4, steps=4, seed=1)],
        [
            lambda: dc.mask.camouflage(DAYS, columns=["d"], width=3, steps=4, seed=1),
            lambda: dc.mask.camouflage(DAYS, columns=["d"], width=4.5, steps=4, seed=1),
        ],
        "need a width of whole days, of at least 4 days for steps=4",
    ),
    "pairs for a covariance of errors": (
        [
            lambda: dc.attack.link(
                X, X, keys=["x", "y"], distance="mahalanobis", truth=np.array([0, 1, 2, -1, -1, -1])
            )
        ],
        [
            lambda: dc.attack.link(
                X, X, keys=["x", "y"], distance="mahalanobis", truth=np.array([0, 1, -1, -1, -1, -1])
            )
        ],
        "needs more known pairs than columns; got 2 pairs and 2 columns",
    ),
    "records for a regression": (
        [lambda: dc.loss.regression(THREE, THREE, targets=["y"], columns=["x"])],
        [
            lambda: dc.loss.regression(TWO, TWO, targets=["y"], columns=["x"]),
            lambda: dc.loss.regression(THREE, THREE, targets=["y"], columns=["x", "z"]),
        ],
        "no target has a coefficient that can be estimated",
    ),
    "memory": (
        [
            lambda: check_growth("f", 10, most_bytes()),
            lambda: check_growth("f", most_bytes() // 100 + 1, most_bytes() + 50),
        ],
        [lambda: check_growth("f", 10, most_bytes() + 1)],
        "as no table of people does",
    ),
}


@pytest.mark.parametrize("name", EDGES)
def test_at_the_edge_it_is_done_and_beyond_it_is_refused(name: str) -> None:
    possible, impossible, message = EDGES[name]
    for ask in possible:
        ask()
    for ask in impossible:
        with pytest.raises(DiscreetError, match=message):
            ask()


GENERAL = partial(dc.mask.generalise, X, columns=["c", "x"], k=2)
LIMITS: list[tuple[str, str, int, Do, str]] = [
    ("mask.generalise", "MOST_COMBINATIONS", SIZE, GENERAL, "2 columns have .* combinations of levels"),
    (
        "mask.generalise_locally",
        "MOST_COMBINATIONS",
        3,
        partial(dc.mask.generalise_locally, X, columns=["c"], k=2),
        "3 distinct combinations",
    ),
    (
        "loss.contingency",
        "MOST_TABLES",
        1,
        partial(dc.loss.contingency, X, X, columns=["c"]),
        "have 1 tables",
    ),
    (
        "attack.fusion.categories",
        "MOST_TUPLES",
        3,
        partial(dc.attack.coalition, [X, X], column="c", by="clusters"),
        "say 3 different things",
    ),
    ("attack.suda", "MOST_COLUMNS", 2, partial(dc.attack.suda, X, keys=["c", "x"]), "at most 1"),
]


@pytest.mark.parametrize(
    ("module", "limit", "size", "ask", "message"), LIMITS, ids=[each[0] for each in LIMITS]
)
def test_a_limit_of_work_is_reached_and_not_exceeded(
    monkeypatch: pytest.MonkeyPatch, module: str, limit: str, size: int, ask: Do, message: str
) -> None:
    place = import_module(f"discreet.{module}")
    monkeypatch.setattr(place, limit, size)
    ask()
    monkeypatch.setattr(place, limit, size - 1)
    with pytest.raises(DiscreetError, match=message):
        ask()
