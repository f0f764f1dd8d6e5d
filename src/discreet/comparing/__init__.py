"""What a published cell can stand for: the one way in which known and published values are compared."""

from discreet.comparing.column import (
    AxisColumn,
    CategoryColumn,
    ComparedColumn,
    compare_column,
    is_part_of_order,
    known_orders,
    numbers_of,
    with_known_orders,
)
from discreet.comparing.stored import StoredColumn

__all__ = [
    "AxisColumn",
    "CategoryColumn",
    "ComparedColumn",
    "StoredColumn",
    "compare_column",
    "is_part_of_order",
    "known_orders",
    "numbers_of",
    "with_known_orders",
]
