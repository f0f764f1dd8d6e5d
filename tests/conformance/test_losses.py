"""What every measure of loss must do, whatever it measures."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.conformance.conftest import near, told, with_columns_in_order

from discreet.errors import BadParameter, NotComputable, UnknownParameter
from discreet.registry import Method, methods
from discreet.results import Loss
from discreet.table import IntArray, Role, Scale, Table

LOSSES = [pytest.param(each, id=each.name) for each in methods("loss")]
UNITS = ("age", "hours", "income", "rent", "commute", "weight")


def run(method: Method, original: Table, masked: Table, **parameters: Any) -> Loss:
    found: Loss = method.function(original, masked, **{**method.example, **parameters})
    return found


@pytest.fixture(params=LOSSES)
def method(request: pytest.FixtureRequest) -> Method:
    found: Method = request.param
    return found


@pytest.fixture(scope="session")
def masked(people: Table) -> Table:
    """The people with noise on numbers, categories exchanged, and cells suppressed."""
    rng = np.random.default_rng(17)
    fresh: dict[str, pl.Series] = {}
    for name in people.keys:
        values = people.frame[name]
        if people[name].scale == Scale.NUMERIC:
            spread = float(np.nanstd(people.numbers([name])))
            fresh[name] = values + pl.Series(rng.normal(0, 0.2 * spread, len(people)))
        else:
            other = values.gather(pl.Series(rng.permutation(len(people))))
            moved = pl.Series(rng.random(len(people)) < 0.2)
            fresh[name] = values.zip_with(~moved, other)
        suppressed = pl.Series(rng.random(len(people)) < 0.05)
        fresh[name] = fresh[name].set(suppressed, None)
    return people.with_values(fresh)


@pytest.fixture(scope="session")
def shuffled(people: Table) -> IntArray:
    """Another order of the records, in which some stand where they stood."""
    half = len(people) // 2
    return np.concatenate([np.arange(half), half + np.random.default_rng(23).permutation(len(people) - half)])


def test_identical_tables_have_no_loss(method: Method, people: Table) -> None:
    found = run(method, people, people)
    assert found.loss == pytest.approx(0, abs=1e-12)
    assert all(each == pytest.approx(0, abs=1e-12) for each in found.columns.values())


def test_a_masked_table_has_a_loss_that_is_not_negative(method: Method, people: Table, masked: Table) -> None:
    found = run(method, people, masked)
    assert found.name == method.name
    assert found.loss >= 0
    assert all(each >= 0 for each in found.columns.values())


def test_the_same_tables_give_the_same_loss(method: Method, people: Table, masked: Table) -> None:
    assert run(method, people, masked).to_dict() == run(method, people, masked).to_dict()


def test_the_order_of_the_records_does_not_matter(
    method: Method, people: Table, masked: Table, shuffled: IntArray
) -> None:
    expected = run(method, people, masked).loss
    together = run(method, people.take(shuffled), masked.take(shuffled))
    assert together.loss == pytest.approx(expected, rel=1e-6, abs=1e-9)
    apart = {"truth": shuffled} if "truth" in method.extras else {}
    assert run(method, people, masked.take(shuffled), **apart).loss == pytest.approx(
        expected, rel=1e-6, abs=1e-9
    )


def test_the_order_of_records_that_are_alike_does_not_matter(method: Method, crowd: Table) -> None:
    """Many records are equal in the original and differ in the masked file, and some of these come from nobody."""
    rng = np.random.default_rng(31)
    masked = crowd.with_values(
        {name: crowd.frame[name].gather(rng.permutation(len(crowd))) for name in crowd.keys}
    )
    owner = np.where(rng.random(len(crowd)) < 0.1, -1, np.arange(len(crowd)))
    linked = "truth" in method.extras
    try:
        expected = told(run(method, crowd, masked, **({"truth": owner} if linked else {})))
    except NotComputable:
        pytest.skip(f"{method.name} has no answer where so few records differ")
    for _ in range(3):
        old, new = rng.permutation(len(crowd)), rng.permutation(len(crowd))
        place = np.append(np.argsort(old), -1)
        moved = {"truth": place[owner[new]]} if linked else {}
        assert told(run(method, crowd.take(old), masked.take(new), **moved)) == near(expected)


def test_the_order_of_the_columns_does_not_matter(method: Method, people: Table, masked: Table) -> None:
    expected = run(method, people, masked).loss
    order = list(reversed(people.names))
    found = run(method, with_columns_in_order(people, order), with_columns_in_order(masked, order))
    assert found.loss == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_the_units_do_not_matter(method: Method, people: Table, masked: Table) -> None:
    def in_other_units(table: Table) -> Table:
        return table.with_values({name: table.frame[name] * 1024.0 for name in UNITS})

    expected = run(method, people, masked).loss
    found = run(method, in_other_units(people), in_other_units(masked))
    assert found.loss == pytest.approx(expected, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("factor", [2.0**-20, 2.0**20])
def test_the_units_of_sampling_weights_do_not_matter(
    method: Method, people: Table, masked: Table, factor: float
) -> None:
    (weight,) = people.having(Role.WEIGHT)

    def weighted(table: Table) -> Table:
        return table.with_values({weight: table.frame[weight] * factor})

    expected = run(method, people, masked)
    found = run(method, weighted(people), weighted(masked))
    assert found.loss == pytest.approx(expected.loss, rel=1e-6, abs=1e-9)
    assert found.columns == pytest.approx(dict(expected.columns), rel=1e-6, abs=1e-9)


def test_tables_are_unchanged(method: Method, people: Table, masked: Table) -> None:
    before = people.frame.clone(), masked.frame.clone()
    run(method, people, masked)
    assert people.frame.equals(before[0], null_equal=True)
    assert masked.frame.equals(before[1], null_equal=True)


def test_odd_tables_give_a_number_or_a_named_error(method: Method, odd_table: Table) -> None:
    try:
        found = run(method, odd_table, odd_table)
    except NotComputable:
        return
    assert found.loss == pytest.approx(0, abs=1e-12)


def test_a_table_against_an_odd_one_gives_a_number_or_a_named_error(
    method: Method, people: Table, odd_table: Table
) -> None:
    truth = {"truth": np.arange(len(odd_table))} if "truth" in method.extras else {}
    try:
        found = run(method, people, odd_table, **truth)
    except NotComputable:
        return
    assert math.isfinite(found.loss)
    assert found.loss >= 0


def test_records_from_nobody_are_an_answer_or_a_named_error(method: Method, people: Table) -> None:
    if "truth" not in method.extras:
        pytest.skip(f"{method.name} does not compare record with record")
    try:
        found = run(method, people, people, truth=np.full(len(people), -1))
    except NotComputable:
        return
    assert math.isfinite(found.loss)


def test_the_result_is_safe_for_json(method: Method, people: Table, masked: Table) -> None:
    payload = json.loads(json.dumps(run(method, people, masked).to_dict(), allow_nan=False))
    assert payload["name"] == method.name
    assert payload["meaning"] == method.meaning


def test_one_line_tells_the_result(method: Method, people: Table, masked: Table) -> None:
    line = str(run(method, people, masked))
    assert line.startswith(f"{method.name}: ")
    assert "\n" not in line


def test_each_parameter_refuses_a_bad_value_by_name(method: Method, people: Table) -> None:
    for parameter in method.parameters:
        with pytest.raises(BadParameter, match=rf"{method.name}: {parameter.name} must be "):
            run(method, people, people, **{parameter.name: object()})


def test_an_unknown_parameter_is_refused_with_a_suggestion(method: Method, people: Table) -> None:
    with pytest.raises(UnknownParameter, match="Did you mean 'columns'"):
        run(method, people, people, colunms=["age"])


def test_columns_that_are_gone_are_counted_and_named(method: Method, people: Table) -> None:
    chosen = next(each for each in method.parameters if each.name == "columns")
    gone = chosen.default.chosen(people)[0]  # type: ignore[attr-defined]
    found = run(method, people, people.without([gone]))
    if method.gone_is_lost:
        assert found.columns[gone] == 100
        assert found.details["columns_gone"] == [gone]
        return
    assert gone in found.details["columns_left_out"]
    assert found.left_out >= 1


def test_facts_are_declared(method: Method) -> None:
    assert method.summary.endswith(".")
    assert method.missing
    assert method.meaning
    assert method.cites
    for parameter in method.parameters:
        assert parameter.kind.about
    json.dumps(method.to_dict())
