"""Nearest records of known people among the parts of a large release: time, memory, and a sample by plain matching.

    python -m bench.judging                          # 4,000,000 records of seven numbers, 100,000 known people
    python -m bench.judging --records 20000000 --folder /tmp/judging

The release is made by `microaggregate k=5` in parts. Peak memory is the largest resident set of a process that judges
it, less that of one that imports the same. The bars: at most 2 GB, and the linkage within 3 times the partitions times
the time of one. The chances of some people are computed again from the files with plain NumPy, and must be the same.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from bench.register_in_parts import NUMBERS, numbers, written
from numpy.typing import NDArray

GB, TIMES, TIED = 2.0, 3.0, 1e-9
CHECKED = 100
"""So many people are looked for again by plain matching."""
CHUNK = 1 << 20
OTHER_WAY = "original to masked"


def made(folder: Path, records: int) -> Path:
    """The folder of the release, made where it does not lie there yet."""
    import discreet as dc

    people = written(folder / f"people-{records}", records, numbers)
    out = folder / f"release-{records}"
    if not out.exists():
        dataset = dc.scan(people, roles={}, rest="quasi-identifier")
        dc.protect(dataset, dc.Plan.of(["microaggregate k=5"]), seed=1).save(out)
    return out


def judge(folder: Path, records: int) -> dict[str, Any]:
    """What linking both ways found, and how long it took, in this process."""
    import discreet as dc
    from discreet.attack import records_in_parts
    from discreet.engine import judging
    from discreet.progress import SILENT

    dataset = dc.scan(folder / f"people-{records}", roles={}, rest="quasi-identifier")
    release = dc.Release.scan(folder / f"release-{records}")
    found: dict[str, Any] = {"records": records}
    with judging(dataset, release) as (known, published):
        room = known.room
        assert room is not None
        for direction in ("masked to original", OTHER_WAY):
            begun, used = time.perf_counter(), time.process_time()
            risk = dc.attack.link(known, published, direction=direction)  # type: ignore[arg-type]
            found[direction] = {
                "risk": risk.risk,
                "wall": time.perf_counter() - begun,
                "cpu": time.process_time() - used,
            }
        found["peak"] = peak()
        columns = records_in_parts.stored_columns(known, published, sorted(NUMBERS))
        stored = records_in_parts.stored_points(columns, room)
        queries = stored.queries.rows(room.people)
        own = records_in_parts.own_distances(stored, room.people, queries)
        work = records_in_parts.Looking(
            stored=stored, queries=queries, bounds=own, part_records=room.part_records
        )
        begun, used = time.perf_counter(), time.process_time()
        list(room.each(work, [0], SILENT, "link"))
        found["one"] = {"wall": time.perf_counter() - begun, "cpu": time.process_time() - used}
        found["partitions"] = -(-records // room.part_records)
        some = np.sort(np.random.default_rng(0).choice(len(room.people), CHECKED, replace=False))
        assert risk.records is not None
        plain = by_plain_matching(known, published, room.people[some])
        found["most_apart"] = float(np.abs(plain - risk.records[some]).max())
    return found


def by_plain_matching(known: Any, published: Any, people: NDArray[np.int64]) -> NDArray[np.float64]:
    """The chance of each of these people to be linked, from all published records."""
    names = sorted(NUMBERS)
    scales = [
        [(values.mean(), values.std()) for values in (side.whole([name]).numbers([name]) for name in names)]
        for side in (known, published)
    ]
    (mine, theirs) = (np.array(each).T for each in scales)
    queries = (known.rows(people, names).numbers(names) - mine[0]) / mine[1]
    own = np.sqrt(
        (((published.rows(people, names).numbers(names) - theirs[0]) / theirs[1] - queries) ** 2).sum(axis=1)
    )
    near, ties = np.full(len(people), np.inf), np.zeros(len(people))
    for turn in range(2):
        for _, part in published.parts(names, records=CHUNK):
            points = (part.numbers(names) - theirs[0]) / theirs[1]
            for place, query in enumerate(queries):
                apart = np.sqrt(((points - query) ** 2).sum(axis=1))
                if turn == 0:
                    near[place] = min(near[place], apart.min())
                else:
                    ties[place] += (apart <= near[place] + TIED).sum()
    return np.asarray((own <= near + TIED) / ties)


def peak() -> float:
    """The largest resident set of this process so far, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


def child(folder: Path, records: int, what: str) -> dict[str, Any]:
    """What a process of its own told."""
    told = subprocess.run(
        [
            sys.executable,
            "-m",
            "bench.judging",
            "--records",
            str(records),
            "--folder",
            str(folder),
            "--only",
            what,
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(told.stdout.splitlines()[-1])
    return found


def tell(found: dict[str, Any], empty: float) -> None:
    """The figures beside their bars."""
    bar = TIMES * found["partitions"] * found["one"]["wall"]
    print(f"{found['records']:,} records of {len(NUMBERS)} numbers in {found['partitions']} partitions")
    for direction in ("masked to original", OTHER_WAY):
        each = found[direction]
        print(
            f"  {direction}: {each['risk']:.2%} found, {each['wall']:.1f} s wall, {each['cpu']:.1f} s CPU "
            f"(bar {bar:.0f} s wall: 3 x {found['partitions']} x {found['one']['wall']:.2f})"
        )
    print(f"  peak memory above imports: {found['peak'] - empty:.2f} GB (bar {GB:g}); imports {empty:.2f} GB")
    print(f"  {CHECKED} people by plain matching: chances at most {found['most_apart']:.1e} apart")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=4_000_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--only", choices=("judge", "nothing", "make"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only is not None:
        import numba  # noqa: F401

        import discreet.attack  # noqa: F401

        if given.only == "make":
            made(given.folder, given.records)
        print(json.dumps(judge(given.folder, given.records) if given.only == "judge" else {"peak": peak()}))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        child(folder, given.records, "make")
        tell(child(folder, given.records, "judge"), child(folder, given.records, "nothing")["peak"])


if __name__ == "__main__":
    main()
