"""Reviewers: two files of decisions compared, how far they agree and where they do not."""

from __future__ import annotations

from typing import Any

from discreet.text.agreement import Agreement, agreement
from discreet.text.decisions import Decisions
from discreet.web.page import Facts, Page, Visit
from discreet.web.papers import Papers, decision_file, frame, looked_through

MOST_SHOWN, LONGEST = 100, 600
"""How many differences are shown, and how many characters of the stretch of each."""


def show(visit: Visit) -> Facts:
    """How far the reviewers of two files agree, and the stretches where they do not with their words."""
    papers = looked_through(visit)
    if not isinstance(papers, Papers):
        return papers
    other = visit.given("other", "")
    facts: Facts = {**frame(papers), "other": other, "agreement": None, "lines": [], "differences": []}
    if not other:
        return facts
    first, second = papers.decisions, Decisions.load(decision_file(papers.desk, other))
    found = agreement(first, second)
    return {
        **facts,
        "agreement": found.to_dict(),
        "lines": [each for each in found.lines() if not each.startswith((" ", "Where"))],
        "differences": _differences(papers, found),
        "who": [_who(first), _who(second)],
    }


def _who(decisions: Decisions) -> list[str]:
    about_stretches = {each.reviewer for each in decisions.in_force().values() if each.reviewed}
    return sorted(about_stretches | {each.reviewer for each in decisions.about_entities().values()})


def _differences(papers: Papers, found: Agreement) -> list[dict[str, Any]]:
    texts = {each.name: each.text for each in papers.found.original}
    told = []
    for each in found.differences[:MOST_SHOWN]:
        text = texts.get(each.document, "")[each.start : each.end]
        told.append({**each.to_dict(), "text": text[:LONGEST], "longer": len(text) > LONGEST})
    return told


PAGE = Page(
    name="reviewers",
    title="Reviewers",
    of="documents",
    about="What two reviewers decided about the same documents, each in a file of their own, side by side.",
    show=show,
)
