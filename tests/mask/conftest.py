"""A small file of complaints and treatments, with the hierarchies of the worked examples."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from discreet.ontology import Ontology, of_edges
from discreet.table import Table


@pytest.fixture(scope="session")
def ontologies(oracle: dict[str, Any]) -> dict[str, Ontology]:
    """The ontology of each column of the patients."""
    return {
        name: of_edges([tuple(edge) for edge in oracle[name]["edges"]], name=name)
        for name in ("disease", "treatment")
    }


@pytest.fixture(scope="session")
def patients(oracle: dict[str, Any]) -> Table:
    """The eleven records of the worked example with two attributes."""
    rows = [(one, other) for one, other, times in oracle["two_attributes"]["records"] for _ in range(times)]
    frame = pl.DataFrame(rows, schema=["disease", "treatment"], orient="row")
    return Table.of(frame, roles={}, rest="quasi-identifier")
