"""Formats of documents, one file each: what a reader takes for parts, and what a writer leaves."""
