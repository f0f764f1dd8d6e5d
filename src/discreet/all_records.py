"""All records of a table that some records are a part of: what a mask must know of them to mask the part alone.

A mask that works by rows needs a few statistics of all records, and random numbers that do not depend on how the
records were cut into parts. Both come from here: for a table in memory from the table itself, for a dataset from one
pass over its parts. Sums are made in blocks of records of one size, in the order of the file, so that their last digit
is the same however the parts were cut.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from discreet import seeds
from discreet.table import FloatArray, IntArray, Table, power_of_two

BLOCK = 1 << 16
"""Records whose sums are added and whose random numbers are drawn together."""
BLOCK_STREAM = (1 << 20) + 16
"""The stream of a seed from which blocks beyond the first draw."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moments:
    """What sums tell of some columns of numbers, each divided by its `power` of two so that squares stay in range.

    `means` and `spreads` are of the values present, a spread of fewer than two is NaN; `covariance` is that of the
    records that miss none of the columns, NaN where there are fewer than two. `low` and `high` are not divided.
    """

    count: IntArray
    power: FloatArray
    means: FloatArray
    spreads: FloatArray
    covariance: FloatArray
    low: FloatArray
    high: FloatArray


class AllRecords(Protocol):
    """What is known of all records, for a mask that sees those from `first` on."""

    @property
    def first(self) -> int:
        """The place of the first record at hand among all."""

    def moments(self, columns: Sequence[str]) -> Moments:
        """The moments of columns of numbers over all records."""

    def numbers(self, column: str) -> FloatArray:
        """One column of numbers of all records, in their order."""

    def weights(self) -> FloatArray | None:
        """The sampling weights of all records."""

    def levels(self, column: str) -> tuple[object, ...]:
        """The categories that occur among all records, in the order of the scale."""

    def counts(self, column: str, *, weighted: bool = False) -> Mapping[object, float]:
        """How many records have each of these categories, or what these records weigh."""


class Alone:
    """A table that is no part of a larger one."""

    first = 0

    def __init__(self, table: Table) -> None:
        self.table = table

    def moments(self, columns: Sequence[str]) -> Moments:
        values = self.table.numbers(columns)
        return moments_of_parts(lambda: [values])

    def numbers(self, column: str) -> FloatArray:
        return self.table.numbers([column])[:, 0]

    def weights(self) -> FloatArray | None:
        return self.table.weights()

    def levels(self, column: str) -> tuple[object, ...]:
        return tuple(self.counts(column))

    def counts(self, column: str, *, weighted: bool = False) -> Mapping[object, float]:
        return counts_of(self.table, column, weighted=weighted)


def counts_of(table: Table, column: str, *, weighted: bool = False) -> dict[object, float]:
    """How many records of a table have each category that occurs, in the order of the scale; or what these weigh."""
    counted = counts_by_block(table, column, weighted=weighted)
    occurring = set().union(*counted)
    return {
        level: math.fsum(each.get(level, 0.0) for each in counted)
        for level in table.levels(column)
        if level in occurring
    }


def counts_by_block(table: Table, column: str, *, weighted: bool) -> list[dict[object, float]]:
    """The same for each block of records, so that sums of weights do not depend on the parts."""
    weights = table.weights() if weighted else None
    if weights is None:
        counted = table.value_counts(column)
        counts = counted["count"].cast(float).to_list()
        return [dict(zip(counted["value"].to_list(), counts, strict=True))]
    levels = table.levels(column)
    codes = table.codes(column, levels)
    return [
        _weighed(levels, codes[start : start + BLOCK], weights[start : start + BLOCK])
        for start in range(0, max(1, len(codes)), BLOCK)
    ]


def _weighed(levels: Sequence[object], codes: IntArray, weights: FloatArray) -> dict[object, float]:
    """What the records of each category that occurs weigh."""
    present = codes >= 0
    occurs = np.bincount(codes[present], minlength=len(levels))
    summed = np.bincount(codes[present], weights=weights[present], minlength=len(levels)).tolist()
    return {levels[place]: float(summed[place]) for place in np.flatnonzero(occurs).tolist()}


class RowBlock(NamedTuple):
    """Some of the records at hand, and the generator that they draw from."""

    rows: slice
    generator: np.random.Generator


def row_blocks(seed: seeds.Seed, *stream: int, first: int, records: int) -> Iterator[RowBlock]:
    """The records from `first` on in blocks, each with a generator that is its own whatever the part.

    `first` begins a block. The first block of a table draws from the stream itself, further ones from streams beside
    it; a table without records is one empty block.
    """
    if first % BLOCK:
        raise ValueError(f"a part must begin with a block of {BLOCK} records; got record {first}")
    for start in range(0, max(1, records), BLOCK):
        number = (first + start) // BLOCK
        own = stream if number == 0 else (*stream, BLOCK_STREAM, number)
        yield RowBlock(slice(start, min(start + BLOCK, records)), seeds.generator(seed, *own))


def drawn_by_rows(
    draw: Callable[[np.random.Generator, int], FloatArray], seed: seeds.Seed, *, first: int, records: int
) -> FloatArray:
    """What `draw` gives for so many records of each block, one after the other."""
    blocks = row_blocks(seed, first=first, records=records)
    return np.concatenate([draw(block.generator, block.rows.stop - block.rows.start) for block in blocks])


class Sums(NamedTuple):
    """The sums of one block of records; those of complete records apart."""

    present: IntArray
    sums: FloatArray
    low: FloatArray
    high: FloatArray
    complete: int
    sums_of_complete: FloatArray


class Centre(NamedTuple):
    """What the sums of all blocks tell: counts and means, those of complete records apart, and the range."""

    present: IntArray
    power: FloatArray
    means: FloatArray
    complete: int
    means_of_complete: FloatArray
    low: FloatArray
    high: FloatArray


class Squares(NamedTuple):
    """The squares about the means summed over one block of records, and the products of its complete ones."""

    squares: FloatArray
    products: FloatArray


def moments_of_parts(parts: Callable[[], Iterable[FloatArray]]) -> Moments:
    """The moments of numbers that come in parts of whole blocks, which are gone through twice.

    The second pass is about the means, so that no digits cancel.
    """
    centre = centre_of([each for part in parts() for each in sums_of(part)])
    return moments_about(centre, [each for part in parts() for each in squares_of(part, centre)])


def sums_of(part: FloatArray) -> list[Sums]:
    """The sums of the blocks of a part: the first pass."""
    return [_sums(block) for block in _blocks(part)]


def centre_of(sums: Sequence[Sums]) -> Centre:
    """What the sums of all blocks tell."""
    low, high = np.min([each.low for each in sums], axis=0), np.max([each.high for each in sums], axis=0)
    ends = np.where(np.isfinite(low), low, np.nan), np.where(np.isfinite(high), high, np.nan)
    power = power_of_two(np.stack(ends))
    present: IntArray = np.stack([each.present for each in sums]).sum(axis=0)
    complete = sum(each.complete for each in sums)
    means = exact_sum([each.sums / power for each in sums]) / np.maximum(1, present)
    of_complete = exact_sum([each.sums_of_complete / power for each in sums]) / max(1, complete)
    return Centre(present, power, means, complete, of_complete, low, high)


def squares_of(part: FloatArray, centre: Centre) -> list[Squares]:
    """The squares of the blocks of a part about the means of all records: the second pass."""
    found = []
    for block in _blocks(part):
        scaled = block / centre.power
        present = ~np.isnan(scaled)
        every = bool(present.all())
        centred = scaled - centre.means
        squares = np.square(centred if every else np.where(present, centred, 0.0)).sum(axis=0)
        whole = (scaled if every else scaled[present.all(axis=1)]) - centre.means_of_complete
        found.append(Squares(squares, whole.T @ whole))
    return found


def moments_about(centre: Centre, squares: Sequence[Squares]) -> Moments:
    """The moments, once both passes are made."""
    count, complete = centre.present, centre.complete
    with np.errstate(invalid="ignore", divide="ignore"):
        summed = exact_sum([each.squares for each in squares])
        variances = np.where(count > 1, summed / (count - 1), np.nan)
        products = exact_sum([each.products for each in squares])
        covariance = products / (complete - 1 if complete > 1 else np.nan)
    return Moments(
        count=count,
        power=centre.power,
        means=centre.means,
        spreads=np.sqrt(variances),
        covariance=covariance,
        low=centre.low,
        high=centre.high,
    )


def _blocks(part: FloatArray) -> Iterator[FloatArray]:
    """The records of a part in blocks; a part without records is one empty block."""
    for start in range(0, max(1, len(part)), BLOCK):
        yield part[start : start + BLOCK]


def _sums(block: FloatArray) -> Sums:
    present = ~np.isnan(block)
    every = bool(present.all())
    low = _ends(block if every else np.where(present, block, np.inf), lowest=True)
    high = _ends(block if every else np.where(present, block, -np.inf), lowest=False)
    count = np.full(block.shape[1], len(block)) if every else present.sum(axis=0)
    # A division by a power of two is exact, and keeps the sum of very large numbers in range.
    power = power_of_two(np.where(count > 0, np.stack([low, high]), 0.0))
    if every:
        sums = (block / power).sum(axis=0) * power
        return Sums(count, sums, low, high, len(block), sums)
    complete = block[present.all(axis=1)]
    return Sums(
        present=count,
        sums=np.where(present, block / power, 0.0).sum(axis=0) * power,
        low=low,
        high=high,
        complete=len(complete),
        sums_of_complete=(complete / power).sum(axis=0) * power,
    )


def _ends(block: FloatArray, *, lowest: bool) -> FloatArray:
    """The lowest or the highest value of each column, which is found faster where a column lies in one piece."""
    columns = np.ascontiguousarray(block.T)
    found: FloatArray = (
        columns.min(axis=1, initial=np.inf) if lowest else columns.max(axis=1, initial=-np.inf)
    )
    return found


def exact_sum(parts: Sequence[FloatArray]) -> FloatArray:
    """The sum of arrays of one shape, each element rounded once."""
    stacked = np.stack(parts)
    flat = stacked.reshape(len(parts), -1)
    return np.array([math.fsum(each) for each in flat.T.tolist()]).reshape(stacked.shape[1:])
