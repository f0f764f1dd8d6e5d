"""A trial in a process apart: what reads a file of columns aborts the process on some damaged ones."""

from __future__ import annotations

import subprocess
from pathlib import Path

from discreet.apart import command, environment
from discreet.errors import BadFile
from discreet.reading.content import Content
from discreet.reading.limits import check_growth, most_growth
from discreet.reading.read_apart import BYTES_A_CELL

SCRIPT = Path(__file__).with_name("read_apart.py")


def check_readable(kind: str, content: Content) -> None:
    """Raises BadFile where the content cannot be read as this kind, or would take too much memory.

    Whatever reads it, dies of it or panics does so in another process, which says nothing.
    """
    stored, name = len(content.raw), content.path.name
    done = subprocess.run(
        command(SCRIPT, kind, str(most_growth(stored))),
        input=content.raw,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,
        check=False,
    )
    if done.stdout:
        check_growth(name, stored, int(done.stdout) * BYTES_A_CELL)
    if done.returncode != 0:
        raise damaged(kind, name)


def damaged(kind: str, name: str) -> BadFile:
    """The error about a file that cannot be read as what it begins as."""
    return BadFile(f"{name} is damaged or cut short: it cannot be read as {kind.split()[0]}.")
