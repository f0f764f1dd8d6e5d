"""Assessing: attacks by one intruder and measures of loss, run on one release."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from discreet import registry
from discreet.assessment.assessment import Assessment, NotDone, limits_of
from discreet.assessment.limits import check_limits
from discreet.assessment.score import score_of
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
from discreet.headline import HEADLINES, IDENTITY, Headline, attacks_of, before, headline, keys_perturbed
from discreet.households import filled_from_household
from discreet.intruder import OWNER, Intruder, View
from discreet.method_call import MethodCall
from discreet.progress import SILENT, Progress, part
from discreet.registry import Method
from discreet.release import Release
from discreet.results import Risk
from discreet.table import Scale, Table

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
    check_limits(ceilings or {}, floors or {})
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
        headlines=_headlines(done["attack"], not_done, original.keys, known, release.table),
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
    published: Table,
) -> tuple[Headline, ...]:
    """The headlines; where free text is published, which no attack reads, limits on them are not checked."""
    missed = {each.name: each.reason for each in not_done if each.kind == "attack" and each.applies}
    perturbed = keys_perturbed(risks.values(), [each.name for each in not_done if not each.applies])
    found = (headline(name, risks, missed, keys, known, len(published), perturbed) for name in HEADLINES)
    texts = published.having(None, [Scale.TEXT])
    unread = f"no attack reads the free text in {listed(texts)}" if texts else ""
    return tuple(
        replace(each, unchecked="; ".join(filter(None, (each.unchecked, unread))))
        for each in found
        if each is not None
    )


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
