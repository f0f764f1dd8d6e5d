"""What every masking method must do, whatever it does."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from discreet.errors import BadParameter, DiscreetError, UnknownParameter
from discreet.guarantees import guarantee_of
from discreet.plan import Plan
from discreet.protection import protect
from discreet.registry import DeclaredGuarantee, Method, methods
from discreet.results import Masked
from discreet.table import Table

MASKS = [pytest.param(each, id=each.name) for each in methods("mask")]
SEED = 11


def run(method: Method, table: Table, **parameters: Any) -> Masked:
    given = {**method.example, **parameters}
    if method.random:
        given.setdefault("seed", SEED)
    masked: Masked = method.function(table, **given)
    return masked


@pytest.fixture(params=MASKS)
def method(request: pytest.FixtureRequest) -> Method:
    found: Method = request.param
    return found


def test_input_is_unchanged(method: Method, people: Table) -> None:
    before = people.frame.clone()
    run(method, people)
    assert people.frame.equals(before, null_equal=True)


def test_same_seed_gives_the_same_result(method: Method, people: Table) -> None:
    first, second = run(method, people), run(method, people)
    assert first.table.frame.equals(second.table.frame, null_equal=True)


def test_another_seed_gives_another_result(method: Method, people: Table) -> None:
    if not method.random:
        pytest.skip(f"{method.name} draws no random numbers")
    first, second = run(method, people), run(method, people, seed=SEED + 1)
    assert not first.table.frame.equals(second.table.frame, null_equal=True)


def test_untouched_columns_are_identical(method: Method, people: Table) -> None:
    masked = run(method, people)
    if not method.keeps_rows:
        pytest.skip(f"{method.name} does not keep the rows")
    touched = {
        name
        for value in masked.parameters.values()
        if isinstance(value, list)
        for name in value
        if isinstance(name, str)
    }
    for name in people.names:
        if name not in touched and people[name].role != "weight":
            assert masked.table.frame[name].equals(people.frame[name], null_equal=True), name


def test_masking_changes_something(method: Method, people: Table) -> None:
    masked = run(method, people)
    assert not masked.table.frame.equals(people.frame, null_equal=True)


def test_no_row_number_is_added(method: Method, people: Table) -> None:
    masked = run(method, people)
    numbers = list(range(len(masked.table)))
    for name in masked.table.names:
        if name not in people.names:
            assert masked.table.frame[name].to_list() not in (numbers, [number + 1 for number in numbers])


def test_rows_are_kept_or_their_origin_is_told(method: Method, people: Table) -> None:
    masked = run(method, people)
    if masked.origin is None:
        assert len(masked.table) == len(people)
        assert method.keeps_rows
    else:
        assert len(masked.origin) == len(masked.table)
        assert masked.origin.min(initial=0) >= -1
        assert masked.origin.max(initial=-1) < len(people)
        assert not method.keeps_rows


def test_guarantees_hold_on_the_result(method: Method, people: Table) -> None:
    masked = run(method, people)
    for guarantee in masked.guarantees:
        assert guarantee.fault(masked.table) == ""
        json.dumps(guarantee.to_dict())


@pytest.mark.parametrize(
    ("method", "guarantee"),
    [
        pytest.param(method, each, id=f"{method.name}-{number}")
        for method in methods("mask")
        for number, each in enumerate(method.guarantees)
    ],
)
def test_each_guarantee_is_a_guarantee_that_is_checked(
    method: Method, guarantee: DeclaredGuarantee, people: Table
) -> None:
    complete = replace(people, frame=people.frame.drop_nulls())
    found = []
    for table in (people, complete):
        masked = run(method, table, **guarantee.when)
        own = [each for each in masked.guarantees if isinstance(each, guarantee.checked_by)]
        assert [each.fault(masked.table) for each in own] == [""] * len(own)
        found += own
    assert found
    for each in found:
        payload = json.loads(json.dumps(each.to_dict()))
        assert guarantee_of(payload, "it").says() == each.says()


def test_odd_tables_give_an_answer_or_a_named_error(method: Method, odd_table: Table) -> None:
    try:
        masked = run(method, odd_table)
    except DiscreetError:
        return
    for guarantee in masked.guarantees:
        assert guarantee.fault(masked.table) == ""


def test_each_parameter_refuses_a_bad_value_by_name(method: Method, people: Table) -> None:
    for parameter in method.parameters:
        with pytest.raises(BadParameter, match=rf"{method.name}: {parameter.name} must be "):
            run(method, people, **{parameter.name: object()})


def test_an_unknown_parameter_is_refused_with_a_suggestion(method: Method, people: Table) -> None:
    name = method.parameters[0].name
    with pytest.raises(UnknownParameter, match=f"Did you mean '{name}'"):
        run(method, people, **{f"{name}e": ["age"]})


def test_parameters_survive_json(method: Method, people: Table) -> None:
    masked = run(method, people)
    payload = json.loads(json.dumps(dict(masked.parameters)))
    again = Plan.from_dict([{"method": method.name, **{n: v for n, v in payload.items() if v is not None}}])
    assert again.steps[0].name == method.name


def test_a_release_has_no_identifier(method: Method, people: Table) -> None:
    release = protect(people, Plan.of([(method.name, dict(method.example))]), seed=SEED)
    assert not {"person", "name", "date_of_birth"} & set(release.table.names)
    assert f"{SEED:x}" not in repr(release.manifest.to_dict().get("seed", ""))


def test_facts_are_declared(method: Method) -> None:
    assert method.summary.endswith(".")
    assert method.missing
    assert method.cites
    assert method.guarantees
    for parameter in method.parameters:
        assert parameter.kind.about
    json.dumps(method.to_dict())
