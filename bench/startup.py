"""How long a newcomer waits: `import discreet`, and `discreet demo` with nothing compiled and with everything compiled.

python -m bench.startup
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

RUNS = 5


def seconds(*arguments: str, **environment: str) -> float:
    """The wall seconds of a process of its own."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments], check=True, capture_output=True, env={**os.environ, **environment}
    )
    return time.perf_counter() - began


def main() -> None:
    empty = min(seconds("-c", "pass") for _ in range(RUNS))
    whole = min(seconds("-c", "import discreet") for _ in range(RUNS))
    used = min(
        seconds("-c", "import discreet as dc; dc.Table, dc.mask, dc.attack, dc.loss") for _ in range(RUNS)
    )
    print(
        f"import discreet: {whole - empty:.3f} s above an empty process; with all methods {used - empty:.3f} s"
    )
    with tempfile.TemporaryDirectory() as folder:
        cache = {"NUMBA_CACHE_DIR": f"{folder}/cache"}
        cold = seconds("-m", "discreet", "demo", "--folder", f"{folder}/cold", **cache)
        warm = seconds("-m", "discreet", "demo", "--folder", f"{folder}/warm", **cache)
    print(
        f"discreet demo: {cold:.1f} s with nothing compiled, {warm:.1f} s after that ({cold - warm:.1f} s to compile)"
    )


if __name__ == "__main__":
    main()
