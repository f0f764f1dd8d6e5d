"""The steward's project file: what a data file holds, how it is masked, and what the release must stand up to."""

from discreet.project.changing import with_column_key
from discreet.project.load import FILE_NAME, Project
from discreet.project.sections import AssessOptions, EngineOptions, ReadOptions, ReleaseOptions

__all__ = [
    "FILE_NAME",
    "AssessOptions",
    "EngineOptions",
    "Project",
    "ReadOptions",
    "ReleaseOptions",
    "with_column_key",
]
