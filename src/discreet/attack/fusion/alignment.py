"""Bringing the records of several releases side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from discreet.coding import labels_of
from discreet.errors import BadValues, Mismatch
from discreet.manifest import PublicManifest
from discreet.release import Release
from discreet.table import Column, IntArray, Table


class ReleasedColumn(NamedTuple):
    """The column as one release has it: its values, one for each person, and what was published about them."""

    values: pl.Series
    described: Column
    manifest: PublicManifest | None
    release: int
    """The place of the release among those given."""


def align(
    releases: Sequence[Table | Release], column: str, match: str | None, original: Table | None
) -> tuple[list[ReleasedColumn], pl.Series | None]:
    """The column of every release, person by person; and who they are, where a column tells.

    People are told by the `match` column, which every table must have; without it by the order of the records,
    which a release that came with its private half has even though its file is shuffled. A release that publishes
    people several times, as imputation does, counts as several releases.
    """
    tables = [each.table if isinstance(each, Release) else each for each in releases]
    for table in tables:
        table[column]
    if match is None:
        rows = [_rows(each, place) for place, each in enumerate(releases)]
        people, names = _people(rows, len(original) if original is not None else None), None
    else:
        names, rows = _matched(tables, match, original)
        people = len(names)
    released = [
        ReleasedColumn(
            values=_placed(tables[place].frame[column], taken, people),
            described=tables[place][column],
            manifest=_manifest(each),
            release=place,
        )
        for place, each in enumerate(releases)
        for taken in _once_each(rows[place])
    ]
    return released, names


class _Rows(NamedTuple):
    """For each record of a table the person it belongs to, -1 for nobody; and how many people there are."""

    person: IntArray
    people: int


def _manifest(release: Table | Release) -> PublicManifest | None:
    return release.manifest if isinstance(release, Release) else None


def _rows(release: Table | Release, place: int) -> _Rows:
    """The people of a release by its order."""
    if isinstance(release, Table):
        return _Rows(np.arange(len(release)), len(release))
    if release.private is not None:
        return _Rows(release.truth, release.private.original_records)
    if release.manifest.order != "kept" or not release.manifest.rows_kept:
        raise Mismatch(
            f"release {place + 1} ('{release.table.name}') does not keep the order of its records, and its private "
            "half is not here, so they cannot be put beside those of the others. Give match, a column that tells who "
            "is who."
        )
    return _Rows(np.arange(len(release.table)), len(release.table))


def _people(rows: Sequence[_Rows], original: int | None) -> int:
    """How many people all releases are about."""
    counts = [each.people for each in rows] + ([] if original is None else [original])
    if len(set(counts)) > 1:
        numbers = ", ".join(str(count) for count in counts)
        last = "" if original is None else " (the last is the original)"
        raise Mismatch(
            f"the releases are about different numbers of people: {numbers}{last}. Records are put side by side by "
            "their order; give match, a column that tells who is who."
        )
    return counts[0]


def _matched(tables: Sequence[Table], match: str, original: Table | None) -> tuple[pl.Series, list[_Rows]]:
    """The people of all tables by a column that names them, and whose record is whose."""
    every = [*tables] if original is None else [original, *tables]
    names = [_names(table, match) for table in every]
    people = (names[0] if original is not None else pl.concat(names)).unique(maintain_order=True)
    places = people.to_frame("name").with_row_index("place")
    found = []
    for name in names[len(every) - len(tables) :]:
        person = name.to_frame("name").join(places, on="name", how="left", maintain_order="left")["place"]
        found.append(_Rows(person.cast(pl.Int64).fill_null(-1).to_numpy().astype(np.int64), len(people)))
    seen = np.zeros(len(people), dtype=np.int64)
    for each in found:
        seen[each.person[each.person >= 0]] += 1
    if len(tables) > 1 and not (seen > 1).any():
        raise Mismatch(f"no person is in two of the releases: column '{match}' has no value in common.")
    return people.alias(match), found


def _names(table: Table, match: str) -> pl.Series:
    table[match]
    names = labels_of(table.frame[match]).alias("")
    missing, twice = names.null_count(), len(names) - names.n_unique()
    if missing or twice:
        raise BadValues(
            f"table '{table.name}': column '{match}' must tell who is who, and it has {missing} missing and {twice} "
            "repeated values."
        )
    return names


def _once_each(rows: _Rows) -> list[tuple[IntArray, IntArray]]:
    """The records and their people, split so that nobody is in one part twice."""
    records = np.flatnonzero(rows.person >= 0)
    order = records[np.argsort(rows.person[records], kind="stable")]
    people = rows.person[order]
    turn = np.arange(len(order)) - np.searchsorted(people, people, side="left")
    return [(order[turn == each], people[turn == each]) for each in range(int(turn.max(initial=0)) + 1)]


def _placed(values: pl.Series, taken: tuple[IntArray, IntArray], people: int) -> pl.Series:
    """The values in the order of the people, missing where the release does not hold somebody."""
    records, persons = taken
    place = np.full(people, -1, dtype=np.int64)
    place[persons] = records
    rows = pl.Series(np.maximum(place, 0), dtype=pl.UInt32).set(pl.Series(place < 0), None)
    return values.gather(rows)
