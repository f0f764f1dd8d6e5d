from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from discreet.assessment import assess
from discreet.demo import table as census
from discreet.digests import digest_of
from discreet.errors import BadParameter, BadValues, Mismatch, NotComputable, UnknownColumn
from discreet.intruder import Intruder
from discreet.plan import Plan
from discreet.protection import protect
from discreet.release import Release
from discreet.table import Table


@pytest.fixture(scope="module")
def people() -> Table:
    return census(300, seed=7)


@pytest.fixture(scope="module")
def release(people: Table) -> Release:
    return protect(people, Plan.of([("add_noise", {"p": 0.3})]), seed=1)


def linked(people: Table, release: Release, intruder: Intruder) -> float:
    found = assess(people, release, attacks=["link"], losses=[], intruder=intruder).risk("link")
    assert found is not None
    return found.risk


def test_who_knows_fewer_columns_finds_fewer_people(people: Table, release: Release) -> None:
    everything = linked(people, release, Intruder())
    numbers = linked(people, release, Intruder(columns=("age", "income", "rent", "hours")))
    one = linked(people, release, Intruder(columns=("age",)))
    assert everything > numbers > one


def test_who_holds_fewer_records_has_fewer_attempts(people: Table, release: Release) -> None:
    found = assess(people, release, attacks=["link"], losses=[], intruder=Intruder(records=30)).risk("link")
    assert found is not None
    assert found.attempts == 30
    assert found.records is not None
    assert (found.records > 0).sum() <= 30


def test_other_names_change_nothing(people: Table, release: Release) -> None:
    theirs = people.frame.rename({"age": "alter", "income": "einkommen"})
    roles = {each.name: str(each.role) for each in people.columns}
    roles |= {"alter": roles.pop("age"), "einkommen": roles.pop("income")}
    scales = {each.name: str(each.scale) for each in people.columns}
    scales |= {"alter": scales.pop("age"), "einkommen": scales.pop("income")}
    orders = {each.name: each.order for each in people.columns if each.order}
    known = Table.of(theirs, roles=roles, scales=scales, orders=orders)
    intruder = Intruder(names={"age": "alter", "income": "einkommen"})
    view = intruder.view(known, release.table, release.truth)
    assert view.known.frame["age"].equals(people.frame["age"], null_equal=True)
    with pytest.raises(UnknownColumn, match="Did you mean 'age'"):
        Intruder(names={"agee": "alter"}).view(known, release.table, release.truth)


def test_training_pairs_are_among_the_known(people: Table, release: Release) -> None:
    view = Intruder(records=0.5, training=0.2).view(people, release.table, release.truth)
    assert len(view.training) == 30
    assert (view.truth[view.training] >= 0).all()
    assert (view.truth >= 0).sum() == 150


def test_nobody_known_is_not_zero_risk(people: Table, release: Release) -> None:
    with pytest.raises(NotComputable, match="nobody to re-identify"):
        Intruder().view(people, release.table, np.full(300, -1))


@pytest.mark.parametrize(
    "bad", [{"records": 0}, {"records": 2.5}, {"training": 1}, {"columns": ()}, {"records": 10_000}]
)
def test_impossible_knowledge_is_refused(people: Table, release: Release, bad: dict[str, object]) -> None:
    with pytest.raises(BadParameter, match="intruder"):
        Intruder(**bad).view(people, release.table, release.truth)  # type: ignore[arg-type]


def test_the_view_leaves_the_original_alone(people: Table, release: Release) -> None:
    before = people.frame.clone()
    Intruder(columns=("age",), records=0.1).view(people, release.table, release.truth)
    assert people.frame.equals(before, null_equal=True)
    assert isinstance(people.frame, pl.DataFrame)


def test_who_knows_fewer_columns_sees_larger_classes(people: Table, release: Release) -> None:
    def k(intruder: Intruder) -> float | None:
        found = assess(people, release, attacks=["k_anonymity"], losses=[], intruder=intruder).risk(
            "k_anonymity"
        )
        assert found is not None
        return found.level

    assert k(Intruder()) == 1
    few = k(Intruder(columns=("sex",)))
    assert few is not None
    assert few > 10
    asked = assess(
        people, release, attacks=["k_anonymity keys=sex,age"], losses=[], intruder=Intruder(columns=("sex",))
    )
    assert asked.risks[0].level == 1


@pytest.fixture(scope="module")
def register(people: Table) -> Table:
    """A file of the intruder's own: half of the people in another order, and forty strangers."""
    rows = np.random.default_rng(5).permutation(300)[:150]
    known = people.take(rows)
    strangers = census(40, seed=99)
    strangers = strangers.with_values({"person": pl.Series([f"S{place}" for place in range(40)])})
    return replace(known, name="register", frame=pl.concat([strangers.frame, known.frame]))


def test_a_file_of_the_intruders_own_is_linked_by_who_is_who(
    people: Table, release: Release, register: Table
) -> None:
    intruder = Intruder(holds=register, match="person")
    view = intruder.view(people, release.table, release.truth)
    assert len(view.known) == 190
    assert (view.truth >= 0).sum() == 150
    published = np.flatnonzero(view.truth >= 0)
    mine = register.frame["person"].gather(pl.Series(view.truth[published]))
    assert mine.to_list() == people.frame["person"].gather(pl.Series(published)).to_list()
    found = assess(people, release, attacks=["link"], losses=[], intruder=intruder).risk("link")
    assert found is not None
    assert found.attempts == 150
    assert found.risk > 0.5
    assert "'register'" in str(intruder)
    assert intruder.to_dict() != Intruder(holds=people, match="person").to_dict()


def test_an_intruders_file_that_cannot_be_used_is_named(
    people: Table, release: Release, register: Table
) -> None:
    twice = replace(register, frame=pl.concat([register.frame, register.frame.head(3)]))
    with pytest.raises(BadValues, match="3 records repeat somebody"):
        Intruder(holds=twice, match="person").view(people, release.table, release.truth)
    with pytest.raises(UnknownColumn, match="Did you mean 'person'"):
        Intruder(holds=register, match="persn").view(people, release.table, release.truth)
    with pytest.raises(BadParameter, match="needs match"):
        Intruder(holds=register)
    with pytest.raises(BadParameter, match="needs such a file"):
        Intruder(match="person")
    bare = register.without(register.keys)
    with pytest.raises(Mismatch, match="no quasi-identifier in common"):
        Intruder(holds=bare, match="person").view(people, release.table, release.truth)
    strangers = register.take(np.arange(40))
    with pytest.raises(NotComputable, match="nobody to re-identify"):
        Intruder(holds=strangers, match="person").view(people, release.table, release.truth)


def test_unnamed_people_in_an_intruders_file_belong_to_nobody(
    people: Table, release: Release, register: Table
) -> None:
    names = register.frame["person"].to_list()
    unnamed = register.with_values({"person": pl.Series([None] * 100 + names[100:], dtype=pl.String)})
    view = Intruder(holds=unnamed, match="person").view(people, release.table, release.truth)
    assert (view.truth >= 0).sum() == 90
    assert view.truth[view.truth >= 0].min() >= 100


def test_a_column_without_a_value_in_an_intruders_file_is_not_known(
    people: Table, release: Release, register: Table
) -> None:
    ageless = register.with_values({"age": pl.Series([None] * len(register), dtype=pl.Int64)})
    view = Intruder(holds=ageless, match="person").view(people, release.table, release.truth)
    assert "age" not in view.known.names
    with pytest.raises(BadParameter, match="'age' of table 'register' holds no value"):
        Intruder(holds=ageless, match="person", columns=("age",)).view(people, release.table, release.truth)


def test_guesses_of_whoever_holds_a_file_are_held_against_the_original(
    people: Table, release: Release, register: Table
) -> None:
    bare = register.without(["diagnosis", "benefit"])
    lying = bare.with_values({"health": pl.Series(["very bad"] * len(bare), dtype=pl.String)})
    for holds in (register, lying):
        intruder = Intruder(holds=holds, match="person")
        view = intruder.view(people, release.table, release.truth)
        linked = np.flatnonzero(view.truth >= 0)
        for name in ("health", "diagnosis", "benefit"):
            told = view.known.frame[name].gather(pl.Series(view.truth[linked]))
            assert told.to_list() == people.frame[name].gather(pl.Series(linked)).to_list()
        found = assess(people, release, attacks=["attribute_by_link"], losses=[], intruder=intruder)
        assert found.risks[0].attempts == 3 * 150
        assert found.risks[0].baseline is not None
        assert found.risks[0].risk > found.risks[0].baseline


def test_what_an_intruder_knows_is_told_whole() -> None:
    nobody = Table.of(pl.DataFrame({"age": [1]}), roles={}, rest="quasi-identifier", name="register")
    assert Intruder().to_dict() == {
        "columns": None,
        "names": {},
        "records": 1.0,
        "training": 0.0,
        "reads_manifest": True,
        "draw": 0,
        "holds": None,
        "match": "",
        "population": None,
    }
    told = Intruder(
        columns=("age",),
        names={"age": "years"},
        records=40,
        training=0.25,
        reads_manifest=False,
        draw=7,
        holds=nobody,
        match="who",
        population=nobody,
    ).to_dict()
    assert told == {
        "columns": ["age"],
        "names": {"age": "years"},
        "records": 40,
        "training": 0.25,
        "reads_manifest": False,
        "draw": 7,
        "holds": digest_of(nobody),
        "match": "who",
        "population": digest_of(nobody),
    }


def test_an_intruder_is_said_in_one_sentence() -> None:
    register = Table.of(pl.DataFrame({"age": [1]}), roles={}, rest="quasi-identifier", name="register")
    assert str(Intruder()) == (
        "an intruder who knows all quasi-identifiers of 100% of the records and the masking method"
    )
    assert str(Intruder(columns=("age", "sex"), records=0.125, reads_manifest=False)) == (
        "an intruder who knows age, sex of 12.5% of the records"
    )
    assert str(Intruder(records=40, reads_manifest=False)) == (
        "an intruder who knows all quasi-identifiers of 40 records"
    )
    assert str(Intruder(holds=register, match="who", population=register)) == (
        "an intruder who knows the quasi-identifiers of 100% of the records in 'register', as far as it has them, "
        "and the masking method and everybody in 'register'"
    )


def test_an_intruder_needs_a_file_to_match_and_something_to_know() -> None:
    register = Table.of(pl.DataFrame({"age": [1]}), roles={}, rest="quasi-identifier")
    for given in ({"holds": register}, {"match": "who"}):
        with pytest.raises(BadParameter, match="needs match, and match needs such a file"):
            Intruder(**given)
    for records in (0, -1, 1.5):
        with pytest.raises(BadParameter, match="records"):
            Intruder(records=records)
    for training in (-0.1, 1.0):
        with pytest.raises(BadParameter, match="training must be a share from 0 to below 1"):
            Intruder(training=training)
    with pytest.raises(BadParameter, match="knows no column"):
        Intruder(columns=())
    assert (
        Intruder(records=2).records,
        Intruder(records=1e-9).records,
        Intruder(training=0.99).training,
    ) == (
        2,
        1e-9,
        0.99,
    )


def test_records_of_nobody_are_nobody_in_the_file_of_the_intruder_too(
    people: Table, release: Release
) -> None:
    nobody = np.arange(0, len(people), 3)
    truth = release.truth.copy()
    truth[nobody] = -1
    alone = Intruder().view(people, release.table, truth)
    register = people.take(np.arange(len(people))[::-1])
    both = Intruder(holds=register, match="person").view(people, release.table, truth)
    assert (alone.truth[nobody] == -1).all()
    assert np.array_equal(both.truth, np.where(truth >= 0, len(people) - 1 - truth, -1))
