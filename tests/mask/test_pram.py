from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter, BadTable, NotComputable, UnknownColumn, WrongScale
from discreet.mask import pram
from discreet.table import Table
from discreet.transitions import published_matrix

REGIONS = ("east", "north", "south", "west")
MATRIX = {
    "a": {"a": 0.9, "b": 0.1},
    "b": {"a": 0.5, "b": 0.5},
}


def regions(values: Sequence[str | None], **more: Sequence[float]) -> Table:
    frame = pl.DataFrame({"region": pl.Series(list(values), dtype=pl.String), **more})
    return Table.of(frame, roles={"region": "quasi-identifier", **dict.fromkeys(more, "weight")})


columns_of_regions = st.lists(st.sampled_from([*REGIONS, None]), min_size=1, max_size=60)


@given(columns_of_regions, st.sampled_from(["frequency", "invariant"]), st.floats(0.05, 0.95))
def test_the_column_holds_no_other_categories_than_before(
    values: list[str | None], variant: str, theta: float
) -> None:
    masked = pram(regions(values), theta=theta, variant=variant, seed=1)
    after = masked.table.frame["region"].to_list()
    assert {value for value in after if value} <= {value for value in values if value}
    assert [value is None for value in after] == [value is None for value in values]
    assert [guarantee.fault(masked.table) for guarantee in masked.guarantees] == [""]


@given(columns_of_regions, st.sampled_from(["frequency", "invariant"]), st.floats(0.05, 0.95))
def test_frequencies_are_kept_in_expectation(values: list[str | None], variant: str, theta: float) -> None:
    masked = pram(regions(values), theta=theta, variant=variant, seed=1)
    categories, matrix = published_matrix(
        {"parameters": json.loads(json.dumps(dict(masked.parameters)))}, "region"
    )
    counts = np.array([values.count(category) for category in categories], dtype=float)
    assert sorted(categories) == sorted({value for value in values if value})
    assert counts @ matrix == pytest.approx(counts)


@given(columns_of_regions, st.sampled_from(["frequency", "invariant"]))
def test_the_published_parameters_give_the_same_masking_again(values: list[str | None], variant: str) -> None:
    table = regions(values)
    masked = pram(table, theta=0.4, variant=variant, seed=7)
    again = pram(table, **masked.parameters, seed=7)
    assert again.table.frame.equals(masked.table.frame)


@pytest.mark.parametrize("variant", ["frequency", "invariant"])
def test_the_published_matrix_is_the_one_that_was_used(variant: str) -> None:
    values = ["north"] * 50_000 + ["south"] * 30_000 + ["east"] * 20_000
    masked = pram(regions(values), theta=0.6, variant=variant, seed=3)
    categories, matrix = published_matrix({"parameters": masked.parameters}, "region")
    after = masked.table.frame["region"]
    for old in range(3):
        rows = pl.Series([value == categories[old] for value in values])
        drawn = after.filter(rows)
        shares = [float((drawn == new).mean()) for new in categories]  # type: ignore[arg-type]
        assert shares == pytest.approx(matrix[old].tolist(), abs=0.015)


def test_theta_is_the_chance_that_the_rarest_category_changes() -> None:
    masked = pram(regions(["a"] * 90_000 + ["b"] * 10_000), theta=0.3, seed=2)
    rare = masked.table.frame["region"].tail(10_000)
    assert float((rare == "a").mean()) == pytest.approx(0.3, abs=0.02)  # type: ignore[arg-type]


def test_a_given_matrix_is_used_as_it_is() -> None:
    masked = pram(regions(["a"] * 20_000 + ["b"] * 20_000), variant="given", matrix=MATRIX, seed=2)
    after = masked.table.frame["region"]
    assert float((after.head(20_000) == "b").mean()) == pytest.approx(0.1, abs=0.01)  # type: ignore[arg-type]
    assert float((after.tail(20_000) == "a").mean()) == pytest.approx(0.5, abs=0.02)  # type: ignore[arg-type]
    categories, matrix = published_matrix({"parameters": masked.parameters}, "region")
    assert categories == ("a", "b")
    assert matrix.tolist() == [[0.9, 0.1], [0.5, 0.5]]
    assert masked.parameters["frequencies"] is None


def test_a_given_matrix_can_be_made_invariant() -> None:
    masked = pram(regions(["a"] * 300 + ["b"] * 100), variant="invariant", matrix=MATRIX, seed=2)
    _, matrix = published_matrix({"parameters": masked.parameters}, "region")
    assert np.array([300, 100]) @ matrix == pytest.approx([300, 100])


def test_a_matrix_may_name_levels_of_an_order_that_do_not_occur() -> None:
    table = Table.of(
        pl.DataFrame({"health": ["bad", "good"] * 30}),
        roles={"health": "quasi-identifier"},
        orders={"health": ["bad", "fair", "good"]},
    )
    rows = {"bad": {"fair": 1}, "fair": {"fair": 1}, "good": {"good": 1}}
    masked = pram(table, variant="given", matrix=rows, seed=0)
    assert masked.table.frame["health"].to_list() == ["fair", "good"] * 30


@pytest.mark.parametrize(
    "matrix",
    [
        {"a": {"a": 0.9, "b": 0.2}, "b": {"b": 1.0}},
        {"a": {"a": 1.1, "b": -0.1}, "b": {"b": 1.0}},
        {"a": {"a": float("nan")}, "b": {"b": 1.0}},
        {"a": [0.9, 0.1]},
    ],
    ids=["adds up to more than one", "negative", "not a number", "not a table"],
)
def test_a_matrix_whose_rows_are_no_chances_is_refused(matrix: object) -> None:
    with pytest.raises(BadParameter, match="pram: matrix must be a table of tables of shares, none negative"):
        pram(regions(["a", "b"]), variant="given", matrix=matrix)  # type: ignore[arg-type]


def test_a_matrix_whose_categories_do_not_match_is_refused() -> None:
    with pytest.raises(BadParameter, match="1 that occur there are not given, and 0 given are not known"):
        pram(regions(["a", "b", "c"]), variant="given", matrix=MATRIX)
    with pytest.raises(BadParameter, match="0 that occur there are not given, and 1 given are not known"):
        pram(regions(["a", "a"]), variant="given", matrix=MATRIX)
    with pytest.raises(BadParameter, match="chances of 1 categories that have no row"):
        pram(regions(["a", "b"]), variant="given", matrix={"a": {"a": 1}, "b": {"c": 1}})


def test_parameters_that_contradict_each_other_are_refused() -> None:
    table = regions(["a", "b"])
    with pytest.raises(BadParameter, match="matrix has no meaning with variant 'frequency'"):
        pram(table, matrix=MATRIX)
    with pytest.raises(BadParameter, match="variant 'given' needs matrix"):
        pram(table, variant="given")
    with pytest.raises(BadParameter, match="theta has no meaning where a matrix is given"):
        pram(table, variant="given", matrix=MATRIX, theta=0.2)
    with pytest.raises(BadParameter, match="frequencies have no meaning with variant 'given'"):
        pram(table, variant="given", matrix=MATRIX, frequencies={"region": {"a": 0.5, "b": 0.5}})
    with pytest.raises(BadParameter, match="frequencies are given for 'sex', not among the columns"):
        pram(table, frequencies={"sex": {"a": 0.5, "b": 0.5}})
    with pytest.raises(BadParameter, match="above zero for every category"):
        pram(table, frequencies={"region": {"a": 1.0, "b": 0.0}})


def test_frequencies_can_come_from_elsewhere() -> None:
    masked = pram(regions(["a", "b"] * 5), theta=0.5, frequencies={"region": {"a": 0.8, "b": 0.2}}, seed=1)
    _, matrix = published_matrix({"parameters": masked.parameters}, "region")
    assert matrix == pytest.approx(np.array([[0.875, 0.125], [0.5, 0.5]]))


def test_weighted_frequencies_are_kept_in_expectation() -> None:
    table = regions(["a", "a", "b", "c"], weight=[1.0, 2.0, 4.0, 3.0])
    masked = pram(table, theta=0.5, weighted=True, seed=1)
    assert masked.parameters["frequencies"] == {"region": pytest.approx({"a": 0.3, "b": 0.4, "c": 0.3})}
    _, matrix = published_matrix({"parameters": masked.parameters}, "region")
    assert np.array([3.0, 4.0, 3.0]) @ matrix == pytest.approx([3.0, 4.0, 3.0])


def test_weights_that_are_not_there_or_zero_are_named_errors() -> None:
    with pytest.raises(BadTable, match="weighted needs sampling weights"):
        pram(regions(["a", "b"]), weighted=True)
    with pytest.raises(NotComputable, match="total weight of zero"):
        pram(regions(["a", "b"], weight=[0.0, 1.0]), weighted=True)


def test_numeric_columns_are_refused() -> None:
    table = Table.of(pl.DataFrame({"age": [31, 40]}), roles={"age": "quasi-identifier"})
    with pytest.raises(WrongScale, match="column 'age' is numeric"):
        pram(table, columns=["age"])


def test_types_are_kept() -> None:
    frame = pl.DataFrame({"code": [1, 2, 3, 1, None, 2] * 10, "yes": [True, False, None] * 20})
    table = Table.of(frame, roles={}, scales={"code": "nominal"}, rest="quasi-identifier")
    masked = pram(table, theta=0.9, seed=4)
    assert masked.table.frame.schema == frame.schema
    assert sum(masked.facts["changed"].values()) > 0


def test_the_published_matrix_of_another_column_is_an_unknown_column() -> None:
    masked = pram(regions(["a", "b"]), seed=0)
    with pytest.raises(UnknownColumn, match="did not mask a column 'sex'"):
        published_matrix({"parameters": masked.parameters}, "sex")
