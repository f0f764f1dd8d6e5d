"""A plan: masking steps in order, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from discreet import registry
from discreet.errors import BadParameter, BadProject, BadTable
from discreet.parameters import ColumnsKind
from discreet.results import plain
from discreet.table import IDENTIFYING, Table, a_role


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One masking: the method's name and the parameters that differ from its defaults."""

    method: str
    parameters: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        facts = registry.find("mask", self.method)
        told = {name: facts.parameter(name).kind.plain(value) for name, value in self.parameters.items()}
        return {"method": self.method, **plain(told)}

    def __str__(self) -> str:
        told = ", ".join(f"{name}={_short(value)}" for name, value in self.parameters.items())
        return f"{self.method}({told})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Masking steps in order; TOML in a project file, JSON in a manifest."""

    steps: tuple[Step, ...]

    @classmethod
    def of(cls, steps: Iterable[tuple[str, Mapping[str, Any]]]) -> Plan:
        """The plan of (method, parameters) pairs, checked against what the methods declare.

        >>> print(Plan.of([("microaggregate", {"columns": ["age", "income"], "k": 5})]))
        microaggregate(columns=age+income, k=5)
        """
        made = cls(
            steps=tuple(
                Step(method=method, parameters=MappingProxyType(dict(parameters)))
                for method, parameters in steps
            )
        )
        for step in made.steps:
            method = registry.find("mask", step.method)
            for name, value in step.parameters.items():
                method.check(name, value)
            for parameter in method.parameters:
                if parameter.required and parameter.name not in step.parameters:
                    raise BadParameter(f"{method.name} needs {parameter.name}: {parameter.kind.about}.")
        return made

    @classmethod
    def from_dict(cls, steps: Sequence[Mapping[str, Any]]) -> Plan:
        """The plan that `to_dict` wrote, or that the [[mask]] tables of a project file hold."""
        pairs = []
        for place, said in enumerate(steps, start=1):
            if "method" not in said:
                raise BadProject(f"masking step {place} names no method.")
            pairs.append(
                (str(said["method"]), {name: value for name, value in said.items() if name != "method"})
            )
        return cls.of(pairs)

    def to_dict(self) -> list[dict[str, Any]]:
        return [step.to_dict() for step in self.steps]

    def __str__(self) -> str:
        return " | ".join(str(step) for step in self.steps) or "nothing"

    def _repr_html_(self) -> str:
        from discreet.notebook import plan_html

        return plan_html(self)

    def check(self, table: Table) -> None:
        """Raises when a step names a column that the table lacks or that no masking may touch."""
        for step in self.steps:
            method = registry.find("mask", step.method)
            for parameter in method.parameters:
                given = step.parameters.get(parameter.name)
                if not isinstance(parameter.kind, ColumnsKind) or given is None:
                    continue
                for name in given:
                    role = table[name].role
                    if role in IDENTIFYING:
                        raise BadTable(
                            f"{step.method}: column '{name}' is {a_role(role)} and is dropped from the release; "
                            "it cannot be masked. Take it out of the step, or give it another role."
                        )


def _short(value: Any) -> str:
    """The value in few words; a table, which can hold cells, is counted."""
    if isinstance(value, Mapping):
        return f"{len(value)} entries"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "+".join(_short(each) for each in value)
    return str(value)
