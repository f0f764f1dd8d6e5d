"""Keeping to a time limit: long steps are done in parts, and the clock is looked at before each."""

from __future__ import annotations

import time
from collections.abc import Iterator

AT_ONCE = 1_000_000
"""So many pairs of records are compared between two looks at the clock: a tenth of a second, about."""
SURE_AFTER = 3
"""So many parts are done before what is left is taken to be as slow."""


class OutOfTime(Exception):
    """A step was not done, or would not have been, when its time was up."""


def check(until: float) -> None:
    """Raises OutOfTime when the time is up."""
    if time.monotonic() > until:
        raise OutOfTime


def parts(count: int, each: int, until: float) -> Iterator[slice]:
    """The places from 0 to `count` in slices, as long as there is time.

    `each` is how many pairs of records one place takes. Raises OutOfTime when the time is up, or when what is left
    would take more than twice the time that is left: then that time is better spent on something else.
    """
    step = max(1, AT_ONCE // max(1, each))
    began = time.monotonic()
    for done, first in enumerate(range(0, count, step)):
        now = time.monotonic()
        needed = (now - began) / done * ((count - first) / step) if done >= SURE_AFTER else 0.0
        if now > until or needed > 2 * (until - now):
            raise OutOfTime
        yield slice(first, first + step)
