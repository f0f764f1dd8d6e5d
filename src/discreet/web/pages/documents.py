"""Documents: stretches worth a review in order of density, with what was found in them, each decided by a key."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from discreet.errors import DiscreetError
from discreet.text.blocks import Block
from discreet.text.decisions import Action, Alike
from discreet.text.reviewing import Review
from discreet.text.sentences import first_sentence
from discreet.web.page import Facts, Go, Page, Visit
from discreet.web.papers import Papers, frame, looked_through, papers_of
from discreet.web.refused import Refused

BEFORE, AFTER = 250, 600
"""How many characters before and after a stretch are shown with it: few before, so that it is seen at once."""
MOST_LISTED, MOST_LATEST = 200, 8
ALIKE = {
    Alike.NONE: "this one",
    Alike.TEXT: "all of the same words",
    Alike.TERMS: "all with the same terms (cut only)",
}


def show(visit: Visit) -> Facts:
    """The stretches that are left, one of them with what stands around it, and how much is left."""
    papers = looked_through(visit)
    if not isinstance(papers, Papers):
        return papers
    review = papers.stretches(papers.reviewer)
    left = review.left[:MOST_LISTED]
    place = min(max(int(visit.number("place", 0)), 0), max(len(left) - 1, 0))
    numbers = review.decisions.in_force()
    return {
        **frame(papers),
        "documents": len(review.corpus),
        "blocks": len(review.blocks),
        "left": len(review.left),
        "order": review.order,
        "summary": review.decisions.summary(),
        "place": place,
        "listed": [_listed(each) for each in left],
        "block": _shown(review, left[place]) if left else None,
        "latest": [str(numbers[each]) for each in sorted(numbers, reverse=True)[:MOST_LATEST]],
        "alike": {str(each): says for each, says in ALIKE.items()},
        "has_topics": bool(papers.rules.topics),
    }


def _listed(block: Block) -> dict[str, Any]:
    return {
        "document": block.document,
        "start": block.start,
        "end": block.end,
        "density": block.density,
        "topics": list(block.topics),
    }


def _shown(review: Review, block: Block) -> dict[str, Any]:
    """A stretch in pieces, its hits with why they are some, and what it would be with more general nouns."""
    text = review.document(block).text
    low, high = max(0, block.start - BEFORE), min(len(text), block.end + AFTER)
    try:
        proposed, why_not = review.proposed(block), ""
    except DiscreetError as problem:
        proposed, why_not = text[block.start : block.end], str(problem)
    return {
        **_listed(block),
        "words": block.words,
        "can_shorten": first_sentence(block.text_of(review.document(block))).strip()
        != block.text_of(review.document(block)).strip(),
        "reasons": list(block.reasons),
        "before": text[low : block.start],
        "pieces": list(_pieces(text, block)),
        "after": text[block.end : high],
        "proposed": proposed,
        "is_more_general": proposed != block.text_of(review.document(block)),
        "not_proposed": why_not,
    }


def _pieces(text: str, block: Block) -> Iterator[dict[str, str]]:
    """The text of a stretch, what is a hit apart and explained."""
    done = block.start
    for hit in block.hits:
        if hit.start < done:
            continue
        yield {"text": text[done : hit.start], "why": ""}
        why = f"{hit.term.origins[0]}; {hit.how}; weight {hit.weight:.2f}"
        yield {"text": text[hit.start : hit.end], "why": why}
        done = hit.end
    yield {"text": text[done : block.end], "why": ""}


def decide(visit: Visit) -> Go:
    """Keeps, cuts, generalises or shortens a stretch, and those like it where that is asked."""
    papers = papers_of(visit)
    action, alike = visit.given("action"), visit.given("alike", str(Alike.NONE))
    if action not in list(Action) or alike not in list(Alike):
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "There is no such decision.")
    about = (visit.given("document"), int(visit.number("start")), int(visit.number("end")))

    def step(now: Papers) -> None:
        review = now.stretches(visit.given("reviewer", now.reviewer))
        block = next((one for one in review.blocks if (one.document, one.start, one.end) == about), None)
        if block is None:
            raise Refused(HTTPStatus.NOT_FOUND, "There is no such stretch in these documents.")
        review.decided(
            block,
            Action(action),
            replacement=_lines(visit.given("replacement")) if action == Action.GENERALISE else None,
            note=_lines(visit.given("note", "")),
            exemption=visit.given("exemption", "").strip() if action == Action.CUT else "",
            alike=Alike(alike),
        )

    papers.change(visit.version(), step)
    return papers.go("documents", place=visit.given("place", ""))


def _lines(text: str) -> str:
    """What a form sends, with the ends of lines that documents have."""
    return text.replace("\r\n", "\n")


def undo(visit: Visit) -> Go:
    """Takes back the last decision about a stretch."""
    papers = papers_of(visit)
    papers.change(visit.version(), lambda now: now.stretches(now.reviewer).undone())
    return papers.go("documents")


PAGE = Page(
    name="documents",
    title="Documents",
    of="documents",
    about="Stretches of documents that are dense with sensitive words, the densest first. Nobody but you decides.",
    show=show,
    changes={"decide": decide, "undo": undo},
    script=True,
)
