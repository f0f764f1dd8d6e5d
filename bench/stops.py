"""How long commands take to end when they are asked to: a SIGTERM at random moments of their work.

    python -m bench.stops                            # 300,000 records, 20 moments
    python -m bench.stops --records 100000 --moments 6

The file is that of `bench.scale`. The bar: no command takes longer than a second to end: 0.3 in which it may answer by
itself, as many to clear away what it has begun, and the rest to end.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from bench.scale import written

RECORDS, MOMENTS = 300_000, 20
BAR = 1.0
FIRST, LAST = 1.0, 60.0
"""The seconds after the start between which a command is stopped, or its own end where that comes earlier."""


def commands(folder: Path, original: Path) -> dict[str, list[str]]:
    """The arguments of each command, of which assess takes a release that is there."""
    release = folder / "release"
    return {
        "protect": ["protect", str(original), "--out", str(folder / "another")],
        "assess": ["assess", str(release), "--original", str(original)],
        "search": ["search", str(original), "--seconds", "600"],
    }


def waited(arguments: list[str], after: float) -> float | None:
    """The seconds from the request to stop until the process ended; None where it had ended before."""
    process = subprocess.Popen(
        [sys.executable, "-m", "discreet", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        begun = time.perf_counter()
        process.send_signal(signal.SIGTERM)
        process.wait()
        return time.perf_counter() - begun
    return None


def measure(folder: Path, records: int, moments: int) -> None:
    """Print a line for each stop, and the longest wait."""
    original = written(folder, records, "csv")
    made = ["protect", str(original), "--out", str(folder / "release")]
    subprocess.run(
        [sys.executable, "-m", "discreet", *made, "--force"], check=True, stdout=subprocess.DEVNULL
    )
    rng = np.random.default_rng(3)
    waits: list[float] = []
    todo = commands(folder, original)
    for place in range(moments):
        name = list(todo)[place % len(todo)]
        after = float(rng.uniform(FIRST, LAST))
        took = waited(todo[name], after)
        print(
            f"{name:8} after {after:5.1f} s: {'had ended' if took is None else f'{took:.2f} s'}", flush=True
        )
        waits += [] if took is None else [took]
        left = [each.name for each in folder.glob(".*.part")]
        if left:
            print(f"LEFT BEHIND: {', '.join(left)}")
    longest = max(waits, default=0.0)
    print(
        f"longest wait {longest:.2f} s of {len(waits)}   bar {BAR:g}: {'met' if longest <= BAR else 'MISSED'}"
    )


def main() -> None:
    """Print how long each stop took."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, default=RECORDS)
    parser.add_argument("--moments", type=int, default=MOMENTS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), given.records, given.moments)


if __name__ == "__main__":
    main()
