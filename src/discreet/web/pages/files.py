"""Files: the tables and releases of the folder, where each stands, and how to add one."""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

from discreet import demo
from discreet.errors import DiscreetError
from discreet.formats import BY_ENDING, ending_of
from discreet.manifest import PUBLIC_NAME
from discreet.project import FILE_NAME
from discreet.text.release import is_text_release
from discreet.web.asking import report_work
from discreet.web.asking_documents import report_documents_work
from discreet.web.desk import Desk, Subject, original_of
from discreet.web.page import Facts, Go, Page, Visit
from discreet.web.papers import USUAL_NAME, Papers, originals_of
from discreet.web.refused import Refused
from discreet.writing.atomic import write_bytes, write_text

DEMO_FILE, DEMO_RECORDS = "people.csv", 3000
NOT_ASSESSED = "not assessed"
MOST_LISTED = 200
"""How many tables are listed at once; others are found by a part of their name."""


def show(visit: Visit) -> Facts:
    """The tables with their projects, and the releases with their verdicts."""
    from discreet.text.documents.formats import ENDINGS

    desk = visit.desk
    papers = desk.folder.documents()
    tables = [each for each in desk.folder.tables() if each.parent not in papers]
    wanted = visit.given("find", "").strip().lower()
    found = [each for each in tables if wanted in desk.folder.name_of(each).lower()]
    return {
        "folder": desk.root.name,
        "find": wanted,
        "all_tables": len(tables),
        "found": len(found),
        "tables": [_table(desk, each) for each in found[:MOST_LISTED]],
        "documents": [_documents(desk, each) for each in papers],
        "releases": [_release(desk, each, papers) for each in desk.folder.releases()],
        "endings": sorted({*BY_ENDING, *ENDINGS}),
        "has_demo": (desk.root / DEMO_FILE).exists() or (desk.root / FILE_NAME).exists(),
        "demo_file": DEMO_FILE,
    }


def _table(desk: Desk, place: Path) -> dict[str, Any]:
    subject = Subject(desk=desk, table=place)
    found = place.stat()
    fault, steps = "", 0
    try:
        steps = len(subject.project.plan.steps) if subject.has_project else 0
    except DiscreetError as problem:
        fault = str(problem)
    except Refused as refusal:
        fault = refusal.message
    return {
        "name": subject.name,
        "format": BY_ENDING[ending_of(place)].title,
        "bytes": found.st_size,
        "changed": _day(found.st_mtime),
        "project": subject.project_file.name if fault or subject.has_project else None,
        "steps": steps,
        "fault": fault,
    }


def _documents(desk: Desk, place: Path) -> dict[str, Any]:
    files = [each for each in place.iterdir() if each.is_file() and not each.name.startswith(".")]
    return {
        "name": desk.folder.name_of(place),
        "files": len(files),
        "bytes": sum(each.stat().st_size for each in files),
        "changed": _day(max(each.stat().st_mtime for each in files)),
    }


def _release(desk: Desk, place: Path, papers: list[Path]) -> dict[str, Any]:
    if is_text_release(place):
        return _release_of_documents(desk, place, papers)
    original = original_of(place)
    return {
        "name": desk.folder.name_of(place),
        "original": original,
        "made": _made(place),
        "docs": None,
        "verdict": verdict_of(desk, place),
        "table": next(
            (desk.folder.name_of(each) for each in desk.folder.tables() if each.name == original), None
        ),
    }


def _release_of_documents(desk: Desk, place: Path, papers: list[Path]) -> dict[str, Any]:
    names = originals_of(place)
    made_of = next(
        (each for each in papers if names and all((each / name).is_file() for name in names)), None
    )
    docs = None if made_of is None else desk.folder.name_of(made_of)
    return {
        "name": desk.folder.name_of(place),
        "original": docs,
        "made": _made(place),
        "docs": docs,
        "verdict": _verdict_on_documents(desk, place, made_of),
        "table": None,
    }


def _verdict_on_documents(desk: Desk, release: Path, made_of: Path | None) -> dict[str, str]:
    if made_of is None:
        return {"state": NOT_ASSESSED, "headline": "The documents it was made of are not in this folder."}
    papers = Papers(desk=desk, place=made_of, policy="", file=made_of.parent / USUAL_NAME)
    return _told(desk.works.answer(report_documents_work(papers, release).key))


def _told(report: Any) -> dict[str, str]:
    """The verdict of a report; without one nothing was assessed."""
    if report is None:
        return {"state": NOT_ASSESSED, "headline": "Open its result to attack it."}
    return {"state": report["verdict"]["state"], "headline": report["verdict"]["headline"]}


def _made(release: Path) -> str:
    return _day((release / "public" / PUBLIC_NAME).stat().st_mtime)


def verdict_of(desk: Desk, release: Path) -> dict[str, str]:
    """The verdict on a release as it was last assessed here; "not assessed" is never a good one."""
    original = original_of(release)
    table = next((each for each in desk.folder.tables() if each.name == original), None)
    if table is None:
        return {"state": NOT_ASSESSED, "headline": "The file it was made of is not in this folder."}
    subject = Subject(desk=desk, table=table)
    try:
        told = desk.works.answer(report_work(subject, release).key)
    except (DiscreetError, Refused):
        told = None
    return _told(told)


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


def add_demo(visit: Visit) -> Go:
    """The invented census with its project, as `discreet demo` leaves them."""
    root = visit.desk.root
    if (root / DEMO_FILE).exists() or (root / FILE_NAME).exists():
        raise Refused(HTTPStatus.CONFLICT, f"There is a {DEMO_FILE} or a {FILE_NAME} in the folder already.")
    write_bytes(root / DEMO_FILE, demo.people(DEMO_RECORDS).write_csv().encode(), private=True)
    write_text(root / FILE_NAME, demo.project(DEMO_FILE))
    return Go("columns", {"table": DEMO_FILE})


PAGE = Page(
    name="files",
    title="Files",
    of="desk",
    about="The tables and documents of this folder and what was released of them. Nothing leaves this machine.",
    show=show,
    changes={"demo": add_demo},
    script=True,
)
