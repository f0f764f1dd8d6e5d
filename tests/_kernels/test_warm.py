"""Warming leaves no kernel of masking, linking or learning to be compiled later."""

from __future__ import annotations

import subprocess
import sys

import pytest

from discreet._kernels.warm import cold, warm


@pytest.mark.parametrize(
    "family",
    [
        "adaptive",
        "box",
        "hitting_set",
        "delimited",
        "distinct",
        "draw",
        "forms",
        "fuzzy",
        "gower",
        "grouping",
        "grow_loops",
        "simd",
        "margin",
        "mdav",
        "nearest",
        "overlap",
        "pareto",
        "pattern",
        "rank_swap",
        "search_loops",
        "univariate",
        "window",
    ],
)
def test_warming_compiles_every_kernel_of(family: str) -> None:
    warm()
    assert [name for name in cold() if name.startswith(family)] == []


def test_kernels_are_cold_until_they_are_used() -> None:
    code = "from discreet._kernels.warm import cold; import sys; sys.exit('mdav_boxes.advance' not in cold())"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_listing_cold_kernels_does_not_import_numba() -> None:
    code = "from discreet._kernels.warm import cold; import sys; cold(); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
