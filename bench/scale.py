"""Time and memory of `discreet protect` and `discreet assess` of a large file of mixed columns, as real processes.

    python -m bench.scale                            # 1,000,000 records of ten columns, from CSV
    python -m bench.scale --records 100000 --format parquet --folder /tmp/scale

Peak memory is the largest resident set of the process. It is told less that of `import discreet` alone, and less that
of the same command on the first 100 records, which loads the same libraries and compiled loops: the second is what the
data cost, and the bar is on it. A frame is as large as polars estimates the original to be once it is read
(`estimated_size`). The bars, at a million records on two cores: protect and assess need at most 8 times the frame for
the data, and assess ends within 180 seconds. CPU seconds are told beside wall seconds, because other programs on the
machine make the latter longer.
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
FEW = 100
"""So few records cost no memory that counts: what a command needs for them, it needs for its libraries."""
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
LOADED = "import numba; from discreet.cli import main; main()"
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


def line(name: str, ran: Ran, imported: int, few: int, frame: int, seconds: float | None) -> str:
    """What a process needed, with the bars that it meets or misses.

    `imported` is the peak of `import discreet`, and `few` that of the same command on few records.
    """
    data = ran.peak - few
    told = [
        f"{name:8} exit {ran.code} {ran.wall:7.1f} s wall {ran.cpu:7.1f} s CPU",
        f"peak {ran.peak / 2**20:6,.0f} MiB, {(ran.peak - imported) / frame:.1f} frames above import",
        f"{data / 2**20:6,.0f} MiB above {FEW} records: {data / frame:.1f} frames "
        f"(bar {FRAMES:g}: {'met' if data <= FRAMES * frame else 'MISSED'})",
    ]
    if seconds is not None:
        told.append(f"bar {seconds:g} s: {'met' if ran.wall <= seconds else 'MISSED'}")
    return "   ".join(told)


def commands(original: Path) -> dict[str, tuple[str, ...]]:
    """The command lines that are measured, by their names; the release lies beside the original."""
    release = str(original.parent / "release")
    protect = ("-m", "discreet", "protect", str(original), "--out", release, "--force", "--json")
    return {
        "protect": protect,
        "assess": ("-m", "discreet", "assess", release, "--original", str(original), "--json"),
    }


def measure(folder: Path, records: int, format: str, only: str | None) -> None:
    """Print a line for each command."""
    original, few = written(folder, records, format), written(folder / "few", FEW, format)
    frame = int(read(original).frame.estimated_size())
    imported = run("-c", "import discreet").peak
    print(
        f"{records:,} records x 10, {format}: frame {frame / 2**20:,.0f} MiB, file "
        f"{original.stat().st_size / 2**20:,.0f} MiB, import discreet {imported / 2**20:,.0f} MiB",
        flush=True,
    )
    on_few = {name: compiled(command).peak for name, command in commands(few).items()}
    for name, command in commands(original).items():
        if only in (None, name):
            seconds = SECONDS if name == "assess" else None
            print(line(name, run(*command), imported, on_few[name], frame, seconds), flush=True)


def compiled(command: Sequence[str]) -> Ran:
    """What a process needed on few records, with the compiled loops loaded that plain numpy would stand in for."""
    return run("-c", LOADED, *command[2:])


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
