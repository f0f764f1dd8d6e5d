"""A table: columns that each have a role and a scale, over a polars frame that is never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from discreet.dialect import Dialect
from discreet.errors import BadTable, BadValues, UnknownColumn, did_you_mean, listed
from discreet.table.column import SINGLE_ROLES, Column, Role, Scale, column_of, column_spec
from discreet.table.frames import native_frame, to_polars
from discreet.table.values import FloatArray, IntArray, as_floats, levels_in_order, like_column
from discreet.visible import visible_line

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame

LARGEST = 1e300
"""Numbers beyond this are not masked: sums and differences of them would be infinite."""
MISSING_CODE = -1
ATTACHED_PERSON = "(person)"
"""The name of a column of persons that was attached for counting and is not published."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a table was read from, for the private half of a manifest."""

    path: str
    digest: str


class Described:
    """What a table and a dataset share: a name, and columns that each have a role and a scale."""

    __slots__ = ()
    name: str
    columns: tuple[Column, ...]
    source: Source | None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.columns)

    @property
    def keys(self) -> tuple[str, ...]:
        """The quasi-identifiers: what an intruder can know."""
        return self.having(Role.KEY)

    def having(self, role: Role | None = None, scales: Iterable[Scale] = tuple(Scale)) -> tuple[str, ...]:
        """The names of the columns with this role (any, when None) and one of these scales."""
        allowed = set(scales)
        return tuple(
            each.name
            for each in self.columns
            if (role is None or each.role == role) and each.scale in allowed
        )

    def __getitem__(self, name: str) -> Column:
        for each in self.columns:
            if each.name == name:
                return each
        raise UnknownColumn(f"table '{self.name}' has no column '{name}'.{did_you_mean(name, self.names)}")

    def __len__(self) -> int:
        """The number of records."""
        raise TypeError(f"a {type(self).__name__} does not say how many records it has")

    def dtype(self, column: str) -> pl.DataType:
        """The type in which a column is held."""
        raise TypeError(f"a {type(self).__name__} does not say of which types it is")

    def value_counts(self, column: str) -> pl.DataFrame:
        """The distinct values of a column and how many records have each, as `value` and `count`; missing left out."""
        raise TypeError(f"a {type(self).__name__} does not count its values")

    def null_count(self, column: str) -> int:
        """How many cells of a column are blank."""
        raise TypeError(f"a {type(self).__name__} does not count its blanks")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table(Described):
    """Columns with roles and scales, and their values. Missing values are null, never a number.

    `home` is the folder that the names of ontologies and mappings start from: that of the project file.
    `dialect` is how the text that it was read from is written, and its release will be.
    """

    name: str
    columns: tuple[Column, ...]
    frame: pl.DataFrame
    native: str = "polars"
    source: Source | None = None
    home: str = ""
    dialect: Dialect | None = None

    @classmethod
    def of(
        cls,
        frame: IntoDataFrame,
        *,
        roles: Mapping[str, str],
        scales: Mapping[str, str] | None = None,
        orders: Mapping[str, Sequence[object]] | None = None,
        ontologies: Mapping[str, str] | None = None,
        rest: str | None = None,
        name: str = "table",
    ) -> Table:
        """The table of a pandas, polars or Arrow frame.

        Every column needs a role; `rest` is the role of those that `roles` does not name, and without it a
        column left out is an error, because a role guessed wrongly publishes people. A scale that is not
        given follows from the type: numbers and dates are numeric, an ordered category is ordinal, and
        all else is nominal. `ontologies` names the ontology of a column's values: "wordnet", or a file.

        >>> Table.of(pl.DataFrame({"age": [31, 45]}), roles={"age": "quasi-identifier"}).keys
        ('age',)
        """
        values, native = to_polars(frame)
        given = (roles, scales or {}, orders or {}, ontologies or {})
        _check_names(values, name, *given)
        columns = []
        for each in values:
            role = roles.get(each.name, rest)
            if role is None:
                raise BadTable(
                    f"table '{name}': column '{each.name}' has no role. Give one in roles, or say with rest= what the "
                    "columns left out are."
                )
            columns.append(column_of(column_spec(each.name, role, *given[1:]), each))
        return cls.assemble(values, columns, name=name, native=native)

    @classmethod
    def assemble(
        cls,
        frame: pl.DataFrame,
        columns: Iterable[Column],
        *,
        name: str,
        native: str = "polars",
        source: Source | None = None,
    ) -> Table:
        """A table of columns that are described already, checked against the frame."""
        described = tuple(columns)
        if [each.name for each in described] != frame.columns:
            raise BadTable(f"table '{name}': the columns described are not those of the frame.")
        check_single_roles(name, described)
        cleaned = frame.with_columns(_nan_to_null(frame))
        return cls(name=name, columns=described, frame=cleaned, native=native, source=source)

    def __len__(self) -> int:
        return self.frame.height

    def dtype(self, column: str) -> pl.DataType:
        return self.frame.schema[column]

    def value_counts(self, column: str) -> pl.DataFrame:
        return self.frame[column].alias("value").drop_nulls().value_counts(name="count")

    def null_count(self, column: str) -> int:
        return self.frame[column].null_count()

    def __str__(self) -> str:
        return f"table '{self.name}': {len(self)} records, {len(self.columns)} columns"

    def __repr__(self) -> str:
        """The same line: what a notebook or a log shows holds no cell."""
        return f"<{visible_line(str(self))}>"

    def _repr_html_(self) -> str:
        from discreet.notebook import table_html

        return table_html(self)

    def numbers(self, columns: Sequence[str]) -> FloatArray:
        """The columns as one contiguous float64 array, records by columns; missing is NaN, dates count days."""
        out = np.empty((len(self), len(columns)), dtype=np.float64)
        for place, name in enumerate(columns):
            out[:, place] = as_floats(self.frame[name], self[name])
        return out

    def check_range(self, columns: Sequence[str]) -> None:
        """Raises BadValues where a column has numbers that are infinite or too large to compute with."""
        for values in self.frame.select(columns).get_columns():
            beyond = int((values.abs() > LARGEST).sum()) if values.dtype.is_float() else 0
            if beyond:
                raise BadValues(
                    f"column '{values.name}' has {beyond} of {len(self)} numbers that are infinite or beyond "
                    f"{LARGEST:g}, too large to compute with. Correct them, or make them missing."
                )

    def levels(self, column: str) -> tuple[object, ...]:
        """The distinct values of a categorical column, in the order of its scale, missing left out."""
        described = self[column]
        values = self.frame[column].drop_nulls().unique()
        if described.scale == Scale.ORDINAL and described.order:
            return tuple(levels_in_order(described.order, values.dtype))
        return tuple(values.sort().to_list())

    def codes(self, column: str, levels: Sequence[object] | None = None) -> IntArray:
        """The column as whole numbers, the place of each value among the levels; missing is -1.

        A value that is not among the levels raises BadValues.
        """
        known = list(self.levels(column) if levels is None else levels)
        values = self.frame[column]
        places = pl.Series(np.arange(len(known), dtype=np.int64))
        if not known:
            coded = pl.repeat(None, len(self), dtype=pl.Int64, eager=True)
        elif values.dtype == pl.String:
            coded = values.cast(pl.Enum(known), strict=False).to_physical().cast(pl.Int64)  # type: ignore[arg-type]
        else:
            coded = values.replace_strict(
                pl.Series(known, dtype=values.dtype), places, default=None, return_dtype=pl.Int64
            )
        strange = int((coded.is_null() & values.is_not_null()).sum())
        if strange:
            raise BadValues(
                f"table '{self.name}', column '{column}': {strange} of {len(self)} records hold a value that is "
                f"not among its {len(known)} known levels. List every value in the column's order."
            )
        return coded.fill_null(MISSING_CODE).to_numpy().astype(np.int64)

    def weights(self) -> FloatArray | None:
        """The sampling weights, or None where no column has that role."""
        holders = self.having(Role.WEIGHT)
        if not holders:
            return None
        weights = self.numbers(holders)[:, 0]
        bad = int((~np.isfinite(weights) | (weights < 0)).sum())
        if bad:
            raise BadValues(
                f"table '{self.name}': weight column '{holders[0]}' has {bad} missing or negative values."
            )
        return weights

    def persons(self) -> IntArray | None:
        """Which records are of the same person, counted from 0; None where no column has that role.

        A record without a number is of a person of its own.
        """
        return self._grouped(Role.PERSON)

    def households(self) -> IntArray | None:
        """Which records are of the same household, counted from 0, as for persons; None where no column tells."""
        return self._grouped(Role.HOUSEHOLD)

    def with_persons(self, persons: IntArray) -> Table:
        """The table with a further column that says which records are of the same person, so that classes count people.

        The column is never part of what is published. A table that tells its persons already is returned as it is.
        """
        if self.having(Role.PERSON):
            return self
        name = ATTACHED_PERSON
        while name in self.names:
            name += "*"
        return replace(
            self,
            columns=(*self.columns, Column(name=name, role=Role.PERSON, scale=Scale.NOMINAL)),
            frame=self.frame.with_columns(pl.Series(name, persons, dtype=pl.Int64)),
        )

    def _grouped(self, role: Role) -> IntArray | None:
        holders = self.having(role)
        return self.groups(holders[0]) if holders else None

    def groups(self, column: str) -> IntArray:
        """Which records have the same value in a column, counted from 0; one without a value is a group of its own."""
        ranks = self.frame[column].rank("dense").fill_null(0).cast(pl.Int64).to_numpy() - 1
        alone = np.flatnonzero(ranks < 0)
        groups: IntArray = ranks.astype(np.int64)
        groups[alone] = int(ranks.max(initial=-1)) + 1 + np.arange(len(alone))
        return groups

    def with_numbers(self, columns: Sequence[str], numbers: FloatArray) -> Table:
        """The table with new numbers in these columns; NaN becomes missing.

        A column of whole numbers stays so when all new values are whole, and dates stay dates.
        """
        fresh = {
            name: like_column(name, numbers[:, place], self.frame[name].dtype)
            for place, name in enumerate(columns)
        }
        return self.with_values(fresh)

    def with_values(self, values: Mapping[str, pl.Series], described: Iterable[Column] = ()) -> Table:
        """The table with other values in some columns, and perhaps another description of them."""
        changed = {each.name: each for each in described}
        return replace(
            self,
            columns=tuple(changed.get(each.name, each) for each in self.columns),
            frame=self.frame.with_columns(series.alias(name) for name, series in values.items()),
        )

    def take(self, rows: IntArray) -> Table:
        """The records at these places, in this order."""
        return replace(self, frame=self.frame[rows])

    def without(self, columns: Iterable[str]) -> Table:
        """The table without these columns."""
        gone = set(columns)
        kept = tuple(each for each in self.columns if each.name not in gone)
        return replace(self, columns=kept, frame=self.frame.select(each.name for each in kept))

    def to_native(self) -> Any:
        """The values as the kind of frame that came in: pandas, polars or Arrow."""
        return native_frame(self.frame, self.native)


def check_single_roles(table: str, columns: Iterable[Column]) -> None:
    """Raises BadTable where two columns have a role that only one can have."""
    described = tuple(columns)
    for role in SINGLE_ROLES:
        holders = [each.name for each in described if each.role == role]
        if len(holders) > 1:
            raise BadTable(
                f"table '{table}' has {len(holders)} columns with the role '{role}' ({listed(holders)}); "
                "one at most."
            )


def _check_names(frame: pl.DataFrame, table: str, *by_column: Mapping[str, object]) -> None:
    for name in chain(*by_column):
        if name not in frame.columns:
            raise UnknownColumn(f"table '{table}' has no column '{name}'.{did_you_mean(name, frame.columns)}")


def _nan_to_null(frame: pl.DataFrame) -> list[pl.Series]:
    return [series.fill_nan(None) for series in frame.get_columns() if series.dtype.is_float()]
