"""Searching: many plans, one map of risk against loss, and the best plan within the limits."""

from discreet.searching.finding import SearchResult, search
from discreet.searching.front import FailedPlan, TriedPlan, pareto
from discreet.searching.proposing import TRIALS, Attempt, TriedProposal, propose_plan

__all__ = [
    "TRIALS",
    "Attempt",
    "FailedPlan",
    "SearchResult",
    "TriedPlan",
    "TriedProposal",
    "pareto",
    "propose_plan",
    "search",
]
