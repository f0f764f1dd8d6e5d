"""Assessing: attacks by one intruder and measures of loss, run on one release."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from discreet import registry
from discreet.assessment.assessment import Assessment, NotDone, limits_of
from discreet.assessment.limits import check_limits
from discreet.assessment.score import score_of
from discreet.assessment.sides import Sides, sides_of
from discreet.caching import Cache
from discreet.dataset import Dataset
from discreet.errors import (
    BadFile,
    BadOntology,
    BadParameter,
    BadTable,
    DoesNotApply,
    Mismatch,
    NotComputable,
    NotInstalled,
    NotSplit,
    UnknownColumn,
    WrongScale,
    listed,
)
from discreet.headline import HEADLINES, IDENTITY, Headline, attacks_of, counts_for, headline, keys_perturbed
from discreet.intruder import OWNER, Intruder
from discreet.method_call import MethodCall
from discreet.progress import SILENT, Progress, part
from discreet.release import Release, ReleaseInParts
from discreet.results import Risk
from discreet.table import Described, Scale, Table

ORDER_TOLD = "records stand in the order of the original, which gives everybody away to whoever knows it"
DOES_NOT_FIT = (
    NotComputable,
    WrongScale,
    BadTable,
    UnknownColumn,
    Mismatch,
    BadOntology,
    NotSplit,
    BadFile,
    NotInstalled,
)
"""Why an attack or a measure has no answer here; the last two are, with BadOntology, ontologies that cannot be read."""


def assess(
    original: Table | Dataset,
    release: Release | ReleaseInParts | None = None,
    *,
    attacks: Sequence[str] | None = None,
    losses: Sequence[str] | None = None,
    ceilings: Mapping[str, float] | None = None,
    floors: Mapping[str, float] | None = None,
    alpha: float = 0.5,
    intruder: Intruder = OWNER,
    cache: Cache | None = None,
    engine: Any = None,
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

    A dataset and its release (`Release.scan`) are judged in parts, in threads or where the `engine` runs them: up to
    100,000 people are looked for among all records. What does not work in parts is not computed, and named.
    """
    if not 0 <= alpha <= 1:
        raise BadParameter("assess: alpha, the weight of the loss, must be from 0 to 1.")
    check_limits(ceilings or {}, floors or {})
    limited = [*(ceilings or {}), *(floors or {})]
    # What attacks find of each record is held to the end; measures, which take more room while they run, come before.
    todo = _chosen("loss", losses, [], original) + _chosen("attack", attacks, limited, original, intruder)
    _check_population(intruder, todo)
    by_name = {*(attacks or ()), *(losses or ())}
    with sides_of(original, release, intruder, cache, engine) as sides:
        exposed = sides.before()
        done, not_done = _all_done(todo, by_name, sides, progress)
        found = Assessment(
            original=sides.original,
            release=sides.release,
            headlines=_headlines(
                done["attack"],
                not_done,
                original.keys,
                sides.known,
                sides.published,
                _order_told(release),
            ),
            before=exposed,
            risks=tuple(done["attack"].values()),
            losses=tuple(done["loss"].values()),
            not_done=not_done,
            limits=(),
            score=score_of(done["attack"], done["loss"], alpha),
            intruder=intruder,
            people=sides.people,
        )
    return replace(found, limits=limits_of(found, ceilings or {}, floors or {}))


def _all_done(
    todo: Sequence[MethodCall], by_name: Collection[str], sides: Sides, progress: Progress
) -> tuple[dict[str, dict[str, Any]], tuple[NotDone, ...]]:
    """The results of the methods by kind and label, and those that could not be computed.

    What was asked for by name and cannot be used as it is, such as an ontology that cannot be read, is an error.
    """
    done: dict[str, dict[str, Any]] = {"attack": {}, "loss": {}}
    not_done: list[NotDone] = []
    for place, each in enumerate(todo):
        progress(place, len(todo), each.label)
        try:
            done[each.method.kind][each.label] = replace(
                sides.result(each, part(progress, place, len(todo), each.label)), name=each.label
            )
        except DOES_NOT_FIT as reason:
            if each.label in by_name and not isinstance(reason, NotComputable | NotSplit):
                raise
            missed = NotDone(
                kind=each.method.kind,
                name=each.label,
                reason=str(reason),
                applies=not isinstance(reason, DoesNotApply),
                in_memory_alone=isinstance(reason, NotSplit),
            )
            not_done.append(missed)
    progress(len(todo), len(todo), "assessed")
    return done, tuple(sorted(not_done, key=lambda each: each.kind))


def _headlines(
    risks: Mapping[str, Risk],
    not_done: Sequence[NotDone],
    keys: Sequence[str],
    known: Sequence[str],
    published: Described,
    order_told: str,
) -> tuple[Headline, ...]:
    """The headlines; limits on them are not checked where the file tells what no attack reads: free text, an order."""
    missed = {each.name: each.reason for each in not_done if each.kind == "attack" and each.applies}
    perturbed = keys_perturbed(risks.values(), [each.name for each in not_done if not each.applies])
    found = (headline(name, risks, missed, keys, known, len(published), perturbed) for name in HEADLINES)
    texts = published.having(None, [Scale.TEXT])
    unread = f"no attack reads the free text in {listed(texts)}" if texts else ""
    return tuple(
        replace(
            each,
            unchecked="; ".join(filter(None, (each.unchecked, unread, order_told, _untried(each, not_done)))),
        )
        for each in found
        if each is not None
    )


def _order_told(release: Release | ReleaseInParts | None) -> str:
    """That records stand in the order of the original, of a release that says so; the original alone says nothing."""
    return ORDER_TOLD if release is not None and release.manifest.order == "kept" else ""


def _untried(found: Headline, not_done: Sequence[NotDone]) -> str:
    """That attacks which might find more were left out because they do not work on a dataset in parts."""
    names = [
        each.name
        for each in not_done
        if each.in_memory_alone
        and each.kind == "attack"
        and counts_for(found.name, each.name)
        and each.reason not in found.unchecked
    ]
    return f"{listed(names)} might find more, and need the whole table in memory" if names else ""


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
    table: Described,
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
