"""An intruder: which records and columns are known, under which names, and what of the masking.

Every attack works on two plain tables: what the intruder holds and what was published. The intruder's view makes
these two, so that all attacks support all scenarios.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from discreet import seeds
from discreet.coding import labels_of
from discreet.digests import digest_of
from discreet.errors import BadParameter, BadValues, Mismatch, NotComputable, UnknownColumn, did_you_mean
from discreet.table import IntArray, Role, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Intruder:
    """What an attacker knows. The one of the defaults is the worst case, and the owner's own view.

    `columns` are the quasi-identifiers known, by the names of the release (all when None). `names` maps names of the
    release to those in the intruder's file, where they differ. `records` is how many records of the original are known:
    a share below 1 or a number. `training` is the share of these whose masked record is known already; attacks that
    learn use them, and are judged on the others. `reads_manifest` says whether the method and its parameters are known.
    `draw` picks which records are known; it is no secret.

    `holds` is a file of the intruder's own, where the knowledge does not come from the original: other people may be in
    it, and values may differ. Then `match` names a column of both that tells who is who; attacks do not see it, it only
    says which links are right. A column without any value in that file is not known. Guesses of confidential values are
    held against those of the original, whatever that file says.

    `population` is a table of everybody, with the keys coded as in the release: the file of an intruder who does not
    know who was sampled. Attacks that count people (`k_map`) count them there.
    """

    columns: tuple[str, ...] | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    records: float = 1.0
    training: float = 0.0
    reads_manifest: bool = True
    draw: int = 0
    holds: Table | None = None
    match: str = ""
    population: Table | None = None

    def __post_init__(self) -> None:
        if not self.records > 0:
            raise BadParameter("intruder: records must be a share above 0, or a number of records.")
        if self.records > 1 and self.records != int(self.records):
            raise BadParameter("intruder: records above 1 must be a whole number of records.")
        if not 0 <= self.training < 1:
            raise BadParameter("intruder: training must be a share from 0 to below 1.")
        if self.columns is not None and not self.columns:
            raise BadParameter("intruder: an intruder who knows no column cannot attack.")
        if (self.holds is None) != (not self.match):
            raise BadParameter(
                "intruder: a file that the intruder holds needs match, and match needs such a file."
            )

    def view(self, original: Table, masked: Table, truth: IntArray) -> View:
        """What the intruder holds, what was published, and which published record belongs to which known one."""
        if len(truth) and int(truth.max()) >= len(original):
            raise Mismatch(
                f"the release was made of more records than the original '{original.name}' has, which are "
                f"{len(original)}. Give the original that was masked."
            )
        base, owner = original, truth
        if self.holds is not None:
            base = self.holds
            people = _people(base, self.match)
            place = _places(_people(original, self.match), people)
            owner = np.where(truth >= 0, place[np.maximum(truth, 0)], -1)
        if len(base) == 0:
            raise NotComputable(f"table '{base.name}' has no records, so there is nobody to re-identify.")
        known = self._renamed(base, masked)
        if self.holds is not None:
            if not any(name in masked.names for name in known.keys):
                raise Mismatch(
                    f"intruder: table '{known.name}' has no quasi-identifier in common with the release that holds a "
                    "value. Map other names with names."
                )
            known = _to_be_judged(known, original, _places(people, _people(original, self.match)))
        rows = self._rows(len(base))
        place = np.full(len(base), -1, dtype=np.int64)
        place[rows] = np.arange(len(rows))
        mine = np.where(owner >= 0, place[np.maximum(owner, 0)], -1)
        if not (mine >= 0).any():
            raise NotComputable(
                "no published record belongs to anybody the intruder knows, so there is nobody to re-identify."
            )
        return View(known=known.take(rows), masked=masked, truth=mine, training=self._training(mine))

    def known_keys(self, original: Table, masked: Table) -> list[str]:
        """The published quasi-identifiers that the intruder knows, by the names of the release."""
        base = original if self.holds is None else self.holds
        return [name for name in self._renamed(base, masked).keys if name in masked.names]

    def _rows(self, count: int) -> IntArray:
        wanted = int(self.records) if self.records > 1 else max(1, round(self.records * count))
        if wanted > count:
            raise BadParameter(f"intruder: {wanted} records are to be known, and the original has {count}.")
        if wanted == count:
            return np.arange(count)
        return np.sort(seeds.generator(self.draw, 0).choice(count, size=wanted, replace=False))

    def _training(self, truth: IntArray) -> IntArray:
        """The published records whose owner the intruder knows beforehand."""
        linked = np.flatnonzero(truth >= 0)
        size = int(self.training * len(linked))
        return np.sort(seeds.generator(self.draw, 1).choice(linked, size=size, replace=False))

    def _renamed(self, original: Table, masked: Table) -> Table:
        """The original with the names of the release, and no other quasi-identifiers than those known."""
        for ours in self.names:
            _check_name(ours, masked)
        theirs = {their: our for our, their in self.names.items()}
        for their, our in theirs.items():
            _check_name(their, original)
            if our in original.names and our not in theirs:
                raise BadParameter(
                    f"intruder: names maps '{our}' to '{their}', and the intruder's file has a column '{our}' too."
                )
        frame = original.frame.rename(theirs)
        columns = tuple(replace(each, name=theirs.get(each.name, each.name)) for each in original.columns)
        renamed = replace(original, frame=frame, columns=columns)
        empty = [] if self.holds is None else [name for name in renamed.keys if _is_empty(renamed, name)]
        if self.columns is None:
            return renamed.without(empty)
        for name in self.columns:
            _check_name(name, masked)
            _check_name(name, renamed)
            if renamed[name].role is not Role.KEY:
                raise BadParameter(
                    f"intruder: column '{name}' is {renamed[name].role} and no quasi-identifier, so nobody is found by "
                    "it. Name quasi-identifiers, or give the column that role in the project."
                )
            if name in empty:
                raise BadParameter(
                    f"intruder: column '{name}' of table '{renamed.name}' holds no value, so nothing is known of it. "
                    "Leave it out of the columns."
                )
        unknown = [name for name in renamed.having(Role.KEY) if name not in self.columns]
        return renamed.without(unknown)

    def to_dict(self) -> dict[str, Any]:
        return {
            "columns": None if self.columns is None else list(self.columns),
            "names": dict(self.names),
            "records": self.records,
            "training": self.training,
            "reads_manifest": self.reads_manifest,
            "draw": self.draw,
            "holds": None if self.holds is None else digest_of(self.holds),
            "match": self.match,
            "population": None if self.population is None else digest_of(self.population),
        }

    def __str__(self) -> str:
        everything = "all quasi-identifiers" if self.holds is None else "the quasi-identifiers"
        known = everything if self.columns is None else ", ".join(self.columns)
        share = f"{100 * self.records:.3g}% of the" if self.records <= 1 else f"{int(self.records)}"
        where = "" if self.holds is None else f" in '{self.holds.name}', as far as it has them,"
        more = [" and the masking method"] if self.reads_manifest else []
        more += [] if self.population is None else [f" and everybody in '{self.population.name}'"]
        return f"an intruder who knows {known} of {share} records{where}{''.join(more)}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """The two files of an attack. `truth[i]` is the known record of masked record i, -1 where the intruder has none."""

    known: Table
    masked: Table
    truth: IntArray = field(repr=False)
    training: IntArray = field(repr=False)


OWNER = Intruder()
"""The worst case: everything but the link is known."""


def _people(table: Table, match: str) -> pl.Series:
    """Who the records of a table belong to; BadValues where somebody is in it twice."""
    _check_name(match, table)
    people = labels_of(table.frame[match]).alias("who")
    known = people.drop_nulls()
    twice = len(known) - known.n_unique()
    if twice:
        raise BadValues(
            f"intruder: column '{match}' of table '{table.name}' must name each person once, and {twice} records "
            "repeat somebody."
        )
    return people


def _places(people: pl.Series, among: pl.Series) -> IntArray:
    """For each of the people the row among the others that is theirs, -1 where none is."""
    places = (
        among.drop_nulls()
        .to_frame()
        .with_columns(place=pl.Series(np.flatnonzero(among.is_not_null().to_numpy()), dtype=pl.Int64))
    )
    found = people.to_frame().join(places, on="who", how="left", maintain_order="left")["place"]
    return found.fill_null(-1).to_numpy().astype(np.int64)


def _to_be_judged(known: Table, original: Table, owner: IntArray) -> Table:
    """What is known, with the confidential values of the original: guesses are held against these.

    No attack looks at them before it has guessed. Strangers, who are not in the original, have none.
    """
    secret = original.having(Role.CONFIDENTIAL)
    rows = pl.Series(np.maximum(owner, 0), dtype=pl.UInt32).set(pl.Series(owner < 0), None)
    bare = known.without([name for name in secret if name in known.names])
    frame = bare.frame.with_columns(original.frame[name].gather(rows) for name in secret)
    return replace(bare, frame=frame, columns=(*bare.columns, *(original[name] for name in secret)))


def _is_empty(table: Table, name: str) -> bool:
    return table.frame[name].null_count() == len(table)


def _check_name(name: str, table: Table) -> None:
    if name not in table.names:
        raise UnknownColumn(
            f"intruder: table '{table.name}' has no column '{name}'.{did_you_mean(name, table.names)}"
        )
