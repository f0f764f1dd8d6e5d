"""Columns that say who somebody is: names, numbers of people and of their cases, and ways to reach them."""

from __future__ import annotations

import polars as pl

from discreet.inspection import names
from discreet.inspection.look import FEW, MANY, OWN, Look
from discreet.inspection.looks import (
    checked_number,
    known_names,
    like_addresses,
    like_contacts,
    like_ids,
    like_names,
    like_phones,
    numbered_closely,
)
from discreet.inspection.names import (
    numbers_cases,
    numbers_people,
    numbers_something,
    stands_alone,
    whole_word,
    words_of,
)
from discreet.table import Column, Role

MOST_RECORDS = 100
"""More records than this, on average, are of a place or a group and hardly of one person."""
REPEAT = (
    "and values repeat: several records are of one person, who is counted once and whose number is left out"
)
SURE = 2
"""How certain a column is whose name says that it numbers people."""
YEARS = (1800, 2200)
WIDEST_STEP = 20
FEWEST_PEOPLE = 30
"""Fewer numbers that rise and repeat may as well be a scale by which the file is sorted."""


def role_of_person(look: Look) -> tuple[Role, str] | None:
    """The number of a person, and names, addresses and numbers of people, whatever the column is called."""
    if look.is_text and not (look.is_known or look.is_free_text) and known_names(look.values):
        return Role.IDENTIFIER, "its values are names of people, by the first names among them"
    if look.distinct <= FEW or not (look.is_whole or look.is_text) or look.is_free_text:
        return None
    reached = _reached(look)
    if reached is not None:
        return reached
    word = numbers_people(look.words)
    if word and not (look.is_counted and look.is_number):
        return _numbered(look, f"the name ('{word}') says it numbers people")
    word = numbers_cases(look.words)
    if word and look.has_many:
        return _numbered(look, f"the name ('{word}') says it numbers cases, each of which is of one person")
    word = stands_alone(look.words)
    if word and look.has_many and not look.is_known:
        return _numbered(
            look, f"the name ('{word}') says of whom or of which case a record is, and values are many"
        )
    # What a column holds is looked at where its name speaks of people, or where it says nothing and values are many.
    somebody = whole_word(names.PERSON, look.words) != ""
    if look.is_text and (somebody or (look.has_many and not look.is_known)) and like_ids(look.values):
        return _numbered(look, "its values look like numbers of people")
    if look.is_whole and look.has_many and not look.is_known and numbered_closely(look.values):
        return _numbered(look, "its long numbers lie close together, as those of people and cases do")
    return None


def _reached(look: Look) -> tuple[Role, str] | None:
    """What names or reaches one person by its values alone."""
    sort = checked_number(look.values)
    if sort:
        return _numbered(look, f"its check digits are those of {sort}")
    if not look.is_text:
        return None
    contact = like_contacts(look.values)
    if contact:
        return Role.IDENTIFIER, f"its values look like {contact}"
    somebody = whole_word(names.PERSON, look.words) != ""
    if not somebody and not (look.has_many and not look.is_known):
        return (
            (Role.IDENTIFIER, "its values look like addresses of people")
            if look.has_many and like_addresses(look.values)
            else None
        )
    for like, what in (
        (like_names, "names"),
        (like_phones, "telephone numbers"),
        (like_addresses, "addresses"),
    ):
        if like(look.values):
            return Role.IDENTIFIER, f"its values look like {what} of people"
    return None


def _numbered(look: Look, why: str) -> tuple[Role, str]:
    """An identifier where each number stands once, else the number of a person with several records."""
    if look.distinct == look.present:
        return Role.IDENTIFIER, f"{why}, each once"
    return Role.PERSON, f"{why}, {REPEAT}"


def certainty(column: Column) -> int:
    """How surely the name of a column says that it numbers people: by the person, by the case, or not at all."""
    words = words_of(column.name)
    return SURE if numbers_people(words) else 1 if numbers_cases(words) else 0


def role_of_identity(look: Look) -> tuple[Role, str] | None:
    """What names, numbers or reaches one person by its column's name, and texts of which each record has its own."""
    word = look.named(names.IDENTIFIER)
    if word and not (look.is_counted and look.is_number):
        if whole_word(names.NUMBERING, look.words) and _repeats(look):
            return _numbered(look, f"the name ('{word}') says it numbers somebody or something")
        return Role.IDENTIFIER, f"the name ('{word}') says it tells {names.IDENTIFIER.says}"
    if numbers_something(look.words) and (look.is_whole or look.is_text):
        why = f"the name ends as the names and numbers of people and firms do ('{look.words[-1]}')"
        return (
            _numbered(look, why)
            if _repeats(look) and look.words[-1].endswith("id")
            else (Role.IDENTIFIER, why)
        )
    if look.is_free_text:
        return (
            Role.CONFIDENTIAL,
            "long free text can name people: a release leaves it out unless told otherwise",
        )
    if look.present > FEW and look.is_text and look.share >= OWN:
        return Role.IDENTIFIER, "nearly every record has a text of its own"
    last = look.words[-1] if look.words else ""
    if (
        last in names.LAST_NUMBERING.words
        and look.has_many
        and not look.is_known
        and (look.is_whole or look.is_text)
    ):
        return _numbered(look, f"the name ends as those of numbers do ('{last}')")
    return None


def _repeats(look: Look) -> bool:
    """Whether a number stands for somebody with several records rather than for a place or a group."""
    grouped = whole_word(names.GROUP, look.words)
    return (
        FEW < look.distinct < OWN * look.present
        and look.present <= MOST_RECORDS * look.distinct
        and not grouped
        and (look.is_whole or look.is_text)
    )


def role_of_row(look: Look) -> tuple[Role, str] | None:
    """Rising whole numbers, whatever the column is called: without a gap, or where nothing says they are amounts."""
    if look.present <= FEW or not look.is_whole:
        return None
    present = look.values.drop_nulls()
    low, high = int(present.min()), int(present.max())  # type: ignore[arg-type]
    if YEARS[0] <= low and high <= YEARS[1]:
        return None
    dense = high - low + 1 == look.distinct
    rising = present.is_sorted()
    if look.distinct == look.present and (dense or (rising and not look.is_known)):
        return Role.IDENTIFIER, "rising whole numbers, each once: they may number the records"
    if (
        rising
        and look.distinct >= FEWEST_PEOPLE
        and look.share >= MANY
        and not look.is_known
        and (dense or _is_even(present))
    ):
        return Role.PERSON, f"rising whole numbers {'without a gap' if dense else 'in even steps'}, {REPEAT}"
    return None


def _is_even(rising: pl.Series) -> bool:
    """Whether no step between rising numbers is far beyond the usual one, as it is between sorted amounts."""
    steps = rising.unique(maintain_order=True).diff().drop_nulls()
    usual, widest = steps.median(), steps.max()
    return isinstance(usual, float) and isinstance(widest, int) and widest <= WIDEST_STEP * usual
