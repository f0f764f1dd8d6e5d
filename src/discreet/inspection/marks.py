"""Words that stand for missing values and spoil columns of numbers."""

from __future__ import annotations

import polars as pl

from discreet.reading.infer import infer, is_number


def _each_way(text: str) -> set[str]:
    """These words as they stand, in small letters, in capitals, and with a capital at the beginning."""
    words = [each.strip() for each in text.split(";")]
    return {way for each in words for way in (each, each.lower(), each.upper(), each[0].upper() + each[1:])}


KNOWN_MARKS = frozenset(
    {
        "NA",
        "N/A",
        "n/a",
        "na",
        "#N/A",
        "NaN",
        "nan",
        "NAN",
        "NULL",
        "null",
        "Null",
        "(null)",
        "None",
        "none",
        "NONE",
    }
    | {
        ".",
        "..",
        "...",
        "?",
        "-",
        "--",
        "*",
        "x",
        ":",
        "\\N",
        "missing",
        "Missing",
        "MISSING",
        "unknown",
        "Unknown",
    }
    | {
        "unbekannt",
        "inconnu",
        "desconocido",
        "desconegut",
        "sconosciuto",
        "UNKNOWN",
        "keine Angabe",
        "-9",
        "-99",
        "-999",
    }
    | _each_way(
        "not known; not stated; not available; not applicable; no answer; refused; don't know; prefer not to say; "
        "nicht bekannt; ohne Angabe; o. A.; o.A.; weiß nicht; weiss nicht; verweigert; entfällt; inconnue; NSP; NR; "
        "ne sait pas; non renseigné; non précisé; sans réponse; refus; desconocida; no consta; no sabe; no contesta; "
        "NS; sin datos; sin respuesta; desconeguda; no ho sap; no contesta; sense dades; sconosciuta; non noto; "
        "non indicato; non dichiarato; non disponibile; non risponde; non sa"
    )
    | {"s/d", "S/D", "n.d.", "N.D.", "nd", "ND", "k.A.", "k. A.", "N/D", "n/d", "ns/nc", "NS/NC", "NC"}
)

ENOUGH = 10
"""So many numbers make a column of numbers, however many marks of missing ones stand beside them."""
AMONG_WORDS = KNOWN_MARKS - {
    "none",
    "None",
    "NONE",
    "x",
    "*",
    ":",
    "nd",
    "ND",
    "NC",
    "na",
    "nan",
    "null",
    "NR",
    "nr",
    "Nr",
    "NS",
    "ns",
    "Ns",
}
"""Marks that are hardly ever a word of a column of words."""
_LABELS = (
    "na; dk; dk/na; nr; ns; nc; inap; inapplicable; does not apply; not asked; not ascertained; no response; "
    "not answered; system missing; missing value; refusal; trifft nicht zu; nicht zutreffend; nicht erhoben; fehlend; "
    "fehlender wert; sans objet; non concerné; manquant; no aplica; no procede; perdido; no s'aplica; "
    "non applicabile; mancante"
)
MISSING_LABELS = frozenset(each.casefold() for each in AMONG_WORDS) | set(_LABELS.split("; "))
"""Labels of codes, folded, that say that the value is missing."""


def spoiling_marks(texts: pl.Series, decimal: str) -> tuple[str, ...]:
    """The known marks that alone keep a column of texts from being numbers; none where something else does too."""
    present = texts.drop_nulls()
    strange = present.filter(~is_number(present, decimal))
    numbers = present.len() - strange.len()
    if strange.is_empty() or (strange.len() > numbers and numbers < ENOUGH):
        return ()
    distinct = strange.unique().to_list()
    if not set(distinct) <= KNOWN_MARKS:
        return ()
    cleared = texts.set(texts.is_in(distinct), None)
    return tuple(sorted(distinct)) if infer(cleared, decimal).dtype != pl.String else ()


def marks_among_words(texts: pl.Series) -> tuple[str, ...]:
    """The marks of missing values in a column of words: fewer than half of the records, beside two words at least."""
    counted = texts.drop_nulls().value_counts(name="often")
    known = counted.filter(counted[texts.name].is_in(list(AMONG_WORDS)))
    others = counted.filter(~counted[texts.name].is_in(list(AMONG_WORDS)))[texts.name]
    if known.is_empty() or len(others) < 2 or known["often"].sum() > counted["often"].sum() / 2:
        return ()
    marks = set(known[texts.name])
    if bool(others.str.contains(r"^[A-Z]{2}$").all()):
        # Among codes of countries NA is Namibia.
        marks -= {"NA"}
    return tuple(sorted(marks))


def no_days(texts: pl.Series) -> frozenset[str]:
    """The texts that are written as days and are none, all zeros or all nines."""
    return frozenset(
        texts.filter(texts.str.contains(r"^[09]{1,4}([-./])[09]{1,4}[-./][09]{1,4}$").fill_null(value=False))
    )
