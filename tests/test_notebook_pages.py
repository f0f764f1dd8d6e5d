"""The notebooks under docs/ run from the first cell to the last, and what they show can be seen without a network."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def code_cells(path: Path) -> list[dict[str, Any]]:
    return [each for each in json.loads(path.read_text())["cells"] if each["cell_type"] == "code"]


def run(source: str, place: str, names: dict[str, Any]) -> Any:
    """The value of the last line of a cell, where it is an expression that a notebook shows."""
    tree = ast.parse(source)
    last = tree.body[-1]
    shows = isinstance(last, ast.Expr) and not source.rstrip().endswith(";")
    if shows:
        tree.body.pop()
    exec(compile(tree, place, "exec"), names)
    return eval(compile(ast.Expression(last.value), place, "eval"), names) if shows else None  # type: ignore[attr-defined]


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=shown)
def test_a_notebook_is_kept_without_what_it_showed(path: Path) -> None:
    notebook = json.loads(path.read_text())
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    identities = [each["id"] for each in notebook["cells"]]
    assert len(set(identities)) == len(identities)
    for cell in code_cells(path):
        assert cell["outputs"] == []
        assert cell["execution_count"] is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=shown)
def test_a_notebook_runs_and_shows_its_charts(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import altair as alt

    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    charts = 0
    with alt.renderers.enable():
        for cell in code_cells(path):
            value = run("".join(cell["source"]), f"{path.name} {cell['id']}", names)
            tags = cell["metadata"].get("tags", [])
            if "html" in tags:
                assert value._repr_html_().startswith("<")
            if "chart" in tags:
                charts += 1
                drawn = value._repr_mimebundle_(None, None)
                assert drawn["image/svg+xml"].startswith("<svg")
                assert "<script" not in drawn["image/svg+xml"]
    assert charts > 0
