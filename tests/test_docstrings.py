"""The examples in docstrings give what they say they give.

Those of methods speak of `table`, the census of the demo, and of `release`, a release of it.
"""

from __future__ import annotations

import doctest
import importlib
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import discreet as dc
from discreet.demo import table as census

ROOT = Path(dc.__file__).parent
MODULES = [
    ".".join(place.relative_to(ROOT.parent).with_suffix("").parts)
    for place in sorted(ROOT.rglob("*.py"))
    if re.search(r">>> (?!.*doctest: \+SKIP)", place.read_text(encoding="utf-8"))
    and place.name != "__init__.py"
]


@cache
def known() -> dict[str, Any]:
    """What the examples of methods speak of: the census, and a release of it."""
    table = census(400, seed=5)
    plan = dc.Plan.of([("suppress", {"columns": ["sex", "education"], "k": 3})])
    return {"dc": dc, "table": table, "release": dc.protect(table, plan, seed=6)}


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_say(name: str) -> None:
    module = importlib.import_module(name)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    speaks_of = known() if name.split(".")[1] in ("mask", "attack", "loss", "hierarchies") else {}
    done = doctest.testmod(module, extraglobs=speaks_of, optionflags=flags)
    assert done.attempted > 0
    assert done.failed == 0
