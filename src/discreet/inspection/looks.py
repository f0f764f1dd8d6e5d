"""What values look like, whatever their column is called: names of people, and numbers that stand for somebody."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import polars as pl

from discreet.identity_numbers import NUMBERS, is_card, is_iban, is_number_of, is_phone, not_checked
from discreet.inspection.first_names import first_name_in

WORD = r"\p{Lu}[\p{L}'’.-]*"
BETWEEN = "de|del|della|di|da|du|la|le|i|y|von|van|der|den|zu|bin|al"
NAME = rf"^{WORD}(,? ({WORD}|{BETWEEN}))*,? {WORD}$"
"""Two words or more that begin with capitals, with a comma perhaps, and small words such as "von" between."""
WORDS = r"^\p{L}[\p{L}'’.-]+(,? \p{L}[\p{L}'’.-]*){0,5}$"
FEWEST_NAMES, KNOWN, ALONE_KNOWN = 3, 0.3, 0.6
"""So many different names at least, and which share of them must be known: of full names, and of first names alone."""
ID, SEPARATORS = r"^[A-Za-z]{0,4}\d{5,}[A-Za-z]{0,2}$", r"[-. /]"
"""A few letters at most and five digits or more, once what stands between groups of them is taken out."""
DATE = r"^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$"
CONTACTS = {
    "e-mail addresses": r"^[\w.+'%-]+@[\w-]+(\.[\w-]+)+$",
    "addresses of pages": r"^(https?://|www\.)\S+$",
    "network addresses": r"^(\d{1,3}\.){3}\d{1,3}$|^([0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}$"
    r"|^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$",
    "random identifiers": r"^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$|^[0-9a-f]{24,64}$",
}
PHONE = r"^(\+|00|\(?0)[\d ()/.-]{6,}\d$|^\(?\d{3}\)?[ .-]\d{3}[ .-]\d{3,4}$|^\d{3}( \d{2}){3}$|^\d{2}( \d{2}){4}$"
ADDRESS = (
    r"^\p{Lu}[\p{L}.'’ ·/-]{2,}[ ,]+(n[.ºo°]+ ?)?\d{1,4} ?[a-zA-Z]?([ ,/-].*)?$"
    r"|^\d{1,4}[a-zA-Z]?,? \p{L}[\p{L}.'’ -]{3,}$"
)
SAMPLE = 200
FEWEST, FEWEST_DIGITS = 5, 7
SOME = 0.2
LONG_NUMBER, LONGEST_NUMBER = 5, 7
CLOSE, OFFSET = 20, 10
MOST = 0.9
"""The share of the different values that must look so."""


def like_names(values: pl.Series) -> bool:
    """Whether nearly all values look like the full names of people."""
    return _share(_different(values), NAME) >= MOST


def known_names(values: pl.Series) -> bool:
    """Whether nearly all values are one to six words, and so many hold a frequent first name that they name people."""
    different = _different(values).sort()
    if len(different) < FEWEST_NAMES or _share(different, WORDS) < MOST:
        return False
    sample = different.gather_every(max(1, len(different) // SAMPLE))
    known = sum(map(first_name_in, sample)) / len(sample)
    return known >= (KNOWN if _share(different, NAME) >= MOST else ALONE_KNOWN)


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


def like_contacts(values: pl.Series) -> str:
    """What nearly all values look like by which somebody is reached or traced; empty where they do not."""
    different = _different(values)
    return next((what for what, pattern in CONTACTS.items() if _share(different, pattern) >= MOST), "")


def like_phones(values: pl.Series) -> bool:
    """Whether nearly all values look like telephone numbers as they are written, or are of a country's plan."""
    different = _different(values).head(SAMPLE)
    digits = different.str.count_matches(r"\d").is_between(7, 15).mean()
    if not isinstance(digits, float) or digits < MOST or _share(different, DATE) >= 1 - MOST:
        return False
    return _share(different, PHONE) >= MOST or _all_phones(different)


def _all_phones(different: pl.Series) -> bool:
    if "numbers of telephones" in not_checked():
        return False
    return sum(map(is_phone, different)) >= MOST * len(different)


def like_addresses(values: pl.Series) -> bool:
    """Whether nearly all values look like a street with a number, in streets of different names."""
    different = _different(values)
    streets = different.str.replace_all(r"\d+ ?[a-zA-Z]?\b", "").n_unique()
    return _share(different, ADDRESS) >= MOST and streets > SOME * len(different)


def checked_number(values: pl.Series) -> str:
    """The sort of numbers that nearly all values are by their check digits; empty where they are of none."""
    different = _different(values).sort().head(SAMPLE).to_list()
    if len(different) < FEWEST or sum(_may_be_number(each) for each in different[:FEWEST]) < FEWEST:
        return ""
    for sort, check in _checks().items():
        if all(map(check, different[:FEWEST])) and sum(map(check, different)) >= MOST * len(different):
            return sort
    return ""


def _may_be_number(text: str) -> bool:
    """Whether a text has enough letters and digits for a number with check digits: the Italian one has seven digits."""
    return sum(map(str.isdigit, text)) >= FEWEST_DIGITS and sum(map(str.isalnum, text)) > FEWEST_DIGITS


def _checks() -> dict[str, Callable[[str], bool]]:
    """Every check of digits that can be made here, by the sort of numbers it knows."""
    checks: dict[str, Callable[[str], bool]] = {"bank accounts (IBAN)": is_iban}
    if not any("identity" in each for each in not_checked()):
        for name in NUMBERS:
            country, _, sort = name.replace("_", "").partition(".")
            checks[f"numbers of people ({sort}, {country})"] = partial(is_number_of, name)
    return {**checks, "payment cards": is_card}


def numbered_closely(values: pl.Series) -> bool:
    """Whether whole numbers are long, all of one length, and lie close together, as given out one after the other.

    Numbers of seven digits and more need not lie close.
    """
    present = values.drop_nulls().unique()
    low, high = int(present.min()), int(present.max())  # type: ignore[arg-type]
    if low <= 0 or len(str(low)) != len(str(high)) or len(str(low)) < LONG_NUMBER:
        return False
    span = high - low + 1
    return len(str(low)) >= LONGEST_NUMBER or (span <= CLOSE * len(present) and low >= OFFSET * span)
