"""Kernels cost nothing until they are called, and say the same as plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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


@pytest.mark.parametrize(
    "module",
    ["compile", "clustering.univariate", "perturbation.rank_swap", "clustering.mdav", "clustering.adaptive"],
)
def test_importing_kernels_does_not_import_numba(module: str) -> None:
    code = f"import sys, discreet._kernels.{module}; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def without_a_cache(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What a process says that can write neither beside its source nor in its home."""
    nowhere = folder / "a file"
    nowhere.write_text("")
    env = {
        "NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator,UserWideCacheLocator",
        "NUMBA_CACHE_DIR": str(nowhere / "kernels"),
        "XDG_CACHE_HOME": str(nowhere / "cache"),
        "HOME": str(nowhere / "home"),
    }
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **env},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_without_a_folder_to_write_to_code_is_compiled_in_memory_and_that_is_said_once(
    tmp_path: Path,
) -> None:
    code = (
        "import numpy as np; from discreet._kernels.counting.classes import class_sizes; "
        "from discreet._kernels.counting.distinct import distinct_rows; rows = np.ones((300_000, 2)); "
        "distinct_rows(rows); class_sizes(rows.astype(int))"
    )
    done = without_a_cache(tmp_path, "-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("no folder to keep machine code in") == 1


def test_the_command_line_runs_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("town,age\n" + "x,7\n" * 20_000)
    done = without_a_cache(tmp_path, "-m", "discreet", "inspect", "people.csv", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "20000 records" in done.stdout
    assert done.stderr.count("no folder to keep machine code in") == 1


def test_a_disk_without_room_for_machine_code_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    import numba.core.caching as caching

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    @compiled
    def doubled(value: int) -> int:
        return 2 * value

    monkeypatch.setattr(caching.Cache, "save_overload", full)
    assert doubled(21) == 42
