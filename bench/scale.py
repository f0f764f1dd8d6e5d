"""Time and memory of `discreet protect` and `discreet assess` of a large file of mixed columns, as real processes.

    python -m bench.scale                            # 1,000,000 records of ten columns, from CSV
    python -m bench.scale --records 100000 --format parquet --folder /tmp/scale

Peak memory is the largest resident set of the process less that of `import discreet` alone; a frame is as large as
polars estimates the original to be once it is read (`estimated_size`). The bars, at a million records on two cores:
protect and assess need at most 8 times the frame, and assess ends within 180 seconds. CPU seconds are told beside wall
seconds, because other programs on the machine make the latter longer.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from bench.points import correlated
from numpy.typing import NDArray

from discreet.reading import read

RECORDS = 1_000_000
SECONDS, FRAMES = 180.0, 8.0
EDUCATION = ("none", "primary", "lower secondary", "upper secondary", "bachelor", "master")
HEALTH = ("very bad", "bad", "fair", "good", "very good")
STARTER = """
import os, sys, time
begun = time.perf_counter()
process = os.fork()
if not process:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(process, 0)
wall = time.perf_counter() - begun
print(os.waitstatus_to_exitcode(status), wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)
"""
PROJECT = """
[columns]
age = {{ role = "quasi-identifier", scale = "numeric" }}
income = {{ role = "quasi-identifier", scale = "numeric" }}
rooms = {{ role = "quasi-identifier", scale = "numeric" }}
education = {{ role = "quasi-identifier", scale = "ordinal", order = {education} }}
health = {{ role = "confidential", scale = "ordinal", order = {health} }}
sex = {{ role = "quasi-identifier", scale = "nominal" }}
region = {{ role = "quasi-identifier", scale = "nominal" }}
job = {{ role = "quasi-identifier", scale = "nominal" }}
illness = {{ role = "confidential", scale = "nominal" }}
debt = {{ role = "confidential", scale = "numeric" }}

[[mask]]
method = "microaggregate"
columns = ["age", "income", "rooms"]
k = 5

[[mask]]
method = "pram"
columns = ["region", "job"]
theta = 0.9

[[mask]]
method = "rank_swap"
columns = ["education"]
p = 5

[[mask]]
method = "suppress"
columns = ["sex", "education"]
k = 5

[assess]
ceilings = {{ identity = 0.1, attribute = 0.5 }}
"""


class Ran(NamedTuple):
    """What a process needed: its exit code, wall and CPU seconds, and its largest resident set in bytes."""

    code: int
    wall: float
    cpu: float
    peak: int


def people(records: int) -> pl.DataFrame:
    """Three numbers, two ordinals and five nominals or amounts, of 2 to 300 categories; seven of them can be known."""
    rng = np.random.default_rng(11)
    hidden = correlated(records, 4, seed=7)
    hidden /= hidden.std(axis=0)
    job = np.minimum(rng.zipf(1.3, records) - 1, 299)
    return pl.DataFrame(
        {
            "age": np.clip(np.round(45 + 20 * hidden[:, 0]), 0, 99).astype(np.int64),
            "income": np.round(np.exp(10 + 0.6 * hidden[:, 1]), 2),
            "rooms": np.clip(np.round(4 + 2 * hidden[:, 2]), 1, 20).astype(np.int64),
            "education": _named(
                np.digitize(hidden[:, 1] + rng.normal(size=records), [-2, -1, 0, 1, 2]), EDUCATION
            ),
            "health": _named(
                np.digitize(rng.normal(size=records) - hidden[:, 0] / 2, [-2, -1, 0, 1]), HEALTH
            ),
            "sex": _named(rng.integers(0, 2, records), ("female", "male")),
            "region": _named(rng.integers(0, 17, records), [f"region {code}" for code in range(17)]),
            "job": _named(job, [f"occupation {code}" for code in range(300)]),
            "illness": _named(rng.integers(0, 40, records), [f"illness {code}" for code in range(40)]),
            "debt": np.round(np.exp(8 + hidden[:, 3]), 2),
        }
    )


def _named(codes: NDArray[np.int64], names: Sequence[str]) -> pl.Series:
    return pl.Series(names).gather(codes)


def run(*command: str) -> Ran:
    """What a process of this Python needed; its output goes nowhere.

    A small process starts it: what the starter holds would count as a part of the largest resident set.
    """
    starter = [sys.executable, "-I", "-S", "-c", STARTER, sys.executable, *command]
    told = subprocess.run(starter, stdout=subprocess.PIPE, check=True, text=True).stdout.split()
    return Ran(int(told[0]), float(told[1]), float(told[2]), int(told[3]))


def written(folder: Path, records: int, format: str) -> Path:
    """The original with its project, in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    original = folder / f"people.{format}"
    frame = people(records)
    if format == "parquet":
        frame.write_parquet(original)
    else:
        frame.write_csv(original)
    (folder / "discreet.toml").write_text(PROJECT.format(education=list(EDUCATION), health=list(HEALTH)))
    return original


def line(name: str, ran: Ran, baseline: int, frame: int, seconds: float | None) -> str:
    """What a process needed, with the bars that it meets or misses."""
    above = ran.peak - baseline
    told = [
        f"{name:8} exit {ran.code} {ran.wall:7.1f} s wall {ran.cpu:7.1f} s CPU",
        f"peak {ran.peak / 2**20:6,.0f} MiB, {above / 2**20:6,.0f} above import",
        f"{above / frame:5.1f} frames (bar {FRAMES:g}: {'met' if above <= FRAMES * frame else 'MISSED'})",
    ]
    if seconds is not None:
        told.append(f"bar {seconds:g} s: {'met' if ran.wall <= seconds else 'MISSED'}")
    return "   ".join(told)


def measure(folder: Path, records: int, format: str, only: str | None) -> None:
    """Print a line for each command."""
    original = written(folder, records, format)
    frame = int(read(original).frame.estimated_size())
    baseline = run("-c", "import discreet").peak
    print(
        f"{records:,} records x 10, {format}: frame {frame / 2**20:,.0f} MiB, file "
        f"{original.stat().st_size / 2**20:,.0f} MiB, import discreet {baseline / 2**20:,.0f} MiB",
        flush=True,
    )
    release = folder / "release"
    if only != "assess":
        ran = run("-m", "discreet", "protect", str(original), "--out", str(release), "--force", "--json")
        print(line("protect", ran, baseline, frame, None), flush=True)
    if only != "protect":
        ran = run("-m", "discreet", "assess", str(release), "--original", str(original), "--json")
        print(line("assess", ran, baseline, frame, SECONDS), flush=True)


def main() -> None:
    """Print how large the file is, and a line for each command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, default=RECORDS)
    parser.add_argument("--format", choices=("csv", "parquet"), default="csv")
    parser.add_argument("--folder", type=Path, help="where the files stay; a temporary folder otherwise")
    parser.add_argument("--only", choices=("protect", "assess"), help="one of both; assess needs a release")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        measure(given.folder or Path(temporary), given.records, given.format, given.only)


if __name__ == "__main__":
    main()
