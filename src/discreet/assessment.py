"""An assessment: all risks and losses of one release, the score, and the verdict against the steward's limits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from discreet import registry
from discreet.asking import Asked, asked
from discreet.caching import Cache, digest_of, digest_of_rows, key_of
from discreet.errors import (
    BadFile,
    BadOntology,
    BadParameter,
    BadTable,
    Mismatch,
    NotComputable,
    NotInstalled,
    UnknownColumn,
    WrongScale,
)
from discreet.intruder import OWNER, Intruder, View
from discreet.progress import SILENT, Progress, part
from discreet.registry import Method
from discreet.release import Release
from discreet.results import FORMAT, Loss, Risk, plain
from discreet.table import FloatArray, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class NotDone:
    """An attack or measure that could not be computed, and why. It says nothing about safety."""

    kind: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit the steward set, and how the release stands against it."""

    name: str
    bound: float
    found: float | None
    is_floor: bool

    @property
    def met(self) -> bool:
        """Whether the release keeps to the limit; what could not be computed does not."""
        if self.found is None:
            return False
        return self.found >= self.bound if self.is_floor else self.found <= self.bound

    def __str__(self) -> str:
        wanted = f"at least {self.bound:g}" if self.is_floor else f"at most {self.bound:.1%}"
        if self.found is None:
            return f"{self.name} must be {wanted}: could not be computed"
        found = f"{self.found:g}" if self.is_floor else f"{self.found:.1%}"
        return f"{self.name} must be {wanted}: {found}, {'met' if self.met else 'exceeded'}"

    def to_dict(self) -> dict[str, Any]:
        kind = "floor" if self.is_floor else "ceiling"
        return {"name": self.name, kind: self.bound, "found": self.found, "met": self.met}


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Risk and loss in one number, in percent: alpha times the loss plus the rest times the risk. Small is good."""

    il: float
    dr: float
    alpha: float

    @property
    def score(self) -> float:
        return self.alpha * self.il + (1 - self.alpha) * self.dr

    def to_dict(self) -> dict[str, float]:
        return {"il": self.il, "dr": self.dr, "alpha": self.alpha, "score": self.score}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Assessment:
    """What attacks by one intruder, and measures of loss, found about one release."""

    original: Table = field(repr=False)
    release: Release = field(repr=False)
    risks: tuple[Risk, ...]
    losses: tuple[Loss, ...]
    not_done: tuple[NotDone, ...]
    limits: tuple[Limit, ...]
    score: Score | None
    intruder: Intruder = OWNER

    @property
    def acceptable(self) -> bool:
        """Whether every limit that was set is met."""
        return all(limit.met for limit in self.limits)

    def risk(self, name: str) -> Risk | None:
        return next((each for each in self.risks if each.name == name), None)

    def loss(self, name: str) -> Loss | None:
        return next((each for each in self.losses if each.name == name), None)

    @property
    def known_keys(self) -> list[str]:
        """The published quasi-identifiers that the intruder knew."""
        return self.intruder.known_keys(self.original, self.release.table)

    @property
    def records(self) -> FloatArray:
        """For each masked record the highest chance that a linking attack gives an intruder."""
        found = [risk.records for risk in self.risks if risk.names_people and risk.records is not None]
        return np.max(found, axis=0) if found else np.zeros(len(self.release.table))

    def __str__(self) -> str:
        lines = [] if self.intruder == OWNER else [f"attacked by {self.intruder}"]
        lines += [str(each) for each in (*self.risks, *self.losses, *self.limits)]
        lines += [f"{each.name}: not computed ({each.reason})" for each in self.not_done]
        if self.score is not None:
            lines.append(
                f"score: {self.score.score:.1f} (loss {self.score.il:.1f}, risk {self.score.dr:.1f})"
            )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """All of it but the records, safe for JSON."""
        return {
            "format": FORMAT,
            "release": self.release.manifest.to_dict(),
            "intruder": self.intruder.to_dict(),
            "risks": [each.to_dict() for each in self.risks],
            "losses": [each.to_dict() for each in self.losses],
            "not_computed": [
                {"kind": each.kind, "name": each.name, "reason": each.reason} for each in self.not_done
            ],
            "limits": [each.to_dict() for each in self.limits],
            "acceptable": self.acceptable,
            "score": None if self.score is None else self.score.to_dict(),
        }


def score_of(risks: Mapping[str, Risk], losses: Mapping[str, Loss], alpha: float) -> Score | None:
    """The score of Domingo-Ferrer and Torra, in percent, or None where a part of it was not computed.

    DR averages linkage (distance based, and probabilistic where it was run) with interval disclosure.
    """
    if "link" not in risks or "interval_disclosure" not in risks or "il" not in losses:
        return None
    linkage = [risks[name].risk for name in ("link", "link_probabilistic") if name in risks]
    dr = 100 * (float(np.mean(linkage)) + risks["interval_disclosure"].risk) / 2
    return Score(il=losses["il"].loss, dr=dr, alpha=alpha)


DOES_NOT_FIT = (
    NotComputable,
    WrongScale,
    BadTable,
    UnknownColumn,
    Mismatch,
    BadOntology,
    BadFile,
    NotInstalled,
)
"""Why an attack or a measure has no answer here; the last three are ontologies that cannot be read."""


def assess(
    original: Table,
    release: Release,
    *,
    attacks: Sequence[str] | None = None,
    losses: Sequence[str] | None = None,
    ceilings: Mapping[str, float] | None = None,
    floors: Mapping[str, float] | None = None,
    alpha: float = 0.5,
    intruder: Intruder = OWNER,
    cache: Cache | None = None,
    progress: Progress = SILENT,
) -> Assessment:
    """The assessment of a release by the attacks and losses named, or by all cheap ones that fit.

    A name may carry parameters: "link distance=mahalanobis", "learned distance=bilinear seconds=30".

    `ceilings` are the highest risks allowed, as shares, and `floors` the lowest levels (the k of k_anonymity); what
    they name is computed too. One that cannot be computed on this data is listed with its reason and counts as a
    limit not met, never as safe. An attack named in `attacks` that cannot be computed is an error. `intruder` says what
    the attacks know; the default is the worst case, and with a population `k_map` is among the usual attacks. With a
    `cache`, what was computed before for exactly the same tables and question is taken from there.
    """
    if not 0 <= alpha <= 1:
        raise BadParameter("assess: alpha, the weight of the loss, must be from 0 to 1.")
    _check_limits(ceilings or {}, floors or {})
    release.check_original(original)
    limited = [*(ceilings or {}), *(floors or {})]
    todo = _chosen("attack", attacks, limited, original, intruder) + _chosen("loss", losses, [], original)
    _check_population(intruder, todo)
    done: dict[str, dict[str, Any]] = {"attack": {}, "loss": {}}
    not_done: list[NotDone] = []
    by_name = {*(attacks or ()), *(losses or ())}
    ask = partial(_ask, original=original, release=release, intruder=intruder, cache=cache)
    if cache is not None:
        ask = partial(ask, about={"original": digest_of(original), "masked": digest_of(release.table)})
    for place, each in enumerate(todo):
        progress(place, len(todo), each.label)
        try:
            done[each.method.kind][each.label] = replace(
                ask(each, progress=part(progress, place, len(todo), each.label)), name=each.label
            )
        except DOES_NOT_FIT as reason:
            if each.label in by_name:
                raise
            not_done.append(NotDone(kind=each.method.kind, name=each.label, reason=str(reason)))
    progress(len(todo), len(todo), "assessed")
    return Assessment(
        original=original,
        release=release,
        risks=tuple(done["attack"].values()),
        losses=tuple(done["loss"].values()),
        not_done=tuple(not_done),
        limits=_limits(done["attack"], ceilings or {}, floors or {}),
        score=score_of(done["attack"], done["loss"], alpha),
        intruder=intruder,
    )


def _check_limits(ceilings: Mapping[str, float], floors: Mapping[str, float]) -> None:
    """Raises BadParameter where a limit is none: a ceiling of 10 meant as percent would be met by anything."""
    for name, bound in ceilings.items():
        if not 0 <= bound <= 1:
            raise BadParameter(
                f"assess: the ceiling of {name} must be from 0 to 1, such as 0.1 for ten percent; got {bound:g}."
            )
    for name, bound in floors.items():
        if not math.isfinite(bound):
            raise BadParameter(f"assess: the floor of {name} must be a number; got {bound:g}.")


def _check_population(intruder: Intruder, todo: Sequence[Asked]) -> None:
    """Raises BadParameter where a population is given and no attack counts people in it."""
    if intruder.population is None or any("population" in each.method.extras for each in todo):
        return
    takers = [each.name for each in registry.methods("attack") if "population" in each.extras]
    raise BadParameter(
        f"assess: a population is used by {', '.join(takers)} alone, which is not asked for. Ask for it too, or leave "
        "the population out."
    )


def _chosen(
    kind: Literal["attack", "loss"],
    names: Sequence[str] | None,
    also: Sequence[str],
    table: Table,
    intruder: Intruder = OWNER,
) -> list[Asked]:
    """The methods named, or all cheap ones that fit the table; and those that a limit names."""
    wanted = [asked(kind, name) for name in dict.fromkeys([*(names or ()), *also])]
    if names is None:
        wanted += [
            Asked(label=each.name, method=each, parameters={})
            for each in registry.methods(kind)
            if (each.cost == "cheap" or (intruder.population is not None and "population" in each.extras))
            and not each.fits(table)
            and each.name not in also
        ]
    return wanted


def _ask(
    wanted: Asked,
    *,
    original: Table,
    release: Release,
    intruder: Intruder,
    cache: Cache | None,
    progress: Progress,
    about: Mapping[str, str] | None = None,
) -> Any:
    """The result of a method, from the cache where exactly this was computed before."""
    if cache is None or about is None:
        return _run(wanted, original, release, intruder, progress)
    key = key_of(
        {
            **about,
            "kind": wanted.method.kind,
            "method": wanted.method.name,
            "parameters": plain(wanted.parameters),
            "intruder": intruder.to_dict(),
            "manifest": release.manifest.to_dict()["steps"],
            "truth": digest_of_rows(release.truth),
        }
    )
    found = cache.get(key)
    if found is None:
        found = _run(wanted, original, release, intruder, progress)
        cache.put(key, found)
    return found


def _run(wanted: Asked, original: Table, release: Release, intruder: Intruder, progress: Progress) -> Any:
    method = wanted.method
    extras: dict[str, Any] = {"truth": release.truth, "progress": progress}
    parameters = dict(wanted.parameters)
    known = original
    if method.kind == "attack":
        view = intruder.view(original, release.table, release.truth)
        known = view.known
        manifest = release.manifest if intruder.reads_manifest else None
        extras |= {"truth": view.truth, "training": view.training, "manifest": manifest}
        extras |= {"population": intruder.population}
        if "original" not in method.tables:
            parameters = {**_known_keys(method, view), **parameters}
    tables = {"original": known, "masked": release.table}
    given = {name: tables[name] for name in method.tables}
    handed = {name: extras[name] for name in method.extras if name in extras}
    return method.function(**given, **handed, **parameters)


def _known_keys(method: Method, view: View) -> dict[str, Any]:
    """The keys that the intruder knows, for an attack on the published table alone, which would take them all."""
    known = [name for name in view.masked.keys if name in view.known.names]
    takes_keys = any(each.name == "keys" for each in method.parameters)
    return {"keys": known} if takes_keys and len(known) < len(view.masked.keys) else {}


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
