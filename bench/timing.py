"""How long work takes and how much memory it needs: CPU and wall seconds here, peak memory in a process of its own."""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import altair as alt
import numpy as np
import polars as pl
from numpy.typing import NDArray

T = TypeVar("T")
Rows = list[dict[str, object]]
FIGURES = Path(__file__).parent / "figures"


class Timed(NamedTuple, Generic[T]):
    """The least CPU and wall seconds of several runs, and the result of the last."""

    cpu: float
    wall: float
    result: T


def best_of(runs: int, work: Callable[[], T]) -> Timed[T]:
    """The work timed several times over; other programs on the machine only ever make it slower."""
    cpus, walls = [], []
    for _ in range(runs):
        cpu, wall = time.process_time(), time.perf_counter()
        result = work()
        cpus.append(time.process_time() - cpu)
        walls.append(time.perf_counter() - wall)
    return Timed(min(cpus), min(walls), result)


class Measured(NamedTuple):
    """CPU and wall seconds of one run, and the mebibytes it needed at most above those of its data."""

    cpu: float
    wall: float
    mebibytes: float


def apart(make: Callable[[], NDArray[np.float64]], work: Callable[[NDArray[np.float64]], object]) -> Measured:
    """The work on the data that `make` makes, done once in a new process. Both must be functions of a module."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_measure, (make, work))


def _measure(
    make: Callable[[], NDArray[np.float64]], work: Callable[[NDArray[np.float64]], object]
) -> Measured:
    data = make()
    before = _held()
    cpu, wall = time.process_time(), time.perf_counter()
    work(data)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    # The peak may be that of making the data: then the work needed less.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Measured(cpu, wall, peak - before)


def _held() -> float:
    """The memory this process holds now, in mebibytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def draw(rows: Rows, *, x: str, title: str, file: str) -> None:
    """Save a chart of CPU seconds against a quantity, both on logarithmic scales, one line for each method."""
    log = alt.Scale(type="log")
    base = alt.Chart(pl.DataFrame(rows), title=title, width=460, height=300).encode(
        x=alt.X(x, type="quantitative", scale=log, axis=alt.Axis(format="~s", gridOpacity=0.3)),
        y=alt.Y("CPU seconds", type="quantitative", scale=log, axis=alt.Axis(format="~g", gridOpacity=0.3)),
        color=alt.Color("method", type="nominal", title=None, scale=alt.Scale(scheme="dark2")),
    )
    FIGURES.mkdir(exist_ok=True)
    (base.mark_line() + base.mark_point(filled=True, size=50)).save(FIGURES / file)


def table(rows: Rows) -> str:
    """The rows as aligned text."""
    names = list(rows[0])
    cells = [[_text(row[name]) for name in names] for row in rows]
    widths = [max(len(name), *(len(line[place]) for line in cells)) for place, name in enumerate(names)]
    lines = [names, *cells]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines
    )


def _text(value: object) -> str:
    return (
        f"{value:,}" if isinstance(value, int) else f"{value:.3g}" if isinstance(value, float) else str(value)
    )
