"""The folder of a release: what is published, what is secret, and both read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from glob import escape
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import polars as pl

from discreet.errors import BadFile, Mismatch, PromiseBroken
from discreet.manifest import PRIVATE_NAME, PUBLIC_NAME, PrivateManifest, PublicManifest, PublishedFile
from discreet.release import Release, published_order
from discreet.table import IntArray, Table
from discreet.writing.atomic import new_folder, write_json
from discreet.writing.frame import put_frame
from discreet.writing.plain import texts_of_categories
from discreet.writing.reread import just_written, reread

T = TypeVar("T")
PUBLIC, PRIVATE, CACHED = "public", "private", "assessment"
UNWRITABLE = {".sas7bdat": ".xpt", ".por": ".sav", ".gz": "", "": ".csv"}
"""Formats that can be read and not written, and what is written instead."""


def save_release(release: Release, folder: Path, *, file: str | None, force: bool) -> Path:
    """The folder of the release, put in place once the file as written keeps every promise."""
    name = file or _file_name(release)
    secrets = release.secrets
    marker = f"{PUBLIC}/{PUBLIC_NAME}"
    with new_folder(folder, force=force, ours=files_of_release) as temporary:
        (temporary / PUBLIC).mkdir()
        (temporary / PRIVATE).mkdir(mode=0o700)
        published = temporary / PUBLIC / name
        rows = published_order(len(release.table), release.manifest.order, secrets.seed)
        put_frame(texts_of_categories(release.table.frame)[rows], release.table.columns, published)
        types = texts_of_categories(release.table.frame.head(0)).schema
        found, digest = just_written(published, types, len(rows))
        _check_promises(release, found, rows)
        told = PublishedFile(
            name=name,
            digest=digest,
            records=len(rows),
            types={column: type_name(dtype) for column, dtype in types.items()},
        )
        write_json(temporary / marker, replace(release.manifest, file=told).to_dict())
        kept = replace(secrets, published=digest)
        write_json(temporary / PRIVATE / PRIVATE_NAME, kept.to_dict(), private=True)
    return folder


def load_release(folder: Path, private: Path | None) -> Release:
    """The release in the folder: its file must have the digest its manifest tells."""
    public = folder / PUBLIC if (folder / PUBLIC).is_dir() else folder
    manifest = _understood(public / PUBLIC_NAME, PublicManifest.from_dict)
    if manifest.file is None:
        raise BadFile(f"{public / PUBLIC_NAME} names no published file.")
    types = {name: type_of(said) for name, said in manifest.file.types.items()}
    frame = reread(public / manifest.file.name, types, digest=manifest.file.digest)
    kept = _private_manifest(private or folder / PRIVATE)
    secrets = None
    if kept is not None:
        secrets = _understood(kept, PrivateManifest.from_dict)
        if secrets.origin is None and secrets.original_records != len(frame):
            raise Mismatch(
                "the private manifest is of another release: it tells of another number of records."
            )
        if secrets.published and secrets.published != manifest.file.digest:
            raise Mismatch("the private manifest is of another release: it tells of another published file.")
        frame = frame[np.argsort(published_order(len(frame), manifest.order, secrets.seed))]
    elif private is not None:
        raise BadFile(f"there is no {PRIVATE_NAME} at {private}. Give that file, or the folder it lies in.")
    table = Table.assemble(frame, manifest.columns, name=Path(manifest.file.name).stem)
    return Release(table=table, manifest=manifest, private=secrets)


def _private_manifest(place: Path) -> Path | None:
    """The private manifest: the file itself, or in this folder or its private part; None where there is none."""
    places = (place, place / PRIVATE_NAME, place / PRIVATE / PRIVATE_NAME)
    return next((each for each in places if each.is_file()), None)


def files_of_release(folder: Path) -> list[str]:
    """The files that discreet wrote in the folder of a release, as patterns; none where it is not such a folder."""
    try:
        manifest = PublicManifest.from_dict(_json(folder / PUBLIC / PUBLIC_NAME))
    except (BadFile, KeyError, TypeError):
        return []
    published = [] if manifest.file is None else [f"{PUBLIC}/{escape(manifest.file.name)}"]
    secret = [f"{PRIVATE}/{PRIVATE_NAME}", f"{PRIVATE}/{CACHED}/*.json"]
    return [f"{PUBLIC}/{PUBLIC_NAME}", *published, *secret]


def _file_name(release: Release) -> str:
    source = release.secrets.original
    if source is None:
        return f"{release.table.name}.csv"
    given = Path(Path(source.path).name)
    if given.suffix.lower() == ".gz":
        given = given.with_suffix("")
    return str(given.with_suffix(UNWRITABLE.get(given.suffix.lower(), given.suffix)))


def _check_promises(release: Release, found: pl.DataFrame, rows: IntArray) -> None:
    """Raises PromiseBroken where the file read back is not what was written, or lacks what was promised.

    Columns are compared one by one, so that no third copy of the whole table is held; what is promised holds of the
    records in any order.
    """
    for each in release.table.frame:
        written = texts_of_categories(each.to_frame())[rows].to_series()
        if not found[each.name].equals(written, null_equal=True):
            raise PromiseBroken(
                "the published file does not read back as it was written; nothing was published."
            )
    back = replace(release.table, frame=found)
    if release.persons is not None:
        back = back.with_persons(release.persons[rows])
    for promise in release.promises:
        promise.check(back)


def told_in(folder: Path) -> dict[str, Any]:
    """What the public manifest of a release in a folder says; the published file itself is not read."""
    return _understood(folder / PUBLIC / PUBLIC_NAME, PublicManifest.from_dict).to_dict()


def _understood(path: Path, make: Callable[[Mapping[str, Any]], T]) -> T:
    """What is made of the JSON in the file; BadFile where it lacks what a manifest must tell."""
    said = _json(path)
    try:
        return make(said)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadFile(f"{path} is not a manifest that discreet wrote, or was changed since.") from None


def _json(path: Path) -> Mapping[str, Any]:
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadFile(
            f"there is no {path.name} in {path.parent}: this is not the folder of a release."
        ) from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError):
        raise BadFile(f"{path} cannot be read as JSON.") from None
    if not isinstance(said, dict):
        raise BadFile(f"{path} is not a manifest.")
    return said


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
    known = getattr(pl, base, None)
    if not (isinstance(known, type) and issubclass(known, pl.DataType)):
        raise BadFile("the manifest names a type of column that is not known.")
    if base == "Datetime":
        unit, zone = (part.strip() for part in inner.rstrip("]").split(","))
        return pl.Datetime(unit, zone or None)  # type: ignore[arg-type]
    if base == "Duration":
        return pl.Duration(inner.rstrip("]"))  # type: ignore[arg-type]
    return known()
