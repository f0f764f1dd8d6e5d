from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from discreet.assessment import assess
from discreet.assessment.sides import TableSides
from discreet.caching import Cache
from discreet.demo import table as census
from discreet.digests import digest_of
from discreet.intruder import Intruder
from discreet.method_call import MethodCall
from discreet.plan import Plan
from discreet.progress import Progress
from discreet.protection import protect
from discreet.release import Release
from discreet.results import Risk
from discreet.table import Role, Table


@pytest.fixture(scope="module")
def people() -> Table:
    return census(200, seed=6)


@pytest.fixture(scope="module")
def release(people: Table) -> Release:
    return protect(people, Plan.of([("rank_swap", {"p": 10})]), seed=1)


def count_runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    ran: list[str] = []
    plain = TableSides.run

    def counted(self: TableSides, wanted: MethodCall, progress: Progress) -> object:
        ran.append(wanted.label)
        return plain(self, wanted, progress)

    monkeypatch.setattr(TableSides, "run", counted)
    return ran


def test_nothing_is_computed_twice_and_results_are_the_same(
    people: Table, release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = count_runs(monkeypatch)
    first = assess(people, release, cache=Cache(tmp_path))
    assert ran
    ran.clear()
    second = assess(people, release, cache=Cache(tmp_path))
    assert ran == []
    assert second.to_dict() == first.to_dict()
    assert (second.records == first.records).all()
    assert [type(each) for each in second.risks] == [type(each) for each in first.risks]


def test_another_masking_intruder_or_role_is_computed_anew(
    people: Table, release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path)
    assess(people, release, attacks=["link"], losses=[], cache=cache)
    ran = count_runs(monkeypatch)
    other = protect(people, Plan.of([("rank_swap", {"p": 10})]), seed=2)
    assess(people, other, attacks=["link"], losses=[], cache=cache)
    assess(people, release, attacks=["link"], losses=[], cache=cache, intruder=Intruder(records=0.5))
    columns = tuple(
        replace(each, role=Role.KEY) if each.name == "commute" else each for each in people.columns
    )
    assess(replace(people, columns=columns), release, attacks=["link"], losses=[], cache=cache)
    assert ran == ["link"] * 3


def test_a_damaged_entry_is_computed_anew(people: Table, release: Release, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    first = assess(people, release, attacks=["link"], losses=[], cache=cache)
    for entry in tmp_path.glob("*.json"):
        entry.write_text("{")
    assert assess(people, release, attacks=["link"], losses=[], cache=cache).to_dict() == first.to_dict()


def test_tables_that_differ_have_different_digests() -> None:
    def of(values: pl.Series) -> str:
        return digest_of(Table.of(values.to_frame("x"), roles={"x": "insensitive"}))

    series = [
        pl.Series([1, 2, None]),
        pl.Series([1, 2, 0]),
        pl.Series([2, 1, None]),
        pl.Series([1.0, 2.0, None]),
        pl.Series(["ab", "c", None]),
        pl.Series(["a", "bc", None]),
        pl.Series(["ab", "c", ""]),
    ]
    assert len({of(each) for each in series}) == len(series)
    assert of(pl.Series([1, 2, None])) == of(
        pl.concat([pl.Series([1, 2]), pl.Series([None], dtype=pl.Int64)])
    )


def test_a_folder_that_cannot_be_written_to_stops_no_assessment(
    people: Table, release: Release, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    found = assess(people, release, attacks=["link"], losses=["il"], cache=Cache(tmp_path / "file" / "cache"))
    assert found.risk("link") is not None


def test_chances_of_people_who_were_not_tried_are_kept(tmp_path: Path) -> None:
    chances = np.array([0.0, 0.1, np.nan, 1.0, 1 / 3])
    found = Risk(name="link", risk=0.3, meaning="", records=chances, reidentifies=True)
    Cache(tmp_path).put("key", found)
    kept = Cache(tmp_path).get("key")
    assert isinstance(kept, Risk)
    assert kept.records is not None
    assert kept.records.tobytes() == chances.tobytes()
