"""Pairs of records by which of their columns agree: patterns, the best pairs, one-to-one assignment."""
