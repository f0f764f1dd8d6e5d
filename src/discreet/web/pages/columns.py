"""Columns: what each holds, what it is taken for and why, changed in place, beside the risk of the file as it is."""

from __future__ import annotations

import contextlib
import os
from http import HTTPStatus
from pathlib import Path
from typing import Any

from discreet.errors import BadParameter
from discreet.project import ReadOptions
from discreet.project.editing import with_column, with_section
from discreet.project.sections import COLUMN_KEYS, keys_of
from discreet.table import ColumnSpec, Role, Scale
from discreet.web.asking import columns_work, exposure_work, further_place, further_work, inspect_work
from discreet.web.desk import Subject
from discreet.web.forms import fields_of_section, section_from
from discreet.web.page import Facts, Go, Page, Visit, about_work
from discreet.web.refused import Refused, Stale

READING = keys_of(ReadOptions)
FOUND_OUT = "found out from the file"
DETAILS = {name: COLUMN_KEYS[name] for name in ("importance", "ontology", "mapping", "format", "missing")}
"""What a project says of a column beside its role, scale and order."""


def show(visit: Visit) -> Facts:
    """Every column with what is known of it; where there is no project yet, one is proposed first."""
    subject, proposing = _described(visit)
    if proposing is not None:
        return {
            "table": subject.name,
            "version": subject.version,
            "work": _without_answer(proposing),
            "columns": [],
            "undo": subject.history.steps,
            "reading": _reading(subject, []),
            "further": None,
        }
    looked = about_work(visit, columns_work(subject), begin=True)
    exposed = about_work(visit, exposure_work(subject), begin=False)
    answer = looked["answer"] or {"columns": {}, "remarks": [], "records": None, "sheets": []}
    return {
        "table": subject.name,
        "version": subject.version,
        "project": subject.project_file.name,
        "work": _without_answer(looked),
        "records": answer["records"],
        "remarks": answer["remarks"],
        "columns": [
            {"name": name, "order": [], **each, **subject.project.columns[name].to_dict()}
            for name, each in answer["columns"].items()
        ],
        "roles": [str(each) for each in Role],
        "scales": [str(each) for each in Scale],
        "undo": subject.history.steps,
        "reading": _reading(subject, answer["sheets"]),
        "further": _further(visit, subject),
        "more": _more(subject, visit.given("column", "")),
        "exposure": {"work": _without_answer(exposed), **_exposure(exposed["answer"])},
    }


def _described(visit: Visit) -> tuple[Subject, Facts | None]:
    """The table, and how the work stands that proposes its columns where its project describes none yet.

    A project without columns says how the file is read and no more: what is proposed then becomes part of it.
    """
    subject = visit.subject
    if not subject.has_project:
        proposing = about_work(visit, inspect_work(subject), begin=True)
        subject = subject.again()
        if not subject.has_project:
            return subject, proposing
    if not subject.project.columns:
        work = further_work(subject, tried=False)
        proposing = about_work(visit, work, begin=True)
        proposed = further_place(subject, tried=False)
        if proposing["state"] != "done" or not proposed.is_file():
            return subject, proposing
        with contextlib.suppress(Stale):
            text = proposed.read_text(encoding="utf-8")
            subject = subject.change(subject.version, lambda old: text)
    return subject, None


def _reading(subject: Subject, sheets: list[str]) -> list[dict[str, Any]]:
    """How the file is read, as fields; a sheet is chosen among those that the workbook has."""
    said = subject.project.read.to_dict() if subject.has_project else {}
    made = fields_of_section(READING, said, ReadOptions, without=FOUND_OUT)
    among = {"shape": "choice", "among": sheets}
    return [{**each, **(among if each["name"] == "sheet" and len(sheets) > 1 else {})} for each in made]


def _further(visit: Visit, subject: Subject) -> Facts:
    """Which columns of the file the project does not describe, once that was looked for."""
    found = about_work(visit, further_work(subject, tried=False), begin=False)
    told = found["answer"] or {"new": [], "gone": []}
    return {"work": _without_answer(found), "new": told["new"], "gone": told["gone"]}


def _more(subject: Subject, name: str) -> Facts | None:
    """What else can be said of one column."""
    if not name:
        return None
    project = subject.project
    if name not in project.columns:
        raise Refused(HTTPStatus.NOT_FOUND, "The project describes no such column.")
    said = {**project.columns[name].to_dict(), **project.read.of_column(name)}
    return {"column": name, "fields": fields_of_section(DETAILS, said, ColumnSpec, without="left out")}


def _without_answer(work: Facts) -> Facts:
    return {name: value for name, value in work.items() if name != "answer"}


def _exposure(told: Any) -> dict[str, Any]:
    """The headline risks of the file as it is, and through which columns records are singled out."""
    if told is None:
        return {"risks": [], "special": [], "k": None, "not_computed": []}
    suda = next((each for each in told["risks"] if each["name"] == "suda"), None)
    special = sorted((suda or {}).get("columns", {}).items(), key=lambda each: -each[1])
    return {
        "risks": [
            {"name": each["name"], "risk": each["risk"], "attack": each["attack"]}
            for each in told["headlines"]
        ],
        "special": [{"name": name, "share": share} for name, share in special if share],
        "k": told["before"]["k"],
        "not_computed": [each["name"] for each in told["not_computed"]],
    }


def change_column(visit: Visit) -> Go:
    """Another role, scale or order of one column."""
    name = visit.given("column")
    role, scale = visit.given("role"), visit.given("scale")
    if role not in list(Role) or scale not in list(Scale):
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "There is no such role or scale.")
    order = [each.strip() for each in visit.given("order", "").splitlines() if each.strip()]
    if scale == Scale.ORDINAL and not order and visit.given("needs_order", "") == "yes":
        raise BadParameter(
            f"an ordinal column such as '{name}' needs its order: its values from low to high."
        )
    facts = {"role": role, "scale": scale, "order": order if scale == Scale.ORDINAL else []}
    visit.subject.change(visit.version(), lambda text: with_column(text, name, facts))
    return Go("columns", {"table": visit.subject.name})


def read(visit: Visit) -> Go:
    """Another way of reading the file; which columns it has then is looked at anew."""
    subject, changes = visit.subject, section_from(READING, visit.sent, "read")
    if not subject.has_project:
        changes = {"file": subject.table.name, **changes}
    changed = subject.change(visit.version(), lambda text: with_section(text, "read", changes))
    visit.start(further_work(changed, tried=False))
    return Go("columns", {"table": changed.name})


def again(visit: Visit) -> Go:
    """Begins to look which columns the file has that the project does not describe, or describes in vain."""
    visit.start(further_work(visit.subject, tried=False))
    return Go("columns", {"table": visit.subject.name})


def take(visit: Visit) -> Go:
    """The project that goes on from this one becomes that of the table: its new columns as they are proposed."""
    take_further(visit, tried=False)
    return Go("columns", {"table": visit.subject.name})


def take_further(visit: Visit, *, tried: bool) -> None:
    """Makes the project that was proposed the one of the table; Refused where it rests on another one."""
    subject = visit.subject
    work, place = further_work(subject, tried=tried), further_place(subject, tried=tried)
    if visit.version() != subject.version:
        raise Stale(subject.version)
    if visit.desk.works.progress(work.key).state != "done" or not place.is_file():
        raise Refused(HTTPStatus.CONFLICT, "Nothing is proposed for the project as it is now. Look again.")
    proposed = place.read_text(encoding="utf-8")
    subject.change(visit.version(), lambda text: proposed)


def say_more(visit: Visit) -> Go:
    """What else the project says of one column: how much it counts, what its values mean, how they are written."""
    subject, name = visit.subject, visit.given("column")
    said = section_from(DETAILS, visit.sent, name)
    for key in ("ontology", "mapping"):
        check_file(subject, said[key])
    subject.change(visit.version(), lambda text: with_column(text, name, said))
    return Go("columns", {"table": subject.name, "column": name})


def check_file(subject: Subject, name: str | None) -> None:
    """Raises Refused where a name that a project or a command is given leads to a file outside of the folder."""
    folder = subject.desk.folder
    for place in {subject.project_file.parent, folder.root}:
        if name and (Path(name).name != name or "\\" in name or os.path.lexists(place / name)):
            beside = folder.name_of(place)
            folder.inside(name if beside == "." else f"{beside}/{name}")


def attack_as_it_is(visit: Visit) -> Go:
    """Begins to attack the file as it is."""
    visit.start(exposure_work(visit.subject))
    return Go("columns", {"table": visit.subject.name})


def undo(visit: Visit) -> Go:
    """Takes back the last change of the project."""
    visit.subject.travel(visit.version(), lambda history: history.undo())
    return Go("columns", {"table": visit.subject.name})


def redo(visit: Visit) -> Go:
    """Makes again the change that was taken back last."""
    visit.subject.travel(visit.version(), lambda history: history.redo())
    return Go("columns", {"table": visit.subject.name})


PAGE = Page(
    name="columns",
    title="Columns",
    about="What each column is to an intruder decides what is masked and what is left out. Correct what is proposed.",
    show=show,
    changes={
        "change": change_column,
        "more": say_more,
        "read": read,
        "again": again,
        "take": take,
        "attack": attack_as_it_is,
        "undo": undo,
        "redo": redo,
    },
)
