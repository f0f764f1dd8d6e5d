"""The facts of a report: everything that the page and the JSON say, and nothing they do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from discreet import registry
from discreet.assessment import Assessment
from discreet.distributions import Distribution, distributions
from discreet.exposure import Exposure, exposure
from discreet.manifest import made_with
from discreet.parameters import Distributions, Pairs
from discreet.release import Release, StepDone
from discreet.reporting.findings import Finding, Unknown, loss_findings, risk_findings, unknown_findings
from discreet.reporting.limitations import Limitations, limitations
from discreet.reporting.summary import Verdict, summary, verdict
from discreet.reporting.words import names, number, title
from discreet.ru_map import Map, map_of
from discreet.verification import NOT_CHECKED, WHEN_SAVED, guarantees_checked

FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One parameter of a step, as written in the report, and what it is for."""

    name: str
    value: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSummary:
    """One masking step. `facts` is what it did to the data, for the inside only."""

    method: str
    title: str
    summary: str
    settings: tuple[Setting, ...]
    guarantees: tuple[str, ...]
    by_design: tuple[str, ...]
    cites: tuple[str, ...]
    facts: tuple[str, ...]


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
    """A report as data. `columns`, `map` and `exposure` are for the inside only and empty outside."""

    audience: str
    table: str
    records: int
    column_count: int
    made_with: Mapping[str, str]
    doubt: str
    verdict: Verdict
    summary: tuple[str, ...]
    done: Done
    risks: tuple[Finding, ...]
    losses: tuple[Finding, ...]
    unknown: tuple[Unknown, ...]
    limitations: Limitations
    columns: tuple[Distribution, ...] = ()
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
            for inside in ("columns", "map", "exposure"):
                del payload[inside]
        return payload


def facts_of(assessment: Assessment, audience: str, reference: Sequence[tuple[str, float, float]]) -> Facts:
    """The facts of an assessment for this audience.

    Outside there are no distributions, no numbers by column, no records, no map; risks and losses are rounded.
    """
    release = assessment.release
    inside = audience == "internal"
    return Facts(
        audience=audience,
        table=release.table.name,
        records=len(release.table),
        column_count=len(release.table.columns),
        made_with=made_with(),
        doubt=release.doubt,
        verdict=verdict(assessment.limits, inside),
        summary=summary(assessment, inside),
        done=_done(release, inside),
        risks=risk_findings(assessment, inside),
        losses=loss_findings(assessment, inside),
        unknown=unknown_findings(assessment.not_done, inside),
        limitations=limitations(assessment),
        columns=distributions(assessment.original, release) if inside else (),
        map=map_of(assessment, reference) if inside else None,
        exposure=exposure(assessment) if inside else None,
    )


def _steps(release: Release, inside: bool) -> tuple[StepDone, ...]:
    """The steps, inside with all of their parameters, also those that the public half leaves out."""
    private = release.private
    if not inside or private is None or len(private.parameters) != len(release.steps):
        return release.steps
    pairs = zip(release.steps, private.parameters, strict=True)
    return tuple(replace(step, parameters=whole) for step, whole in pairs)


def _done(release: Release, inside: bool) -> Done:
    manifest = release.manifest
    return Done(
        steps=tuple(_step(step, release, inside) for step in _steps(release, inside)),
        checks=_checks(release),
        dropped=manifest.dropped,
        dropped_names=_dropped_names(release) if inside else (),
        pseudonymised=manifest.pseudonymised,
        order=manifest.order,
    )


def _dropped_names(release: Release) -> tuple[str, ...]:
    return () if release.private is None else release.private.dropped


def _checks(release: Release) -> tuple[Check, ...]:
    """The guarantees and whether they hold.

    What the file alone does not show was checked when it was saved, if something vouches for the manifest that says so.
    """
    return tuple(
        Check(says=each.says, state=WHEN_SAVED)
        if each.state == NOT_CHECKED and not release.doubt
        else Check(says=each.says, state=each.state, fault=each.why)
        for each in guarantees_checked(release)
    )


def _step(step: StepDone, release: Release, inside: bool) -> StepSummary:
    method = registry.find("mask", step.method)
    return StepSummary(
        method=method.name,
        title=title(method.name),
        summary=method.summary,
        settings=tuple(
            Setting(name=name, value=_written(method, name, value), about=method.parameter(name).kind.about)
            for name, value in step.parameters.items()
            if value is not None
        ),
        guarantees=tuple(each.says for each in method.guarantees),
        by_design=method.by_design,
        cites=method.cites,
        facts=_step_facts(step, release) if inside else (),
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


def _step_facts(step: StepDone, release: Release) -> tuple[str, ...]:
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
