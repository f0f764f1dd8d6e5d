"""Digests of questions: the same for the same question, another where anything that an answer depends on is another.

A question is handed over as the objects it consists of, and every field of every one of them takes part: what is
added to a column or to an intruder is part of every key from then on. What cannot change an answer is named in
`NO_MATTER`, and nowhere else.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from pathlib import PurePath
from typing import Any

import numpy as np
import polars as pl

from discreet.parameters import Selector
from discreet.table import Table

NO_MATTER: Mapping[str, frozenset[str]] = {
    # Where the values came from, what kind of frame they go back into and how they are written; the files in `home` are
    # read instead.
    "Table": frozenset({"native", "source", "home", "dialect"}),
    # What is said to the steward, and what is checked when the file is written.
    "Release": frozenset({"guarantees", "warnings", "vouched_by"}),
    # The line that asked; the method and the parameters that it asked for take part.
    "MethodCall": frozenset({"label"}),
}
"""Fields of records that no answer depends on."""
TEXTS_AT_ONCE = 1 << 16


def digest_of(value: object) -> str:
    """A digest of all that a value consists of: plain data, arrays, tables and records of these.

    The order of a mapping does not count, nor whether a whole number is written as 1 or as 1.0. Of a table, the files
    that its columns name take part too.

    >>> digest_of({"k": 3, "l": 2.0}) == digest_of({"l": 2, "k": 3})
    True
    """
    return _digest(value).hex()


def digest_of_files(name: str, home: str) -> str:
    """A digest of the contents of the file, folder or known ontology of this name, looked for from `home`."""
    found = importlib.import_module("discreet.ontology.chosen").files_named(name, home)
    return digest_of([[each.name, hashlib.sha256(each.read_bytes()).digest()] for each in found])


def _digest(value: Any) -> bytes:
    kind, parts = _kind(value), _parts(value)
    seen = hashlib.sha256(kind.encode())
    for part in parts:
        seen.update(hashlib.sha256(part).digest())
    return seen.digest()


def _kind(value: Any) -> str:
    """What keeps values apart whose parts are alike."""
    if value is None or isinstance(value, bool):
        return repr(value)
    for kind, types in _KINDS.items():
        if isinstance(value, types):
            return kind
    return type(value).__name__


_KINDS: Mapping[str, tuple[type, ...]] = {
    "text": (str, PurePath),
    "number": (int, float, np.generic),
    "selector": (Selector,),
    "list": (list, tuple),
    "mapping": (Mapping,),
    "set": (Set,),
}


def _parts(value: Any) -> Iterator[bytes]:
    """The parts of a value in an order that is always the same, as bytes."""
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, str | PurePath):
        yield str(value).encode("utf-8", "surrogatepass")
    elif isinstance(value, bytes):
        yield value
    elif isinstance(value, int | float | np.generic):
        yield _number(value)
    elif isinstance(value, Selector):
        yield _digest([value.roles, value.scales, value.with_ontology])
    elif isinstance(value, list | tuple):
        yield from map(_digest, value)
    elif isinstance(value, Mapping):
        yield from sorted(_digest(name) + _digest(each) for name, each in value.items())
    elif isinstance(value, Set):
        yield from sorted(map(_digest, value))
    else:
        yield from _large_parts(value)


def _large_parts(value: Any) -> Iterator[bytes]:
    if isinstance(value, np.ndarray):
        yield _digest([str(value.dtype), value.shape])
        yield np.ascontiguousarray(value).tobytes()
    elif isinstance(value, pl.Series):
        yield from _bytes(value)
    elif isinstance(value, pl.DataFrame):
        for name in value.columns:
            yield _digest([name, value[name]])
    elif is_dataclass(value) and not isinstance(value, type):
        ignored = NO_MATTER.get(type(value).__name__, frozenset())
        for field in fields(value):
            if field.name not in ignored:
                yield _digest([field.name, getattr(value, field.name)])
        if isinstance(value, Table):
            yield _digest(files_digests(value))
    else:
        raise TypeError(f"{type(value).__name__} has no digest")


def files_digests(table: Table) -> dict[str, str]:
    """The digests of the files that the columns of a table name, by their names."""
    named = {file for each in table.columns for file in (each.ontology, each.mapping) if file}
    return {file: digest_of_files(file, table.home) for file in named}


def _number(value: Any) -> bytes:
    """The number as text; 1 and 1.0 are one number."""
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, float) and plain.is_integer():
        plain = int(plain)
    return repr(plain).encode()


def _bytes(values: pl.Series) -> Iterator[bytes]:
    """The values as bytes that are the same for the same values, however they lie in memory."""
    # A category is a text held otherwise: what is found of the one is what would be found of the other.
    dtype = pl.String() if values.dtype == pl.Categorical else values.dtype
    yield str(dtype).encode()
    yield values.is_null().to_numpy().tobytes()
    if (dtype.is_numeric() and not dtype.is_decimal()) or dtype.is_temporal():
        filled = values.to_physical().fill_null(0)
        yield np.ascontiguousarray(filled.to_numpy()).tobytes()
    elif dtype in (pl.String, pl.Boolean, pl.Enum):
        texts = values.cast(pl.String)
        yield texts.str.len_bytes().fill_null(0).to_numpy().tobytes()
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            yield texts.slice(start, TEXTS_AT_ONCE).fill_null("").str.join("").item().encode()
    else:
        yield repr(values.to_list()).encode()
