"""What a parameter may be, declared once in a signature and checked everywhere from there.

A method writes `k: Annotated[int, Whole(at_least=2, about="fewest records in a group")] = 3`. The check, the
reference page, the command line and the search all read that one declaration.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Annotated, Any

from discreet.shown import Shown
from discreet.table import Role, Scale, Table

LARGEST_WHOLE = 2**53
"""Whole numbers up to here are exact in every kind of number that computes with them."""


class Selector(tuple[str, ...]):
    """A choice of columns by role and scale, made when the table is known: the default of `columns=`.

    `roles` are those that a column may have; none of them means any.
    """

    roles: tuple[Role, ...]
    scales: tuple[Scale, ...]
    words: str
    with_ontology: bool

    def __new__(
        cls, words: str, role: Role | Sequence[Role], scales: Sequence[Scale], *, with_ontology: bool = False
    ) -> Selector:
        made = super().__new__(cls)
        made.words, made.scales = words, tuple(scales)
        made.roles = (role,) if isinstance(role, Role) else tuple(role)
        made.with_ontology = with_ontology
        return made

    def chosen(self, table: Table, scales: Collection[Scale] = tuple(Scale)) -> tuple[str, ...]:
        """The columns of the table that it stands for, of those on these scales."""
        found = table.having(None, [scale for scale in self.scales if scale in scales])
        found = tuple(name for name in found if not self.roles or table[name].role in self.roles)
        return tuple(name for name in found if table[name].ontology) if self.with_ontology else found

    def __repr__(self) -> str:
        return self.words


Columns = Sequence[str]
KEYS = Selector("all quasi-identifiers", Role.KEY, tuple(Scale))
NUMERIC_KEYS = Selector("numeric quasi-identifiers", Role.KEY, (Scale.NUMERIC,))
ORDERED_KEYS = Selector("numeric and ordinal quasi-identifiers", Role.KEY, (Scale.NUMERIC, Scale.ORDINAL))
CATEGORY_KEYS = Selector("nominal and ordinal quasi-identifiers", Role.KEY, (Scale.NOMINAL, Scale.ORDINAL))
CONFIDENTIAL = Selector(
    "confidential columns", Role.CONFIDENTIAL, (Scale.NUMERIC, Scale.ORDINAL, Scale.NOMINAL)
)
ANALYSED = Selector(
    "columns that analysts use",
    (Role.KEY, Role.CONFIDENTIAL, Role.INSENSITIVE, Role.STRATUM),
    (Scale.NUMERIC, Scale.ORDINAL, Scale.NOMINAL),
)
WEIGHT = Selector("column of sampling weights", Role.WEIGHT, (Scale.NUMERIC,))
HOUSEHOLD = Selector("column of households", Role.HOUSEHOLD, tuple(Scale))
PERSON = Selector("column of persons", Role.PERSON, tuple(Scale))
CONFIDENTIAL_CATEGORIES = Selector(
    "nominal and ordinal confidential columns", Role.CONFIDENTIAL, (Scale.NOMINAL, Scale.ORDINAL)
)
SEMANTIC_KEYS = Selector(
    "quasi-identifiers with an ontology", Role.KEY, (Scale.NOMINAL, Scale.ORDINAL), with_ontology=True
)


def file_name(path: str) -> str:
    """The last part of a path, which tells nothing of the machine it lies on."""
    return PurePath(path).name or path


REST = "(rest)"
"""The name under which categories are joined that are rare, or that the published file does not show."""
RARE = 10
"""Categories of fewer records are joined in what is published of their shares: a usual least frequency of offices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a value must be. `about` says in plain words what it is for.

    A value that `holds_cells` can repeat what records hold: categories, or numbers that are somebody's. The public half
    of a manifest tells of it only what the published file shows.
    """

    about: str
    holds_cells: bool = False

    def wants(self) -> str:
        """What is accepted, as the end of "must be …"."""
        raise TypeError(f"{type(self).__name__} does not say what it wants")

    def accepts(self, value: object) -> bool:
        """Whether the value is of this kind."""
        raise TypeError(f"{type(self).__name__} does not say what it accepts")

    def plain(self, value: object) -> object:
        """The value as a plan holds it: plain data."""
        return value

    def published(self, value: Any, shown: Shown) -> object:
        """The value as the public half of a manifest tells it: without cells that are not shown, and without folders.

        What can hold cells is withheld whole, unless its kind says what of it is shown.
        """
        if value is None:
            return None
        return self._shown(value, shown) if self.holds_cells else self.plain(value)

    def _shown(self, value: Any, shown: Shown) -> object:
        return None

    def in_words(self, value: Any) -> str:
        """The value in few words; of one that can hold cells only how much it holds, unless it names columns."""
        if value is None or not self.holds_cells:
            return str(value)
        return f"{len(value)} entries" if isinstance(value, Mapping | list | tuple) else "given"

    def files(self, value: object) -> tuple[str, ...]:
        """The names of files in the value, whose contents an answer depends on."""
        return ()

    def to_dict(self) -> dict[str, object]:
        return {"kind": type(self).__name__.lower(), "about": self.about, "wants": self.wants()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole(Kind):
    """A whole number in a range; `usual` is the range a search tries, for columns on one of the `scales`."""

    at_least: int
    at_most: int | None = None
    usual: tuple[int, int] | None = None
    scales: tuple[Scale, ...] = tuple(Scale)

    def wants(self) -> str:
        if self.at_most is None:
            return f"a whole number of at least {self.at_least}"
        return f"a whole number from {self.at_least} to {self.at_most}"

    def accepts(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int):
            return False
        return self.at_least <= value <= (LARGEST_WHOLE if self.at_most is None else self.at_most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Real(Kind):
    """A finite number in a range; `above` and `below` are bounds it may not touch.

    `usual` is the range a search tries, for columns on one of the `scales`.
    """

    at_least: float | None = None
    at_most: float | None = None
    above: float | None = None
    below: float | None = None
    usual: tuple[float, float] | None = None
    scales: tuple[Scale, ...] = tuple(Scale)

    def wants(self) -> str:
        bounds = [
            ("at least", self.at_least),
            ("above", self.above),
            ("at most", self.at_most),
            ("below", self.below),
        ]
        bounds_text = " and ".join(f"{word} {bound:g}" for word, bound in bounds if bound is not None)
        return f"a number {bounds_text}".rstrip()

    def accepts(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        # A whole number can be too large to be compared as a real one; infinity and what is no number are none.
        if not abs(value) <= sys.float_info.max:
            return False
        return (
            (self.at_least is None or value >= self.at_least)
            and (self.at_most is None or value <= self.at_most)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )

    def _shown(self, value: Any, shown: Shown) -> object:
        return value if float(value) in shown.numbers() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Kind):
    """One of a few words; `not_searched` are those that a search leaves out, because they need more than a number."""

    among: tuple[str, ...]
    not_searched: tuple[str, ...] = ()

    def wants(self) -> str:
        return "one of " + ", ".join(self.among)

    def accepts(self, value: object) -> bool:
        return isinstance(value, str) and value in self.among


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag(Kind):
    """Yes or no."""

    def wants(self) -> str:
        return "true or false"

    def accepts(self, value: object) -> bool:
        return isinstance(value, bool)


@dataclass(frozen=True, slots=True, kw_only=True)
class Word(Kind):
    """A short text, such as the name of a new category, which whoever gives it publishes."""

    def wants(self) -> str:
        return "a text that is not empty"

    def accepts(self, value: object) -> bool:
        return isinstance(value, str) and value != ""


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
        rows = {name: _with_rest(row, labels) for name, row in value.items() if name in labels}
        return {**rows, REST: _with_rest(_mean_row(hidden), labels)} if hidden else rows

    def wants(self) -> str:
        return "a table of tables of shares, none negative, each table adding up to one"

    def accepts(self, value: object) -> bool:
        return isinstance(value, Mapping) and all(
            isinstance(name, str) and _is_distribution(each) for name, each in value.items()
        )


def joined_shares(shares: Mapping[str, float], counts: Mapping[str, int], records: int) -> dict[str, float]:
    """The shares of categories, those joined as a rest that are rare or that no published record has.

    A category is named that at least RARE records are published with, and as many by its share. The rest is of no one
    category, and of no fewer records: the rarest named ones are joined too until it is.
    """
    by_share = sorted(shares, key=lambda name: (shares[name], name))
    joined = [
        name for name in by_share if name == REST or min(counts.get(name, 0), shares[name] * records) < RARE
    ]
    others = [name for name in by_share if name not in joined]
    while joined and others and (len(joined) < 2 or _total(shares, joined) * records < RARE):
        joined.append(others.pop(0))
    named = {name: share for name, share in shares.items() if name in set(others)}
    return {**named, REST: max(0.0, 1.0 - math.fsum(named.values()))} if joined else named


def _total(shares: Mapping[str, float], names: Sequence[str]) -> float:
    return math.fsum(shares[name] for name in names)


def _with_rest(row: Mapping[str, float], labels: set[str]) -> dict[str, float]:
    """The chances of what is shown, and as one those of what is not."""
    kept = {name: chance for name, chance in row.items() if name in labels and name != REST}
    return {**kept, REST: max(0.0, 1.0 - math.fsum(kept.values()))} if len(kept) < len(row) else kept


def _mean_row(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: math.fsum(row.get(name, 0.0) for row in rows) / len(rows) for name in names}


def _is_distribution(value: object) -> bool:
    share = Real(about="", at_least=0)
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        return False
    return all(share.accepts(each) for each in value.values()) and abs(sum(value.values()) - 1) <= 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnsKind(Kind):
    """Names of columns of the table; those of the role in the default when left out."""

    holds_cells: bool = True

    def in_words(self, value: Any) -> str:
        return str(value) if value is None else "+".join(value)

    def _shown(self, value: Any, shown: Shown) -> object:
        return [name for name in value if shown.has_column(name)]

    def wants(self) -> str:
        return "a list of column names"

    def accepts(self, value: object) -> bool:
        if isinstance(value, Selector):
            return True
        return (
            isinstance(value, Sequence)
            and not isinstance(value, str)
            and len(value) > 0
            and all(isinstance(each, str) for each in value)
        )


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One declared parameter of a method."""

    name: str
    kind: Kind
    default: object
    required: bool
    optional: bool

    def to_dict(self) -> dict[str, object]:
        default = repr(self.default) if isinstance(self.default, Selector) else self.default
        facts = {"name": self.name, "required": self.required, **self.kind.to_dict()}
        return facts if self.required else {**facts, "default": default}
