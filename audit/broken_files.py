"""A damaged file of any kind gives an answer or a named error that quotes no cell."""

from __future__ import annotations

import gzip
import json
import tomllib
from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat

from audit import people, plans
from audit.outcome import Outcome, faults
from audit.people import Draw
from audit.program import Worker

ODD = (
    b"\0", b"\x1b[31m", b"\x0b", b"\xef\xbb\xbf", b"\xff\xfe", b'"', b"\r", b"\n", b",", b"1e999", b"-inf", b"nan",
    b"1e308", b"5e-324", "\u0663\u0664".encode(), "\ufffe".encode(), b"=1+1", b"</script>", b"9" * 400,
)  # fmt: skip
OTHER: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    10**30,
    1.5,
    "",
    "\x1b[31m",
    [],
    {},
    [[]],
    {"a": {}},
    "../../x",
    ["a", 1],
)


def tables(draw: Draw, folder: Path, worker: Worker) -> Outcome:
    """A table with bytes put in, taken out or cut off, inspected and masked."""
    ending = str(draw.choice([".csv", ".parquet", ".csv.gz", ".xlsx", ".arrow", ".sav", ".dta"]))
    made = people.make(draw, folder, [plans.step(draw, "suppress")], records=40)
    file = _as(made.file, made.frame, ending)
    file.write_bytes(_damaged(draw, file.read_bytes()))
    answers = [
        worker.run(["inspect", file, "--out", folder / "found.toml"], folder),
        worker.run(["protect", file, "--out", folder / "release"], folder),
    ]
    return faults(*(each.fault() or _quoted(each.said, made) for each in answers))


def projects(draw: Draw, folder: Path, worker: Worker) -> Outcome:
    """A project file with values of other kinds, keys left out, or bytes changed."""
    made = people.make(draw, folder, plans.plan(draw, longest=2), records=40)
    place = folder / "discreet.toml"
    if draw.integers(2):
        place.write_bytes(_damaged(draw, place.read_bytes()))
    else:
        told = _replaced(draw, tomllib.loads(place.read_text()))
        place.write_text(_as_toml(told))
    answers = [
        worker.run(["protect", made.file, "--out", folder / "release"], folder),
        worker.run(["search", made.file, "--trials", "2", "--out", folder / "found.toml"], folder),
    ]
    return faults(*(each.fault() or _quoted(each.said, made) for each in answers))


def manifests(draw: Draw, folder: Path, worker: Worker) -> Outcome:
    """A manifest, of either half, with values of other kinds, keys left out, or bytes changed."""
    made = people.make(draw, folder, [plans.step(draw, "suppress")], records=40)
    release = folder / "release"
    first = worker.run(["protect", made.file, "--out", release], folder)
    if first.fault((0,)):
        return faults(first.fault((0,)))
    half = release / ("public/manifest.json" if draw.integers(2) else "private/manifest.private.json")
    if draw.integers(3) == 0:
        half.write_bytes(_damaged(draw, half.read_bytes()))
    else:
        half.write_text(json.dumps(_replaced(draw, json.loads(half.read_text()))))
    answers = [
        worker.run(["assess", release, "--original", made.file, "--attack", "link"], folder),
        worker.run(["attack", release, "--original", made.file, "--attack", "transparency"], folder),
    ]
    return faults(*(each.fault() or _quoted(each.said, made) for each in answers))


def _quoted(said: str, made: people.People) -> str:
    return "a message quotes cells" if any(each in said for each in made.secret) else ""


def _as(file: Path, frame: pl.DataFrame, ending: str) -> Path:
    """The file in another format."""
    place = file.with_name(f"people{ending}")
    if ending == ".parquet":
        frame.write_parquet(place)
    elif ending == ".arrow":
        frame.write_ipc(place)
    elif ending == ".xlsx":
        frame.write_excel(place)
    elif ending == ".csv.gz":
        place.write_bytes(gzip.compress(file.read_bytes()))
    elif ending == ".sav":
        pyreadstat.write_sav(frame.to_pandas(), str(place))
    elif ending == ".dta":
        pyreadstat.write_dta(frame.to_pandas(), str(place))
    return place


def _damaged(draw: Draw, content: bytes) -> bytes:
    """The content with one to three pieces put in, taken out, doubled or flipped, or cut off."""
    out = bytearray(content)
    for _ in range(int(draw.integers(1, 4))):
        at = int(draw.integers(len(out) + 1))
        piece = int(draw.integers(1, 30))
        kind = int(draw.integers(5))
        if kind == 0:
            out[at:at] = ODD[int(draw.integers(len(ODD)))]
        elif kind == 1:
            del out[at : at + piece]
        elif kind == 2:
            out[at:at] = out[at : at + piece]
        elif kind == 3 and at < len(out):
            out[at] ^= 1 << int(draw.integers(8))
        elif kind == 4 and draw.integers(4) == 0:
            del out[at:]
    return bytes(out)


def _replaced(draw: Draw, told: Any) -> Any:
    """The data with one value anywhere in it replaced by one of another kind, or left out."""
    places = list(_places(told))
    path = places[int(draw.integers(len(places)))]
    holder = told
    for key in path[:-1]:
        holder = holder[key]
    if draw.integers(4) == 0:
        del holder[path[-1]]
    else:
        holder[path[-1]] = OTHER[int(draw.integers(len(OTHER)))]
    return told


def _places(told: Any, path: tuple[Any, ...] = ()) -> Any:
    if path:
        yield path
    inside = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for key, value in inside:
        yield from _places(value, (*path, key))


def _as_toml(told: dict[str, Any]) -> str:
    """The data as TOML, every table inline; null, which TOML lacks, as an empty text."""
    return "\n".join(f"{json.dumps(key)} = {_value(value)}" for key, value in told.items()) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_value(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps("" if value is None else value)
