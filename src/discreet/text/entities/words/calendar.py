"""Days and months, currencies and numbers in words."""

from __future__ import annotations

from discreet.dialect.months import MONTHS as MONTHS_OF_LANGUAGES
from discreet.text.entities.words import words

ENGLISH = MONTHS_OF_LANGUAGES["en"]
"""The months in English, each with its short form."""

_WHOLE, _SHORT = zip(*ENGLISH, strict=True)
MONTHS = tuple(dict.fromkeys((*_WHOLE, *_SHORT, "Sept")))
"""Months as they are written, also shortened."""

MONTH_NUMBERS = {
    name.lower(): number
    for number, whole in enumerate(_WHOLE, start=1)
    for name in MONTHS
    if name[:3] == whole[:3]
}
"""The number of each month, by its names in small letters."""

DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
"""Days of the week."""

CALENDAR = frozenset(each.lower() for each in (*MONTHS, *DAYS))
"""Days and months in small letters."""

FIRST_NAMES = frozenset(words("jan mar april may june august"))
"""Months that are first names too, in small letters."""

NUMBERS = words(
    """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand
    million billion
    """
)
"""Numbers in words; longer ones join these."""

CURRENCY_CODES = words(
    """
    EUR USD GBP CHF JPY CNY RUB RUR TRL TRY YTL PLN PLZ ATS DEM FRF ITL ESP BEF NLG SEK NOK DKK FIM ISK
    CZK SKK HUF RON ROL BGN HRK RSD UAH MDL GEL AMD AZN KZT ILS EGP ZAR NGN KES INR PKR BRL MXN ARS CLP
    COP CAD AUD NZD SGD HKD KRW THB CYP MTL SIT LVL LTL EEK GRD PTE IEP LUF ALL BAM MKD
    """
)
"""Codes of currencies, also of former ones."""

CURRENCY_NAMES = words(
    """
    euros? dollars? pounds? sterling liras? lire zlotys? złotys? schillings? shillings? marks? francs?
    kronor kronas? kroner krónur crowns? roubles? rubles? yen yuan rupees? pesos? guilders? forints? leu
    lei levs? hryvnias? hryvnyas? dinars? drachmas? pesetas? escudos? rand naira cents? pence quetzals?
    """
)
"""Names of currencies, as patterns."""
