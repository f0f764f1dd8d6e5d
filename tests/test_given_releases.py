"""Attacks and losses on a release, or on a frame, in place of a masked table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import discreet as dc
from discreet import registry
from discreet.errors import BadTable

SIZE = 80


@pytest.fixture(scope="module")
def table() -> dc.Table:
    rng = np.random.default_rng(8)
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 90, SIZE),
            "income": rng.normal(2000, 300, SIZE).round(),
            "region": [f"r{place % 5}" for place in range(SIZE)],
            "illness": [f"i{place % 3}" for place in range(SIZE)],
        }
    )
    return dc.Table.of(frame, roles={"illness": "confidential"}, rest="quasi-identifier")


@pytest.fixture(scope="module")
def release(table: dc.Table) -> dc.Release:
    """Shuffled, and with records left out, so that only the truth says whose a record is."""
    steps: list[tuple[str, dict[str, Any]]] = [
        ("sample", {"fraction": 0.7}),
        ("microaggregate", {"columns": ["age", "income"], "k": 3}),
    ]
    return dc.protect(table, dc.Plan.of(steps), seed=2)


@pytest.mark.parametrize("name", ["link", "interval_disclosure", "transparency"])
def test_an_attack_on_a_release_finds_what_an_assessment_reports(
    table: dc.Table, release: dc.Release, name: str
) -> None:
    wanted = dc.assess(table, release, attacks=[name], losses=[]).risk(name)
    found = registry.find("attack", name).function(table, release)
    assert wanted is not None
    assert found.to_dict() == wanted.to_dict()


@pytest.mark.parametrize("name", ["lost", "il", "sse"])
def test_a_loss_of_a_release_is_what_an_assessment_reports(
    table: dc.Table, release: dc.Release, name: str
) -> None:
    wanted = dc.assess(table, release, attacks=["link"], losses=[name]).loss(name)
    assert wanted is not None
    assert registry.find("loss", name).function(table, release).to_dict() == wanted.to_dict()


def test_an_attack_on_the_published_table_alone_takes_a_release(release: dc.Release) -> None:
    attack = registry.find("attack", "k_anonymity").function
    assert attack(release).level == attack(release.table).level


@pytest.mark.parametrize("kind", ["polars", "pandas"])
def test_a_frame_is_described_like_the_original(table: dc.Table, kind: str) -> None:
    masked = dc.mask.microaggregate(table, columns=["age", "income"], k=3).table
    frame = masked.frame if kind == "polars" else masked.frame.to_pandas()
    found = registry.find("attack", "link").function(table, frame)
    assert found.to_dict() == dc.attack.link(table, masked).to_dict()


def test_what_is_no_table_is_refused(table: dc.Table) -> None:
    with pytest.raises(BadTable, match="a Table, a Release or a frame"):
        registry.find("attack", "link").function(table, 3)
    with pytest.raises(BadTable, match="must be a Table"):
        registry.find("attack", "k_anonymity").function(pd.DataFrame({"a": [1]}))
