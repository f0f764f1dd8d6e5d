"""Lossy compression: the table as a grey picture, compressed and decompressed."""

from __future__ import annotations

import io
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from discreet import registry
from discreet.guarantees import WithinRange
from discreet.mask.decimals import written_like
from discreet.parameters import NUMERIC_KEYS, Masking, Whole
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.table import FloatArray, Table

WHITE = 255
TALLEST = 65_496
"""The most records of one picture: the most lines a JPEG file can have, in whole blocks of eight."""


@registry.mask(
    family="compression",
    title="Compress",
    meaning="numbers are blurred with those of neighbouring records, as a picture is by compression",
    tells=registry.Tells(
        "how strongly the picture was compressed; no attack that uses it is known, and values are compared by distance"
    ),
    splits=registry.Split.WHOLE,
    instead="add_noise, which moves numbers about as far",
    scales=registry.NUMERIC,
    missing="stays missing; in the picture it has its column's mean",
    guarantees=(
        DeclaredGuarantee("no value lies outside the smallest and the largest of its column", WithinRange),
    ),
    by_design=(
        "numbers have no more decimals than their column",
        "a column with a single value stays as it is",
    ),
    cites=("Domingo-Ferrer and Torra, Confidentiality, Disclosure and Data Access, North-Holland, 2001",),
)
def compress(
    table: Table,
    *,
    columns: Masking = NUMERIC_KEYS,
    quality: Annotated[
        int,
        Whole(at_least=1, at_most=100, usual=(5, 95), about="quality of the JPEG picture: less hides more"),
    ] = 50,
) -> Masked:
    """The table after a round through a JPEG picture: records are its lines, columns its points from left to right.

    Each column is scaled from its smallest to its largest value onto 0 to 255, the picture is compressed and
    decompressed, and the points are scaled back. What is lost depends on the neighbours, so the order of the records
    and of the columns matters. Even at the highest quality a column keeps at most 256 different values. No chance is
    involved: whoever has the same table gets the same picture.

    The method of Domingo-Ferrer and Torra 2001, with one grey point for each number.

    >>> print(dc.mask.compress(table, columns=["age", "income", "rent"], quality=50))
    compress: 400 records (bytes_of_the_picture ...)
    """
    values = table.numbers(columns)
    missing = np.isnan(values)
    low, width, middle = _ranges(values)
    filled = np.where(missing, middle, values)
    points = np.round((filled - low) / np.where(width > 0, width, 1.0) * WHITE).astype(np.uint8)
    seen, size = through_pictures(points, quality)
    fresh = np.clip(low + seen / WHITE * width, low, low + width)
    for place in range(len(columns)):
        fresh[:, place] = written_like(values[:, place], fresh[:, place])
    fresh[missing] = np.nan
    return Masked(
        table=table.with_numbers(columns, fresh),
        facts={"bytes_of_the_picture": size},
        guarantees=(WithinRange(columns=tuple(columns), before=table),),
    )


def _ranges(values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The smallest value, the width of the range and the mean of each column; zero where nothing is present."""
    present = ~np.isnan(values)
    some = present.any(axis=0)
    low = np.where(some, np.where(present, values, np.inf).min(axis=0, initial=np.inf), 0.0)
    high = np.where(some, np.where(present, values, -np.inf).max(axis=0, initial=-np.inf), 0.0)
    middle = np.where(present, values, 0.0).sum(axis=0) / np.maximum(1, present.sum(axis=0))
    return low, high - low, np.clip(middle, low, high)


def through_pictures(points: NDArray[np.uint8], quality: int) -> tuple[NDArray[np.uint8], int]:
    """The points after JPEG at this quality, and the bytes it took; tables too tall for one picture take several."""
    seen, size = points.copy(), 0
    for start in range(0, len(points), TALLEST):
        part = slice(start, start + TALLEST)
        seen[part], used = _through_picture(points[part], quality)
        size += used
    return seen, size


def _through_picture(points: NDArray[np.uint8], quality: int) -> tuple[NDArray[np.uint8], int]:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(points)).save(file, format="JPEG", quality=quality)
    size = file.tell()
    with Image.open(file) as picture:
        return np.asarray(picture, dtype=np.uint8), size
