"""A few weapons and animals with senses as WordNet names them, and terms over them."""

from __future__ import annotations

from discreet.ontology import Ontology
from discreet.ontology.builder import Builder
from discreet.text.policy import Policy
from discreet.text.policy_sections import Topic
from discreet.text.topics import Term, terms_of


def small_wordnet() -> Ontology:
    """Things, weapons three links deep, and the flock that a second sense of a word is."""
    builder = Builder(name="a few nouns")
    concepts = {
        "thing.n.01": (("thing",), ()),
        "instrument.n.01": (("instrument", "tool"), ("thing.n.01",)),
        "weapon.n.01": (("weapon", "arm"), ("instrument.n.01",)),
        "weapon.n.02": (("weapon",), ("thing.n.01",)),
        "gun.n.01": (("gun", "firearm"), ("weapon.n.01",)),
        "missile.n.01": (("missile",), ("weapon.n.01",)),
        "pistol.n.01": (("pistol", "hand gun"), ("gun.n.01",)),
        "rifle.n.01": (("rifle",), ("gun.n.01",)),
        "derringer.n.01": (("derringer",), ("pistol.n.01",)),
        "nuclear_weapon.n.01": (("nuclear weapon", "atomic weapon"), ("weapon.n.01",)),
        "flock.n.01": (("flock",), ("thing.n.01",)),
    }
    for name, (words, above) in concepts.items():
        entry = builder.entry(name)
        entry.label, entry.gloss = words[0], f"what is a {words[0]}"
        entry.words = {word: int(name[-2:]) for word in words}
        builder.links.extend((name, each) for each in above)
    return builder.finished()


NOUNS = small_wordnet()


def policy(*topics: Topic, **senses: tuple[str, ...]) -> Policy:
    """A policy of these topics, with senses of keywords."""
    return Policy(name="small", topics=topics, senses=senses)


WEAPONS = policy(Topic(name="arms", keywords=("weapon", "covert"), depth=2), weapon=("weapon.n.01",))


def terms(*texts: str) -> tuple[Term, ...]:
    """Keywords of one topic."""
    return terms_of(texts, topic="arms")
