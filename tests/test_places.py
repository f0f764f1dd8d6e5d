"""Wherever a place is told, the first is one."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from discreet.errors import BadFile, BadProject, BadValues
from discreet.manifest import PublicManifest
from discreet.plan import Plan
from discreet.protection import protect
from discreet.reading import read
from discreet.reading.csv import check_names
from discreet.shapes import list_of, one_of, table_of
from discreet.table import Table


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    frame = pl.DataFrame(
        {"x": [1.5, 2.5, 3.5, 4.5] * 6, "c": [*"aabb"] * 6, "d": [*"ab"] * 12, "y": range(24)}
    )
    plan = Plan.of(
        [
            ("round", {"columns": ["x"], "base": 1}),
            ("round", {"columns": ["y"], "base": 5}),
            ("pram", {"columns": ["c"], "theta": 0.2}),
        ]
    )
    release = protect(Table.of(frame, roles={}, rest="quasi-identifier"), plan, seed=1)
    told: dict[str, Any] = json.loads(json.dumps(release.manifest.to_dict()))
    assert min(len(told["steps"]), len(told["checked_on_the_published_file"])) >= 3
    return told


@pytest.mark.parametrize("place", [1, 2, 3])
@pytest.mark.parametrize(
    ("part", "word", "kind"),
    [("steps", "step", "method"), ("checked_on_the_published_file", "guarantee", "guarantee")],
)
def test_a_damaged_part_of_a_manifest_is_told_by_its_place(
    manifest: dict[str, Any], part: str, word: str, kind: str, place: int
) -> None:
    damaged = copy.deepcopy(manifest)
    damaged[part][place - 1][kind] = "guess"
    with pytest.raises(BadFile, match=rf"the public manifest, {word} {place}\b"):
        PublicManifest.from_dict(damaged)


@pytest.mark.parametrize("place", [1, 2, 3])
def test_an_entry_of_a_list_or_a_table_is_told_by_its_place(place: int) -> None:
    entries = ["yes", "yes", "yes"]
    entries[place - 1] = "no"
    with pytest.raises(BadFile, match=rf"answers, entry {place}\b"):
        list_of(one_of("yes"))(entries, "answers")
    with pytest.raises(BadFile, match=rf"answers, entry {place}\b"):
        table_of(one_of("yes"))(dict(enumerate(entries)), "answers")


@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_step_without_a_method_is_told_by_its_place(place: int) -> None:
    steps: list[dict[str, Any]] = [{"method": "round", "base": 1}] * 3
    steps[place - 1] = {"base": 1}
    with pytest.raises(BadProject, match=rf"masking step {place} names no method"):
        Plan.from_dict(steps)


def spoiled(place: int, name: str) -> list[str]:
    names = ["a", "b", "c"]
    names[place - 1] = name
    return names


@pytest.mark.parametrize("place", [1, 2, 3])
@pytest.mark.parametrize("name", [" ", "x" * 10_000])
def test_a_column_without_a_proper_name_is_told_by_its_place(place: int, name: str) -> None:
    with pytest.raises(BadFile, match=rf"column {place} has"):
        check_names("people.csv", spoiled(place, name))


def test_columns_of_the_same_name_are_told_by_their_places() -> None:
    with pytest.raises(BadFile, match=r"columns 1, 3 share"):
        check_names("people.csv", ["a", "b", "a"])


WRITERS: dict[str, Callable[[pl.DataFrame, Path], object]] = {
    "people.csv": lambda frame, path: frame.write_csv(path),
    "people.parquet": lambda frame, path: frame.write_parquet(path),
}


@pytest.mark.parametrize("place", [1, 2, 3])
@pytest.mark.parametrize(("name", "where"), [("people.csv", "line {}"), ("people.parquet", "record {}")])
def test_a_value_that_is_no_number_is_told_by_its_place(
    tmp_path: Path, name: str, where: str, place: int
) -> None:
    values = ["1", "2", "3"]
    values[place - 1] = "many"
    WRITERS[name](pl.DataFrame({"town": ["a", "b", "c"], "age": values}), tmp_path / name)
    told = where.format(place + (1 if name == "people.csv" else 0))
    with pytest.raises(BadValues, match=rf"\b{told}\b"):
        read(tmp_path / name, roles={}, rest="quasi-identifier", scales={"age": "numeric"})
