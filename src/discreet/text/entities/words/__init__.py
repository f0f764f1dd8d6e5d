"""Words that recognisers know: ordinary English, countries, peoples, titles, institutions, months, currencies."""

from __future__ import annotations


def words(text: str) -> tuple[str, ...]:
    """The words of a list that is written as one text."""
    return tuple(text.split())
