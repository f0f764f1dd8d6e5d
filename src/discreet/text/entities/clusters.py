"""Clusters of forms: those known from before, those given by hand, and those that the rules joined, with pseudonyms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from discreet.errors import BadParameter
from discreet.text.document import Corpus
from discreet.text.entities.entity import Cluster
from discreet.text.entities.flat_text import fold
from discreet.text.entities.forms import trimmed
from discreet.text.entities.joining import Joined, Key
from discreet.text.entities.kinds import Kind
from discreet.text.entities.pseudonyms import Pseudonyms, Unnamed
from discreet.text.span import Span

Placed = tuple[tuple[tuple[Span, int], ...], ...]
"""For each document its mentions: where they stand and the number of their cluster."""


@lru_cache(maxsize=100_000)
def same_form(form: str) -> str:
    """A form as forms are compared by hand: without accents, case, possessive and surrounding punctuation."""
    return fold(trimmed(form) or form)


def with_aliases(
    clusters: Mapping[int, Cluster],
    aliases: Mapping[str, Iterable[str]],
    corpus: Corpus,
    spans: Sequence[Sequence[Span]],
) -> dict[int, Cluster]:
    """The clusters with those of the names given by hand, each joined to the one that has such a form already."""
    found = dict(clusters)
    if not aliases:
        return found
    kinds: Counter[tuple[str, str]] = Counter(
        (same_form(document.text[each.start : each.end]), each.kind)
        for document, its in zip(corpus, spans, strict=False)
        for each in its
    )
    holder = {same_form(form): number for number, each in clusters.items() for form in each.forms}
    for name, others in aliases.items():
        forms = (name, *others)
        if not all(same_form(form).strip() for form in forms):
            raise BadParameter("aliases: a name is empty.")
        held = [holder[same_form(form)] for form in forms if same_form(form) in holder]
        number = held[0] if held else max(found, default=0) + 1
        seen = Counter(
            {kind: n for (form, kind), n in kinds.items() if form in {same_form(each) for each in forms}}
        )
        kind = seen.most_common(1)[0][0] if seen else str(Kind.PERSON)
        before = found.get(number, Cluster(id=number, kind=kind, pseudonym="", forms=()))
        found[number] = replace(before, forms=tuple(dict.fromkeys((*before.forms, *forms))), by_hand=True)
    return found


def clustered(
    known: Mapping[int, Cluster], joined: Joined, corpus: Corpus
) -> tuple[dict[int, Cluster], Placed]:
    """The clusters with those that are new and the forms of all, and the mentions with their clusters."""
    number_of: dict[Key, int] = {key: number for number, key in joined.keys_of_known.items()}
    forms: dict[int, dict[str, None]] = {number: dict.fromkeys(each.forms) for number, each in known.items()}
    kinds = {number: each.kind for number, each in known.items()}
    following = max(known, default=0) + 1
    placed = []
    for document, mentions in zip(corpus, joined.mentions, strict=True):
        here = []
        for span, key in mentions:
            if key not in number_of:
                number_of[key] = following
                kinds[following], forms[following] = key[0], {}
                following += 1
            number = number_of[key]
            forms[number][" ".join(document.text[span.start : span.end].split())] = None
            here.append((span, number))
        placed.append(tuple(here))
    clusters = {
        number: replace(known[number], forms=tuple(its))
        if number in known
        else Cluster(id=number, kind=kinds[number], pseudonym="", forms=tuple(its))
        for number, its in forms.items()
    }
    return clusters, tuple(placed)


def named(
    clusters: Mapping[int, Cluster],
    placed: Placed,
    joined: Joined,
    scheme: Pseudonyms,
    *,
    taken: Collection[str],
    avoid: Collection[str],
) -> dict[int, Cluster]:
    """The clusters with a pseudonym for each that has none, by first mention.

    Names given by hand that nothing mentions are left out.
    """
    key_of: dict[int, Key] = {}
    for mentions, keys in zip(placed, joined.mentions, strict=True):
        for (_, number), (_, key) in zip(mentions, keys, strict=True):
            if not clusters[number].pseudonym:
                key_of.setdefault(number, key)
    unnamed = [
        Unnamed(clusters[number].kind, _called(clusters[number], key, joined))
        for number, key in key_of.items()
    ]
    found = dict(zip(key_of, scheme.names(unnamed, taken=taken, avoid=avoid), strict=True))
    return {
        number: replace(each, pseudonym=each.pseudonym or found[number])
        for number, each in clusters.items()
        if each.pseudonym or number in found
    }


def _called(cluster: Cluster, key: Key, joined: Joined) -> str:
    """What a cluster is called in the one way of writing of its kind, whatever the order of the documents."""
    if cluster.by_hand:
        return same_form(cluster.forms[0])
    return joined.names.get(key, str(key[1]))
