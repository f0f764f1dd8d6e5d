"""Seconds that spherical microaggregation takes, as ratios to row-by-row products in SciPy that are run beside it.

    python -m bench.corpora FOLDER          # about five minutes; FOLDER holds reuters.jsonl.gz
    python -m bench.corpora FOLDER --quick  # without the 100,000 documents

The bars: 7,000 documents of 5,000 terms (30 terms a row) with k=3 at least 4 times as fast as SciPy, with the identical
partition; Reuters for k = 2 to 20 in less than a minute; 100,000 documents of 30 terms with k=5 within ten minutes, in
memory that grows as the weights do.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from bench.timing import Rows, apart, best_of, table
from experiments.corpora import reuters
from numpy.typing import NDArray
from scipy.sparse import csr_array

from discreet.text.vectors.matrix import sparse, unit_rows
from discreet.text.vectors.spherical_microaggregate import groups_of, microaggregate

TERMS = 5_000
HELD = 30
AT_ONCE = 1_000


def cells(count: int, terms: int = TERMS, *, alike: bool = False) -> NDArray[np.float64]:
    """Documents of 30 terms each, as their columns and weights; terms are as unequally frequent as words, or alike."""
    draw = np.random.default_rng(1)
    frequency = np.zeros(terms) if alike else -0.9 * np.log(np.arange(1, terms + 1))
    columns = [
        drawn_columns(frequency, min(AT_ONCE, count - start), draw) for start in range(0, count, AT_ONCE)
    ]
    return np.stack([np.concatenate(columns), draw.random((count, HELD)) + 0.05])


def drawn_columns(frequency: NDArray[np.float64], count: int, draw: np.random.Generator) -> NDArray[np.int64]:
    """The terms of some documents, none of them twice in one; a copy, so that what it was drawn from is let go."""
    ranked = np.argpartition(-(frequency + draw.gumbel(size=(count, len(frequency)))), HELD, axis=1)
    return ranked[:, :HELD].copy()


def rows_of(given: NDArray[np.float64]) -> csr_array:
    """The documents as rows of length one."""
    columns, weights = given
    starts = np.arange(0, columns.size + 1, HELD)
    return unit_rows(
        sparse(
            csr_array(
                (weights.ravel(), columns.ravel().astype(np.int64), starts), shape=(len(columns), TERMS)
            )
        )
    )


def scipy_mdav(rows: csr_array, k: int) -> NDArray[np.int64]:
    """MDAV as one writes it in SciPy: the product of one row with all that are left, which are kept together."""
    labels = np.empty(rows.shape[0], dtype=np.int64)
    numbers, label = np.arange(rows.shape[0]), 0

    def take_around(place: int) -> NDArray[np.float64]:
        nonlocal rows, numbers, label
        products = np.asarray((rows @ rows[[place]].T).todense()).ravel()
        order = products.copy()
        order[place] = np.inf
        members = np.argsort(-order, kind="stable")[:k]
        labels[numbers[members]] = label
        label += 1
        keep = np.ones(len(numbers), dtype=np.bool_)
        keep[members] = False
        rows, numbers = rows[keep], numbers[keep]
        return products[keep]

    while len(numbers) >= 2 * k:
        several = len(numbers) >= 3 * k
        left = take_around(int((rows @ np.asarray(rows.sum(axis=0)).ravel()).argmin()))
        if several:
            take_around(int(left.argmin()))
    labels[numbers] = label
    return labels


def told(name: str, value: float, bar: float, *, above: bool) -> None:
    """Print a measured value with its bar."""
    met = value >= bar if above else value <= bar
    print(
        f"{name}: {value:.3g} (bar: {'at least' if above else 'at most'} {bar:g}) {'met' if met else 'MISSED'}"
    )


def against_scipy() -> None:
    """Print how many times as fast as SciPy, with the identical partition."""
    rows: Rows = []
    for alike in (False, True):
        documents = rows_of(cells(7_000, alike=alike))
        groups_of(documents[:600], 3)
        ours = best_of(3, lambda given=documents: groups_of(given, 3))  # type: ignore[misc]
        theirs = best_of(1, lambda given=documents: scipy_mdav(given, 3))  # type: ignore[misc]
        assert (ours.result == theirs.result).all(), "the partitions differ"
        kind = "equally frequent" if alike else "as in texts"
        rows.append({"terms": kind, "ours": ours.cpu, "SciPy": theirs.cpu, "ratio": theirs.cpu / ours.cpu})
    print(table(rows))
    told(
        "times as fast as SciPy, 7,000 x 5,000, k=3",
        min(float(str(row["ratio"])) for row in rows),
        4,
        above=True,
    )


def of_reuters(folder: Path) -> None:
    matrix = reuters(folder)
    seconds = best_of(1, lambda: [microaggregate(matrix, k=k, rare="keep") for k in range(2, 21)]).wall
    told(f"seconds for Reuters ({matrix}), k = 2 to 20", seconds, 60, above=False)


def hundred_thousand() -> NDArray[np.float64]:
    return cells(100_000)


def fifty_thousand() -> NDArray[np.float64]:
    return cells(50_000)


def grouped(given: NDArray[np.float64]) -> object:
    return groups_of(rows_of(given), 5)


def large() -> None:
    half, whole = apart(fifty_thousand, grouped), apart(hundred_thousand, grouped)
    told("seconds for 100,000 documents, k=5", whole.wall, 600, above=False)
    print(
        f"mebibytes above the data: {half.mebibytes:.0f} for 50,000 documents, {whole.mebibytes:.0f} for 100,000"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", default=Path("../shared/data"))
    parser.add_argument("--quick", action="store_true", help="without the 100,000 documents")
    given = parser.parse_args()
    against_scipy()
    if (given.folder / "reuters.jsonl.gz").is_file():
        of_reuters(given.folder)
    else:
        print(f"Reuters: not measured, {given.folder} holds no reuters.jsonl.gz")
    if not given.quick:
        large()


if __name__ == "__main__":
    main()
