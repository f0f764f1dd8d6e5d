"""Delimited texts as files of one dataset: the same columns in all, each of one type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

import polars as pl

from discreet.dataset import Shelf
from discreet.errors import BadValues, Mismatch, listed
from discreet.reading.csv_parts import CsvContent
from discreet.reading.fits import Fits
from discreet.table import IDENTIFYING, ColumnSpec, Scale

CATEGORIES = (Scale.NOMINAL, Scale.ORDINAL, Scale.TEXT)


def files_of_texts(
    contents: Sequence[CsvContent], specs: Mapping[str, ColumnSpec]
) -> tuple[Shelf, dict[str, pl.DataType]]:
    """The columns of all files with their types.

    Raises Mismatch where files have other columns, or a column holds numbers in one file and something else in another,
    and BadValues where one that is declared numeric holds something else.
    """
    first = contents[0]
    for each in contents[1:]:
        if list(each.fits) != list(first.fits):
            raise Mismatch(_other_columns(first, each))
    types = {name: _type_in_all(name, contents, specs[name]) for name in first.fits}
    files = tuple(file for each in contents for file in each.files(types))
    return Shelf(names=tuple(types), files=files), types


def _type_in_all(name: str, contents: Sequence[CsvContent], spec: ColumnSpec) -> pl.DataType:
    """The type that the values of a column fit in all files."""
    together = reduce(Fits.also, (each.fits[name] for each in contents))
    if spec.scale == Scale.NUMERIC and together.present and not together.dtype().is_temporal():
        if not together.numbers:
            file = next(each for each in contents if not each.fits[name].numbers)
            raise BadValues(
                f"{file.path.name}, column '{name}' is declared numeric, but not all its values are numbers. Correct "
                "them, declare the column nominal or ordinal, or list marks of missing values under [read] missing."
            )
        return together.dtype(declared_numeric=True)
    as_texts = spec.scale in CATEGORIES or spec.role in IDENTIFYING
    if not as_texts:
        _refuse_other_types(name, contents)
    return together.dtype()


def _refuse_other_types(name: str, contents: Sequence[CsvContent]) -> None:
    """Raises Mismatch where a column is of another kind in one file than in those before it."""
    holding = [each for each in contents if each.fits[name].present]
    for each in holding[1:]:
        one, other = (_kind(file.fits[name].dtype()) for file in (holding[0], each))
        if one != other:
            raise Mismatch(
                f"{each.path.name} has other types than {holding[0].path.name}: '{name}' holds {other} here and {one} "
                "there. Correct the file, list marks of missing values under [read] missing, or declare the column "
                "nominal if its values are codes."
            )


def _kind(dtype: pl.DataType) -> str:
    if dtype.is_numeric():
        return "numbers"
    if dtype.is_temporal():
        return "days" if dtype == pl.Date else "moments"
    return "texts"


def _other_columns(first: CsvContent, other: CsvContent) -> str:
    missing = [name for name in first.fits if name not in other.fits]
    more = [name for name in other.fits if name not in first.fits]
    told = [
        *([f"it lacks {listed(missing)}"] if missing else []),
        *([f"it has {listed(more)} besides"] if more else []),
    ]
    return (
        f"{other.path.name} has other columns than {first.path.name}: "
        f"{', '.join(told) or 'they are in another order'}. All files of a dataset have the same columns and types, in "
        "the same order."
    )
