"""From an original and its release to an assessment: every attack and measure that fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from discreet import registry
from discreet.assessment import Assessment, Limit, NotDone, score_of
from discreet.errors import BadParameter, BadTable, Mismatch, NotComputable, UnknownColumn, WrongScale
from discreet.progress import SILENT, Progress
from discreet.registry import Method
from discreet.release import Release
from discreet.table import Table

DOES_NOT_FIT = (NotComputable, WrongScale, BadTable, UnknownColumn, Mismatch)


def assess(
    original: Table,
    release: Release,
    *,
    attacks: Sequence[str] | None = None,
    losses: Sequence[str] | None = None,
    ceilings: Mapping[str, float] | None = None,
    floors: Mapping[str, float] | None = None,
    alpha: float = 0.5,
    progress: Progress = SILENT,
) -> Assessment:
    """The assessment of a release by the attacks and losses named, or by all cheap ones that fit.

    `ceilings` are the highest risks allowed, as shares, and `floors` the lowest levels (the k of k_anonymity); what
    they name is computed too. One that cannot be computed on this data is listed with its reason and counts as a
    limit not met, never as safe. An attack named in `attacks` that cannot be computed is an error.
    """
    if not 0 <= alpha <= 1:
        raise BadParameter("assess: alpha, the weight of the loss, must be from 0 to 1.")
    if len(original) != release.original_records:
        raise Mismatch(
            f"the release was made of {release.original_records} records and the original given has {len(original)}."
        )
    limited = [*(ceilings or {}), *(floors or {})]
    todo = _chosen("attack", attacks, limited, original) + _chosen("loss", losses, [], original)
    done: dict[str, dict[str, Any]] = {"attack": {}, "loss": {}}
    not_done: list[NotDone] = []
    asked = {*(attacks or ()), *(losses or ())}
    for place, method in enumerate(todo):
        progress(place, len(todo), method.name)
        try:
            done[method.kind][method.name] = _run(method, original, release)
        except DOES_NOT_FIT as reason:
            if method.name in asked:
                raise
            not_done.append(NotDone(kind=method.kind, name=method.name, reason=str(reason)))
    progress(len(todo), len(todo), "assessed")
    return Assessment(
        original=original,
        release=release,
        risks=tuple(done["attack"].values()),
        losses=tuple(done["loss"].values()),
        not_done=tuple(not_done),
        limits=_limits(done["attack"], ceilings or {}, floors or {}),
        score=score_of(done["attack"], done["loss"], alpha),
    )


def _chosen(
    kind: Literal["attack", "loss"], names: Sequence[str] | None, also: Sequence[str], table: Table
) -> list[Method]:
    """The methods named, or all cheap ones that fit the table; and those that a limit names."""
    wanted = [registry.find(kind, name) for name in dict.fromkeys([*(names or ()), *also])]
    if names is None:
        wanted += [
            each
            for each in registry.methods(kind)
            if each.cost == "cheap" and not each.fits(table) and each not in wanted
        ]
    return wanted


def _run(method: Method, original: Table, release: Release) -> Any:
    tables = {"original": original, "masked": release.table, "table": release.table}
    extras: dict[str, Any] = {"truth": release.truth, "manifest": release.manifest, "progress": SILENT}
    given = {name: tables[name] for name in method.tables}
    return method.function(**given, **{name: extras[name] for name in method.extras if name in extras})


def _limits(
    risks: Mapping[str, Any], ceilings: Mapping[str, float], floors: Mapping[str, float]
) -> tuple[Limit, ...]:
    found = [
        Limit(
            name=name,
            bound=bound,
            found=None if name not in risks else (risks[name].level if is_floor else risks[name].risk),
            is_floor=is_floor,
        )
        for bounds, is_floor in ((ceilings, False), (floors, True))
        for name, bound in bounds.items()
    ]
    for limit in found:
        if limit.is_floor and limit.name in risks and limit.found is None:
            raise BadParameter(
                f"assess: '{limit.name}' reaches no level that a floor could be set for; use a ceiling."
            )
    return tuple(found)
