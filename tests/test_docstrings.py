"""The examples in docstrings give what they say they give."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

import discreet

ROOT = Path(discreet.__file__).parent
MODULES = [
    ".".join(place.relative_to(ROOT.parent).with_suffix("").parts)
    for place in sorted(ROOT.rglob("*.py"))
    if re.search(r">>> (?!.*doctest: \+SKIP)", place.read_text(encoding="utf-8"))
    and place.name != "__init__.py"
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_say(name: str) -> None:
    done = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert done.attempted > 0
    assert done.failed == 0
