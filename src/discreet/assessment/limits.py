"""The limits that a steward set, and how a release stands against each of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from discreet.errors import BadParameter, listed
from discreet.headline import Headline
from discreet.results import Risk

MET, EXCEEDED, NOT_CHECKED = "met", "exceeded", "not checked"
NO_LIMITS = "no limits"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit the steward set, and how the release stands against it.

    `set_by` is the attack that set a headline. `unchecked` says what keeps a limit from being called met: something it
    needs could not be computed, left out a key that the intruder knows, or left something untried that finds more.
    """

    name: str
    bound: float
    found: float | None
    is_floor: bool
    set_by: str = ""
    unchecked: str = ""

    @property
    def status(self) -> str:
        """ "met", "exceeded" or "not checked"; what is known to exceed a limit does so however much was left out."""
        if self.found is not None:
            kept = self.found >= self.bound if self.is_floor else self.found <= self.bound
            if not kept:
                return EXCEEDED
        return NOT_CHECKED if self.found is None or self.unchecked else MET

    @property
    def met(self) -> bool:
        """Whether the release is known to keep to the limit."""
        return self.status == MET

    def doubted(self, reason: str) -> Limit:
        """The limit with one more reason why it cannot be called met."""
        return replace(self, unchecked="; ".join(filter(None, (self.unchecked, reason))))

    def __str__(self) -> str:
        wanted = f"at least {self.bound:g}" if self.is_floor else f"at most {self.bound:.1%}"
        if self.found is None:
            return f"{self.name} must be {wanted}: {NOT_CHECKED}, {self.unchecked or 'could not be computed'}"
        found = f"{self.found:g}" if self.is_floor else f"{self.found:.1%}"
        by = f" by {self.set_by}" if self.set_by else ""
        why = f" ({self.unchecked})" if self.status == NOT_CHECKED else ""
        return f"{self.name} must be {wanted}: {found}{by}, {self.status}{why}"

    def to_dict(self) -> dict[str, Any]:
        kind = "floor" if self.is_floor else "ceiling"
        return {
            "name": self.name,
            kind: self.bound,
            "found": self.found,
            "status": self.status,
            "met": self.met,
            "set_by": self.set_by,
            "unchecked": self.unchecked,
        }


def worst(limits: Iterable[Limit]) -> str:
    """The status of the worst limit: "exceeded", "not checked" or "met"; "no limits" where there is none."""
    statuses = [limit.status for limit in limits]
    return next((each for each in (EXCEEDED, NOT_CHECKED, MET) if each in statuses), NO_LIMITS)


def limits_on(
    risk: Callable[[str], Risk | None],
    reasons: Mapping[str, str],
    ceilings: Mapping[str, float],
    floors: Mapping[str, float],
) -> tuple[Limit, ...]:
    """How limits stand, where `risk` finds what an attack or a headline found and `reasons` say why one was not."""
    return tuple(
        limit_on(name, bound, risk(name), is_floor, reasons.get(name, ""))
        for bounds, is_floor in ((ceilings, False), (floors, True))
        for name, bound in bounds.items()
    )


def check_limits(ceilings: Mapping[str, float], floors: Mapping[str, float]) -> None:
    """Raises BadParameter where a limit is none: a ceiling of 10 meant as percent would be met by anything."""
    for name, bound in ceilings.items():
        if not 0 <= bound <= 1:
            raise BadParameter(
                f"assess: the ceiling of {name} must be from 0 to 1, such as 0.1 for ten percent; got {bound:g}."
            )
    for name, bound in floors.items():
        if not math.isfinite(bound):
            raise BadParameter(f"assess: the floor of {name} must be a number; got {bound:g}.")


def limit_on(name: str, bound: float, risk: Risk | None, is_floor: bool, reason: str) -> Limit:
    """How a limit stands; what names people and left out a key is no proof that it is kept."""
    if risk is None:
        return Limit(name=name, bound=bound, found=None, is_floor=is_floor, unchecked=reason)
    if is_floor and risk.level is None:
        raise BadParameter(f"assess: '{name}' reaches no level that a floor could be set for; use a ceiling.")
    if isinstance(risk, Headline):
        found = None if not risk.attacks else risk.risk
        reasons = [risk.unchecked, _doubt_of_sample(risk.sampled_up_to, bound)]
        unchecked = "; ".join(filter(None, reasons))
        return Limit(
            name=name, bound=bound, found=found, is_floor=False, set_by=risk.attack, unchecked=unchecked
        )
    reasons = [f"it could not use {listed(risk.left_out)}, which the intruder knows" if risk.left_out else ""]
    reasons.append(f"it did not try {risk.not_tried}" if risk.not_tried else "")
    if risk.of_a_sample and not is_floor:
        reasons.append(_doubt_of_sample(1.0 if risk.interval is None else risk.interval[1], bound))
    found = risk.level if is_floor else risk.risk
    unchecked = "; ".join(filter(None, reasons))
    return Limit(name=name, bound=bound, found=found, is_floor=is_floor, unchecked=unchecked)


def _doubt_of_sample(most: float | None, bound: float) -> str:
    """Why a sample of people does not show that a ceiling is kept; empty where it does, or where all were tried."""
    if most is None or most <= bound:
        return ""
    return f"a sample of people was looked for, which leaves up to {most:.1%} possible"
