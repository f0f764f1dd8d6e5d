"""Reviewers: two files of decisions compared, how far they agree and where they do not."""

from __future__ import annotations

import os
from http import HTTPStatus
from typing import Any

from discreet.text.agreement import Agreement, agreement
from discreet.text.decisions import Decisions
from discreet.web.folder import RELEASE_NAME
from discreet.web.page import Facts, Go, Page, Visit
from discreet.web.papers import USUAL_NAME, Papers, decision_file, frame, looked_through, papers_of
from discreet.web.refused import Refused

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


def begin(visit: Visit) -> Go:
    """A new file of decisions for a further reviewer, who goes on with the stretches as if nobody had decided."""
    papers, name = papers_of(visit), visit.given("name").strip()
    if not RELEASE_NAME.fullmatch(name):
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "Give a plain name: letters, digits and hyphens.")
    place = papers.place.parent / f"{papers.place.name}.{name}.{USUAL_NAME}"
    with papers.desk.turn():
        if os.path.lexists(place):
            raise Refused(
                HTTPStatus.CONFLICT, "This reviewer has a file of decisions already. Choose it above."
            )
        Decisions().save(place)
    return Go("documents", {**papers.asked, "decisions": papers.desk.folder.name_of(place)})


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
    changes={"begin": begin},
)
