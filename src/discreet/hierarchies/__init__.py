"""Hierarchies of the values of a column: built from it, or read from a file, shown, and written."""

from discreet.hierarchies.building import hierarchy, hierarchy_from
from discreet.hierarchies.value_hierarchy import Level, ValueHierarchy

__all__ = ["Level", "ValueHierarchy", "hierarchy", "hierarchy_from"]
