"""Columns: what each holds, what it is taken for and why, changed in place, beside the risk of the file as it is."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from discreet.errors import BadParameter
from discreet.project.editing import with_column
from discreet.table import Role, Scale
from discreet.web.asking import columns_work, exposure_work, inspect_work
from discreet.web.page import Facts, Go, Page, Visit, about_work
from discreet.web.refused import Refused


def show(visit: Visit) -> Facts:
    """Every column with what is known of it; where there is no project yet, one is proposed first."""
    subject = visit.subject
    if not subject.has_project:
        proposing = about_work(visit, inspect_work(subject), begin=True)
        subject = subject.again()
        if not subject.has_project:
            return {"table": subject.name, "work": _without_answer(proposing), "columns": [], "version": ""}
    looked = about_work(visit, columns_work(subject), begin=True)
    exposed = about_work(visit, exposure_work(subject), begin=False)
    answer = looked["answer"] or {"columns": {}, "remarks": [], "records": None}
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
        "exposure": {"work": _without_answer(exposed), **_exposure(exposed["answer"])},
    }


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
    changes={"change": change_column, "attack": attack_as_it_is, "undo": undo, "redo": redo},
)
