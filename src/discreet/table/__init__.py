"""Tables: columns that each have a role and a scale, and their values."""

from discreet.table.column import (
    IDENTIFYING,
    SINGLE_ROLES,
    Column,
    ColumnSpec,
    Role,
    Scale,
    a_role,
    column_of,
    column_spec,
    scale_of_type,
)
from discreet.table.frames import native_frame, to_polars
from discreet.table.table import (
    ATTACHED_PERSON,
    LARGEST,
    MISSING_CODE,
    Described,
    Source,
    Table,
    check_single_roles,
)
from discreet.table.values import BoolArray, FloatArray, IntArray, levels_in_order, moments_of, power_of_two

__all__ = [
    "ATTACHED_PERSON",
    "IDENTIFYING",
    "LARGEST",
    "MISSING_CODE",
    "SINGLE_ROLES",
    "BoolArray",
    "Column",
    "ColumnSpec",
    "Described",
    "FloatArray",
    "IntArray",
    "Role",
    "Scale",
    "Source",
    "Table",
    "a_role",
    "check_single_roles",
    "column_of",
    "column_spec",
    "levels_in_order",
    "moments_of",
    "native_frame",
    "power_of_two",
    "scale_of_type",
    "to_polars",
]
