"""Properties that a masking guarantees, each of which can be checked on the file as it was written."""

from discreet.guarantees.classes import AboutClasses, KAnonymous, KMatched, LDiverse, TClose
from discreet.guarantees.compared import (
    Compared,
    Intervals,
    NoOtherValues,
    SameMeans,
    SameOrder,
    SameTotals,
    SameValues,
    WithinRange,
)
from discreet.guarantees.guarantee import Guarantee
from discreet.guarantees.payload import GUARANTEES, guarantee_of
from discreet.guarantees.texts import NoMaskedNames, Wordings
from discreet.guarantees.values import AtMostRecords, Multiples, OnlyLevels, RecordCount, Within

__all__ = [
    "GUARANTEES",
    "AboutClasses",
    "AtMostRecords",
    "Compared",
    "Guarantee",
    "Intervals",
    "KAnonymous",
    "KMatched",
    "LDiverse",
    "Multiples",
    "NoMaskedNames",
    "NoOtherValues",
    "OnlyLevels",
    "RecordCount",
    "SameMeans",
    "SameOrder",
    "SameTotals",
    "SameValues",
    "TClose",
    "Within",
    "WithinRange",
    "Wordings",
    "guarantee_of",
]
