"""Proposing what the columns of a file are, with reasons, for a steward to correct."""

from discreet.inspection.column_facts import ColumnFacts, TableFacts, column_facts
from discreet.inspection.further import Further, inspect_further
from discreet.inspection.guess import Proposed
from discreet.inspection.proposal import Proposal, inspect
from discreet.inspection.told import summary, told

__all__ = [
    "ColumnFacts",
    "Further",
    "Proposal",
    "Proposed",
    "TableFacts",
    "column_facts",
    "inspect",
    "inspect_further",
    "summary",
    "told",
]
