"""What classes reach, against the definitions; and what stays true when classes are joined."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import brute_classes as brute

from discreet.classes import classes_of
from discreet.models import VARIANTS, Variant
from discreet.requirement import Holdings, Requirement
from discreet.table import Table

ROW = st.tuples(st.integers(0, 3), st.sampled_from([1, 2, 3, 5, None]), st.integers(0, 5), st.integers(0, 2))
ROWS = st.lists(ROW, min_size=1, max_size=24)
WANTED = st.builds(
    Requirement,
    k=st.integers(1, 3),
    l=st.sampled_from([None, 1.5, 2.0]),
    variant=st.sampled_from(VARIANTS),
    c=st.sampled_from([0.8, 2.0]),
    t=st.sampled_from([None, 0.2, 0.4]),
    confidential=st.just(("secret",)),
)


def table_of(rows: list[Any], *, people: bool, scale: str) -> Table:
    frame = pl.DataFrame(
        {
            "key": [row[0] for row in rows],
            "secret": pl.Series([row[1] for row in rows], dtype=pl.Int64),
            "who": [row[2] for row in rows],
        }
    )
    roles = {
        "key": "quasi-identifier",
        "secret": "confidential",
        "who": "person" if people else "insensitive",
    }
    return Table.of(frame, roles=roles, scales={"secret": scale})


@given(ROWS, WANTED, st.booleans(), st.sampled_from(["nominal", "numeric"]))
def test_standing_is_that_of_the_definitions(
    rows: list[Any], wanted: Requirement, people: bool, scale: str
) -> None:
    table = table_of(rows, people=people, scale=scale)
    label = classes_of(table, ["key"]).label
    found = Holdings(table, wanted).standing(label)
    who = [row[2] for row in rows] if people else list(range(len(rows)))
    secret = [row[1] for row in rows]
    for members in brute.classes([row[0] for row in rows]).values():
        own = int(label[members[0]])
        assert found.people[own] == len({who[place] for place in members})
        short = found.people[own] < wanted.k
        if wanted.l is not None:
            expected = brute.level(members, secret, who, wanted.variant, wanted.c)
            assert found.diverse[own] == pytest.approx(expected)
            short |= found.diverse[own] < wanted.l
        if wanted.t is not None:
            apart = brute.distance(members, secret, who, ordered=scale == "numeric")
            assert found.distance[own] == pytest.approx(apart, abs=1e-9)
            short |= found.distance[own] > wanted.t
        assert bool(found.fails[own]) == bool(short)


@given(ROWS, WANTED, st.booleans(), st.data())
def test_units_and_some_of_them_stand_as_their_records_do(
    rows: list[Any], wanted: Requirement, people: bool, data: st.DataObject
) -> None:
    table = table_of(rows, people=people, scale="numeric")
    which = np.array([row[3] for row in rows])
    some = np.array(
        data.draw(st.lists(st.sampled_from(range(int(which.max()) + 1)), min_size=1, unique=True))
    )
    records = np.flatnonzero(np.isin(which, some))
    label = np.arange(len(some)) % 2
    place = {unit: number for number, unit in enumerate(some.tolist())}
    by_unit = Holdings(table, wanted, which).standing(label, some)
    if len(records) == 0 or len(set(which[records])) < len(some):
        return
    by_record = Holdings(table, wanted).standing(
        label[[place[int(unit)] for unit in which[records]]], records
    )
    assert by_unit.fails.tolist() == by_record.fails.tolist()
    assert by_unit.people.tolist() == by_record.people.tolist()
    again = Holdings(table, wanted).among(records, np.searchsorted(np.sort(some), which[records]))
    assert again.people(np.zeros(again.count, dtype=np.int64)).tolist() == [
        by_record.people.sum() if not people else len({rows[place][2] for place in records.tolist()})
    ]


@given(ROWS, WANTED, st.booleans())
def test_a_class_that_is_not_hopeless_is_not_when_it_takes_in_another(
    rows: list[Any], wanted: Requirement, people: bool
) -> None:
    table = table_of(rows, people=people, scale="numeric")
    held = Holdings(table, wanted)
    label = classes_of(table, ["key"]).label
    fine, coarse = held.standing(label), held.standing(np.zeros_like(label))
    if not fine.hopeless.all():
        assert not coarse.hopeless[0]
    if held.monotone(suppressing=False) and not fine.fails.any():
        assert not coarse.fails[0]
    if held.monotone(suppressing=True) and not fine.fails.all():
        assert not coarse.fails[0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_value_that_everybody_has_is_known_whatever_else_they_have(variant: Variant) -> None:
    frame = pl.DataFrame({"secret": ["flu", "cold", "flu", "hay fever"], "who": [1, 1, 2, 2]})
    table = Table.of(frame, roles={"secret": "confidential", "who": "person"})
    wanted = Requirement(k=2, l=1.5, variant=variant, confidential=("secret",))
    found = Holdings(table, wanted).standing(np.zeros(4, dtype=np.int64))
    assert found.diverse[0] <= 1
    assert found.fails[0]


def test_what_is_wanted_is_told_in_words() -> None:
    assert str(Requirement(k=5)) == "k=5"
    told = Requirement(k=5, l=2.0, variant="recursive", c=4.0, t=0.2, confidential=("x",))
    assert str(told) == "k=5, l=2 (recursive, c=4) and t=0.2"
