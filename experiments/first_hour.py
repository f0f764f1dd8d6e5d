"""From a file to a release that keeps to its own limits, as a steward does it in the first hour: no line is edited.

    python -m experiments.first_hour FOLDER [NAME ...]

FOLDER holds census.csv, eia.csv and adult.csv.gz. Five more files are invented: the demo's own people, a hospital with
three records per patient, a survey with households and weights, a file in which every value is unique, and one of a
single column. For each (or for those named) `discreet inspect`, `protect` and `assess` run as commands. Printed are the
exit code of `assess`, the headlines of the release and of a second one under another seed, the share of people that
plain nearest matching of standardised columns finds (written here in NumPy, apart from the attacks of discreet; of
numbers and categories that are published as such), and wall and CPU seconds of each command.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

import discreet as dc
from discreet import demo


class Ran(NamedTuple):
    """A command that ended: its exit code, its output, and how long it took."""

    code: int
    output: str
    wall: float
    cpu: float

    @property
    def took(self) -> str:
        return f"{self.wall:.0f}/{self.cpu:.0f}"


def hospital(records: int = 3000) -> pl.DataFrame:
    """A thousand patients, each with three records or so."""
    draws = np.random.default_rng(1)
    who = draws.integers(0, records // 3, records)
    age, sex = draws.integers(0, 95, records // 3), draws.choice(["f", "m"], records // 3)
    region = draws.choice(["north", "south", "east", "west"], records // 3)
    return pl.DataFrame(
        {
            "patient_number": 100_000 + 7 * who,
            "age": age[who],
            "sex": sex[who],
            "region": region[who],
            "diagnosis": draws.choice(["flu", "asthma", "fracture", "burn"], records),
            "cost": draws.gamma(2, 500, records).round(0),
        }
    )


def survey(records: int = 2000) -> pl.DataFrame:
    """Households of three with a weight of their own."""
    draws = np.random.default_rng(2)
    homes = records // 3 + 1
    home = np.repeat(np.arange(homes), 3)[:records]
    return pl.DataFrame(
        {
            "household": home + 1,
            "region": draws.choice(["north", "south", "east", "west", "centre"], homes)[home],
            "age": draws.integers(0, 95, records),
            "sex": draws.choice(["f", "m"], records),
            "education": draws.choice(["primary", "secondary", "tertiary"], records),
            "occupation": draws.choice([f"occupation {place}" for place in range(25)], records),
            "health": draws.choice(["none", "asthma", "diabetes"], records, p=[0.7, 0.2, 0.1]),
            "weight": draws.lognormal(5, 0.4, homes)[home].round(2),
        }
    )


def unique(records: int = 500) -> pl.DataFrame:
    """No value twice."""
    draws = np.random.default_rng(3)
    return pl.DataFrame(
        {
            "amount": draws.normal(1000, 300, records),
            "height": draws.normal(170, 10, records),
            "code": [f"k{place:05d}" for place in draws.permutation(records)],
        }
    )


def single(records: int = 500) -> pl.DataFrame:
    """One column."""
    return pl.DataFrame({"age": np.random.default_rng(4).integers(0, 95, records)})


INVENTED: dict[str, Callable[[], pl.DataFrame]] = {
    "demo": lambda: demo.people(3000),
    "hospital": hospital,
    "survey": survey,
    "unique": unique,
    "single": single,
}
GIVEN = {"census": "census.csv", "eia": "eia.csv", "adult": "adult.csv.gz"}


def run(folder: Path, *arguments: str) -> Ran:
    """A command of discreet, run in the folder."""
    wall, before = time.perf_counter(), os.times()
    ended = subprocess.run(
        [sys.executable, "-m", "discreet", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Ran(ended.returncode, ended.stdout + ended.stderr, time.perf_counter() - wall, cpu)


def found_plainly(table: dc.Table, folder: Path) -> float:
    """The share of people found by the nearest published record: standardised numbers, categories apart by one.

    Among t records equally near the right one is guessed once in t.
    """
    release = dc.Release.load(folder)
    keys = [name for name in table.keys if name in release.table.names]
    plain = [name for name in keys if release.table.frame[name].dtype.is_numeric()]
    words = [name for name in keys if name not in plain and release.table.frame[name].dtype == pl.String]
    known, published = table.numbers(plain), release.table.numbers(plain)
    spread = np.nanstd(known, axis=0)
    spread[spread == 0] = 1
    chance = np.zeros(len(table))
    codes = [(_codes(table, release.table, name)) for name in words]
    for row in range(len(table)):
        apart = np.nan_to_num((((published - known[row]) / spread) ** 2), nan=2.0).sum(axis=1)
        for mine, theirs in codes:
            apart += mine[row] != theirs
        nearest = np.flatnonzero(apart <= apart.min() + 1e-9)
        chance[row] = (release.truth[nearest] == row).sum() / len(nearest)
    return float(chance.mean())


def _codes(
    original: dc.Table, published: dc.Table, name: str
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    both = [*original.frame[name].cast(pl.String).to_list(), *published.frame[name].to_list()]
    _, codes = np.unique(np.array([str(each) for each in both]), return_inverse=True)
    return codes[: len(original)], codes[len(original) :]


def measure(name: str, folder: Path, data: Path) -> str:
    """One line of the table."""
    folder.mkdir()
    if name in GIVEN:
        file = Path(shutil.copy(data / GIVEN[name], folder))
    else:
        file = folder / f"{name}.csv"
        INVENTED[name]().write_csv(file)
    inspected = run(folder, "inspect", file.name)
    protected = run(folder, "protect", file.name)
    judged = run(folder, "assess", "release", "--original", file.name, "--json")
    if judged.code not in (0, 1):
        return f"{name:9} assess ended with {judged.code}: {(inspected.output + protected.output)[-300:]}"
    again = run(folder, "protect", file.name, "--out", "again")
    other = run(folder, "assess", "again", "--original", file.name, "--json")
    headlines = [_headlines(json.loads(each.output)) for each in (judged, other)]
    plain = found_plainly(dc.read(file), folder / "release") if name != "adult" else float("nan")
    return (
        f"{name:9} {judged.code} {other.code if again.code == 0 else again.code}  {headlines[0]}  {headlines[1]}  "
        f"{plain:8.1%}  {inspected.took:>9} {protected.took:>7} {judged.took:>8}"
    )


def _headlines(found: dict[str, Any]) -> str:
    risks = {each["name"]: each["risk"] for each in found["headlines"]}
    lost = next(each["loss"] for each in found["losses"] if each["name"] == "lost")
    told = " ".join(
        f"{risks[name]:6.1%}" if name in risks else "     -" for name in ("identity", "attribute")
    )
    return f"{told} {lost:5.1f}%"


def main() -> None:
    data, *names = sys.argv[1:]
    print(
        "          exit  identity attribute lost  (again)                plain     inspect protect   assess (wall/CPU)"
    )
    with tempfile.TemporaryDirectory() as work:
        for name in names or [*INVENTED, *GIVEN]:
            print(measure(name, Path(work) / name, Path(data)), flush=True)


if __name__ == "__main__":
    main()
