"""Negation functions: the intervals they induce, and what is no negation."""

from __future__ import annotations

import json
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.attack import Negation
from discreet.errors import BadParameter

ORACLE = json.loads((Path(__file__).parents[2] / "oracle" / "coalition.json").read_text())
ORDER = ("hot", "mixed", "mild", "cool", "cold", "coldest")


def test_the_published_intervals() -> None:
    found = Negation.of(ORACLE["negation"], order=ORDER)
    assert found.overlapping == tuple(ORACLE["overlapping"])
    assert {label: list(ends) for label, ends in found.intervals.items()} == ORACLE["intervals"]
    assert found.positions["mild"] == 0.25


def test_overlapping_labels_can_be_named() -> None:
    found = Negation.of(ORACLE["negation"], order=ORDER, overlapping=["mild"])
    assert found == Negation.of(ORACLE["negation"], order=ORDER)
    with pytest.raises(BadParameter, match="label 'mild' breaks condition C1"):
        Negation.of(ORACLE["negation"], order=ORDER, overlapping=[])
    with pytest.raises(BadParameter, match=r"overlapping label 'midl'.*Did you mean 'mild'"):
        Negation.of(ORACLE["negation"], order=ORDER, overlapping=["midl"])


@given(st.integers(2, 9))
def test_the_classical_negation_makes_equal_intervals(size: int) -> None:
    labels = [f"level {place}" for place in range(size)]
    found = Negation.classical(labels)
    for place, label in enumerate(labels):
        assert found.intervals[label] == pytest.approx((place / size, (place + 1) / size))
        assert found.opposites[label] == (labels[size - 1 - place],)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=5))
def test_intervals_cover_everything_once(widths: list[int]) -> None:
    """A lowest label opposite to the highest ones: each of those is opposite to it alone."""
    tops = [f"top {place}" for place in range(sum(widths))]
    found = Negation.of({"low": tops, **{top: ["low"] for top in tops}}, order=["low", *tops])
    ends = [found.intervals[label] for label in found.order]
    assert ends[0][0] == 0
    assert ends[-1][1] == 1
    assert all(one[1] == other[0] for one, other in pairwise(ends))
    assert found.intervals["low"] == pytest.approx((0, 0.5))


@pytest.mark.parametrize(
    ("opposites", "label", "condition"),
    [
        ({"a": [], "b": ["b"], "c": ["a"]}, "a", "C0"),
        ({"a": ["a", "c"], "b": ["b"], "c": ["a"]}, "a", "C0"),
        ({"a": ["a"], "b": ["b"], "c": ["c"]}, "b", "C1"),
        ({"a": ["c"], "b": ["c"], "c": ["a"]}, "b", "C2"),
        ({"a": ["a"], "b": ["a"], "c": ["a"]}, "b", "C2"),
    ],
)
def test_what_is_no_negation_is_refused_with_the_label_and_the_condition(
    opposites: dict[str, list[str]], label: str, condition: str
) -> None:
    with pytest.raises(BadParameter, match=f"label '{label}' breaks condition {condition}"):
        Negation.of(opposites, order=["a", "b", "c"])


def is_negation(opposites: dict[str, tuple[str, ...]], order: str) -> bool:
    """The three conditions, each as it is written."""
    places = {label: sorted(order.index(name) for name in opposites[label]) for label in order}
    return (
        all(each == list(range(each[0], each[-1] + 1)) for each in places.values() if each)
        and all(places.values())
        and all(places[low][0] >= places[high][-1] for low, high in combinations(order, 2))
        and all(one in opposites[other] for other in order for one in order if other in opposites[one])
    )


@pytest.mark.parametrize("order", ["ab", "abc"])
def test_of_all_declarations_those_that_keep_the_conditions_are_taken(order: str) -> None:
    sets = [names for size in range(len(order) + 1) for names in combinations(order, size)]
    for chosen in product(sets, repeat=len(order)):
        opposites = dict(zip(order, chosen, strict=True))
        if not is_negation(opposites, order):
            with pytest.raises(BadParameter, match="breaks condition"):
                Negation.of(opposites, order=order, overlapping=[])
            continue
        found = Negation.of(opposites, order=order)
        total = sum(len(names) for names in chosen)
        ends = [sum(len(names) for names in chosen[:place]) / total for place in range(len(order) + 1)]
        assert found.overlapping == ()
        assert [found.intervals[label] for label in order] == list(pairwise(ends))


def test_labels_and_order_must_agree() -> None:
    with pytest.raises(BadParameter, match="'c' have no negation"):
        Negation.of({"a": ["b"], "b": ["a"]}, order=["a", "b", "c"])
    with pytest.raises(BadParameter, match=r"label 'lo' is not in the order.*Did you mean 'low'"):
        Negation.of({"lo": ["high"], "high": ["low"]}, order=["low", "high"])
    with pytest.raises(BadParameter, match="at least two labels"):
        Negation.classical(["a"])
    with pytest.raises(
        BadParameter, match="label 'a' breaks condition C2: its negation holds a label that overlaps"
    ):
        Negation.of({"a": ["c"], "b": ["b"], "c": ["a"]}, order=["a", "b", "c"], overlapping=["c"])
    with pytest.raises(BadParameter, match="label 'c' overlaps no other"):
        Negation.of({"a": ["a", "b"], "b": ["a"], "c": ["b"]}, order=["a", "b", "c"], overlapping=["c"])
