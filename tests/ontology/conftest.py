"""Ontologies for the tests: the worked examples, and random ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from discreet.ontology import Ontology, of_edges

ORACLE = Path(__file__).resolve().parent.parent / "oracle" / "semantics.json"


@pytest.fixture(scope="session")
def oracle() -> dict[str, Any]:
    """The worked examples of the semantic operators."""
    read: dict[str, Any] = json.loads(ORACLE.read_text(encoding="utf-8"))
    return read


@pytest.fixture(scope="session")
def disease(oracle: dict[str, Any]) -> Ontology:
    return of_edges([tuple(edge) for edge in oracle["disease"]["edges"]], name="disease")


@pytest.fixture(scope="session")
def treatment(oracle: dict[str, Any]) -> Ontology:
    return of_edges([tuple(edge) for edge in oracle["treatment"]["edges"]], name="treatment")
