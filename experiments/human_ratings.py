"""How well each semantic distance agrees with people: correlation with the two classic sets of noun pairs.

    python experiments/human_ratings.py FOLDER

FOLDER holds miller_charles.csv and rubenstein_goodenough.csv (word1, word2, rating). Printed is Pearson's correlation
of the rating with minus the distance, over WordNet's nouns, when every word has its first sense and when a distance is
the least over the senses, with the 95% interval of the latter (Fisher) and the published figure.

What differs from the published figures, and why, is in docs/explanation/ontologies.md.
"""

from __future__ import annotations

import csv
import math
import os
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from discreet.ontology import DISTANCES, Ontology, Space, distance, map_values, wordnet
from discreet.ontology.mapping import Senses

STUDIES = ("miller_charles", "rubenstein_goodenough")
PUBLISHED: dict[str, tuple[float | None, float | None]] = {
    "path": (0.59, None),
    "leacock_chodorow": (0.74, 0.77),
    "wu_palmer": (0.74, None),
    "log_sc": (0.85, 0.86),
    "resnik": (0.72, 0.72),
    "lin": (0.70, 0.72),
    "jiang_conrath": (0.73, 0.75),
    "tversky": (0.73, None),
    "rodriguez": (0.71, None),
    "petrakis": (0.74, None),
}


class Pair(NamedTuple):
    """Two words and how alike people find them, from 0 to 4."""

    one: str
    other: str
    rating: float


def read_pairs(path: Path) -> list[Pair]:
    """The pairs of one study."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Pair(row["word1"], row["word2"], float(row["rating"])) for row in csv.DictReader(file)]


def correlation(ontology: Ontology, pairs: list[Pair], name: str, senses: Senses) -> float:
    """Pearson's correlation of the ratings with minus the distance."""
    words = sorted({word for pair in pairs for word in pair[:2]})
    space = Space.of(distance(ontology, name), map_values(ontology, words, senses=senses))
    place = {word: number for number, word in enumerate(words)}
    apart = [space.between[place[pair.one], place[pair.other]] for pair in pairs]
    return -float(np.corrcoef(apart, [pair.rating for pair in pairs])[0, 1])


def interval(correlated: float, size: int) -> tuple[float, float]:
    """The 95% interval of a correlation of so many pairs, by Fisher's transformation."""
    middle, reach = math.atanh(correlated), 1.96 / math.sqrt(size - 3)
    return math.tanh(middle - reach), math.tanh(middle + reach)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("DISCREET_DATA", "shared/data"))
    ontology = wordnet()
    print(ontology)
    for study, name in enumerate(STUDIES):
        pairs = read_pairs(folder / f"{name}.csv")
        print(
            f"\n{name}, {len(pairs)} pairs\n{'':<18}{'first':>8}{'least':>8}{'interval':>14}{'published':>11}"
        )
        for each in DISTANCES:
            first = correlation(ontology, pairs, each, "first")
            least = correlation(ontology, pairs, each, "all")
            low, high = interval(least, len(pairs))
            published = PUBLISHED[each][study]
            told = "-" if published is None else f"{published:.2f}"
            print(f"{each:<18}{first:8.2f}{least:8.2f}{low:8.2f}-{high:.2f}{told:>11}")


if __name__ == "__main__":
    main()
