"""What a board reads: before and after in three lines, what was done in a sentence each, and what is not covered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discreet import registry
from discreet.assessment import LOST, Assessment, Limit
from discreet.headline import ATTRIBUTE, IDENTITY, Headline
from discreet.reporting.words import (
    count,
    ended,
    inside_sentence,
    percent,
    rounded_percent,
    sentence,
)
from discreet.results import Loss
from discreet.text.assessment import TextAssessment
from discreet.verification import BROKEN, NOT_CHECKED

LINES = {
    IDENTITY: "People who can be found",
    ATTRIBUTE: "Confidential values learned, of what guessing leaves open",
    LOST: "Use of the data that is lost",
}
TEXT_LINES = {
    IDENTITY: "Documents whose subject can be found",
    ATTRIBUTE: "What can be learned, of what guessing leaves open",
    LOST: "Use of the texts that is lost",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeAfter:
    """One line of before and after: shares from 0 to 1, and how they are written.

    None where nothing is known. `state` is that of the limit, "met", "exceeded" or "not checked"; empty without one.
    """

    name: str
    title: str
    before: float | None
    after: float | None
    before_shown: str
    after_shown: str
    limit: float | None = None
    limit_shown: str = ""
    state: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """What stands on the first pages, to be read aloud."""

    before_after: tuple[BeforeAfter, ...]
    done: tuple[str, ...]
    not_covered: tuple[str, ...]


def before_after(
    assessment: Assessment | TextAssessment, inside: bool, lost_share: float | None
) -> tuple[BeforeAfter, ...]:
    """The headlines of the release beside those of the original, and the headline loss."""
    lines = LINES if isinstance(assessment, Assessment) else TEXT_LINES
    earlier = {IDENTITY: assessment.before.identity, ATTRIBUTE: assessment.before.attribute}
    rows = [
        _of_headline(lines[each.name], each, earlier[each.name], assessment.limits, inside)
        for each in assessment.headlines
    ]
    if lost_share is not None:
        rows.append(_line(LOST, lines[LOST], 0.0, lost_share, inside, note=_parts(assessment.lost, inside)))
    return tuple(rows)


def _of_headline(
    heading: str, found: Headline, earlier: float | None, limits: Sequence[Limit], inside: bool
) -> BeforeAfter:
    limit = next((each for each in limits if each.name == found.name and not each.is_floor), None)
    after = found.risk if found.attacks else None
    note = f"by {inside_sentence(found.attack)}" if found.attacks else "no attack of this kind was computed"
    return _line(found.name, heading, earlier, after, inside, limit=limit, note=note)


def _line(
    name: str,
    heading: str,
    before: float | None,
    after: float | None,
    inside: bool,
    *,
    limit: Limit | None = None,
    note: str = "",
) -> BeforeAfter:
    return BeforeAfter(
        name=name,
        title=heading,
        before=_place(before, inside),
        after=_place(after, inside),
        before_shown=_shown(before, inside),
        after_shown=_shown(after, inside),
        limit=None if limit is None else limit.bound,
        limit_shown="" if limit is None else percent(limit.bound),
        state="" if limit is None else limit.status,
        note=note,
    )


def _place(share: float | None, inside: bool) -> float | None:
    """Where a share stands on its bar; outside in whole percents."""
    if share is None:
        return None
    return min(1.0, max(0.0, share if inside else round(share, 2)))


def _shown(share: float | None, inside: bool) -> str:
    if share is None:
        return "not known"
    return percent(share) if inside else rounded_percent(share)


def _parts(lost: Loss | None, inside: bool) -> str:
    """The parts of the headline loss of a table, in percent."""
    told = {"cells": "single values", "statistics": "statistics"}
    known = {} if lost is None else {name: lost.details[name] for name in told if name in lost.details}
    return ", ".join(f"{told[name]} {_shown(part / 100, inside)}" for name, part in known.items())


def step_in_short(name: str, chosen: Sequence[tuple[str, str]]) -> str:
    """A step in a sentence: the columns, what becomes of them by the parameters that were chosen, and the method.

    `chosen` are names of parameters with their values as they are written.
    """
    mask = registry.find("mask", name)
    instead = [
        _put_in(mask.in_words.instead[key], value) for key, value in chosen if key in mask.in_words.instead
    ]
    besides = [
        _put_in(mask.in_words.besides[key], value) for key, value in chosen if key in mask.in_words.besides
    ]
    told = {"columns", *mask.in_words.instead, *mask.in_words.besides}
    others = [f"{key.replace('_', ' ')} {value}" for key, value in chosen if key not in told]
    columns = next((value for key, value in chosen if key == "columns"), "")
    where = f"in {columns}, " if columns else ""
    does = ", ".join([*(instead or [mask.meaning]), *besides])
    how = ", ".join([inside_sentence(name), *others])
    return ended(sentence(f"{where}{does} ({how})"))


def _put_in(words: str, value: str) -> str:
    """Words with the value in its place, in percent where they ask for that."""
    if "{%}" not in words:
        return words.replace("{}", value)
    return words.replace("{%}", percent(float(value.replace(",", ""))))


def checked_in_short(states: Sequence[str], what: str) -> str:
    """How many properties were checked on what was published, and whether they hold."""
    if not states:
        return f"The steps guarantee no property that could be checked on {what}."
    broken, unknown = states.count(BROKEN), states.count(NOT_CHECKED)
    many = count(len(states), "property", "properties")
    if broken:
        return f"Of {many} guaranteed of {what}, {broken} {'does' if broken == 1 else 'do'} not hold."
    if unknown:
        return f"Of {many} guaranteed of {what}, {unknown} could not be checked here; the others hold."
    return f"{many} guaranteed of {what}: checked, and {'it holds' if len(states) == 1 else 'all hold'}."
