"""Sanitised: a release of documents made, attacked and told, and each document before and after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from http import HTTPStatus
from pathlib import Path
from typing import Any

from starlette.responses import Response

from discreet.web.asking_documents import Audience, report_documents_work, report_place, sanitise_work
from discreet.web.document_limits import LIMITED, limits_of, limits_version, set_limits
from discreet.web.page import Facts, Go, Page, Visit, about_work
from discreet.web.pages.result import page_of_report
from discreet.web.papers import CHANGED, Papers, frame, looked_through, papers_of
from discreet.web.refused import Refused, Stale

MOST_COMPARED = 20_000
"""How many characters of a document are shown before and after."""
WORD = re.compile(r"\w+|\s+|[^\w\s]")
OPTIONS = {"automatic": "--automatic", "keep_names": "--keep-names", "keep_pictures": "--keep-pictures"}


def show(visit: Visit) -> Facts:
    """How the making stands, one release as its report tells it, and one document before and after."""
    papers = looked_through(visit)
    if not isinstance(papers, Papers):
        return papers
    works, making, releases = visit.desk.works, visit.given("making", ""), papers.releases
    chosen = _chosen(visit, releases)
    told: Facts = {"state": "none", "answer": None}
    outside: Facts = {"state": "none"}
    if chosen is not None:
        told = about_work(visit, report_documents_work(papers, chosen), begin=True)
        outside = about_work(visit, report_documents_work(papers, chosen, "external"), begin=False)
    return {
        **frame(papers),
        "making": works.progress(making).to_dict() if making else {"state": "none"},
        "made": works.answer(making) if making else None,
        "free": visit.desk.folder.free_name(),
        "has_topics": bool(papers.rules.topics),
        "releases": [visit.desk.folder.name_of(each) for each in releases],
        "release": None if chosen is None else visit.desk.folder.name_of(chosen),
        "work": _without_answer(told),
        "external": _without_answer(outside),
        "report": told["answer"],
        "limits": _limits(papers),
        **_compared(visit, papers),
    }


def _without_answer(work: Facts) -> Facts:
    return {name: value for name, value in work.items() if name != "answer"}


def _limits(papers: Papers) -> Facts:
    """What a limit can be set on, and those that are."""
    held = limits_of(papers)
    return {
        "version": limits_version(papers),
        "fields": [
            {"name": name, "title": title, "bound": held.get(name)} for name, title in LIMITED.items()
        ],
    }


def _chosen(visit: Visit, releases: list[Path]) -> Path | None:
    """The release that is asked for, where it is there already, or else the newest."""
    name, folder = visit.given("release", ""), visit.desk.folder
    found = next((each for each in releases if folder.name_of(each) == name), None)
    if found is None and name and not visit.given("making", ""):
        raise Refused(HTTPStatus.NOT_FOUND, "There is no such release of these documents.")
    return found if name else next(iter(releases), None)


def _compared(visit: Visit, papers: Papers) -> Facts:
    """One document before and after, where it was asked for: as the decisions stand, whatever was released."""
    before = papers.found.original
    names = [each.name for each in before]
    name = visit.given("document", "")
    if not name:
        return {"documents": names, "document": None, "undecided": papers.undecided}
    if name not in names:
        raise Refused(HTTPStatus.NOT_FOUND, "There is no such document in this folder.")
    place = names.index(name)
    texts = [list(each)[place].text for each in (before, papers.after.corpus)]
    old, new = (text[:MOST_COMPARED] for text in texts)
    return {
        "documents": names,
        "document": name,
        "undecided": papers.undecided,
        "sides": list(_sides(old, new)),
        "more": max(map(len, texts)) > MOST_COMPARED,
    }


def _sides(old: str, new: str) -> Iterator[list[dict[str, Any]]]:
    """Both texts in pieces, those that differ marked, word by word."""
    one, other = WORD.findall(old), WORD.findall(new)
    steps = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    yield [{"text": "".join(one[a:b]), "differs": tag != "equal"} for tag, a, b, _, _ in steps if b > a]
    yield [{"text": "".join(other[a:b]), "differs": tag != "equal"} for tag, _, _, a, b in steps if b > a]


def make(visit: Visit) -> Go:
    """Begins to make the release, in a new folder."""
    papers = papers_of(visit)
    name = visit.desk.folder.new_release(visit.given("release"))
    if papers.version != visit.version():
        raise Stale(papers.version, CHANGED)
    options = tuple(option for field, option in OPTIONS.items() if visit.given(field, "") == "yes")
    work = visit.start(sanitise_work(papers, name, options, visit.version()))
    return papers.go("sanitised", release=name, making=work.key)


def limits(visit: Visit) -> Go:
    """Sets the limits that releases of these documents are held against."""
    papers = papers_of(visit)
    set_limits(papers, visit)
    return papers.go("sanitised", release=visit.given("release", ""))


def tell(visit: Visit) -> Go:
    """Begins to write the report for readers outside."""
    papers = papers_of(visit)
    chosen = _released(visit, papers)
    visit.start(report_documents_work(papers, chosen, "external"))
    return papers.go("sanitised", release=visit.desk.folder.name_of(chosen))


def _released(visit: Visit, papers: Papers) -> Path:
    """The release that is asked for, or else the newest; Refused with 404 where there is none."""
    chosen = _chosen(visit, papers.releases)
    if chosen is None:
        raise Refused(HTTPStatus.NOT_FOUND, "Nothing was released of these documents yet.")
    return chosen


def report(visit: Visit) -> Response:
    """The page of a report, which stands apart from the desk."""
    papers = papers_of(visit)
    chosen = _released(visit, papers)
    asked = visit.given("audience", "internal")
    if asked not in ("internal", "external"):
        raise Refused(HTTPStatus.BAD_REQUEST, "A report is internal or external.")
    audience: Audience = "external" if asked == "external" else "internal"
    place = report_place(papers, chosen, audience)
    answer = visit.desk.works.answer(report_documents_work(papers, chosen, audience).key)
    if answer is None or not place.is_file():
        raise Refused(HTTPStatus.NOT_FOUND, "This report is not written yet.")
    return page_of_report(place, f"report-documents-{audience}.html" if visit.given("keep", "") else "")


PAGE = Page(
    name="sanitised",
    title="Release",
    of="documents",
    about="Names become pseudonyms, decisions are carried out, and what was written is searched for every name.",
    show=show,
    changes={"make": make, "limits": limits, "tell": tell},
    parts={"report": report},
)
