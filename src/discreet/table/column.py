"""The description of a column: its role, its scale, and what else is stated about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

import polars as pl

from discreet.errors import BadParameter, BadTable, BadValues, did_you_mean


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSpec:
    """What a project, a call or a file states about one column; whatever is None or empty it leaves open.

    `order` lists the values of an ordinal column from low to high. `ontology` names what its values mean something
    in ("wordnet", or a file), and `mapping` a file that says which concept each value stands for. `label`,
    `value_labels` and `missing_codes` come from the statistical formats and go back into them; a code is a single
    value, or a range such as "97 to 99". `importance` is how much a column counts in what is lost beside the others.
    """

    role: Role | None = None
    scale: Scale | None = None
    order: tuple[str, ...] = ()
    ontology: str = ""
    mapping: str = ""
    label: str = ""
    value_labels: Mapping[str, str] = field(default_factory=dict)
    missing_codes: tuple[str, ...] = ()
    importance: float = 1.0

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
            "importance": None if self.importance == 1 else self.importance,
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
            f"column '{name}' is declared numeric but holds {type_in_words(values.dtype)}. Correct the values, or "
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
            f"column '{name}' holds {type_in_words(dtype)}, and {strange} of the {len(order)} values in its order are "
            "none. Write them as they are in the column."
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


def type_in_words(dtype: pl.DataType) -> str:
    """What values of a type are, as the end of "the column holds ..."."""
    if dtype == pl.String or isinstance(dtype, pl.Categorical | pl.Enum):
        return "text"
    if dtype == pl.Date:
        return "days"
    if dtype == pl.Boolean:
        return "yes and no"
    return "numbers" if dtype.is_numeric() else f"values of type {dtype}"
