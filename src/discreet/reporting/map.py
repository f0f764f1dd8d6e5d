"""The R-U map of a report: risk against loss, this release among its alternatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discreet import registry
from discreet.asking import name_in
from discreet.assessment import DOES_NOT_FIT, Assessment, assess
from discreet.attack import k_anonymity
from discreet.plan import Plan
from discreet.protection import protect
from discreet.reporting.words import whole_of
from discreet.results import Loss, Risk

RELEASE, ORIGINAL, NOTHING = "this release", "publish the original", "publish nothing"
LINKING = ("linkage", "transparency")
"""The families of attacks that look for each record's owner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One way to publish: its risk, as a share, and its loss, as the measure counts it."""

    name: str
    risk: float
    loss: float
    kind: str = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Map:
    """Points by the risk of one attack and the loss of one measure, and the ceiling set for that attack."""

    attack: str
    measure: str
    points: tuple[Point, ...]
    ceilings: tuple[tuple[str, float], ...]


def map_of(assessment: Assessment, reference: Sequence[tuple[str, float, float]]) -> Map | None:
    """The map, or None where no risk or no loss was computed."""
    risk, loss = _risk_axis(assessment), _loss_axis(assessment)
    if risk is None or loss is None:
        return None
    points = [Point(name=name, risk=float(x), loss=float(y)) for name, x, y in reference]
    points += _corners(assessment, risk, loss)
    points.append(Point(name=RELEASE, risk=risk.risk, loss=loss.loss, kind=RELEASE))
    ceilings = tuple(
        ("limit", limit.bound)
        for limit in assessment.limits
        if limit.name == risk.name and not limit.is_floor
    )
    return Map(attack=risk.name, measure=loss.name, points=tuple(points), ceilings=ceilings)


def _risk_axis(assessment: Assessment) -> Risk | None:
    """The attack that a ceiling is set for, or else the one that finds most people, or else any."""
    limited = {limit.name for limit in assessment.limits if not limit.is_floor}
    ordered = sorted(
        assessment.risks,
        key=lambda risk: (
            risk.name not in limited,
            not risk.names_people,
            risk.level is not None,
            -risk.risk,
        ),
    )
    return ordered[0] if ordered else None


def _loss_axis(assessment: Assessment) -> Loss | None:
    return assessment.loss("il") or next(iter(assessment.losses), None)


def _corners(assessment: Assessment, risk: Risk, loss: Loss) -> list[Point]:
    """The two ends of every choice: all of the original, and nothing at all."""
    corners = []
    unmasked = _unmasked(assessment, risk)
    if unmasked is not None:
        corners.append(Point(name=ORIGINAL, risk=unmasked, loss=0.0, kind=ORIGINAL))
    whole = whole_of(loss.name)
    if whole is not None:
        corners.append(Point(name=NOTHING, risk=0.0, loss=whole, kind=NOTHING))
    return corners


def _unmasked(assessment: Assessment, risk: Risk) -> float | None:
    """What the attack gets from the original itself, or None where that has no answer.

    Whoever links unmasked records finds each among those with the same keys: one in as many as there are. Every other
    attack is run on the original as it is.
    """
    original, intruder = assessment.original, assessment.intruder
    if registry.find("attack", name_in(risk.name)).family in LINKING:
        keys = [name for name in assessment.known_keys if name in original.names]
        return float((1.0 / k_anonymity(original, keys=keys).sizes).mean()) if keys else None
    nothing_masked = protect(original, Plan.of([]))
    try:
        return (
            assess(original, nothing_masked, attacks=[risk.name], losses=[], intruder=intruder).risks[0].risk
        )
    except DOES_NOT_FIT:
        return None
