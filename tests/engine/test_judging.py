from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.engine.people import ROLES, register

import discreet as dc
from discreet import registry
from discreet.assessment import Assessment
from discreet.dataset import Dataset
from discreet.engine import Threads, judging
from discreet.errors import Mismatch, NotSplit
from discreet.in_parts import on_dataset
from discreet.method import Method
from discreet.release import ReleaseInParts

RECORDS = 1_200
PARTS = (300, 511, 5_000)
FILES = (0, 400, 401, 900, RECORDS)
PLANS = {
    "moved": ["add_noise p=0.1 columns=age,income,rent", "pram theta=0.2 columns=region"],
    "joined": ["microaggregate k=5 columns=age,rent", "suppress k=3 columns=region,sex"],
    "numbers": ["microaggregate k=4 columns=age,rent"],
    "coarser": ["recode_numbers bins=6 columns=age", "suppress k=4 columns=age,region,sex"],
}


@cache
def people() -> pl.DataFrame:
    return register(RECORDS).with_columns(pl.col("age") // 2, rent=(pl.col("rent") / 10).round() * 10)


def roles(plan: str) -> dict[str, str]:
    if plan == "numbers":
        return {**ROLES, "income": "insensitive", "region": "insensitive", "sex": "confidential"}
    if plan == "coarser":
        return {**ROLES, "income": "confidential", "rent": "insensitive"}
    return ROLES


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("judged") / "people"
    place.mkdir()
    for number, (start, stop) in enumerate(pairwise(FILES)):
        people()[start:stop].write_parquet(place / f"people-{number}.parquet")
    for plan, steps in PLANS.items():
        dataset = dc.scan(place, roles=roles(plan), rest="quasi-identifier")
        dc.protect(dataset, dc.Plan.of(steps), seed=7).save(place.parent / plan)
    return place


def scanned(
    folder: Path, plan: str, part: int = 300, *, whole_cells: int | None = None
) -> tuple[Dataset, ReleaseInParts]:
    dataset = dc.scan(folder, roles=roles(plan), rest="quasi-identifier")
    release = replace(dc.Release.scan(folder.parent / plan), part_records=part)
    return dataset, release if whole_cells is None else replace(release, whole_cells=whole_cells)


def whole(plan: str) -> dc.Table:
    return dc.Table.of(people(), roles=roles(plan), rest="quasi-identifier")


@cache
def in_memory(folder: Path, plan: str) -> Assessment:
    return dc.assess(whole(plan), dc.Release.load(folder.parent / plan))


@pytest.mark.parametrize("whole_cells", [None, 0])
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("plan", PLANS)
def test_what_is_judged_in_parts_is_what_is_found_in_memory(
    folder: Path, plan: str, part: int, whole_cells: int | None
) -> None:
    found = dc.assess(*scanned(folder, plan, part, whole_cells=whole_cells))
    at_once = in_memory(folder, plan)
    assert {each.name for each in found.risks} >= {"link", "k_anonymity", "attribute_by_link"}
    assert found.lost is not None
    for risk in found.risks:
        same = at_once.risk(risk.name)
        assert same is not None
        assert (risk.risk, risk.baseline, risk.attempts) == (same.risk, same.baseline, same.attempts), (
            risk.name
        )
        assert risk.interval == same.interval
        assert np.array_equal(risk.records, same.records, equal_nan=True)  # type: ignore[arg-type]
    for loss in found.losses:
        same_loss = at_once.loss(loss.name)
        assert same_loss is not None
        assert loss.loss == pytest.approx(same_loss.loss, rel=1e-9, abs=1e-12), loss.name
        assert dict(loss.columns) == pytest.approx(dict(same_loss.columns), rel=1e-9, abs=1e-12)
        assert loss.left_out == same_loss.left_out
        assert set(loss.details) == set(same_loss.details)
    assert found.before == at_once.before
    if whole_cells is None:
        assert [each.name for each in found.risks] == [each.name for each in at_once.risks]
        assert [each.name for each in found.losses] == [each.name for each in at_once.losses]
        assert [each.to_dict() for each in found.headlines] == [each.to_dict() for each in at_once.headlines]
    missed = {each.name for each in found.not_done if not each.applies}
    assert missed == {each.name for each in at_once.not_done if not each.applies}


def test_linkage_in_parts_is_that_of_plain_matching(folder: Path) -> None:
    asked = "link distance=euclidean"
    found = dc.assess(*scanned(folder, "numbers"), attacks=[asked]).risk(asked)
    published = dc.Release.load(folder.parent / "numbers").table.frame
    ours, theirs = (
        (frame.select("age", "rent").to_numpy() - frame.select("age", "rent").mean().to_numpy())
        / frame.select("age", "rent").std(ddof=0).to_numpy()
        for frame in (people(), published)
    )
    apart = np.sqrt(((theirs[:, None, :] - ours[None, :, :]) ** 2).sum(axis=2))
    near = apart <= apart.min(axis=1, keepdims=True) + 1e-9
    expected = (np.diagonal(near) / near.sum(axis=1)).mean()
    assert found is not None
    assert found.risk == pytest.approx(expected, abs=1e-12)


def test_the_compatible_set_in_parts_is_counted_by_plain_matching(folder: Path) -> None:
    found = dc.assess(*scanned(folder, "coarser"), attacks=["compatible"]).risk("compatible")
    released = dc.Release.load(folder.parent / "coarser").table.frame
    age = people()["age"].to_numpy()
    fits = np.ones((RECORDS, RECORDS), dtype=bool)
    for name in ("region", "sex"):
        known, shown = people()[name].to_numpy(), released[name].to_numpy()
        fits &= (shown[None, :] == None) | (shown[None, :] == known[:, None])  # noqa: E711
    for place, band in enumerate(released["age"].to_list()):
        if band is not None:
            fits[:, place] &= inside(band, age)
    chances = np.diagonal(fits) / np.maximum(1, fits.sum(axis=1))
    assert found is not None
    assert found.risk == pytest.approx(chances.mean(), abs=1e-12)


def inside(
    band: str, values: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    if band.startswith("<"):
        return values < float(band[1:])
    if band.startswith(">="):
        return values >= float(band[2:])
    low, high = (float(each) for each in band.strip("[])").split(","))
    return (values >= low) & (values < high)


WHOLE_ONLY = [each for kind in ("attack", "loss") for each in registry.methods(kind) if not each.in_parts]


def test_nearly_all_usual_attacks_and_losses_work_in_parts() -> None:
    assert {each.name for each in WHOLE_ONLY if each.cost == "cheap"} == {
        "link_household",
        "link_person",
        "link_probabilistic",
        "link_semantic",
        "semantic_sse",
    }


@pytest.mark.parametrize("method", WHOLE_ONLY, ids=lambda method: method.name)
def test_what_needs_the_whole_table_says_so_by_name(folder: Path, method: Method) -> None:
    with judging(*scanned(folder, "numbers", whole_cells=0)) as sides:
        tables = dict(zip(("original", "masked"), sides, strict=True))
        given = {
            **{name: tables[name] for name in method.tables},
            **{each.name: None for each in method.parameters},
        }
        with pytest.raises(NotSplit, match=method.name) as problem:
            on_dataset(method, method.function, given)
    assert "discreet.read" in str(problem.value) or method.instead in str(problem.value)


def test_threads_change_no_bit(folder: Path) -> None:
    one, two = (dc.assess(*scanned(folder, "moved"), engine=Threads(each)) for each in (1, 2))
    assert one.to_dict() == two.to_dict()


def test_what_does_not_work_in_parts_keeps_limits_from_being_met(folder: Path) -> None:
    sides = scanned(folder, "joined", whole_cells=0)
    found = dc.assess(*sides, ceilings={"identity": 1.0, "link_probabilistic": 1.0})
    assert {each.status for each in found.limits} == {"not checked"}
    reasons = {each.name: each.reason for each in found.not_done}
    assert "does not work on a dataset in parts" in reasons["link_probabilistic"]
    assert found.identity is not None
    assert "link_probabilistic" in found.identity.unchecked


def test_a_sample_of_people_is_told_and_counts_in_limits(folder: Path) -> None:
    dataset, release = scanned(folder, "numbers")
    found = dc.assess(
        dataset, replace(release, people=1_000), attacks=["link"], ceilings={"link": 1e-9 + _risk(folder)}
    )
    link = found.risk("link")
    assert link is not None
    assert link.details["people_tried"] == 1_000
    assert link.details["people"] == RECORDS
    assert link.interval is not None
    assert link.interval[0] <= _risk(folder) <= link.interval[1]
    assert found.verdict in ("not checked", "exceeded")
    assert [str(each).split(";")[0] for each in found.samples] == [
        "1,000 of 1,200 people, drawn at random, were looked for among all records by 'link'"
    ]
    said = " ".join(dc.report(found).facts.limitations.not_tested)
    assert "judged in parts" in said
    assert "1,000 of 1,200 people, drawn at random" in said
    assert "linking to the nearest record" in said


def _risk(folder: Path) -> float:
    found = in_memory(folder, "numbers").risk("link")
    assert found is not None
    return found.risk


def test_another_original_or_a_changed_file_is_refused(folder: Path, tmp_path: Path) -> None:
    dataset, release = scanned(folder, "numbers")
    people()[:900].write_parquet(tmp_path / "fewer.parquet")
    with pytest.raises(Mismatch, match="900"):
        dc.assess(
            dc.scan(tmp_path / "fewer.parquet", roles=roles("numbers"), rest="quasi-identifier"), release
        )
    people().sample(fraction=1, shuffle=True, seed=1).write_parquet(tmp_path / "fewer.parquet")
    with pytest.raises(Mismatch, match="digests differ"):
        dc.assess(
            dc.scan(tmp_path / "fewer.parquet", roles=roles("numbers"), rest="quasi-identifier"), release
        )
    assert len(dataset) == RECORDS


def test_a_published_file_that_was_changed_is_not_scanned(folder: Path, tmp_path: Path) -> None:
    dataset = dc.scan(folder, roles=roles("numbers"), rest="quasi-identifier")
    dc.protect(dataset, dc.Plan.of(PLANS["numbers"]), seed=7).save(tmp_path / "out")
    file = next((tmp_path / "out" / "public").rglob("*.parquet"))
    pl.read_parquet(file).reverse().write_parquet(file)
    with pytest.raises(Mismatch, match="digest"):
        dc.Release.scan(tmp_path / "out")


def test_a_table_and_a_release_in_parts_do_not_mix(folder: Path) -> None:
    dataset, release = scanned(folder, "numbers")
    with pytest.raises(NotSplit, match=r"discreet\.scan"):
        dc.assess(whole("numbers"), release)
    with pytest.raises(NotSplit, match=r"Release\.scan"):
        dc.assess(dataset, dc.Release.load(folder.parent / "numbers"))
    with pytest.raises(NotSplit, match="knows less"):
        dc.assess(dataset, release, intruder=dc.Intruder(records=0.5))


def test_judging_leaves_nothing_behind(folder: Path) -> None:
    before = sorted(folder.parent.iterdir())
    dc.assess(*scanned(folder, "numbers"))
    assert sorted(folder.parent.iterdir()) == before


def test_people_with_several_records_and_households_are_counted_in_parts_too(tmp_path: Path) -> None:
    frame = (
        people()
        .with_columns(person=pl.col("id") // 2, household=pl.col("id") // 6)
        .with_columns(region=pl.when(pl.col("id") % 5 > 0).then(pl.col("region").first().over("household")))
        .sample(fraction=1, shuffle=True, seed=4)
    )
    several = {**ROLES, "person": "person", "household": "household"}
    (tmp_path / "people").mkdir()
    frame.write_parquet(tmp_path / "people" / "all.parquet")
    dataset = dc.scan(tmp_path / "people", roles=several, rest="quasi-identifier")
    plan = dc.Plan.of(["add_noise p=0.1 columns=rent", "recode_numbers bins=4 columns=age,income"])
    dc.protect(dataset, plan, seed=2).save(tmp_path / "out")
    release = replace(dc.Release.scan(tmp_path / "out"), part_records=500)
    table = dc.Table.of(frame, roles=several, rest="quasi-identifier")
    at_once = dc.assess(table, dc.Release.load(tmp_path / "out"))
    whole_keys, found = dc.assess(dataset, release), dc.assess(dataset, replace(release, whole_cells=0))
    assert {each.name for each in whole_keys.risks} == {each.name for each in at_once.risks}
    for one in (*whole_keys.risks, *found.risks):
        other = at_once.risk(one.name)
        assert other is not None
        assert (one.risk, one.baseline, one.level) == (other.risk, other.baseline, other.level), one.name
        assert np.array_equal(one.records, other.records, equal_nan=True), one.name  # type: ignore[arg-type]
    assert {"k_anonymity", "l_diversity", "household_risk", "link_weights"} <= {
        each.name for each in found.risks
    }
    assert whole_keys.before == found.before == at_once.before
    missed = {each.name: each.reason for each in found.not_done}
    assert "several records are of one person" in missed["link"]
    assert found.identity is not None
    assert found.identity.unchecked
