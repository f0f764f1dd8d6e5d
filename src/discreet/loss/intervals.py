"""Intervals that published values name, such as "[20, 30)" or ">= 65"."""

from __future__ import annotations

import math
import re

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
BETWEEN = re.compile(rf"[\[(]\s*({NUMBER}|-inf)\s*[,;]\s*({NUMBER}|\+?inf)\s*[\])]")
BELOW = re.compile(rf"(?:<=?|≤)\s*({NUMBER})")
ABOVE = re.compile(rf"(?:>=?|≥)\s*({NUMBER})|({NUMBER})\s*\+")
RANGE = re.compile(rf"({NUMBER})\s*(?:-|–|to)\s*({NUMBER})")


def interval_of(label: str) -> tuple[float, float] | None:
    """The bounds of the interval that a label names, infinite where it is open; None where it names none.

    >>> interval_of("[20, 30)"), interval_of("< 20"), interval_of("20-29"), interval_of("young")
    ((20.0, 30.0), (-inf, 20.0), (20.0, 29.0), None)
    """
    text = label.strip()
    for pattern in (BETWEEN, RANGE):
        found = pattern.fullmatch(text)
        if found:
            low, high = float(found[1]), float(found[2])
            return (low, high) if low <= high else None
    found = BELOW.fullmatch(text)
    if found:
        return -math.inf, float(found[1])
    found = ABOVE.fullmatch(text)
    if found:
        return float(found[1] or found[2]), math.inf
    if re.fullmatch(NUMBER, text):
        return float(text), float(text)
    return None
