"""Parameters that name columns of the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from discreet.parameters.selectors import Columns, Selector
from discreet.parameters.several import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnsKind(Words):
    """Names of columns of the table; those of the role in the default when left out."""

    def wants(self) -> str:
        return "a list of column names"

    def accepts(self, value: object) -> bool:
        return isinstance(value, Selector) or (Words.accepts(self, value) and bool(value))


Masking = Annotated[Columns, ColumnsKind(about="the columns to mask")]
Known = Annotated[Columns, ColumnsKind(about="the columns the intruder knows")]
Learned = Annotated[Columns, ColumnsKind(about="the confidential columns that an intruder wants to learn")]
Weighing = Annotated[Columns, ColumnsKind(about="the column of sampling weights")]
Grouping = Annotated[Columns, ColumnsKind(about="the column that says who lives together")]
Persons = Annotated[
    Columns, ColumnsKind(about="the column of pseudonyms that says which records are of one person")
]
Compared = Annotated[Columns, ColumnsKind(about="the columns to compare")]
Targets = Annotated[Columns, ColumnsKind(about="the columns to predict, one after the other")]
