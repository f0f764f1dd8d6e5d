"""Attacks: what an intruder gets right about a release."""

from discreet.attack.attribute import attribute_by_class, attribute_by_link
from discreet.attack.closeness import t_closeness
from discreet.attack.compatible import CompatibleSets, compatible
from discreet.attack.diversity import Diversity, l_diversity
from discreet.attack.fusion import Fused, Negation, Rebuilt, coalition
from discreet.attack.intervals import interval_disclosure
from discreet.attack.learned import WorstCase, learned, learned_from_pairs
from discreet.attack.link import Links, link
from discreet.attack.link_household import link_household
from discreet.attack.link_person import link_person
from discreet.attack.link_weights import link_weights
from discreet.attack.population import Mapped, k_map
from discreet.attack.probabilistic import link_probabilistic
from discreet.attack.sampling import household_risk, individual_risk, population_uniques
from discreet.attack.semantic import SemanticLinks, link_matching, link_semantic
from discreet.attack.special_uniques import SpecialUniques, suda
from discreet.attack.transparency import Disclosed, transparency
from discreet.attack.uniqueness import Classes, k_anonymity, sample_uniques

__all__ = [
    "Classes",
    "CompatibleSets",
    "Disclosed",
    "Diversity",
    "Fused",
    "Links",
    "Mapped",
    "Negation",
    "Rebuilt",
    "SemanticLinks",
    "SpecialUniques",
    "WorstCase",
    "attribute_by_class",
    "attribute_by_link",
    "coalition",
    "compatible",
    "household_risk",
    "individual_risk",
    "interval_disclosure",
    "k_anonymity",
    "k_map",
    "l_diversity",
    "learned",
    "learned_from_pairs",
    "link",
    "link_household",
    "link_matching",
    "link_person",
    "link_probabilistic",
    "link_semantic",
    "link_weights",
    "population_uniques",
    "sample_uniques",
    "suda",
    "t_closeness",
    "transparency",
]
