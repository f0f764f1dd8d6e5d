"""Looking at files that may be larger than memory, without reading them whole: a dataset with roles and scales."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from discreet.dataset import DataFile, Dataset, Shelf, lazy_file, records_of, stamp_of
from discreet.errors import BadFile, BadParameter, Mismatch, listed
from discreet.formats import COLUMNAR, TABLES_IN_PARTS, stem_of
from discreet.project import FILE_NAME, Project, ReadOptions
from discreet.reading.arrow import check_frame, plain_types
from discreet.reading.content import is_text
from discreet.reading.csv_parts import gone_through
from discreet.reading.options import check_told_columns, options_with
from discreet.reading.scan_texts import files_of_texts
from discreet.reading.table import check_named, spelt_out
from discreet.reading.tidy import with_marks_missing
from discreet.reading.told import frame_told
from discreet.table import ColumnSpec, Scale, Source, Table, check_single_roles, column_of


def scan(
    path: str | Path | Sequence[str | Path],
    *,
    project: str | Path | Project | None = None,
    roles: Mapping[str, str] | None = None,
    scales: Mapping[str, str] | None = None,
    orders: Mapping[str, Sequence[object]] | None = None,
    rest: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    missing: Sequence[str] | None = None,
    header: bool | None = None,
    formats: Mapping[str, str] | None = None,
    missing_in: Mapping[str, Sequence[str]] | None = None,
) -> Dataset:
    """The dataset in a Parquet, Arrow or CSV file, a folder of them, a pattern such as "people/*.csv", or a list.

    Files are taken in the order of their names, and their records one after the other; they must have the same columns
    and types. Of Parquet and Arrow nothing but the footers is read. Delimited texts are gone through once, in pieces:
    each record is checked, and a column gets the type that all its values fit, as in `read`. Roles come from a project
    file or from `roles`, and how texts are read from the project or from the options, as in `read`.

    Raises BadFile where there is no such file or one cannot be read, and Mismatch where files differ in their columns.
    """
    files = files_of(path)
    given = _given(files, project, roles, rest)
    if given is not None and (roles or scales or orders or rest):
        raise BadParameter(
            "roles, scales, orders and rest cannot be given together with a project; use one of them."
        )
    options = options_with(
        ReadOptions() if given is None else given.read,
        delimiter=delimiter,
        encoding=encoding,
        decimal=decimal,
        missing=missing,
        header=header,
        formats=formats,
        missing_in=missing_in,
    )

    def said(names: list[str]) -> Mapping[str, ColumnSpec]:
        if given is not None:
            return given.columns
        return spelt_out(names, roles or {}, scales or {}, orders or {}, rest)

    alone = isinstance(path, str | Path) and Path(path).is_file()
    name = stem_of(files[0]) if alone else files[0].resolve().parent.name
    dataset = scanned(files, options, said, by="roles" if given is None else given.path.name)
    home = "" if given is None else str(given.path.resolve().parent)
    return replace(dataset, name=name or "dataset", home=home)


def scanned(
    files: Sequence[Path],
    options: ReadOptions,
    said: Callable[[list[str]], Mapping[str, ColumnSpec]],
    *,
    by: str,
) -> Dataset:
    """The dataset in files that are read with these options, its columns described as is `said` of their names."""
    contents = [gone_through(each, options) for each in files] if is_text(files[0]) else []
    columnar = {} if contents else _types(files, options)
    names = list(contents[0].fits) if contents else list(columnar)
    specs = said(names)
    check_named(files[0].name, names, specs, by)
    check_told_columns(files[0].name, names, options)
    if contents:
        shelf, types = files_of_texts(contents, specs)
    else:
        shelf = Shelf(names=tuple(names), files=tuple(_columnar(each, options) for each in files))
        types = columnar
    types = {each: _declared(dtype, specs[each]) for each, dtype in types.items()}
    columns = tuple(column_of(specs[name], pl.Series(name, [], dtype=dtype)) for name, dtype in types.items())
    name = files[0].resolve().parent.name
    check_single_roles(name, columns)
    return Dataset(name=name, columns=columns, shelves=(shelf,), types=types)


def _declared(dtype: pl.DataType, spec: ColumnSpec) -> pl.DataType:
    return pl.String() if spec.scale == Scale.TEXT else dtype


def digest_of_files(dataset: Dataset) -> str:
    """The SHA-256 digest of all bytes of the files, one after the other."""
    digest = hashlib.sha256()
    for path in dataset.paths:
        with Path(path).open("rb") as content:
            while piece := content.read(1 << 22):
                digest.update(piece)
    return digest.hexdigest()


def read_dataset(path: Path, **described: Any) -> Table:
    """All records of a dataset in memory, with the digest of its files."""
    dataset = scan(path, **described)
    source = Source(path=dataset.name, digest=digest_of_files(dataset))
    return replace(dataset.read(), source=source)


CELL = 8
LARGE = 1 << 31
"""A file that takes more bytes in memory is worked on in parts by the commands, unless they are told otherwise."""


def is_large(path: Path) -> bool:
    """Whether a file, as a frame in memory, takes more than LARGE bytes: those of a text, or eight for each cell."""
    if not path.is_file():
        return False
    if is_text(path):
        return path.stat().st_size > LARGE
    if path.suffix.lower() not in COLUMNAR:
        return False
    try:
        return CELL * _records(path) * len(lazy_file(path).collect_schema()) > LARGE
    except (pl.exceptions.PolarsError, OSError):
        # What is wrong with it is said where it is read.
        return False


def files_of(path: str | Path | Sequence[str | Path]) -> list[Path]:
    """The files that a path stands for: one, those in a folder, or those of a pattern."""
    if not isinstance(path, str | Path):
        return _of_one_kind([each for one in path for each in files_of(one)])
    place = Path(path)
    if place.is_dir():
        found = sorted(each for each in place.iterdir() if each.suffix.lower() in TABLES_IN_PARTS)
    elif place.exists():
        found = [place]
    else:
        found = sorted(place.parent.glob(place.name))
    if not found:
        raise BadFile(f"there is no Parquet, Arrow or CSV file at {path}.")
    strange = [each.name for each in found if each.suffix.lower() not in COLUMNAR and not is_text(each)]
    if strange:
        raise BadFile(
            f"{listed(strange[:3])}: a dataset is of Parquet, Arrow or CSV files, not compressed. Write it as such "
            "first; one file that fits in memory needs no dataset: use read."
        )
    return _of_one_kind(found)


def _of_one_kind(files: list[Path]) -> list[Path]:
    texts = [each for each in files if is_text(each)]
    if texts and len(texts) < len(files):
        other = next(each for each in files if not is_text(each))
        raise Mismatch(
            f"{texts[0].name} and {other.name} are not of one kind: a dataset is of texts, or of Parquet and Arrow "
            "files. Name those that belong to it, by a pattern such as people/*.parquet."
        )
    return files


def _given(
    files: list[Path], project: str | Path | Project | None, roles: Mapping[str, str] | None, rest: str | None
) -> Project | None:
    if project is not None:
        return project if isinstance(project, Project) else Project.load(project)
    if roles is not None or rest is not None:
        return None
    beside = _project_beside(files)
    return None if beside is None else Project.load(beside)


def project_of(path: Path) -> Project:
    """The project file in the folder of a dataset, or in the folder above; BadFile where there is none."""
    files = files_of(path)
    beside = _project_beside(files)
    return Project.load(files[0].parent / FILE_NAME if beside is None else beside)


def _project_beside(files: Sequence[Path]) -> Path | None:
    places = (files[0].parent / FILE_NAME, files[0].resolve().parent.parent / FILE_NAME)
    return next((each for each in places if each.exists()), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class AsTold:
    """Reads a Parquet or Arrow file as `read` does: blanks are missing, and what is told of columns holds."""

    options: ReadOptions = field(hash=False)

    def __call__(self, path: Path, start: int, stop: int, columns: Sequence[str]) -> pl.DataFrame:
        return self.told(plain_types(records_of(path, start, stop, columns)), path.name)

    def told(self, frame: pl.DataFrame, file: str) -> pl.DataFrame:
        """A frame of a file as the options say of its columns."""
        return frame_told(with_marks_missing(frame, self.options.missing), self.options, file)


def _columnar(path: Path, options: ReadOptions) -> DataFile:
    return DataFile(str(path), _records(path), stamp_of(path), AsTold(options=options))


def _types(files: Sequence[Path], options: ReadOptions) -> dict[str, pl.DataType]:
    """The types of the columns in memory, the same in all files."""
    first: dict[str, pl.DataType] | None = None
    for path in files:
        own = _schema(path, options)
        if first is None:
            first = own
        elif own != first:
            raise Mismatch(_difference(files[0].name, first, path.name, own))
    return first or {}


def _schema(path: Path, options: ReadOptions) -> dict[str, pl.DataType]:
    try:
        frame = lazy_file(path).head(0).collect()
    except (pl.exceptions.PolarsError, OSError):
        raise BadFile(
            f"{path.name} cannot be read as its name says: it is damaged, or another format."
        ) from None
    check_frame(frame, path.name)
    return dict(AsTold(options=options).told(plain_types(frame), path.name).schema)


def _records(path: Path) -> int:
    return int(lazy_file(path).select(pl.len()).collect().item())


def _difference(
    one: str, first: Mapping[str, pl.DataType], other: str, own: Mapping[str, pl.DataType]
) -> str:
    """What is different in the columns of two files, in words."""
    missing = [name for name in first if name not in own]
    more = [name for name in own if name not in first]
    typed = [name for name in first if name in own and first[name] != own[name]]
    told = [
        *([f"it lacks {listed(missing)}"] if missing else []),
        *([f"it has {listed(more)} besides"] if more else []),
        *([f"{listed(typed)} are of another type"] if typed else []),
    ]
    return (
        f"{other} has other columns than {one}: {', '.join(told) or 'they are in another order'}. All files of a "
        "dataset have the same columns and types, in the same order."
    )
