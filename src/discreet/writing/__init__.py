"""Writing files: whole or not at all, never over the original, the same bytes for the same values."""

from discreet.writing.atomic import (
    new_file,
    new_folder,
    refuse_folder,
    refuse_overwrite,
    same_file,
    write_bytes,
    write_json,
    write_text,
)
from discreet.writing.frame import write_frame
from discreet.writing.reread import reread

__all__ = [
    "new_file",
    "new_folder",
    "refuse_folder",
    "refuse_overwrite",
    "reread",
    "same_file",
    "write_bytes",
    "write_frame",
    "write_json",
    "write_text",
]
