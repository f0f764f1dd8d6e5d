"""Result: the verdict on a release, what became of its columns, who is at risk, and intruders of your making."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

import tomlkit
from starlette.responses import Response

from discreet.digests import digest_of
from discreet.distributions import Bar, Distribution
from discreet.exposure import Chances
from discreet.reporting import charts
from discreet.reporting.map_chart import ru_map
from discreet.table import Role
from discreet.web.asking import attack_work, records_place, records_work, report_work
from discreet.web.desk import Subject
from discreet.web.page import Drawings, Facts, Go, Page, Visit, about_work, download
from discreet.web.pages.files import verdict_of
from discreet.web.refused import Refused
from discreet.web.rendering import drawn
from discreet.writing.atomic import write_text

INTRUDER = re.compile(r"[0-9a-f]{24}")
SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def show(visit: Visit) -> Facts:
    """One release as the report tells it, the others beside it, and the last attack by an intruder."""
    subject = visit.subject
    releases, making = subject.releases, visit.given("making", "")
    made = visit.desk.works.progress(making).to_dict() if making else {"state": "none"}
    chosen = _chosen(visit, subject, releases)
    facts: Facts = {
        "table": subject.name,
        "making": made,
        "releases": [_listed(subject, each) for each in releases],
        "release": None if chosen is None else subject.desk.folder.name_of(chosen),
        "report": None,
        "work": {"state": "none"},
        "compared": [],
        "keys": [name for name, each in subject.project.columns.items() if each.role == Role.KEY],
        "tables": [
            subject.desk.folder.name_of(each)
            for each in subject.desk.folder.tables()
            if each != subject.table
        ],
        "intruder": None,
    }
    if chosen is None:
        return facts
    told = about_work(visit, report_work(subject, chosen), begin=True)
    outside = about_work(visit, report_work(subject, chosen, "external"), begin=False)
    return {
        **facts,
        "report": told["answer"],
        "work": _without_answer(told),
        "external": _without_answer(outside),
        "records": _without_answer(about_work(visit, records_work(subject, chosen), begin=False)),
        "compared": [] if told["answer"] is None else _compared(visit, subject, releases),
        "intruder": _attacked(visit, subject, chosen),
    }


def _chosen(visit: Visit, subject: Subject, releases: list[Path]) -> Path | None:
    """The release that is asked for, where it is there already, or else the newest."""
    name = visit.given("release", "")
    found = next((each for each in releases if subject.desk.folder.name_of(each) == name), None)
    if found is None and name and not visit.given("making", ""):
        return subject.desk.folder.release(name)
    return found if name else next(iter(releases), None)


def _listed(subject: Subject, release: Path) -> dict[str, Any]:
    return {"name": subject.desk.folder.name_of(release), "verdict": verdict_of(subject.desk, release)}


def _without_answer(work: Facts) -> Facts:
    return {name: value for name, value in work.items() if name != "answer"}


def _compared(visit: Visit, subject: Subject, releases: list[Path]) -> list[dict[str, Any]]:
    """The headline numbers of all releases that were attacked here."""
    found = []
    for each in releases:
        told = visit.desk.works.answer(report_work(subject, each).key)
        if told is not None:
            numbers = {one["name"]: one for one in (*told["risks"], *told["losses"])}
            found.append(
                {
                    "name": subject.desk.folder.name_of(each),
                    "verdict": told["verdict"],
                    "steps": [one["title"] for one in told["done"]["steps"]],
                    **{
                        key: numbers[key]["share"] if key in numbers else None
                        for key in ("identity", "attribute", "lost")
                    },
                }
            )
    return found


def _attacked(visit: Visit, subject: Subject, release: Path) -> Facts | None:
    """What the intruder knows who attacked last, how that stands, and what came of it."""
    key = visit.given("intruder", "")
    if not key:
        return None
    place = _intruder_place(subject, key)
    if not place.is_file():
        raise Refused(HTTPStatus.NOT_FOUND, "There is no such intruder. Describe one and attack again.")
    everybody = _population(subject, visit.given("population", ""))
    told = about_work(visit, attack_work(subject, release, place, everybody), begin=True)
    return {
        "knows": tomlkit.parse(place.read_text(encoding="utf-8")).unwrap(),
        "toml": place.read_text(encoding="utf-8"),
        "population": "" if everybody is None else subject.desk.folder.name_of(everybody),
        "work": _without_answer(told),
        "answer": told["answer"],
    }


def _intruder_place(subject: Subject, key: str) -> Path:
    if not INTRUDER.fullmatch(key):
        raise Refused(HTTPStatus.BAD_REQUEST, "There is no such intruder.")
    folder = subject.desk.folder.own / "intruders"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / f"{key}.toml"


def draw(visit: Visit, facts: Facts) -> Drawings:
    """The charts of the report, and the map of all releases."""
    report, kept = facts["report"], visit.desk.folder.own / "charts"
    if report is None:
        return {}
    changed = [each for each in report["columns"] if each["bars"] and each["changed"]]
    exposure = report["exposure"]
    chances = [] if exposure is None else exposure["chances"]
    return {
        "columns": {
            each["column"]: drawn(partial(_chart_of_column, each), f"column{place}", each, kept)
            for place, each in enumerate(changed)
        },
        "chances": [
            drawn(partial(_chart_of_chances, each), f"chances{place}", each, kept)
            for place, each in enumerate(chances)
        ],
        "map": _map(facts, kept),
    }


def _chart_of_column(told: Mapping[str, Any]) -> Any:
    return charts.distribution(_distribution(told))


def _chart_of_chances(told: Mapping[str, Any]) -> Any:
    return charts.chances(Chances(**told))


def _distribution(told: Mapping[str, Any]) -> Distribution:
    return Distribution(**{**told, "bars": tuple(Bar(**each) for each in told["bars"])})


def _map(facts: Facts, kept: Path) -> Any:
    """Every release on one map, with the ends of every choice."""
    points = [(each["name"], each["identity"], each["lost"]) for each in facts["compared"]]
    known = [(name, risk, 100 * lost) for name, risk, lost in points if risk is not None and lost is not None]
    if not known:
        return None
    told = facts["report"]["map"]
    ends = [] if told is None else [(each["name"], each["risk"], each["loss"]) for each in told["points"]]
    ends = [each for each in ends if each[0] != "this release"]
    limits = {} if told is None else dict(told["ceilings"])
    chart = partial(
        ru_map,
        [*ends, *known],
        chosen=facts["release"],
        ceilings=limits,
        risk_title="risk: finding people",
        loss_title="use lost, percent",
    )
    return drawn(chart, "map", [ends, known, limits, facts["release"]], kept)


def attack(visit: Visit) -> Go:
    """Writes down what an intruder knows, and begins to attack as one."""
    subject = visit.subject
    release = subject.desk.folder.release(visit.given("release"))
    known: dict[str, Any] = {}
    columns = visit.all_given("column")
    if columns:
        known["columns"] = columns
    people, training = visit.number("people", 100) / 100, visit.number("training", 0) / 100
    if people != 1:
        known["records"] = people
    if training:
        known["training"] = training
    if visit.given("reads", "no") != "yes":
        known["reads_manifest"] = False
    holds = visit.given("file", "")
    if holds:
        held = subject.desk.folder.table(holds)
        known |= {
            "file": f"../../{subject.desk.folder.name_of(held)}",
            "match": visit.given("match", "").strip(),
        }
    text = tomlkit.dumps(known)
    key = digest_of(text)[:24]
    place = _intruder_place(subject, key)
    write_text(place, text, force=True, private=True)
    everybody = visit.given("population", "")
    visit.start(attack_work(subject, release, place, _population(subject, everybody)))
    asked = {"table": subject.name, "release": visit.given("release"), "intruder": key}
    return Go("result", {**asked, "population": everybody})


def _population(subject: Subject, name: str) -> Path | None:
    """The table of everybody in which k_map counts, where one is named."""
    return subject.desk.folder.table(name) if name else None


def tell(visit: Visit) -> Go:
    """Begins to write the report for readers outside."""
    subject = visit.subject
    release = subject.desk.folder.release(visit.given("release"))
    visit.start(report_work(subject, release, "external"))
    return Go("result", {"table": subject.name, "release": visit.given("release")})


def write_records(visit: Visit) -> Go:
    """Begins to write down the risk of every record."""
    subject = visit.subject
    release = subject.desk.folder.release(visit.given("release"))
    visit.start(records_work(subject, release))
    return Go("result", {"table": subject.name, "release": visit.given("release")})


def records(visit: Visit) -> Response:
    """The risk of every record as a file: internal, as what it tells is who is found."""
    subject = visit.subject
    release = subject.desk.folder.release(visit.given("release"))
    place = records_place(subject, release)
    if visit.desk.works.answer(records_work(subject, release).key) is None or not place.is_file():
        raise Refused(HTTPStatus.NOT_FOUND, "The risk of each record is not written yet.")
    return download(visit.desk, place, "internal-records-at-risk.csv")


def report(visit: Visit) -> Response:
    """The page of a report, which stands apart from the desk: it has a rule of its own for what it may load."""
    subject = visit.subject
    release = subject.desk.folder.release(visit.given("release"))
    audience = visit.given("audience", "internal")
    if audience not in ("internal", "external"):
        raise Refused(HTTPStatus.BAD_REQUEST, "A report is internal or external.")
    work = report_work(subject, release, "external" if audience == "external" else "internal")
    place = subject.desk.folder.own / "reports" / Path(work.arguments[work.arguments.index("--out") + 1]).name
    if visit.desk.works.answer(work.key) is None or not place.is_file():
        raise Refused(HTTPStatus.NOT_FOUND, "This report is not written yet.")
    return page_of_report(place, f"report-{audience}.html" if visit.given("keep", "") else "")


def page_of_report(place: Path, kept_as: str = "") -> Response:
    """A report that was written, under a rule of its own for what it may load; to be kept where it gets a name."""
    page = place.read_text(encoding="utf-8")
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'"
        for each in SCRIPT.findall(page)
    )
    rule = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src {hashes}; sandbox allow-scripts; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )
    headers = {"Content-Security-Policy": rule}
    if kept_as:
        headers["Content-Disposition"] = f'attachment; filename="{kept_as}"'
    return Response(page, media_type="text/html", headers=headers)


PAGE = Page(
    name="result",
    title="Result",
    about="The release attacked as the strongest known intruder would, and what use is left of it.",
    show=show,
    draw=draw,
    changes={"attack": attack, "tell": tell, "records": write_records},
    parts={"report": report, "records-file": records},
)
