"""What a search is asked: everything that its answer depends on, and how two such questions differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from discreet.digests import digest_of, files_digests
from discreet.errors import listed
from discreet.intruder import Intruder
from discreet.manifest import made_with
from discreet.plan import Plan
from discreet.searching.space import Ranges
from discreet.table import Table

FORMAT = 5
"""The form of a journal; earlier ones told too little of their question, or had other plans in the first round."""

HOW_LONG = frozenset({"seconds", "trials", "threads", "engine", "journal", "progress"})
"""Arguments of a search that say how long, where and how it runs, and not what it is asked."""

WORDS: Mapping[str, str] = {
    "values": "the values of the table, or the order of its columns",
    "columns": "what is said of the column",
    "files": "the files that say what values mean",
    "ceilings": "the ceilings",
    "floors": "the floors",
    "methods": "the methods to try",
    "ranges": "the ranges of parameters",
    "loss": "the measure of loss",
    "draw": "the draw",
    "begin": "the plans to begin with",
    "sample": "the dataset, or how large a sample is taken of it",
    "intruder": "what the intruder knows",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question:
    """What a search is asked. Every field is part of the head of its journal."""

    table: Table
    ceilings: Mapping[str, float]
    floors: Mapping[str, float]
    methods: Sequence[str] | None
    ranges: Ranges | None
    loss: str
    draw: int
    intruder: Intruder
    begin: Sequence[Plan] = ()
    sample: str = ""
    """What the table is a sample of: how many records, and the digest of the files of the dataset."""

    def to_dict(self) -> dict[str, Any]:
        """The digests of all parts, so that a journal can say which of them differ."""
        names = [each.name for each in fields(self) if each.name not in ("table", "sample")]
        return {
            "format": FORMAT,
            "made_with": made_with(),
            "values": digest_of(self.table.frame),
            "columns": {each.name: digest_of(each) for each in self.table.columns},
            "files": files_digests(self.table),
            **{name: digest_of(getattr(self, name)) for name in names},
            **({"sample": self.sample} if self.sample else {}),
        }


def differences(earlier: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What differs between two questions that `to_dict` told, in words; none where they are the same."""
    if earlier.get("format") != now["format"]:
        return ["the form of the journal, which another version of discreet wrote"]
    differing = [*_versions(earlier.get("made_with"), now["made_with"])]
    for name, words in WORDS.items():
        if earlier.get(name) == now.get(name):
            continue
        differing.append(_columns(earlier.get(name), now[name]) if name == "columns" else words)
    return differing


def _versions(earlier: Any, now: Mapping[str, str]) -> list[str]:
    was = earlier if isinstance(earlier, dict) else {}
    return [
        f"the version of {name}, {was.get(name, 'unknown')} then and {version} now"
        for name, version in now.items()
        if was.get(name) != version
    ]


def _columns(earlier: Any, now: Mapping[str, str]) -> str:
    """Which columns are described otherwise, came or went."""
    was = earlier if isinstance(earlier, dict) else {}
    other = [name for name in dict.fromkeys([*was, *now]) if was.get(name) != now.get(name)]
    return (
        f"{WORDS['columns']}{'s' if len(other) > 1 else ''} {listed(other)} (role, scale, order or meaning)"
    )
