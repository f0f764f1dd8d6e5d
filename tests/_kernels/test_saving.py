"""Processes that store machine code at the same time store all of it, each under a name of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

STORES = """
import sys, time
import numpy as np
from numba.core.caching import IndexDataCacheFile
from doubling import doubled

read = IndexDataCacheFile._load_index

def slowly(self):
    found = read(self)
    time.sleep(1.0)  # the others read the same list in the meantime
    return found

doubled.machine_code()
if sys.argv[2] == "store":
    IndexDataCacheFile._load_index = slowly
    print("ready", flush=True)
    sys.stdin.readline()
assert doubled(np.arange(3, dtype=sys.argv[1])).tolist() == [0, 2, 4]
print(sum(doubled.machine_code().stats.cache_hits.values()))
"""
MODULE = """
from discreet._kernels.compile import compiled

@compiled
def doubled(values):
    return values * 2
"""
TYPES = ("float64", "int32", "float32")


def started(folder: Path, kind: str, how: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", STORES, kind, how],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "stored")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_code_for_several_types_that_is_stored_at_once_is_all_found_again(tmp_path: Path) -> None:
    (tmp_path / "doubling.py").write_text(MODULE)
    storing = [started(tmp_path, kind, "store") for kind in TYPES]
    for each in storing:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in storing:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    assert [each.communicate()[0].split() for each in storing] == [["0"]] * len(TYPES)
    found = [started(tmp_path, kind, "find").communicate()[0].split() for kind in TYPES]
    assert found == [["1"]] * len(TYPES)
