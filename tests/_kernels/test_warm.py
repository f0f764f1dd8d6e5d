"""Warming leaves no kernel of masking, linking or learning to be compiled later."""

from __future__ import annotations

import subprocess
import sys

import pytest

from discreet._kernels.warm import cold, kernels, warm

FAMILIES = [
    "clustering.adaptive",
    "clustering.box",
    "clustering.fuzzy",
    "clustering.mdav",
    "clustering.spherical_mdav",
    "clustering.univariate",
    "counting",
    "delimited",
    "draw",
    "learned.forms",
    "learned.hitting_set",
    "learned.margin",
    "learned.overlap",
    "learned.pareto",
    "learned.ties",
    "matching",
    "nearest.cell",
    "nearest.grow_loops",
    "nearest.link",
    "nearest.search_loops",
    "nearest.simd",
    "nearest.tie_loops",
    "nearest.window",
    "perturbation",
]


@pytest.mark.parametrize("family", FAMILIES)
def test_warming_compiles_every_kernel_of(family: str) -> None:
    warm()
    assert [name for name in kernels() if name.startswith(family)]
    assert [name for name in cold() if name.startswith(family)] == []


def test_every_kernel_is_of_a_family_that_is_warmed() -> None:
    assert [name for name in kernels() if not name.startswith(tuple(FAMILIES))] == []


def test_kernels_are_cold_until_they_are_used() -> None:
    name = "clustering.mdav_boxes.advance"
    code = f"from discreet._kernels.warm import cold; import sys; sys.exit('{name}' not in cold())"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_listing_cold_kernels_does_not_import_numba() -> None:
    code = "from discreet._kernels.warm import cold; import sys; cold(); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
