"""Modules, functions and kernels stay small enough to be read at once."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from pathlib import Path

import pytest

import discreet
from discreet._kernels.compile import Kernel

ROOT = Path(discreet.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
KERNEL_FILES = [path for path in FILES if path.is_relative_to(ROOT / "_kernels")]
MOST_ARGUMENTS = 10
MOST_LINES_OF_A_MODULE = 450
MOST_LINES_OF_A_FUNCTION = 45
HOT_LOOPS = {"nearest_cells", "search", "_keep_minimal"}
"""Loops that would take longer if they handed their arrays to functions of their own."""


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def module_of(path: Path) -> str:
    return ".".join(("discreet", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


def kernels_in(path: Path) -> dict[str, Kernel[..., object]]:
    module = import_module(module_of(path))
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, Kernel) and value.module == module.__name__
    }


@pytest.mark.parametrize("path", KERNEL_FILES, ids=shown)
def test_a_kernel_takes_at_most_ten_arguments(path: Path) -> None:
    """What belongs together is handed over as one named tuple of arrays."""
    taken = {
        name: len(inspect.signature(kernel.function).parameters) for name, kernel in kernels_in(path).items()
    }
    assert {name: count for name, count in taken.items() if count > MOST_ARGUMENTS} == {}


def test_kernels_are_found_by_the_test_of_their_arguments() -> None:
    assert sum(len(kernels_in(path)) for path in KERNEL_FILES) > 50


@pytest.mark.parametrize("path", FILES, ids=shown)
def test_a_module_can_be_read_at_once(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MOST_LINES_OF_A_MODULE


@pytest.mark.parametrize("path", FILES, ids=shown)
def test_a_function_fits_a_screen(path: Path) -> None:
    """What it does, that is; its signature and what is said of it come on top."""
    hot = HOT_LOOPS if path in KERNEL_FILES else set()
    long = {
        node.name: lines_of(node)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name not in hot
    }
    assert {name: lines for name, lines in long.items() if lines > MOST_LINES_OF_A_FUNCTION} == {}


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body if ast.get_docstring(function) is None else function.body[1:]
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0
