"""Attribute disclosure by classes: what those who share a person's published keys give away of the person."""

from __future__ import annotations

from discreet import registry
from discreet.attack.attribute_disclosure import ABOUT_MISSING, Tolerance, attribute_disclosure
from discreet.attack.nearest_classes import Lookups
from discreet.classes import classes_of
from discreet.matches import true_matches
from discreet.parameters import CONFIDENTIAL, KEYS, Known, Learned
from discreet.results import Risk
from discreet.table import IntArray, Table

MEANING = (
    "the share of confidential values that are guessed right, or within the tolerance, by somebody who knows which "
    "class of published records a person is in and takes the most frequent value there"
)


@registry.attack(
    family="attribute",
    title="Learning values from the class",
    unit=registry.SHARE_OF_VALUES,
    splits=registry.Split.COUNTS,
    classes_alone=True,
    counts_for=registry.CountsFor("attribute", needed=True, quick=True),
    scales=registry.EVERY_SCALE,
    missing=ABOUT_MISSING,
    meaning=MEANING,
    cites=("Lambert, Journal of Official Statistics 9(2), 1993",),
)
def attribute_by_class(
    original: Table,
    masked: Table,
    *,
    keys: Known = KEYS,
    columns: Learned = CONFIDENTIAL,
    tolerance: Tolerance = 0.1,
    truth: IntArray | None = None,
) -> Risk:
    """How often the best guess from a person's own class of published records is right.

    The class is that of the person's published record: whoever knows how values were masked, or does not mind looking
    at all records of a class, gets that far without knowing which record it is. The baseline guesses from the whole
    file. Of numbers the guess is the middle of the interval, twice the tolerance wide, that holds most of a class.

    This is attribute disclosure in the sense of Lambert (1993): what is learned counts, right or wrong by the true
    value.

    >>> print(dc.attack.attribute_by_class(table, release.table, keys=["sex", "education"]))
    attribute_by_class: 58.8% of 1200 attempts (95% interval 55.9%-61.5%; guessing 54.1%)
    """
    owner = true_matches(original, masked, truth)
    label = classes_of(masked, keys).label
    lookups = Lookups.one_each(label[owner >= 0])
    return attribute_disclosure(
        "attribute_by_class", MEANING, original, masked, columns, tolerance, owner, label, lookups
    )
