"""What a JSON file must hold, declared once and checked from there: types, ranges and names of fields.

A check takes a value and where it stands, and raises BadFile where the value is not as declared. Messages name fields
and count entries; they repeat nothing that stands in the file.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from discreet.errors import BadFile

Check = Callable[[Any, str], None]
LARGEST = 2**63 - 1
KINDS = {bool: "true or false", str: "a text", list: "a list", dict: "a table", type(None): "nothing"}
DIGEST = re.compile(r"[0-9a-f]{64}")


def read_json(path: Path) -> dict[str, Any]:
    """The table in a JSON file; BadFile where the file is no JSON, or JSON that not every reader takes alike."""
    try:
        payload = json.loads(
            path.read_text(encoding="utf-8"), object_pairs_hook=_once_each, parse_constant=_no_number
        )
    except FileNotFoundError:
        raise BadFile(
            f"there is no {path.name} in {path.parent}: this is not the folder of a release."
        ) from None
    except (OSError, ValueError):
        raise BadFile(f"{path} cannot be read as JSON.") from None
    except RecursionError:
        raise BadFile(f"{path} cannot be read: its tables are nested too deeply.") from None
    if not isinstance(payload, dict):
        raise BadFile(f"{path} is not a manifest: it holds {kind_of(payload)}.")
    return payload


def _once_each(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError("a name stands twice in one table")
        found[name] = value
    return found


def _no_number(_: str) -> None:
    raise ValueError("neither NaN nor infinity is JSON")


def kind_of(value: Any) -> str:
    """What a value is, in words that repeat nothing of it."""
    return KINDS.get(type(value), "a number")


def refuse(where: str, wants: str, value: Any) -> BadFile:
    """The error about a value that is not what it must be."""
    return BadFile(f"{where} must be {wants}; it is {kind_of(value)}.")


def anything(value: Any, where: str) -> None:
    """Whatever JSON can hold."""


def text(value: Any, where: str) -> None:
    if not isinstance(value, str):
        raise refuse(where, "a text", value)


def flag(value: Any, where: str) -> None:
    if not isinstance(value, bool):
        raise refuse(where, "true or false", value)


def digest(value: Any, where: str) -> None:
    if not isinstance(value, str) or not DIGEST.fullmatch(value):
        raise refuse(where, "a SHA-256 digest of 64 hexadecimal digits", value)


def number(value: Any, where: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise refuse(where, "a number", value)
    if abs(value) > LARGEST if isinstance(value, int) else not math.isfinite(value):
        raise refuse(where, "a number that is not too large", value)


def whole(at_least: int) -> Check:
    """A whole number from here on."""

    def check(value: Any, where: str) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not at_least <= value <= LARGEST:
            raise refuse(where, f"a whole number of at least {at_least}", value)

    return check


def one_of(*words: str) -> Check:
    """One of these texts."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, str) or value not in words:
            raise refuse(where, f"one of {', '.join(words)}", value)

    return check


def maybe(inner: Check) -> Check:
    """Nothing, or what another check takes."""

    def check(value: Any, where: str) -> None:
        if value is not None:
            inner(value, where)

    return check


def list_of(inner: Check) -> Check:
    """A list of what another check takes."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, list):
            raise refuse(where, "a list", value)
        for place, each in enumerate(value, start=1):
            inner(each, f"{where}, entry {place}")

    return check


def table_of(inner: Check) -> Check:
    """A table from any text to what another check takes."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise refuse(where, "a table", value)
        for place, each in enumerate(value.values(), start=1):
            inner(each, f"{where}, entry {place}")

    return check


def record(
    fields: Mapping[str, Check], optional: Mapping[str, Check] | None = None, *, others: bool = False
) -> Check:
    """A table with these fields, perhaps with the optional ones, and with no others unless these are passed over."""
    known = {**fields, **(optional or {})}

    def check(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise refuse(where, "a table", value)
        missing = [name for name in fields if name not in value]
        if missing:
            raise BadFile(f"{where} lacks '{missing[0]}'.")
        strange = sum(1 for name in value if name not in known)
        if strange and not others:
            raise BadFile(f"{where} has {strange} fields that are not known. Known: {', '.join(known)}.")
        for name, each in value.items():
            if name in known:
                known[name](each, f"{where}, '{name}'")

    return check
