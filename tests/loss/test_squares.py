"""Sums of squares against their definition, and against each other for groups."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from discreet import loss
from discreet.errors import NotComputable
from discreet.table import Table

Maker = Callable[..., Table]


def test_within_and_between_groups_add_up_to_the_total(numeric: Maker) -> None:
    rng = np.random.default_rng(2)
    groups = rng.integers(0, 6, 50)
    true = rng.normal(size=(50, 2)) * [1.0, 300.0] + [5.0, -20.0]
    centres = np.array([true[groups == group].mean(axis=0) for group in groups])
    original = numeric(dict(zip("ab", true.T.tolist(), strict=True)))
    found = loss.sse(original, numeric(dict(zip("ab", centres.T.tolist(), strict=True))))
    parts = found.details
    assert parts["sse"] + parts["ssa"] == pytest.approx(parts["sst"])
    assert found.loss == pytest.approx(100 * parts["sse"] / parts["sst"])
    standard = (true - true.mean(axis=0)) / true.std(axis=0)
    moved = (centres - true.mean(axis=0)) / true.std(axis=0)
    assert parts["sse"] == pytest.approx(((standard - moved) ** 2).sum())
    assert parts["sst"] == pytest.approx((standard**2).sum())


def test_publishing_the_average_loses_all(numeric: Maker) -> None:
    original, masked = numeric({"a": [1.0, 2.0, 6.0]}), numeric({"a": [3.0, 3.0, 3.0]})
    assert loss.sse(original, masked).loss == pytest.approx(100)


def test_columns_without_spread_and_cells_suppressed_are_counted(numeric: Maker) -> None:
    original = numeric({"a": [1.0, 2.0, 6.0], "b": [7.0, 7.0, 7.0]})
    masked = numeric({"a": [1.0, 4.0, None], "b": [7.0, 7.0, 7.0]})
    found = loss.sse(original, masked)
    assert found.loss == pytest.approx(100 * 4 / 0.5)
    assert found.left_out == 2
    with pytest.raises(NotComputable, match="constant"):
        loss.sse(original, masked, columns=["b"])
