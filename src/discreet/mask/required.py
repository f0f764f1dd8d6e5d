"""k, l and t as parameters of masks, and what a mask that reached them guarantees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from discreet.errors import BadParameter, Unreachable, listed
from discreet.guarantees import Guarantee, KAnonymous, KMatched, LDiverse, TClose
from discreet.households import household_columns
from discreet.models import VARIANTS, Variant
from discreet.parameters import CONFIDENTIAL, Choice, Columns, ColumnsKind, Real
from discreet.registry import DeclaredGuarantee
from discreet.requirement import Holdings, Requirement
from discreet.table import IntArray, Table

USUAL_C = 3.0
SHARED_BY_K = DeclaredGuarantee(
    "every combination of the columns is shared by at least k records, or k people where they are known",
    KAnonymous,
)
DIVERSE_AND_CLOSE = (
    DeclaredGuarantee(
        "with l, the confidential values of every combination are l-diverse", LDiverse, when={"l": 2}
    ),
    DeclaredGuarantee(
        "with t, the confidential values of every combination are t-close", TClose, when={"t": 0.9}
    ),
)
DiversityParameter = Annotated[
    float | None,
    Real(
        above=1,
        about="how diverse the confidential values of records that are alike must be; any if left out",
    ),
]
DiversityVariant = Annotated[
    Variant, Choice(among=VARIANTS, about="how the confidential values of a class are counted for l")
]
RecursiveParameter = Annotated[
    float, Real(above=0, about="recursive l: the most frequent value may be this many times the rare ones")
]
ClosenessParameter = Annotated[
    float | None,
    Real(
        at_least=0,
        at_most=1,
        about="how far the confidential values of records that are alike may be from those of the file; any if left "
        "out",
    ),
]
Protected = Annotated[
    Columns | None,
    ColumnsKind(about="the columns that l and t are about; the confidential ones if left out"),
]


def required(
    table: Table,
    method: str,
    columns: Sequence[str],
    *,
    k: int,
    l: float | None,  # noqa: E741
    l_variant: Variant,
    c: float,
    t: float | None,
    confidential: Sequence[str] | None,
) -> Requirement:
    """What classes must reach, from the parameters of a mask; one that has no meaning beside the others is an error."""
    if l is None and l_variant != "distinct":
        raise BadParameter(f"{method}: l_variant has no meaning without l.")
    if c != USUAL_C and (l is None or l_variant != "recursive"):
        raise BadParameter(f"{method}: c has no meaning without l and l_variant 'recursive'.")
    if l is None and t is None:
        if confidential is not None:
            raise BadParameter(f"{method}: confidential has no meaning without l or t.")
        return Requirement(k=k)
    chosen = CONFIDENTIAL.chosen(table) if confidential is None else tuple(confidential)
    if not chosen:
        raise BadParameter(
            f"{method}: l and t are about confidential columns, and table '{table.name}' has none. Name them, or give "
            "them the role."
        )
    both = [name for name in chosen if name in columns]
    if both:
        raise BadParameter(
            f"{method}: {listed(both)} cannot be masked and be what an intruder wants to learn at once. Leave them out "
            "of columns or of confidential."
        )
    return Requirement(k=k, l=l, variant=l_variant, c=c, t=t, confidential=chosen)


def guaranteed(table: Table, columns: Sequence[str], wanted: Requirement) -> tuple[Guarantee, ...]:
    """What a mask that reached the requirement on these columns of a table guarantees."""
    people, of_households = table.persons() is not None, household_columns(table, columns)
    found: list[Guarantee] = [
        KAnonymous(columns=tuple(columns), k=wanted.k, people=people, told=of_households)
    ]
    together = (*columns, *wanted.confidential)
    if wanted.l is not None:
        found.append(
            LDiverse(
                columns=together,
                confidential=wanted.confidential,
                l=wanted.l,
                variant=wanted.variant,
                c=wanted.c,
                people=people,
                told=of_households,
            )
        )
    if wanted.t is not None:
        found.append(
            TClose(
                columns=together,
                confidential=wanted.confidential,
                t=wanted.t,
                people=people,
                told=of_households,
            )
        )
    return tuple(found)


def matched(table: Table, columns: Sequence[str], k: int) -> KMatched:
    """The guarantee of k matches on these columns of a table."""
    people, of_households = table.persons() is not None, household_columns(table, columns)
    return KMatched(columns=tuple(columns), k=k, people=people, told=of_households)


def check_reachable(table: Table, method: str, wanted: Requirement, times: IntArray | None = None) -> None:
    """Raises Unreachable where it is sure that no classes reach what is wanted: not even all records together do.

    Row i stands for `times[i]` records, or for one.
    """
    records = len(table) if times is None else int(times.sum())
    if records < wanted.k:
        raise Unreachable(
            f"{method}: k={wanted.k} needs at least {wanted.k} records and the table has {records}. Lower k or add "
            "records."
        )
    holdings = Holdings(table, wanted, times=times)
    together = np.zeros(len(table), dtype=np.int64)
    people = int(holdings.people(together)[0])
    if people < wanted.k:
        raise Unreachable(
            f"{method}: k={wanted.k} needs at least {wanted.k} people and the table has {people}. Lower k."
        )
    if holdings.monotone(suppressing=False):
        check_reached(holdings, method, together)


def check_reached(holdings: Holdings, method: str, label: IntArray) -> None:
    """Raises Unreachable where classes fall short of what is wanted, with how near they came."""
    found = holdings.standing(label)
    if found.fails.any():
        wanted = holdings.requirement
        short, records = int(holdings.records[found.fails[label]].sum()), int(holdings.records.sum())
        raise Unreachable(
            f"{method}: {wanted} is out of reach: {short} of {records} records, all that can be "
            f"joined, have {found.reached(wanted)}. Ask for less, or name other confidential columns."
        )
