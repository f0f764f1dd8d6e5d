"""Points of risk and loss, and the front of those that no other point beats in both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from discreet.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedPlan:
    """One plan that was tried: its risks, its loss, and whether it keeps to every limit that was checked on it.

    `risk` is the highest share of a ceiling that it uses up: 1 is just at a ceiling. Where no ceiling is set it is
    the headline risk. `checked` are the attacks that were run; expensive ones are run only on points worth it.
    """

    plan: Plan
    risk: float
    loss: float
    risks: Mapping[str, float]
    levels: Mapping[str, float] = field(default_factory=dict)
    meets: bool
    checked: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The plan in few words: methods and numbers, without the columns."""
        steps = []
        for step in self.plan.steps:
            numbers = [f" {name} {value}" for name, value in step.parameters.items() if name != "columns"]
            steps.append(step.name + "".join(numbers))
        return ", then ".join(steps)

    def to_dict(self) -> dict[str, Any]:
        return {
            "plan": self.plan.to_dict(),
            "risk": self.risk,
            "loss": self.loss,
            "risks": dict(self.risks),
            "levels": dict(self.levels),
            "meets": self.meets,
            "checked": list(self.checked),
        }

    @classmethod
    def from_dict(cls, payload: Mapping[str, Any]) -> TriedPlan:
        """The point that `to_dict` wrote."""
        return cls(
            plan=Plan.from_dict(payload["plan"]),
            risk=payload["risk"],
            loss=payload["loss"],
            risks=payload["risks"],
            levels=payload["levels"],
            meets=payload["meets"],
            checked=tuple(payload["checked"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedPlan:
    """One plan that is no point of risk and loss, and why: it cannot be carried out, or not be judged."""

    plan: Plan
    reason: str

    def to_dict(self) -> dict[str, Any]:
        return {"plan": self.plan.to_dict(), "reason": self.reason}

    @classmethod
    def from_dict(cls, payload: Mapping[str, Any]) -> FailedPlan:
        """The plan that `to_dict` wrote."""
        return cls(plan=Plan.from_dict(payload["plan"]), reason=str(payload["reason"]))


def pareto(points: Iterable[TriedPlan]) -> tuple[TriedPlan, ...]:
    """The points that no other beats in both risk and loss, by rising risk; of equal ones the first.

    >>> pareto([])
    ()
    """
    best: list[TriedPlan] = []
    for point in sorted(points, key=lambda each: (each.risk, each.loss)):
        if not best or point.loss < best[-1].loss:
            best.append(point)
    return tuple(best)
