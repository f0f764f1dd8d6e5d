"""The plans a search tries: methods that fit the table, with parameters from the ranges they declare."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from discreet import registry
from discreet.errors import BadParameter, BadTable, NotSplit, listed
from discreet.headline import HEADLINES, IDENTITY
from discreet.method_call import MethodCall
from discreet.parameters import Choice, Parameter, Real, Whole
from discreet.plan import Plan
from discreet.rare_weights import NEARLY_UNIQUE, rare_share
from discreet.registry import Method
from discreet.table import Role, Scale, Table

WEIGHTS_JOINED = 20
"""How many records at least share a sampling weight where the weights as they are would tell who they are."""
STILL_RARE = 0.05
"""The share of records that may keep a weight which few people, or households, share."""
USUAL_CEILING = 0.2
"""What k begins with where no ceiling is set."""
JOINT = 0.5
"""How often a plan masks numbers and categories in one step."""
ALONE = 0.3
"""How often a plan is one of these steps alone, where they are among what is tried."""

FRESH, NEARNESS = 0.15, 0.15
"""How often a near plan has a step drawn anew, and how far its numbers move, as a share of the range in logarithms."""

Ranges = Mapping[str, Mapping[str, tuple[float, float]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """Columns that one step of a plan masks, and the methods that could do it.

    A slot for numbers and categories together takes each method as it declares to mask them `jointly`.
    """

    columns: tuple[str, ...]
    methods: tuple[Method, ...]
    scales: frozenset[Scale]
    jointly: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSpace:
    """All plans that take one method for each slot, with parameters in their ranges, and then the `last` steps.

    Half of them mask all quasi-identifiers in the one step of the slot `together`, where there is one. The steps in
    `alone` are plans by themselves. The steps in `weights` end every plan.
    """

    slots: tuple[Slot, ...]
    ranges: Ranges
    last: tuple[MethodCall, ...] = ()
    alone: tuple[MethodCall, ...] = ()
    weights: tuple[MethodCall, ...] = ()
    together: Slot | None = None

    def begins(self, k: int) -> tuple[Plan, ...]:
        """The plan to begin with: quick, and often good. All quasi-identifiers in one step, in groups of k."""
        slot = self.together or self.slots[0]
        if len(self.slots) > 1 and self.together is None:
            return ()
        steps = [
            MethodCall.of(
                "mask", each.name, {"columns": list(slot.columns), "k": self._in_range(each, k), **way}
            )
            for each in slot.methods
            if each.searched.begins
            for way in each.searched.jointly
        ]
        return tuple(Plan.of([step, *self.last, *self.weights]) for step in steps)

    def _in_range(self, method: Method, k: int) -> int:
        low, high = self.ranges.get(method.name, {}).get("k", (k, k))
        return int(min(max(k, math.ceil(low)), math.floor(high)))

    @classmethod
    def of(
        cls,
        table: Table,
        *,
        methods: Sequence[str] | None = None,
        ranges: Ranges | None = None,
        goal: Mapping[str, Any] | None = None,
    ) -> PlanSpace:
        """The space for a table's quasi-identifiers: numbers in one step, categories in another, or all in one.

        Where combinations of all of them must reach a goal (`goal_of`), a last step suppresses what falls short; the
        methods that reach it by themselves are tried alone too.
        """
        numbers = table.having(scales=[Scale.NUMERIC])
        both = (
            [name for name in table.keys if name in numbers],
            [name for name in table.keys if name not in numbers and table[name].scale != Scale.TEXT],
        )
        slots = tuple(_slot(table, columns, methods or _usual(table, columns)) for columns in both if columns)
        if not slots:
            raise BadTable(f"search: table '{table.name}' has no quasi-identifier to mask.")
        weights = rare_weights_joined(table)
        together = _together(table, both, methods)
        if not goal:
            return cls(slots=slots, ranges=ranges or {}, weights=weights, together=together)
        whole = {"columns": [*both[0], *both[1]], **goal}
        alone = tuple(
            MethodCall.of("mask", each.name, {**whole, **extra})
            for each in registry.methods("mask")
            for extra in each.searched.to_a_goal
            if methods is None or each.name in methods
        )
        return cls(
            slots=slots,
            ranges=ranges or {},
            last=(MethodCall.of("mask", "suppress", whole),),
            alone=alone,
            weights=weights,
            together=together,
        )

    def in_parts(self) -> PlanSpace:
        """The space with the methods that work on datasets in parts alone."""
        slots = tuple(_in_parts(each) for each in self.slots)
        short = next((each for each in slots if not each.methods), None)
        if short is not None:
            raise NotSplit(
                f"search: none of the methods for {listed(short.columns)} works on a dataset in parts. Name others too."
            )
        together = None if self.together is None else _in_parts(self.together)
        return replace(
            self,
            slots=slots,
            together=together if together is not None and together.methods else None,
            alone=tuple(each for each in self.alone if each.method.in_parts),
        )

    def draw(self, generator: np.random.Generator) -> Plan:
        """A plan from anywhere in the space."""
        if self.alone and generator.random() < ALONE:
            return self._one_alone(generator)
        slots = self.slots
        if self.together is not None and generator.random() < JOINT:
            slots = (self.together,)
        return Plan.of([*(self._step(slot, generator) for slot in slots), *self.last, *self.weights])

    def _one_alone(self, generator: np.random.Generator) -> Plan:
        return Plan.of([self.alone[int(generator.integers(len(self.alone)))], *self.weights])

    def near(self, plan: Plan, generator: np.random.Generator) -> Plan:
        """A plan near another: one step's numbers moved a little, or now and then drawn anew.

        Near a step that is a plan by itself are the others of its kind.
        """
        steps = list(plan.steps)
        if steps[0] in self.alone and steps[1:] == list(self.weights):
            return self._one_alone(generator)
        slots = self._slots_of(steps)
        place = int(generator.integers(len(slots)))
        if generator.random() < FRESH:
            steps[place] = self._step(slots[place], generator)
        else:
            steps[place] = self._moved(steps[place], generator)
        return Plan.of(steps)

    def holds(self, plan: Plan) -> bool:
        """Whether a plan begins as those of this space do, so that there are plans near it."""
        steps = plan.steps
        if not steps or steps[0] in self.alone:
            return bool(steps)
        slots = self._slots_of(steps)
        return len(steps) >= len(slots) and all(
            step.method in slot.methods and _columns(step) == set(slot.columns)
            for step, slot in zip(steps, slots, strict=False)
        )

    def _slots_of(self, steps: Sequence[MethodCall]) -> tuple[Slot, ...]:
        """The slots that the steps of a plan of this space fill."""
        together = self.together
        if together is not None and _columns(steps[0]) == set(together.columns):
            return (together,)
        return self.slots

    def _step(self, slot: Slot, generator: np.random.Generator) -> MethodCall:
        method = slot.methods[int(generator.integers(len(slot.methods)))]
        parameters: dict[str, Any] = {"columns": list(slot.columns)}
        for parameter in tunable(method, slot.scales):
            low, high = self._range(method, parameter)
            parameters[parameter.name] = _number(parameter, low * (high / low) ** generator.random())
        if slot.jointly:
            ways = method.searched.jointly
            return MethodCall.of(
                "mask", method.name, {**parameters, **ways[int(generator.integers(len(ways)))]}
            )
        for parameter in method.parameters:
            if parameter.name == "variant" and isinstance(parameter.kind, Choice):
                among = [each for each in parameter.kind.among if each not in parameter.kind.not_searched]
                parameters["variant"] = among[int(generator.integers(len(among)))]
        return MethodCall.of("mask", method.name, parameters)

    def _moved(self, step: MethodCall, generator: np.random.Generator) -> MethodCall:
        method, parameters = step.method, step.parameters
        moved = dict(parameters)
        for parameter in (each for each in method.parameters if _has_range(each) and each.name in parameters):
            low, high = self._range(method, parameter)
            factor = (high / low) ** (NEARNESS * generator.standard_normal())
            moved[parameter.name] = _number(
                parameter, min(high, max(low, parameters[parameter.name] * factor))
            )
        return MethodCall.of("mask", step.name, moved)

    def _range(self, method: Method, parameter: Parameter) -> tuple[float, float]:
        given = self.ranges.get(method.name, {}).get(parameter.name)
        kind = parameter.kind
        usual = kind.usual if isinstance(kind, Whole | Real) else None
        low, high = given or usual or (0.0, 0.0)
        if not 0 < low <= high:
            raise BadParameter(
                f"search: the range of {method.name} {parameter.name} must rise from above zero."
            )
        return float(low), float(high)


def _columns(step: MethodCall) -> set[str]:
    return set(step.parameters.get("columns", ()))


def rare_weights_joined(table: Table) -> tuple[MethodCall, ...]:
    """A step that joins sampling weights by which people are found; none where many people share each of them."""
    weight = table.having(Role.WEIGHT)
    if not weight or rare_share(table.frame[weight[0]], table.households()) < NEARLY_UNIQUE:
        return ()
    steps: tuple[MethodCall, ...] = ()
    fewest = min(WEIGHTS_JOINED, len(table) // 2)
    while 2 <= fewest <= len(table) // 2:
        step = MethodCall.of("mask", "microaggregate", {"columns": list(weight), "k": fewest})
        steps = (step,)
        joined = step.method.function(table, **step.parameters).table
        if rare_share(joined.frame[weight[0]], table.households()) <= STILL_RARE:
            break
        fewest *= 2
    return steps


def first_k(table: Table, ceilings: Mapping[str, float], floors: Mapping[str, float]) -> int:
    """The least k that can keep to the limits, as whoever is one of k is found by one guess in k."""
    ceiling = ceilings.get(IDENTITY, min(ceilings.values(), default=USUAL_CEILING))
    return min(people_of(table), max(least_k(floors), math.ceil(1 / ceiling)))


def least_k(floors: Mapping[str, float]) -> int:
    """The least k that the floors allow."""
    return max(2, math.ceil(floors.get("k_anonymity", 2)))


def people_of(table: Table) -> int:
    """How many people the records are of."""
    persons = table.persons()
    return len(table) if persons is None else int(persons.max(initial=0)) + 1


def goal_of(ceilings: Mapping[str, float], floors: Mapping[str, float]) -> dict[str, Any]:
    """The k, l and t that limits ask for, as parameters of the masks that reach them; empty where they ask for none."""
    goal: dict[str, Any] = {}
    named = [
        (label, bound) for label, bound in [*floors.items(), *ceilings.items()] if label not in HEADLINES
    ]
    for label, bound in named:
        limit = MethodCall.parse("attack", label)
        given = limit.parameters
        if limit.method.name == "k_anonymity" and label in floors and bound > 1:
            goal["k"] = math.ceil(bound)
        elif limit.method.name == "l_diversity" and label in floors and bound > 1:
            goal |= {
                "l": bound,
                **{_L_PARAMETERS[name]: given[name] for name in _L_PARAMETERS if name in given},
            }
        elif limit.method.name == "t_closeness" and label in ceilings and bound < 1:
            goal |= {"t": bound, **({"confidential": given["columns"]} if "columns" in given else {})}
    return {"k": 2, **goal} if goal else {}


_L_PARAMETERS = {"variant": "l_variant", "c": "c", "columns": "confidential"}


def tunable(method: Method, scales: Collection[Scale] = tuple(Scale)) -> list[Parameter]:
    """The parameters that declare a usual range above zero; of optional ones, which exclude each other, the last.

    A range that begins at zero says that the parameter may as well stay as it is, and it does. Parameters for columns
    on other scales are left out.
    """
    ranged = [each for each in method.parameters if _has_range(each, scales)]
    needed = [each for each in ranged if not each.optional]
    return needed or ranged[-1:]


def _has_range(parameter: Parameter, scales: Collection[Scale] = tuple(Scale)) -> bool:
    kind = parameter.kind
    if not isinstance(kind, Whole | Real) or kind.usual is None:
        return False
    return kind.usual[0] > 0 and not set(scales).isdisjoint(kind.scales)


def _usual(table: Table, columns: Sequence[str]) -> list[str]:
    """The methods that are tried on some columns when none are named."""
    scales = {table[name].scale for name in columns}
    usual = [each for each in registry.methods("mask") if scales <= each.searched.usual_for]
    return [each.name for each in sorted(usual, key=lambda each: each.searched.turn)]


def _slot(table: Table, columns: Sequence[str], names: Sequence[str]) -> Slot:
    """The slot for some columns, with the methods among those named that can mask all of them."""
    wanted = [registry.find("mask", name) for name in names]
    scales = frozenset(table[name].scale for name in columns)
    for method in wanted:
        if not tunable(method):
            raise BadParameter(f"search: {method.name} declares no range to search in.")
    fitting = tuple(method for method in wanted if scales <= method.scales and method.keeps_rows)
    if not fitting:
        raise BadTable(f"search: none of the methods named can mask {', '.join(columns)}; name others too.")
    return Slot(columns=tuple(columns), methods=fitting, scales=scales)


def _in_parts(slot: Slot) -> Slot:
    return replace(slot, methods=tuple(each for each in slot.methods if each.in_parts))


def _together(table: Table, both: tuple[list[str], list[str]], names: Sequence[str] | None) -> Slot | None:
    """The slot for numbers and categories in one step; None where the table has only one of them, or no method fits."""
    if not all(both):
        return None
    columns = (*both[0], *both[1])
    scales = frozenset(table[name].scale for name in columns)
    fitting = tuple(
        each
        for each in registry.methods("mask")
        if each.searched.jointly and scales <= each.scales and (names is None or each.name in names)
    )
    return Slot(columns=columns, methods=fitting, scales=scales, jointly=True) if fitting else None


def _number(parameter: Parameter, value: float) -> float | int:
    """The value as the parameter wants it, rounded to three digits so that plans stay readable."""
    if isinstance(parameter.kind, Whole):
        return max(parameter.kind.at_least, round(value))
    return round(value, 2 - math.floor(math.log10(abs(value))))
