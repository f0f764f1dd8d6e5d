"""Search: limits and a budget, the map of risk and loss while it grows, and the plan that is taken over from it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

from starlette.responses import JSONResponse, Response

from discreet import registry
from discreet.assessment import LOST
from discreet.digests import digest_of
from discreet.headline import HEADLINES
from discreet.project.editing import with_column, with_limits, with_steps
from discreet.project.sections import COLUMN_KEYS
from discreet.reporting.search_map import search_map
from discreet.reporting.words import number, percent
from discreet.searching import SearchResult, TriedPlan
from discreet.searching.journal import points_so_far
from discreet.table import IDENTIFYING
from discreet.web.asking import Wish, search_work
from discreet.web.desk import Subject
from discreet.web.page import Drawings, Facts, Go, Page, Visit, about_work, as_number
from discreet.web.refused import Refused
from discreet.web.rendering import drawn
from discreet.writing.atomic import write_json

WEIGHT = "importance."
"""What stands before the name of a column in the field for how much it counts."""
LEAST_SECONDS, USUAL_SECONDS, MOST_SECONDS = 5, 60, 3600
MOST_TRIALS = 100_000


def show(visit: Visit) -> Facts:
    """What the search is after, how it stands, and the best trade-offs so far."""
    subject = visit.subject
    wish = _remembered(subject)
    work = about_work(visit, search_work(subject, wish), begin=False) if wish else {"state": "none"}
    shown = wish or _usual(subject)
    found = _found(visit, subject, wish)
    return {
        "table": subject.name,
        "version": subject.version,
        "work": {name: value for name, value in work.items() if name != "answer"},
        "wish": {
            "ceilings": dict(shown.ceilings),
            "floors": dict(shown.floors),
            "seconds": shown.seconds,
            "importance": dict(shown.importance),
            "loss": shown.loss,
            "trials": shown.trials,
        },
        "losses": {each.name: each.title for each in registry.methods("loss") if each.name != LOST},
        "weighed": [
            {"name": name, "usual": each.importance}
            for name, each in subject.project.columns.items()
            if each.role not in IDENTIFYING
        ],
        "bounds": {"least": LEAST_SECONDS, "most": 600},
        "methods": [
            {"name": each.name, "title": each.title, "chosen": each.name in shown.methods}
            for each in registry.methods("mask")
            if _can_be_searched(each.name)
        ],
        "tried": 0 if found is None else len(found.points),
        "keeping": 0 if found is None else sum(each.meets for each in found.points),
        "front": [] if found is None else [_point(each, found) for each in found.front],
        "chosen": None if found is None else _point(found.chosen, found),
        "finished": work["state"] == "done",
    }


def draw(visit: Visit, facts: Facts) -> Drawings:
    """The map of all plans so far."""
    found = _found(visit, visit.subject, _remembered(visit.subject))
    return {} if found is None else _drawing(visit, found)


def the_map(visit: Visit) -> Response:
    """The map as it is now, for a script that puts it in the place of the one before."""
    found = _found(visit, visit.subject, _remembered(visit.subject))
    if found is None:
        return JSONResponse({"tried": 0, "map": "", "plans": []})
    return JSONResponse({"tried": len(found.points), **_drawing(visit, found)})


def _drawing(visit: Visit, found: SearchResult) -> dict[str, Any]:
    """The map, and of each of its marks, in their order, what tells its plan."""
    kept = visit.desk.folder.own / "charts"
    return {
        "map": drawn(lambda: search_map(found), "search", found.to_dict(), kept),
        "plans": [_name(each) for each in (*found.points, found.chosen)],
    }


def _can_be_searched(name: str) -> bool:
    return bool(registry.find("mask", name).searched.usual_for)


def _usual(subject: Subject) -> Wish:
    """The limits of the project, or a usual one."""
    assess = subject.project.assess
    ceilings = {name: bound for name, bound in assess.ceilings.items() if name in HEADLINES} or {
        "identity": 0.1
    }
    floors = {name: bound for name, bound in assess.floors.items() if name == "k_anonymity"}
    return Wish(ceilings=ceilings, floors=floors, seconds=USUAL_SECONDS)


def _memory(subject: Subject) -> Path:
    folder = subject.desk.folder.own / "search"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / f"{digest_of(subject.name)[:16]}.wish.json"


def _remembered(subject: Subject) -> Wish | None:
    """What was searched for last."""
    try:
        kept = json.loads(_memory(subject).read_text(encoding="utf-8"))
        return Wish(**{**kept, "methods": tuple(kept["methods"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _found(visit: Visit, subject: Subject, wish: Wish | None) -> SearchResult | None:
    """All points so far; of a search that is over, with the plan that it chose."""
    if wish is None:
        return None
    told = visit.desk.works.answer(search_work(subject, wish).key)
    if told is None:
        so_far = points_so_far(wish.journal(subject))
        return SearchResult.of(so_far, wish.ceilings, wish.floors, None, wish.loss or LOST)
    points = [TriedPlan.from_dict(each) for each in told["points"]]
    chosen = TriedPlan.from_dict(told["chosen"])
    return SearchResult.of(points, told["ceilings"], told["floors"], chosen, told["loss"])


def _point(point: TriedPlan, found: SearchResult) -> dict[str, Any]:
    return {
        "plan": _name(point),
        "says": str(point),
        "steps": [str(step) for step in point.plan.steps],
        "risks": found.shown(point),
        "loss": point.loss,
        "lost": percent(point.loss / 100) if found.loss == LOST else number(point.loss),
        "meets": point.meets,
    }


def _name(point: TriedPlan) -> str:
    return digest_of(point.plan)[:24]


def _wish_of(visit: Visit) -> Wish:
    """What the form asks for."""
    ceilings: dict[str, float] = {}
    for name in HEADLINES:
        if visit.given(name, "").strip():
            bound = visit.number(name) / 100
            if not 0 < bound <= 1:
                raise Refused(
                    HTTPStatus.UNPROCESSABLE_ENTITY, "A limit on a risk is above 0 and at most 100 percent."
                )
            ceilings[name] = round(bound, 10)
    floors = {"k_anonymity": visit.number("k")} if visit.given("k", "").strip() not in ("", "1") else {}
    seconds = visit.number("seconds", USUAL_SECONDS)
    if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        wanted = f"A search takes from {LEAST_SECONDS} to {MOST_SECONDS:,} seconds."
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, wanted)
    methods = tuple(name for name in visit.all_given("method") if _can_be_searched(name))
    return Wish(
        ceilings=ceilings,
        floors=floors,
        seconds=seconds,
        methods=methods,
        importance=_importance(visit),
        loss=_loss(visit),
        trials=_trials(visit),
    )


def _loss(visit: Visit) -> str:
    """The measure of loss that is made small; empty for the usual one."""
    name = visit.given("loss", "").strip()
    return name if name in ("", LOST) else registry.find("loss", name).name


def _trials(visit: Visit) -> int:
    """The most plans that are tried; 0 for as many as the time allows."""
    trials = visit.number("trials", 0)
    if trials != int(trials) or not 0 <= trials <= MOST_TRIALS:
        wanted = f"The number of plans is a whole number of at most {MOST_TRIALS:,}."
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, wanted)
    return int(trials)


def _importance(visit: Visit) -> dict[str, float]:
    """How much columns count in what is lost, those that the form names with a number."""
    found = {}
    for name in visit.subject.project.columns:
        written = visit.given(WEIGHT + name, "").strip()
        if not written:
            continue
        kind = COLUMN_KEYS["importance"]
        value = as_number(written, "importance")
        if not kind.accepts(value):
            raise Refused(
                HTTPStatus.UNPROCESSABLE_ENTITY, f"The importance of a column must be {kind.wants()}."
            )
        found[name] = value
    return found


def begin(visit: Visit) -> Go:
    """Begins to search, or goes on where the same search was stopped."""
    wish, subject = _wish_of(visit), visit.subject
    kept: Mapping[str, Any] = {
        "ceilings": dict(wish.ceilings),
        "floors": dict(wish.floors),
        "seconds": wish.seconds,
        "methods": list(wish.methods),
        "importance": dict(wish.importance),
        "loss": wish.loss,
        "trials": wish.trials,
    }
    write_json(_memory(subject), kept, force=True, private=True)
    visit.start(search_work(subject, wish))
    return Go("search", {"table": subject.name})


def take(visit: Visit) -> Go:
    """The plan of one point becomes that of the project, with the limits it was found for."""
    subject, wish = visit.subject, _remembered(visit.subject)
    found, wanted = _found(visit, subject, wish), visit.given("plan")
    every: Sequence[TriedPlan] = () if found is None else (*found.points, found.chosen)
    point = next((each for each in every if _name(each) == wanted), None)
    if point is None or wish is None:
        raise Refused(
            HTTPStatus.CONFLICT, "This plan is not among those of the search any more. Search again."
        )
    steps, assess = point.plan.to_dict(), subject.project.assess
    ceilings, floors = {**assess.ceilings, **wish.ceilings}, {**assess.floors, **wish.floors}

    def taken(text: str) -> str:
        for name, weight in wish.importance.items():
            text = with_column(text, name, {"importance": None if weight == 1 else weight})
        return with_limits(with_steps(text, steps), ceilings, floors)

    subject.change(visit.version(), taken)
    return Go("plan", {"table": subject.name})


PAGE = Page(
    name="search",
    title="Search",
    about="Many plans are tried, attacked and measured. You say what risk you accept; the best plan loses least.",
    show=show,
    draw=draw,
    changes={"begin": begin, "take": take},
    parts={"map": the_map},
    script=True,
)
