"""Plans for datasets, and trials side by side on real workers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.engine.people import register

import discreet as dc
from discreet.engine import Cluster, Threads
from discreet.errors import NoPlan, NotSplit
from discreet.searching.of_dataset import sample_of

RECORDS = 2_400
ROLES = {"id": "identifier", "illness": "confidential", "weight": "insensitive", "rent": "insensitive"}
LIMITS = {"identity": 0.3}


def frame() -> pl.DataFrame:
    return register(RECORDS).with_columns(
        pl.col("age") // 5, income=(pl.col("income").log(10) * 2).round(), home=pl.col("id") // 3
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("searched") / "people"
    place.mkdir()
    for number, (start, stop) in enumerate(((0, 700), (700, 701), (701, RECORDS))):
        frame()[start:stop].drop("home").write_parquet(place / f"{number}.parquet")
    return place


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with Cluster(workers=2) as started:
        yield started


def table() -> dc.Table:
    return dc.Table.of(frame().drop("home").head(250), roles=ROLES, rest="quasi-identifier")


def test_a_cluster_finds_the_front_that_is_found_alone(cluster: Cluster, tmp_path: Path) -> None:
    alone = dc.search(table(), ceilings=LIMITS, trials=6, draw=3)
    for engine in (cluster, Threads(1)):
        found = dc.search(
            table(), ceilings=LIMITS, trials=6, draw=3, engine=engine, journal=tmp_path / "journal"
        )
        assert found.to_dict() == alone.to_dict()
        assert found.front == alone.front
        (tmp_path / "journal").unlink()
    assert not list(tmp_path.iterdir())


def test_a_journal_begun_alone_is_gone_on_with_on_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    dc.search(table(), ceilings=LIMITS, trials=2, draw=3, journal=journal)
    found = dc.search(table(), ceilings=LIMITS, trials=6, draw=3, journal=journal, engine=cluster)
    assert found.to_dict() == dc.search(table(), ceilings=LIMITS, trials=6, draw=3).to_dict()


def test_a_plan_for_a_dataset_is_found_on_a_sample_and_judged_on_the_whole(folder: Path) -> None:
    dataset = dc.scan(folder, roles=ROLES, rest="quasi-identifier")
    found = dc.search(dataset, ceilings=LIMITS, trials=8, draw=1, sample=600)
    assert (found.sample, found.records) == (600, RECORDS)
    assert "on 600 records; this one on all 2,400" in str(found)
    release = dc.protect(dataset, found.plan, seed=2)
    release.save(folder.parent / "release")
    assert dc.assess(dataset, dc.Release.scan(folder.parent / "release"), ceilings=LIMITS).acceptable
    assert found.chosen.risks["identity"] <= LIMITS["identity"]
    assert found.chosen.checked == ("identity",)
    assert all(each.checked != ("identity",) for each in found.points)
    assert sorted(each.name for each in folder.parent.iterdir()) == ["people", "release"]


def test_a_dataset_is_searched_on_a_cluster_with_the_same_answer(folder: Path, cluster: Cluster) -> None:
    dataset = dc.scan(folder, roles=ROLES, rest="quasi-identifier")
    alone, found = (
        dc.search(dataset, ceilings=LIMITS, trials=5, draw=1, sample=600, engine=engine)
        for engine in (None, cluster)
    )
    assert found.to_dict() == alone.to_dict()


def test_plans_that_no_dataset_can_be_masked_by_are_not_tried(folder: Path) -> None:
    dataset = dc.scan(folder, roles=ROLES, rest="quasi-identifier")
    with pytest.raises(NotSplit, match="dataset in parts"):
        dc.search(dataset, methods=["compress", "pram"], trials=2, sample=600)


def test_what_is_not_checked_on_the_whole_is_not_chosen(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = dc.scan(folder, roles=ROLES, rest="quasi-identifier")
    monkeypatch.setattr("discreet.in_parts._whole_columns", lambda method, values: None)
    with pytest.raises(NoPlan, match="need the whole table in memory"):
        dc.search(dataset, ceilings=LIMITS, trials=3, draw=1, sample=600)


def test_a_sample_holds_whole_households(tmp_path: Path) -> None:
    frame().write_parquet(tmp_path / "people.parquet")
    dataset = dc.scan(
        tmp_path / "people.parquet", roles={**ROLES, "home": "household"}, rest="quasi-identifier"
    )
    few = sample_of(dataset, 500, 0)
    assert 480 <= len(few) <= 500
    sizes = few.frame["home"].value_counts()["count"]
    assert set(sizes) == {3}
    assert not np.array_equal(few.frame["id"], sample_of(dataset, 500, 1).frame["id"])
