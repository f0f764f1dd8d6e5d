"""Searching: many plans, one map of risk against loss, and the best plan within the limits."""

from discreet.searching.finding import Found, search
from discreet.searching.front import Point, pareto

__all__ = ["Found", "Point", "pareto", "search"]
