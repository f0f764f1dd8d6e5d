"""What a parameter may be, declared once in a signature and checked everywhere from there.

A method writes `k: Annotated[int, Whole(at_least=2, about="fewest records in a group")] = 3`. The check, the
reference page, the command line and the search all read that one declaration.
"""

from discreet.parameters.columns import (
    ColumnsKind,
    Compared,
    Grouping,
    Known,
    Learned,
    Masking,
    Persons,
    Targets,
    Weighing,
)
from discreet.parameters.kind import Kind, Parameter
from discreet.parameters.selectors import (
    ANALYSED,
    CATEGORY_KEYS,
    CONFIDENTIAL,
    CONFIDENTIAL_CATEGORIES,
    HOUSEHOLD,
    KEYS,
    NUMERIC_KEYS,
    ORDERED_KEYS,
    PERSON,
    SEMANTIC_KEYS,
    WEIGHT,
    Columns,
    Selector,
)
from discreet.parameters.several import (
    Amounts,
    Distributions,
    Groups,
    Numbers,
    Pairs,
    PairsOrFile,
    Words,
    file_name,
)
from discreet.parameters.shares import RARE, REST, joined_shares
from discreet.parameters.single import LARGEST_WHOLE, Choice, Flag, Real, Whole, Word

__all__ = [
    "ANALYSED",
    "CATEGORY_KEYS",
    "CONFIDENTIAL",
    "CONFIDENTIAL_CATEGORIES",
    "HOUSEHOLD",
    "KEYS",
    "LARGEST_WHOLE",
    "NUMERIC_KEYS",
    "ORDERED_KEYS",
    "PERSON",
    "RARE",
    "REST",
    "SEMANTIC_KEYS",
    "WEIGHT",
    "Amounts",
    "Choice",
    "Columns",
    "ColumnsKind",
    "Compared",
    "Distributions",
    "Flag",
    "Grouping",
    "Groups",
    "Kind",
    "Known",
    "Learned",
    "Masking",
    "Numbers",
    "Pairs",
    "PairsOrFile",
    "Parameter",
    "Persons",
    "Real",
    "Selector",
    "Targets",
    "Weighing",
    "Whole",
    "Word",
    "Words",
    "file_name",
    "joined_shares",
]
