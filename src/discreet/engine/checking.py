"""Guarantees of a dataset, checked on the files as they were written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from discreet.all_records import Moments, moments_of_parts
from discreet.dataset import Dataset
from discreet.errors import GuaranteeBroken, NotSplit
from discreet.guarantees import Guarantee, KAnonymous, Multiples, OnlyLevels, SameMeans, Within
from discreet.table import Role

BY_RECORDS = (Multiples, Within, OnlyLevels)
"""Guarantees that hold of all records where they hold of each part."""
OVER_ALL = (KAnonymous, SameMeans)
MEANS_SLACK = 1e-9


def refuse_what_is_not_checked(guarantees: Sequence[Guarantee]) -> None:
    """Raises NotSplit for a guarantee that nothing here can check on files in parts: it would be a mere promise."""
    for each in guarantees:
        if not isinstance(each, (*BY_RECORDS, *OVER_ALL)):
            raise NotSplit(
                f"what is guaranteed ({each.says()}) cannot be checked on a dataset in parts. Read the table into "
                "memory (discreet.read) where it fits, or use another method."
            )


def check_part(guarantees: Sequence[Guarantee], written: Dataset, first: int, records: int) -> None:
    """Raises GuaranteeBroken where what holds of each record does not hold in a part."""
    for each in guarantees:
        if isinstance(each, BY_RECORDS):
            each.check(written.part(first, records, each.columns))


def fault_in(guarantee: Guarantee, written: Dataset) -> str:
    """What is wrong with a guarantee in the files of a dataset; empty where it holds.

    What does not hold of each record alone, nor of counts, is looked for in the columns that it speaks of, in memory.
    """
    together = [*written.having(Role.PERSON), *written.having(Role.HOUSEHOLD)]
    if type(guarantee) is KAnonymous and not guarantee.people and not together:
        return _smaller_classes(guarantee, written)
    if isinstance(guarantee, BY_RECORDS):
        faults = (guarantee.fault(part) for _, part in written.parts(guarantee.columns))
        return next(filter(None, faults), "")
    columns = dict.fromkeys([*(guarantee.columns or written.names), *together])
    return guarantee.fault(written.whole(list(columns)))


def check_all(
    guarantees: Sequence[Guarantee], written: Dataset, before: dict[tuple[str, ...], Moments]
) -> None:
    """Raises GuaranteeBroken where what holds of all records together does not hold in the files.

    `before` are the moments that columns had before the step that keeps their means.
    """
    for each in guarantees:
        if isinstance(each, KAnonymous):
            _raise(each, _smaller_classes(each, written))
        elif isinstance(each, SameMeans):
            _raise(each, _other_means(each, written, before[each.columns]))


def _raise(guarantee: Guarantee, fault: str) -> None:
    if fault:
        raise GuaranteeBroken(f"guaranteed: {guarantee.says()}; found in the published file: {fault}.")


def _smaller_classes(guarantee: KAnonymous, written: Dataset) -> str:
    """The classes of fewer than k records, in words; empty where there are none."""
    small = (
        written.lazy(guarantee.columns)
        .group_by(guarantee.columns)
        .agg(pl.len().alias("(count)"))
        .filter(pl.col("(count)") < guarantee.k)
        .select(pl.len(), pl.col("(count)").sum())
        .collect(engine="streaming")
    )
    groups, records = small.row(0)
    return f"{records} records in {groups} smaller groups" if groups else ""


def _other_means(guarantee: SameMeans, written: Dataset, before: Moments) -> str:
    """The columns whose means are others, in words; empty where there are none."""
    after = moments_of_parts(
        lambda: (part.numbers(guarantee.columns) for _, part in written.parts(guarantee.columns))
    )
    scale = np.maximum(np.abs(before.low), np.abs(before.high)) + 1.0
    apart = np.abs(after.means * after.power - before.means * before.power)
    other = [name for name, far in zip(guarantee.columns, apart > MEANS_SLACK * scale, strict=True) if far]
    return f"other means of {', '.join(other)}" if other else ""
