"""Proposing what the columns of a file are, with reasons, for a steward to correct."""

from discreet.inspection.guess import Proposed
from discreet.inspection.proposal import Proposal, inspect
from discreet.inspection.told import summary, told

__all__ = ["Proposal", "Proposed", "inspect", "summary", "told"]
