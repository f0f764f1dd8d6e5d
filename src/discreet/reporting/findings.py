"""Each risk and each loss as the report shows it: the number, what it means, and what it is compared with."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from discreet import registry
from discreet.assessment import EXCEEDED, Assessment, Limit, NotDone
from discreet.headline import ATTRIBUTE, IDENTITY, Before, Headline
from discreet.method import Unit
from discreet.method_call import name_in, unit_of
from discreet.reporting.words import (
    inside_sentence,
    loss_share,
    loss_shown,
    names,
    number,
    percent,
    rounded_percent,
    sentence,
    title,
)
from discreet.results import Loss, Risk

FAMILIES = ("statistics", "probabilistic", "squares", "tables", "categories")
"""Families of measures in the order in which a reader of statistics asks for them; all others follow."""
CLASS_FAMILIES = ("uniqueness", "models")
CHANGED = (
    "Values were changed and not only made coarser, so that records that look alike say little about risk; see the "
    "attacks that find people"
)
HEADLINE_UNITS = {
    IDENTITY: "share of the published records",
    ATTRIBUTE: "share of what guessing leaves open",
}
BARE_UNITS = {
    "share": "as a share, from 0",
    "percent": "percent",
    "number": "number without a unit",
    "from 0 to 1": "on a scale from 0 to 1",
}
LEVELS = ("k", "l", "t")
NO_REASON = "it has no value on this data, or does not fit it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One number. `share` is its place on a bar from 0 to 1, None where the measure has no such scale."""

    name: str
    title: str
    value: float
    shown: str
    meaning: str
    share: float | None
    unit: str = ""
    interval: tuple[float, float] | None = None
    baseline: float | None = None
    limit: float | None = None
    exceeded: bool = False
    notes: tuple[str, ...] = ()
    by_column: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """What could not be computed, and why."""

    kind: str
    name: str
    title: str
    reason: str


def risk_findings(assessment: Assessment, inside: bool) -> tuple[Finding, ...]:
    """The risks: headlines, then people being found, levels of privacy models, and all others; the highest first."""
    ordered = sorted(
        assessment.risks, key=lambda risk: (not risk.reidentifies, risk.level is not None, -risk.risk)
    )
    known = [each for each in assessment.headlines if each.attacks]
    return tuple(
        risk_finding(
            risk,
            assessment.limits,
            assessment.before,
            inside,
            about_classes=_is_about_classes(risk) and assessment.keys_perturbed,
        )
        for risk in (*known, *ordered)
    )


def risk_finding(
    risk: Risk,
    every: Sequence[Limit],
    before: Before,
    inside: bool,
    *,
    about_classes: bool = False,
    heading: str = "",
) -> Finding:
    """One risk with the limits on it, under the title of the attack unless another heading is given.

    `about_classes` says that it counts equal records where these no longer tell anything.
    """
    limits = [limit for limit in every if limit.name == risk.name]
    ceiling = next((limit.bound for limit in limits if not limit.is_floor), None)
    return Finding(
        name=risk.name,
        title=heading or title(risk.name),
        value=risk.risk if inside else outside_share(risk.risk),
        shown=percent(risk.risk) if inside else rounded_percent(risk.risk),
        meaning=sentence(risk.meaning) + ".",
        share=None
        if about_classes
        else min(1.0, max(0.0, risk.risk if inside else outside_share(risk.risk))),
        unit="" if heading else _unit_of_risk(risk),
        interval=risk.interval if inside and not about_classes else None,
        baseline=risk.baseline,
        limit=ceiling,
        exceeded=any(limit.status == EXCEEDED for limit in limits),
        notes=(
            *((CHANGED,) if about_classes else ()),
            *_headline_notes(risk, before, inside),
            *_risk_notes(risk, limits, inside),
        ),
        by_column=_by_column(risk, inside),
    )


def _unit_of_risk(risk: Risk) -> str:
    """What the number counts; empty where only its sentence says so, as of texts."""
    if isinstance(risk, Headline):
        return HEADLINE_UNITS[risk.name]
    method = next((each for each in registry.methods("attack") if each.name == name_in(risk.name)), None)
    return "" if method is None or method.unit is None else method.unit.name


def _is_about_classes(risk: Risk) -> bool:
    """Whether the risk counts published records that look alike."""
    method = registry.find("attack", name_in(risk.name)) if not isinstance(risk, Headline) else None
    return method is not None and method.family in CLASS_FAMILIES


def _headline_notes(risk: Risk, before: Before, inside: bool) -> list[str]:
    """Which attack set a headline, and what it would be for the original; and keys that an attack could not use."""
    notes = []
    if isinstance(risk, Headline):
        earlier = {"identity": before.identity, "attribute": before.attribute}[risk.name]
        notes.append(f"Set by: {inside_sentence(risk.attack)}")
        if earlier is not None and inside:
            notes.append(f"The original as it is: {percent(earlier)}")
        if risk.name == "attribute":
            right = percent(risk.details["rate"]) if inside else rounded_percent(risk.details["rate"])
            notes.append(f"Values guessed right: {right}")
    if risk.left_out:
        notes.append(
            f"Without {names(risk.left_out)}, which the intruder knows and this attack cannot compare"
        )
    return notes


def _risk_notes(risk: Risk, limits: list[Limit], inside: bool) -> list[str]:
    notes = []
    if risk.level is not None:
        name = next((each for each in LEVELS if each in risk.details), "")
        notes.append(f"Level reached: {name}{' = ' if name else ''}{number(risk.level)}")
    if risk.baseline is not None:
        notes.append(f"guessing: {percent(risk.baseline)}")
    if risk.interval is not None and inside:
        chance = f"95% interval: {percent(risk.interval[0])} to {percent(risk.interval[1])}"
        notes.append(chance if risk.by_chance else risk.interval_text)
    notes += [
        f"limit: at least {number(limit.bound)}"
        if limit.is_floor
        else f"limit: at most {percent(limit.bound)}"
        for limit in limits
    ]
    if inside and risk.attempts:
        notes.append(f"attempts: {risk.attempts:,}")
    if risk.failed:
        notes.append(
            f"attempts that failed and say nothing about safety: {risk.failed:,}"
            if inside
            else "some attempts failed and say nothing about safety"
        )
    return [sentence(each) for each in notes]


def _by_column(risk: Risk, inside: bool) -> tuple[tuple[str, str], ...]:
    return tuple((name, percent(value)) for name, value in risk.columns.items()) if inside else ()


def loss_findings(assessment: Assessment, inside: bool) -> tuple[Finding, ...]:
    """The losses, the overall one and its parts first."""
    return tuple(
        loss_finding(loss, unit_of(loss.name), inside) for loss in sorted(assessment.losses, key=_loss_place)
    )


def _loss_place(loss: Loss) -> tuple[bool, bool, int, str]:
    family = registry.find("loss", name_in(loss.name)).family
    return (
        loss.name != "lost",
        loss.name != "il",
        FAMILIES.index(family) if family in FAMILIES else len(FAMILIES),
        loss.name,
    )


def loss_finding(loss: Loss, unit: Unit, inside: bool, *, heading: str = "") -> Finding:
    """One loss in what its measure counts, under the title of the measure unless another heading is given."""
    share = loss_share(loss, unit)
    left_out = f"Parts without a value, left out: {loss.left_out:,}" if inside else "Some parts have no value"
    return Finding(
        name=loss.name,
        title=heading or title(loss.name),
        value=loss.loss if inside else _two_digits(loss.loss),
        shown=loss_shown(loss, unit) if inside else _outside_loss(loss, unit),
        meaning=sentence(loss.meaning) + ".",
        share=None if share is None else min(1.0, max(0.0, share if inside else outside_share(share))),
        unit="" if unit.in_percent else BARE_UNITS.get(unit.name, unit.name),
        notes=(left_out,) if loss.left_out else (),
        by_column=_loss_by_column(loss, unit) if inside else (),
    )


def _loss_by_column(loss: Loss, unit: Unit) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, loss_shown(Loss(name=loss.name, loss=value, meaning=""), unit))
        for name, value in loss.columns.items()
    )


def _outside_loss(loss: Loss, unit: Unit) -> str:
    share = loss_share(loss, unit)
    if share is None or not unit.in_percent:
        return f"about {_two_digits(loss.loss):g}"
    return rounded_percent(share)


def unknown_findings(
    not_done: Sequence[NotDone], inside: bool, heading: Callable[[str], str] = title
) -> tuple[Unknown, ...]:
    """What could not be computed, but for attacks on other releases. Reasons can hold counts, so they stay inside."""
    return tuple(
        Unknown(
            kind=each.kind,
            name=each.name,
            title=heading(each.name),
            reason=each.reason if inside else NO_REASON,
        )
        for each in not_done
        if each.applies
    )


def outside_share(share: float) -> float:
    """A share in whole percents; a risk that is not nothing stays at least one percent, one above 99% becomes all.

    >>> [outside_share(share) for share in (0, 0.001, 0.0312, 0.992)]
    [0, 0.01, 0.03, 1.0]
    """
    if 0 < share < 0.01:
        return 0.01
    return 1.0 if share > 0.99 else round(share, 2)


def _two_digits(value: float) -> float:
    return 0.0 if value == 0 else round(value, 1 - math.floor(math.log10(abs(value))))
