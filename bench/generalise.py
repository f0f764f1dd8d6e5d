"""What l-diversity and t-closeness cost beside k-anonymity alone, on the Adult file in CPU seconds.

    DISCREET_DATA=FOLDER python -m bench.generalise

FOLDER holds adult.csv.gz. The 30,162 complete records are masked on nine quasi-identifiers; the class of income is
confidential. Prints the time and the loss of each goal and its ratio to k alone; the first, unmeasured call compiles
what is not compiled yet.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
from bench.timing import best_of

from discreet.mask import generalise, mondrian
from discreet.results import Masked
from discreet.table import Table

KEYS = [
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "native-country",
]
GOALS: dict[str, dict[str, Any]] = {
    "k=5": {},
    "k=5, l=2": {"l": 2},
    "k=5, l=1.5 by entropy": {"l": 1.5, "l_variant": "entropy"},
    "k=5, t=0.2": {"t": 0.2},
}
METHODS: dict[str, Callable[..., Masked]] = {
    "generalise": generalise,
    "generalise, 2% suppressed": partial(generalise, max_suppressed=0.02),
    "mondrian": mondrian,
}


def adult(folder: Path) -> Table:
    """The complete records, nine columns of them quasi-identifiers and the class of income confidential."""
    frame = pl.read_csv(folder / "adult.csv.gz").drop_nulls().select([*KEYS, "income"])
    return Table.of(frame, roles={"income": "confidential"}, rest="quasi-identifier")


def main() -> None:
    data = os.environ.get("DISCREET_DATA", "")
    if not (Path(data) / "adult.csv.gz").is_file():
        print("DISCREET_DATA names no folder with adult.csv.gz, so nothing is measured.")
        return
    table = adult(Path(data))
    for name, method in METHODS.items():
        method(table, k=5)
        alone = None
        for goal, parameters in GOALS.items():
            timed = best_of(2, partial(method, table, k=5, **parameters))
            alone = alone or timed.cpu
            facts = timed.result.facts
            told = {each: facts[each] for each in ("loss", "parts") if each in facts}
            print(f"{name}, {goal}: {timed.cpu:.2f} s, {timed.cpu / alone:.2f} times k alone, {told}")


if __name__ == "__main__":
    main()
