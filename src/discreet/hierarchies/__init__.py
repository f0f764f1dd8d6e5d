"""Hierarchies of the values of a column: built from it, or read from a file, shown, and written."""

from discreet.hierarchies.building import WAYS, hierarchy, hierarchy_from
from discreet.hierarchies.value_hierarchy import ENDING, Level, ValueHierarchy, file_name

__all__ = ["ENDING", "WAYS", "Level", "ValueHierarchy", "file_name", "hierarchy", "hierarchy_from"]
