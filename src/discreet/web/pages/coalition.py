"""Several releases together: what somebody learns who has more than one release of the same people."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from typing import Any

from discreet.errors import DiscreetError
from discreet.manifest import PUBLIC_NAME
from discreet.shapes import read_json
from discreet.table import IDENTIFYING
from discreet.web.asking import coalition_work
from discreet.web.desk import Subject
from discreet.web.page import Facts, Go, Page, Visit, about_work
from discreet.web.refused import Refused


def show(visit: Visit) -> Facts:
    """The releases to choose from, and what those that were chosen tell together about one column."""
    subject = visit.subject
    names = [subject.desk.folder.name_of(each) for each in subject.releases]
    chosen = [each for each in visit.given("releases", "").split("\n") if each] or names
    column, match = visit.given("column", ""), visit.given("match", "")
    work: Facts = {"state": "none", "answer": None}
    if column:
        places = [visit.desk.folder.release(each) for each in chosen]
        _check(subject, places, column, match)
        work = about_work(visit, coalition_work(subject, places, column, match), begin=True)
    return {
        "table": subject.name,
        "releases": [{"name": name, "chosen": name in chosen} for name in names],
        "columns": [name for name, each in subject.project.columns.items() if each.role not in IDENTIFYING],
        "matches": _pseudonyms(subject),
        "column": column,
        "match": match,
        "work": {name: value for name, value in work.items() if name != "answer"},
        "told": _told(work["answer"], chosen),
    }


def _pseudonyms(subject: Subject) -> list[str]:
    """The columns that tell who is who in releases, as pseudonyms do, by the project and by the releases."""
    found = set(subject.project.release.pseudonymise)
    for each in subject.releases:
        try:
            found.update(read_json(each / "public" / PUBLIC_NAME)["pseudonymised"])
        except (DiscreetError, KeyError, TypeError):
            continue
    return sorted(found)


def _check(subject: Subject, places: list[Path], column: str, match: str) -> None:
    if len(places) < 2:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "Choose at least two releases of these people.")
    for name in filter(None, (column, match)):
        if name not in subject.project.columns:
            raise Refused(HTTPStatus.NOT_FOUND, "The project describes no such column.")


def _told(answer: Any, chosen: list[str]) -> Facts | None:
    """What was rebuilt, and what each release tells alone."""
    if answer is None:
        return None
    rebuilt, details = answer["rebuilt"], answer["details"]
    places, single = details["release_of_each"], rebuilt["details"]["each_release"]
    return {
        "known": answer["records"] - answer["unknown"],
        "records": answer["records"],
        "together": rebuilt["risk"],
        "alone": [
            {"name": chosen[place], "share": share} for place, share in zip(places, single, strict=True)
        ],
        "tolerance": rebuilt["details"].get("tolerance"),
        "left_out": sorted({chosen[place] for place in details.get("left_out", ())}),
        "more": rebuilt["risk"] > max(single),
        "doubtful": answer["nothing_vouches_for"],
    }


def ask(visit: Visit) -> Go:
    """Begins to rebuild a column from the releases that are chosen."""
    subject, names = visit.subject, visit.all_given("release")
    places = [visit.desk.folder.release(each) for each in names]
    column, match = visit.given("column"), visit.given("match", "")
    _check(subject, places, column, match)
    visit.start(coalition_work(subject, places, column, match))
    asked = {"table": subject.name, "column": column, "match": match}
    return Go("coalition", {**asked, "releases": "\n".join(names)})


PAGE = Page(
    name="coalition",
    title="Together",
    about="What somebody learns who has several releases of the same people: together they can tell more than each "
    "of them alone.",
    show=show,
    changes={"ask": ask},
)
