"""Generalising: sensitive nouns replaced by more general ones, and how many texts could have given the result.

The more base texts a sanitised text could come from, the less it tells (t-plausibility: Anandan, Clifton, Jiang,
Murugesan, Pastrana-Camacho and Si 2012).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from discreet.errors import BadParameter
from discreet.ontology import Ontology, wordnet
from discreet.text.document import Replacement
from discreet.text.english_nouns import article_before, article_for, cased_like, is_plural, plural
from discreet.text.topics.matching import Hit
from discreet.text.topics.stems import stems_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Generalised:
    """What stands in the place of sensitive nouns, and in how many ways the text could have come about.

    `plausible` is how many base texts give this one: the product, over the concepts that were replaced, of the words
    that would have become the same. `left` are hits that have no more general noun, such as adjectives: they still
    stand there.
    """

    replacements: tuple[Replacement, ...] = field(repr=False)
    left: tuple[Hit, ...] = field(repr=False)
    plausible: int

    @property
    def bits(self) -> float:
        """The logarithm of `plausible` to base 2: what an intruder has to guess."""
        return math.log2(self.plausible)

    def __str__(self) -> str:
        return (
            f"{len(self.replacements)} nouns generalised, {len(self.left)} hits left; the text could come from "
            f"2^{self.bits:.1f} texts"
        )

    def to_dict(self) -> dict[str, Any]:
        return {"generalised": len(self.replacements), "left": len(self.left), "bits": self.bits}


def generalise(
    text: str,
    hits: Sequence[Hit],
    *,
    levels: int = 1,
    ontology: Ontology | None = None,
    vocabulary: Collection[str] | None = None,
) -> Generalised:
    """The replacements of the hits in a text by what lies `levels` is-a links above them, and their t-plausibility.

    Of several parents the first by identifier is taken; where the word above holds a word of the old one, the next one
    above is. Number, capitals and the article a or an are kept right. The sense of a noun is, or lies below, the one
    that the policy chose; a keyword without a chosen sense is left. `vocabulary` are the words that a base text may
    consist of (all of the ontology's when it is not given); an intruder is taken to know `levels`. The same noun is the
    same word wherever it stands, and is counted once.

    Raises BadParameter for fewer than one level, and NotInstalled where WordNet is needed and not there.
    """
    if levels < 1:
        raise BadParameter("generalise: levels must be a whole number of at least 1.")
    nouns = wordnet() if ontology is None else ontology
    allowed = None if vocabulary is None else {each.lower() for each in vocabulary}
    replacements, left = [], []
    plausible: dict[int, int] = {}
    for hit in hits:
        concept = _sense(hit, nouns)
        found = None if concept is None else _above(nouns, concept, levels, hit.term.text)
        if concept is None or found is None:
            left.append(hit)
            continue
        above, links, label = found
        replacements.append(_instead(text, hit, label))
        plausible[concept] = _words_below(nouns, above, links, label, allowed)
    return Generalised(
        replacements=tuple(replacements), left=tuple(left), plausible=math.prod(plausible.values())
    )


def climbed(ontology: Ontology, concept: int, levels: int) -> int:
    """The concept that lies so many is-a links above, by the first parents; the root where there are fewer."""
    for _ in range(levels):
        parents = ontology.parents[concept]
        if not len(parents):
            break
        concept = int(parents[0])
    return concept


def _sense(hit: Hit, ontology: Ontology) -> int | None:
    """The concept of a hit: a sense of its term that is, or lies below, the one chosen for its keyword."""
    can_mean = [int(each) for each in ontology.find(hit.term.text)]
    for origin in hit.term.origins:
        sense = ontology.identifiers.find(origin.sense) if origin.sense else -1
        below = [each for each in can_mean if sense >= 0 and sense in ontology.ancestors[each]]
        if below:
            return below[0]
    return None


def _above(ontology: Ontology, concept: int, levels: int, old: str) -> tuple[int, int, str] | None:
    """The first concept from so many links above that has a word for it unlike the old one, the links and the word.

    None where that would be the root, which says nothing at all.
    """
    found, links = climbed(ontology, concept, levels), levels
    while found != ontology.root:
        label = _label(ontology, found, old)
        if label is not None:
            return found, links, label
        found, links = climbed(ontology, found, 1), links + 1
    return None


def _label(ontology: Ontology, concept: int, old: str) -> str | None:
    """A word for the concept that is no abbreviation and shares no stem with the old one."""
    words = [ontology.labels[concept], *ontology.terms.words(concept)]
    written_out = [each for each in words if not each.isupper()]
    return next((each for each in written_out if not _share_a_stem(each, old)), None)


def _share_a_stem(one: str, other: str) -> bool:
    return bool(set(stems_of(one)) & set(stems_of(other)))


def _words_below(ontology: Ontology, above: int, links: int, label: str, allowed: set[str] | None) -> int:
    """How many words so many links below would have become this one too, at least the one that did."""
    layer = {above}
    for _ in range(links):
        layer = {int(child) for each in layer for child in ontology.children[each]}
    words = {
        word.lower()
        for each in layer
        if climbed(ontology, each, links) == above
        for word in ontology.terms.words(each)
        if not _share_a_stem(word, label)
    }
    return max(1, len(words if allowed is None else words & allowed))


def _instead(text: str, hit: Hit, label: str) -> Replacement:
    written = text[hit.start : hit.end]
    many = is_plural(written, hit.term.text)
    new = cased_like(written, plural(label) if many else label)
    start = article_before(text, hit.start)
    if start < hit.start:
        article = cased_like(text[start], article_for(label))
        new = f"{article} {new}"
    return Replacement(start, hit.end, new)
