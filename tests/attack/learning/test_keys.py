"""What leaks, as data and as charts."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.attack.learning.conftest import noisy

from discreet.attack.learning import charts
from discreet.attack.learning import measure as fuzzy
from discreet.attack.learning.holdout import hold_out
from discreet.attack.learning.keys import key_columns
from discreet.attack.learning.learn import Learned, learn
from discreet.errors import BadParameter, NotComputable

Files = tuple[NDArray[np.float64], NDArray[np.float64]]
NAMES = ("age", "income", "tax")


@pytest.fixture(scope="module")
def weighted() -> Learned:
    original, masked = noisy(60, 3, seed=6)
    masked[:, 1] = original[:, 1]
    return learn(original, masked, seconds=600, seed=0)


def as_choquet(learned: Learned, measure: NDArray[np.float64]) -> Learned:
    return replace(learned, distance="choquet", parameters=measure)


def test_the_column_in_clear_leaks_most(weighted: Learned) -> None:
    keys = key_columns(weighted, NAMES)
    assert max(keys.columns, key=lambda name: keys.columns[name]) == "income"
    assert sum(keys.columns.values()) == pytest.approx(1)


def test_a_measure_gives_shapley_values_interactions_and_the_whole_lattice(weighted: Learned) -> None:
    measure = fuzzy.monotone(np.random.default_rng(0).uniform(size=8))
    keys = key_columns(as_choquet(weighted, measure), NAMES)
    assert list(keys.columns.values()) == pytest.approx(fuzzy.shapley(measure))
    assert keys.pairs is not None
    assert np.allclose(keys.pairs, fuzzy.interaction(measure))
    values = {each.members: each.value for each in keys.lattice}
    assert len(values) == 8
    assert values[()] == 0
    assert values["age", "tax"] == measure[0b101]
    assert values["tax",] == measure[0b001]
    assert json.loads(json.dumps(keys.to_dict()))["lattice"][7]["members"] == list(NAMES)


def test_owa_weights_belong_to_ranks_and_not_to_columns(weighted: Learned) -> None:
    keys = key_columns(replace(weighted, distance="owa"), NAMES)
    assert keys.columns == {}
    assert len(keys.ranks) == 3


def test_a_matrix_is_shown_whole_with_its_diagonal_as_shares(weighted: Learned) -> None:
    matrix = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.2], [0.0, -0.2, 1.0]])
    keys = key_columns(replace(weighted, distance="bilinear", parameters=matrix), NAMES)
    assert keys.columns == {"age": 0.5, "income": 0.25, "tax": 0.25}
    assert keys.pairs is matrix


def test_names_that_do_not_fit_are_refused(weighted: Learned) -> None:
    with pytest.raises(BadParameter, match="over 3 columns; got 2 names"):
        key_columns(weighted, ("age", "income"))


def data_of(chart: dict[str, object], name: str) -> list[dict[str, object]]:
    """The rows of the embedded data set that has a field of this name."""
    sets = chart["datasets"]
    assert isinstance(sets, dict)
    return next(rows for rows in sets.values() if rows and name in rows[0])


def test_charts_hold_the_numbers_they_show(weighted: Learned, small: Files) -> None:
    measure = fuzzy.monotone(np.random.default_rng(0).uniform(size=8))
    keys = key_columns(as_choquet(weighted, measure), NAMES)
    bars = data_of(charts.weights_chart(keys).to_dict(), "share")
    assert {row["column"]: row["share"] for row in bars} == pytest.approx(dict(keys.columns))
    cells = data_of(charts.pairs_chart(keys).to_dict(), "value")
    assert len(cells) == 9
    scale = charts.pairs_chart(keys).to_dict()["layer"][0]["encoding"]["color"]["scale"]["domain"]
    assert scale[0] == -scale[1] == -np.abs(fuzzy.interaction(measure)).max()
    nodes = data_of(charts.lattice_chart(keys).to_dict(), "value")
    assert {row["set"]: row["value"] for row in nodes}["age + tax"] == measure[0b101]
    assert {row["label"] for row in nodes} >= {f"age\ntax\n{measure[0b101]:.3f}"}
    assert len(nodes) == 7
    few = data_of(charts.lattice_chart(keys, at_least=1.0).to_dict(), "value")
    assert all(row["value"] == 1.0 for row in few)
    held = hold_out(*small, known=np.arange(60) < 30, seconds=600, seed=0)
    shares = data_of(charts.held_out_chart([held]).to_dict(), "share")
    assert [row["share"] for row in shares] == [held.train, held.test]


def test_charts_of_owa_show_ranks(weighted: Learned) -> None:
    keys = key_columns(replace(weighted, distance="owa"), NAMES)
    ranks = [row["rank"] for row in data_of(charts.weights_chart(keys).to_dict(), "share")]
    assert ranks == ["1. difference", "2. difference", "3. difference"]


def test_what_a_distance_does_not_say_is_not_drawn(weighted: Learned) -> None:
    keys = key_columns(weighted, NAMES)
    with pytest.raises(NotComputable, match="nothing about pairs"):
        charts.pairs_chart(keys)
    with pytest.raises(NotComputable, match="every set"):
        charts.lattice_chart(keys)
