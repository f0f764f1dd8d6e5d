from __future__ import annotations

import re
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadFile, GuaranteeBroken
from discreet.guarantees import (
    AtMostRecords,
    Guarantee,
    KAnonymous,
    LDiverse,
    Multiples,
    NoOtherValues,
    OnlyLevels,
    RecordCount,
    SameMeans,
    SameOrder,
    SameValues,
    TClose,
    Within,
    WithinRange,
    guarantee_of,
)
from discreet.plan import Plan
from discreet.protection import protect
from discreet.table import Table


def table_of(**columns: list[object]) -> Table:
    return Table.of(pl.DataFrame(columns), roles={}, rest="quasi-identifier")


BEFORE = table_of(x=[1.0, 2.0, 3.0, 6.0], c=["a", "a", "b", "b"])


@pytest.mark.parametrize(
    ("guarantee", "kept", "broken"),
    [
        (KAnonymous(columns=("c",), k=2), {"c": ["a", "a", "b", "b"]}, {"c": ["a", "a", "a", "b"]}),
        (KAnonymous(columns=("c",), k=2), {"c": ["a", "a", None, None]}, {"c": ["a", "a", "a", None]}),
        (SameValues(columns=("x",), before=BEFORE), {"x": [6.0, 3.0, 2.0, 1.0]}, {"x": [6.0, 3.0, 2.0, 2.0]}),
        (SameMeans(columns=("x",), before=BEFORE), {"x": [3.0, 3.0, 3.0, 3.0]}, {"x": [3.0, 3.0, 3.0, 3.1]}),
        (Multiples(columns=("x",), base=5), {"x": [5.0, 0.0, -10.0, 5.0]}, {"x": [5.0, 0.0, -10.0, 6.0]}),
        (Within(columns=("x",), high=6), {"x": [1.0, 2.0, 3.0, 6.0]}, {"x": [1.0, 2.0, 3.0, 7.0]}),
        (Within(columns=("x",), low=1), {"x": [1.0, 2.0, 3.0, 6.0]}, {"x": [0.0, 2.0, 3.0, 6.0]}),
        (
            OnlyLevels(columns=("c",), levels=("a", "b")),
            {"c": ["a", "b", None, "a"]},
            {"c": ["a", "z", "b", "a"]},
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Guarantee) else "",
)
def test_a_guarantee_tells_a_file_that_keeps_it_from_one_that_does_not(
    guarantee: Guarantee, kept: dict[str, list[object]], broken: dict[str, list[object]]
) -> None:
    def published(columns: dict[str, list[object]]) -> Table:
        return replace(BEFORE, frame=BEFORE.frame.with_columns(pl.Series(n, v) for n, v in columns.items()))

    guarantee.check(published(kept))
    with pytest.raises(GuaranteeBroken, match="found in the published file"):
        guarantee.check(published(broken))
    assert guarantee.says()


BOUNDS = st.floats(allow_nan=False, allow_infinity=False, width=64)


def numbers_in(says: str) -> list[float]:
    """The numbers that a sentence names, read as a person would type them in."""
    return [float(each) for each in re.findall(r"(?<![\w'])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", says)]


@given(BOUNDS)
def test_bounds_in_words_are_rounded_outward_so_that_the_sentence_stays_true(bound: float) -> None:
    (high,) = numbers_in(Within(columns=("x",), high=bound).says())
    (low,) = numbers_in(Within(columns=("x",), low=bound).says())
    assert low <= bound <= high
    assert high - low <= 2e-5 * abs(bound) or abs(bound) < 1e-300
    told = Within(columns=("x",), high=bound, low=bound).to_dict()
    assert (told["low"], told["high"]) == (bound, bound)


def test_a_bound_is_not_said_below_the_values_that_the_file_holds() -> None:
    assert Within(columns=("x",), high=48359.32).says() == "no value of 'x' is above 48359.4"


@given(st.floats(1, 1e6), st.floats(0.01, 1), st.floats(0.01, 100), st.floats(1e-6, 1e6))
def test_models_and_bases_in_words_guarantee_no_more_than_was_checked(
    l: float,  # noqa: E741
    t: float,
    c: float,
    base: float,
) -> None:
    around = {"columns": ("k", "s"), "confidential": ("s",)}
    for variant in ("distinct", "entropy"):
        (said,) = numbers_in(LDiverse(**around, l=l, variant=variant).says())  # type: ignore[arg-type]
        assert said <= l
    most, least = numbers_in(LDiverse(**around, l=l, c=c, variant="recursive").says())  # type: ignore[arg-type]
    assert least <= l
    assert most >= c
    (far,) = numbers_in(TClose(**around, t=t).says())  # type: ignore[arg-type]
    assert far >= t
    assert numbers_in(Multiples(columns=("x",), base=base).says()) == [base]


def test_a_bound_that_no_record_shows_is_told_with_few_digits() -> None:
    table = table_of(x=[1.0, 48359.32])
    assert Within(columns=("x",), high=48359.32).as_shown(table).to_dict()["high"] == 48359.32
    assert Within(columns=("x",), high=52718.06).as_shown(table).to_dict()["high"] == 53000
    assert Within(columns=("x",), low=-52718.06).as_shown(table).to_dict()["low"] == -53000


X, C = [float(each % 17) for each in range(60)], list("aabbc") * 12


@pytest.mark.parametrize(
    ("before", "about"),
    [
        ([], "the original"),
        ([("round", {"columns": ["c2"], "base": 2})], "the original"),
        ([("sample", {"fraction": 0.5})], "the data after step 1 (sample)"),
        ([("synthesise_trees", {})], "the data after step 1 (synthesise_trees)"),
        ([("add_noise", {"columns": ["x"]})], "the data after step 1 (add_noise)"),
    ],
)
def test_a_guarantee_says_what_it_is_about(before: list[tuple[str, dict[str, object]]], about: str) -> None:
    table = table_of(x=[*X], c=[*C], c2=[*range(60)])
    plan = Plan.of([*before, ("rank_swap", {"columns": ["x"], "p": 20})])
    told = protect(table, plan, seed=1).manifest.guarantees
    found = [each for each in told if each["guarantee"] == "SameValues"]
    assert [each["about"] for each in found] == [about]
    assert found[0]["says"] == f"'x' keep their values, each as often as in {about}"


@pytest.mark.parametrize(
    ("guarantee", "kept", "broken"),
    [
        (WithinRange(columns=("x",), before=BEFORE), [1.0, 2.0, None, 6.0], [1.0, 2.0, 3.0, 6.1]),
        (SameOrder(columns=("x",), before=BEFORE), [0.0, 0.0, 7.0, 9.0], [0.0, 2.0, 1.0, 9.0]),
        (NoOtherValues(columns=("x",), before=BEFORE), [6.0, 6.0, None, 1.0], [6.0, 6.0, 5.0, 1.0]),
        (AtMostRecords(columns=("x",), most=2), [1.0, 2.0, 1.0, 2.0], [1.0, 2.0, 1.0, 3.0]),
        (RecordCount(columns=(), records=4), [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0]),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Guarantee) else "",
)
def test_guarantees_beside_the_original_are_checked(
    guarantee: Guarantee, kept: list[float], broken: list[float]
) -> None:
    guarantee.check(table_of(x=list(kept)))
    with pytest.raises(GuaranteeBroken):
        guarantee.check(table_of(x=list(broken)))


def test_a_guarantee_is_read_back_as_it_was_told_and_not_otherwise() -> None:
    guarantee = KAnonymous(columns=("c",), k=5)
    assert guarantee_of(guarantee.to_dict(), "it").to_dict() == guarantee.to_dict()
    with pytest.raises(BadFile, match="its words are not those of its numbers"):
        guarantee_of({**guarantee.to_dict(), "k": 2}, "it")
    with pytest.raises(BadFile, match="not a guarantee that this version"):
        guarantee_of({**guarantee.to_dict(), "guarantee": "Unbreakable"}, "it")
    with pytest.raises(BadFile, match="'k' must be a whole number"):
        guarantee_of({**guarantee.to_dict(), "k": "5"}, "it")
    alone = guarantee_of(SameValues(columns=("c",), before=BEFORE).to_dict(), "it")
    assert alone.unchecked(BEFORE) == "it is about the original, which is not here"
