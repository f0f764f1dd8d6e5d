"""History: every release that was made with the projects beside a table, how it was made, and what became of it."""

from __future__ import annotations

from discreet.errors import BadFile
from discreet.history import History, history
from discreet.web.page import Facts, Page, Visit


def show(visit: Visit) -> Facts:
    """The releases, the last one first, as `discreet history` lists them."""
    subject = visit.subject
    try:
        found = history(subject.project_file.parent)
    except BadFile:
        found = History(releases=())
    there = {subject.desk.folder.name_of(each) for each in subject.releases}
    beside = subject.desk.folder.name_of(subject.project_file.parent)
    releases = []
    for each in reversed(found.releases):
        name = each.folder if beside == "." else f"{beside}/{each.folder}"
        releases.append({**each.to_dict(), "name": name, "opens": each.there and name in there})
    return {
        "table": subject.name,
        "project": subject.project_file.name,
        "releases": releases,
        "unread_lines": found.unread,
    }


PAGE = Page(
    name="history",
    title="History",
    about="Every release that was made beside this table, how it was made, and what was found when it was attacked.",
    show=show,
)
