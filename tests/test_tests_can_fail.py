"""Every test can fail: it asserts, expects an error, or calls something that checks."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
FILES = sorted(TESTS.rglob("test_*.py"))
EXPECTS = ("pytest.raises", "pytest.warns", "pytest.fail")
CHECKS = ("check", "assert_", "refused")
"""How names of methods begin that raise where something is wrong."""


def calls(function: ast.AST) -> set[str]:
    return {ast.unparse(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}


def can_fail(function: ast.AST, helpers: frozenset[str] = frozenset()) -> bool:
    """Whether something in the function raises where what it states is false."""
    if any(isinstance(node, ast.Assert) for node in ast.walk(function)):
        return True
    called = calls(function)
    return any(
        name in EXPECTS or name in helpers or name.split(".")[-1].startswith(CHECKS) for name in called
    )


def helpers_of(tree: ast.Module) -> frozenset[str]:
    """The functions of a file, fixtures and imported ones of the tests too, that can fail."""
    known = {each.name for each in tree.body if isinstance(each, ast.FunctionDef) and can_fail(each)}
    for each in tree.body:
        if isinstance(each, ast.ImportFrom) and each.module is not None and each.module.startswith("tests."):
            place = TESTS.parent.joinpath(*each.module.split(".")).with_suffix(".py")
            if place.is_file():
                theirs = ast.parse(place.read_text(encoding="utf-8")).body
                known |= {
                    other.name for other in theirs if isinstance(other, ast.FunctionDef) and can_fail(other)
                }
    return frozenset(known)


@pytest.mark.parametrize("place", FILES, ids=lambda place: str(place.relative_to(TESTS)))
def test_every_test_can_fail(place: Path) -> None:
    tree = ast.parse(place.read_text(encoding="utf-8"))
    helpers = helpers_of(tree)
    idle = [
        f"{place.relative_to(TESTS)}::{each.name}"
        for each in ast.walk(tree)
        if isinstance(each, ast.FunctionDef) and each.name.startswith("test_") and not can_fail(each, helpers)
    ]
    assert idle == []


@pytest.mark.parametrize("place", FILES, ids=lambda place: str(place.relative_to(TESTS)))
def test_no_test_compares_a_name_with_itself(place: Path) -> None:
    tree = ast.parse(place.read_text(encoding="utf-8"))
    same = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
        and isinstance(node.test, ast.Compare)
        and not any(isinstance(part, ast.Call) for part in ast.walk(node))
        and ast.unparse(node.test.left) == ast.unparse(node.test.comparators[0])
    ]
    assert same == []


def test_a_test_that_cannot_fail_is_seen() -> None:
    idle, busy = (ast.parse(f"def test_x():\n    {body}") for body in ("run()", "assert run()"))
    assert not can_fail(idle)
    assert can_fail(busy)
    assert can_fail(idle, frozenset({"run"}))
