"""The assessment of a release of text: what attacks found, what use is lost, and the verdict against the limits.

Releases of vectors and of documents have the same one; each says what it consists of, what was done to it, and which
attacks and measures there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from discreet.assessment.assessment import LOST, NotDone
from discreet.assessment.limits import Limit, check_limits, limits_on, worst
from discreet.distributions import Distribution
from discreet.errors import BadParameter, DoesNotApply, NotComputable, NotInstalled, listed
from discreet.headline import ATTRIBUTE, HEADLINES, IDENTITY, Before, Headline
from discreet.progress import SILENT, Progress
from discreet.results import FORMAT, Loss, Risk
from discreet.text.method import HEADLINE_MEANINGS, TextMethod, find_method
from discreet.verification import Finding
from discreet.visible import visible_line

NOTHING_TO_LEARN = "nothing is published that could be learned of a document"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextStep:
    """One thing that was done to the text, in words: what it is, its parameters, and what it counted.

    `facts` are for the steward only.
    """

    title: str
    summary: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    guarantees: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSubject:
    """What is assessed: a release of vectors or documents, as its report tells of it.

    `size` says in words how much is published, and `order` whether the order tells anything. `checks` are the
    guarantees with whether they hold. `distributions` are counts before and after, `assumed` and `not_tested` sentences
    of their own for the page of limitations.
    """

    name: str
    kind: str
    size: str
    order: str = ""
    steps: tuple[TextStep, ...] = ()
    checks: tuple[Finding, ...] = ()
    doubt: str = ""
    distributions: tuple[Distribution, ...] = ()
    not_tested: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TextAssessment:
    """What attacks and measures found about one release of text, beside how exposed the original is as it is."""

    subject: TextSubject
    headlines: tuple[Headline, ...]
    before: Before
    risks: tuple[Risk, ...]
    losses: tuple[Loss, ...]
    not_done: tuple[NotDone, ...]
    limits: tuple[Limit, ...]

    @property
    def name(self) -> str:
        return self.subject.name

    @property
    def kind(self) -> str:
        return self.subject.kind

    @property
    def doubt(self) -> str:
        """What speaks against believing the manifest; empty where something vouches for it."""
        return self.subject.doubt

    @property
    def acceptable(self) -> bool:
        """Whether every limit that was set is met."""
        return all(limit.met for limit in self.limits)

    @property
    def verdict(self) -> str:
        """The status of the worst limit: "exceeded", "not checked" or "met"; "no limits" where none was set."""
        return worst(self.limits)

    @property
    def identity(self) -> Headline | None:
        """The largest risk of the attacks that find out whose a document is."""
        return next((each for each in self.headlines if each.name == IDENTITY), None)

    @property
    def attribute(self) -> Headline | None:
        """The largest gain over guessing of the attacks that learn something of a document."""
        return next((each for each in self.headlines if each.name == ATTRIBUTE), None)

    @property
    def lost(self) -> Loss | None:
        """The headline loss."""
        return self.loss(LOST)

    @property
    def keys_perturbed(self) -> bool:
        """Never: a row of weights is compared as a whole."""
        return False

    def risk(self, name: str) -> Risk | None:
        """The risk of this name: a headline, or what one attack found."""
        return next((each for each in (*self.headlines, *self.risks) if each.name == name), None)

    def loss(self, name: str) -> Loss | None:
        return next((each for each in self.losses if each.name == name), None)

    def __repr__(self) -> str:
        found = [f"{each.name} {each.risk:.1%}" for each in self.headlines]
        words = ", ".join([*found, f"{len(self.risks)} risks", f"{len(self.losses)} losses"])
        return visible_line(f"<assessment of '{self.name}': {self.verdict}; {words}>")

    def __str__(self) -> str:
        lines = [str(each) for each in (*self.headlines, *self.risks, *self.losses, *self.limits)]
        return "\n".join([*lines, *(f"{each.name}: not computed ({each.reason})" for each in self.not_done)])

    def to_dict(self) -> dict[str, Any]:
        """All of it but the chances of single documents, safe for JSON."""
        return {
            "format": FORMAT,
            "kind": self.kind,
            "name": self.name,
            "release": dict(self.subject.manifest),
            "doubt": self.doubt,
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
        }


def assess_text(
    subject: TextSubject,
    about: Any,
    methods: Mapping[str, TextMethod[Any, Any]],
    *,
    before: Before,
    attacks: Sequence[str] | None = None,
    losses: Sequence[str] | None = None,
    ceilings: Mapping[str, float] | None = None,
    floors: Mapping[str, float] | None = None,
    progress: Progress = SILENT,
) -> TextAssessment:
    """The assessment of a release by its attacks and measures, or by those that are named.

    Each method is asked `about` what they all look at. What a limit names is computed too. A limit on a headline is
    met only where every needed attack was run, all others could be computed, and none of them looked at a sample that
    leaves more possible. What has no value here is listed with its reason.
    """
    ceilings, floors = ceilings or {}, floors or {}
    check_limits(ceilings, floors)
    usual = {
        kind: [each.name for each in methods.values() if each.kind == kind] for kind in ("attack", "loss")
    }
    limited = [name for name in (*ceilings, *floors) if name not in HEADLINES]
    for name in limited:
        if find_method(methods, name).kind != "attack":
            raise BadParameter(f"assess: a limit is on a risk; '{name}' is a measure of loss.")
    asked = dict.fromkeys([*(usual["loss"] if losses is None else losses)])
    asked |= dict.fromkeys([*(usual["attack"] if attacks is None else attacks), *limited])
    done, not_done = _all_done([find_method(methods, name) for name in asked], about, progress)
    risks = {name: each for name, each in done.items() if isinstance(each, Risk)}
    headlines = tuple(
        each for name in HEADLINES if (each := _headline(name, methods, risks, not_done)) is not None
    )
    found = TextAssessment(
        subject=subject,
        headlines=headlines,
        before=before,
        risks=tuple(risks.values()),
        losses=tuple(each for each in done.values() if isinstance(each, Loss)),
        not_done=tuple(not_done),
        limits=(),
    )
    why = {ATTRIBUTE: NOTHING_TO_LEARN, **{each.name: each.reason for each in not_done}}
    return replace(found, limits=limits_on(found.risk, why, ceilings, floors))


def _all_done(
    todo: Sequence[TextMethod[Any, Any]], about: Any, progress: Progress
) -> tuple[dict[str, Risk | Loss], list[NotDone]]:
    done: dict[str, Risk | Loss] = {}
    not_done: list[NotDone] = []
    for place, each in enumerate(todo):
        progress(place, len(todo), each.name)
        run: Callable[[Any], Risk | Loss] = each.run
        try:
            done[each.name] = run(about)
        except (NotComputable, NotInstalled) as reason:
            applies = not isinstance(reason, DoesNotApply)
            not_done.append(NotDone(kind=each.kind, name=each.name, reason=str(reason), applies=applies))
    progress(len(todo), len(todo), "assessed")
    return done, not_done


def _headline(
    name: str,
    methods: Mapping[str, TextMethod[Any, Any]],
    risks: Mapping[str, Risk],
    not_done: Sequence[NotDone],
) -> Headline | None:
    """The largest risk of the attacks that count for a headline; None where there is nothing of its kind."""
    own = {label: each for label, each in methods.items() if each.headline == name}
    counted = {label: risk for label, risk in risks.items() if label in own}
    skipped = {each.name for each in not_done if not each.applies}
    missed = {each.name: each.reason for each in not_done if each.applies}
    wanted = [label for label, each in own.items() if each.needed and label not in skipped]
    if not wanted and not counted:
        return None
    reasons = [missed.get(label, f"{label} was not run") for label in wanted if label not in counted]
    if not counted:
        return Headline(
            name=name,
            risk=1.0,
            meaning=HEADLINE_MEANINGS[name],
            attack="",
            attacks={},
            unchecked="; ".join(reasons),
        )
    return _strongest(name, counted, [*reasons, *_reservations(counted)])


def _reservations(counted: Mapping[str, Risk]) -> list[str]:
    """What attacks left untried or could not use, for which a limit is not called met."""
    reasons = [f"{label} did not try {risk.not_tried}" for label, risk in counted.items() if risk.not_tried]
    left_out = sorted({each for risk in counted.values() for each in risk.left_out})
    if left_out:
        reasons.append(f"an attack could not use {listed(left_out)}, which the intruder knows")
    return reasons


def _strongest(name: str, counted: Mapping[str, Risk], reasons: Sequence[str]) -> Headline:
    """The headline of the attacks that were run: the largest of them."""
    rates = {label: _rate(name, risk, risk.risk) for label, risk in counted.items()}
    strongest = max(rates, key=lambda label: rates[label])
    base = {each.name: getattr(counted[strongest], each.name) for each in fields(Risk)}
    base |= {
        "name": name,
        "risk": rates[strongest],
        "meaning": HEADLINE_MEANINGS[name],
        "interval": base["interval"] if name == IDENTITY else None,
        "level": None,
        "details": {"rate": counted[strongest].risk, "guessing": counted[strongest].baseline},
    }
    possible = [
        _rate(name, risk, 1.0 if risk.interval is None else risk.interval[1])
        for risk in counted.values()
        if risk.of_a_sample
    ]
    return Headline(
        **base,
        attack=strongest,
        attacks=rates,
        unchecked="; ".join(dict.fromkeys(reasons)),
        sampled_up_to=max(possible, default=None),
    )


def _rate(name: str, risk: Risk, share: float) -> float:
    """The share itself; of what is learned the part of what guessing leaves open."""
    if name == IDENTITY:
        return share
    guessing = risk.baseline or 0.0
    return max(0.0, (share - guessing) / (1.0 - guessing)) if guessing < 1 else 0.0
