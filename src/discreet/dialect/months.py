"""The names of the months in the languages that data files are written in."""

from __future__ import annotations

import unicodedata

MONTHS: dict[str, tuple[tuple[str, str], ...]] = {
    language: tuple((name.split("/")[0], name.split("/")[1]) for name in text.split())
    for language, text in {
        "en": "January/Jan February/Feb March/Mar April/Apr May/May June/Jun July/Jul August/Aug September/Sep "
        "October/Oct November/Nov December/Dec",
        "de": "Januar/Jan Februar/Feb März/Mär April/Apr Mai/Mai Juni/Jun Juli/Jul August/Aug September/Sep "
        "Oktober/Okt November/Nov Dezember/Dez",
        "fr": "janvier/janv février/févr mars/mars avril/avr mai/mai juin/juin juillet/juil août/août "
        "septembre/sept octobre/oct novembre/nov décembre/déc",
        "es": "enero/ene febrero/feb marzo/mar abril/abr mayo/may junio/jun julio/jul agosto/ago septiembre/sep "
        "octubre/oct noviembre/nov diciembre/dic",
        "it": "gennaio/gen febbraio/feb marzo/mar aprile/apr maggio/mag giugno/giu luglio/lug agosto/ago "
        "settembre/set ottobre/ott novembre/nov dicembre/dic",
        "ca": "gener/gen febrer/febr març/març abril/abr maig/maig juny/juny juliol/jul agost/ag setembre/set "
        "octubre/oct novembre/nov desembre/des",
        "pt": "janeiro/jan fevereiro/fev março/mar abril/abr maio/mai junho/jun julho/jul agosto/ago setembro/set "
        "outubro/out novembro/nov dezembro/dez",
        "nl": "januari/jan februari/feb maart/mrt april/apr mei/mei juni/jun juli/jul augustus/aug september/sep "
        "oktober/okt november/nov december/dec",
    }.items()
}
"""By the code of the language, the months from January on: the whole name, and its usual short form."""

OTHERS = {
    "en": {"sept": 9},
    "de": {"jaenner": 1, "janner": 1, "jan": 1, "feber": 2, "mrz": 3, "maerz": 3, "sept": 9},
    "fr": {"jan": 1, "fev": 2, "fevr": 2, "mar": 3, "avril": 4, "jui": 7, "jul": 7, "aou": 8, "sep": 9},
    "es": {"setiembre": 9, "sept": 9, "set": 9},
    "it": {"sett": 9},
    "ca": {"feb": 2, "mar": 3, "jun": 6, "ago": 8, "sep": 9, "nov": 11},
    "pt": {},
    "nl": {"maa": 3, "sept": 9},
}
"""Further short forms, folded."""


def folded(word: str) -> str:
    """The word in small letters without accents and points."""
    plain = unicodedata.normalize("NFKD", word.lower())
    return "".join(each for each in plain if each.isalpha() and not unicodedata.combining(each))


def _numbers(language: str) -> dict[str, int]:
    found = dict(OTHERS[language])
    for number, names in enumerate(MONTHS[language], start=1):
        found |= {folded(name): number for name in names}
    return found


MONTH_NUMBERS: dict[str, dict[str, int]] = {language: _numbers(language) for language in MONTHS}
"""By the code of the language, every name of a month, folded, and its number."""


def languages_of(words: set[str]) -> list[str]:
    """The languages in which all these words name months."""
    wanted = {folded(word) for word in words}
    return [language for language, numbers in MONTH_NUMBERS.items() if wanted <= set(numbers)]


def is_month(word: str) -> bool:
    """Whether a word names a month in any of the languages."""
    return any(folded(word) in numbers for numbers in MONTH_NUMBERS.values())
