"""Which columns leak when some are masked less: the weights of the worst case find the ones with least noise.

    python experiments/key_attributes.py FOLDER [--records 400] [--seed 0] [--seconds 300] [--charts FOLDER]

FOLDER holds census.csv. The first seven columns get additive noise of 1 to 7 percent of their standard deviations.
Printed is what each column re-identifies alone, and the weights learned from all of them, beside the published ones;
then what a fuzzy measure of pairs says. So little noise leaves everybody re-identified under many weights: those here
are drawn towards the columns' precisions, those published are where a solver happened to end. With --charts the
charts are saved there as pages.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.attack.learning.charts import lattice_chart, pairs_chart, weights_chart
from discreet.attack.learning.keys import KeyColumns, key_columns
from discreet.attack.learning.learn import Learned, learn
from discreet.attack.learning.relink import relink

Floats = NDArray[np.float64]
PERCENT = (1, 2, 3, 4, 5, 6, 7)
PUBLISHED_WEIGHTS = (0.9797, 0.0148, 0.0050, 0.0, 0.0, 0.0005, 0.0)
PUBLISHED_ALONE = (29.5, 14.75, 10.5, 6.75, 7.0, 4.25, 4.0)


class Files(NamedTuple):
    """The names of the columns, the records, and the same with noise."""

    names: tuple[str, ...]
    original: Floats
    masked: Floats


def noisy_file(path: Path, *, records: int = 400, seed: int = 0) -> Files:
    """A random part of the records, and the same with noise that grows from column to column."""
    with path.open(encoding="utf-8") as file:
        names = tuple(file.readline().strip().split(",")[: len(PERCENT)])
    census = np.loadtxt(path, delimiter=",", skiprows=1)[:, : len(PERCENT)]
    random = np.random.default_rng(seed)
    original = census[np.sort(random.choice(len(census), min(records, len(census)), replace=False))]
    spread = original.std(axis=0) * np.array(PERCENT) / 100
    return Files(names, original, original + spread * random.standard_normal(original.shape))


def alone(files: Files) -> list[float]:
    """The percentage that each column re-identifies by itself."""
    one = np.ones(1)
    columns = zip(files.original.T[:, :, None], files.masked.T[:, :, None], strict=True)
    return [100 * float(relink(*column, distance="weighted", parameters=one).mean()) for column in columns]


def learned_keys(
    files: Files, distance: str, *, additivity: int | None = None, seconds: float = 300.0, seed: int = 0
) -> tuple[Learned, KeyColumns]:
    """The worst case for a distance, and what it says about the columns."""
    worst = learn(
        files.original, files.masked, distance=distance, additivity=additivity, seconds=seconds, seed=seed
    )
    return worst, key_columns(worst, files.names)


def save_charts(folder: Path, weights: KeyColumns, measure: KeyColumns) -> None:
    """The charts of both as pages in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    weights_chart(weights).save(folder / "weights.html")
    pairs_chart(measure).save(folder / "interaction.html")
    lattice_chart(measure, at_least=0.9).save(folder / "lattice.html")


def main() -> None:
    parser = argparse.ArgumentParser(description="Which columns leak when some are masked less.")
    parser.add_argument("folder", nargs="?", default=os.environ.get("DISCREET_DATA", "shared/data"))
    parser.add_argument("--records", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--charts", type=Path, default=None)
    asked = parser.parse_args()
    files = noisy_file(Path(asked.folder) / "census.csv", records=asked.records, seed=asked.seed)
    worst, weights = learned_keys(files, "weighted", seconds=asked.seconds, seed=asked.seed)
    print(worst)
    print(f"{'column':<10}{'noise':>6}{'alone %':>9}{'published':>11}{'weight':>9}{'published':>11}")
    for place, share in enumerate(alone(files)):
        name = files.names[place]
        print(
            f"{name:<10}{PERCENT[place]:>5}%{share:>9.2f}{PUBLISHED_ALONE[place]:>11.2f}"
            f"{weights.columns[name]:>9.4f}{PUBLISHED_WEIGHTS[place]:>11.4f}"
        )
    worst, measure = learned_keys(files, "choquet", additivity=2, seconds=asked.seconds, seed=asked.seed)
    print(
        f"\n{worst}\nShapley values: "
        + ", ".join(f"{name} {share:.4f}" for name, share in measure.columns.items())
    )
    if asked.charts is not None:
        save_charts(asked.charts, weights, measure)


if __name__ == "__main__":
    main()
