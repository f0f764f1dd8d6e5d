"""The R-U map of a report: risk against loss, this release among its alternatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discreet.assessment import DOES_NOT_FIT, Assessment, assess
from discreet.headline import IDENTITY
from discreet.method_call import unit_of
from discreet.results import Loss, Risk

OTHERS = (
    "Dots are other plans. A search tries them with quick attacks only; all attacks together can find more."
)
RELEASE, ORIGINAL, NOTHING = "this release", "publish the original", "publish nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPoint:
    """One way to publish: its risk, as a share, and its loss, as the measure counts it."""

    name: str
    risk: float
    loss: float
    kind: str = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Map:
    """Points by the risk of one attack and the loss of one measure, and the ceiling set for that attack.

    `unit` is what the loss is counted in, empty where it has none, and `note` says what to know of the other points.
    """

    attack: str
    measure: str
    points: tuple[MapPoint, ...]
    ceilings: tuple[tuple[str, float], ...]
    unit: str = ""
    note: str = ""


def map_of(assessment: Assessment, reference: Sequence[tuple[str, float, float]]) -> Map | None:
    """The map, or None where no risk or no loss was computed."""
    risk, loss = _risk_axis(assessment), _loss_axis(assessment)
    if risk is None or loss is None:
        return None
    points = [MapPoint(name=name, risk=float(x), loss=float(y)) for name, x, y in reference]
    points += _corners(assessment, risk, loss)
    points.append(MapPoint(name=RELEASE, risk=risk.risk, loss=loss.loss, kind=RELEASE))
    ceilings = tuple(
        ("limit", limit.bound)
        for limit in assessment.limits
        if limit.name == risk.name and not limit.is_floor
    )
    return Map(
        attack=risk.name,
        measure=loss.name,
        points=tuple(points),
        ceilings=ceilings,
        unit={100.0: "percent", 1.0: "share"}.get(unit_of(loss.name).whole or 0.0, ""),
        note=OTHERS if reference else "",
    )


def _risk_axis(assessment: Assessment) -> Risk | None:
    """The headline of people being found, or else the risk that a ceiling is set for, or else the highest."""
    if assessment.identity is not None and assessment.identity.attacks:
        return assessment.identity
    limited = {limit.name for limit in assessment.limits if not limit.is_floor}
    ordered = sorted(
        assessment.risks,
        key=lambda risk: (
            risk.name not in limited,
            not risk.reidentifies,
            risk.level is not None,
            -risk.risk,
        ),
    )
    return ordered[0] if ordered else None


def _loss_axis(assessment: Assessment) -> Loss | None:
    return assessment.lost or assessment.loss("il") or next(iter(assessment.losses), None)


def _corners(assessment: Assessment, risk: Risk, loss: Loss) -> list[MapPoint]:
    """The two ends of every choice: all of the original, and nothing at all."""
    corners = []
    unmasked = _unmasked(assessment, risk)
    if unmasked is not None:
        corners.append(MapPoint(name=ORIGINAL, risk=unmasked, loss=0.0, kind=ORIGINAL))
    whole = unit_of(loss.name).whole
    if whole is not None:
        corners.append(MapPoint(name=NOTHING, risk=0.0, loss=whole, kind=NOTHING))
    return corners


def _unmasked(assessment: Assessment, risk: Risk) -> float | None:
    """What the attack gets from the original itself, or None where that has no answer."""
    if risk.name == IDENTITY:
        return assessment.before.identity
    try:
        return (
            assess(assessment.original, attacks=[risk.name], losses=[], intruder=assessment.intruder)
            .risks[0]
            .risk
        )
    except (*DOES_NOT_FIT, IndexError):
        return None
