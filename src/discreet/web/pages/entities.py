"""Entities: who and what was found in documents, with every mention, merged, split, renamed, locked and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from discreet.text.contexts import Context
from discreet.text.correcting import known_again, name_of
from discreet.text.entities.entity import Entity
from discreet.text.entities.kinds import Kind
from discreet.text.entity_decisions import EntityName
from discreet.text.entity_review import EntityReview
from discreet.web.page import Facts, Go, Page, Visit
from discreet.web.papers import Papers, frame, looked_through, papers_of

MOST_LISTED, MOST_SHOWN = 300, 200
"""How many entities, and how many mentions of one of them, are shown."""


def show(visit: Visit) -> Facts:
    """The entities that are looked for, and one of them with its names and all its mentions."""
    papers = looked_through(visit)
    if not isinstance(papers, Papers):
        return papers
    review = papers.entities(papers.reviewer)
    wording = visit.given("find", "")
    found = review.listed(wording)
    number = int(visit.number("entity", -1))
    chosen = next((each for each in found if each.id == number), next(iter(found), None))
    return {
        **frame(papers),
        "find": wording,
        "state": str(review),
        "found": len(found),
        "listed": [_listed(each) for each in found[:MOST_LISTED]],
        "entity": None if chosen is None else _shown(review, chosen),
        "kinds": [str(each) for each in Kind],
        "can_undo": bool(review.decisions.about_entities()),
    }


def _listed(entity: Entity) -> dict[str, Any]:
    return {"id": entity.id, "name": entity.name, **entity.to_dict()}


def _shown(review: EntityReview, entity: Entity) -> dict[str, Any]:
    contexts = review.contexts(entity.id)
    left = () if entity.kept else review.unmasked(entity.id)
    return {
        **_listed(entity),
        "names": list(entity.variants),
        "parts": len(entity.parts),
        "contexts": _contexts(contexts),
        "more": max(0, len(contexts) - MOST_SHOWN),
        "unmasked": _contexts(left),
    }


def _contexts(found: Iterable[Context]) -> list[dict[str, Any]]:
    return [
        {
            "document": each.document,
            "before": each.before,
            "text": each.text,
            "after": each.after,
            "why": each.why or each.found_by,
        }
        for each in list(found)[:MOST_SHOWN]
    ]


Step = Callable[[EntityReview, int, str], EntityReview]


def _change(visit: Visit, step: Step) -> Go:
    """A step about one entity, which is shown again after it."""
    papers, number = papers_of(visit), int(visit.number("entity"))
    shown: list[int | None] = []

    def carry_out(now: Papers) -> None:
        review = now.entities(visit.given("reviewer", now.reviewer))
        name = name_of(review.register, number)
        done = step(review, number, visit.given("note", ""))
        shown.append(known_again(done.register, name))

    papers.change(visit.version(), carry_out)
    return _shown_again(visit, papers, shown[0])


def _shown_again(visit: Visit, papers: Papers, number: int | None) -> Go:
    return papers.go("entities", find=visit.given("find", ""), entity="" if number is None else str(number))


def merge(visit: Visit) -> Go:
    """Makes the entities that were marked one with the one that is shown."""
    others = [int(each) for each in visit.all_given("other") if each.isdecimal()]
    return _change(visit, lambda review, number, note: review.merged(number, *others, note=note))


def split(visit: Visit) -> Go:
    """Takes apart what was merged, or makes the names that were marked another entity."""
    forms = visit.all_given("form")
    return _change(visit, lambda review, number, note: review.split(number, forms=forms, note=note))


def rename(visit: Visit) -> Go:
    """Gives an entity a pseudonym chosen by hand."""
    name = visit.given("pseudonym")
    return _change(visit, lambda review, number, note: review.renamed(number, name, note=note))


def alias(visit: Visit) -> Go:
    """Gives an entity a further name."""
    names = [each.strip() for each in visit.given("name").split(";") if each.strip()]
    return _change(visit, lambda review, number, note: review.aliased(number, names, note=note))


def lock(visit: Visit) -> Go:
    """Makes the pseudonym of an entity one that never changes."""
    return _change(visit, lambda review, number, note: review.locked(number, note=note))


def keep(visit: Visit) -> Go:
    """Publishes an entity as it is written."""
    return _change(visit, lambda review, number, note: review.kept(number, note=note))


def mask(visit: Visit) -> Go:
    """Masks an entity again that was kept."""
    return _change(visit, lambda review, number, note: review.masked(number, note=note))


def add(visit: Visit) -> Go:
    """Adds an entity that was missed, masked wherever it stands."""
    papers, wording, kind = papers_of(visit), visit.given("wording"), visit.given("kind")
    shown: list[int | None] = []

    def carry_out(now: Papers) -> None:
        review = now.entities(visit.given("reviewer", now.reviewer))
        done = review.added(wording, kind, note=visit.given("note", ""))
        name = EntityName(kind=kind, forms=(" ".join(wording.split()),))
        shown.append(known_again(done.register, name))

    papers.change(visit.version(), carry_out)
    return papers.go("entities", entity="" if shown[0] is None else str(shown[0]))


def undo(visit: Visit) -> Go:
    """Takes back the last decision about entities."""
    papers = papers_of(visit)
    papers.change(visit.version(), lambda now: now.entities(now.reviewer).undone())
    return _shown_again(visit, papers, None)


PAGE = Page(
    name="entities",
    title="Entities",
    of="documents",
    about="Who and what the documents name, with every mention. All of them get a pseudonym, unless you keep them.",
    show=show,
    changes={
        "merge": merge,
        "split": split,
        "rename": rename,
        "alias": alias,
        "lock": lock,
        "keep": keep,
        "mask": mask,
        "add": add,
        "undo": undo,
    },
)
