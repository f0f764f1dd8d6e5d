"""Arrow files that the steps of a plan leave for each other, in a private folder that is gone in the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from discreet.table import IntArray
from discreet.writing.unfinished import unfinished

PRIVATE = 0o700


@contextmanager
def scratch_beside(place: Path) -> Iterator[Path]:
    """A private folder beside a place, gone when the block ends; what a killed process left there goes first."""
    with unfinished(place.parent / f"{place.name}.scratch", lambda path: path.mkdir(mode=PRIVATE)) as folder:
        yield folder


class Cut(NamedTuple):
    """A file of records that were sorted into bins: those of bin b are at starts[b] to starts[b + 1]."""

    path: str
    starts: IntArray

    def frame(self, bins: range) -> pl.DataFrame:
        """The records of some neighbouring bins."""
        start, stop = int(self.starts[bins.start]), int(self.starts[bins.stop])
        return pl.scan_ipc(self.path).slice(start, stop - start).collect()


def write_arrow(frame: pl.DataFrame, path: Path) -> None:
    """Writes a scratch file, whole or not at all, so that a piece of work can be done again."""
    partly = path.with_name(f"{path.name}.partly")
    frame.rechunk().write_ipc(partly, compression="uncompressed")
    partly.replace(path)


def write_array(values: NDArray[Any], path: Path) -> None:
    """The same for an array."""
    partly = path.with_name(f"{path.name}.partly")
    with partly.open("wb") as file:
        np.save(file, values)
    partly.replace(path)


def cut_by(frame: pl.DataFrame, bins: IntArray, number: int, path: Path) -> Cut:
    """The records sorted by bin, those of one bin in the order they had, in a file."""
    write_arrow(frame.rechunk()[order_by(bins, number)], path)
    return Cut(str(path), np.concatenate([[0], np.cumsum(np.bincount(bins, minlength=number))]))


def gathered(cuts: Sequence[Cut], bins: range) -> pl.DataFrame:
    """The records of some neighbouring bins from all files, in the order of the files."""
    return pl.concat([each.frame(bins) for each in cuts], how="vertical_relaxed").rechunk()


def order_by(bins: IntArray, number: int) -> IntArray:
    """The order that sorts records by bin, those of one bin as they were."""
    # Numbers of two bytes are sorted without comparing them.
    return np.argsort(bins.astype(np.uint16) if number <= 1 << 16 else bins, kind="stable")


def put_at(places: IntArray, frame: pl.DataFrame) -> pl.DataFrame:
    """The records each at its place, where the places are all from 0 on."""
    rows = np.empty(len(places), dtype=np.uint32)
    rows[places] = np.arange(len(places), dtype=np.uint32)
    return frame[pl.Series(rows)]


def runs(sizes: IntArray, most: int) -> list[range]:
    """Neighbouring bins in runs of at most so many records, at least one bin each."""
    edges, held = [0], 0
    for place, size in enumerate(sizes.tolist()):
        if held and held + size > most:
            edges.append(place)
            held = 0
        held += size
    return [range(*pair) for pair in pairwise([*edges, len(sizes)])]
