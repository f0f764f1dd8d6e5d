"""A plan: masking steps in order, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discreet.errors import BadParameter, BadProject, BadTable
from discreet.method_call import MethodCall
from discreet.parameters import ColumnsKind
from discreet.table import IDENTIFYING, Described, a_role
from discreet.visible import visible_line

StepText = str | tuple[str, Mapping[str, Any]] | MethodCall
"""A step as a line of text, as a method's name with its parameters, or as it stands in another plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Masking steps in order; TOML in a project file, JSON in a manifest."""

    steps: tuple[MethodCall, ...]

    @classmethod
    def of(cls, steps: Iterable[StepText]) -> Plan:
        """The plan of these steps, checked against what the methods declare.

        >>> print(Plan.of(["microaggregate k=5 columns=age,income", ("pram", {"theta": 0.3})]))
        microaggregate(k=5, columns=age+income) | pram(theta=0.3)
        """
        return cls(steps=tuple(_step(each) for each in steps))

    @classmethod
    def from_dict(cls, steps: Sequence[Mapping[str, Any]]) -> Plan:
        """The plan that `to_dict` wrote, or that the [[mask]] tables of a project file hold."""
        calls = []
        for place, step in enumerate(steps, start=1):
            if "method" not in step:
                raise BadProject(f"masking step {place} names no method.")
            parameters = {name: value for name, value in step.items() if name != "method"}
            calls.append((str(step["method"]), parameters))
        return cls.of(calls)

    def up_to(self, steps: int | None) -> Plan:
        """The plan of the first steps, so many; the plan itself where None is asked for."""
        if steps is None:
            return self
        if not 1 <= steps <= len(self.steps):
            raise BadParameter(
                f"the plan has {len(self.steps)} steps, so that it can be carried out up to step 1 to "
                f"{len(self.steps)}; got {steps}."
            )
        return Plan(steps=self.steps[:steps])

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the steps name, each time that they do."""
        return tuple(
            name
            for step in self.steps
            for parameter in step.method.parameters
            if isinstance(parameter.kind, ColumnsKind)
            for name in step.parameters.get(parameter.name) or ()
        )

    def to_dict(self) -> list[dict[str, Any]]:
        return [step.to_dict() for step in self.steps]

    def __str__(self) -> str:
        return " | ".join(str(step) for step in self.steps) or "nothing"

    def __repr__(self) -> str:
        """One line without parameters, which can repeat cells."""
        return visible_line(f"<plan: {' | '.join(step.name for step in self.steps) or 'nothing'}>")

    def _repr_html_(self) -> str:
        from discreet.notebook import plan_html

        return plan_html(self)

    def check(self, table: Described) -> None:
        """Raises when a step names a column that the table lacks or that no masking may touch."""
        for step in self.steps:
            for parameter in step.method.parameters:
                given = step.parameters.get(parameter.name)
                if not isinstance(parameter.kind, ColumnsKind) or given is None:
                    continue
                for name in given:
                    role = table[name].role
                    if role in IDENTIFYING:
                        raise BadTable(
                            f"{step.name}: column '{name}' is {a_role(role)} and is dropped from the release; "
                            "it cannot be masked. Take it out of the step, or give it another role."
                        )


def _step(given: StepText) -> MethodCall:
    if isinstance(given, MethodCall):
        return given
    return MethodCall.parse("mask", given) if isinstance(given, str) else MethodCall.of("mask", *given)
