"""The facts of a report on a release of text: everything that its page and its JSON say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from discreet.assessment import LOST
from discreet.distributions import Distribution
from discreet.manifest import made_with
from discreet.method import SHARE
from discreet.reporting.board import Board, before_after, checked_in_short
from discreet.reporting.facts import FORMAT, Check, plain_facts
from discreet.reporting.findings import Finding, Unknown, loss_finding, risk_finding, unknown_findings
from discreet.reporting.limitations import Limitations
from discreet.reporting.summary import Verdict, verdict
from discreet.reporting.words import count, inside_sentence, number, percent, rounded_percent, title
from discreet.text.assessment import TextAssessment, TextStep
from discreet.text.method import title_of

ORDERS = {
    "shuffled": "The rows are in random order.",
    "kept": "The rows are in the order of the original. If that order means anything, it can tell who is who.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TextStepFacts:
    """One step in words, with its parameters as they are written; what it counted is for the inside only."""

    title: str
    summary: str
    settings: tuple[tuple[str, str], ...]
    facts: tuple[str, ...]
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFacts:
    """A report on text as data. `columns`, distributions before and after, are for the inside only."""

    audience: str
    kind: str
    name: str
    size: str
    made_with: Mapping[str, str]
    doubt: str
    verdict: Verdict
    board: Board
    summary: tuple[str, ...]
    steps: tuple[TextStepFacts, ...]
    order: str
    checks: tuple[Check, ...]
    risks: tuple[Finding, ...]
    losses: tuple[Finding, ...]
    unknown: tuple[Unknown, ...]
    limitations: Limitations
    columns: tuple[Distribution, ...] = ()

    @property
    def table(self) -> str:
        """What the report is on."""
        return self.name

    def to_dict(self) -> dict[str, Any]:
        """The facts, safe for JSON."""
        payload = {"format": FORMAT, **plain_facts(self), "kind": f"report on {self.kind}"}
        if self.audience == "external":
            del payload["columns"]
        return payload


def text_facts_of(assessment: TextAssessment, audience: str) -> TextFacts:
    """The facts of an assessment of text; outside there are no distributions, and numbers are rounded."""
    inside = audience == "internal"
    subject = assessment.subject
    steps = tuple(_step(each, inside) for each in subject.steps)
    checks = tuple(Check(says=each.says, state=each.state, fault=each.why) for each in subject.checks)
    lost = assessment.lost
    return TextFacts(
        audience=audience,
        kind=subject.kind,
        name=subject.name,
        size=subject.size,
        made_with=made_with(),
        doubt=subject.doubt,
        verdict=verdict(assessment.limits, inside),
        board=Board(
            before_after=before_after(assessment, inside, None if lost is None else lost.loss),
            done=(
                *(f"{each.title}. {each.summary}" for each in steps),
                *([order] if (order := ORDERS.get(subject.order, subject.order)) else []),
                checked_in_short([each.state for each in checks], "the published files"),
            ),
            not_covered=Limitations(not_tested=subject.not_tested, assumed=subject.assumed).not_covered,
        ),
        summary=_summary(assessment, inside),
        steps=steps,
        order=ORDERS.get(subject.order, subject.order),
        checks=checks,
        risks=_risks(assessment, inside),
        losses=tuple(
            loss_finding(each, SHARE, inside, heading=_title(each.name)) for each in assessment.losses
        ),
        unknown=unknown_findings(assessment.not_done, inside, _title),
        limitations=Limitations(not_tested=subject.not_tested, assumed=subject.assumed),
        columns=subject.distributions if inside else (),
    )


def _risks(assessment: TextAssessment, inside: bool) -> tuple[Finding, ...]:
    """Headlines, then attacks that find documents, levels, and all others; the highest first."""
    ordered = sorted(
        assessment.risks, key=lambda risk: (not risk.reidentifies, risk.level is not None, -risk.risk)
    )
    known = [each for each in assessment.headlines if each.attacks]
    return tuple(
        risk_finding(risk, assessment.limits, assessment.before, inside, heading=_title(risk.name))
        for risk in (*known, *ordered)
    )


def _title(name: str) -> str:
    """The title of an attack or measure of text, or of a headline."""
    return title_of(name) or title(name)


def _step(step: TextStep, inside: bool) -> TextStepFacts:
    return TextStepFacts(
        title=step.title,
        summary=step.summary,
        settings=tuple((name.replace("_", " "), _written(each)) for name, each in step.parameters.items()),
        facts=tuple(
            f"{name.replace('_', ' ')}: {number(float(each))}"
            for name, each in step.facts.items()
            if isinstance(each, int | float) and not isinstance(each, bool)
        )
        if inside
        else (),
        cites=step.cites,
    )


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,.10g}" if isinstance(value, int | float) else str(value)


def _summary(assessment: TextAssessment, inside: bool) -> tuple[str, ...]:
    """What an intruder gets and what users lose, in a few plain sentences."""
    share = percent if inside else rounded_percent
    sentences = [
        f"The release holds {assessment.subject.size}.",
        *_found(assessment, share),
        *_equal(assessment),
    ]
    if assessment.lost is not None:
        sentences.append(f"Of the use of the corpus {share(assessment.lost.loss)} is lost.")
    else:
        sentences.append(f"What use was lost ({LOST}) was not measured.")
    missed = [each for each in assessment.not_done if each.applies]
    if missed:
        many = count(len(missed), "attack or measure", "attacks and measures")
        sentences.append(f"{many} could not be computed; that says nothing about safety.")
    return tuple(sentences)


def _found(assessment: TextAssessment, share: Callable[[float], str]) -> list[str]:
    found = assessment.identity
    if found is None or not found.attacks:
        return ["Whether documents can be found is not known: no attack that finds them could be computed."]
    guessing = "" if found.baseline is None else f"; guessing finds {percent(found.baseline)}"
    sentences = [
        f"An intruder who has the documents would tell which is whose for {share(found.risk)} of them "
        f"({inside_sentence(found.attack)}){guessing}."
    ]
    if assessment.before.identity is not None:
        sentences.append(f"In the original as it is, {share(assessment.before.identity)} could be found.")
    return sentences


def _equal(assessment: TextAssessment) -> list[str]:
    risk = assessment.risk("k_anonymity")
    if risk is None or risk.level is None:
        return []
    return [
        f"Every published row is equal to at least {number(risk.level - 1)} others (k = {number(risk.level)})."
    ]
