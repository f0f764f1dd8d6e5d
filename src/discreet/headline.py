"""The headline risks: who can be found, and what can be learned, by the strongest attack that was run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from discreet import registry
from discreet._kernels.counting.classes import class_sizes
from discreet.classes import classes_of
from discreet.errors import BadTable, NotComputable, UnknownMethod, did_you_mean, listed
from discreet.method import CountsFor, Method
from discreet.method_call import MethodCall, name_in
from discreet.results import Risk
from discreet.table import Described, Role, Scale, Table

IDENTITY, ATTRIBUTE = "identity", "attribute"
HEADLINES = (IDENTITY, ATTRIBUTE)
OTHER_WAY = "link direction='original to masked'"
"""Nearest records are looked for from both files: an intruder takes what finds more."""
SQUARED = "link distance='euclidean'"
"""Beside categories, differences of numbers count as they are and squared: a few large ones against many small ones."""
GUESSING = "guessing"
NO_KEYS = "no column has the role quasi-identifier, so that nobody was looked for"
NOTHING_CONFIDENTIAL = "no published column has the role confidential, so that there is nothing to learn"
MEANINGS: Mapping[str, str] = {
    IDENTITY: "the share of published records whose person is found by the strongest attack that was run",
    ATTRIBUTE: "how much of what guessing leaves open about confidential values is learned by the strongest attack "
    "that was run",
}
MOST_PERTURBED = 0.05
"""Up to this share of records that cannot stand for their own person, classes of records still tell something."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Headline(Risk):
    """The largest risk of all attacks of a kind. `attack` is the one that set it, `attacks` what each of them found.

    `unchecked` says why a limit on it cannot be called met; it is empty where everything it needs was computed with
    all keys that the intruder knows. `sampled_up_to` is the most that attacks on a sample of people leave possible, by
    the upper ends of their intervals; None where everybody was looked for.
    """

    attack: str
    attacks: Mapping[str, float]
    unchecked: str = ""
    sampled_up_to: float | None = None

    def to_dict(self) -> dict[str, Any]:
        found = Risk.to_dict(self)
        return {
            **found,
            "attack": self.attack,
            "attacks": dict(self.attacks),
            "unchecked": self.unchecked,
            "sampled_up_to": self.sampled_up_to,
        }


def checked_name(text: str) -> str:
    """The name of a headline, or the line that asks for an attack with its parameters, where there is such a one."""
    name = text.split()[0] if text.split() else text
    known = [*HEADLINES, *(each.name for each in registry.methods("attack"))]
    if name not in known:
        raise UnknownMethod(
            f"there is no headline or attack '{name}'.{did_you_mean(name, known)} The headlines are "
            f"{' and '.join(HEADLINES)}; `discreet methods` lists the attacks."
        )
    return text if text in HEADLINES else MethodCall.parse("attack", text).label


def attacks_of(headline: str, table: Described) -> list[str]:
    """The attacks that a headline is the largest of: those that run in every assessment and fit."""
    usual = [
        each.name
        for each in registry.methods("attack")
        if _part(each, headline) is not None and each.cost == "cheap" and not each.fits(table)
    ]
    if "link" not in usual:
        return usual
    mixed = any(table[name].scale != Scale.NUMERIC for name in table.keys)
    return [*usual, OTHER_WAY, *([SQUARED] if mixed else [])]


def headline(
    name: str,
    risks: Mapping[str, Risk],
    missed: Mapping[str, str],
    keys: Sequence[str],
    known: Sequence[str],
    records: int,
    perturbed: bool,
) -> Headline | None:
    """The headline of the risks that were computed; None where no attack of its kind was asked for.

    `missed` are the attacks that could not be computed though they apply, with the reason; `keys` are the
    quasi-identifiers of the original, and `known` those that are published and known to the intruder. Where none of the
    keys is published, the intruder can only guess; where there is no key at all, nothing was tried. Where keys were
    `perturbed`, nobody can tell which class of equal records a person is in, and what would be learned from it does not
    count.
    """
    by_class = {"attribute_by_class"} if perturbed else set()
    risks = {label: risk for label, risk in risks.items() if name_in(label) not in by_class}
    counted = {label: risk for label, risk in risks.items() if counts_for(name, label)}
    if name == IDENTITY and not known and not counted:
        return _guess(records) if keys else _unknown(name, [NO_KEYS])
    reasons = list(dict.fromkeys(reason for label, reason in missed.items() if _is_needed(name, label)))
    if not counted:
        return _unknown(name, reasons) if reasons else None
    rates = {label: _rate(name, risk) for label, risk in counted.items()}
    strongest = max(rates, key=lambda label: rates[label])
    base = {each.name: getattr(counted[strongest], each.name) for each in fields(Risk)}
    left_out = _left_out(name, counted)
    if left_out:
        reasons.append(f"no attack could use {listed(left_out)}, which the intruder knows")
    always = _fits_always(name)
    if all(name_in(label) != always for label in (*counted, *missed)):
        reasons.append(f"{always} was not run")
    reasons += [f"{label} did not try {risk.not_tried}" for label, risk in counted.items() if risk.not_tried]
    base |= {
        "name": name,
        "risk": rates[strongest],
        "meaning": MEANINGS[name],
        "left_out": left_out,
        "interval": base["interval"] if name == IDENTITY else None,
        "level": None,
        "details": {"rate": counted[strongest].risk, "guessing": counted[strongest].baseline},
    }
    possible = [_possible(name, risk) for risk in counted.values() if risk.of_a_sample]
    return Headline(
        **base,
        attack=strongest,
        attacks=rates,
        unchecked="; ".join(reasons),
        sampled_up_to=max(possible, default=None),
    )


def quick_attacks_of(headline: str, table: Table) -> list[str]:
    """Of the attacks that a headline is the largest of, those that a search tries every plan with."""
    quick = [
        each.name
        for each in registry.methods("attack")
        if (part := _part(each, headline)) is not None and part.quick
    ]
    return [name for name in attacks_of(headline, table) if name in quick]


def _part(method: Method, headline: str) -> CountsFor | None:
    """The part of an attack in a headline; None where it has none."""
    counts = method.counts_for
    return counts if counts is not None and counts.headline == headline else None


def _part_of(headline: str, label: str) -> CountsFor | None:
    return _part(registry.find("attack", name_in(label)), headline)


def counts_for(headline: str, label: str) -> bool:
    """Whether the attack of a label is one of those that the headline is the largest of."""
    return _part_of(headline, label) is not None


def _is_needed(headline: str, label: str) -> bool:
    part = _part_of(headline, label)
    return part is not None and part.needed


def _fits_always(headline: str) -> str:
    """The attack that every kind of release can be attacked with: without it nothing is checked."""
    parts = {each.name: _part(each, headline) for each in registry.methods("attack")}
    return next(name for name, part in parts.items() if part is not None and part.always)


def _rate(name: str, risk: Risk) -> float:
    """The risk itself; of confidential values the part that was learned of what guessing leaves open."""
    return _as_rate(name, risk.risk, risk)


def _possible(name: str, risk: Risk) -> float:
    """The rate at the upper end of what a sample of people leaves possible."""
    return _as_rate(name, 1.0 if risk.interval is None else risk.interval[1], risk)


def _as_rate(name: str, share: float, risk: Risk) -> float:
    if name == IDENTITY:
        return share
    guessing = risk.baseline or 0.0
    return max(0.0, (share - guessing) / (1.0 - guessing)) if guessing < 1 else 0.0


def _left_out(name: str, counted: Mapping[str, Risk]) -> tuple[str, ...]:
    """The keys that every needed attack left out, so that nothing speaks of them."""
    needed = [set(risk.left_out) for label, risk in counted.items() if _is_needed(name, label)]
    return tuple(sorted(set.intersection(*needed))) if needed else ()


def _guess(records: int) -> Headline:
    chance = 1.0 / max(1, records)
    return Headline(
        name=IDENTITY,
        risk=chance,
        meaning=MEANINGS[IDENTITY],
        interval=(chance, chance),
        baseline=chance,
        attempts=records,
        reidentifies=True,
        attack=GUESSING,
        attacks={GUESSING: chance},
    )


def _unknown(name: str, reasons: Sequence[str]) -> Headline:
    """A headline that nothing is known of: as high as can be, and not checked."""
    return Headline(
        name=name, risk=1.0, meaning=MEANINGS[name], attack="", attacks={}, unchecked="; ".join(reasons)
    )


def keys_perturbed(risks: Iterable[Risk], does_not_apply: Iterable[str]) -> bool:
    """Whether published keys were changed and not only made coarser, as far as compatible sets tell."""
    if any(name_in(label) == "compatible" for label in does_not_apply):
        return True
    found = next((each for each in risks if name_in(each.name) == "compatible"), None)
    return found is not None and found.failed > MOST_PERTURBED * found.attempts


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """How exposed the original is as it is: what a headline would be for it, and the k of its classes."""

    identity: float | None
    attribute: float | None
    k: int | None

    def to_dict(self) -> dict[str, Any]:
        return {"identity": self.identity, "attribute": self.attribute, "k": self.k}


def before(original: Table, keys: Sequence[str]) -> Before:
    """The headline risks of a table that is not masked, for an intruder who knows the keys.

    Nearest records are those with the same keys, blanks being values: one in as many as there are is the right one.
    """
    if not keys or len(original) == 0:
        return Before(identity=None, attribute=None, k=None)
    classes = classes_of(original, keys)
    held = classes_of(original.without(original.having(Role.PERSON)), keys).sizes
    persons = original.persons()
    own = 1 if persons is None else class_sizes(np.column_stack([classes.label, persons])).sizes
    attribute: float | None
    try:
        learned = registry.find("attack", "attribute_by_class").function(original, original, keys=list(keys))
        attribute = _rate(ATTRIBUTE, learned)
    except (BadTable, NotComputable):
        attribute = None
    return Before(identity=float((own / held).mean()), attribute=attribute, k=int(classes.sizes.min()))
