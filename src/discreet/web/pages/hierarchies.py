"""Hierarchies: what each value of a column becomes when it is made coarser, built, seen, and given to the column."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path

from discreet.digests import digest_of
from discreet.hierarchies import ENDING, WAYS, file_name
from discreet.project.editing import with_column
from discreet.table import IDENTIFYING
from discreet.web.asking import hierarchy_place, hierarchy_work
from discreet.web.desk import Subject
from discreet.web.page import Facts, Go, Page, Visit, about_work
from discreet.web.pages.columns import check_file
from discreet.web.refused import Refused
from discreet.writing.atomic import write_json, write_text

FIELDS = ("by", "steps", "bottom", "top", "ontology", "from")
SAYS = {
    "": "by what the column holds",
    "widths": "numbers in bands of round widths",
    "periods": "days by month, quarter, year or decade",
    "prefix": "codes by their first characters",
    "icd": "diagnoses by category and chapter (ICD)",
    "nuts": "regions (NUTS)",
    "isco": "occupations (ISCO)",
    "frequency": "rare categories joined",
    "neighbours": "ordered categories in runs",
    "ontology": "what the words mean, by an ontology",
}
"""What each way of joining values is, in words."""


def show(visit: Visit) -> Facts:
    """The columns with their hierarchies, and the one that is built: its levels and its tree."""
    subject = visit.subject
    columns = [
        {
            "name": name,
            "role": str(each.role),
            "scale": str(each.scale or ""),
            "ontology": each.ontology or "",
        }
        for name, each in subject.project.columns.items()
        if each.role not in IDENTIFYING
    ]
    first = columns[0]["name"] if columns else ""
    chosen = visit.given("column", "") or first
    _check(subject, chosen)
    way = _remembered(subject, chosen)
    built: Facts = {"state": "none", "answer": None}
    if way is not None:
        built = about_work(visit, hierarchy_work(subject, chosen, way), begin=False)
    told: Facts = built["answer"] or {"levels": [], "tree": []}
    return {
        "table": subject.name,
        "version": subject.version,
        "columns": columns,
        "column": chosen,
        "now": next((each["ontology"] for each in columns if each["name"] == chosen), ""),
        "ways": {name: SAYS[name] for name in ("", *WAYS)},
        "way": {name: (way or {}).get(name, "") for name in FIELDS},
        "files": _files(subject),
        "work": {name: value for name, value in built.items() if name != "answer"},
        "levels": told["levels"],
        "tree": told["tree"],
        "lines_left": told.get("lines_left", 0),
        "undo": subject.history.steps,
    }


def _check(subject: Subject, column: str) -> None:
    if column not in subject.project.columns:
        raise Refused(HTTPStatus.NOT_FOUND, "The project describes no such column.")


def _files(subject: Subject) -> list[str]:
    """The files that can be files of levels: those beside the project, which names them."""
    folder = subject.desk.folder
    found = [*folder.hierarchies(), *(each for each in folder.tables() if each.suffix == ".csv")]
    beside = subject.project_file.parent
    return [folder.name_of(each) for each in found if each.parent == beside and each != subject.table]


def _memory(subject: Subject, column: str) -> Path:
    return (
        subject.desk.folder.own_folder("hierarchies") / f"{digest_of([subject.name, column])[:24]}.way.json"
    )


def _remembered(subject: Subject, column: str) -> dict[str, str] | None:
    """How the hierarchy of a column was last asked for."""
    try:
        kept = json.loads(_memory(subject, column).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return {name: str(kept[name]) for name in FIELDS if name in kept}


def build(visit: Visit) -> Go:
    """Begins to build the hierarchy as the form says, or to check a file against the column."""
    subject, column = visit.subject, visit.given("column")
    _check(subject, column)
    way = {name: visit.given(name, "").strip() for name in FIELDS}
    way = {name: value for name, value in way.items() if value}
    _check_way(subject, way)
    write_json(_memory(subject, column), way, force=True, private=True)
    visit.start(hierarchy_work(subject, column, way))
    return Go("hierarchies", {"table": subject.name, "column": column})


def _check_way(subject: Subject, way: Mapping[str, str]) -> None:
    """Raises Refused for files that are not in the folder of the desk."""
    if "from" in way and way["from"] not in _files(subject):
        subject.desk.folder.inside(way["from"])
        raise Refused(HTTPStatus.NOT_FOUND, "There is no such file beside the project.")
    check_file(subject, way.get("ontology"))


def use(visit: Visit) -> Go:
    """The hierarchy that was built becomes a file beside the project, and the column names it."""
    subject, column = visit.subject, visit.given("column")
    way = _remembered(subject, column)
    if way is None or visit.desk.works.progress(hierarchy_work(subject, column, way).key).state != "done":
        raise Refused(
            HTTPStatus.CONFLICT, "Nothing is built for this column as the project is now. Build it again."
        )
    name = Path(way["from"]).name if "from" in way else _kept(subject, column, way)
    changed = subject.change(
        visit.version(), lambda text: with_column(text, column, {"ontology": name, "mapping": None})
    )
    visit.start(hierarchy_work(changed, column, way))
    return Go("hierarchies", {"table": subject.name, "column": column})


def _kept(subject: Subject, column: str, way: Mapping[str, str]) -> str:
    """The name of the file beside the project: a new one, unless one holds the same; what is there is not replaced."""
    text = hierarchy_place(subject, column, way).read_text(encoding="utf-8")
    stem = file_name(column).removesuffix(ENDING)
    for number in range(1, 1000):
        name = f"{stem}{'' if number == 1 else f'-{number}'}{ENDING}"
        place = subject.project_file.parent / name
        if not place.exists():
            write_text(place, text, private=True)
            return name
        if (
            place.is_file()
            and not place.is_symlink()
            and place.read_text(encoding="utf-8", errors="replace") == text
        ):
            return name
    raise Refused(HTTPStatus.CONFLICT, "There are too many files of levels for this column. Delete some.")


def forget(visit: Visit) -> Go:
    """The column names no hierarchy any more; the file stays."""
    column = visit.given("column")
    visit.subject.change(visit.version(), lambda text: with_column(text, column, {"ontology": None}))
    return Go("hierarchies", {"table": visit.subject.name, "column": column})


PAGE = Page(
    name="hierarchies",
    title="Hierarchies",
    about="What each value becomes when it is made coarser: an age a band of five years, then of ten. Methods that "
    "generalise take the hierarchy of a column; most columns need none of their own.",
    show=show,
    changes={"build": build, "use": use, "forget": forget},
)
