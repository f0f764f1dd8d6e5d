"""What values look like, whatever their column is called: names of people, and numbers that stand for somebody."""

from __future__ import annotations

import polars as pl

WORD = r"\p{Lu}[\p{L}'’.-]*"
BETWEEN = "de|del|della|di|da|du|la|le|i|y|von|van|der|den|zu|bin|al"
NAME = rf"^{WORD}(,? ({WORD}|{BETWEEN}))*,? {WORD}$"
"""Two words or more that begin with capitals, with a comma perhaps, and small words such as "von" between."""
ID, SEPARATORS = r"^[A-Za-z]{0,4}\d{5,}[A-Za-z]{0,2}$", r"[-. /]"
"""A few letters at most and five digits or more, once what stands between groups of them is taken out."""
DATE = r"^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$"
MOST = 0.9
"""The share of the different values that must look so."""


def like_names(values: pl.Series) -> bool:
    """Whether nearly all values look like the full names of people."""
    return _share(_different(values), NAME) >= MOST


def like_ids(values: pl.Series) -> bool:
    """Whether nearly all values look like the numbers that people are registered by, and not like dates."""
    different = _different(values)
    dates = _share(different, DATE)
    return _share(different.str.replace_all(SEPARATORS, ""), ID) >= MOST and dates < 1 - MOST


def _different(values: pl.Series) -> pl.Series:
    return values.drop_nulls().unique().cast(pl.String).str.strip_chars()


def _share(texts: pl.Series, pattern: str) -> float:
    fitting = texts.str.contains(pattern).mean()
    return float(fitting) if isinstance(fitting, float) else 0.0
