"""Parameters of several values: lists and tables, most of which can repeat what records hold."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from discreet.parameters.kind import Kind
from discreet.parameters.shares import REST, joined_shares, mean_row, with_rest
from discreet.parameters.single import Real
from discreet.shown import Shown


def file_name(path: str) -> str:
    """The last part of a path, which tells nothing of the machine it lies on."""
    return PurePath(path).name or path


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers(Kind):
    """A list of finite numbers, rising when `rising`, at least `fewest` of them."""

    holds_cells: bool = True
    fewest: int = 1
    rising: bool = False

    def wants(self) -> str:
        order = "rising " if self.rising else ""
        return f"a list of at least {self.fewest} {order}number{'s' if self.fewest > 1 else ''}"

    def accepts(self, value: object) -> bool:
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) < self.fewest:
            return False
        plain = Real(about="")
        if not all(plain.accepts(each) for each in value):
            return False
        return not self.rising or all(low < high for low, high in itertools.pairwise(value))

    def _shown(self, value: Any, shown: Shown) -> object:
        numbers = shown.numbers()
        return [each for each in value if float(each) in numbers] or None


@dataclass(frozen=True, slots=True, kw_only=True)
class Words(Kind):
    """A list of texts: names of columns, where it is a parameter of a mask."""

    holds_cells: bool = True

    def in_words(self, value: Any) -> str:
        return str(value) if value is None else "+".join(value)

    def _shown(self, value: Any, shown: Shown) -> object:
        return [name for name in value if shown.has_column(name)]

    def wants(self) -> str:
        return "a list of texts"

    def accepts(self, value: object) -> bool:
        return (
            isinstance(value, Sequence)
            and not isinstance(value, str)
            and all(isinstance(v, str) for v in value)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups(Kind):
    """Lists of column names: columns that are treated together."""

    holds_cells: bool = True

    def in_words(self, value: Any) -> str:
        return str(value) if value is None else " | ".join("+".join(group) for group in value)

    def _shown(self, value: Any, shown: Shown) -> object:
        groups = [[name for name in group if shown.has_column(name)] for group in value]
        return [group for group in groups if group]

    def wants(self) -> str:
        return "a list of lists of column names"

    def accepts(self, value: object) -> bool:
        words = Words(about="")
        return (
            isinstance(value, Sequence)
            and not isinstance(value, str)
            and all(words.accepts(group) and len(group) > 0 for group in value)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs(Kind):
    """A table from text to text, such as old values to new ones."""

    holds_cells: bool = True

    def _shown(self, value: Any, shown: Shown) -> object:
        labels = shown.labels()
        return {old: new for old, new in value.items() if old in labels and new in labels}

    def wants(self) -> str:
        return "a table of texts to texts"

    def accepts(self, value: object) -> bool:
        return isinstance(value, Mapping) and all(
            isinstance(old, str) and isinstance(new, str) for old, new in value.items()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PairsOrFile(Pairs):
    """A table from text to text, or the name of a file that holds one."""

    def wants(self) -> str:
        return f"{Pairs.wants(self)}, or the name of a CSV file that holds one"

    def accepts(self, value: object) -> bool:
        return (isinstance(value, str) and value != "") or Pairs.accepts(self, value)

    def files(self, value: object) -> tuple[str, ...]:
        return (value,) if isinstance(value, str) else ()

    def _shown(self, value: Any, shown: Shown) -> object:
        """The name of the file without its folders, or what the table says of values that are shown."""
        if isinstance(value, str):
            return file_name(value)
        labels = shown.labels()
        return {word: concept for word, concept in value.items() if word in labels}


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts(Kind):
    """A table from names to numbers that are not negative, such as the weights of columns."""

    holds_cells: bool = True

    def wants(self) -> str:
        return "a table of names to numbers, none negative"

    def accepts(self, value: object) -> bool:
        amount = Real(about="", at_least=0)
        return isinstance(value, Mapping) and all(
            isinstance(name, str) and amount.accepts(each) for name, each in value.items()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Distributions(Kind):
    """A table from names to tables of shares, such as the rows of a transition matrix.

    The names are categories, as the names in the tables are, or with `of_columns` those of columns.
    """

    holds_cells: bool = True
    of_columns: bool = False

    def _shown(self, value: Any, shown: Shown) -> object:
        if self.of_columns:
            columns = [name for name in value if shown.has_column(name)]
            return {name: joined_shares(value[name], shown.counts(name), shown.records) for name in columns}
        labels = shown.labels()
        hidden = [row for name, row in value.items() if name not in labels]
        rows = {name: with_rest(row, labels) for name, row in value.items() if name in labels}
        return {**rows, REST: with_rest(mean_row(hidden), labels)} if hidden else rows

    def wants(self) -> str:
        return "a table of tables of shares, none negative, each table adding up to one"

    def accepts(self, value: object) -> bool:
        return isinstance(value, Mapping) and all(
            isinstance(name, str) and _is_distribution(each) for name, each in value.items()
        )


def _is_distribution(value: object) -> bool:
    share = Real(about="", at_least=0)
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        return False
    return all(share.accepts(each) for each in value.values()) and abs(sum(value.values()) - 1) <= 1e-9
