"""Data to try discreet on, made by the package itself."""

from discreet.demo.census import people, table
from discreet.demo.columns import describe, project

__all__ = ["describe", "people", "project", "table"]
