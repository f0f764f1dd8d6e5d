"""Reading files: values with their types, what the format says of them, and the roles that the steward gives."""

from discreet.project import ReadOptions
from discreet.reading.frame import look_at, read_frame
from discreet.reading.loaded import Loaded
from discreet.reading.table import read

__all__ = ["Loaded", "ReadOptions", "look_at", "read", "read_frame"]
