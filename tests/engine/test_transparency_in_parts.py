"""What a manifest gives away of a dataset is what it gives away of the table, however the dataset is cut."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.people import ROLES, register

import discreet as dc
from discreet.attack.disclosed import Disclosed

RECORDS = 1_300
STEPS: dict[str, list[Any]] = {
    "swapped": ["rank_swap p=5 columns=age,income,rent"],
    "swapped, PRAM and noise": [
        "rank_swap p=3 columns=age,income",
        "pram theta=0.2 columns=region",
        "add_noise p=0.1 columns=rent",
    ],
    "swapped by buckets": ["rank_swap p=5 variant=buckets columns=age,income"],
    "noise together": ["add_noise p=0.1 columns=age,rent,income variant=correlated"],
    "noise": ["add_noise p=0.1 columns=age,rent,income"],
    "groups": ["microaggregate k=5 columns=age,rent"],
    "groups of columns": [
        (
            "microaggregate",
            {"columns": ["age", "rent", "income"], "k": 4, "groups": [["age", "rent"], ["income"]]},
        )
    ],
    "one column": ["microaggregate k=5 columns=age,rent,income variant=individual"],
    "on an axis": ["microaggregate k=5 columns=age,rent variant=zscore"],
    "main axis": ["microaggregate k=5 columns=age,rent variant=component"],
    "coarser": ["recode_numbers bins=6 columns=age", "suppress k=4 columns=age,region,sex"],
    "rounded": ["round base=5 columns=age,rent", "top_code share=0.05 columns=income"],
    "by rank": ["resample columns=age,rent"],
    "PRAM and noise": ["pram theta=0.3 columns=region,sex", "add_noise p=0.3 columns=age"],
    "nothing": [],
}


@cache
def people() -> pl.DataFrame:
    return register(RECORDS).with_columns(pl.col("age") // 2, rent=(pl.col("rent") / 10).round() * 10)


def at(place: Path) -> Path:
    if not place.exists():
        place.mkdir()
        for number, (start, stop) in enumerate(((0, 300), (300, 301), (301, RECORDS))):
            people()[start:stop].write_parquet(place / f"{number}.parquet")
    return place


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("told")
    dataset = dc.scan(at(place / "people"), roles=ROLES, rest="quasi-identifier")
    for name, steps in STEPS.items():
        dc.protect(dataset, dc.Plan.of(steps), seed=7).save(place / name)
    return place


def told(folder: Path, name: str, **of_release: Any) -> Disclosed:
    dataset = dc.scan(folder / "people", roles=ROLES, rest="quasi-identifier")
    release = replace(dc.Release.scan(folder / name), **of_release)
    found = dc.assess(dataset, release, attacks=["transparency"], losses=[]).risk("transparency")
    assert isinstance(found, Disclosed)
    return found


@cache
def in_memory(folder: Path, name: str) -> Disclosed:
    table = dc.Table.of(people(), roles=ROLES, rest="quasi-identifier")
    found = dc.assess(table, dc.Release.load(folder / name), attacks=["transparency"], losses=[])
    result = found.risk("transparency")
    assert isinstance(result, Disclosed)
    return result


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(part=st.integers(50, RECORDS + 100))
@pytest.mark.parametrize("name", STEPS)
def test_what_a_manifest_gives_away_is_the_same_in_parts_and_in_memory(
    folder: Path, name: str, part: int
) -> None:
    found, at_once = told(folder, name, part_records=part), in_memory(folder, name)
    assert found.to_dict() == at_once.to_dict()
    assert np.array_equal(found.records, at_once.records)  # type: ignore[arg-type]
    assert np.array_equal(found.candidates, at_once.candidates)


def test_the_intersection_attack_in_parts_is_that_of_plain_matching(folder: Path) -> None:
    published = dc.Release.load(folder / "swapped").table.frame
    fits = np.ones((RECORDS, RECORDS), dtype=bool)
    for name in ("region", "sex"):
        fits &= people()[name].to_numpy()[:, None] == published[name].to_numpy()[None, :]
    for name in ("age", "income", "rent"):
        known, shown = (each[name].cast(pl.Float64).to_numpy() for each in (people(), published))
        ordered = np.sort(shown[~np.isnan(shown)])
        reach = int(5 * len(ordered) / 100)
        low = ordered[np.clip(np.searchsorted(ordered, known, "left") - reach, 0, len(ordered) - 1)]
        high = ordered[np.clip(np.searchsorted(ordered, known, "right") + reach - 1, 0, len(ordered) - 1)]
        both_missing = np.isnan(known)[:, None] & np.isnan(shown)[None, :]
        fits &= ((shown[None, :] >= low[:, None]) & (shown[None, :] <= high[:, None])) | both_missing
    found = told(folder, "swapped", part_records=170)
    assert np.array_equal(found.candidates, fits.sum(axis=1))
    assert found.details["true_record_ruled_out"] == 0
    assert found.certain == int((fits.sum(axis=1) == 1).sum())


def test_a_sample_is_of_people_against_all_records(folder: Path) -> None:
    everybody, some = told(folder, "swapped"), told(folder, "swapped", people=300)
    assert (some.attempts, some.details["people_tried"], some.details["people"]) == (1_000, 1_000, RECORDS)
    assert some.interval is not None
    assert some.interval[0] <= everybody.risk <= some.interval[1]
