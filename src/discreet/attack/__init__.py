"""Attacks: what an intruder gets right about a release."""

from discreet.attack.intervals import interval_disclosure
from discreet.attack.link import Links, link
from discreet.attack.uniqueness import Classes, k_anonymity

__all__ = ["Classes", "Links", "interval_disclosure", "k_anonymity", "link"]
