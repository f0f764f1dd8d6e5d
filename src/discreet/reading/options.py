"""What is given of how a file is read, over what its project says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from discreet.errors import UnknownColumn, did_you_mean
from discreet.project import ReadOptions


def options_with(
    base: ReadOptions,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    missing: Sequence[str] | None = None,
    sheet: str | None = None,
    header: bool | None = None,
    formats: Mapping[str, str] | None = None,
    missing_in: Mapping[str, Sequence[str]] | None = None,
) -> ReadOptions:
    """The options of a project, overruled by those given."""
    return replace(
        base,
        delimiter=delimiter or base.delimiter,
        encoding=encoding or base.encoding,
        decimal=decimal or base.decimal,
        missing=base.missing if missing is None else tuple(missing),
        sheet=sheet or base.sheet,
        header=base.header if header is None else header,
        formats={**base.formats, **(formats or {})},
        missing_in={**base.missing_in, **{name: tuple(marks) for name, marks in (missing_in or {}).items()}},
    )


def check_told_columns(file: str, names: Sequence[str], options: ReadOptions) -> None:
    """Raises UnknownColumn where it is said how a column is read that is not there."""
    for name in (*options.formats, *options.missing_in):
        if name not in names:
            near = did_you_mean(name, names)
            raise UnknownColumn(f"{file} has no column '{name}', of which it is said how it is read.{near}")
