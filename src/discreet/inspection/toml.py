"""A proposal as the text of a project file, with reasons as comments and a first plan that runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit import items

from discreet.inspection.guess import Proposed
from discreet.table import Column, Role, Scale

if TYPE_CHECKING:
    from discreet.inspection.proposal import Proposal

FEWEST_RECORDS = 10
"""Below this a first plan of groups of five makes no sense."""
READ_REMARKS = {
    "encoding": "guessed unless you gave it: look at letters with accents",
    "missing": "besides the empty cell",
}
K_NUMBERS, K_CATEGORIES, MOST_FOUND = 5, 3, 0.10


def project_text(proposal: Proposal) -> str:
    """The text of a project file; whatever it proposes can be loaded and run as it stands."""
    text = tomlkit.document()
    about = f" of {proposal.file}" if proposal.file else ""
    text.add(tomlkit.comment(f"Proposed by discreet from a look at {proposal.records} records{about}."))
    text.add(tomlkit.comment("Check the role of every column before anything is published:"))
    text.add(tomlkit.comment("  identifier        left out of the release"))
    text.add(
        tomlkit.comment(
            "  person            numbers people who have several records; left out, and counted by"
        )
    )
    text.add(tomlkit.comment("  quasi-identifier  what an intruder may know, and is masked"))
    text.add(tomlkit.comment("  confidential      what an intruder wants to learn"))
    text.add(tomlkit.comment("  insensitive       neither; also weight, household and stratum"))
    for remark in proposal.remarks:
        text.add(tomlkit.comment(remark))
    text.add(tomlkit.nl())
    read = _read(proposal)
    if read:
        text.add("read", read)
    columns = tomlkit.table(is_super_table=True)
    for each in proposal.columns:
        columns.add(tomlkit.key(each.name), _column(each))
    text.add("columns", columns)
    masks = _masks(proposal)
    if masks:
        text.add("mask", masks)
        text.add("assess", _assess())
    text.add("release", _release())
    return tomlkit.dumps(text)


def _read(proposal: Proposal) -> items.Table | None:
    options: dict[str, Any] = {
        **({"file": proposal.file} if proposal.file else {}),
        **proposal.read.to_dict(),
    }
    if not options:
        return None
    table = tomlkit.table()
    for key, value in options.items():
        table.add(key, _remarked(value, READ_REMARKS.get(key)))
    return table


def _remarked(value: Any, remark: str | None) -> items.Item:
    """The value with a comment after it."""
    item: items.Item = tomlkit.item(value)
    if remark is not None:
        item.comment(remark)
    return item


def _column(column: Proposed) -> items.Table:
    table = tomlkit.table()
    for reason in column.reasons:
        table.add(tomlkit.comment(reason))
    for key, value in {**Column.to_dict(column), **column.read_keys()}.items():
        table.add(key, value)
    return table


def _masks(proposal: Proposal) -> items.AoT | None:
    """Groups of five for numbers, and every combination of categories at least three times."""
    if proposal.records < FEWEST_RECORDS:
        return None
    numbers = proposal.having(Role.KEY, Scale.NUMERIC)
    categories = proposal.having(Role.KEY, Scale.NOMINAL, Scale.ORDINAL)
    steps = tomlkit.aot()
    if numbers:
        why = f"Numbers are replaced by means of groups of at least {K_NUMBERS} alike records."
        steps.append(_step("microaggregate", numbers, K_NUMBERS, why))
    if categories:
        counted = "people" if any(each.role == Role.PERSON for each in proposal.columns) else "records"
        why = (
            f"Categories are blanked until every combination is shared by at least {K_CATEGORIES} {counted}."
        )
        steps.append(_step("suppress", categories, K_CATEGORIES, why))
    return steps if numbers or categories else None


def _step(method: str, columns: tuple[str, ...], k: int, why: str) -> items.Table:
    step = tomlkit.table()
    step.add(tomlkit.comment(why))
    step.add("method", method)
    step.add("columns", list(columns))
    step.add("k", k)
    return step


def _assess() -> items.Table:
    table = tomlkit.table()
    ceilings = tomlkit.table()
    ceilings.add(tomlkit.comment("At most this share of people may be found by the strongest attack."))
    ceilings.add("identity", MOST_FOUND)
    table.add("ceilings", ceilings)
    return table


def _release() -> items.Table:
    table = tomlkit.table()
    table.add("order", _remarked("shuffled", "the order of records can tell who is who"))
    return table
