"""The folder of a release: what is published, what is secret, and both read back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from glob import escape
from pathlib import Path, PurePosixPath, PureWindowsPath
from zoneinfo import available_timezones

import numpy as np
import polars as pl

from discreet.dataset import DataFile, Dataset, Shelf
from discreet.dialect import USUAL
from discreet.errors import BadFile, BadParameter, GuaranteeBroken, Mismatch, NotSplit
from discreet.formats import USUAL as USUAL_ENDING
from discreet.formats import is_delimited, released_name
from discreet.guarantees import Guarantee
from discreet.manifest import (
    PRIVATE_NAME,
    PUBLIC_NAME,
    SIGNATURE_NAME,
    PrivateManifest,
    PublicManifest,
    PublishedFile,
)
from discreet.published_order import published_order
from discreet.reading.content import file_digest
from discreet.shapes import read_json
from discreet.table import IntArray, Table
from discreet.writing.atomic import new_folder, write_json, write_text
from discreet.writing.csv import fitting_dialect
from discreet.writing.frame import write_new_frame
from discreet.writing.plain import texts_of_categories
from discreet.writing.reread import just_written, reread

PUBLIC, PRIVATE, CACHED = "public", "private", "assessment"
TIMED, UNITS = ("Datetime", "Duration"), ("ms", "us", "ns")
TYPES = (
    *TIMED,
    *("Int8", "Int16", "Int32", "Int64", "Int128", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128"),
    *("Float32", "Float64", "Boolean", "String", "Date", "Time", "Null", "Decimal", "Binary"),
)
"""The types of columns that a manifest can name."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReleaseParts:
    """What of a release goes into its folder and comes out of it, and what is checked on the way in.

    It stands below `Release`, which saves and loads itself through it.
    """

    table: Table
    manifest: PublicManifest
    private: PrivateManifest | None = field(repr=False)
    guarantees: tuple[Guarantee, ...] = ()
    persons: IntArray | None = field(default=None, repr=False)


def save_release(
    release: ReleaseParts,
    folder: Path,
    *,
    file: str | None,
    force: bool,
    sign: Callable[[bytes], str] | None = None,
    spreadsheet_safe: bool = True,
) -> Path:
    """The folder of the release, put in place once the file as written keeps every guarantee."""
    name = file or _file_name(release)
    if not _is_plain(name):
        raise BadParameter(
            "save: file must be the plain name of a file, such as people.csv, which is written in the folder of the "
            f"release; it cannot lead elsewhere, nor be {PUBLIC_NAME}."
        )
    secrets = release.private
    if secrets is None:
        raise Mismatch("a release is saved with its private manifest, which is not here.")
    with new_folder(folder, force=force, ours=files_of_release) as temporary:
        (temporary / PUBLIC).mkdir()
        published = temporary / PUBLIC / name
        rows = published_order(len(release.table), release.manifest.order, secrets.seed)
        formulas_quoted = spreadsheet_safe and is_delimited(published)
        frame = texts_of_categories(release.table.frame)[rows]
        dialect = (
            fitting_dialect(release.table.dialect, frame, published) if is_delimited(published) else USUAL
        )
        write_new_frame(
            frame, release.table.columns, published, spreadsheet_safe=formulas_quoted, dialect=dialect
        )
        del frame
        types = texts_of_categories(release.table.frame.head(0)).schema
        found, digest = just_written(
            published, types, len(rows), formulas_quoted=formulas_quoted, dialect=dialect
        )
        _check_guarantees(release, found, rows)
        public_file = PublishedFile(
            name=name,
            digest=digest,
            records=len(rows),
            types={column: type_name(dtype) for column, dtype in types.items()},
            formulas_quoted=formulas_quoted,
            dialect=dialect,
        )
        write_halves(temporary, replace(release.manifest, file=public_file), secrets, sign=sign)
    return folder


def write_halves(
    folder: Path,
    manifest: PublicManifest,
    secrets: PrivateManifest,
    *,
    sign: Callable[[bytes], str] | None = None,
) -> None:
    """Writes both halves of a manifest beside the published file, the private one bound to the public one."""
    assert manifest.file is not None
    (folder / PRIVATE).mkdir(mode=0o700, exist_ok=True)
    public = folder / PUBLIC / PUBLIC_NAME
    bound = write_json(public, manifest.to_dict())
    if sign is not None:
        write_text(folder / PUBLIC / SIGNATURE_NAME, sign(public.read_bytes()))
    kept = replace(secrets, published=manifest.file.digest, public_half=bound)
    write_json(folder / PRIVATE / PRIVATE_NAME, kept.to_dict(), private=True)


def load_release(folder: Path, private: Path | None) -> ReleaseParts:
    """The release in the folder: its file must have the digest its manifest tells."""
    public = public_folder(folder)
    manifest, file = _manifest_of(public)
    frame = _published_frame(public, file)
    secrets = _secrets_of(folder, private, file, len(frame))
    if secrets is not None:
        frame = frame[np.argsort(published_order(len(frame), manifest.order, secrets.seed))]
    table = Table.assemble(frame, manifest.columns, name=Path(file.name).stem)
    table = replace(table, dialect=file.dialect)
    return ReleaseParts(table=table, manifest=manifest, private=secrets)


def scan_parts(folder: Path, private: Path | None) -> tuple[PublicManifest, Dataset, PrivateManifest | None]:
    """Both halves of the manifest of a release in a folder of files, and these as a dataset that is not read.

    Each file must have the digest that the manifest tells, and its columns the types.
    """
    public = public_folder(folder)
    manifest, file = _manifest_of(public)
    if not file.parts:
        raise NotSplit(
            f"{public / PUBLIC_NAME} tells of one file and not of a folder of them: load it whole (Release.load)."
        )
    _check_parts(public, file)
    types = {name: type_of(text) for name, text in file.types.items()}
    found = []
    for each in file.parts:
        place = public / file.name / each.name
        if not place.is_file() or file_digest(place) != each.digest:
            raise Mismatch(f"{place.name} is not the file that the manifest tells of: its digest is another.")
        found.append(_checked_part(place, each.records, types))
    dataset = Dataset(
        name=Path(file.name).stem,
        columns=manifest.columns,
        shelves=(Shelf(names=tuple(types), files=tuple(found)),),
        types=types,
    )
    return manifest, dataset, _secrets_of(folder, private, file, len(dataset))


def tells_of_parts(folder: Path) -> bool:
    """Whether the release in a folder is a folder of files."""
    return bool(_manifest_of(public_folder(folder))[1].parts)


def _checked_part(place: Path, records: int, types: Mapping[str, pl.DataType]) -> DataFile:
    """A published file, which must hold so many records in columns of these types."""
    try:
        lazy = pl.scan_parquet(place)
        held, schema = int(lazy.select(pl.len()).collect().item()), lazy.collect_schema()
    except (pl.exceptions.PolarsError, OSError):
        raise BadFile(f"{place.name} cannot be read as Parquet: it is damaged.") from None
    if held != records or dict(schema) != dict(types):
        raise Mismatch(
            f"{place.name} holds other records or columns than the manifest tells: it was changed."
        )
    return DataFile.of(place, records)


def _manifest_of(public: Path) -> tuple[PublicManifest, PublishedFile]:
    """The public manifest in a folder, and the file or files that it tells of."""
    manifest = PublicManifest.from_dict(read_json(public / PUBLIC_NAME))
    if manifest.file is None:
        raise BadFile(f"{public / PUBLIC_NAME} names no published file.")
    if not _is_plain(manifest.file.name):
        raise BadFile(
            f"{public / PUBLIC_NAME} names a file outside of its folder, and was not written by discreet."
        )
    return manifest, manifest.file


def _secrets_of(
    folder: Path, private: Path | None, file: PublishedFile, found: int
) -> PrivateManifest | None:
    """The private half of a release of so many records; None where it is not here."""
    kept = _private_manifest(private or folder / PRIVATE)
    if kept is None:
        if private is not None:
            raise BadFile(
                f"there is no {PRIVATE_NAME} at {private}. Give that file, or the folder it lies in."
            )
        return None
    secrets = PrivateManifest.from_dict(read_json(kept))
    check_bound(public_folder(folder) / PUBLIC_NAME, secrets)
    records = secrets.original_records if secrets.origin is None else len(secrets.origin)
    if records != found:
        raise Mismatch("the private manifest is of another release: it tells of another number of records.")
    if secrets.published and secrets.published != file.digest:
        raise Mismatch("the private manifest is of another release: it tells of another published file.")
    return secrets


def _published_frame(public: Path, file: PublishedFile) -> pl.DataFrame:
    """The values of the published file, or of all files of the published folder; their digests are those told."""
    types = {name: type_of(text) for name, text in file.types.items()}
    if not file.parts:
        return reread(
            public / file.name,
            types,
            digest=file.digest,
            formulas_quoted=file.formulas_quoted,
            dialect=file.dialect,
        )
    _check_parts(public, file)
    return pl.concat(
        [reread(public / file.name / each.name, types, digest=each.digest) for each in file.parts]
    )


def _check_parts(public: Path, file: PublishedFile) -> None:
    """Raises where the files of a published folder do not belong together, or lie elsewhere."""
    told = PublishedFile.of_parts(file.name, file.parts, file.types)
    if (told.digest, told.records) != (file.digest, file.records):
        raise Mismatch("the manifest tells of files that do not belong together: it has been changed.")
    if not all(_is_plain(each.name) for each in file.parts):
        raise BadFile(
            f"{public / PUBLIC_NAME} names a file outside of its folder, and was not written by discreet."
        )


def public_folder(folder: Path) -> Path:
    """The public part of the folder of a release, or the folder itself where it is that part."""
    return folder / PUBLIC if (folder / PUBLIC).is_dir() else folder


def check_bound(manifest: Path, secrets: PrivateManifest) -> None:
    """Raises Mismatch where the public manifest is not the one that the private half belongs to, byte for byte."""
    if file_digest(manifest) != secrets.public_half:
        raise Mismatch(
            f"the public half ({manifest.name}) is not the one that the private half was written with: it was changed "
            "since, or one of them is of another release. Restore the public half as it was published, or give the "
            "private half that belongs to it."
        )


def _private_manifest(place: Path) -> Path | None:
    """The private manifest: the file itself, or in this folder or its private part; None where there is none."""
    places = (place, place / PRIVATE_NAME, place / PRIVATE / PRIVATE_NAME)
    return next((each for each in places if each.is_file()), None)


def files_of_release(folder: Path) -> list[str]:
    """The files that discreet wrote in the folder of a release, as patterns; none where it is not such a folder."""
    try:
        manifest = PublicManifest.from_dict(read_json(folder / PUBLIC / PUBLIC_NAME))
    except BadFile:
        return []
    file = manifest.file
    published = [] if file is None else [f"{PUBLIC}/{escape(file.name)}"]
    if file is not None and file.parts:
        published = [f"{PUBLIC}/{escape(file.name)}/{escape(each.name)}" for each in file.parts]
    secret = [f"{PRIVATE}/{PRIVATE_NAME}", f"{PRIVATE}/{CACHED}/*.json"]
    return [f"{PUBLIC}/{PUBLIC_NAME}", f"{PUBLIC}/{SIGNATURE_NAME}", *published, *secret]


def _is_plain(name: str) -> bool:
    """Whether a name is that of a file in the folder itself, on every system, and not that of the manifest."""
    inside = name == PureWindowsPath(name).name == PurePosixPath(name).name and "\0" not in name
    return inside and name not in ("", ".", "..") and not name.casefold().startswith(PUBLIC_NAME)


def _file_name(release: ReleaseParts) -> str:
    source = None if release.private is None else release.private.original
    return f"{release.table.name}{USUAL_ENDING}" if source is None else released_name(source.path)


def _check_guarantees(release: ReleaseParts, found: pl.DataFrame, rows: IntArray) -> None:
    """Raises GuaranteeBroken where the file read back is not what was written, or lacks what was guaranteed.

    Columns are compared one by one, and records are put in their old order only for a guarantee that needs it, so that
    no third copy of the whole table is held.
    """
    for each in release.table.frame:
        written = texts_of_categories(each.to_frame())[rows].to_series()
        if not found[each.name].equals(written, null_equal=True):
            raise GuaranteeBroken(
                "the published file does not read back as it was written; nothing was published."
            )
    in_order = any(guarantee.in_order for guarantee in release.guarantees)
    back = replace(release.table, frame=found[np.argsort(rows)] if in_order else found)
    if release.persons is not None:
        back = back.with_persons(release.persons if in_order else release.persons[rows])
    for guarantee in release.guarantees:
        guarantee.check(back)


def type_name(dtype: pl.DataType) -> str:
    """The name of a type as a manifest tells it, such as Int64 or Datetime[us, UTC]."""
    if isinstance(dtype, pl.Datetime):
        return f"Datetime[{dtype.time_unit}, {dtype.time_zone or ''}]"
    if isinstance(dtype, pl.Duration):
        return f"Duration[{dtype.time_unit}]"
    return str(dtype.base_type().__name__)


def type_of(name: str) -> pl.DataType:
    """The type that `type_name` named."""
    base, _, inner = name.partition("[")
    known = getattr(pl, base, None) if base in TYPES else None
    if not (isinstance(known, type) and issubclass(known, pl.DataType)):
        raise BadFile("the manifest names a type of column that is not known.")
    if base not in TIMED:
        return known()
    unit, _, zone = inner.removesuffix("]").partition(",")
    if unit not in UNITS or (
        zone.strip() and (base == "Duration" or zone.strip() not in available_timezones())
    ):
        raise BadFile("the manifest names a type of time that is not known.")
    if base == "Datetime":
        return pl.Datetime(unit, zone.strip() or None)  # type: ignore[arg-type]
    return pl.Duration(unit)  # type: ignore[arg-type]
