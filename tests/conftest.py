"""What all tests share: the reference data, the worked examples, and property tests without a time limit."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# The first call of a kernel compiles it, so a time limit on single examples would fail at random.
settings.register_profile("discreet", deadline=None)
settings.load_profile("discreet")


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
