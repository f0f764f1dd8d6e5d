"""Imports point one way: kernels, nouns, ontology, methods, searching and reporting, command line and web."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import discreet

ROOT = Path(discreet.__file__).parent
ROOMS = {
    "_kernels": 0,
    "assessment": 1,
    "dialect": 1,
    "guarantees": 1,
    "parameters": 1,
    "project": 1,
    "reading": 1,
    "table": 1,
    "writing": 1,
    "demo": 2,
    "ontology": 2,
    "comparing": 2,
    "mask": 3,
    "hierarchies": 3,
    "attack": 3,
    "loss": 3,
    "text": 3,
    "engine": 4,
    "searching": 4,
    "inspection": 4,
    "reporting": 4,
    "cli": 5,
    "web": 5,
    "__main__": 5,
}
NOUNS = 1
APART = ("mask", "attack", "loss", "text")
"""Rooms on one floor that know nothing of each other, so that no mask can be fitted to its own attack."""


def room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ROOMS else ""


def floor(module: str) -> int:
    return ROOMS.get(room(module), NOUNS)


def imports(path: Path) -> set[str]:
    return imports_of(ast.parse(path.read_text()))


def imports_of(tree: ast.Module) -> set[str]:
    return {name for name in all_imports_of(tree) if name.split(".")[0] == "discreet" and name != "discreet"}


def all_imports_of(tree: ast.Module) -> set[str]:
    """What a module imports, from discreet or elsewhere; names taken from a module with the module before them."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


FILES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    own = ".".join(("discreet", *path.relative_to(ROOT).with_suffix("").parts))
    for name in imports(path):
        assert floor(name) <= floor(own), f"{own} imports {name}"
        if room(own) in APART and room(name) in APART:
            assert room(own) == room(name), f"{own} imports {name}"


def test_every_room_has_a_floor() -> None:
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= set(ROOMS)


def test_kernels_know_nothing_of_the_domain() -> None:
    for path in (ROOT / "_kernels").rglob("*.py"):
        assert {name for name in imports(path) if not name.startswith("discreet._kernels")} == set()


def test_no_room_or_noun_imports_itself_through_others() -> None:
    """Imports inside functions count; those that only a type checker follows do not."""
    needs: dict[str, set[str]] = {}
    for path in FILES:
        own = path.relative_to(ROOT).with_suffix("").parts[0]
        needs.setdefault(own, set()).update(name.split(".")[1] for name in running_imports(path))
    for own, others in needs.items():
        others.discard(own)
    assert set(TopologicalSorter(needs).static_order()) >= set(needs)


def running_imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    return imports_of(tree)


COMPUTING = ("_kernels", "comparing", "mask", "attack", "loss")
LIBRARIES = {"numpy", "polars", "scipy", "sklearn", "numba"}
CELLS = {"frame", "numbers", "levels", "codes", "weights", "groups", "to_native"}
"""What a table gives of its cells."""


@pytest.mark.parametrize("path", sorted((ROOT / "reporting").rglob("*.py")), ids=lambda path: path.name)
def test_the_report_draws_and_computes_nothing(path: Path) -> None:
    """It takes counts, shares and sentences that are there already, runs no assessment and looks at no cell."""
    tree = ast.parse(path.read_text())
    needs = all_imports_of(tree)
    assert not {name for name in needs if room(name) in COMPUTING}
    assert not {name.split(".")[0] for name in needs} & LIBRARIES
    assert "discreet.assessment.assess" not in needs
    read = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not read & CELLS
