"""Attacks: what an intruder gets right about a release."""

from discreet.attack.intervals import interval_disclosure
from discreet.attack.learned import WorstCase, learned, learned_from_pairs
from discreet.attack.link import Links, link
from discreet.attack.semantic import SemanticLinks, link_matching, link_semantic
from discreet.attack.uniqueness import Classes, k_anonymity

__all__ = [
    "Classes",
    "Links",
    "SemanticLinks",
    "WorstCase",
    "interval_disclosure",
    "k_anonymity",
    "learned",
    "learned_from_pairs",
    "link",
    "link_matching",
    "link_semantic",
]
