"""Linkage by all records of a person, where pseudonyms say which published records belong together."""

from __future__ import annotations

import sys

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet as dc
from discreet.attack import link, link_person
from discreet.attack.records import records_of
from discreet.errors import NotComputable
from discreet.table import Table

MODULE = sys.modules["discreet.attack.link_person"]
ROLES = {"who": "person", "age": "quasi-identifier", "town": "quasi-identifier"}
CELLS = st.tuples(st.integers(0, 3), st.integers(0, 2), st.sampled_from("ab"))


def table_of(rows: list[tuple[int, int, str]]) -> Table:
    frame = pl.DataFrame(rows, schema={"who": pl.Int64, "age": pl.Int64, "town": pl.String}, orient="row")
    return Table.of(frame, roles=ROLES)


def renamed(table: Table) -> Table:
    """The table with pseudonyms in another order than the numbers."""
    return table.with_values({"who": 100 - table.frame["who"]})


def by_counting(rows: list[tuple[int, int, str]]) -> list[float]:
    """The chance of each person when nothing is masked: one over those with the same records, each as often."""
    people = sorted({row[0] for row in rows})
    having = {who: sorted(row[1:] for row in rows if row[0] == who) for who in people}
    return [1 / sum(having[other] == having[who] for other in people) for who in people]


@settings(max_examples=150)
@given(rows=st.lists(CELLS, min_size=1, max_size=10))
def test_unmasked_people_are_shared_by_those_with_all_records_alike(rows: list[tuple[int, int, str]]) -> None:
    table = table_of(rows)
    if len({row[0] for row in rows}) == len(rows):
        with pytest.raises(NotComputable, match="several published records"):
            link_person(table, renamed(table))
        return
    expected = by_counting(rows)
    found = link_person(table, renamed(table))
    assert found.people == pytest.approx(expected)
    assert found.risk == pytest.approx(np.mean(expected))
    persons = table.persons()
    assert persons is not None
    assert found.records == pytest.approx(np.array(expected)[persons])
    assert found.reidentifies


@settings(max_examples=60)
@given(rows=st.lists(CELLS, min_size=2, max_size=10), seed=st.integers(0, 99))
def test_the_order_of_records_and_the_pseudonyms_change_nothing(
    rows: list[tuple[int, int, str]], seed: int
) -> None:
    table = table_of([*rows, rows[0]])
    noisy = renamed(table).with_values(
        {"age": table.frame["age"] + pl.Series([i % 2 for i in range(len(table))])}
    )
    expected = link_person(table, noisy)
    moved = np.random.default_rng(seed).permutation(len(table))
    found = link_person(table, noisy.take(moved), truth=moved)
    assert found.risk == pytest.approx(expected.risk)
    assert expected.records is not None
    assert found.records == pytest.approx(expected.records[moved])
    again = link_person(table, noisy.with_values({"who": noisy.frame["who"].cast(pl.String)}))
    assert again.risk == pytest.approx(expected.risk)


def everybody_twice(people: int, classes: int, seed: int) -> Table:
    """People with two records each, every single combination shared by many people."""
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(people), 2)
    return table_of(
        [
            (int(each), int(age), str(town))
            for each, age, town in zip(
                who, rng.integers(0, classes, 2 * people), rng.choice(list("abcd"), 2 * people), strict=True
            )
        ]
    )


def test_people_are_found_by_their_classes_together_where_no_single_class_tells_them() -> None:
    table = everybody_twice(200, 10, seed=2)
    single = link(table, renamed(table)).risk
    together = link_person(table, renamed(table)).risk
    assert single < 0.35
    assert together > 2 * single


@pytest.mark.parametrize("bins", [2, 3, 6])
def test_bands_are_read_and_coarser_ones_hide_more(bins: int) -> None:
    table = everybody_twice(150, 12, seed=3)
    risks = []
    for each in (bins, 2 * bins):
        plan = dc.Plan.of([("recode_numbers", {"columns": ["age"], "bins": each, "variant": "width"})])
        release = dc.protect(table, plan, seed=1, pseudonymise=["who"])
        risks.append(link_person(table, release.table, truth=release.truth).risk)
    plain = link_person(table, renamed(table)).risk
    assert risks[0] <= risks[1] <= plain + 1e-9
    assert risks[1] > 1 / 150


def test_noise_does_not_hide_people_who_are_known_by_many_records() -> None:
    rng = np.random.default_rng(5)
    who = np.repeat(np.arange(100), 8)
    age = rng.normal(size=800)
    roles = {"who": "person", "age": "quasi-identifier", "height": "quasi-identifier"}
    table = Table.of(pl.DataFrame({"who": who, "age": age, "height": rng.normal(size=800)}), roles=roles)
    moved = {name: table.frame[name] + pl.Series(0.1 * rng.normal(size=800)) for name in ("age", "height")}
    masked = renamed(table.with_values(moved))
    assert link(table, masked).risk < 0.4
    assert link_person(table, masked).risk > 0.9


def test_some_records_of_a_person_are_enough_to_be_found() -> None:
    table = everybody_twice(60, 40, seed=4)
    rows = np.setdiff1d(np.arange(120), [0, 5, 8])
    found = link_person(table, renamed(table).take(rows), truth=rows)
    assert found.risk > 0.8
    assert found.attempts == 60
    assert len(found.records if found.records is not None else []) == 117


def test_work_is_cut_into_pieces_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    table = everybody_twice(80, 6, seed=6)
    rows = np.arange(1, 160)
    masked = renamed(table).take(rows)
    whole = link_person(table, masked, truth=rows)
    assert whole.details["exact"]
    monkeypatch.setattr(MODULE, "PAIRS_AT_ONCE", 50)
    pieces = link_person(table, masked, truth=rows)
    assert pieces.people == pytest.approx(whole.people)
    monkeypatch.setattr(MODULE, "MOST_PAIRS", 100)
    bounded = link_person(table, masked, truth=rows)
    assert not bounded.details["exact"]
    assert bounded.risk <= whole.risk + 1e-12


def test_without_a_published_pseudonym_there_is_nothing_to_link_by() -> None:
    table = everybody_twice(10, 3, seed=1)
    with pytest.raises(NotComputable, match="column of persons"):
        link_person(table, table.without(["who"]))
    with pytest.raises(NotComputable, match="column of persons"):
        link_person(table, table.without(["who"]).with_persons(np.repeat(np.arange(10), 2)))


def test_records_without_a_pseudonym_are_people_of_their_own() -> None:
    table = table_of([(1, 1, "a"), (1, 2, "b"), (2, 1, "b"), (2, 2, "a")])
    masked = table.with_values({"who": pl.Series([None, 7, 8, 8], dtype=pl.Int64)})
    found = link_person(table, masked)
    assert found.details["pseudonyms"] == 3
    assert found.people == pytest.approx([1.0, 1.0])


def numbers_of(rows: list[tuple[int, int]]) -> Table:
    frame = pl.DataFrame(rows, schema={"who": pl.Int64, "age": pl.Int64}, orient="row")
    return Table.of(frame, roles={"who": "person", "age": "quasi-identifier"})


def by_trying_all(known: list[tuple[int, int]], published: list[tuple[int, int]]) -> list[float]:
    """The chance of each known person by the rule: every pair is tried, at the places where numbers are compared.

    Records are pairs of a person, or a pseudonym, and a number; record i is published as record i.
    """
    both = records_of(numbers_of(known), numbers_of(published), ["age"], np.arange(len(known)))
    left, right = (np.asarray(each)[:, 0] for each in (both.queries, both.targets))
    apart = np.round((left[:, None] - right[None, :]) ** 2, 9)
    pseudonyms = sorted({who for who, _ in published})
    fits = [frozenset(published[j][1] for j in range(len(right)) if row[j] == row.min()) for row in apart]
    place = [
        sum(known[j][0] == known[i][0] and fits[j] == fits[i] for j in range(i + 1))
        for i in range(len(known))
    ]

    def fitting(record: int) -> set[int]:
        return {
            who
            for who in pseudonyms
            if sum(mine == who and number in fits[record] for mine, number in published) >= place[record]
        }

    reached = [fitting(record) for record in range(len(known))]
    worth = [np.log((len(pseudonyms) + 1) / max(1, len(each))) for each in reached]
    chances = []
    for person in sorted({who for who, _ in known}):
        own = [record for record, (who, _) in enumerate(known) if who == person]
        points = {who: sum(worth[record] for record in own if who in reached[record]) for who in pseudonyms}
        best = [who for who in pseudonyms if points[who] >= sum(worth[record] for record in own) - 1e-9]
        if not best:
            tried = [who for who in pseudonyms if points[who] > 0]
            summed = {
                who: sum(
                    min(apart[record, j] for j, (mine, _) in enumerate(published) if mine == who)
                    for record in own
                )
                for who in tried
            }
            best = [who for who in tried if summed[who] <= min(summed.values()) + 1e-7]
        number = {who: abs(len(own) - sum(mine == who for mine, _ in published)) for who in best}
        best = [who for who in best if number[who] == min(number.values())]
        right_ones = {published[record][0] for record in own}
        chances.append(len(right_ones & set(best)) / max(1, len(best)))
    return chances


@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 6), st.integers(-2, 2)), min_size=3, max_size=9
    ).filter(lambda rows: len({row[0] for row in rows}) < len(rows) and len({row[1] for row in rows}) > 1)
)
def test_masked_people_are_found_as_trying_every_pseudonym_finds_them(
    rows: list[tuple[int, int, int]],
) -> None:
    known = [(who, number) for who, number, _ in rows]
    published = [(who, number + moved) for who, number, moved in rows]
    if len({number for _, number in published}) < 2:
        return
    found = link_person(numbers_of(known), renamed(numbers_of(published)))
    assert found.people == pytest.approx(by_trying_all(known, published))
    assert found.baseline == pytest.approx(1 / len({who for who, _ in known}))
    assert found.details["pseudonyms"] == len({who for who, _ in known})
    assert found.details["certain"] == sum(each == 1 for each in found.people)
    assert found.details["expected"] == pytest.approx(sum(found.people))
