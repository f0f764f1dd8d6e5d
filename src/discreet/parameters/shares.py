"""Shares of categories as the public half of a manifest tells them: rare and hidden ones joined."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

REST = "(rest)"
"""The name under which categories are joined that are rare, or that the published file does not show."""
RARE = 10
"""Categories of fewer records are joined in what is published of their shares: a usual least frequency of offices."""


def joined_shares(shares: Mapping[str, float], counts: Mapping[str, int], records: int) -> dict[str, float]:
    """The shares of categories, those joined as a rest that are rare or that no published record has.

    A category is named that at least RARE records are published with, and as many by its share. The rest is of no one
    category, and of no fewer records: the rarest named ones are joined too until it is.
    """
    by_share = sorted(shares, key=lambda name: (shares[name], name))
    joined = [
        name for name in by_share if name == REST or min(counts.get(name, 0), shares[name] * records) < RARE
    ]
    others = [name for name in by_share if name not in joined]
    while joined and others and (len(joined) < 2 or _total(shares, joined) * records < RARE):
        joined.append(others.pop(0))
    named = {name: share for name, share in shares.items() if name in set(others)}
    return {**named, REST: max(0.0, 1.0 - math.fsum(named.values()))} if joined else named


def _total(shares: Mapping[str, float], names: Sequence[str]) -> float:
    return math.fsum(shares[name] for name in names)


def with_rest(row: Mapping[str, float], labels: set[str]) -> dict[str, float]:
    """The chances of what is shown, and as one those of what is not."""
    kept = {name: chance for name, chance in row.items() if name in labels and name != REST}
    return {**kept, REST: max(0.0, 1.0 - math.fsum(kept.values()))} if len(kept) < len(row) else kept


def mean_row(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean chance of each name over several rows; a name that a row lacks has no chance there."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: math.fsum(row.get(name, 0.0) for row in rows) / len(rows) for name in names}
