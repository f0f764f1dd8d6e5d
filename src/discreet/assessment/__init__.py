"""An assessment: all risks and losses of one release, the score, and the verdict against the steward's limits."""

from discreet.assessment.assessing import DOES_NOT_FIT, assess
from discreet.assessment.assessment import LOST, Assessment, NotDone, limits_of
from discreet.assessment.limits import EXCEEDED, MET, NO_LIMITS, NOT_CHECKED, Limit
from discreet.assessment.score import Score, score_of
from discreet.assessment.sides import as_intruder_reads

__all__ = [
    "DOES_NOT_FIT",
    "EXCEEDED",
    "LOST",
    "MET",
    "NOT_CHECKED",
    "NO_LIMITS",
    "Assessment",
    "Limit",
    "NotDone",
    "Score",
    "as_intruder_reads",
    "assess",
    "limits_of",
    "score_of",
]
