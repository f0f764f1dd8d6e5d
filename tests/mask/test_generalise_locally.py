"""Local generalisation: step by step as it says, true to the hierarchies, and no rarer than k."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.small_ontologies import ANIMALS

from discreet.errors import NotComputable, Unreachable
from discreet.loss import certainty_penalty
from discreet.mask import generalise, generalise_locally
from discreet.mask.generalise_locally import _cost
from discreet.mask.hierarchies import hierarchies_of
from discreet.ontology import of_edges
from discreet.ontology.columns import Interpretation
from discreet.table import Table

EDGES = {
    "place": [
        ("Paris", "France"),
        ("Lyon", "France"),
        ("Rome", "Italy"),
        ("France", "Europe"),
        ("Italy", "Europe"),
    ],
    "work": [("nurse", "health"), ("doctor", "health"), ("cook", "work"), ("health", "work")],
}
ONTOLOGIES = {name: of_edges(edges, name=name) for name, edges in EDGES.items()}
PARENT = {child: parent for edges in EDGES.values() for child, parent in edges}
ROWS = st.lists(
    st.tuples(st.sampled_from(["Paris", "Lyon", "Rome"]), st.sampled_from(["nurse", "doctor", "cook"])),
    min_size=2,
    max_size=25,
)


def table_of(rows: Any) -> Table:
    frame = pl.DataFrame(rows, schema={"place": pl.String, "work": pl.String}, orient="row")
    return Table.of(frame, roles={}, rest="quasi-identifier")


def up(value: str) -> list[str]:
    """The value and all that hold it."""
    found = [value]
    while found[-1] in PARENT:
        found.append(PARENT[found[-1]])
    return found


def common(one: str, other: str) -> str:
    return next(each for each in up(one) if each in up(other))


def spread(value: str, values: set[str]) -> float:
    held = sum(value in up(each) for each in values)
    return max(0, held - 1) / max(1, len(values) - 1)


def naive(rows: list[tuple[str, str]], k: int) -> list[tuple[str, ...]]:
    """Joining as it is described, on dictionaries."""
    values = [{row[j] for row in rows} for j in range(2)]
    current: dict[tuple[str, ...], tuple[str, ...]] = {row: row for row in rows}
    live: dict[tuple[str, ...], int] = dict(sorted(Counter(rows).items()))
    # The order of combinations is that in which they stand first; one that takes in another keeps its place.
    order: list[tuple[str, ...]] = list(live)
    while min(live.values()) < k:
        one = min(order, key=lambda each: live[each])
        costs = []
        for other in order:
            if other == one:
                continue
            both = tuple(common(a, b) for a, b in zip(one, other, strict=True))
            cost = sum(
                live[one] * max(0.0, spread(both[j], values[j]) - spread(one[j], values[j]))
                + live[other] * max(0.0, spread(both[j], values[j]) - spread(other[j], values[j]))
                for j in range(2)
            )
            costs.append((round(cost, 9), order.index(other), other, both))
        _, _, other, both = min(costs)
        count = live.pop(one) + live.pop(other)
        order.remove(one)
        if both in live and both not in (one, other):
            order.remove(other)
            live[both] += count
        else:
            order[order.index(other)] = both
            live[both] = count
        current = {row: both if now in (one, other) else now for row, now in current.items()}
    return [current[row] for row in rows]


@settings(max_examples=80)
@given(ROWS, st.integers(2, 4))
def test_the_rarest_joins_the_cheapest_until_none_is_rare(rows: list[tuple[str, str]], k: int) -> None:
    if len(rows) < k:
        return
    done = generalise_locally(table_of(rows), k=k, ontology=ONTOLOGIES)
    assert done.table.frame.rows() == naive(rows, k)


@settings(max_examples=40)
@given(ROWS, st.integers(2, 4), st.sampled_from(["spread", "steps", "distance"]))
def test_every_combination_is_shared_by_k_and_holds_what_it_stands_for(
    rows: list[tuple[str, str]], k: int, measure: str
) -> None:
    if len(rows) < k:
        with pytest.raises(Unreachable, match="needs at least"):
            generalise_locally(table_of(rows), k=k, ontology=ONTOLOGIES, measure=measure)
        return
    masked = generalise_locally(table_of(rows), k=k, ontology=ONTOLOGIES, measure=measure).table.frame.rows()
    assert min(Counter(masked).values()) >= k
    becomes: dict[Any, Any] = {}
    for old, new in zip(rows, masked, strict=True):
        assert becomes.setdefault(old, new) == new
        assert all(published in up(value) for value, published in zip(old, new, strict=True))


def test_it_loses_less_than_one_level_for_all() -> None:
    rows = (
        [("Paris", "nurse")] * 20
        + [("Lyon", "doctor")] * 15
        + [("Rome", "cook"), ("Rome", "nurse"), ("Lyon", "cook")]
    )
    table = table_of(rows)
    local = generalise_locally(table, k=3, ontology=ONTOLOGIES).table
    level = generalise(table, k=3, ontology=ONTOLOGIES).table
    assert certainty_penalty(table, local).loss < certainty_penalty(table, level).loss


def test_missing_values_join_others_only_in_what_holds_everything() -> None:
    rows = [("Paris", "nurse"), (None, "nurse"), ("Paris", "cook"), ("Paris", "cook")]
    masked = generalise_locally(table_of(rows), k=2, ontology=ONTOLOGIES).table.frame.rows()
    assert masked[0] == masked[1]
    assert masked[0][0] == "Europe"


def test_columns_that_do_not_change_keep_their_type() -> None:
    frame = pl.DataFrame({"age": [30, 30, 31], "place": ["Paris", "Lyon", "Rome"]})
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    done = generalise_locally(table, columns=["age", "place"], k=3, ontology={"place": ONTOLOGIES["place"]})
    assert done.table.frame["place"].to_list() == ["Europe"] * 3
    same = generalise_locally(
        table.take(pl.Series([0, 1]).to_numpy()), columns=["age", "place"], k=2, ontology=ONTOLOGIES
    )
    assert same.table.frame["age"].dtype == pl.Int64
    assert same.table["age"].scale == "numeric"


def test_more_combinations_than_can_be_compared_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("discreet.mask.generalise_locally"), "MOST_COMBINATIONS", 2)
    with pytest.raises(NotComputable, match="3 distinct combinations"):
        generalise_locally(
            table_of([("Paris", "nurse"), ("Lyon", "nurse"), ("Rome", "cook")]), k=2, ontology=ONTOLOGIES
        )


def test_what_it_costs_to_go_up_is_by_spread_by_steps_or_by_distance() -> None:
    words = ["dog", "cat", "eagle", "unicorn"]
    frame = pl.DataFrame({"animal": words})
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    (tree,) = hierarchies_of(
        table, ["animal"], Interpretation(ontology=ANIMALS, unmapped="apart", measured=True)
    )
    places = {str(label): place for place, label in enumerate(tree.labels)}
    low = np.array([places["dog"], places["dog"], places["unicorn"], places["dog"]])
    high = np.array([places["dog"], places["mammal"], places["unicorn"], places["unicorn"]])
    distance = _cost(tree, "distance")(low, high)
    # Staying costs nothing, known to the ontology or not, and what it does not know is as far as can be.
    assert distance[[0, 2]].tolist() == [0, 0]
    assert 0 < distance[1] < 1
    assert distance[3] == 1
    assert _cost(tree, "steps")(low[:3], high[:3]) == pytest.approx([0, 1 / tree.depth.max(), 0])
    spread = _cost(tree, "spread")(low[:3], high[:3])
    assert spread.tolist() == [0, tree.spread[places["mammal"]] - tree.spread[places["dog"]], 0]
