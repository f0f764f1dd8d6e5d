"""What was tried before a plan was proposed, in lines for people."""

from __future__ import annotations

from collections.abc import Mapping

from discreet.errors import listed
from discreet.headline import ATTRIBUTE, IDENTITY
from discreet.searching import Attempt, FailedPlan, TriedPlan, TriedProposal

MOST_ROWS = 12
"""Rows of plans that are shown; those of least cost among the plans within the limits come first."""
MOST_FAILURES = 3


def told(found: TriedProposal, records: int) -> list[str]:
    """How plans were tried, a row for each that is worth one, and which could not be carried out."""
    if found.chosen is None:
        return [
            "No plan was tried: no column has the role quasi-identifier, or so few people are in the file that a guess",
            "is beyond the limits.",
        ]
    return [*_how(found, records), *_rows(found), *_failures(found), *_verdict(found)]


def summary(found: TriedProposal) -> str:
    """What the proposed plan reached, in a sentence."""
    if found.chosen is None:
        return "no plan is proposed"
    outcome = found.chosen.outcome
    if isinstance(outcome, FailedPlan):
        return f"no plan could be judged: {outcome.reason}"
    reached = [
        f"{name} {risk:.1%}"
        for name in (IDENTITY, ATTRIBUTE)
        if (risk := found.chosen.risk(name)) is not None
    ]
    kept = "within the limits" if found.meets else "NOT within the limits"
    return f"{_in_words(found.chosen)}: {', '.join(reached)}, lost {outcome.loss:.1f}%, {kept}"


def _how(found: TriedProposal, records: int) -> list[str]:
    sample = f" and a sample of {found.sample} records" if found.sample is not None else ""
    lines = [
        f"Tried: {len(found.tried)} plans, each with the quick attacks{sample}; those marked * on all {records}",
        "records, and with all usual attacks where the quick ones did not refuse them. Lost counts columns that are",
        "left out as lost, but for households and weights.",
    ]
    if found.cut_short:
        lines.append(
            "The time was up before everything was tried: with more of it another plan may be proposed."
        )
    return lines


def _rows(found: TriedProposal) -> list[str]:
    rows = [("identity", "attribute", "lost", "within the limits", "plan")]
    rows += [_row(each) for each in _worth_a_row(found)]
    widths = [max(len(row[place]) for row in rows) for place in range(4)]
    return [
        "  ".join([*(cell.rjust(width) for cell, width in zip(row[:4], widths, strict=True)), row[4]])
        for row in rows
    ]


def _worth_a_row(found: TriedProposal) -> list[Attempt]:
    """The proposed plan, then others that met all attacks, then the best of the rest; each plan once."""
    points = [each for each in found.tried if isinstance(each.outcome, TriedPlan)]
    ranked = sorted(
        points, key=lambda each: (each is not found.chosen, not each.in_full, not each.meets, each.cost)
    )
    distinct = {(str(each.plan), each.left_out): each for each in reversed(ranked)}
    return [each for each in ranked if any(each is kept for kept in distinct.values())][:MOST_ROWS]


def _row(made: Attempt) -> tuple[str, str, str, str, str]:
    assert isinstance(made.outcome, TriedPlan)
    risks = [made.risk(name) for name in (IDENTITY, ATTRIBUTE)]
    shown = ["" if risk is None else f"{risk:.1%}" for risk in risks]
    within = "yes" if made.meets else "no"
    return (
        shown[0],
        shown[1],
        f"{made.outcome.loss:.1f}%",
        within + (" *" if made.in_full else "  "),
        _in_words(made),
    )


def _in_words(made: Attempt) -> str:
    """The plan in few words: how all keys are masked, and what is left out."""
    step = made.plan.steps[0] if made.plan.steps else None
    given: Mapping[str, object] = {} if step is None else step.parameters
    parameters = [f"{name}={value}" for name, value in given.items() if name != "columns"]
    what = "nothing masked" if step is None else " ".join([step.name, *parameters])
    return f"{what}, without {listed(made.left_out)}" if made.left_out else what


def _failures(found: TriedProposal) -> list[str]:
    failed = [each for each in found.tried if isinstance(each.outcome, FailedPlan)]
    shown = [
        f"Not possible: {each.outcome.reason}" for each in failed if isinstance(each.outcome, FailedPlan)
    ]
    distinct = list(dict.fromkeys(shown))
    more = len(distinct) - MOST_FAILURES
    return [*distinct[:MOST_FAILURES], *([f"and {more} more"] if more > 0 else [])]


def _verdict(found: TriedProposal) -> list[str]:
    if found.meets:
        return []
    return [
        "NO PLAN THAT WAS TRIED KEEPS TO THE LIMITS. What follows comes nearest; a release made by it is a draft, not",
        "meant to be signed or published. Leave out columns (role identifier), or look for another plan with",
        "`discreet search`.",
    ]
