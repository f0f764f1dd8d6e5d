"""Widening: from the keywords of a policy to its terms, by the synonyms and hyponyms of chosen WordNet senses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from discreet.errors import UnknownConcept
from discreet.ontology import Ontology, wordnet
from discreet.ontology.readers.wndb import PartOfSpeech
from discreet.text.policy import Policy
from discreet.text.policy_sections import Topic
from discreet.text.topics.stems import stems_of
from discreet.text.topics.term import Origin, Relation, Term
from discreet.text.words import stop_words

FADING = 0.8
"""What a hyponym counts beside the word one is-a link above it."""
NOUNS_AND_VERBS: tuple[PartOfSpeech, ...] = ("noun", "verb")
GLOSS = 60


def widen(
    policy: Policy,
    *,
    ontology: Ontology | None = None,
    depth: int | None = None,
) -> tuple[Term, ...]:
    """The terms of all topics of a policy, in the order of their texts.

    A keyword gives itself, the other words for its chosen senses, and the words for what lies below these by at most
    `depth` is-a links (that of each topic where it is not given). A term weighs what its topic does, and FADING times
    as much for each link down; of several origins the greatest counts. Words that any text has (stop words), numbers
    and single letters come in as keywords only. WordNet's nouns and verbs are read where a keyword has senses, without
    what is one of a kind: a battle is a military action, and its name tells a date and a place rather than a topic.

    Guarantees: a greater depth gives the same terms and perhaps more.

    Raises UnknownConcept, with the senses there are, for a sense that WordNet does not have or that is none of its
    keyword's, and NotInstalled where WordNet is needed and not on this machine.
    """
    origins: dict[str, set[Origin]] = {}
    weights: dict[str, float] = {}
    read = ontology
    for topic in policy.topics:
        without = {stems_of(each) for each in topic.without}
        for keyword in topic.keywords:
            senses = policy.senses_of(topic, keyword)
            if senses and read is None:
                read = wordnet(parts=NOUNS_AND_VERBS, instances=False)
            found = [(_plain(keyword), Origin(topic=topic.name, keyword=keyword, sense=(*senses, "")[0]))]
            if read is not None:
                found += _below(policy, topic, keyword, senses, read, topic.depth if depth is None else depth)
            for text, origin in found:
                if origin.relation is not Relation.KEYWORD and (
                    stems_of(text) in without or _says_nothing(text)
                ):
                    continue
                origins.setdefault(text, set()).add(origin)
                weights[text] = max(weights.get(text, 0.0), topic.weight * FADING**origin.depth)
    return tuple(
        Term(text=text, origins=tuple(sorted(origins[text], key=_nearness)), weight=weights[text])
        for text in sorted(origins)
    )


def terms_of(keywords: Sequence[str], *, topic: str = "topic") -> tuple[Term, ...]:
    """The keywords of one topic as terms, not widened."""
    texts = dict.fromkeys(_plain(each) for each in keywords)
    return tuple(Term(text=each, origins=(Origin(topic=topic, keyword=each),)) for each in texts)


def reweighed(terms: Sequence[Term], factors: Sequence[float]) -> tuple[Term, ...]:
    """The terms with their weights times the factors."""
    return tuple(
        replace(each, weight=each.weight * factor) for each, factor in zip(terms, factors, strict=True)
    )


def _below(
    policy: Policy, topic: Topic, keyword: str, senses: Sequence[str], ontology: Ontology, depth: int
) -> list[tuple[str, Origin]]:
    """The words for the senses of a keyword and for what lies below them, each with its origin."""
    found = []
    for sense in senses:
        concept = _concept(policy, topic, keyword, sense, ontology)
        for each, links in _descendants(ontology, concept, depth):
            relation = Relation.HYPONYM if links else Relation.SYNONYM
            origin = Origin(topic=topic.name, keyword=keyword, relation=relation, sense=sense, depth=links)
            found += [(_plain(word), origin) for word in ontology.terms.words(each)]
    own = _plain(keyword)
    return [(text, origin) for text, origin in found if text and text != own]


def _descendants(ontology: Ontology, concept: int, depth: int) -> Iterator[tuple[int, int]]:
    """The concept and all below it by at most so many links, each once with the fewest links to it."""
    seen, layer = {concept}, [concept]
    for links in range(depth + 1):
        for each in layer:
            yield each, links
        below = {int(child) for each in layer for child in ontology.children[each]} - seen
        seen |= below
        layer = sorted(below)


def _concept(policy: Policy, topic: Topic, keyword: str, sense: str, ontology: Ontology) -> int:
    """The concept of a sense, which must be one of the keyword's."""
    can_mean = [int(each) for each in ontology.find(keyword)]
    concept = ontology.identifiers.find(sense)
    if concept >= 0 and (concept in can_mean or not can_mean):
        return concept
    own = keyword in topic.senses
    where = policy.where(*(("topics", topic.name, "senses", keyword) if own else ("senses", keyword)))
    known = "; ".join(f"{ontology.identifiers[each]} ({_short(ontology.glosses[each])})" for each in can_mean)
    what = "has no sense" if concept < 0 else f"does not list among the senses of '{keyword}'"
    raise UnknownConcept(
        f"{where}: {ontology.name} {what} '{sense}'."
        + (f" Those of '{keyword}' are {known}." if can_mean else "")
    )


def _short(gloss: str) -> str:
    first = gloss.split(";")[0]
    return first if len(first) <= GLOSS else f"{first[:GLOSS].rstrip()}…"


def _plain(text: str) -> str:
    """The text in lower case with single spaces between its words, and marks before and after it gone."""
    return re.sub(r"[\s_]+", " ", text).strip().lower()


def _says_nothing(text: str) -> bool:
    """Whether a text is a stop word, a letter or a number, or begins like a noun with its article ("a'man")."""
    few = len(text) < 2 or text in stop_words() or not any(each.isalpha() for each in text)
    return few or re.match(r"a\W", text) is not None


def _nearness(origin: Origin) -> tuple[int, int, Origin]:
    return (list(Relation).index(origin.relation), origin.depth, origin)
