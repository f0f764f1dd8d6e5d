"""Searching: many plans, one map of risk against loss, and the best plan within the limits."""

from discreet.searching.finding import SearchResult, search
from discreet.searching.front import TriedPlan, pareto

__all__ = ["SearchResult", "TriedPlan", "pareto", "search"]
