"""Time and memory of masking a dataset larger than memory, as ratios to what polars needs to go through the same files.

    python -m bench.engine                          # 20,000,000 x 7: about half an hour on two cores
    python -m bench.engine --records 1000000        # the same in a minute or two
    python -m bench.engine --records 100000000 --only noise

The data are invented, part by part, and lie in a scratch folder: seven numbers, and six categorical keys with a number.
Each piece of work runs in a process of its own. Seconds are those of the work, without starting Python and loading
libraries; memory is the most that its process, or all processes of a cluster together, held at one time above a bare
Python interpreter. The bars: `microaggregate k=5` of all seven numbers, to a release that is written and checked,
within 15 times what polars takes to read, sort and write the same files, in at most 2 GB; its loss at most 3 % above
that of MDAV of the whole table on the first million; `add_noise` and `pram` of all columns within 4 times reading and
writing; `suppress k=5` and a check of k on six keys within 6 times a group-by of these keys; two workers of a cluster
at most 1.3 times the time of threads; and 100,000,000 records in at most 4 GB.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from bench.register_in_parts import KEYS, NUMBERS, categories, numbers, written
from bench.timing import table

import discreet as dc
from discreet.engine import Cluster, Engine, Threads

RECORDS = 20_000_000
COMPARED = 1_000_000
"""Records on which the loss is compared with that of the whole table at once."""
GB = 10**9
SUPPRESS = f"suppress k=5 columns={','.join(KEYS)}"
PLANS = {
    "microaggregate": f"microaggregate k=5 columns={','.join(NUMBERS)}",
    "noise": f"add_noise p=0.1 columns={','.join(NUMBERS)}",
    "pram": f"pram theta=0.2 columns={','.join(KEYS)}",
    "suppress": SUPPRESS,
}
ON_KEYS = ("pram", "suppress")


class Bar(NamedTuple):
    """The peer that a piece of work is compared with, how many times its seconds it may take, and the bytes."""

    peer: str
    times: float
    memory: float | None = None


BARS = {
    "microaggregate": Bar("sort", 15, 2 * GB),
    "noise": Bar("copy", 4),
    "pram": Bar("copy keys", 4),
    "suppress": Bar("group", 6),
    "k check": Bar("group", 6),
}
LARGE, LARGE_MEMORY = 100_000_000, 4 * GB
DASK_BAR, LOSS_BAR = 1.3, 1.03


class Ran(NamedTuple):
    """Wall and CPU seconds of a piece of work, and the most bytes that its processes held at one time."""

    wall: float
    cpu: float
    peak: int


def sort(folder: Path, out: Path) -> None:
    """The numbers read, sorted by income and written, by polars."""
    pl.scan_parquet(folder / "numbers" / "*.parquet").sort("income").sink_parquet(out)


def copy(folder: Path, out: Path) -> None:
    """The numbers read and written, by polars."""
    pl.scan_parquet(folder / "numbers" / "*.parquet").sink_parquet(out)


def copy_keys(folder: Path, out: Path) -> None:
    """The keys read and written, by polars."""
    pl.scan_parquet(folder / "keys" / "*.parquet").sink_parquet(out)


def group(folder: Path, _: Path) -> None:
    """The combinations of the keys counted, by polars."""
    pl.scan_parquet(folder / "keys" / "*.parquet").group_by(list(KEYS)).len().collect(engine="streaming")


def masked(folder: Path, out: Path, name: str, engine: Engine) -> None:
    """A release of the whole dataset, written and checked."""
    source = folder / ("keys" if name in ON_KEYS else "numbers")
    dataset = dc.scan(source / "*.parquet", roles={}, rest="quasi-identifier")
    dc.protect(dataset, dc.Plan.of([PLANS[name]]), seed=1).save(out, engine=engine)


def k_check(folder: Path, _: Path) -> None:
    """The guarantee of k=1 checked on the keys of the files, as a release checks its own."""
    from discreet.engine.checking import fault_in
    from discreet.guarantees import KAnonymous

    dataset = dc.scan(folder / "keys" / "*.parquet", roles={}, rest="quasi-identifier")
    assert not fault_in(KAnonymous(columns=tuple(KEYS), k=1), dataset)


PEERS: dict[str, Callable[[Path, Path], None]] = {
    "sort": sort,
    "copy": copy,
    "copy keys": copy_keys,
    "group": group,
}


def work_of(case: str, workers: int) -> Callable[[Path, Path], None]:
    """The piece of work of a case; those that end with 'on dask' run on workers."""
    if case in PEERS:
        return PEERS[case]
    if case == "k check":
        return k_check
    name, _, dask = case.partition(" on ")

    def run(folder: Path, out: Path) -> None:
        if not dask:
            masked(folder, out, name, Threads(workers))
            return
        with Cluster(workers=workers) as cluster:
            # What is timed is the work: a cluster is there before.
            ready.append((time.perf_counter(), _cpu()))
            masked(folder, out, name, cluster)
            ready.append((time.perf_counter(), _cpu()))

    return run


ready: list[tuple[float, float]] = []


def _cpu() -> float:
    """CPU seconds of this process and its children, running or not."""
    own = sum(os.times()[:4])
    return own + sum(_cpu_of(each) for each in _below(os.getpid()))


def _cpu_of(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _below(process: int) -> list[int]:
    """The processes that a process started, and those that these did."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = [int(each) for each in task.read_text().split()]
        except OSError:
            continue
        for child in children:
            found += [child, *_below(child)]
    return found


def measured(case: str, folder: Path, workers: int) -> None:
    """Run a case in this process, and print what it needed."""
    work = work_of(case, workers)
    with tempfile.TemporaryDirectory(dir=folder) as room:
        begun = (time.perf_counter(), _cpu())
        work(folder, Path(room) / "out")
        ended = (time.perf_counter(), _cpu())
        if ready:
            begun, ended = ready
    held = Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]
    print(json.dumps({"wall": ended[0] - begun[0], "cpu": ended[1] - begun[1], "peak": int(held) * 1024}))


def run(case: str, folder: Path, workers: int) -> Ran:
    """What a case needed in a fresh process; memory of several processes is looked at twenty times a second."""
    command = [sys.executable, "-m", "bench.engine", "--case", case, "--folder", str(folder)]
    process = subprocess.Popen([*command, "--workers", str(workers)], stdout=subprocess.PIPE, text=True)
    most = 0

    def watch() -> None:
        nonlocal most
        while process.poll() is None:
            most = max(most, sum(_resident(each) for each in (process.pid, *_below(process.pid))))
            time.sleep(0.05)

    watching = threading.Thread(target=watch)
    watching.start()
    told, _ = process.communicate()
    watching.join()
    if process.returncode:
        raise SystemExit(f"{case} ended with {process.returncode}")
    found = json.loads(told.splitlines()[-1])
    return Ran(found["wall"], found["cpu"], max(most, found["peak"]))


def _resident(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def interpreter() -> int:
    """The bytes that a bare Python holds."""
    code = "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"
    told = subprocess.run([sys.executable, "-I", "-S", "-c", code], stdout=subprocess.PIPE, check=True)
    return int(told.stdout) * 1024


def loss_above_exact(folder: Path) -> float:
    """The squared error of blocks over that of MDAV of the whole table, on the first million, in z-scores."""
    records = min(COMPARED, pl.scan_parquet(folder / "numbers").select(pl.len()).collect().item())
    first = folder / "first.parquet"
    pl.scan_parquet(folder / "numbers" / "*.parquet").head(records).sink_parquet(first)
    original = dc.read(first, roles=dict.fromkeys(NUMBERS, "quasi-identifier"))
    plan = dc.Plan.of([PLANS["microaggregate"]])
    release = dc.protect(dc.scan(first, roles={}, rest="quasi-identifier"), plan, seed=1, order="kept")
    out = release.save(folder / "blocks", force=True) / "public" / "first"
    try:
        frames = [pl.read_parquet(out / "*.parquet"), dc.protect(original, plan, seed=1).table.frame]
    finally:
        shutil.rmtree(folder / "blocks")
        first.unlink()
    truth = original.frame.to_numpy()
    errors = [np.square((each.to_numpy() - truth) / truth.std(axis=0)).sum() for each in frames]
    return float(errors[0] / errors[1])


def judged(found: float, bar: float | None) -> str:
    """A figure with its bar, where it has one."""
    if bar is None:
        return f"{found:.2f}"
    return f"{found:.2f} (bar {bar:g}: {'met' if found <= bar else 'MISSED'})"


def line(case: str, ran: dict[str, Ran], bare: int, records: int) -> dict[str, object]:
    """A row of the table: what a case needed, with the bars that it meets or misses."""
    own = ran[case]
    name, _, dask = case.partition(" on ")
    bar = Bar(name, DASK_BAR) if dask else BARS.get(name)
    memory = own.peak - bare
    most = bar.memory if bar else None
    if records >= LARGE and case not in PEERS:
        most = LARGE_MEMORY
    told: dict[str, object] = {"case": case, "wall s": own.wall, "CPU s": own.cpu}
    told["GB"] = judged(memory / GB, None if most is None else most / GB)
    told["beside"] = bar.peer if bar and bar.peer in ran else ""
    told["times"] = judged(own.wall / ran[bar.peer].wall, bar.times) if bar and bar.peer in ran else ""
    return told


def cases(only: list[str] | None) -> list[str]:
    """The cases to run, each after its peer."""
    chosen = only or [*BARS, "noise on dask", "microaggregate on dask"]
    wanted: list[str] = []
    for case in chosen:
        name, _, dask = case.partition(" on ")
        before = name if dask else BARS[name].peer if name in BARS else None
        wanted += [each for each in (before, case) if each]
    return list(dict.fromkeys(wanted))


def main() -> None:
    """Print a line for each case, and the loss of blocks."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, default=RECORDS)
    parser.add_argument("--folder", type=Path, help="where the data stay; a temporary folder otherwise")
    parser.add_argument(
        "--only", action="append", help="a case, such as noise or 'noise on dask'; may repeat"
    )
    parser.add_argument("--workers", type=int, default=2, help="threads or workers")
    parser.add_argument(
        "--no-loss", action="store_true", help="leave out the comparison with MDAV of the whole table"
    )
    parser.add_argument("--case", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        measured(given.case, given.folder, given.workers)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = (given.folder or Path(temporary)) / f"register-{given.records}"
        report(folder, given.records, cases(given.only), given.workers, loss=not given.no_loss)


def report(folder: Path, records: int, wanted: list[str], workers: int, *, loss: bool) -> None:
    """Run the cases, and print the table."""
    on_keys = {"copy keys", "group", "k check", *ON_KEYS}
    if not on_keys.isdisjoint(wanted):
        written(folder / "keys", records, categories)
    if set(wanted) - on_keys:
        written(folder / "numbers", records, numbers)
    bare = interpreter()
    print(f"{records:,} records x 7, {workers} threads or workers", flush=True)
    ran: dict[str, Ran] = {}
    for case in wanted:
        ran[case] = run(case, folder, workers)
        print(f"{case}: {ran[case].wall:.1f} s wall, {ran[case].cpu:.1f} s CPU", file=sys.stderr, flush=True)
    print(table([line(case, ran, bare, records) for case in wanted]), flush=True)
    if loss and "microaggregate" in wanted:
        print(
            f"loss beside MDAV of the whole table: {judged(loss_above_exact(folder), LOSS_BAR)}", flush=True
        )


if __name__ == "__main__":
    main()
