"""Publish data without publishing people: mask, attack, measure, report."""

__version__ = "0.1.0"
