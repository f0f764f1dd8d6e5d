"""What every attack must do, whatever it attacks."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.conformance.conftest import near, told, with_columns_in_order

from discreet.errors import (
    BadParameter,
    DiscreetError,
    Mismatch,
    NotComputable,
    UnknownParameter,
)
from discreet.plan import Plan
from discreet.protection import protect
from discreet.registry import Method, methods
from discreet.release import Release
from discreet.results import Risk
from discreet.table import IntArray, Role, Scale, Table

ATTACKS = [pytest.param(each, id=each.name) for each in methods("attack")]
PLAN = Plan.of(
    [
        ("rank_swap", {"columns": ["income", "rent"], "p": 10}),
        ("add_noise", {"columns": ["age", "hours"], "p": 0.3}),
        ("pram", {"columns": ["sex", "marital_status"], "theta": 0.3}),
        ("recode", {"columns": ["occupation"], "rarest": 5}),
    ]
)
TRUTHFUL = Plan.of(
    [
        ("recode_numbers", {"columns": ["income", "age"], "bins": 20}),
        ("recode", {"columns": ["occupation"], "rarest": 5}),
        ("suppress", {"columns": ["sex", "marital_status"], "k": 3}),
    ]
)
"""For attacks that have an answer only where what is published is true."""
CATEGORIES = ("postcode", "sex", "occupation", "diagnosis")
QUICK = {"seconds": 60.0}
"""Far more than a proof takes on these few records, on a busy machine too."""
LINKING = ("linkage", "transparency")
STRICT = ("learned_from_pairs",)
"""Attacks that take a tie for a miss."""


def run(
    method: Method, original: Table, release: Release, masked: Table | None = None, /, **given: Any
) -> Risk:
    """The result of the attack on a release, or on another masked table with what is known of that release.

    An attack that learns from known pairs is told those of the first fifth of the records.
    """
    published = release.table if masked is None else masked
    tables = {"original": original, "masked": published}
    training = np.arange(len(published) // 5)
    extras = {"truth": release.truth, "manifest": release.manifest, "training": training, "seed": 1}
    declared = {each.name for each in method.parameters}
    parameters = {
        **{name: value for name, value in QUICK.items() if name in declared},
        **method.example,
        **{name: extras[name] for name in method.extras if name in extras},
        **given,
    }
    found: Risk = method.function(*(tables[name] for name in method.tables), **parameters)
    return found


def as_it_is(table: Table) -> Release:
    """The release of a table that nothing was done to."""
    return protect(table, Plan.of([]), seed=1)


def keys_of(method: Method, table: Table) -> tuple[str, ...]:
    chosen: tuple[str, ...] = method.parameter("keys").default.chosen(table, method.scales)  # type: ignore[attr-defined]
    return chosen


@pytest.fixture(params=ATTACKS)
def method(request: pytest.FixtureRequest) -> Method:
    found: Method = request.param
    return found


@pytest.fixture(scope="session")
def few(people: Table) -> Table:
    """Eighty people without missing values, all different in their numbers."""
    whole = ~people.frame.select(pl.any_horizontal(pl.col(people.keys).is_null())).to_series()
    different = people.frame.select(people.having(Role.KEY, [Scale.NUMERIC])).is_unique()
    return people.take(np.flatnonzero(whole & different)[:80])


@pytest.fixture(scope="session")
def releases(few: Table) -> dict[str, Release]:
    return {"perturbed": protect(few, PLAN, seed=5), "truthful": protect(few, TRUTHFUL, seed=5)}


@pytest.fixture
def release(method: Method, releases: dict[str, Release]) -> Release:
    return releases["truthful" if method.name == "compatible" else "perturbed"]


@pytest.fixture(scope="session")
def shuffled(few: Table) -> IntArray:
    """Another order of the records, in which some stand where they stood."""
    half = len(few) // 4
    return np.concatenate([np.arange(half), half + np.random.default_rng(23).permutation(len(few) - half)])


def test_tables_are_unchanged(method: Method, few: Table, release: Release) -> None:
    before = few.frame.clone(), release.table.frame.clone()
    run(method, few, release)
    assert few.frame.equals(before[0], null_equal=True)
    assert release.table.frame.equals(before[1], null_equal=True)


def test_a_risk_is_a_share_with_an_interval_around_it_beside_guessing(
    method: Method, few: Table, release: Release
) -> None:
    found = run(method, few, release)
    assert found.name == method.name
    assert 0 <= found.risk <= 1
    assert found.attempts > 0
    assert found.baseline is not None
    assert 0 <= found.baseline <= 1
    assert found.interval is not None
    assert 0 <= found.interval[0] <= found.risk + 1e-12
    assert found.risk - 1e-12 <= found.interval[1] <= 1


def test_every_masked_record_has_its_chance(method: Method, few: Table, release: Release) -> None:
    records = run(method, few, release).records
    if records is not None:
        assert records.shape == (len(release.table),)
        assert ((records >= 0) & (records <= 1)).all()


def test_everybody_is_found_when_nothing_is_masked(method: Method, few: Table) -> None:
    if method.family not in LINKING:
        pytest.skip(f"{method.name} links nobody")
    alike = few.frame.select(pl.len().over(keys_of(method, few)))["len"].to_numpy()
    found = run(method, few, as_it_is(few))
    assert found.risk == pytest.approx((1 / alike).mean())
    assert found.reidentifies


def test_the_same_tables_give_the_same_risk(method: Method, few: Table, release: Release) -> None:
    assert run(method, few, release).risk == run(method, few, release).risk


def test_the_order_of_the_records_does_not_matter(
    method: Method, few: Table, release: Release, shuffled: IntArray
) -> None:
    expected = run(method, few, release)
    told = {"truth": release.truth[shuffled], "training": np.flatnonzero(shuffled < len(few) // 5)}
    told = {name: value for name, value in told.items() if name in method.extras}
    moved = run(method, few, release, release.table.take(shuffled), **told)
    assert moved.risk == pytest.approx(expected.risk, abs=1e-9)
    if expected.records is not None:
        assert moved.records == pytest.approx(expected.records[shuffled], abs=1e-9)
    told.pop("truth", None)
    together = run(method, few.take(shuffled), release, release.table.take(shuffled), **told)
    assert together.risk == pytest.approx(expected.risk, abs=1e-9)


@pytest.fixture(scope="session")
def crowded(crowd: Table) -> dict[str, Release]:
    return {
        "perturbed": protect(crowd, Plan.of(PLAN.steps[:3]), seed=5),
        "truthful": protect(crowd, Plan.of(TRUTHFUL.steps[-1:]), seed=5),
    }


def test_the_order_of_records_that_are_alike_does_not_matter(
    method: Method, crowd: Table, crowded: dict[str, Release]
) -> None:
    """Each record has several like it in both files, in all that an intruder knows."""
    release = crowded["truthful" if method.name == "compatible" else "perturbed"]
    rng = np.random.default_rng(31)
    training = rng.permutation(len(release.table))[:12]
    known = {name: value for name, value in {"training": training}.items() if name in method.extras}
    try:
        expected = run(method, crowd, release, None, **known)
    except NotComputable:
        pytest.skip(f"{method.name} has no answer where so few records differ")
    for _ in range(3):
        old, new = rng.permutation(len(crowd)), rng.permutation(len(release.table))
        moved = {
            "truth": np.append(np.argsort(old), -1)[release.truth[new]],
            "training": np.argsort(new)[training],
        }
        moved = {name: value for name, value in moved.items() if name in method.extras}
        found = run(method, crowd.take(old), release, release.table.take(new), **moved)
        assert told(found) == near(told(expected))
        if expected.records is not None:
            assert found.records == pytest.approx(expected.records[new], abs=1e-9)


def test_the_order_of_the_columns_does_not_matter(method: Method, few: Table, release: Release) -> None:
    expected = run(method, few, release).risk
    order = list(reversed(release.table.names))
    hidden = [name for name in few.names if name not in order]
    found = run(
        method,
        with_columns_in_order(few, hidden + order),
        release,
        with_columns_in_order(release.table, order),
    )
    assert found.risk == pytest.approx(expected, abs=1e-9)


def test_odd_tables_give_a_risk_or_a_named_error(method: Method, odd_table: Table) -> None:
    try:
        found = run(method, odd_table, as_it_is(odd_table))
    except DiscreetError:
        return
    assert 0 <= found.risk <= 1
    if method.family in LINKING and method.name not in STRICT:
        # Nothing was masked, so somebody who guesses among those alike is right now and then.
        assert found.risk >= 1 / len(odd_table) - 1e-12


def test_files_of_different_length_need_the_truth(method: Method, few: Table, release: Release) -> None:
    if "truth" not in method.extras:
        pytest.skip(f"{method.name} does not compare record with record")
    some = np.arange(10, 50)
    with pytest.raises(Mismatch, match="rows do not pair up"):
        run(method, few, release, release.table.take(some), truth=None)
    found = run(method, few, release, release.table.take(some), truth=some)
    assert found.records is None or len(found.records) == 40
    with pytest.raises(Mismatch, match="truth must hold"):
        run(method, few, release, release.table.take(some), truth=some + 1000)


def test_records_of_nobody_are_never_safe(method: Method, few: Table, release: Release) -> None:
    if "truth" not in method.extras:
        pytest.skip(f"{method.name} does not compare record with record")
    with pytest.raises(NotComputable):
        run(method, few, release, truth=np.full(len(release.table), -1))


def test_without_common_columns_there_is_a_named_error(method: Method, few: Table, release: Release) -> None:
    if "original" not in method.tables:
        pytest.skip(f"{method.name} looks at the masked table alone")
    with pytest.raises(NotComputable):
        run(method, few, release, release.table.without(few.keys))


def test_categories_that_the_original_does_not_have_give_a_risk(
    method: Method, few: Table, release: Release
) -> None:
    strange = release.table.with_values(
        {name: pl.Series([f"new {i % 3}" for i in range(len(few))]) for name in ("occupation", "sex")}
    )
    found = run(method, few, release, strange)
    assert 0 <= found.risk <= 1


def test_the_result_is_safe_for_json(method: Method, few: Table, release: Release) -> None:
    told = json.loads(json.dumps(run(method, few, release).to_dict(), allow_nan=False))
    assert told["name"] == method.name
    assert told["meaning"] == method.meaning


def test_one_line_tells_the_result(method: Method, few: Table, release: Release) -> None:
    said = str(run(method, few, release))
    assert said.startswith(f"{method.name}: ")
    assert "\n" not in said


def test_what_a_result_looks_like_is_short_and_shows_no_cell(
    method: Method, few: Table, release: Release
) -> None:
    marked = {name: [f"Zaphod {value}" for value in few.frame[name]] for name in CATEGORIES}
    original = few.with_values({name: pl.Series(values) for name, values in marked.items()})
    masked = release.table.with_values({name: pl.Series(values) for name, values in marked.items()})
    shown = repr(run(method, original, release, masked))
    assert len(shown) < 600
    assert "Zaphod" not in shown
    assert "array" not in shown


def test_each_parameter_refuses_a_bad_value_by_name(method: Method, few: Table, release: Release) -> None:
    for parameter in method.parameters:
        with pytest.raises(BadParameter, match=rf"{method.name}: {parameter.name} must be "):
            run(method, few, release, **{parameter.name: object()})


def test_a_parameter_that_takes_one_column_refuses_two_by_name(
    method: Method, few: Table, release: Release
) -> None:
    one = {"person", "household"} if "population" in method.extras else {"person", "household", "weight"}
    for name in one & {each.name for each in method.parameters}:
        with pytest.raises(BadParameter, match=rf"^{method.name}: {name} must be one column; got 2\."):
            run(method, few, release, **{name: ["age", "income"]})


def test_an_unknown_parameter_is_refused_with_a_suggestion(
    method: Method, few: Table, release: Release
) -> None:
    with pytest.raises(UnknownParameter, match="Did you mean 'keys'"):
        run(method, few, release, kyes=["age"])


def test_facts_are_declared(method: Method) -> None:
    assert method.summary.endswith(".")
    assert method.missing
    assert method.meaning
    assert method.cites
    for parameter in method.parameters:
        assert parameter.kind.about
    json.dumps(method.to_dict())
