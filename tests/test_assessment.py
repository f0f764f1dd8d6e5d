from __future__ import annotations

import json
from dataclasses import replace

import polars as pl
import pytest

from discreet.assessment import assess
from discreet.demo import table as census
from discreet.errors import BadParameter, Mismatch, UnknownMethod
from discreet.intruder import Intruder
from discreet.plan import Plan
from discreet.protection import protect
from discreet.release import Release
from discreet.table import Source, Table


@pytest.fixture(scope="module")
def people() -> Table:
    return census(250, seed=5)


@pytest.fixture(scope="module")
def release(people: Table) -> Release:
    return protect(
        people, Plan.of([("microaggregate", {"columns": ["age", "income", "rent"], "k": 5})]), seed=1
    )


def test_nothing_masked_has_no_loss_and_all_the_risk(people: Table) -> None:
    found = assess(
        people, protect(people, Plan.of([])), attacks=["link", "k_anonymity"], losses=["il", "sse"]
    )
    link = found.risk("link")
    assert link is not None
    assert link.risk > 0.95
    assert [loss.loss for loss in found.losses] == [0.0, 0.0]


def test_all_cheap_attacks_and_losses_run_by_themselves(people: Table, release: Release) -> None:
    found = assess(people, release)
    assert {"link", "k_anonymity", "interval_disclosure"} <= {risk.name for risk in found.risks}
    assert {"il", "sse"} <= {loss.name for loss in found.losses}
    assert found.score is not None
    assert found.score.score == pytest.approx((found.score.il + found.score.dr) / 2)
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize("alpha", [0.0, 0.2, 0.5])
def test_the_score_is_that_of_its_definition(people: Table, release: Release, alpha: float) -> None:
    attacks = ["link", "link_probabilistic", "interval_disclosure"]
    found = assess(people, release, attacks=attacks, losses=["il"], alpha=alpha)
    distance, probabilistic, intervals = (risk.risk for risk in found.risks)
    dr = 100 * ((distance + probabilistic) / 2 + intervals) / 2
    assert found.score is not None
    assert found.score.dr == pytest.approx(dr)
    assert found.score.score == pytest.approx(alpha * found.losses[0].loss + (1 - alpha) * dr)
    assert assess(people, release, attacks=attacks[1:], losses=["il"]).score is None


def test_a_ceiling_is_met_or_exceeded(people: Table, release: Release) -> None:
    low = assess(people, release, attacks=[], losses=[], ceilings={"link": 0.0001})
    high = assess(
        people, release, attacks=[], losses=[], ceilings={"link": 0.9999}, floors={"k_anonymity": 1}
    )
    assert not low.acceptable
    assert high.acceptable
    assert "exceeded" in str(low.limits[0])


def blanked(table: Table) -> Release:
    """A release in which all numbers are gone."""
    release = protect(table, Plan.of([]))
    numbers = ("age", "hours", "income", "rent")
    empty = {name: pl.Series([None] * len(table), dtype=pl.Float64) for name in numbers}
    return replace(release, table=release.table.with_values(empty))


def test_what_could_not_be_computed_never_counts_as_safe(people: Table) -> None:
    found = assess(people, blanked(people), ceilings={"interval_disclosure": 1.0}, attacks=[], losses=[])
    assert found.limits[0].found is None
    assert found.limits[0].status == "not checked"
    assert not found.acceptable
    assert [each.name for each in found.not_done] == ["interval_disclosure"]


def test_an_attack_asked_for_by_name_that_has_no_answer_is_told_with_its_reason(people: Table) -> None:
    found = assess(people, blanked(people), attacks=["interval_disclosure"], losses=[])
    assert [each.name for each in found.not_done] == ["interval_disclosure"]
    assert "no value is present" in found.not_done[0].reason
    assert found.risks == ()


def test_bad_requests_are_named(people: Table, release: Release) -> None:
    with pytest.raises(UnknownMethod, match="Did you mean 'link'"):
        assess(people, release, attacks=["lnk"])
    with pytest.raises(BadParameter, match="alpha"):
        assess(people, release, alpha=2)
    with pytest.raises(BadParameter, match="no level"):
        assess(people, release, attacks=[], losses=[], floors={"link": 3})
    with pytest.raises(Mismatch, match="made of 250 records"):
        assess(census(10), release)


def test_another_original_is_refused_by_its_digest(people: Table, release: Release) -> None:
    mine = replace(people, source=Source(path="a.csv", digest="1"))
    theirs = replace(people, source=Source(path="b.csv", digest="2"))
    with pytest.raises(Mismatch, match="digests differ"):
        assess(theirs, protect(mine, release.plan, seed=1))


def test_an_assessment_says_who_attacked(people: Table, release: Release) -> None:
    who = Intruder(columns=("age", "sex"), records=0.5, reads_manifest=False)
    found = assess(people, release, attacks=["link"], losses=[], intruder=who)
    assert found.known_keys == ["age", "sex"]
    assert found.to_dict()["intruder"]["columns"] == ["age", "sex"]
    assert "knows age, sex of 50%" in str(found)
    assert "attacked by" not in str(assess(people, release, attacks=["link"], losses=[]))


def test_progress_rises_and_tells_what_a_long_attack_has_found(people: Table, release: Release) -> None:
    told: list[tuple[float, str]] = []
    assess(
        people,
        release,
        attacks=["k_anonymity", "learned seconds=2"],
        losses=[],
        progress=lambda done, total, what: told.append((done / total, what)),
    )
    shares = [share for share, _ in told]
    assert all(0 <= share <= 1 for share in shares)
    assert shares[-1] == 1
    assert any(what.startswith("learned seconds=2: found ") and "at most" in what for _, what in told)
