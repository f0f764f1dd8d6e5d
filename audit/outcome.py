"""What one trial of an audit came to."""

from __future__ import annotations

from typing import NamedTuple


class Outcome(NamedTuple):
    """The faults that a trial found, and whether it could look: a plan that was refused leaves nothing to look at."""

    faults: tuple[str, ...] = ()
    looked: bool = True


REFUSED = Outcome(looked=False)


def faults(*found: str) -> Outcome:
    """The outcome with those of the texts that are not empty."""
    return Outcome(tuple(each for each in found if each))
