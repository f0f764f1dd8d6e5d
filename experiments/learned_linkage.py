"""The worst case of linkage on six masked files of the Census data, beside the published figures.

    python experiments/learned_linkage.py FOLDER [--records 400] [--seed 0] [--seconds 300] [--standardised]
        [--files M4-33 M5-38] [--distances WM CI]

FOLDER holds census.csv. Each file is a random part of the records, some columns microaggregated by MDAV in groups. The
published files were made on the values as they are, without standardising; `--standardised` shows how different the
others are. The records that were drawn were not published, so that the figures agree in their neighbourhood only. A
result that was not proven to be the most is printed with its bound.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.clustering.mdav import mdav
from discreet.attack.learning.gradient import gradient
from discreet.attack.learning.learn import learn
from discreet.attack.learning.relink import relink, relink_points

Floats = NDArray[np.float64]
Groups = tuple[tuple[tuple[int, ...], int], ...]

FILES: dict[str, Groups] = {
    "M4-33": (((0, 1), 3), ((2, 3), 3)),
    "M4-28": (((0, 1), 2), ((2, 3), 8)),
    "M4-82": (((0, 1), 8), ((2, 3), 2)),
    "M5-38": (((0, 1, 2), 3), ((3, 4), 8)),
    "M6-385": (((0, 1), 3), ((2, 3), 8), ((4, 5), 5)),
    "M6-853": (((0, 1), 8), ((2, 3), 5), ((4, 5), 3)),
}
"""The columns of each group and its k."""

DISTANCES: dict[str, tuple[str, bool]] = {
    "WM": ("weighted", False),
    "WMm": ("weighted", True),
    "OWA": ("owa", False),
    "OWAm": ("owa", True),
    "CI": ("choquet", False),
    "CIm": ("choquet", True),
    "SB": ("bilinear", False),
    "SBm": ("bilinear", True),
    "SB_NC": ("bilinear_free", False),
}

PUBLISHED: dict[str, tuple[float | None, ...]] = {
    "AM": (84.00, 68.50, 71.00, 39.75, 78.00, 84.75),
    "Mahalanobis": (94.00, 90.00, 92.75, 88.25, 98.50, 98.00),
    "WM": (95.50, 93.00, 94.25, 90.50, 99.25, 98.75),
    "WMm": (95.50, 93.00, 94.25, 90.50, 99.25, 98.75),
    "OWA": (89.00, 87.50, 88.25, 67.50, 94.50, 95.50),
    "OWAm": (89.00, 87.50, 88.25, 67.50, 94.50, 95.50),
    "CI": (95.75, 93.75, 94.25, 91.25, 99.75, 99.25),
    "CIm": (95.75, 93.75, 94.25, 90.50, 99.50, 98.75),
    "SB": (96.75, 94.50, 95.25, 92.25, 99.75, 99.50),
    "SBm": (None, None, None, None, None, None),
    "SB_NC": (96.75, 94.50, 95.25, 92.25, 99.75, 99.50),
    "gradient": (None, 91.75, None, 86.75, None, None),
}
PUBLISHED_SECONDS: dict[str, tuple[float, ...]] = {
    "WM": (29.83, 41.37, 24.33, 718.43, 11.81, 17.77),
    "WMm": (3.43, 6.26, 2.26, 190.75, 4.34, 6.72),
    "CI": (280.24, 427.75, 242.86, 42731.22, 24.17, 87.43),
    "CIm": (155.07, 441.99, 294.98, 4017.16, 79.43, 829.81),
    "SB_NC": (32.04, 2793.81, 150.66, 10592.99, 13.65, 14.11),
    "SB": (13.67, 3479.06, 139.59, 169049.55, 13.93, 13.70),
}


class Outcome(NamedTuple):
    """The share re-identified in percent, the proven limit of it, and the seconds it took."""

    percent: float
    limit: float
    seconds: float


def read_census(folder: Path) -> Floats:
    """The records of census.csv in the order of the file."""
    return np.loadtxt(folder / "census.csv", delimiter=",", skiprows=1)


def masked_file(
    census: Floats, name: str, *, records: int = 400, seed: int = 0, standardised: bool = False
) -> tuple[Floats, Floats]:
    """A random part of the records and the same microaggregated, as the file of this name was."""
    columns = sum(len(group) for group, _ in FILES[name])
    rows = np.arange(len(census))
    if records < len(census):
        rows = np.sort(np.random.default_rng(seed).choice(len(census), records, replace=False))
    original = np.ascontiguousarray(census[rows, :columns])
    masked = original.copy()
    for group, k in FILES[name]:
        part = original[:, list(group)]
        labels = mdav((part - part.mean(axis=0)) / part.std(axis=0) if standardised else part, k)
        size = np.bincount(labels)
        for column in group:
            # One mean for the whole group: its members stay tied to the last bit.
            masked[:, column] = (np.bincount(labels, original[:, column]) / size)[labels]
    return original, masked


def mahalanobis(original: Floats, masked: Floats) -> int:
    """How many records the Mahalanobis distance of the values as they are re-identifies."""
    inverse = np.linalg.pinv(np.cov((original - masked).T))
    return int(relink_points(original, masked, "bilinear", (inverse + inverse.T) / 2).sum())


def outcome(name: str, original: Floats, masked: Floats, *, seconds: float, seed: int = 0) -> Outcome:
    """What one kind of linkage re-identifies."""
    records, columns = original.shape
    began = time.monotonic()
    if name == "AM":
        equal = np.full(columns, 1 / columns)
        found = bound = int(relink(original, masked, distance="weighted", parameters=equal).sum())
    elif name == "Mahalanobis":
        found = bound = mahalanobis(original, masked)
    elif name == "gradient":
        steps = gradient(original, masked, seconds=seconds, seed=seed)
        found, bound = steps.found, steps.bound
    else:
        distance, metric = DISTANCES[name]
        worst = learn(original, masked, distance=distance, metric=metric, seconds=seconds, seed=seed)
        found, bound = worst.found, worst.bound
    return Outcome(100 * found / records, 100 * bound / records, time.monotonic() - began)


def told(name: str, place: int, result: Outcome) -> str:
    """One line: what was found beside what was published."""
    percent, seconds = PUBLISHED[name][place], PUBLISHED_SECONDS.get(name)
    limit = "proven" if result.limit == result.percent else f"<= {result.limit:.2f}"
    limit = "" if name in ("AM", "Mahalanobis") else limit
    here = f"{result.percent:7.2f} {limit:>9} {result.seconds:8.1f} s"
    there = "      -" if percent is None else f"{percent:7.2f}"
    return f"  {name:<12}{here}   published {there}" + (f" in {seconds[place]:9.1f} s" if seconds else "")


def main() -> None:
    parser = argparse.ArgumentParser(description="The worst case of linkage on six masked files.")
    parser.add_argument("folder", nargs="?", default=os.environ.get("DISCREET_DATA", "shared/data"))
    parser.add_argument("--records", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--standardised", action="store_true", help="microaggregate standardised values")
    parser.add_argument("--files", nargs="+", choices=FILES, default=list(FILES))
    parser.add_argument("--distances", nargs="+", choices=PUBLISHED, default=list(PUBLISHED))
    asked = parser.parse_args()
    census = read_census(Path(asked.folder))
    for name in asked.files:
        original, masked = masked_file(
            census, name, records=asked.records, seed=asked.seed, standardised=asked.standardised
        )
        print(f"\n{name}: {len(original)} records, percent re-identified", flush=True)
        for each in asked.distances:
            result = outcome(each, original, masked, seconds=asked.seconds, seed=asked.seed)
            print(told(each, list(FILES).index(name), result), flush=True)


if __name__ == "__main__":
    main()
