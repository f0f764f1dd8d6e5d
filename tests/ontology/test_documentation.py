"""The pages about ontologies: their examples run, and they name what there is."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from discreet.ontology import DISTANCES, FORMATS

DOCS = Path(__file__).resolve().parents[2] / "docs"
HOWTO = DOCS / "howto" / "map-categories-to-an-ontology.md"


def test_the_examples_of_the_page_run(
    tmp_path: Path, cache_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(HOWTO), module_relative=False, encoding="utf-8")
    assert (failed, tried > 5) == (0, True)


def test_every_format_is_on_the_page() -> None:
    page = HOWTO.read_text(encoding="utf-8")
    assert [name for name in FORMATS if f"`{name}`" not in page] == []


def test_every_distance_is_explained() -> None:
    page = (DOCS / "explanation" / "ontologies.md").read_text(encoding="utf-8")
    assert [name for name in DISTANCES if page.count(f"| `{name}`") < 2] == []
