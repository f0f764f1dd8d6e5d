"""A table: columns that each have a role and a scale, over a polars frame that is never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from discreet.errors import BadParameter, BadTable, BadValues, UnknownColumn, did_you_mean, listed
from discreet.from_values_alone import from_values_alone
from discreet.visible import visible_line

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

FIRST_DAY, LAST_DAY = -719_162, 2_932_896
"""The first day of the year 1 and the last of the year 9999, in days since 1970."""
DAY_OF_NANOSECONDS = 86_400_000_000_000

LARGEST = 1e300
"""Numbers beyond this are not masked: sums and differences of them would be infinite."""


class Role(StrEnum):
    """What a column is to an intruder."""

    IDENTIFIER = "identifier"
    PERSON = "person"
    KEY = "quasi-identifier"
    CONFIDENTIAL = "confidential"
    INSENSITIVE = "insensitive"
    WEIGHT = "weight"
    HOUSEHOLD = "household"
    STRATUM = "stratum"


class Scale(StrEnum):
    """What may be done with a column's values."""

    NUMERIC = "numeric"
    ORDINAL = "ordinal"
    NOMINAL = "nominal"
    TEXT = "text"


IDENTIFYING = (Role.IDENTIFIER, Role.PERSON)
"""Roles of columns that say who somebody is: never published as they are, and never masked."""
SINGLE_ROLES = (Role.WEIGHT, Role.HOUSEHOLD, Role.PERSON)
NO_ONTOLOGIES: Mapping[str, str] = {}
MISSING_CODE = -1
ATTACHED_PERSON = "(person)"
"""The name of a column of persons that was attached for counting and is not published."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSpec:
    """What a project, a call or a file states about one column; whatever is None or empty it leaves open.

    `order` lists the values of an ordinal column from low to high. `ontology` names what its values mean something
    in ("wordnet", or a file), and `mapping` a file that says which concept each value stands for. `label`,
    `value_labels` and `missing_codes` come from the statistical formats and go back into them; a code is a single
    value, or a range such as "97 to 99".
    """

    role: Role | None = None
    scale: Scale | None = None
    order: tuple[str, ...] = ()
    ontology: str = ""
    mapping: str = ""
    label: str = ""
    value_labels: Mapping[str, str] = field(default_factory=dict)
    missing_codes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The description as a manifest or a project file holds it: whatever is stated, without missing codes."""
        stated: dict[str, object] = {
            "role": self.role and str(self.role),
            "scale": self.scale and str(self.scale),
            "order": list(self.order),
            "ontology": self.ontology,
            "mapping": self.mapping,
            "label": self.label,
            "value_labels": dict(self.value_labels),
        }
        return {name: value for name, value in stated.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class Column(ColumnSpec):
    """The description of a column in a table: it has a name, and its role and scale are settled."""

    name: str
    role: Role
    scale: Scale

    @classmethod
    def from_dict(cls, name: str, payload: Mapping[str, Any]) -> Column:
        """The column that `to_dict` wrote, from a payload that has been checked."""
        return cls(
            **{
                **payload,
                "name": name,
                "role": Role(payload["role"]),
                "scale": Scale(payload["scale"]),
                "order": tuple(payload.get("order", ())),
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a table was read from, for the private half of a manifest."""

    path: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Columns with roles and scales, and their values. Missing values are null, never a number.

    `home` is the folder that the names of ontologies and mappings start from: that of the project file.
    """

    name: str
    columns: tuple[Column, ...]
    frame: pl.DataFrame
    native: str = "polars"
    source: Source | None = None
    home: str = ""

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
        for role in SINGLE_ROLES:
            holders = [each.name for each in described if each.role == role]
            if len(holders) > 1:
                raise BadTable(
                    f"table '{name}' has {len(holders)} columns with the role '{role}' ({listed(holders)}); "
                    "one at most."
                )
        cleaned = frame.with_columns(_nan_to_null(frame))
        return cls(name=name, columns=described, frame=cleaned, native=native, source=source)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.columns)

    @property
    def keys(self) -> tuple[str, ...]:
        """The quasi-identifiers: what an intruder can know."""
        return self.having(Role.KEY)

    def __len__(self) -> int:
        return self.frame.height

    def __str__(self) -> str:
        return f"table '{self.name}': {len(self)} records, {len(self.columns)} columns"

    def __repr__(self) -> str:
        """The same line: what a notebook or a log shows holds no cell."""
        return f"<{visible_line(str(self))}>"

    def _repr_html_(self) -> str:
        from discreet.notebook import table_html

        return table_html(self)

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

    def numbers(self, columns: Sequence[str]) -> FloatArray:
        """The columns as one contiguous float64 array, records by columns; missing is NaN, dates count days."""
        out = np.empty((len(self), len(columns)), dtype=np.float64)
        for place, name in enumerate(columns):
            out[:, place] = _as_floats(self.frame[name], self[name])
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
            return tuple(_cast_like(described.order, values.dtype))
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
            name: _like_column(name, numbers[:, place], self.frame[name].dtype)
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


def native_frame(frame: pl.DataFrame, native: str) -> Any:
    """The frame as one of another kind: pandas, polars or Arrow. Whole numbers stay whole, also beside blanks."""
    if native == "pandas":
        made = frame.to_pandas()
        # pandas has no blank among its usual whole numbers, and would make all of them fractions.
        blanked = [each.name for each in frame if each.dtype.is_integer() and each.null_count()]
        for name in blanked:
            whole = frame[name].to_pandas(use_pyarrow_extension_array=True)
            unsigned = frame[name].dtype.is_unsigned_integer()
            made[name] = whole.astype("UInt64") if unsigned else whole.astype("Int64")
        return made
    if native == "pyarrow":
        # An Arrow table shares memory with the frame, where a blanked cell keeps its old value beneath the mark.
        return from_values_alone(frame).to_arrow()
    return frame


def column_spec(
    name: str,
    role: str,
    scales: Mapping[str, str],
    orders: Mapping[str, Sequence[object]],
    ontologies: Mapping[str, str] = NO_ONTOLOGIES,
) -> ColumnSpec:
    """What the arguments of a call state about one column; BadParameter where its role or scale is not known."""
    return ColumnSpec(
        role=Role(one_of(role, Role, f"role of column '{name}'")),
        scale=Scale(one_of(scales[name], Scale, f"scale of column '{name}'")) if name in scales else None,
        order=tuple(str(each) for each in orders.get(name, ())),
        ontology=ontologies.get(name, ""),
    )


def column_of(spec: ColumnSpec, values: pl.Series) -> Column:
    """The column as its spec and its values settle it: a scale that is left open follows from the type."""
    if spec.role is None:
        raise BadTable(f"column '{values.name}' has no role.")
    order = checked_order(values.name, spec.order, values.dtype)
    scale = spec.scale or (Scale.ORDINAL if order else scale_of_type(values.dtype))
    if not order and isinstance(values.dtype, pl.Enum) and scale == Scale.ORDINAL:
        order = tuple(values.dtype.categories)
    stated = {each.name: getattr(spec, each.name) for each in fields(ColumnSpec)}
    column = Column(**{**stated, "name": values.name, "scale": scale, "order": order})
    check_column(column, values)
    return column


def check_column(column: Column, values: pl.Series) -> None:
    """Raises when the values cannot have the scale that the column claims."""
    name = column.name
    if column.scale == Scale.NUMERIC and not (values.dtype.is_numeric() or values.dtype.is_temporal()):
        raise BadValues(
            f"column '{name}' is declared numeric but holds {_kind(values.dtype)}. Correct the values, or "
            "declare it nominal or ordinal."
        )
    if column.role == Role.WEIGHT and column.scale != Scale.NUMERIC:
        raise BadTable(f"column '{name}' has the role 'weight' and must be numeric.")
    if column.scale == Scale.ORDINAL and not column.order and not values.dtype.is_numeric():
        if values.dtype.is_temporal():
            return
        raise BadTable(f"ordinal column '{name}' needs its order: the values from low to high.")
    if len(set(column.order)) != len(column.order):
        raise BadTable(f"the order of column '{name}' names a value twice.")


def checked_order(name: str, order: Sequence[str], dtype: pl.DataType) -> tuple[str, ...]:
    """The order of a column, numbers and truth values in it written as its values are.

    Raises BadTable where it holds what a column of this type cannot, or where the type has an order of its own.
    """
    if not order or dtype == pl.String or isinstance(dtype, pl.Categorical | pl.Enum):
        return tuple(order)
    if dtype.is_temporal():
        raise BadTable(
            f"column '{name}' holds days or times, which have an order of their own: leave its order out."
        )
    if dtype == pl.Boolean:
        truths = tuple(each.lower() for each in order)
        strange = sum(each not in ("true", "false") for each in truths)
    else:
        numbers = pl.Series(list(order), dtype=pl.String).cast(pl.Float64, strict=False)
        strange = numbers.null_count() + int((~numbers.is_finite()).sum())
        truths = tuple(numbers.cast(pl.String).str.replace(r"\.0$", "").replace("-0", "0"))
    if strange:
        raise BadTable(
            f"column '{name}' holds {_kind(dtype)}, and {strange} of the {len(order)} values in its order are none. "
            "Write them as they are in the column."
        )
    if dtype.is_integer():
        # Whole numbers may have more digits than a float holds.
        truths = tuple(
            given if given.lstrip("+-").isdigit() else plain
            for given, plain in zip(order, truths, strict=True)
        )
    return truths


def scale_of_type(dtype: pl.DataType) -> Scale:
    """The scale that follows from a type alone."""
    if isinstance(dtype, pl.Enum):
        return Scale.ORDINAL
    if dtype.is_numeric() or dtype.is_temporal():
        return Scale.NUMERIC
    return Scale.NOMINAL


def a_role(role: Role) -> str:
    """The role as a sentence about a column holds it.

    >>> a_role(Role.IDENTIFIER), a_role(Role.PERSON)
    ('an identifier', 'the number of a person')
    """
    if role == Role.PERSON:
        return "the number of a person"
    return f"{'an' if role[0] in 'aeiou' else 'a'} {role}"


def one_of(value: str, known: type[StrEnum], what: str) -> str:
    """The value, when it is one of the known ones."""
    names = [str(each) for each in known]
    if value not in names:
        raise BadParameter(f"{what}: '{value}' is not known.{did_you_mean(str(value), names)}")
    return value


def _check_names(frame: pl.DataFrame, table: str, *by_column: Mapping[str, object]) -> None:
    for name in chain(*by_column):
        if name not in frame.columns:
            raise UnknownColumn(f"table '{table}' has no column '{name}'.{did_you_mean(name, frame.columns)}")


def to_polars(frame: IntoDataFrame) -> tuple[pl.DataFrame, str]:
    """The values of a pandas, polars or Arrow frame, and the kind it is of."""
    if isinstance(frame, pl.DataFrame):
        return frame, "polars"
    import narwhals as nw

    wrapped = nw.from_native(frame, eager_only=True)
    return wrapped.to_polars(), str(wrapped.implementation)


def _nan_to_null(frame: pl.DataFrame) -> list[pl.Series]:
    return [series.fill_nan(None) for series in frame.get_columns() if series.dtype.is_float()]


def _as_floats(values: pl.Series, column: Column) -> FloatArray:
    if values.dtype.is_temporal():
        values = values.to_physical()
    if column.scale == Scale.ORDINAL and column.order:
        raise BadTable(f"column '{column.name}' is ordinal with an order: use its codes, not its numbers.")
    if not values.dtype.is_numeric():
        raise BadValues(f"column '{column.name}' holds {_kind(values.dtype)}, not numbers.")
    return values.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def moments_of(dtype: pl.DataType) -> tuple[int, int]:
    """The first and the last moment of a column of days or times, in its unit: those of the years 1 to 9999."""
    if dtype == pl.Time:
        return 0, DAY_OF_NANOSECONDS - 1
    if not isinstance(dtype, pl.Datetime):
        return FIRST_DAY, LAST_DAY
    day = {"ms": 86_400_000, "us": 86_400_000_000, "ns": DAY_OF_NANOSECONDS}[dtype.time_unit]
    return max(FIRST_DAY * day, -(2**63) + 1024), min((LAST_DAY + 1) * day - 1, 2**63 - 1024)


def _like_column(name: str, numbers: FloatArray, dtype: pl.DataType) -> pl.Series:
    series = pl.Series(name, numbers, dtype=pl.Float64).fill_nan(None)
    if dtype == pl.Time:
        # A time of day has no neighbour across midnight, so what would leave the day stays at its end.
        return series.round().clip(0, DAY_OF_NANOSECONDS - 1).cast(pl.Int64).cast(dtype)
    if dtype.is_temporal():
        return series.round().cast(pl.Int64).cast(dtype)
    if dtype.is_integer() and bool((series.drop_nulls() % 1 == 0).all()):
        wide = (each for each in (dtype, pl.Int64(), pl.UInt64()) if _fits(series, each))
        return series.cast(next(wide, pl.Float64()))
    return series


def _fits(series: pl.Series, dtype: pl.DataType) -> bool:
    return series.cast(dtype, strict=False).null_count() == series.null_count()


def _cast_like(order: Sequence[str], dtype: pl.DataType) -> list[object]:
    series = pl.Series(list(order), dtype=pl.String)
    if dtype in (pl.String, pl.Categorical) or isinstance(dtype, pl.Enum):
        return series.to_list()
    if dtype == pl.Boolean:
        return [each.lower() == "true" for each in order]
    # What the type cannot hold is no level of the column; the order was checked when it was given.
    return series.cast(dtype, strict=False).drop_nulls().to_list()


def _kind(dtype: pl.DataType) -> str:
    if dtype == pl.String or isinstance(dtype, pl.Categorical | pl.Enum):
        return "text"
    return "numbers" if dtype.is_numeric() else f"values of type {dtype}"
