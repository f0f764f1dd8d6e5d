"""How far two reviewers agree on the same stretches of the same documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from discreet.errors import NotComputable
from discreet.text.decisions import Action, Decision, Decisions


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Decisions of two reviewers side by side: `counts` of their actions about what both decided, and the others."""

    counts: Mapping[tuple[Action, Action], int]
    only_first: int
    only_second: int

    @property
    def both(self) -> int:
        """How many stretches both decided about."""
        return sum(self.counts.values())

    @property
    def agreed(self) -> int:
        """About how many of these they decided alike."""
        return sum(count for (one, other), count in self.counts.items() if one is other)

    @property
    def kappa(self) -> float:
        """Cohen's kappa (1960): the agreement above what chance would give, as a share of what could be above it.

        Raises NotComputable where nothing was decided by both, or both decided everything in one and the same way, so
        that chance alone would make them agree.
        """
        total = self.both
        if not total:
            raise NotComputable("kappa: there is nothing that both reviewers decided about.")
        firsts, seconds = Counter[Action](), Counter[Action]()
        for (one, other), count in self.counts.items():
            firsts[one] += count
            seconds[other] += count
        chance = sum(firsts[each] * seconds[each] for each in Action) / total**2
        if chance == 1:
            raise NotComputable(
                "kappa: both reviewers decided everything alike, in one way; it has no value then."
            )
        return (self.agreed / total - chance) / (1 - chance)

    def __str__(self) -> str:
        return f"{self.agreed} of {self.both} decided alike; {self.only_first} and {self.only_second} by one alone"

    def to_dict(self) -> dict[str, Any]:
        return {
            "both": self.both,
            "agreed": self.agreed,
            "only_first": self.only_first,
            "only_second": self.only_second,
            "counts": [[str(one), str(other), count] for (one, other), count in sorted(self.counts.items())],
        }


def agreement(first: Decisions, second: Decisions) -> Agreement:
    """How two reviewers decided about the same stretches of the same texts; automatic decisions do not count."""
    one, other = _by_stretch(first), _by_stretch(second)
    shared = one.keys() & other.keys()
    counts = Counter((one[each].action, other[each].action) for each in shared)
    return Agreement(
        counts=MappingProxyType(dict(counts)),
        only_first=len(one.keys() - shared),
        only_second=len(other.keys() - shared),
    )


def _by_stretch(decisions: Decisions) -> dict[tuple[str, str, int, int], Decision]:
    """The last decision about each stretch."""
    return {
        (each.document, each.digest, each.start, each.end): each
        for each in decisions.in_force().values()
        if each.reviewed
    }
