"""Writing values as a file of any format that discreet knows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from discreet.errors import BadFile, BadTable
from discreet.reading.bytes_of import digest_of
from discreet.table import Column
from discreet.writing.arrow import write_arrow, write_parquet
from discreet.writing.atomic import new_file, refuse_overwrite
from discreet.writing.csv import write_csv
from discreet.writing.plain import check_plain

WRITERS = {
    ".csv": write_csv,
    ".parquet": write_parquet,
    ".pq": write_parquet,
    ".arrow": write_arrow,
    ".feather": write_arrow,
}


def write_frame(
    frame: pl.DataFrame,
    columns: Sequence[Column],
    path: str | Path,
    *,
    force: bool = False,
    private: bool = False,
    original: str | Path | None = None,
) -> str:
    """The SHA-256 digest of the file as it was written, whole or not at all.

    The format follows from the ending of the name. The same values give the same bytes. Raises WouldOverwrite
    where the file is there already and `force` is not set, or where it is the `original`, whatever `force` says;
    BadFile where the format cannot be written or the disk refuses.
    """
    place = Path(path)
    writer = WRITERS.get(place.suffix.lower())
    if writer is None:
        raise BadFile(_not_written(place))
    if [each.name for each in columns] != frame.columns:
        raise BadTable("the columns described are not those of the frame.")
    check_plain(frame)
    refuse_overwrite(place, force, original)
    with new_file(place, force=force, private=private) as temporary:
        writer(frame, temporary)
        return digest_of(temporary)


def _not_written(path: Path) -> str:
    known = ", ".join(WRITERS)
    if path.suffix.lower() == ".sas7bdat":
        return f"{path.name}: .sas7bdat files cannot be written; SAS also reads .xpt, which can."
    return f"{path.name}: cannot write a file that ends in '{path.suffix}'; it may end in {known}."
