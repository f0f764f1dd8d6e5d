"""Rows that stand for several records hold what these records hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import discreet as dc
from discreet._kernels.counting.tuples import tuples_of
from discreet.mask.record_suppression import RecordSuppression
from discreet.requirement import Holdings, Requirement
from discreet.table import Table

ROWS = pl.DataFrame(
    {"town": ["a", "a", "b", "b", "c", "d"], "ill": ["flu", "cold", "flu", None, "cold", "flu"]}
)
TIMES = np.array([3, 1, 2, 4, 5, 1])
LABEL = np.array([0, 0, 1, 1, 2, 3])


def described(frame: pl.DataFrame) -> Table:
    return Table.of(frame, roles={"town": "quasi-identifier", "ill": "confidential"})


@pytest.mark.parametrize(
    "wanted",
    [
        Requirement(k=3),
        Requirement(k=3, l=2, confidential=("ill",)),
        Requirement(k=3, l=1.6, variant="entropy", confidential=("ill",)),
        Requirement(k=3, t=0.3, confidential=("ill",)),
    ],
    ids=str,
)
def test_rows_with_counts_stand_as_their_records_do(wanted: Requirement) -> None:
    rows = np.repeat(np.arange(len(ROWS)), TIMES)
    records = Holdings(described(ROWS[rows]), wanted).standing(LABEL[rows])
    counted = Holdings(described(ROWS), wanted, times=TIMES).standing(LABEL)
    for one, other in zip(counted, records, strict=True):
        assert np.allclose(one, other)


def test_rows_with_counts_are_tuples_as_often_as_their_records() -> None:
    rows = np.repeat(np.arange(len(ROWS)), TIMES)
    codes = LABEL[:, None].astype(np.int64)
    counted, records = tuples_of(codes, TIMES), tuples_of(codes[rows])
    assert counted.frequencies.tolist() == records.frequencies.tolist() == [4, 6, 5, 1]


def test_records_behind_rows_are_suppressed_as_records_are() -> None:
    rows = np.repeat(np.arange(len(ROWS)), TIMES)
    wanted = Requirement(k=5, l=2, confidential=("ill",))
    fails = Holdings(described(ROWS), wanted, times=TIMES).standing(LABEL).fails
    assert fails.any()
    for allowed in range(len(rows) + 1):
        counted = RecordSuppression(described(ROWS), ["town"], wanted, allowed, TIMES)
        alone = RecordSuppression(described(ROWS[rows]), ["town"], wanted, allowed)
        found, expected = counted.records(LABEL, -1, fails), alone.records(LABEL[rows], -1, fails)
        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            assert found[rows].tolist() == expected.tolist()


def test_company_of_suppressed_records_is_the_same_for_rows_that_stand_for_them() -> None:
    rows, times = pl.DataFrame({"town": ["a", "b", "c"]}), np.array([10, 2, 9])
    records = np.repeat(np.arange(3), times)
    wanted: dict[str, Any] = {"columns": ["town"], "k": 5, "max_suppressed": 0.3}
    expected = dc.mask.generalise(Table.of(rows[records], roles={"town": "quasi-identifier"}), **wanted)
    counted = dc.mask.generalise(Table.of(rows, roles={"town": "quasi-identifier"}), times=times, **wanted)
    assert counted.origin is not None
    assert counted.times is not None
    assert counted.origin.tolist() == [0, 0, 1, 2]
    assert counted.times.tolist() == [3, 7, 2, 9]
    found = counted.table.frame["town"].gather(np.repeat(np.arange(4), counted.times))
    assert found.to_list() == expected.table.frame["town"].to_list()
    assert counted.facts["suppressed_records"] == expected.facts["suppressed_records"] == 5
