"""Work that can kill its process is done in a process apart, whose death is an error and not the end of a notebook."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def command(script: Path, *arguments: str) -> list[str]:
    """The command that runs a script of its own in this Python."""
    # Without -P the modules beside the script would hide those of Python.
    return [sys.executable, "-P", str(script), *arguments]


def environment() -> dict[str, str]:
    """The environment in which a script finds the packages that this process finds."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
