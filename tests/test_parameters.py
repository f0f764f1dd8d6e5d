"""What each kind of parameter wants, takes, says in few words and tells in public."""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.parameters import (
    RARE,
    REST,
    Amounts,
    Choice,
    ColumnsKind,
    Distributions,
    Flag,
    Groups,
    Kind,
    Numbers,
    Pairs,
    PairsOrFile,
    Parameter,
    Real,
    Whole,
    Word,
    Words,
    joined_shares,
)
from discreet.parameters.single import LARGEST_WHOLE
from discreet.shown import Shown
from discreet.table import Table

HALVES = {"a": {"a": 0.5, "b": 0.5}, "b": {"b": 1.0}}
KINDS: list[tuple[Kind, str, list[Any], list[Any]]] = [
    (
        Whole(about="", at_least=2),
        "a whole number of at least 2",
        [2, LARGEST_WHOLE],
        [1, 2.0, True, LARGEST_WHOLE + 1],
    ),
    (Whole(about="", at_least=2, at_most=5), "a whole number from 2 to 5", [2, 5], [1, 6, "3", None]),
    (Real(about=""), "a number", [0, -1.5, 10**300], [math.inf, math.nan, 10**400, True, "1"]),
    (Real(about="", at_least=0, below=1), "a number at least 0 and below 1", [0, 0.999], [-0.001, 1]),
    (Real(about="", above=0, at_most=1), "a number above 0 and at most 1", [0.001, 1], [0, 1.001]),
    (Choice(about="", among=("x", "y")), "one of x, y", ["x", "y"], ["z", "", 1, ("x",)]),
    (Flag(about=""), "true or false", [True, False], [0, 1, "true"]),
    (Word(about=""), "a text that is not empty", ["x", " "], ["", 1, None]),
    (Numbers(about=""), "a list of at least 1 number", [[1], (2.5, 1)], [[], "12", 1, [math.nan], ["1"]]),
    (Numbers(about="", fewest=2), "a list of at least 2 numbers", [[2, 1], [1, 1]], [[1]]),
    (Numbers(about="", rising=True), "a list of at least 1 rising number", [[1], [1, 2]], [[1, 1], [2, 1]]),
    (Words(about=""), "a list of texts", [[], ["a"], ("a", "b")], ["a", [1], 1]),
    (
        Groups(about=""),
        "a list of lists of column names",
        [[["a"], ["b", "c"]], []],
        [["a"], [[]], "a", [[1]]],
    ),
    (Pairs(about=""), "a table of texts to texts", [{}, {"a": "b"}], [{"a": 1}, {1: "a"}, [("a", "b")]]),
    (
        PairsOrFile(about=""),
        "a table of texts to texts, or the name of a CSV file that holds one",
        [{"a": "b"}, "words.csv"],
        ["", {"a": 1}, 1],
    ),
    (
        Amounts(about=""),
        "a table of names to numbers, none negative",
        [{"a": 0}, {}],
        [{"a": -1}, {1: 1}, {"a": "1"}, [1]],
    ),
    (
        Distributions(about=""),
        "a table of tables of shares, none negative, each table adding up to one",
        [HALVES, {}],
        [{"a": {"a": 0.5}}, {"a": {"a": 1.5, "b": -0.5}}, {"a": [1]}, {1: {"a": 1}}, [HALVES], {"a": {1: 1}}],
    ),
    (ColumnsKind(about=""), "a list of column names", [["a"], ("a", "b")], [[], "a", [1], None]),
]


@pytest.mark.parametrize(
    ("kind", "wants", "good", "bad"), KINDS, ids=[type(each[0]).__name__ for each in KINDS]
)
def test_a_kind_says_what_it_wants_and_takes_that_and_nothing_else(
    kind: Kind, wants: str, good: list[Any], bad: list[Any]
) -> None:
    assert kind.wants() == wants
    assert [value for value in good if not kind.accepts(value)] == []
    assert [value for value in bad if kind.accepts(value)] == []
    assert kind.to_dict() == {"kind": type(kind).__name__.lower(), "about": "", "wants": wants}


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        (Whole(about="", at_least=1), 5, "5"),
        (Real(about=""), 0.25, "0.25"),
        (Real(about="", holds_cells=True), 0.25, "given"),
        (Real(about="", holds_cells=True), None, "None"),
        (Numbers(about=""), [1, 2], "2 entries"),
        (Words(about=""), ["a", "b"], "a+b"),
        (Words(about=""), None, "None"),
        (Groups(about=""), [["a", "b"], ["c"]], "a+b | c"),
        (Groups(about=""), None, "None"),
        (Pairs(about=""), {"secret": "x"}, "1 entries"),
        (PairsOrFile(about=""), "words.csv", "given"),
        (ColumnsKind(about=""), ("a", "b"), "a+b"),
        (ColumnsKind(about=""), None, "None"),
    ],
)
def test_in_few_words_cells_are_counted_and_columns_named(kind: Kind, value: Any, words: str) -> None:
    assert kind.in_words(value) == words


SHOWN = Shown(
    table=Table.of(
        pl.DataFrame({"town": ["a"] * 12 + ["b"] * 20 + ["c"], "x": [1.0, 2.5, 4.0] * 11}),
        roles={},
        rest="quasi-identifier",
    ),
    columns=("town", "x"),
    types={},
)


@pytest.mark.parametrize(
    ("kind", "value", "told"),
    [
        (Real(about=""), 7.5, 7.5),
        (Real(about="", holds_cells=True), 2.5, 2.5),
        (Real(about="", holds_cells=True), 2.6, None),
        (Real(about="", holds_cells=True), None, None),
        (Numbers(about=""), [1, 3, 4.0], [1, 4.0]),
        (Numbers(about=""), [3], None),
        (Words(about=""), ["town", "gone"], ["town"]),
        (Groups(about=""), [["town", "gone"], ["gone"]], [["town"]]),
        (ColumnsKind(about=""), ["x", "gone"], ["x"]),
        (Pairs(about=""), {"a": "b", "b": "gone", "gone": "a"}, {"a": "b"}),
        (PairsOrFile(about=""), {"a": "Thing.1", "gone": "Thing.2"}, {"a": "Thing.1"}),
        (PairsOrFile(about=""), "/home/me/words.csv", "words.csv"),
        (Amounts(about=""), {"town": 1}, None),
        (Distributions(about=""), {"a": {"a": 0.75, "b": 0.25}}, {"a": {"a": 0.75, "b": 0.25}}),
        (
            Distributions(about=""),
            {"a": {"a": 0.5, "gone": 0.5}, "gone": {"a": 0.25, "gone": 0.75}, "far": {"b": 1.0}},
            {"a": {"a": 0.5, REST: 0.5}, REST: {"a": 0.125, "b": 0.5, REST: 0.375}},
        ),
        (
            Distributions(about="", of_columns=True),
            {"gone": {"a": 1.0}, "town": {"a": 0.4, "b": 0.6}},
            {"town": {"a": 0.4, "b": 0.6}},
        ),
    ],
)
def test_in_public_nothing_is_told_that_the_file_does_not_show(kind: Kind, value: Any, told: Any) -> None:
    assert kind.published(value, SHOWN) == told


def test_files_are_those_that_a_value_names() -> None:
    assert PairsOrFile(about="").files("words.csv") == ("words.csv",)
    assert PairsOrFile(about="").files({"a": "b"}) == ()
    assert Pairs(about="").files("words.csv") == ()


def test_a_parameter_tells_its_default_where_it_has_one() -> None:
    kind = Whole(about="how many", at_least=1)
    needed = Parameter(name="k", kind=kind, default=None, required=True, optional=False)
    assert needed.to_dict() == {"name": "k", "required": True, **kind.to_dict()}
    usual = Parameter(name="k", kind=kind, default=3, required=False, optional=False)
    assert usual.to_dict() == {"name": "k", "required": False, **kind.to_dict(), "default": 3}


SHARES = st.dictionaries(st.sampled_from("abcdefg"), st.integers(1, 40), min_size=1, max_size=7)


@given(SHARES, st.dictionaries(st.sampled_from("abcdefg"), st.integers(0, 40)), st.integers(0, 200))
def test_shares_that_are_told_are_of_ten_records_and_the_rest_of_several_categories(
    amounts: dict[str, int], counts: dict[str, int], records: int
) -> None:
    shares = {name: amount / sum(amounts.values()) for name, amount in amounts.items()}
    told = joined_shares(shares, counts, records)
    assert math.fsum(told.values()) == pytest.approx(1)
    named = [name for name in told if name != REST]
    for name in named:
        assert told[name] == shares[name]
        assert counts.get(name, 0) >= RARE
        assert shares[name] * records >= RARE
    rest = [name for name in shares if name not in named]
    assert (REST in told) == bool(rest)
    if rest and named:
        assert len(rest) > 1
        assert math.fsum(shares[name] for name in rest) * records >= RARE - 1e-9
    # No more are joined than that takes: without the most frequent of them it would be too few, or it is rare itself.
    if rest:
        largest = max(rest, key=lambda name: (shares[name], name))
        rare = min(counts.get(largest, 0), shares[largest] * records) < RARE
        others = [name for name in rest if name != largest]
        assert rare or len(others) < 2 or math.fsum(shares[name] for name in others) * records < RARE
