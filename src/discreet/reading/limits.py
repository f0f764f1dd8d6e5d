"""How much a small file may grow to when it is read, before it is taken for a trap and refused."""

from __future__ import annotations

import os

from discreet.errors import BadFile, BadParameter

MOST_BYTES = 1 << 30
"""What a compressed or sparse file may always grow to: one gigabyte."""
MOST_TIMES = 100
"""Beyond that, how many times its own size; tables of people come to 5 to 30."""
VARIABLE = "DISCREET_MAX_BYTES"
"""The environment variable with which a steward allows more."""


def most_bytes() -> int:
    """The number of bytes a file may grow to whatever its size; BadParameter where the variable is no number."""
    given = os.environ.get(VARIABLE, "")
    if not given:
        return MOST_BYTES
    if not (given.isascii() and given.isdigit()):
        raise BadParameter(f"{VARIABLE} must be a whole number of bytes, such as {4 * MOST_BYTES}.")
    return int(given)


def most_growth(stored: int) -> int:
    """The number of bytes that a file of `stored` bytes may take in memory: the larger of both limits."""
    return max(most_bytes(), MOST_TIMES * stored)


def check_growth(name: str, stored: int, grown: int) -> None:
    """Raises BadFile where a file of `stored` bytes would take `grown` bytes in memory, beyond both limits."""
    if grown > most_growth(stored):
        raise BadFile(
            f"{name} has {stored} bytes and would take more than {most_bytes()} when it is read, over {MOST_TIMES} "
            "times as many, as no table of people does. If you trust it, say how many it may take with "
            f"{VARIABLE}."
        )
