"""Which of the known facts can still be read in each sanitised document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.errors import NotInstalled
from discreet.progress import SILENT, Progress
from discreet.text.attacks.known_facts import Facts, normalised
from discreet.text.document import Corpus


def visible_facts(
    sanitised: Corpus, known: Sequence[Facts], *, progress: Progress = SILENT
) -> tuple[Facts, ...]:
    """For each sanitised document those facts, of all documents together, that stand in it as whole words."""
    facts = sorted(frozenset().union(*known))
    if not facts:
        return tuple(frozenset() for _ in sanitised)
    automaton = _automaton(facts)
    found: list[Facts] = []
    for place, document in enumerate(sanitised):
        progress(place, len(sanitised), "looking for what is left")
        text = normalised(document.text)
        matches = automaton.find_matches_as_indexes(text, overlapping=True)
        found.append(frozenset(facts[which] for which, start, end in matches if _is_whole(text, start, end)))
    return tuple(found)


def _automaton(facts: Sequence[str]) -> Any:
    try:
        import ahocorasick_rs
    except ImportError:
        raise NotInstalled(
            "looking for known facts needs the library ahocorasick-rs: pip install 'discreet[text]'."
        ) from None
    return ahocorasick_rs.AhoCorasick(facts, matchkind=ahocorasick_rs.MatchKind.Standard)


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether neither a letter nor a digit stands right before or after."""
    before = start == 0 or not (text[start - 1].isalnum() and text[start].isalnum())
    after = end == len(text) or not (text[end].isalnum() and text[end - 1].isalnum())
    return before and after
