"""The facts of a report: everything that the page and the JSON say, and nothing they do not."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from discreet import registry
from discreet.assessment import Assessment
from discreet.distributions import Distribution, distributions
from discreet.effect import ColumnEffect, column_effects
from discreet.exposure import Exposure, exposure
from discreet.manifest import made_with
from discreet.parameters import Distributions, Pairs
from discreet.release import Published, StepDone
from discreet.reporting.board import Board, before_after, checked_in_short, step_in_short
from discreet.reporting.findings import Finding, Unknown, loss_findings, risk_findings, unknown_findings
from discreet.reporting.limitations import Limitations, limitations
from discreet.reporting.summary import Verdict, summary, verdict
from discreet.reporting.words import count, ended, loss_share, names, number, sentence, title
from discreet.ru_map import Map, map_of
from discreet.verification import NOT_CHECKED, WHEN_SAVED, guarantees_checked

FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One parameter of a step, as written in the report, what it is for, and whether it was chosen for this release."""

    name: str
    value: str
    about: str
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSummary:
    """One masking step. `facts` is what it did to the data, for the inside only.

    `guarantees` are the properties that it gave the published file and that stand after the last step, with the columns
    and numbers of this release. `undone` says that later steps left none of them standing.
    """

    method: str
    title: str
    summary: str
    settings: tuple[Setting, ...]
    guarantees: tuple[str, ...]
    by_design: tuple[str, ...]
    cites: tuple[str, ...]
    facts: tuple[str, ...]
    undone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A property guaranteed of the published file.

    `state` is "holds", "broken", "checked when saved" or "not checked"; `fault` says more of the second and the last.
    """

    says: str
    state: str
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What was done to the data."""

    steps: tuple[StepSummary, ...]
    checks: tuple[Check, ...]
    dropped: int
    dropped_names: tuple[str, ...]
    pseudonymised: tuple[str, ...]
    order: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """A report as data. `columns`, `cells`, `map` and `exposure` are for the inside only and empty outside."""

    audience: str
    table: str
    records: int
    column_count: int
    made_with: Mapping[str, str]
    doubt: str
    verdict: Verdict
    board: Board
    summary: tuple[str, ...]
    done: Done
    risks: tuple[Finding, ...]
    losses: tuple[Finding, ...]
    unknown: tuple[Unknown, ...]
    limitations: Limitations
    columns: tuple[Distribution, ...] = ()
    cells: tuple[ColumnEffect, ...] = ()
    map: Map | None = None
    exposure: Exposure | None = None

    @property
    def size(self) -> str:
        """How much is published, in words."""
        return f"{self.records:,} records, {self.column_count} columns"

    def to_dict(self) -> dict[str, Any]:
        """The facts, safe for JSON."""
        payload: dict[str, Any] = {"format": FORMAT, "kind": "report", **plain_facts(self)}
        if self.audience == "external":
            for inside in ("columns", "cells", "map", "exposure"):
                del payload[inside]
        return payload


def facts_of(assessment: Assessment, audience: str, reference: Sequence[tuple[str, float, float]]) -> Facts:
    """The facts of an assessment for this audience.

    Outside there are no distributions, no numbers by column, no records, no map; risks and losses are rounded.
    """
    release = assessment.release
    inside = audience == "internal"
    done, limits = _done(release, inside), limitations(assessment)
    lost = assessment.lost
    return Facts(
        audience=audience,
        table=release.table.name,
        records=len(release.table),
        column_count=len(release.table.columns),
        made_with=made_with(),
        doubt=release.doubt,
        verdict=verdict(assessment.limits, inside, release.manifest.unfinished),
        board=Board(
            before_after=before_after(assessment, inside, None if lost is None else loss_share(lost)),
            done=_in_short(done),
            not_covered=limits.not_covered,
        ),
        summary=summary(assessment, inside),
        done=done,
        risks=risk_findings(assessment, inside),
        losses=loss_findings(assessment, inside),
        unknown=unknown_findings(assessment.not_done, inside),
        limitations=limits,
        columns=distributions(assessment.original, release) if inside else (),
        cells=column_effects(assessment.original, release) if inside else (),
        map=map_of(assessment, reference) if inside else None,
        exposure=exposure(assessment) if inside else None,
    )


def _steps(release: Published, inside: bool) -> tuple[StepDone, ...]:
    """The steps, inside with all of their parameters, also those that the public half leaves out."""
    private = release.private
    if not inside or private is None or len(private.parameters) != len(release.steps):
        return release.steps
    pairs = zip(release.steps, private.parameters, strict=True)
    return tuple(replace(step, parameters={**step.parameters, **whole}) for step, whole in pairs)


def _done(release: Published, inside: bool) -> Done:
    manifest = release.manifest
    return Done(
        steps=tuple(
            _step(step, release, inside, given)
            for step, given in zip(_steps(release, inside), _given(release), strict=True)
        ),
        checks=_checks(release),
        dropped=manifest.dropped,
        dropped_names=_dropped_names(release) if inside else (),
        pseudonymised=manifest.pseudonymised,
        order=manifest.order,
    )


def _in_short(done: Done) -> tuple[str, ...]:
    """What was done, a sentence for each step, then what was left out, the order, and what was checked."""
    steps = [
        step_in_short(
            step.method, [(each.name, each.value, each.about) for each in step.settings if each.chosen]
        )
        for step in done.steps
    ]
    identity = []
    if done.dropped:
        left_out = names(done.dropped_names) if done.dropped_names else count(done.dropped, "column")
        identity.append(ended(f"Left out of the file: {left_out}"))
    if done.pseudonymised:
        identity.append(ended(f"Became pseudonyms: {names(done.pseudonymised)}"))
    order = "in random order" if done.order == "shuffled" else "in the order of the original"
    checks = checked_in_short([each.state for each in done.checks], "the published file")
    return (*(steps or ["No column was masked."]), *identity, f"The records are {order}.", checks)


def _dropped_names(release: Published) -> tuple[str, ...]:
    return () if release.private is None else release.private.dropped


def _checks(release: Published) -> tuple[Check, ...]:
    """The guarantees and whether they hold.

    What the file alone does not show was checked when it was saved, if something vouches for the manifest that says so.
    """
    return tuple(
        Check(says=each.says, state=WHEN_SAVED)
        if each.state == NOT_CHECKED and not release.doubt
        else Check(says=each.says, state=each.state, fault=each.why)
        for each in guarantees_checked(release)
    )


def _given(release: Published) -> list[Collection[str]]:
    """The names of the parameters that the plan sets in each step, as far as it is known."""
    plan = release.plan.steps
    if release.private is None or len(plan) != len(release.steps):
        return [()] * len(release.steps)
    return [set(step.parameters) for step in plan]


def _step(step: StepDone, release: Published, inside: bool, given: Collection[str]) -> StepSummary:
    method = registry.find("mask", step.method)
    standing = _standing(method, step, release)
    last = release.steps[-1].method == step.method and release.steps[-1].parameters == step.parameters
    return StepSummary(
        method=method.name,
        title=title(method.name),
        summary=method.summary,
        settings=tuple(
            Setting(
                name=name,
                value=_written(method, name, value),
                about=method.parameter(name).kind.about,
                chosen=_is_chosen(method, name, value, given),
            )
            for name, value in step.parameters.items()
            if value is not None
        ),
        guarantees=standing,
        undone=bool(method.guarantees) and not standing and not last,
        by_design=method.by_design,
        cites=method.cites,
        facts=_step_facts(step, release) if inside else (),
    )


def _is_chosen(method: registry.Method, name: str, value: Any, given: Collection[str]) -> bool:
    """Whether a parameter was set for this release and can be named without repeating what records hold."""
    parameter = method.parameter(name)
    return name == "columns" or (
        not parameter.kind.holds_cells and (name in given or value != parameter.default)
    )


def _standing(method: registry.Method, step: StepDone, release: Published) -> tuple[str, ...]:
    """The properties of the published file that this step gave it, as its manifest tells them."""
    kinds = {each.checked_by.__name__ for each in method.guarantees}
    columns = {*(step.parameters.get("columns") or release.table.names)}
    return tuple(
        sentence(each["says"])
        for each in release.manifest.guarantees
        if each["guarantee"] in kinds and (not each["columns"] or columns & {*each["columns"]})
    )


def _written(method: registry.Method, name: str, value: Any) -> str:
    """A parameter's value for people. A table of categories is counted only: its words are cells of the data."""
    if isinstance(method.parameter(name).kind, Pairs):
        return f"{len(value)} categories into {len(set(value.values()))}"
    if isinstance(method.parameter(name).kind, Distributions):
        return ", ".join(f"{len(each)} shares" for each in value.values())
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:,.10g}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        if all(isinstance(each, str) for each in value):
            return names([str(each) for each in value], most=20)
        return "; ".join(_written(method, name, each) for each in value)
    return str(value)


def _step_facts(step: StepDone, release: Published) -> tuple[str, ...]:
    """What the step counted: bare numbers, and numbers by column. All else could hold a cell and is left out."""
    lines = []
    columns = {*release.table.names, *_dropped_names(release)}
    for name, value in step.facts.items():
        label = name.replace("_", " ")
        if _is_number(value):
            lines.append(f"{label}: {number(float(value))}")
        elif isinstance(value, Mapping) and value and _is_by_column(value, columns):
            parts = [f"{column} {number(float(many))}" for column, many in value.items()]
            lines.append(f"{label}: {', '.join(parts)}")
    return tuple(lines)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_by_column(value: Mapping[str, Any], columns: set[str]) -> bool:
    return all(name in columns and _is_number(each) for name, each in value.items())


def plain_facts(facts: Any) -> dict[str, Any]:
    """A record of facts, with the records in it, as data that JSON can hold."""
    made: dict[str, Any] = _plain(facts)
    return made


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return value
