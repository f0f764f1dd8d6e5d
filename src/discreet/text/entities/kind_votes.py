"""One kind for one name: a name that recognisers took for a person here and for a place there is one of the two."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from discreet.text.entities.forms import Found
from discreet.text.entities.kinds import Kind
from discreet.text.entities.names import person_name

CONFUSED = frozenset((Kind.PERSON, Kind.ORGANISATION, Kind.PLACE))
"""Kinds that recognisers take for each other."""

ENOUGH_FOR_A_PERSON = 0.15
"""Titles, full names and findings as a person, against findings as something else, that make a name a person's."""

TOO_FEW_FOR_A_PERSON = 0.02
"""Below this share, the findings as a person are slips."""


def agreed_kinds(found: Mapping[Found, int]) -> dict[tuple[str, ...], str]:
    """For names that were found as several kinds and are plainly one: that kind, by the words of the name.

    A title before it, or a full name that ends in it, speaks for a person.
    """
    votes: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    backed: Counter[tuple[str, ...]] = Counter()
    for each, count in found.items():
        name = person_name(each.text) if each.kind in CONFUSED else None
        if name is None or not name.words:
            continue
        votes[name.words][each.kind] += count
        if each.titled or name.titles:
            backed[name.words] += count
        if name.full and each.kind == Kind.PERSON:
            backed[name.words[-1:]] += count
    return {words: kind for words, its in votes.items() if (kind := _agreed(its, backed[words]))}


def _agreed(votes: Counter[str], backed: int) -> str:
    """The one kind that the votes speak for; nothing where they do not."""
    if len(votes) == 1 and not (backed and Kind.PERSON not in votes):
        return ""
    persons = votes[Kind.PERSON] + backed
    others = votes.total() - votes[Kind.PERSON]
    if backed and persons >= ENOUGH_FOR_A_PERSON * others:
        return str(Kind.PERSON)
    if persons < TOO_FEW_FOR_A_PERSON * others:
        return max((kind for kind in votes if kind != Kind.PERSON), key=lambda kind: (votes[kind], kind))
    return ""
