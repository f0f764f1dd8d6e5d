"""Seconds for WordNet: read from its files, loaded from the cache, all distances, the space of a file, its centroids.

    python bench/ontology.py

The bars, in CPU seconds: nouns from the cache in less than 0.5, and all logSC distances between 2331 nouns in less
than 1.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np

from discreet.ontology import DISTANCES, Gathering, Space, distance, wordnet

T = TypeVar("T")
VALUES = 2331
CACHE_BAR = 0.5
MATRIX_BAR = 1.0


def timed(what: str, work: Callable[[], T], *, bar: float | None = None) -> T:
    """The result, after printing the CPU and wall seconds it took."""
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    told = "" if bar is None else f"   bar {bar:g}: {'met' if cpu < bar else 'MISSED'}"
    print(f"{what:<44} {cpu:8.3f} {wall:8.3f}{told}")
    return result


def one_by_one(space: Space) -> int:
    """The centroid after each of the values has joined a group, as adaptive microaggregation asks for it."""
    group = Gathering(space)
    last = 0
    for value in range(len(space)):
        group.add(value)
        last = group.centroid()
    return last


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        print(f"{'':<44} {'CPU s':>8} {'wall s':>8}")
        timed("nouns from the WordNet files, no cache", lambda: wordnet(cache=False))
        timed("nouns from the WordNet files, cache written", wordnet)
        nouns = timed("nouns from the cache", wordnet, bar=CACHE_BAR)
    chosen = np.sort(np.random.default_rng(1).choice(len(nouns), VALUES, replace=False))
    for name in DISTANCES:
        measured = distance(nouns, name)
        bar = MATRIX_BAR if name == "log_sc" else None
        timed(f"{name}, {VALUES} x {VALUES} nouns", partial(measured.matrix, chosen), bar=bar)
    space = timed(f"space of {VALUES} nouns", lambda: Space.of(distance(nouns), chosen))
    print(f"{'':<44} {len(space.concepts)} candidates")
    timed(f"{VALUES} centroids of a growing group", lambda: one_by_one(space))


if __name__ == "__main__":
    main()
