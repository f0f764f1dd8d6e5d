"""Orders that everybody knows: words from low to high, and bands of numbers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

FEWEST, MOST = 2, 40
"""How many levels a column may have to be looked at."""

VOCABULARIES: tuple[str, ...] = (
    "very low | low | medium, middle, mid, moderate, average | high | very high",
    "muy bajo, muy baja | bajo, baja | medio, media, medium | alto, alta | muy alto, muy alta",
    "molt baix, molt baixa | baix, baixa | mitja, mitjana | alt, alta | molt alt, molt alta",
    "tres faible | faible, bas, basse | moyen, moyenne | eleve, elevee, haut, haute, fort, forte | tres eleve",
    "sehr niedrig | niedrig | mittel | hoch | sehr hoch",
    "zeer laag | laag | gemiddeld, midden | hoog | zeer hoog",
    "molto basso | basso | medio | alto | molto alto",
    "muito baixo | baixo | medio | alto | muito alto",
    "very bad, very poor | bad, poor | fair, average, neither good nor bad | good | very good | excellent",
    "muy malo, muy mala | malo, mala | regular | bueno, buena | muy bueno, muy buena | excelente",
    "tres mauvais, tres mauvaise | mauvais, mauvaise | moyen, passable | bon, bonne | tres bon, tres bonne | excellent",
    "sehr schlecht | schlecht | mittelmaessig, mittel | gut | sehr gut | ausgezeichnet",
    "never | hardly ever, rarely, seldom | sometimes, occasionally | often, frequently | usually, almost always "
    "| always",
    "nunca | casi nunca, raramente | a veces | a menudo, frecuentemente | casi siempre | siempre",
    "jamais | rarement | parfois, quelquefois | souvent | presque toujours | toujours",
    "nie | selten | manchmal | oft, haeufig | meistens | immer",
    "strongly disagree | disagree, somewhat disagree | neutral, neither agree nor disagree, undecided, neither "
    "| agree, somewhat agree | strongly agree",
    "totalmente en desacuerdo, muy en desacuerdo | en desacuerdo | ni de acuerdo ni en desacuerdo, neutral "
    "| de acuerdo | totalmente de acuerdo, muy de acuerdo",
    "pas du tout d accord | pas d accord | ni d accord ni pas d accord, neutre | d accord | tout a fait d accord",
    "very dissatisfied | dissatisfied | neutral, neither satisfied nor dissatisfied | satisfied | very satisfied",
    "not at all | a little, slightly | somewhat, moderately | quite a bit, very | extremely",
    "none, no, absent | minimal, minor, slight | mild | moderate | severe, serious | critical, very severe",
    "tiny, very small | small | medium | large, big | very large, huge",
    "beginner, novice | elementary | intermediate | advanced | expert, proficient",
    "none, no schooling, no education, illiterate | preschool | some primary, incomplete primary | primary, "
    "primary school, elementary, elementary school | lower secondary, middle school | secondary, high school, "
    "upper secondary, secondary school, high school diploma | vocational, vocational training "
    "| some college, post secondary, college "
    "| associate, associate degree | tertiary, higher, university, degree | bachelor, bachelors, bachelor s degree, "
    "bachelors degree, undergraduate | master, masters, master s degree, masters degree, postgraduate "
    "| professional | doctorate, phd, doctoral, doctor",
    "preschool | 1st 4th | 5th 6th | 7th 8th | 9th | 10th | 11th | 12th | hs grad | some college | assoc voc "
    "| assoc acdm | bachelors | masters | prof school | doctorate",
    "sin estudios, ninguno, ninguna | primaria, primarios, estudios primarios, educacion primaria | secundaria, eso, "
    "secundarios, estudios secundarios | bachillerato, bachiller | formacion profesional, fp "
    "| universitaria, universitarios, universidad, superior, superiores, grado, licenciatura | master, posgrado "
    "| doctorado",
    "sans diplome, aucun | primaire | college, brevet | lycee, baccalaureat, bac | licence | master, maitrise "
    "| doctorat",
    "ohne abschluss, keiner | grundschule | hauptschule | realschule, mittlere reife | abitur, gymnasium "
    "| bachelor | master, diplom | promotion, doktor",
)  # fmt: skip
LOW_WORDS = re.compile(r"^(?:<=?|under|below|less than|up to|menos de|hasta|moins de|bis|unter|tot)\s*(\d+)")
HIGH_WORDS = re.compile(
    r"^(?:>=?|over|above|more than|mas de|plus de|ueber|uber|ab)\s*(\d+)|^(\d+)\s*(?:\+|and over|or more|y mas|et plus)"
)
BAND = re.compile(
    r"^[\[(]?\s*(\d+)\s*(?:-|–|to|a|bis|,|;)\s*<?\s*(\d+)\s*[\])]?(?:\s*(?:years|anos|ans|jahre))?$"
)


def known_order(values: Iterable[str]) -> tuple[str, ...]:
    """The values from low to high where they are words of one known order, or bands; empty where they are not.

    >>> known_order(["high", "Low", "medium"])
    ('Low', 'medium', 'high')
    >>> known_order(["30-39", "<20", "40+", "20-29"])
    ('<20', '20-29', '30-39', '40+')
    """
    distinct = list(values)
    if not FEWEST <= len(distinct) <= MOST:
        return ()
    for vocabulary in VOCABULARIES:
        ordered = _placed(distinct, {value: _level(value, vocabulary) for value in distinct})
        if ordered:
            return ordered
    return _placed(distinct, {value: _band(value) for value in distinct}) if len(distinct) > FEWEST else ()


def _placed(values: list[str], places: dict[str, float | None]) -> tuple[str, ...]:
    """The values by their places; empty where one has none or two share one."""
    found = [place for place in places.values() if place is not None]
    if len(found) != len(values) or len(set(found)) != len(found):
        return ()
    return tuple(sorted(values, key=lambda value: places[value] or 0.0))


def _level(value: str, vocabulary: str) -> float | None:
    plain = _plain(value)
    for place, synonyms in enumerate(vocabulary.split("|"), start=1):
        if plain in [each.strip() for each in synonyms.split(",")]:
            return float(place)
    return None


def _band(value: str) -> float | None:
    """Where a band begins: half a step below its number where it is open below."""
    plain = _plain(value, keep="<>=+[](),;-–")
    low, high, band = LOW_WORDS.match(plain), HIGH_WORDS.match(plain), BAND.match(plain)
    if low:
        return float(low.group(1)) - 0.75
    if high:
        return float(high.group(1) or high.group(2)) - (0.25 if band is None else 0.5)
    return float(band.group(1)) - 0.5 if band else None


def _plain(value: str, keep: str = "") -> str:
    """The value in small letters without accents, with single blanks between its words."""
    german = value.lower().replace("ä", "ae").replace("ö", "oe").replace("ü", "ue").replace("ß", "ss")
    letters = unicodedata.normalize("NFKD", german)
    kept = "".join(
        each if each.isalnum() or each in keep else " " for each in letters if not unicodedata.combining(each)
    )
    return " ".join(kept.split())
