"""Searching: many plans, one map of risk against loss, and the best plan within the limits."""

from discreet.searching.front import Point, pareto
from discreet.searching.search import Found, search

__all__ = ["Found", "Point", "pareto", "search"]
