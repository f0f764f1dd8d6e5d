"""Full-domain generalisation: the best of the whole lattice, true to the hierarchies, or an error that says why."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import NotComputable, Unreachable
from discreet.mask import generalise, generalise_locally, mondrian
from discreet.mask.generalise import losses_of
from discreet.mask.hierarchies import Hierarchy, hierarchies_of
from discreet.ontology import Ontology, of_edges, space
from discreet.ontology.columns import Interpretation
from discreet.results import Masked
from discreet.table import Table

ORDER = ["low", "middle", "high", "extreme"]
PLACES = of_edges(
    [("Paris", "France"), ("Lyon", "France"), ("Rome", "Italy"), ("France", "Europe"), ("Italy", "Europe")],
    name="places",
)
CELLS = (
    st.sampled_from(["Paris", "Lyon", "Rome", None]),
    st.integers(20, 60),
    st.sampled_from(ORDER),
)
ROWS = st.lists(st.tuples(*CELLS), min_size=3, max_size=25)
COLUMNS = ["place", "age", "pain"]


def table_of(rows: Any) -> Table:
    frame = pl.DataFrame(rows, schema={"place": pl.String, "age": pl.Int64, "pain": pl.String}, orient="row")
    return Table.of(frame, roles={}, rest="quasi-identifier", orders={"pain": ORDER})


def run(table: Table, **parameters: Any) -> Any:
    return generalise(table, columns=COLUMNS, ontology={"place": PLACES}, **parameters)


def trees(table: Table) -> list[Hierarchy]:
    return hierarchies_of(table, COLUMNS, Interpretation(ontology={"place": PLACES}))


def brute_force(table: Table, k: int, share: float, measure: str) -> float:
    """The least loss over all combinations of levels, suppressing whole records and the company they need."""
    ladders = [each.levels() for each in trees(table)]
    lost = [losses_of(tree, ladder, measure) for tree, ladder in zip(trees(table), ladders, strict=True)]
    codes = [each.codes for each in trees(table)]
    best = np.inf
    for levels in product(*(range(len(each)) for each in ladders)):
        rows = list(
            zip(
                *(each[level][own].tolist() for each, level, own in zip(ladders, levels, codes, strict=True)),
                strict=True,
            )
        )
        sizes = {row: rows.count(row) for row in rows}
        rare = [place for place, row in enumerate(rows) if sizes[row] < k]
        kept = [place for place, row in enumerate(rows) if sizes[row] >= k]
        if 0 < len(rare) < k and kept:
            largest = max(sizes.values())
            surplus = k - len(rare)
            surplus = largest if largest - surplus < k else surplus
        else:
            surplus = 0
        if len(rare) > 0 and not kept and len(rare) < k:
            continue
        gone = len(rare) + surplus
        if gone > int(share * len(table)):
            continue
        if surplus:
            # Any records of one largest class do: those that lose most by generalising are not chosen on purpose.
            continue
        total = sum(
            float(each[level][own[kept]].sum()) for each, level, own in zip(lost, levels, codes, strict=True)
        )
        best = min(best, (total + 3 * gone) / (3 * len(table)))
    return best


@settings(max_examples=60)
@given(ROWS, st.integers(2, 4), st.sampled_from([0.0, 0.3]), st.sampled_from(["spread", "steps", "distance"]))
def test_no_other_combination_of_levels_loses_less(
    rows: list[Any], k: int, share: float, measure: str
) -> None:
    table = table_of(rows)
    expected = brute_force(table, k, share, measure)
    if len(table) < k:
        with pytest.raises(Unreachable):
            run(table, k=k, max_suppressed=share, measure=measure)
        return
    found = run(table, k=k, max_suppressed=share, measure=measure)
    assert found.facts["loss"] <= expected + 1e-9
    if share == 0:
        assert found.facts["loss"] == pytest.approx(expected)


@settings(max_examples=60)
@given(ROWS, st.integers(2, 4), st.sampled_from([0.0, 0.3]))
def test_every_combination_is_shared_by_k_and_holds_what_it_stands_for(
    rows: list[Any], k: int, share: float
) -> None:
    table = table_of(rows)
    if len(table) < k:
        return
    done = run(table, k=k, max_suppressed=share)
    for guarantee in done.guarantees:
        guarantee.check(done.table)
    masked = done.table.frame
    gone = masked.select(pl.all_horizontal(pl.all().is_null())).to_series()
    assert int(gone.sum()) <= max(done.facts["suppressed_records"], masked.height)
    assert done.facts["suppressed_records"] <= share * len(table)
    for old, new in zip(table.frame.rows(), masked.rows(), strict=True):
        assert new[1] is None or holds_number(new[1], old[1])
        assert new[2] is None or holds_place(new[2], old[2])
        assert new[0] is None or old[0] is None or new[0] in {old[0], *ABOVE[old[0]]}


ABOVE = {"Paris": ["France", "Europe"], "Lyon": ["France", "Europe"], "Rome": ["Italy", "Europe"]}


def holds_number(published: Any, age: int) -> bool:
    if isinstance(published, int):
        return published == age
    if published == "(any)":
        return True
    low, high = published.strip("[)").split(", ")
    return float(low) <= age < float(high)


def holds_place(published: str, pain: str) -> bool:
    if published in (pain, "(any)"):
        return True
    first, last = published.split(" to ")
    return ORDER.index(first) <= ORDER.index(pain) <= ORDER.index(last)


def test_levels_of_the_three_kinds_of_hierarchy() -> None:
    table = table_of([("Paris", 21, "low"), ("Lyon", 38, "middle"), ("Rome", 59, "extreme")])
    labels = {}
    for tree in trees(table):
        labels[tree.column] = [[tree.labels[node] for node in level[:-1].tolist()] for level in tree.levels()]
    assert labels["place"] == [["Lyon", "Paris", "Rome"], ["France", "France", "Italy"], ["Europe"] * 3]
    assert labels["age"][0] == ["21", "38", "59"]
    assert labels["age"][-1] == ["(any)"] * 3
    assert labels["pain"] == [
        ["low", "middle", "extreme"],
        ["low to middle", "low to middle", "high to extreme"],
        ["(any)"] * 3,
    ]


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30), st.sampled_from([1, 100, 1e-4]))
def test_every_interval_holds_the_numbers_it_stands_for(values: list[float], unit: float) -> None:
    numbers = [round(value, 2) * unit for value in values]
    table = Table.of(pl.DataFrame({"x": numbers}), roles={}, rest="quasi-identifier")
    tree = hierarchies_of(table, ["x"], Interpretation())[0]
    for level in tree.levels()[1:-1]:
        for value, node in zip(sorted(set(numbers)), level.tolist(), strict=False):
            low, high = str(tree.labels[node]).strip("[)").split(", ")
            assert float(low) <= value < float(high)


def test_intervals_of_dates_are_dates() -> None:
    days = pl.Series(["2001-05-04", "2003-01-01", "2020-12-31"]).str.to_date()
    table = Table.of(pl.DataFrame({"born": days}), roles={}, rest="quasi-identifier")
    label = str(hierarchies_of(table, ["born"], Interpretation())[0].labels[4])
    low, high = label.strip("[)").split(", ")
    assert low <= "2003-01-01" < high
    assert len(low) == len(high) == 10


def test_an_ordered_column_and_a_numeric_one_stay_ordered() -> None:
    rows = [("Rome", age, pain) for age in (20, 21, 40, 41) for pain in ORDER for _ in range(1)]
    done = run(table_of(rows), k=4)
    for name in ("age", "pain"):
        if done.facts["levels"][name]:
            assert done.table[name].scale == "ordinal"
            assert set(done.table.frame[name].drop_nulls()) <= set(done.table[name].order)
    assert done.facts["levels"]["age"] or done.facts["levels"]["pain"]


def test_a_hierarchy_may_be_a_csv_file_of_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "ages.csv"
    path.write_text("".join(f"{age};{age // 10}0s;all\n" for age in range(20, 60)))
    frame = pl.DataFrame({"age": [21, 22, 25, 41, 43, 47]})
    table = Table.of(frame, roles={}, rest="quasi-identifier", ontologies={"age": str(path)})
    done = generalise(table, columns=["age"], k=3)
    assert done.table.frame["age"].to_list() == ["20s"] * 3 + ["40s"] * 3


def test_what_cannot_be_reached_says_how_near_it_came() -> None:
    rows = [("Paris", 20 + i, "low") for i in range(10)] + [("Rome", 59, "extreme")]
    with pytest.raises(
        Unreachable,
        match=r"no recoding up to level 1 gives k=5 with at most 2% suppressed; the best leaves 11 of 11 records below",
    ):
        run(table_of(rows), k=5, max_suppressed=0.02, highest=1)


def test_missing_values_join_the_others_at_the_most_general_level() -> None:
    done = run(table_of([("Paris", 30, "low"), (None, 30, "low"), ("Rome", 30, "low")]), k=3)
    assert done.table.frame["place"].to_list() == ["Europe"] * 3
    kept = run(table_of([("Paris", 30, "low")] * 2 + [(None, 30, "low")] * 2), k=2)
    assert kept.table.frame["place"].to_list() == ["Paris", "Paris", None, None]


def test_records_in_company_are_suppressed_where_few_would_stand_out() -> None:
    rows = [("Paris", 30, "low")] * 9 + [("Rome", 59, "extreme")]
    done = run(table_of(rows), k=3, max_suppressed=0.4)
    assert done.facts["levels"] == {"place": 0, "age": 0, "pain": 0}
    assert done.facts["suppressed_records"] == 3
    assert done.table.frame.null_count().row(0) == (3, 3, 3)


def test_columns_without_a_hierarchy_have_only_any_above_them() -> None:
    frame = pl.DataFrame({"town": ["a", "b", "c"], "sex": ["f", "f", "f"]})
    done = generalise(Table.of(frame, roles={}, rest="quasi-identifier"), k=3)
    assert done.table.frame.to_dict(as_series=False) == {"town": ["(any)"] * 3, "sex": ["f"] * 3}


def test_a_lattice_too_large_to_search_is_an_error() -> None:
    generator = np.random.default_rng(1)
    frame = pl.DataFrame({f"v{j}": generator.normal(size=200) for j in range(12)})
    with pytest.raises(NotComputable, match=r"12 columns have .* combinations of levels"):
        generalise(Table.of(frame, roles={}, rest="quasi-identifier"), k=3)


def test_several_parents_give_one_tree_in_which_levels_nest(ontologies: dict[str, Ontology]) -> None:
    pets = of_edges(
        [("dog", "pet"), ("dog", "mammal"), ("cat", "mammal"), ("pet", "thing"), ("mammal", "thing")]
    )
    frame = pl.DataFrame({"animal": ["dog", "cat", "pet"]})
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    tree = hierarchies_of(table, ["animal"], Interpretation(ontology=pets))[0]
    levels = tree.levels()
    for lower, higher in pairwise(levels):
        joined: dict[int, int] = {}
        for low, high in zip(lower.tolist(), higher.tolist(), strict=True):
            assert joined.setdefault(low, high) == high


def test_two_words_for_one_concept_are_two_values_until_they_are_joined() -> None:
    frame = pl.DataFrame({"place": ["Paris", "Lutetia", "Rome"]})
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    done = generalise(
        table, columns=["place"], k=2, ontology=PLACES, mapping={"Lutetia": "Paris"}, max_suppressed=0.0
    )
    assert done.table.frame["place"].to_list() == ["Europe"] * 3
    tree = hierarchies_of(table, ["place"], Interpretation(ontology=PLACES, mapping={"Lutetia": "Paris"}))[0]
    assert len(set(tree.leaf.tolist())) == 4


@pytest.mark.parametrize("apart", [1, 300])
def test_intervals_hold_whole_numbers_of_more_digits_than_float64(apart: int) -> None:
    numbers = [2**60 + apart * place for place in range(12)]
    table = Table.of(pl.DataFrame({"number": numbers}), roles={}, rest="quasi-identifier")
    done = generalise(table, k=2)
    assert np.isfinite(done.facts["loss"])
    for number, text in zip(numbers, done.table.frame["number"], strict=True):
        if text != "(any)":
            low, high = (float(end) for end in text.strip("[)").split(", "))
            assert int(low) <= number < int(high)


@pytest.mark.parametrize("mask", [generalise, mondrian, generalise_locally])
@pytest.mark.parametrize("named", [True, False])
def test_generalisation_takes_more_values_than_distances_fit_in_memory(
    mask: Callable[..., Masked], named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(space, "MOST_CELLS", 100)
    codes = [f"{place:02d}" for place in range(40)]
    edges = [(code, code[0]) for code in codes] + [(str(tens), "all of them") for tens in range(4)]
    table = Table.of(pl.DataFrame({"postcode": codes}), roles={}, rest="quasi-identifier")
    done = mask(table, columns=["postcode"], k=10, ontology=of_edges(edges) if named else None)
    assert done.table.frame["postcode"].n_unique() == (4 if named else 1)


def test_losing_least_by_distance_refuses_more_values_than_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space, "MOST_CELLS", 100)
    table = Table.of(
        pl.DataFrame({"postcode": [str(place) for place in range(40)]}), roles={}, rest="quasi-identifier"
    )
    with pytest.raises(NotComputable, match="too many distances"):
        generalise(table, k=2, measure="distance")
