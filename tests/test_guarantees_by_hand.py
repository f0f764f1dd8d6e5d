"""What a guarantee finds wrong in a published file, counted by hand."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
import pytest

from discreet.guarantees import (
    Guarantee,
    Intervals,
    KAnonymous,
    KMatched,
    LDiverse,
    Multiples,
    OnlyLevels,
    RecordCount,
    SameMeans,
    SameTotals,
    SameValues,
    TClose,
    Within,
)
from discreet.table import Table


def table_of(roles: dict[str, str] | None = None, **columns: Sequence[object]) -> Table:
    return Table.of(pl.DataFrame(columns, strict=False), roles=roles or {}, rest="quasi-identifier")


BEFORE = table_of(
    {"w": "weight"},
    x=[1.0, 2.0, 3.0, 6.0],
    y=[4.0, 4.0, None, 8.0],
    c=["a", "a", "b", None],
    w=[1.0, 2.0, 3.0, 4.0],
)


def published(**columns: Sequence[object]) -> Table:
    return BEFORE.with_values({name: pl.Series(name, values) for name, values in columns.items()})


TOTALS = SameTotals(columns=("c", "w"), weight="w", before=BEFORE)
MEANS = SameMeans(columns=("x", "y"), before=BEFORE)
WEIGHTED = SameMeans(columns=("x",), before=BEFORE, weighted=True)


@pytest.mark.parametrize(
    ("guarantee", "file", "fault"),
    [
        (KAnonymous(columns=("c",), k=2), BEFORE, "2 records in 2 smaller groups"),
        (KAnonymous(columns=("c",), k=1), BEFORE, ""),
        (
            KAnonymous(columns=("c",), k=2, people=True),
            BEFORE,
            "nothing that says which records are of the same person",
        ),
        # The record without a category matches all four, the two of 'a' three, that of 'b' itself and the blank.
        (KMatched(columns=("c",), k=3), BEFORE, "1 records with fewer matches"),
        (KMatched(columns=("c",), k=2), BEFORE, ""),
        (SameValues(columns=("x", "y"), before=BEFORE), published(y=[4.0, 8.0, None, 4.0]), ""),
        (
            SameValues(columns=("x", "y"), before=BEFORE),
            published(y=[4.0, 8.0, 4.0, 4.0]),
            "other values in 'y'",
        ),
        (MEANS, published(x=[3.0] * 4, y=[16 / 3] * 4), ""),
        (MEANS, published(x=[3.0] * 3 + [3.0000001], y=[16 / 3] * 4), "other means of 'x'"),
        (MEANS, published(x=[0.0] * 4, y=[0.0] * 4), "other means of 'x', 'y'"),
        # (1 + 4 + 9 + 24) / 10
        (WEIGHTED, published(x=[3.8] * 4), ""),
        (WEIGHTED, published(x=[3.0] * 4), "other means of 'x'"),
        (WEIGHTED, table_of(x=[3.8] * 4), "no sampling weights"),
        (Multiples(columns=("x",), base=0.1), BEFORE, ""),
        (Multiples(columns=("x", "y"), base=2), BEFORE, "2 values that are not"),
        (Within(columns=("x", "y"), low=2, high=6), BEFORE, "2 values outside"),
        (Within(columns=("x", "y"), low=1, high=8), BEFORE, ""),
        (OnlyLevels(columns=("c",), levels=("a", "b", "z")), BEFORE, ""),
        (OnlyLevels(columns=("c",), levels=("a",)), BEFORE, "1 values of other categories"),
        (RecordCount(columns=(), records=4), BEFORE, ""),
        (RecordCount(columns=(), records=5), BEFORE, "4 records"),
        (TOTALS, published(c=["a", "b", "b", None], w=[3.0, 1.0, 2.0, 4.0]), ""),
        (TOTALS, published(w=[1.0, 2.0, 4.0, 3.0]), "2 other totals"),
        (TOTALS, published(w=[1.0, 2.0, 3.0, 5.0]), "2 other totals"),
        # A category that is gone, and one that is new, have a total of nothing on the other side.
        (TOTALS, published(c=["a", "a", "z", None]), "2 other totals"),
        (TOTALS, published(c=["a", "a", "a", None]), "2 other totals"),
    ],
)
def test_a_guarantee_counts_what_is_wrong(guarantee: Guarantee, file: Table, fault: str) -> None:
    assert guarantee.fault(file) == fault


def banded(*labels: str | None) -> Table:
    return table_of(x=list(labels))


@pytest.mark.parametrize(
    ("file", "wrong"),
    [
        (banded("[0, 2)", "[2, 4)", "[2, 4)", "[5, 7)"), 0),
        (banded("[0, 2)", "[2, 4)", "[2, 4)", "[3, 5)"), 1),
        # 1 is in the first; 2, 3 and 6 are in none of those that are left.
        (banded("[0, 2)", "[1, 3)", "[0, 2)", "[3, 5)"), 3),
        # An interval for a value that is not there, two that are wanting, and a text that is no interval.
        (banded("[0, 2)", "[2, 4)", None, None), 2),
        (banded("[0, 2)", "[2, 4)", "[2, 4)", "about 6"), 1),
    ],
)
def test_intervals_that_cannot_hold_the_values_are_counted(file: Table, wrong: int) -> None:
    told = Intervals(columns=("x",), before=BEFORE).fault(file)
    assert told == (f"{wrong} values outside of every interval that could be theirs" if wrong else "")


ILL = table_of({"ill": "confidential"}, c=["a", "a", "a", "b", "b", "b"], ill=["f", "g", "h", "f", "f", "g"])


@pytest.mark.parametrize(
    ("guarantee", "fault"),
    [
        (LDiverse(columns=("c", "ill"), confidential=("ill",), l=2), ""),
        (
            LDiverse(columns=("c", "ill"), confidential=("ill",), l=3),
            "3 records in 1 groups that fall short",
        ),
        # The entropy of 'b' is that of 1.89 equally frequent values.
        (LDiverse(columns=("c", "ill"), confidential=("ill",), l=1.88, variant="entropy"), ""),
        (
            LDiverse(columns=("c", "ill"), confidential=("ill",), l=1.9, variant="entropy"),
            "3 records in 1 groups that fall short",
        ),
        # r1 < c (r2 + ...): 2 < 2.1 * 1, but not 2 < 1.9 * 1.
        (LDiverse(columns=("c", "ill"), confidential=("ill",), l=2, variant="recursive", c=2.1), ""),
        (
            LDiverse(columns=("c", "ill"), confidential=("ill",), l=2, variant="recursive", c=1.9),
            "3 records in 1 groups that fall short",
        ),
        # Half of all have f, a third g, a sixth h; both classes are at distance 1/6.
        (TClose(columns=("c", "ill"), confidential=("ill",), t=0.17), ""),
        (
            TClose(columns=("c", "ill"), confidential=("ill",), t=0.16),
            "6 records in 2 groups that fall short",
        ),
    ],
)
def test_classes_that_fall_short_are_counted(guarantee: Guarantee, fault: str) -> None:
    assert guarantee.fault(ILL) == fault


def test_bounds_that_are_reached_exactly_are_kept_and_not_broken_by_rounding() -> None:
    # Each class has each of three values once: l is 3 exactly, t is 0, and both are computed with logarithms or sums.
    same = table_of({"ill": "confidential"}, c=["a"] * 3 + ["b"] * 3, ill=["f", "g", "h"] * 2)
    for guarantee in (
        LDiverse(columns=("c", "ill"), confidential=("ill",), l=3, variant="entropy"),
        LDiverse(columns=("c", "ill"), confidential=("ill",), l=3),
        TClose(columns=("c", "ill"), confidential=("ill",), t=0.0),
    ):
        assert guarantee.fault(same) == ""


def test_whole_numbers_beyond_what_a_float_holds_are_other_values() -> None:
    before = table_of(x=[2**60, 2**60 + 1])
    kept = SameValues(columns=("x",), before=before)
    assert kept.fault(table_of(x=[2**60 + 1, 2**60])) == ""
    assert kept.fault(table_of(x=[2**60, 2**60])) == "other values in 'x'"
    # One and 1.0 are the same value.
    assert SameValues(columns=("x",), before=table_of(x=[1, 2])).fault(table_of(x=[2.0, 1.0])) == ""


def test_a_guarantee_about_people_counts_people() -> None:
    roles = {"who": "person"}
    file = table_of(roles, c=["a", "a", "a", "b", "b"], who=["1", "1", "2", "3", "3"])
    records = table_of(c=["a", "a", "a", "b", "b"])
    assert KAnonymous(columns=("c",), k=2).fault(records) == ""
    assert KAnonymous(columns=("c",), k=2, people=True).fault(file) == "2 records in 1 smaller groups"
    assert KMatched(columns=("c",), k=2, people=True).fault(file) == "2 records with fewer matches"
    assert KMatched(columns=("c",), k=1, people=True).fault(file) == ""
