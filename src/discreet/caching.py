"""Results of attacks and measures, kept on disk and found again only for exactly the same question.

The key is a digest of everything that takes part: the published file, the original and what was said of its columns,
the method, the intruder, and the version of discreet. What has changed in any of it is computed anew.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from discreet import __version__
from discreet.errors import BadFile
from discreet.results import Loss, Risk
from discreet.table import FloatArray, IntArray, Table

FORMAT = 2
TEXTS_AT_ONCE = 1 << 16


class Cache:
    """A folder of results, for the owner's eyes only; each entry is one JSON file."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def get(self, key: str) -> Risk | Loss | None:
        """The result kept under a key; None where there is none, or none that can be read."""
        try:
            said = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
            return _result(said)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, key: str, result: Risk | Loss) -> None:
        """Keeps a result under a key, where the folder can be written to: a release may lie where nothing can."""
        from discreet.writing import write_json

        records = result.records if isinstance(result, Risk) else None
        said = {
            "kind": "risk" if isinstance(result, Risk) else "loss",
            "told": result.to_dict(),
            "names_people": isinstance(result, Risk) and result.names_people,
            "records": None if records is None else _packed(records),
        }
        with contextlib.suppress(OSError, BadFile):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_json(self.folder / f"{key}.json", said, force=True, private=True)


def key_of(question: Mapping[str, Any]) -> str:
    """The key of a question: the same for the same question, whatever the order of its parts."""
    asked = {"format": FORMAT, "discreet": __version__, **question}
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def digest_of(table: Table) -> str:
    """A digest of a table's values and of what is said of its columns, the files that say it included."""
    seen = hashlib.sha256(json.dumps([[each.name, each.to_dict()] for each in table.columns]).encode())
    for each in table.columns:
        for file in filter(None, (each.ontology, each.mapping)):
            seen.update(_state_of(Path(table.home) / file))
    for name in table.names:
        seen.update(_bytes(table.frame[name]))
    return seen.hexdigest()


def _state_of(file: Path) -> bytes:
    """Bytes that change when a file, or one in a folder, does."""
    files = [file] if file.is_file() else sorted(each for each in file.rglob("*") if each.is_file())
    seen = hashlib.sha256()
    for each in files:
        seen.update(hashlib.sha256(each.read_bytes()).digest())
    return seen.digest()


def digest_of_rows(rows: IntArray) -> str:
    """A digest of row numbers."""
    return hashlib.sha256(np.ascontiguousarray(rows, dtype=np.int64).tobytes()).hexdigest()


def _bytes(values: pl.Series) -> bytes:
    """The values as bytes that are the same for the same values, however they lie in memory."""
    seen = hashlib.sha256(str(values.dtype).encode())
    seen.update(values.is_null().to_numpy().tobytes())
    if values.dtype.is_numeric() or values.dtype.is_temporal():
        filled = values.to_physical().fill_null(0)
        seen.update(np.ascontiguousarray(filled.to_numpy()).tobytes())
    else:
        lengths = values.cast(pl.String).str.len_bytes().fill_null(0)
        seen.update(lengths.to_numpy().tobytes())
        for start in range(0, len(values), TEXTS_AT_ONCE):
            texts = values.slice(start, TEXTS_AT_ONCE).cast(pl.String).fill_null("")
            seen.update("".join(texts.to_list()).encode())
    return seen.digest()


def _packed(chances: FloatArray) -> str:
    """The chances of all records as text: their bytes, to the last bit, and NaN for whoever was not tried."""
    return base64.b64encode(np.ascontiguousarray(chances, dtype="<f8").tobytes()).decode()


def _unpacked(text: str) -> FloatArray:
    return np.frombuffer(base64.b64decode(text, validate=True), dtype="<f8").astype(np.float64)


def _result(said: Mapping[str, Any]) -> Risk | Loss:
    told = dict(said["told"])
    if said["kind"] == "loss":
        return Loss(**{each.name: told[each.name] for each in fields(Loss)})
    told["names_people"] = said["names_people"]
    told["records"] = None if said["records"] is None else _unpacked(said["records"])
    told["interval"] = None if told["interval"] is None else tuple(told["interval"])
    return Risk(**{each.name: told[each.name] for each in fields(Risk)})
