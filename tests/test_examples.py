"""The examples at the end of the reference pages, run on the census of the demo (those above are docstrings)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import discreet as dc
from discreet.demo import table as census
from discreet.registry import Family, methods
from discreet.release import Release
from discreet.results import Masked

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"
KINDS: tuple[Family, ...] = ("mask", "attack", "loss")


def cheap() -> Iterator[Any]:
    for kind in KINDS:
        for method in methods(kind):
            if method.cost == "cheap":
                yield pytest.param(kind, method.name, id=f"{kind}-{method.name}")


@pytest.fixture(scope="module")
def known() -> dict[str, Any]:
    """What the examples speak of: the census, and a release of it."""
    table = census(400, seed=5)
    release: Release = dc.protect(
        table, dc.Plan.of([("suppress", {"columns": ["sex", "education"], "k": 3})]), seed=6
    )
    return {"dc": dc, "table": table, "release": release}


@pytest.mark.parametrize(("kind", "name"), list(cheap()))
def test_the_example_of_the_page_runs(kind: str, name: str, known: dict[str, Any]) -> None:
    page = (REFERENCE / kind / f"{name}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page.split("## Example")[1], re.DOTALL)
    assert blocks
    names = dict(known)
    for block in blocks:
        exec(compile(block, f"{name}.md", "exec"), names)
    result = names["masked" if kind == "mask" else "found"]
    if kind == "mask":
        assert isinstance(result, Masked)
        assert not result.table.frame.equals(known["table"].frame, null_equal=True)
    else:
        assert str(result)
