"""The file that says what an intruder knows."""

from __future__ import annotations

from pathlib import Path

from discreet.errors import BadParameter
from discreet.formats import BY_ENDING
from discreet.intruder import Intruder
from discreet.parameters import Flag, Kind, Pairs, Real, Whole, Word, Words
from discreet.project.sections import ReadOptions
from discreet.project.settings import read_settings
from discreet.reading.read_like import read_like
from discreet.table import Table

DEFAULTS = ReadOptions()
KEYS: dict[str, Kind] = {
    "columns": Words(about="the quasi-identifiers known, by the names of the release"),
    "names": Pairs(about="names of the release, and what the intruder's file calls them"),
    "records": Real(above=0, about="how many people are known: a share below 1, or a number"),
    "training": Real(at_least=0, below=1, about="the share of them whose published record is known already"),
    "reads_manifest": Flag(about="whether the masking method and its parameters are known"),
    "draw": Whole(at_least=0, about="which of the people are known, where not all are"),
    "file": Word(about="a file that the intruder holds, beside this one or by its whole path"),
    "match": Word(about="a column of that file and of the original that tells who is who"),
}


def read_intruder(path: str | Path, original: Table, options: ReadOptions = DEFAULTS) -> Intruder:
    """The intruder that a TOML file describes; the keys are those of `Intruder`, with a `file` for what it holds.

    The columns of that file are described as those of the original, which is read with the `options`. Raises
    UnknownKey, BadParameter or BadFile with the file and the line.
    """
    place = Path(path)
    if place.suffix.lower() in BY_ENDING:
        raise BadParameter(
            f"{place.name} is a table, and what an intruder knows is said in a TOML file. If the intruder holds this "
            f'table, say there file = "{place.name}", and match = the column that tells who is who.'
        )
    settings = read_settings(place, KEYS)
    file = settings.pop("file", None)
    if (file is None) != ("match" not in settings):
        raise BadParameter(
            f"{place.name}: file and match go together: a file that the intruder holds, and the column that tells who "
            "is who in it and in the original."
        )
    if "columns" in settings:
        settings["columns"] = tuple(settings["columns"])
    holds = (
        None
        if file is None
        else read_like(place.parent / file, original, names=settings.get("names", {}), options=options)
    )
    return Intruder(holds=holds, **settings)
