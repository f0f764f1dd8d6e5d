"""How values are written: days, numbers and whole texts, found out from them and written again alike."""

from discreet.dialect.amounts import NumberForm, found_amounts, is_either_way, with_decimals, with_so_many
from discreet.dialect.dates import FIRST_YEAR, DateForm
from discreet.dialect.dialect import (
    USUAL,
    Dialect,
    check_delimiter,
    check_encoding,
    decimals_of,
    has_decimals,
)
from discreet.dialect.finding_dates import FoundDates, found_dates, looks_like_dates
from discreet.dialect.forms import Form, form_of

__all__ = [
    "FIRST_YEAR",
    "USUAL",
    "DateForm",
    "Dialect",
    "Form",
    "FoundDates",
    "NumberForm",
    "check_delimiter",
    "check_encoding",
    "decimals_of",
    "form_of",
    "found_amounts",
    "found_dates",
    "has_decimals",
    "is_either_way",
    "looks_like_dates",
    "with_decimals",
    "with_so_many",
]
