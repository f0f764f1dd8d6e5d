"""Plan: masking steps as cards with forms from the methods' declared facts, and a look at what they do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from discreet import registry
from discreet.digests import digest_of
from discreet.headline import HEADLINES
from discreet.method_call import MethodCall
from discreet.previewing import USUAL_RECORDS
from discreet.project import AssessOptions, ReleaseOptions
from discreet.project.editing import moved, with_limits, with_section, with_steps
from discreet.project.sections import keys_of
from discreet.reporting.words import title
from discreet.states import States
from discreet.table import IDENTIFYING, ColumnSpec, Scale
from discreet.web.asking import further_work, preview_work, protect_work
from discreet.web.desk import Subject
from discreet.web.forms import call_from, fields_of, fields_of_section, section_from
from discreet.web.page import Facts, Go, Page, Visit, about_work
from discreet.web.pages.columns import take_further
from discreet.web.papers import policies
from discreet.web.refused import Refused, Stale

Steps = Sequence[Mapping[str, Any]]
RELEASE, ASSESS = keys_of(ReleaseOptions), keys_of(AssessOptions)
SETTINGS = {"release": RELEASE, "assess": ASSESS}
LEVELLED = ("k_anonymity", "k_map", "l_diversity")
"""The attacks that reach a level, on which a floor can be set."""
MOST_TRIED = 12
"""Plans that were tried and are shown."""


def show(visit: Visit) -> Facts:
    """The steps with their forms, the step that is being added, the states that were kept, and the preview."""
    subject = visit.subject
    columns = subject.project.columns
    adding = visit.given("add", "")
    return {
        "table": subject.name,
        "version": subject.version,
        "steps": [_step(step, columns) for step in subject.steps],
        "methods": _methods(),
        "adding": _step({"method": adding}, columns) if adding else None,
        "open": visit.given("open", ""),
        "limits": {
            "ceilings": dict(subject.project.assess.ceilings),
            "floors": dict(subject.project.assess.floors),
        },
        "undo": subject.history.steps,
        "saved": list(subject.history.saved()),
        "preview": _preview(visit, subject),
        "proposal": _proposal(visit, subject),
        "settings": {
            "release": _release_fields(visit, columns),
            "assess": fields_of_section(
                ASSESS,
                subject.project.assess.to_dict(),
                AssessOptions,
                without="the usual ones",
                lists=_measures(),
            ),
        },
        "sample": USUAL_RECORDS,
        "making": _making(visit),
        "release": subject.desk.folder.free_name(),
        "can_sign": subject.desk.public_key.is_file(),
    }


def _methods() -> dict[str, list[dict[str, str]]]:
    """The masks by family."""
    families: dict[str, list[dict[str, str]]] = {}
    for each in registry.methods("mask"):
        families.setdefault(each.family, []).append(
            {"name": each.name, "title": each.title, "summary": each.summary}
        )
    return dict(sorted(families.items()))


def _step(step: Mapping[str, Any], columns: Mapping[str, Any]) -> dict[str, Any]:
    method = registry.find("mask", str(step["method"]))
    given = {name: value for name, value in step.items() if name != "method"}
    return {
        "method": method.name,
        "title": method.title,
        "summary": method.summary,
        "meaning": method.meaning,
        "missing": method.missing,
        "scales": sorted(str(each) for each in method.scales),
        "guarantees": [each.says for each in method.guarantees],
        "by_design": list(method.by_design),
        "tells": "" if method.tells is None else method.tells.says,
        "cites": list(method.cites),
        "given": {
            name: method.parameter(name).kind.in_words(value)
            for name, value in given.items()
            if value is not None
        },
        "fields": fields_of(method, given, columns),
    }


def _preview(visit: Visit, subject: Subject) -> Facts:
    """The newest look at the plan as it is now: on all records where there is one, else on a sample."""
    for records in (None, USUAL_RECORDS):
        found = about_work(visit, preview_work(subject, records), begin=False)
        if found["state"] != "none":
            return {**found, "on": "all" if records is None else "sample"}
    return {"state": "none", "answer": None, "on": ""}


def _release_fields(visit: Visit, columns: Mapping[str, ColumnSpec]) -> list[dict[str, Any]]:
    """How the release is written, as fields; lists of columns and policies are chosen among those there are."""
    said = visit.subject.project.release.to_dict()
    made = fields_of_section(RELEASE, said, ReleaseOptions, without="left out", lists=_lists(columns))
    among = {"shape": "choice", "among": policies(visit.desk)}
    return [{**each, **(among if each["name"] == "policy" else {})} for each in made]


def _measures() -> dict[str, dict[str, str]]:
    """What can be run, measured and limited, each with its title."""
    attacks, losses = (
        {each.name: each.title for each in registry.methods(kind)} for kind in ("attack", "loss")
    )
    ceilings = {**{name: title(name) for name in HEADLINES}, **attacks}
    floors = {name: attacks[name] for name in LEVELLED}
    return {"attacks": attacks, "losses": losses, "ceilings": ceilings, "floors": floors}


def _lists(columns: Mapping[str, ColumnSpec]) -> dict[str, dict[str, str]]:
    """The columns that each list of columns can hold."""
    texts = [
        name for name, each in columns.items() if each.scale == Scale.TEXT and each.role not in IDENTIFYING
    ]
    naming = [name for name, each in columns.items() if each.role in IDENTIFYING]
    lists = {"pseudonymise": naming, "publish_text": texts, "sanitise_text": texts}
    return {name: {each: each for each in among} for name, among in lists.items()}


def _proposal(visit: Visit, subject: Subject) -> Facts:
    """The plans that were tried for these columns and limits, those first that lose least within the limits."""
    found = about_work(visit, further_work(subject, tried=True), begin=False)
    plan = (found["answer"] or {}).get("plan")
    told: Facts = {"work": {name: value for name, value in found.items() if name != "answer"}, "plan": None}
    if plan is None:
        return told
    ranked = sorted(
        (each for each in plan["tried"] if "point" in each),
        key=lambda each: (
            each != plan["chosen"],
            not each["in_full"],
            not each["point"]["meets"],
            each["point"]["loss"] + each["charge"],
        ),
    )
    return {
        **told,
        "plan": {
            "meets": plan["meets"],
            "cut_short": plan["cut_short"],
            "sample": plan["sample"],
            "many": len(plan["tried"]),
            "chosen": plan["chosen"] is not None and "point" in plan["chosen"],
            "tried": [
                {**_tried(each), "chosen": each == plan["chosen"]} for each in _once(ranked)[:MOST_TRIED]
            ],
        },
    }


def _once(ranked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each plan once, as it was judged best: what was tried in full comes before what was tried quickly."""
    first = {digest_of([each["plan"], each["left_out"]]): each for each in reversed(ranked)}
    return [each for each in ranked if any(each is kept for kept in first.values())]


def _tried(made: Mapping[str, Any]) -> dict[str, Any]:
    """One plan that was tried, in words and numbers."""
    risks = made["point"]["risks"]
    return {
        "steps": [str(MethodCall.of("mask", step["method"], _parameters(step))) for step in made["plan"]],
        "left_out": made["left_out"],
        "identity": risks.get("identity"),
        "attribute": risks.get("attribute"),
        "lost": made["point"]["loss"],
        "meets": made["point"]["meets"],
        "in_full": made["in_full"],
    }


def _parameters(step: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in step.items() if name not in ("method", "columns")}


def _making(visit: Visit) -> Facts:
    """How the release stands that is being made."""
    key = visit.given("making", "")
    return visit.desk.works.progress(key).to_dict() if key else {"state": "none"}


def _changed(visit: Visit, edit: Callable[[list[dict[str, Any]]], Steps], opened: str = "") -> Go:
    """The plan with other steps."""
    subject = visit.subject
    subject.change(visit.version(), lambda text: with_steps(text, edit(subject.steps)))
    return Go("plan", {"table": subject.name, "open": opened})


def _place(visit: Visit) -> int:
    """The place of a step, counted from 0."""
    found, steps = int(visit.number("step")), len(visit.subject.steps)
    if not 1 <= found <= steps:
        raise Refused(HTTPStatus.CONFLICT, f"The plan has {steps} steps, and none with the number {found}.")
    return found - 1


def _call(visit: Visit) -> dict[str, Any]:
    """The step that the form describes, which leads to files of the folder only."""
    call = call_from(registry.find("mask", visit.given("method")), visit.sent)
    for name in call.files:
        visit.desk.folder.inside(name)
    return call.to_dict()


def add(visit: Visit) -> Go:
    """A further step at the end."""
    made = _call(visit)
    return _changed(visit, lambda steps: [*steps, made])


def change(visit: Visit) -> Go:
    """Other parameters of one step."""
    made, place = _call(visit), _place(visit)
    return _changed(visit, lambda steps: [*steps[:place], made, *steps[place + 1 :]])


def remove(visit: Visit) -> Go:
    """The plan without one step."""
    place = _place(visit)
    return _changed(visit, lambda steps: [*steps[:place], *steps[place + 1 :]])


def move(visit: Visit) -> Go:
    """One step earlier or later."""
    place, by = _place(visit), -1 if visit.given("to") == "earlier" else 1
    return _changed(visit, lambda steps: moved(steps, place, by))


def limits(visit: Visit) -> Go:
    """The limits that a release must keep: shares in percent; an empty field sets none."""
    ceilings = dict(visit.subject.project.assess.ceilings)
    for name in HEADLINES:
        written = visit.given(name, "").strip()
        ceilings.pop(name, None)
        if written:
            ceilings[name] = round(visit.number(name) / 100, 10)
    floors = dict(visit.subject.project.assess.floors)
    floors.pop("k_anonymity", None)
    if visit.given("k", "").strip():
        floors["k_anonymity"] = visit.number("k")
    visit.subject.change(visit.version(), lambda text: with_limits(text, ceilings, floors))
    return Go("plan", {"table": visit.subject.name})


def settings(visit: Visit) -> Go:
    """How the release is written, or how it is judged, as the form of that section says."""
    section = visit.given("section")
    if section not in SETTINGS:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "There are no such settings.")
    changes = section_from(SETTINGS[section], visit.sent, section)
    policy = changes.get("policy")
    if policy and policy not in policies(visit.desk):
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "There is no such policy in the folder of the desk.")
    visit.subject.change(visit.version(), lambda text: with_section(text, section, changes))
    return Go("plan", {"table": visit.subject.name})


def propose(visit: Visit) -> Go:
    """Begins to try plans for the columns and limits as they are."""
    visit.start(further_work(visit.subject, tried=True))
    return Go("plan", {"table": visit.subject.name})


def take(visit: Visit) -> Go:
    """The plan that was proposed becomes that of the project."""
    take_further(visit, tried=True)
    return Go("plan", {"table": visit.subject.name})


def look(visit: Visit) -> Go:
    """Begins to try the plan on a sample, or on all records."""
    visit.start(preview_work(visit.subject, None if visit.given("on") == "all" else USUAL_RECORDS))
    return Go("plan", {"table": visit.subject.name})


def make(visit: Visit) -> Go:
    """Begins to make the release, in a new folder."""
    name = visit.desk.folder.new_release(visit.given("release"))
    if not visit.subject.steps:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "The plan has no step yet: nothing would be masked.")
    if visit.subject.version != visit.version():
        raise Stale(visit.subject.version)
    upto = _upto(visit)
    signed = visit.given("sign", "no") == "yes"
    if signed and not visit.desk.public_key.is_file():
        raise Refused(HTTPStatus.CONFLICT, "The desk has no key yet. Make one under Export.")
    work = visit.start(protect_work(visit.subject, name, visit.version(), upto, signed=signed))
    return Go("result", {"table": visit.subject.name, "release": name, "making": work.key})


def _upto(visit: Visit) -> int | None:
    """How many steps are to be carried out, where not all of them."""
    steps = len(visit.subject.steps)
    upto = int(visit.number("upto", steps))
    if not 1 <= upto <= steps:
        raise Refused(
            HTTPStatus.UNPROCESSABLE_ENTITY, f"The plan has {steps} steps; carry out 1 to {steps} of them."
        )
    return None if upto == steps else upto


def _travel(visit: Visit, go: Callable[[States], object]) -> Go:
    visit.subject.travel(visit.version(), go)
    return Go("plan", {"table": visit.subject.name})


def undo(visit: Visit) -> Go:
    """Takes back the last change of the project."""
    return _travel(visit, lambda history: history.undo())


def redo(visit: Visit) -> Go:
    """Makes again the change that was taken back last."""
    return _travel(visit, lambda history: history.redo())


def save(visit: Visit) -> Go:
    """Keeps the project as it is now under a name."""
    return _travel(visit, lambda history: history.save(visit.given("name").strip()))


def restore(visit: Visit) -> Go:
    """Makes a state that was kept the one of now."""
    return _travel(visit, lambda history: history.restore(visit.given("name")))


PAGE = Page(
    name="plan",
    title="Plan",
    about="Masking steps, carried out in order. Try them on a sample, look at risk and loss, then make the release.",
    show=show,
    changes={
        "add": add,
        "change": change,
        "remove": remove,
        "move": move,
        "limits": limits,
        "settings": settings,
        "propose": propose,
        "take": take,
        "look": look,
        "make": make,
        "undo": undo,
        "redo": redo,
        "save": save,
        "restore": restore,
    },
    script=True,
)
