"""Writing values as a file of any format that discreet knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from pkgutil import resolve_name

import polars as pl

from discreet.dialect import Dialect
from discreet.errors import BadFile, BadTable, Mismatch, listed
from discreet.formats import BY_ENDING, WRITTEN, released_ending
from discreet.reading.content import file_digest
from discreet.table import Column
from discreet.writing.atomic import new_file, refuse_overwrite
from discreet.writing.csv import fitting_dialect
from discreet.writing.options import WriteOptions
from discreet.writing.plain import check_plain
from discreet.writing.reread import reread


def write_frame(
    frame: pl.DataFrame,
    columns: Sequence[Column],
    path: str | Path,
    *,
    force: bool = False,
    private: bool = False,
    original: str | Path | None = None,
    spreadsheet_safe: bool = False,
) -> str:
    """The SHA-256 digest of the file as it was written, whole or not at all.

    The format follows from the ending of the name. The same values give the same bytes. Labels, value labels
    and missing codes go into the formats that have them. With `spreadsheet_safe`, texts of a CSV file that a
    spreadsheet would run as formulas get an apostrophe before them, as `reread` must be told.

    Raises WouldOverwrite where the file is there already and `force` is not set, or where it is the `original`,
    whatever `force` says; BadFile where the ending is of no format that can be written or the disk refuses; BadTable
    where the format cannot hold the values as they are.
    """
    place = Path(path)
    write = _writer(frame, columns, place, fitting_dialect(None, frame, place))
    refuse_overwrite(place, force, original)
    with new_file(place, force=force, private=private) as temporary:
        write(temporary, spreadsheet_safe)
    return file_digest(place)


def write_new_frame(
    frame: pl.DataFrame, columns: Sequence[Column], place: Path, *, spreadsheet_safe: bool, dialect: Dialect
) -> None:
    """Writes a file that is not there yet, as `write_frame` does, for a caller who takes its digest when reading it."""
    write = _writer(frame, columns, place, dialect)
    with new_file(place) as temporary:
        write(temporary, spreadsheet_safe)


def _writer(
    frame: pl.DataFrame, columns: Sequence[Column], place: Path, dialect: Dialect
) -> Callable[[Path, bool], None]:
    """What writes the values in the format of the name; raises where that cannot hold them."""
    ending = place.suffix.lower()
    chosen = BY_ENDING.get(ending)
    if chosen is None or chosen.write is None or ending not in chosen.written:
        raise BadFile(_not_written(place))
    if [each.name for each in columns] != frame.columns:
        raise BadTable("the columns described are not those of the frame.")
    check_plain(frame)
    refuse_types(frame.schema, ending)
    put, exact = resolve_name(chosen.write), chosen.read_exactly is not None

    def write(temporary: Path, spreadsheet_safe: bool) -> None:
        told = WriteOptions(
            columns=columns, ending=ending, spreadsheet_safe=spreadsheet_safe, dialect=dialect
        )
        put(frame, temporary, told)
        if not exact:
            _check_exact(frame, temporary, ending)

    return write


def refuse_types(types: Mapping[str, pl.DataType], ending: str) -> None:
    """Raises BadTable where columns are of a type that a file with this ending has no way to write."""
    if BY_ENDING[ending].name == "csv":
        lengths = [name for name, dtype in types.items() if dtype == pl.Duration]
        if lengths:
            raise BadTable(
                f"a {ending} file cannot hold lengths of time, as {listed(lengths)} are. Make numbers of them, or "
                "choose parquet."
            )
    if ending == ".xlsx":
        zoned = [name for name, dtype in types.items() if isinstance(dtype, pl.Datetime) and dtype.time_zone]
        if zoned:
            raise BadTable(
                f"an .xlsx file cannot hold times with a zone, as {listed(zoned)} are. Choose csv or parquet."
            )


def _check_exact(frame: pl.DataFrame, written: Path, ending: str) -> None:
    """Raises BadTable where the file does not give back the values that went into it."""
    try:
        kept = reread(written, frame)
    except Mismatch:
        raise BadTable(
            f"a {ending} file cannot hold this table: it comes back with other records, as it does where the last "
            "ones are all missing, or where there is no room on the disk. Choose csv or parquet."
        ) from None
    lost = [each.name for each in frame if not each.equals(kept[each.name], null_equal=True)]
    if lost:
        raise BadTable(
            f"a {ending} file cannot hold {listed(lost)} exactly: it has no empty texts, blanks at the end of texts, "
            "very large numbers or small parts of a second. Choose csv or parquet."
        )


def _not_written(path: Path) -> str:
    ending = path.suffix.lower()
    known = BY_ENDING.get(ending)
    if known is None or known.write is not None:
        return f"{path.name}: cannot write a file that ends in '{path.suffix}'; it may end in {', '.join(WRITTEN)}."
    instead = released_ending(ending)
    return f"{path.name}: {ending} files cannot be written; {known.title} also reads {instead}, which can."
