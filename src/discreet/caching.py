"""Results of attacks and measures, kept on disk and found again only for exactly the same question.

The key is a digest of everything that takes part: the release, the original and what was said of its columns, the files
these name, the method and its parameters, the intruder, and what computes: the source of discreet and the versions of
its libraries. What has changed in any of it is computed anew.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from discreet.digests import digest_of
from discreet.errors import BadFile
from discreet.manifest import made_with
from discreet.results import Loss, Risk
from discreet.table import FloatArray

FORMAT = 4


class Cache:
    """A folder of results, for the owner's eyes only; each entry is one JSON file.

    What a killed process was writing there is cleared when the cache is opened, also where nothing new is kept.
    """

    def __init__(self, folder: str | Path) -> None:
        from discreet.writing.unfinished import clear_abandoned

        self.folder = Path(folder)
        clear_abandoned(self.folder)

    def get(self, key: str) -> Risk | Loss | None:
        """The result kept under a key; None where there is none, or none that can be read."""
        try:
            entry = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
            return _result(entry)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, key: str, result: Risk | Loss) -> None:
        """Keeps a result under a key, where the folder can be written to: a release may lie where nothing can."""
        from discreet.writing import write_json

        records = result.records if isinstance(result, Risk) else None
        entry = {
            "kind": "risk" if isinstance(result, Risk) else "loss",
            "result": result.to_dict(),
            "reidentifies": isinstance(result, Risk) and result.reidentifies,
            "records": None if records is None else _packed(records),
        }
        with contextlib.suppress(OSError, BadFile):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_json(self.folder / f"{key}.json", entry, force=True, private=True)


def key_of(question: Mapping[str, Any]) -> str:
    """The key of a question, told as the objects it consists of; what answers it takes part too.

    That is the versions of the libraries and the source of discreet, which can change while its version does not.
    """
    return digest_of({"format": FORMAT, "made_with": made_with(), "source": source_digest(), **question})


@cache
def source_digest(package: Path = Path(__file__).parent) -> str:
    """The digest of the names and contents of all source files of the package."""
    digest = hashlib.sha256()
    for file in sorted(package.rglob("*.py")):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(package)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _packed(chances: FloatArray) -> str:
    """The chances of all records as text: their bytes, to the last bit, and NaN for whoever was not tried."""
    return base64.b64encode(np.ascontiguousarray(chances, dtype="<f8").tobytes()).decode()


def _unpacked(text: str) -> FloatArray:
    return np.frombuffer(base64.b64decode(text, validate=True), dtype="<f8").astype(np.float64)


def _result(entry: Mapping[str, Any]) -> Risk | Loss:
    values = dict(entry["result"])
    if entry["kind"] == "loss":
        return Loss(**{each.name: values[each.name] for each in fields(Loss)})
    values["reidentifies"] = entry["reidentifies"]
    values["records"] = None if entry["records"] is None else _unpacked(entry["records"])
    values["interval"] = None if values["interval"] is None else tuple(values["interval"])
    return Risk(**{each.name: values[each.name] for each in fields(Risk)})
