"""Guarantees of a dataset, checked on the files as they were written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import polars as pl

from discreet._kernels.counting.classes import class_sizes
from discreet.coding import codes_of
from discreet.dataset import Dataset
from discreet.engine.all_parts import AllParts, Where
from discreet.errors import GuaranteeBroken, NotSplit
from discreet.guarantees import (
    AboutClasses,
    AtMostRecords,
    Compared,
    Guarantee,
    Intervals,
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
)
from discreet.table import IntArray, Role, Table

BY_RECORDS = (Multiples, Within, OnlyLevels)
"""Guarantees that hold of all records where they hold of each part."""
BY_COLUMNS = (SameValues, NoOtherValues, WithinRange, SameOrder, Intervals, SameMeans)
"""Guarantees that hold of columns where they hold of each of them."""
BY_CLASSES = (KAnonymous, LDiverse, TClose, AtMostRecords)
"""Guarantees that hold of all records where they hold of their distinct combinations, counted."""
BY_COUNT = (RecordCount,)
"""Guarantees about how many records there are."""
COUNT = "(count)"
MEANS_SLACK = 1e-9


class Counted(NamedTuple):
    """Distinct combinations of values, and how many records have each."""

    table: Table
    counts: IntArray


def refuse_what_is_not_checked(guarantees: Sequence[Guarantee]) -> None:
    """Raises NotSplit for a guarantee that nothing here can check on files in parts: it would be a mere promise."""
    for each in guarantees:
        if not isinstance(each, (*BY_RECORDS, *BY_COLUMNS, *BY_CLASSES, *BY_COUNT)):
            raise NotSplit(
                f"what is guaranteed ({each.says()}) cannot be checked on a dataset in parts. Read the table into "
                "memory (discreet.read) where it fits, or use another method."
            )


def check_records(guarantees: Sequence[Guarantee], written: Table) -> None:
    """Raises GuaranteeBroken where what holds of each record does not hold in a published file."""
    for each in guarantees:
        each.check(written)


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
    if isinstance(guarantee, RecordCount):
        return guarantee.fault_of(len(written))
    columns = dict.fromkeys([*(guarantee.columns or written.names), *together])
    return guarantee.fault(written.whole(list(columns)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The published files, and what they are compared with.

    `before` is the dataset before the step that masked a column. `places` says where each record of the dataset was
    published. `persons` is a dataset whose columns tell whose records they are, `where` where passes over the files
    run.
    """

    written: Dataset
    before: Mapping[str, Dataset]
    places: IntArray
    persons: Dataset
    where: Where

    def check_all(self, guarantees: Sequence[Guarantee]) -> None:
        """Raises GuaranteeBroken where what holds of all records together does not hold in the files."""
        for each in guarantees:
            if isinstance(each, SameMeans) and not each.weighted:
                _raise(each, self._other_means(each))
            elif isinstance(each, Compared):
                self._check_columns(each)
            elif isinstance(each, RecordCount):
                _raise(each, each.fault_of(len(self.written)))
            elif isinstance(each, AboutClasses) and (each.people or each.told):
                _raise(each, self._fault_by_people(each))
            elif isinstance(each, KAnonymous):
                _raise(each, _smaller_classes(each, self.written))
            elif isinstance(each, AtMostRecords):
                each.check(_combinations(self.written, each.columns).table)
            elif isinstance(each, LDiverse | TClose):
                found = _combinations(self.written, each.columns)
                _raise(each, each.fault_of_counted(found.table, found.counts))

    def _check_columns(self, guarantee: Compared) -> None:
        """Raises GuaranteeBroken where a column is not as it is guaranteed beside what it was."""
        for name in guarantee.columns:
            before = self.before[name]
            weights = before.having(Role.WEIGHT) if isinstance(guarantee, SameMeans) else ()
            published = self.written.whole([name, *weights])
            if guarantee.in_order:
                published = published.take(self.places)
            old = before.whole([name, *weights])
            replace(guarantee, columns=(name,), before=old).check(published)

    def _other_means(self, guarantee: SameMeans) -> str:
        """The columns whose means are others, in words; empty where there are none."""
        before = AllParts(self.before[guarantee.columns[0]], self.where).moments(guarantee.columns)
        after = AllParts(self.written, self.where).moments(guarantee.columns)
        scale = np.maximum(np.abs(before.low), np.abs(before.high)) + 1.0
        apart = np.abs(after.means * after.power - before.means * before.power)
        far = apart > MEANS_SLACK * scale
        other = [name for name, wrong in zip(guarantee.columns, far, strict=True) if wrong]
        return f"other means of {', '.join(other)}" if other else ""

    def _fault_by_people(self, guarantee: AboutClasses) -> str:
        """What is wrong with classes where people are counted, or where members of a household tell of each other.

        Several columns are looked at as one, which holds the class of each record.
        """
        known = self.persons.having(Role.PERSON) + self.persons.having(Role.HOUSEHOLD)
        apart = getattr(guarantee, "confidential", ())
        keys = [name for name in guarantee.columns if name not in apart]
        table = self.written.whole([*keys[:1], *apart]).take(self.places)
        if len(keys) > 1:
            label = class_sizes(codes_of(table, keys[:1])).label
            for name in keys[1:]:
                codes = codes_of(self.written.whole([name]).take(self.places), [name])
                label = class_sizes(np.column_stack([label, codes[:, 0]])).label
            table = table.with_values({keys[0]: pl.Series(label)})
        people = self.persons.whole(known)
        frame = table.frame.with_columns(people.frame.rename({name: f"({name})" for name in known}))
        described = tuple(replace(people[name], name=f"({name})") for name in known)
        both = replace(table, columns=(*table.columns, *described), frame=frame)
        return replace(guarantee, columns=(keys[0], *apart)).fault(both)


def _raise(guarantee: Guarantee, fault: str) -> None:
    if fault:
        raise GuaranteeBroken(f"guaranteed: {guarantee.says()}; found in the published file: {fault}.")


def _smaller_classes(guarantee: KAnonymous, written: Dataset) -> str:
    """The classes of fewer than k records, in words; empty where there are none."""
    small = (
        _counted(written, guarantee.columns)
        .filter(pl.col(COUNT) < guarantee.k)
        .select(pl.len(), pl.col(COUNT).sum())
        .collect(engine="streaming")
    )
    groups, records = small.row(0)
    return f"{records} records in {groups} smaller groups" if groups else ""


def _counted(written: Dataset, columns: Sequence[str]) -> pl.LazyFrame:
    """The distinct combinations of columns, each with how many records have it."""
    return written.lazy(columns).group_by(columns).agg(pl.len().cast(pl.Int64).alias(COUNT))


def _combinations(written: Dataset, columns: Sequence[str]) -> Counted:
    """The distinct combinations of columns as a table, and how many records have each."""
    found = _counted(written, columns).collect(engine="streaming")
    described = tuple(written[name] for name in columns)
    table = Table(name=written.name, columns=described, frame=found.select(columns))
    return Counted(table, found[COUNT].to_numpy())
