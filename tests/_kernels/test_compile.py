"""Kernels cost nothing until they are called, and say the same as plain Python."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from discreet._kernels.compile import compiled

FACTOR = 3


@compiled
def tripled(value: int) -> int:
    return FACTOR * value


@compiled
def sum_of_tripled(values: np.ndarray) -> int:
    total = 0
    for value in values:
        total += tripled(value)
    return total


def test_a_kernel_that_calls_another_says_the_same_as_plain_python() -> None:
    values = np.arange(10)
    assert sum_of_tripled(values) == sum_of_tripled.plain(values) == 135
    assert sum_of_tripled.is_loaded


def test_stored_code_is_stale_when_a_number_changes_that_a_called_kernel_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = sum_of_tripled.fingerprint()
    assert sum_of_tripled.fingerprint() == before
    monkeypatch.setitem(globals(), "FACTOR", 4)
    assert sum_of_tripled.fingerprint() != before


def test_a_kernel_keeps_the_name_and_docstring_of_its_function() -> None:
    assert tripled.__name__ == "tripled"
    assert compiled.__doc__ is not None


@pytest.mark.parametrize("module", ["compile", "univariate", "rank_swap", "mdav", "adaptive"])
def test_importing_kernels_does_not_import_numba(module: str) -> None:
    code = f"import sys, discreet._kernels.{module}; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
