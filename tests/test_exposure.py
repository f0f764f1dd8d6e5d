"""Exposed records are told by their row in the published file."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from tests.small_people import PLAN, SEED, assessed, people

from discreet.assessment import Assessment
from discreet.exposure import exposure
from discreet.protection import protect
from discreet.published_order import published_order
from discreet.release import Release


@pytest.fixture(scope="module")
def assessment() -> Assessment:
    table = people()
    return assessed(table, protect(table, PLAN, seed=SEED))


def test_rows_are_those_of_the_published_file(assessment: Assessment) -> None:
    found = exposure(assessment)
    assert found is not None
    release = assessment.release
    assert isinstance(release, Release)
    published = release.table.take(
        published_order(len(release.table), release.manifest.order, release.secrets.seed)
    )
    alike = Counter(published.frame.select("age", "income", "town").iter_rows())
    place = found.attacks.index("k_anonymity")
    assert release.manifest.order == "shuffled"
    for record in found.rows:
        key = published.frame.select("age", "income", "town").row(record.row - 1)
        assert record.chances[place] == 1 / alike[key]


def test_the_most_exposed_records_come_first(assessment: Assessment) -> None:
    only = replace(assessment, risks=tuple(risk for risk in assessment.risks if risk.name == "link"))
    found = exposure(only)
    assert found is not None
    chances = only.records
    rank = published_order(len(chances), only.release.manifest.order, only.release.secrets.seed)
    best = np.sort(chances)[::-1][: len(found.rows)]
    assert [record.chances[0] for record in found.rows] == best.tolist()
    assert [chances[rank[record.row - 1]] for record in found.rows] == best.tolist()


def test_every_record_is_in_one_class_of_chance(assessment: Assessment) -> None:
    found = exposure(assessment)
    assert found is not None
    for each in found.chances:
        assert sum(each.records) == len(assessment.release.table)
    link = found.chances[found.attacks.index("link")]
    records = assessment.risks[0].records
    assert records is not None
    assert link.records[0] == (records == 0).sum()
    assert link.records[link.labels.index("34% to 50%")] == ((records > 0.34) & (records <= 0.5)).sum()
    assert link.full == (records >= 1).sum()


def test_records_as_exposed_as_the_last_shown_are_counted(assessment: Assessment) -> None:
    link = replace(assessment.risks[0], records=np.full(len(assessment.release.table), 0.5))
    found = exposure(replace(assessment, risks=(link,)))
    assert found is not None
    assert found.as_exposed + len(found.rows) == len(assessment.release.table)


def test_without_an_attack_on_people_nothing_is_claimed(assessment: Assessment) -> None:
    assert exposure(replace(assessment, risks=())) is None


def test_records_without_any_chance_are_not_listed(assessment: Assessment) -> None:
    link = replace(assessment.risks[0], records=np.zeros(len(assessment.release.table)))
    found = exposure(replace(assessment, risks=(link,)))
    assert found is not None
    assert found.rows == ()


def test_counting_those_alike_does_not_rank_records_that_were_linked(assessment: Assessment) -> None:
    records = len(assessment.release.table)
    link = replace(assessment.risks[0], records=np.linspace(0.0, 0.5, records))
    alone = replace(assessment.risks[0], name="k_anonymity", records=np.ones(records))
    found = exposure(replace(assessment, risks=(link, alone)))
    assert found is not None
    expected = np.linspace(0.5, 0.0, records)[: len(found.rows)]
    assert [record.chances[0] for record in found.rows] == pytest.approx(expected)
    assert found.as_exposed == 0
    only = exposure(replace(assessment, risks=(alone,)))
    assert only is not None
    assert only.as_exposed == records - len(only.rows)
