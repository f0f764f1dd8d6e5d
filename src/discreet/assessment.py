"""An assessment: all risks and losses of one release, the score, and the verdict against the steward's limits."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

import numpy as np
import polars as pl

from discreet import registry
from discreet.caching import Cache, as_kept, key_of
from discreet.digests import digest_of, digest_of_files
from discreet.errors import (
    BadFile,
    BadOntology,
    BadParameter,
    BadTable,
    DoesNotApply,
    Mismatch,
    NotComputable,
    NotInstalled,
    UnknownColumn,
    WrongScale,
    listed,
)
from discreet.headline import (
    ATTRIBUTE,
    HEADLINES,
    IDENTITY,
    NOTHING_CONFIDENTIAL,
    Before,
    Headline,
    attacks_of,
    before,
    headline,
    keys_perturbed,
)
from discreet.households import filled_from_household
from discreet.intruder import OWNER, Intruder, View
from discreet.method_call import MethodCall
from discreet.progress import SILENT, Progress, part
from discreet.registry import Method
from discreet.release import Release
from discreet.results import FORMAT, Loss, Risk
from discreet.table import FloatArray, Table, native_frame
from discreet.visible import visible_line

LOST = "lost"
"""The headline loss."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotDone:
    """An attack or measure that could not be computed, and why. It says nothing about safety.

    `applies` says whether it is meant for such a release at all.
    """

    kind: str
    name: str
    reason: str
    applies: bool = True


MET, EXCEEDED, NOT_CHECKED = "met", "exceeded", "not checked"
NO_LIMITS = "no limits"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit the steward set, and how the release stands against it.

    `set_by` is the attack that set a headline. `unchecked` says what keeps a limit from being called met: something it
    needs could not be computed, left out a key that the intruder knows, or left something untried that finds more.
    """

    name: str
    bound: float
    found: float | None
    is_floor: bool
    set_by: str = ""
    unchecked: str = ""

    @property
    def status(self) -> str:
        """ "met", "exceeded" or "not checked"; what is known to exceed a limit does so however much was left out."""
        if self.found is not None:
            kept = self.found >= self.bound if self.is_floor else self.found <= self.bound
            if not kept:
                return EXCEEDED
        return NOT_CHECKED if self.found is None or self.unchecked else MET

    @property
    def met(self) -> bool:
        """Whether the release is known to keep to the limit."""
        return self.status == MET

    def __str__(self) -> str:
        wanted = f"at least {self.bound:g}" if self.is_floor else f"at most {self.bound:.1%}"
        if self.found is None:
            return f"{self.name} must be {wanted}: {NOT_CHECKED}, {self.unchecked or 'could not be computed'}"
        found = f"{self.found:g}" if self.is_floor else f"{self.found:.1%}"
        by = f" by {self.set_by}" if self.set_by else ""
        why = f" ({self.unchecked})" if self.status == NOT_CHECKED else ""
        return f"{self.name} must be {wanted}: {found}{by}, {self.status}{why}"

    def to_dict(self) -> dict[str, Any]:
        kind = "floor" if self.is_floor else "ceiling"
        return {
            "name": self.name,
            kind: self.bound,
            "found": self.found,
            "status": self.status,
            "met": self.met,
            "set_by": self.set_by,
            "unchecked": self.unchecked,
        }


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


NOT_COMPUTED = "not computed"
ROW: Mapping[str, Any] = {
    "kind": pl.String,
    "name": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "bound": pl.Float64,
    "status": pl.String,
    "note": pl.String,
}
"""The columns of an assessment as a frame; `low` and `high` are the ends of an interval."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Assessment:
    """What attacks by one intruder, and measures of loss, found about one release.

    `headlines` are the largest risks of their kind; `before` is how exposed the original is as it is. Where no release
    was given, `release` is the original without its identifiers.
    """

    original: Table = field(repr=False)
    release: Release = field(repr=False)
    headlines: tuple[Headline, ...]
    before: Before
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

    @property
    def verdict(self) -> str:
        """The status of the worst limit: "exceeded", "not checked" or "met"; "no limits" where none was set."""
        statuses = [limit.status for limit in self.limits]
        return next((each for each in (EXCEEDED, NOT_CHECKED, MET) if each in statuses), NO_LIMITS)

    @property
    def identity(self) -> Headline | None:
        """The largest risk of the attacks that find people."""
        return next((each for each in self.headlines if each.name == IDENTITY), None)

    @property
    def attribute(self) -> Headline | None:
        """The largest gain over guessing of the attacks that learn confidential values."""
        return next((each for each in self.headlines if each.name == ATTRIBUTE), None)

    @property
    def lost(self) -> Loss | None:
        """The headline loss, in percent."""
        return self.loss(LOST)

    @property
    def keys_perturbed(self) -> bool:
        """Whether published keys were changed and not only made coarser: classes of equal records say little then."""
        return keys_perturbed(self.risks, [each.name for each in self.not_done if not each.applies])

    def risk(self, name: str) -> Risk | None:
        """The risk of this name: a headline, or what one attack found."""
        return next((each for each in (*self.headlines, *self.risks) if each.name == name), None)

    def loss(self, name: str) -> Loss | None:
        return next((each for each in self.losses if each.name == name), None)

    @property
    def known_keys(self) -> list[str]:
        """The published quasi-identifiers that the intruder knew."""
        return self.intruder.known_keys(self.original, self.release.table)

    @property
    def records(self) -> FloatArray:
        """For each masked record the highest chance that a linking attack gives an intruder."""
        found = [risk.records for risk in self.risks if risk.reidentifies and risk.records is not None]
        return np.fmax.reduce(found) if found else np.zeros(len(self.release.table))

    def to_frame(self) -> Any:
        """A row for each headline, risk, loss and limit, in the kind of frame that the original came in.

        What could not be computed has a row too, without a value and with the reason.
        """
        rows = [_row("headline", each.name, each.risk, note=each.unchecked) for each in self.headlines]
        rows += [_row("risk", each.name, each.risk, each.interval) for each in self.risks]
        rows += [_row("loss", each.name, each.loss) for each in self.losses]
        rows += [
            _row("limit", each.name, each.found, bound=each.bound, status=each.status, note=each.unchecked)
            for each in self.limits
        ]
        rows += [
            _row(each.kind, each.name, None, status=NOT_COMPUTED, note=each.reason) for each in self.not_done
        ]
        return native_frame(pl.DataFrame(rows, schema=ROW, orient="row"), self.original.native)

    def __repr__(self) -> str:
        found = [f"{each.name} {each.risk:.1%}" for each in self.headlines]
        words = ", ".join([*found, f"{len(self.risks)} risks", f"{len(self.losses)} losses"])
        return visible_line(f"<assessment of '{self.release.table.name}': {self.verdict}; {words}>")

    def _repr_html_(self) -> str:
        from discreet.notebook import assessment_html

        return assessment_html(self)

    def __str__(self) -> str:
        lines = [] if self.intruder == OWNER else [f"attacked by {self.intruder}"]
        lines += [str(each) for each in (*self.headlines, *self.risks, *self.losses, *self.limits)]
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
            "manifest_vouched_by": self.release.vouched_by,
            "doubt": self.release.doubt,
            "intruder": self.intruder.to_dict(),
            "headlines": [each.to_dict() for each in self.headlines],
            "before": self.before.to_dict(),
            "risks": [each.to_dict() for each in self.risks],
            "losses": [each.to_dict() for each in self.losses],
            "not_computed": [
                {"kind": each.kind, "name": each.name, "reason": each.reason, "applies": each.applies}
                for each in self.not_done
            ],
            "limits": [each.to_dict() for each in self.limits],
            "acceptable": self.acceptable,
            "score": None if self.score is None else self.score.to_dict(),
        }


def _row(
    kind: str,
    name: str,
    value: float | None,
    interval: tuple[float, float] | None = None,
    *,
    bound: float | None = None,
    status: str | None = None,
    note: str = "",
) -> tuple[Any, ...]:
    """A row of an assessment as a frame."""
    low, high = interval or (None, None)
    return kind, name, value, low, high, bound, status, note


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
    release: Release | None = None,
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

    Without a release it tells how exposed the original is as it is, its identifiers left out. A name may carry
    parameters: "link distance=mahalanobis", "learned distance=bilinear seconds=30"; "identity" and "attribute" stand
    for all usual attacks of their kind.

    `ceilings` are the highest risks allowed, as shares: of a headline ("identity", "attribute"), which is the largest
    risk of all attacks of its kind that were run, or of one attack. `floors` are the lowest levels (the k of
    k_anonymity). What they name is computed too. A limit is met, exceeded, or not checked: where something it needs
    cannot be computed, leaves out a key that the intruder knows, or leaves untried what can find more, it is never
    called met. What has no value on this data is listed with its reason. `intruder` says what the attacks know; the
    default is the worst case, and with a population `k_map` is among the usual attacks. With a `cache`, what was
    computed before for exactly the same tables and question is taken from there, and results hold what the cache keeps:
    the chances of the records, and not what an attack tells of each of them besides.
    """
    if not 0 <= alpha <= 1:
        raise BadParameter("assess: alpha, the weight of the loss, must be from 0 to 1.")
    _check_limits(ceilings or {}, floors or {})
    if release is None:
        release = _as_it_is(original)
    release.check_original(original)
    limited = [*(ceilings or {}), *(floors or {})]
    # What attacks find of each record is held to the end; measures, which take more room while they run, come before.
    todo = _chosen("loss", losses, [], original) + _chosen("attack", attacks, limited, original, intruder)
    _check_population(intruder, todo)
    by_name = {*(attacks or ()), *(losses or ())}
    known = intruder.known_keys(original, release.table)
    exposed = before(original, [name for name in known if name in original.names])
    done, not_done = _all_done(todo, by_name, original, release, intruder, cache, progress)
    found = Assessment(
        original=original,
        release=release,
        headlines=_headlines(done["attack"], not_done, original.keys, known, len(release.table)),
        before=exposed,
        risks=tuple(done["attack"].values()),
        losses=tuple(done["loss"].values()),
        not_done=not_done,
        limits=(),
        score=score_of(done["attack"], done["loss"], alpha),
        intruder=intruder,
    )
    return replace(found, limits=limits_of(found, ceilings or {}, floors or {}))


def _as_it_is(original: Table) -> Release:
    """The original with nothing masked, in its own order, without its identifiers."""
    from discreet.plan import Plan
    from discreet.protection import protect

    return protect(original, Plan.of([]), order="kept")


def _all_done(
    todo: Sequence[MethodCall],
    by_name: Collection[str],
    original: Table,
    release: Release,
    intruder: Intruder,
    cache: Cache | None,
    progress: Progress,
) -> tuple[dict[str, dict[str, Any]], tuple[NotDone, ...]]:
    """The results of the methods by kind and label, and those that could not be computed.

    What was asked for by name and cannot be used as it is, such as an ontology that cannot be read, is an error.
    """
    done: dict[str, dict[str, Any]] = {"attack": {}, "loss": {}}
    not_done: list[NotDone] = []
    intruder_table = as_intruder_reads(release.counted_table(original))
    ask = partial(
        _ask,
        original=original,
        release=release,
        intruder_table=intruder_table,
        intruder=intruder,
        cache=cache,
    )
    if cache is not None:
        ask = partial(ask, about=digest_of([original, release, intruder]))
    for place, each in enumerate(todo):
        progress(place, len(todo), each.label)
        try:
            done[each.method.kind][each.label] = replace(
                ask(each, progress=part(progress, place, len(todo), each.label)), name=each.label
            )
        except DOES_NOT_FIT as reason:
            if each.label in by_name and not isinstance(reason, NotComputable):
                raise
            applies = not isinstance(reason, DoesNotApply)
            not_done.append(
                NotDone(kind=each.method.kind, name=each.label, reason=str(reason), applies=applies)
            )
    progress(len(todo), len(todo), "assessed")
    return done, tuple(sorted(not_done, key=lambda each: each.kind))


def _headlines(
    risks: Mapping[str, Risk],
    not_done: Sequence[NotDone],
    keys: Sequence[str],
    known: Sequence[str],
    records: int,
) -> tuple[Headline, ...]:
    missed = {each.name: each.reason for each in not_done if each.kind == "attack" and each.applies}
    perturbed = keys_perturbed(risks.values(), [each.name for each in not_done if not each.applies])
    found = (headline(name, risks, missed, keys, known, records, perturbed) for name in HEADLINES)
    return tuple(each for each in found if each is not None)


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


def _check_population(intruder: Intruder, todo: Sequence[MethodCall]) -> None:
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
) -> list[MethodCall]:
    """The methods named, or all cheap ones that fit the table; and those that a limit names.

    A headline stands for all usual attacks of its kind.
    """
    usual = [IDENTITY] if kind == "attack" and names is None else []
    named = [
        each
        for name in [*(names or ()), *also, *usual]
        for each in (attacks_of(name, table) if kind == "attack" and name in HEADLINES else [name])
    ]
    wanted = [MethodCall.parse(kind, name) for name in dict.fromkeys(named)]
    if names is None:
        wanted += [
            MethodCall.of(kind, each.name, {})
            for each in registry.methods(kind)
            if (each.cost == "cheap" or (intruder.population is not None and "population" in each.extras))
            and not each.fits(table)
            and each.name not in named
        ]
    return wanted


def _ask(
    wanted: MethodCall,
    *,
    original: Table,
    release: Release,
    intruder_table: Table,
    intruder: Intruder,
    cache: Cache | None,
    progress: Progress,
    about: str = "",
) -> Any:
    """The result of a method, from the cache where exactly this was computed before; `about` is what all share."""
    if cache is None:
        return _run(wanted, original, release, intruder_table, intruder, progress)
    files = [digest_of_files(name, original.home) for name in wanted.files]
    key = key_of({"about": about, "asked": wanted, "files": files})
    found = cache.get(key)
    if found is None:
        found = _run(wanted, original, release, intruder_table, intruder, progress)
        cache.put(key, found)
        found = as_kept(found)
    return found


def as_intruder_reads(published: Table) -> Table:
    """The published table as an intruder reads it: what another member of a household tells stands in its blanks."""
    return filled_from_household(published, [name for name in published.keys if name in published.names])


def _run(
    wanted: MethodCall,
    original: Table,
    release: Release,
    intruder_table: Table,
    intruder: Intruder,
    progress: Progress,
) -> Any:
    """The result of a method: of attacks on what an intruder reads, of measures on what is published."""
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
    tables = {"original": known, "masked": intruder_table if method.kind == "attack" else release.table}
    given = {name: tables[name] for name in method.tables}
    handed = {name: extras[name] for name in method.extras if name in extras}
    return method.function(**given, **handed, **parameters)


def _known_keys(method: Method, view: View) -> dict[str, Any]:
    """The keys that the intruder knows, for an attack on the published table alone, which would take them all."""
    known = [name for name in view.masked.keys if name in view.known.names]
    takes_keys = any(each.name == "keys" for each in method.parameters)
    return {"keys": known} if takes_keys and len(known) < len(view.masked.keys) else {}


def limits_of(
    found: Assessment, ceilings: Mapping[str, float], floors: Mapping[str, float]
) -> tuple[Limit, ...]:
    """How an assessment stands against limits."""
    reasons = {ATTRIBUTE: NOTHING_CONFIDENTIAL, **{each.name: each.reason for each in found.not_done}}
    return tuple(
        _limit(name, bound, found.risk(name), is_floor, reasons.get(name, ""))
        for bounds, is_floor in ((ceilings, False), (floors, True))
        for name, bound in bounds.items()
    )


def _limit(name: str, bound: float, risk: Risk | None, is_floor: bool, reason: str) -> Limit:
    """How a limit stands; what names people and left out a key is no proof that it is kept."""
    if risk is None:
        return Limit(name=name, bound=bound, found=None, is_floor=is_floor, unchecked=reason)
    if is_floor and risk.level is None:
        raise BadParameter(f"assess: '{name}' reaches no level that a floor could be set for; use a ceiling.")
    if isinstance(risk, Headline):
        found = None if not risk.attacks else risk.risk
        reasons = [risk.unchecked, _doubt_of_sample(risk.sampled_up_to, bound)]
        unchecked = "; ".join(filter(None, reasons))
        return Limit(
            name=name, bound=bound, found=found, is_floor=False, set_by=risk.attack, unchecked=unchecked
        )
    reasons = [f"it could not use {listed(risk.left_out)}, which the intruder knows" if risk.left_out else ""]
    reasons.append(f"it did not try {risk.not_tried}" if risk.not_tried else "")
    if risk.of_a_sample and not is_floor:
        reasons.append(_doubt_of_sample(1.0 if risk.interval is None else risk.interval[1], bound))
    found = risk.level if is_floor else risk.risk
    unchecked = "; ".join(filter(None, reasons))
    return Limit(name=name, bound=bound, found=found, is_floor=is_floor, unchecked=unchecked)


def _doubt_of_sample(most: float | None, bound: float) -> str:
    """Why a sample of people does not show that a ceiling is kept; empty where it does, or where all were tried."""
    if most is None or most <= bound:
        return ""
    return f"a sample of people was looked for, which leaves up to {most:.1%} possible"
