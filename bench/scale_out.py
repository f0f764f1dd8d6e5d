"""How long masking takes with more records and more workers: a simulation from the measured pieces of real releases.

    python -m bench.scale_out                      # the table of docs/explanation/scale.md, from the pieces kept here
    python -m bench.scale_out --measure            # measures the pieces anew on this machine, a few minutes

Releases of two sizes are made with an engine that runs one piece after the other and notes the CPU seconds of each, the
bytes it writes, and the bytes that go to it and come back. What is left of the CPU seconds is the part that no worker
can take over. The simulation gives the pieces of a larger release to workers as the engine does: in order, two at a
time for each worker, their results taken in order. Pieces that open a file of every part take longer with more parts.
All workers share a store of so many bytes a second, and the scheduler needs a millisecond for each piece.
"""

from __future__ import annotations

import argparse
import heapq
import json
import pickle
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from bench.register_in_parts import KEYS, NUMBERS, categories, numbers
from bench.timing import table

import discreet as dc
from discreet.dataset import PART_RECORDS
from discreet.engine.cluster import AHEAD
from discreet.engine.scratch import cut_by, write_arrow

KEPT = Path(__file__).with_suffix(".json")
PART = 1 << 18
SIZES = (2 * PART, 4 * PART)
PLANS = {
    "add_noise": f"add_noise p=0.1 columns={','.join(NUMBERS)}",
    "pram": f"pram theta=0.2 columns={','.join(KEYS)}",
    "suppress": f"suppress k=5 columns={','.join(KEYS)}",
    "rank_swap": f"rank_swap p=5 columns={','.join(NUMBERS)}",
    "microaggregate": f"microaggregate k=5 columns={','.join(NUMBERS)}",
}
ON_KEYS = ("pram", "suppress")
OPEN_ALL = ("Writing", "BlockWork", "PuttingBack")
"""Pieces that take their records out of the files of all parts."""
BY_COLUMN = ("ColumnWork",)
"""Pieces of which there is one for each column, whatever the number of records."""
STORE = 2e9
"""Bytes a second that all workers together read and write: a good network store, or a few local disks."""
A_PIECE = 0.001
"""Seconds of the scheduler for each piece."""
ORDER_BYTES = 12
"""Bytes for each record that the process in charge holds while it draws the published order."""
RECORDS = (10**7, 10**8, 10**9)
WORKERS = (1, 10, 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Pieces of one kind: how many there were, CPU seconds and written bytes of all of them, and what they sent."""

    work: str
    pieces: int
    seconds: float
    written: int
    sent: int


class Measured(NamedTuple):
    """A method: its stages and the CPU seconds beside them, for a record each, and of how many columns it was."""

    stages: tuple[Stage, ...]
    alone: float
    columns: int
    records: int


class OneByOne:
    """An engine that runs one piece after the other and notes what each needed."""

    def __init__(self) -> None:
        self.stages: list[Stage] = []

    def each(
        self, work: Callable[[Any], Any], items: Sequence[Any], *, scratch: Path, progress: object, what: str
    ) -> Iterator[Any]:
        seconds, written, sent = 0.0, 0, 0
        for item in items:
            begun, before = time.process_time(), _written()
            done = work(item)
            seconds += time.process_time() - begun
            written += _written() - before
            sent += len(pickle.dumps(item)) + len(pickle.dumps(done))
            yield done
        self.stages.append(
            Stage(work=type(work).__name__, pieces=len(items), seconds=seconds, written=written, sent=sent)
        )


def _written() -> int:
    """The bytes that this process wrote so far."""
    return int(Path("/proc/self/io").read_text().split("wchar:")[1].split()[0])


def measured(name: str, folder: Path, sizes: tuple[int, int] = SIZES, part: int = PART) -> Measured:
    """The pieces of the larger release, and the seconds beside them from the difference of both."""
    make = categories if name in ON_KEYS else numbers
    alone, engine = [], OneByOne()
    for records in (sizes[0], *sizes):
        # The first of the three only loads what is compiled.
        source = folder / f"{name}-{records}.parquet"
        make(0, records).write_parquet(source)
        dataset = dc.scan(source, roles={}, rest="quasi-identifier")
        release = replace(dc.protect(dataset, dc.Plan.of([PLANS[name]]), seed=1), part_records=part)
        engine, begun = OneByOne(), time.process_time()
        release.save(folder / "out", force=True, engine=engine)
        alone.append(time.process_time() - begun - sum(each.seconds for each in engine.stages))
    beside = max(0.0, alone[2] - alone[1]) / (sizes[1] - sizes[0])
    columns = len(KEYS if name in ON_KEYS else NUMBERS)
    return Measured(tuple(engine.stages), beside, columns, sizes[1])


def seconds_to_open(folder: Path) -> float:
    """CPU seconds to take a few records out of one of many files."""
    frame = pl.DataFrame({name: np.zeros(PART // 16) for name in NUMBERS})
    cut = cut_by(frame, np.arange(len(frame)) % 256, 256, folder / "cut.arrow")
    write_arrow(frame, folder / "other.arrow")
    begun = time.process_time()
    for place in range(200):
        cut.frame(range(place, place + 1))
    return (time.process_time() - begun) / 200


def simulated(found: Measured, opening: float, records: int, workers: int) -> float:
    """Seconds of a release of so many records with so many workers."""
    parts = -(-records // PART_RECORDS)
    times = records / found.records
    passed = found.alone * records
    for stage in found.stages:
        if stage.work in BY_COLUMN:
            pieces, seconds = stage.pieces, stage.seconds / stage.pieces * times
        else:
            # As many pieces for each part as there were. The first part is masked alone, to know the statistics.
            share = stage.pieces / (found.records / PART)
            pieces = max(1, round(share)) * parts
            seconds = stage.seconds * times / pieces / min(1.0, share)
        if stage.work in OPEN_ALL:
            seconds += opening * max(0, parts - found.records // PART)
        moved = 2 * stage.written * times
        passed += max(given_out([seconds] * pieces, workers), moved / STORE)
    return passed


def given_out(pieces: Sequence[float], workers: int) -> float:
    """When the last of the pieces is done that are given to workers as the engine does."""
    free = [0.0] * workers
    done: list[float] = []
    taken = 0.0
    for place, seconds in enumerate(pieces):
        if place >= AHEAD * workers:
            # The results are taken in order, and each makes room for one more piece.
            taken = max(taken, done[place - AHEAD * workers])
        begun = max(heapq.heappop(free), taken, place * A_PIECE)
        heapq.heappush(free, begun + seconds)
        done.append(begun + seconds)
    return max(done, default=0.0)


def lines(kept: dict[str, Any]) -> str:
    """The table of the simulation."""
    rows = []
    for name, each in kept["methods"].items():
        found = measured_from(each)
        for records in RECORDS:
            row: dict[str, object] = {"method": name, "records": f"{records:,}"}
            for workers in WORKERS:
                row["1 worker" if workers == 1 else f"{workers} workers"] = told(
                    simulated(found, kept["opening"], records, workers)
                )
            moved = 2 * sum(stage.written for stage in found.stages) * records / found.records
            row["read and written"] = f"{moved / 1e9:,.0f} GB"
            rows.append(row)
    return table(rows)


def told(seconds: float) -> str:
    """A time in the unit that is read at once."""
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"


def measured_from(kept: dict[str, Any]) -> Measured:
    """What was kept of a method."""
    return Measured(
        tuple(Stage(**each) for each in kept["stages"]), kept["alone"], kept["columns"], kept["records"]
    )


def kept_of(found: Measured) -> dict[str, Any]:
    """What is kept of a method."""
    stages = [
        {
            "work": each.work,
            "pieces": each.pieces,
            "seconds": round(each.seconds, 4),
            "written": each.written,
            "sent": each.sent,
        }
        for each in found.stages
    ]
    return {"stages": stages, "alone": found.alone, "columns": found.columns, "records": found.records}


def main() -> None:
    """Print the table; measure first where that is asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--measure", action="store_true", help="measure the pieces on this machine, and keep them"
    )
    if parser.parse_args().measure:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            found = {name: kept_of(measured(name, folder)) for name in PLANS}
            kept = {"opening": seconds_to_open(folder), "methods": found}
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")
    print(lines(json.loads(KEPT.read_text())))


if __name__ == "__main__":
    main()
