"""Numbers as they are written with signs and groups of digits: 1.234,50 €, 12 %, $1,234."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from discreet.digits import ascii_digits

SPACES = " \u00a0\u202f"
"""A blank, one that does not break the line, and a narrow one."""
GROUPS = f".,'’{SPACES}"
FORM = re.compile(
    rf"(?P<before>[^\d]*?)9(?:(?P<group>[{GROUPS}])999)?(?:(?P<decimal>[.,])(?P<digits>9+))?(?P<after>[^\d]*)"
)
LONGEST_SIGN = 8
CELL = re.compile(
    rf"\s*(?P<minus>-?)(?P<before>[^\d\s.,+-]{{0,4}}[{SPACES}]?)(?P<inner>-?)(?P<core>\d(?:[\d{GROUPS}]*\d)?)(?P<after>[{SPACES}]?[^\d\s,+-]{{0,4}})\s*"
)
SIGNS = frozenset(
    [
        "€",
        "$",
        "£",
        "¥",
        "%",
        "‰",
        "CHF",
        "EUR",
        "USD",
        "GBP",
        "SEK",
        "NOK",
        "DKK",
        "PLN",
        "CZK",
        "HUF",
        "Fr.",
        "kr",
        "zł",
        "Kč",
        "R$",
        "US$",
        "km",
        "kg",
        "g",
        "cm",
        "mm",
        "m",
        "m²",
        "ha",
        "°C",
    ]
)
"""Currencies, percent and units, as they stand beside numbers."""
EXACT = 2.0**53


@dataclass(frozen=True)
class NumberForm:
    """How the numbers of a column are written, shown by nines: "9.999,99 €" has a point between groups of digits."""

    text: str

    def __str__(self) -> str:
        return self.text

    @cached_property
    def _parts(self) -> re.Match[str] | None:
        found = FORM.fullmatch(self.text)
        if found is None or max(len(found["before"]), len(found["after"])) > LONGEST_SIGN:
            return None
        return found if found["group"] is None or found["group"] != found["decimal"] else None

    @property
    def is_sound(self) -> bool:
        """Whether the text describes numbers."""
        return self._parts is not None

    @cached_property
    def _of(self) -> dict[str, str]:
        """The signs before and after the number, between its groups and before its decimals."""
        found = self._parts.groupdict() if self._parts else {}
        return {key: value or "" for key, value in found.items()}

    @property
    def decimal(self) -> str:
        """The sign that begins decimals; empty where there are none."""
        return self._of["decimal"]

    @property
    def decimals(self) -> int:
        return len(self._of["digits"])

    @cached_property
    def pattern(self) -> str:
        """The regular expression that a text written so fits; decimals may be fewer or more."""
        signs = {key: re.escape(value) for key, value in self._of.items()}
        whole = rf"\d{{1,3}}(?:{signs['group']}\d{{3}})+|\d+" if signs["group"] else r"\d+"
        fraction = rf"(?:{signs['decimal']}(?P<fraction>\d+))?" if signs["decimal"] else ""
        return rf"^\s*(?P<minus>-?){signs['before']}(?P<inner>-?)(?P<whole>{whole}){fraction}{signs['after']}\s*$"

    def read(self, texts: pl.Series) -> pl.Series:
        """The numbers that the texts write; missing where one is not written so."""
        parts = ascii_digits(texts).str.extract_groups(self.pattern).struct.unnest()
        whole = parts["whole"].str.replace_all(f"[{GROUPS}]", "")
        minus = pl.select(pl.concat_str(parts["minus"], parts["inner"])).to_series()
        if not self._of["decimal"]:
            found = pl.select(pl.concat_str(minus, whole)).to_series().cast(pl.Int64, strict=False)
            return found.alias(texts.name)
        written = pl.concat_str(minus, whole, pl.lit("."), parts["fraction"].fill_null("0"))
        return pl.select(written).to_series().cast(pl.Float64, strict=False).alias(texts.name)

    def write(self, values: pl.Series) -> pl.Series:
        """The texts that write these numbers, with the decimals of the form."""
        plain = with_decimals(values, self.decimals)
        whole, fraction = _split(plain)
        if self._of["group"]:
            whole = _grouped(whole, self._of["group"])
        minus = plain.str.extract("^(-?)")
        ends = [minus, pl.lit(self._of["before"]), whole]
        if self.decimals:
            ends += [pl.lit(self._of["decimal"]), fraction]
        return pl.select(pl.concat_str([*ends, pl.lit(self._of["after"])])).to_series().alias(values.name)


def number_form(text: str) -> NumberForm | None:
    """The form that a text describes; None where it describes none."""
    form = NumberForm(text)
    return form if form.is_sound else None


def with_so_many(values: pl.Series, decimals: int) -> pl.Series | None:
    """The numbers rounded to so many decimals, each the float nearest to them; None where one has too many digits."""
    numbers = values.cast(pl.Float64).fill_null(float("nan")).to_numpy()
    if bool((np.abs(numbers[~np.isnan(numbers)]) >= EXACT / 10.0**decimals).any()):
        return None
    scaled = np.rint(numbers * 10.0**decimals)
    # polars divides by multiplying with the reciprocal, which is not the nearest float.
    return pl.Series(values.name, scaled / 10.0**decimals).fill_nan(None)


def with_decimals(values: pl.Series, decimals: int) -> pl.Series:
    """The numbers as texts with a point and so many decimals."""
    if values.dtype.is_integer():
        texts = values.cast(pl.String)
        return texts + "." + "0" * decimals if decimals else texts
    scaled = (values * 10.0**decimals).round().cast(pl.Int64, strict=False)
    digits = scaled.abs().cast(pl.String).str.zfill(decimals + 1)
    minus = pl.select(pl.when(scaled < 0).then(pl.lit("-")).otherwise(pl.lit(""))).to_series()
    if not decimals:
        return pl.select(pl.concat_str(minus, digits)).to_series().alias(values.name)
    whole = digits.str.head(-decimals)
    joined = pl.concat_str(minus, whole, pl.lit("."), digits.str.tail(decimals))
    return pl.select(joined).to_series().alias(values.name)


def _split(plain: pl.Series) -> tuple[pl.Series, pl.Series]:
    return plain.str.extract(r"^-?(\d+)"), plain.str.extract(r"\.(\d+)$").fill_null("")


def _grouped(whole: pl.Series, sign: str) -> pl.Series:
    """The digits with a sign between groups of three."""
    backwards = whole.str.reverse().str.replace_all(r"(\d{3})", f"${{1}}{sign}")
    return backwards.str.reverse().str.strip_prefix(sign)


def found_amounts(
    texts: pl.Series, decimal: str, marks: frozenset[str]
) -> tuple[NumberForm, tuple[str, ...]] | None:
    """The form in which the texts write numbers, and the marks of missing values among them; None where they do not.

    Three digits after the only point or comma may be a group or decimals: where the column does not show which, there
    is no form.
    """
    distinct = texts.drop_nulls().unique().sort()
    parts = [CELL.fullmatch(each) for each in distinct]
    strange = tuple(each for each, part in zip(distinct, parts, strict=True) if part is None)
    found = [part for part in parts if part is not None]
    if not found or len(strange) > len(distinct) / 2 or not set(strange) <= marks:
        return None
    signs = {(part["before"], part["after"]) for part in found}
    if len(signs) != 1:
        return None
    before, after = signs.pop()
    if not {before.strip(), after.strip()} - {""} <= SIGNS:
        return None
    cores = [part["core"] for part in found]
    for group, point in (
        (".", ","),
        (",", "."),
        *((each, point) for each in SPACES for point in dict.fromkeys((decimal, ",", "."))),
        ("'", "."),
        ("’", "."),
    ):
        if _are_grouped(cores, group, point):
            return NumberForm(_text(before, group, point, _decimals(cores, point), after)), strange
    for point in dict.fromkeys((decimal, ",", ".")):
        if (
            _are_plain(cores, point)
            and (before or after or point != decimal)
            and _is_sure(cores, point, decimal)
        ):
            return NumberForm(_text(before, "", point, _decimals(cores, point), after)), strange
    return None


def is_either_way(texts: pl.Series) -> bool:
    """Whether all texts are numbers and nobody can tell thousands from decimals: 1,234 and 5,678."""
    distinct = texts.drop_nulls().unique()
    if distinct.is_empty():
        return False
    shown = distinct.str.contains(r"^\s*-?\d{1,3}([.,])\d{3}\s*$")
    plain = distinct.str.contains(r"^\s*-?\d+\s*$")
    signs = distinct.str.extract(r"([.,])").drop_nulls().n_unique()
    return signs == 1 and bool((shown | plain).all())


def _are_plain(cores: list[str], point: str) -> bool:
    return all(re.fullmatch(rf"\d+(?:{re.escape(point)}\d+)?", core) for core in cores)


def _is_sure(cores: list[str], point: str, decimal: str) -> bool:
    """Whether the mark is the decimal one of the file, or stands before other than three digits somewhere."""
    return point == decimal or any(len(core.partition(point)[2]) not in (0, 3) for core in cores)


def _text(before: str, group: str, point: str, decimals: int, after: str) -> str:
    grouped = f"9{group}999" if group else "9"
    return before + grouped + (point + "9" * decimals if decimals else "") + after


def _are_grouped(cores: list[str], group: str, point: str) -> bool:
    """Whether the digits stand in groups of three before this sign, and nothing else can be meant."""
    sign, dot = re.escape(group), re.escape(point)
    fits = re.compile(rf"(?:\d{{1,3}}(?:{sign}\d{{3}})*|\d+)(?:{dot}\d+)?")
    grouped = [core for core in cores if group in core]
    if not grouped or not all(fits.fullmatch(core) for core in cores):
        return False
    if any(core.startswith("0") for core in grouped):
        return False
    shown = any(core.count(group) > 1 or point in core for core in grouped) or group not in ".,"
    without = [core for core in cores if group not in core and point not in core]
    return shown or (
        bool(without)
        and all(len(core) <= 3 for core in without)
        and len(without) + len(grouped) == len(cores)
    )


def _decimals(cores: list[str], point: str) -> int:
    return max((len(core.partition(point)[2]) for core in cores), default=0)
