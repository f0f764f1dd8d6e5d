"""The verdict, and the assessment in a few plain sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from discreet.assessment import EXCEEDED, LOST, MET, NO_LIMITS, NOT_CHECKED, Assessment, Limit
from discreet.dataset import Dataset
from discreet.headline import ATTRIBUTE, IDENTITY
from discreet.method_call import name_in
from discreet.reporting.words import (
    count,
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
from discreet.results import Risk
from discreet.table import IntArray, Role, Scale, Table

LEVELS = {"k_anonymity": "k = ", "k_map": "k = ", "l_diversity": "l = ", "t_closeness": "t = "}
"""How the levels of models are written."""
OF_WHAT = {IDENTITY: " of them", ATTRIBUTE: " of what guessing leaves open"}
"""What the shares of headlines are shares of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSentence:
    """One limit in one sentence. `state` is "met", "exceeded" or "not checked"."""

    name: str
    state: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How the release stands against the limits. `state` is that of the worst limit, or "no limits"."""

    state: str
    headline: str
    limits: tuple[LimitSentence, ...]


def verdict(given: Sequence[Limit], inside: bool, unfinished: str = "") -> Verdict:
    """The verdict: what could not be computed is never counted as met, nor is what holds of an `unfinished` release."""
    found = _of_limits(given, inside)
    if not unfinished:
        return found
    headline = f"{sentence(unfinished)}. It is not for publication. {found.headline}"
    state = found.state if found.state == EXCEEDED else NOT_CHECKED
    return Verdict(state=state, headline=headline, limits=found.limits)


def _of_limits(given: Sequence[Limit], inside: bool) -> Verdict:
    limits = tuple(_limit(limit, inside) for limit in given)
    states = [each.state for each in limits]
    if not states:
        return Verdict(
            state=NO_LIMITS,
            headline="No limits were set, so this report gives numbers but no verdict.",
            limits=(),
        )
    if EXCEEDED in states:
        many = states.count(EXCEEDED)
        headline = f"{many} of {count(len(states), 'limit')} {'is' if many == 1 else 'are'} exceeded."
        return Verdict(
            state=EXCEEDED, headline=_one(headline, states, "The limit is exceeded."), limits=limits
        )
    if NOT_CHECKED in states:
        many = states.count(NOT_CHECKED)
        headline = (
            f"{many} of {count(len(states), 'limit')} could not be checked, so the release is not cleared."
        )
        alone = "The limit could not be checked, so the release is not cleared."
        return Verdict(state=NOT_CHECKED, headline=_one(headline, states, alone), limits=limits)
    headline = "Both limits are met." if len(states) == 2 else f"All {len(states)} limits are met."
    return Verdict(state=MET, headline=_one(headline, states, "The limit is met."), limits=limits)


def _one(headline: str, states: list[str], alone: str) -> str:
    return alone if len(states) == 1 else headline


def _limit(limit: Limit, inside: bool) -> LimitSentence:
    name = title(limit.name)
    share = percent if inside else rounded_percent
    if limit.is_floor:
        level = LEVELS.get(name_in(limit.name), "")
        wanted = f"{name} must reach at least {level}{number(limit.bound)}"
        found = "" if limit.found is None else f"it reaches {level}{number(limit.found)}"
    else:
        wanted = f"{name} may succeed for at most {percent(limit.bound)}{OF_WHAT.get(limit.name, '')}"
        found = "" if limit.found is None else f"it succeeds for {share(limit.found)}"
    if limit.set_by:
        found += f" (by {inside_sentence(limit.set_by)})"
    if limit.status == NOT_CHECKED:
        why = f": {limit.unchecked.rstrip('.')}" if limit.unchecked and inside else ""
        found = f"{found}, but " if found else ""
        unchecked = f"{wanted}; {found}this could not be checked, which counts as not met{why}."
        return LimitSentence(name=limit.name, state=NOT_CHECKED, sentence=unchecked)
    return LimitSentence(name=limit.name, state=limit.status, sentence=f"{wanted}; {found}.")


def summary(assessment: Assessment, inside: bool) -> tuple[str, ...]:
    """The assessment for somebody who is no statistician: what an intruder gets, and what users lose."""
    share = percent if inside else rounded_percent
    sentences = [_size(assessment, inside), *_found(assessment, share), *_groups(assessment, inside)]
    sentences += _values(assessment, share)
    sentences += _lost(assessment, share)
    texts = assessment.release.table.having(None, [Scale.TEXT])
    as_it_is = [name for name in texts if name not in assessment.release.manifest.sanitised]
    sanitised = [name for name in texts if name not in as_it_is]
    if as_it_is:
        sentences.append(f"The free text in {names(as_it_is)} can name people; none of this looked at it.")
    if sanitised:
        sentences.append(
            f"Names in the free text of {names(sanitised)} were replaced as far as recognisers found them; what is "
            "left can still name people, and none of this looked at it."
        )
    missed = [each for each in assessment.not_done if each.applies]
    if missed:
        many = count(len(missed), "attack or measure", "attacks and measures")
        sentences.append(f"{many} could not be computed; that says nothing about safety.")
    return tuple(sentences)


def _size(assessment: Assessment, inside: bool) -> str:
    """How much is published, and what is left out: named inside, counted outside."""
    release = assessment.release
    table, dropped = release.table, release.manifest.dropped
    named = release.private.dropped if inside and release.private is not None else ()
    persons = _persons(assessment.original) if len(table) == len(assessment.original) else None
    people = "" if persons is None else f" of {count(len(set(persons.tolist())), 'person', 'people')}"
    text = (
        f"The release holds {count(len(table), 'record')}{people} and {count(len(table.columns), 'column')}"
    )
    if dropped:
        left_out = names(named) if named else count(dropped, "column")
        text += f"; {left_out} {'was' if dropped == 1 else 'were'} left out"
    return text + "."


def _persons(original: Table | Dataset) -> IntArray | None:
    """Which records are of the same person, where a column tells."""
    return (
        original.whole(original.having(Role.PERSON)) if isinstance(original, Dataset) else original
    ).persons()


def _knowing(assessment: Assessment, risk: Risk) -> str:
    """What the intruder of an attack knows, as far as the attack used it."""
    used = [name for name in assessment.known_keys if name not in risk.left_out]
    keys = risk.details.get("keys", used)
    return f"who knows a person's {names(keys)}" if keys else "who knows a person"


def _found(assessment: Assessment, share: Callable[[float], str]) -> list[str]:
    """What the strongest attack on people finds, and what it would find in the original."""
    found = assessment.identity
    if found is None or not found.attacks:
        return ["Whether people can be found is not known: no attack that finds people could be computed."]
    best = assessment.risk(found.attack) or found
    text = f"An intruder {_knowing(assessment, best)} would find {share(found.risk)} of people"
    sentences = [f"{text} ({inside_sentence(found.attack)}){_guessing(best)}."]
    if assessment.before.identity is not None:
        sentences.append(f"In the original as it is, {share(assessment.before.identity)} could be found.")
    learned = assessment.attribute
    if learned is not None and learned.attacks:
        sentences.append(
            f"Of the confidential values {share(learned.details['rate'])} are guessed right; guessing without the "
            f"file gets {share(learned.details['guessing'] or 0.0)}."
        )
    return sentences


def _guessing(risk: Risk) -> str:
    return "" if risk.baseline is None else f"; guessing finds {percent(risk.baseline)}"


def _groups(assessment: Assessment, inside: bool) -> list[str]:
    risk = assessment.risk("k_anonymity")
    if risk is None or risk.level is None:
        return []
    if assessment.keys_perturbed:
        return ["Values were changed and not only made coarser, so that classes of equal records say little."]
    if risk.level > 1:
        return [
            f"Everybody shares the published quasi-identifiers with at least {number(risk.level - 1)} other "
            f"{'record' if risk.level == 2 else 'records'} (k = {number(risk.level)})."
        ]
    unique = risk.details.get("unique")
    many = count(int(unique), "record") if inside and unique is not None else "Some records"
    verb = "is" if many.startswith("1 ") else "are"
    return [f"{many} {verb} alone with their combination of published quasi-identifiers (k = 1)."]


def _values(assessment: Assessment, share: Callable[[float], str]) -> list[str]:
    risk = assessment.risk("interval_disclosure")
    if risk is None:
        return []
    chance = "" if risk.baseline is None else f"; chance alone gives {share(risk.baseline)}"
    return [
        f"For {share(risk.risk)} of the numbers, a narrow range around the published value holds the true one{chance}."
    ]


def _lost(assessment: Assessment, share: Callable[[float], str]) -> list[str]:
    loss = assessment.lost or assessment.loss("il") or next(iter(assessment.losses), None)
    if loss is None:
        return ["What use was lost was not measured."]
    if loss.name == LOST:
        parts = [
            f"{words} {share(loss.details[name] / 100)}"
            for name, words in (("cells", "single values"), ("statistics", "statistics"))
            if name in loss.details
        ]
        return [f"Of the use of the data {share(loss.loss / 100)} is lost ({', '.join(parts)})."]
    part = loss_share(loss)
    shown = loss_shown(loss) if part is None else share(part)
    if loss.name == "il":
        return [f"Statistics computed from the published file are off by {shown} on average."]
    return [f"{sentence(loss.meaning)}: {shown}."]
