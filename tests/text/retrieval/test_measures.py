"""The worked metrics of retrieval, to the printed digits, and what the combined change guarantees."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import normalized_mutual_info_score

from discreet.text.retrieval.measures import (
    Change,
    change,
    normalised_mutual_information,
    retrieval,
)


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ((-70, 0, 33.33, -10.81, 25, 50), "-38.6"),
        ((-64, -16.67, 40, -44.44, 30, 60), "-47.4"),
        ((-25, 0, 40, -4.76, 20, 0), "-14.3"),
    ],
)
def test_published_changes_give_the_published_number(given: tuple[float, ...], printed: str) -> None:
    f, coverage, novelty, returned, random, nmi = given
    found = Change(f=f, coverage=coverage, novelty=novelty, returned=returned, random=random, nmi=nmi)
    # -14.345 is printed as -14.3
    assert f"{found.combined:.1f}" == printed


def test_worked_metrics_hold_to_the_printed_digits() -> None:
    true = np.arange(44) < 10
    relevance = np.full(44, 0.01)
    relevance[[0, 1, 2, 3, 4, 5, 20]] = 0.1
    found = retrieval(relevance, 0.0422, true, ~true)
    assert math.floor(found.f * 10000) / 10000 == 0.7058
    assert round(found.precision, 4) == 0.8571
    assert found.recall == 0.6
    assert found.coverage == 1
    assert found.novelty == 1 / 11
    assert found.returned == 44
    assert found.random == 1 / 7
    assert found.average_relevance == pytest.approx(0.1)


def test_a_query_that_finds_nothing_any_more_has_lost_everything_it_can() -> None:
    true = np.array([True, True, False, False])
    before = retrieval(np.array([0.5, 0.4, 0.0, 0.0]), 0.1, true, ~true)
    after = retrieval(np.zeros(4), 0.1, true, ~true)
    found = change(before, after, nmi=0.0)
    assert found == Change(f=-100, coverage=-100, novelty=0, returned=-100, random=0, nmi=100)
    assert found.combined == -75


def test_novelty_and_random_documents_count_against_the_release() -> None:
    true = np.array([True, True, False, False])
    before = retrieval(np.array([0.5, 0.4, 0.01, 0.0]), 0.1, true, ~true)
    after = retrieval(np.array([0.5, 0.4, 0.2, 0.0]), 0.1, true, ~true)
    found = change(before, after, nmi=1.0)
    assert found.novelty == pytest.approx(100 / 3)
    assert found.random == pytest.approx(100 / 3)
    assert found.f == pytest.approx(-20)
    assert found.combined == pytest.approx((2 * -20 - 100 / 3 - 100 / 3) / 8)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30),
)
def test_mutual_information_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    before, after = [one for one, _ in pairs], [other for _, other in pairs]
    ours = normalised_mutual_information(before, after)
    assert ours == pytest.approx(normalized_mutual_info_score(before, after), abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.floats(0.01, 1), st.data())
def test_nothing_changed_is_no_change(values: list[float], threshold: float, data: st.DataObject) -> None:
    true = np.array(data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values))))
    found = retrieval(np.array(values), threshold, true, ~true)
    assert change(found, found, nmi=1.0).combined == 0
