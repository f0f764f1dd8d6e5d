"""Digits of every script as those of ASCII, so that ٣٤, ３４ and 34 are one number."""

from __future__ import annotations

import sys
import unicodedata
from functools import cache

import polars as pl

FOREIGN = r"[\d--[0-9]]"
"""A digit of another script, in the patterns of polars."""


@cache
def _ascii() -> dict[str, str]:
    """Every decimal digit beyond ASCII, with the one of ASCII that has its value."""
    beyond = map(chr, range(128, sys.maxunicode + 1))
    return {letter: str(unicodedata.decimal(letter)) for letter in beyond if letter.isdecimal()}


def ascii_digits(texts: pl.Series) -> pl.Series:
    """The texts with every decimal digit as the one of ASCII that has its value.

    >>> ascii_digits(pl.Series(["٣٤", "３４ years", "none"])).to_list()
    ['34', '34 years', 'none']
    """
    if not texts.str.contains(FOREIGN).any():
        return texts
    return texts.str.replace_many(list(_ascii()), list(_ascii().values()))
