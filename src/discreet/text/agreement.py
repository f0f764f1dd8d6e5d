"""How far two reviewers agree: about the same stretches of the same documents, and about the same entities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from discreet.errors import NotComputable
from discreet.results import FORMAT
from discreet.text.decisions import Action, Decision, Decisions
from discreet.text.entity_decisions import EntityDecision

MOST_TOLD = 20
"""How many differences are told in words; all of them are in the dictionary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A stretch about which two reviewers decided otherwise; None where one did not decide about it."""

    document: str
    start: int
    end: int
    first: Action | None
    second: Action | None

    def __str__(self) -> str:
        one, other = (each or "nothing" for each in (self.first, self.second))
        return f"{self.document}, {self.start} to {self.end}: {one} and {other}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "document": self.document,
            "start": self.start,
            "end": self.end,
            "first": None if self.first is None else str(self.first),
            "second": None if self.second is None else str(self.second),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Decisions of two reviewers side by side: `counts` of their actions about what both decided, and the others.

    `differences` are the stretches where they differ, by document and place. `entities` counts decisions about entities
    that both made, that the first alone made, and the second.
    """

    counts: Mapping[tuple[Action, Action], int]
    only_first: int
    only_second: int
    differences: tuple[Difference, ...] = field(default=(), repr=False)
    entities: tuple[int, int, int] = (0, 0, 0)

    @property
    def both(self) -> int:
        """How many stretches both decided about."""
        return sum(self.counts.values())

    @property
    def agreed(self) -> int:
        """About how many of these they decided alike."""
        return sum(count for (one, other), count in self.counts.items() if one is other)

    @property
    def share(self) -> float:
        """The share of the stretches that both decided about, about which they decided alike."""
        if not self.both:
            raise NotComputable("agreement: there is nothing that both reviewers decided about.")
        return self.agreed / self.both

    @property
    def kappa(self) -> float:
        """Cohen's kappa (1960): the agreement above what chance would give, as a share of what could be above it.

        Raises NotComputable where nothing was decided by both, or both decided everything in one and the same way, so
        that chance alone would make them agree.
        """
        total = self.both
        if not total:
            raise NotComputable("kappa: there is nothing that both reviewers decided about.")
        firsts, seconds = Counter[Action](), Counter[Action]()
        for (one, other), count in self.counts.items():
            firsts[one] += count
            seconds[other] += count
        chance = sum(firsts[each] * seconds[each] for each in Action) / total**2
        if chance == 1:
            raise NotComputable(
                "kappa: both reviewers decided everything alike, in one way; it has no value then."
            )
        return (self.agreed / total - chance) / (1 - chance)

    def __str__(self) -> str:
        return f"{self.agreed} of {self.both} decided alike; {self.only_first} and {self.only_second} by one alone"

    def lines(self) -> Iterator[str]:
        """The agreement in sentences, and the stretches where they differ."""
        if self.both:
            many = "stretch" if self.both == 1 else "stretches"
            yield f"Of {self.both} {many} that both decided about, {self.agreed} alike ({self.share:.1%})."
        else:
            yield "There is no stretch that both decided about."
        kappa, why = _value(lambda: self.kappa)
        yield f"Cohen's kappa: {kappa:.2f}" if kappa is not None else f"Cohen's kappa has no value: {why}"
        yield f"Decided by one alone: {self.only_first} by the first, {self.only_second} by the second."
        if any(self.entities):
            both, first, second = self.entities
            yield f"Decisions about entities: {both} by both, {first} by the first alone, {second} by the second."
        if self.differences:
            yield "Where they differ (document and characters: first and second):"
            yield from (f"  {each}" for each in self.differences[:MOST_TOLD])
            if len(self.differences) > MOST_TOLD:
                yield f"  and {len(self.differences) - MOST_TOLD} more; --json lists them all"

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "both": self.both,
            "agreed": self.agreed,
            "share": _value(lambda: self.share)[0],
            "kappa": _value(lambda: self.kappa)[0],
            "only_first": self.only_first,
            "only_second": self.only_second,
            "counts": [[str(one), str(other), count] for (one, other), count in sorted(self.counts.items())],
            "differences": [each.to_dict() for each in self.differences],
            "entities": dict(zip(("both", "only_first", "only_second"), self.entities, strict=True)),
        }


def agreement(first: Decisions, second: Decisions) -> Agreement:
    """How two reviewers decided about the same stretches of the same texts; automatic decisions do not count.

    Two stretches are the same where they begin and end at the same characters of a text of the same digest. Decisions
    about entities are the same where they do the same to whoever is written so.
    """
    one, other = _by_stretch(first), _by_stretch(second)
    shared = one.keys() & other.keys()
    counts = Counter((one[each].action, other[each].action) for each in shared)
    ours, theirs = (Counter(_about_entities(each)) for each in (first, second))
    alike = (ours & theirs).total()
    return Agreement(
        counts=MappingProxyType(dict(counts)),
        only_first=len(one.keys() - shared),
        only_second=len(other.keys() - shared),
        differences=tuple(_differences(one, other)),
        entities=(alike, ours.total() - alike, theirs.total() - alike),
    )


Stretch = tuple[str, str, int, int]


def _by_stretch(decisions: Decisions) -> dict[Stretch, Decision]:
    """The last decision about each stretch."""
    return {
        (each.document, each.digest, each.start, each.end): each
        for each in decisions.in_force().values()
        if each.reviewed
    }


def _differences(one: Mapping[Stretch, Decision], other: Mapping[Stretch, Decision]) -> Iterator[Difference]:
    """The stretches that were decided about otherwise, or by one alone, in the order of documents and places."""
    for stretch in sorted(one.keys() | other.keys()):
        first, second = (held[stretch].action if stretch in held else None for held in (one, other))
        if first is not second:
            yield Difference(
                document=stretch[0], start=stretch[2], end=stretch[3], first=first, second=second
            )


def _about_entities(decisions: Decisions) -> Sequence[tuple[Any, ...]]:
    """What was done to whom, whoever did it."""

    def told(each: EntityDecision) -> tuple[Any, ...]:
        other = None if each.other is None else (each.other.kind, frozenset(each.other.forms))
        names = frozenset(each.names)
        return (each.change, each.entity.kind, frozenset(each.entity.forms), other, names, each.pseudonym)

    return [told(each) for each in decisions.about_entities().values()]


def _value(compute: Any) -> tuple[float | None, str]:
    """A number, or None and the reason why it has no value."""
    try:
        return compute(), ""
    except NotComputable as reason:
        return None, str(reason).partition(": ")[2]
