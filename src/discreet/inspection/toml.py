"""A proposal as the text of a project file, with reasons as comments and a first plan that runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit import items

from discreet.headline import ATTRIBUTE
from discreet.inspection.guess import Proposed
from discreet.inspection.told import told
from discreet.method_call import MethodCall
from discreet.searching import TriedProposal
from discreet.searching.proposing import USUAL_CEILINGS, USUAL_FLOORS, fewest_people
from discreet.table import Column, Role, Scale
from discreet.visible import visible_line

if TYPE_CHECKING:
    from discreet.inspection.proposal import Proposal

UNTRIED_K = 15
"""The size of groups where nothing was tried: a third more than what keeps to the usual limit on most files."""
LIMITS_SAY = {
    "ceilings": "At most this share of people may be found by the strongest attack.",
    "floors": "At least so many people share each combination of quasi-identifiers.",
}
READ_REMARKS = {
    "encoding": "guessed unless you gave it: look at letters with accents",
    "missing": "besides the empty cell",
}


def project_text(proposal: Proposal) -> str:
    """The text of a project file; whatever it proposes can be loaded and run as it stands."""
    text = tomlkit.document()
    about = f" of {proposal.file}" if proposal.file else ""
    seen = str(proposal.records) if proposal.sampled is None else f"{proposal.sampled} of {proposal.records}"
    text.add(tomlkit.comment(f"Proposed by discreet from a look at {seen} records{about}."))
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
        columns.add(tomlkit.key(each.name), column_table(each))
    text.add("columns", columns)
    if proposal.plan is not None:
        text.add(tomlkit.nl())
        for line in told(proposal.plan, proposal.seen):
            text.add(tomlkit.comment(visible_line(line)))
        text.add(tomlkit.nl())
    masks = _masks(proposal)
    if masks:
        text.add("mask", masks)
        text.add("assess", _assess(proposal))
    text.add("release", _release(proposal))
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


def column_table(column: Proposed) -> items.Table:
    """What a project file says of one column, each reason as a comment."""
    table = tomlkit.table()
    for reason in column.reasons:
        table.add(tomlkit.comment(reason))
    for key, value in {**Column.to_dict(column), **column.read_keys()}.items():
        table.add(key, value)
    return table


def _masks(proposal: Proposal) -> items.AoT | None:
    """The plan that was tried; where none was, all quasi-identifiers masked together in groups."""
    steps = tomlkit.aot()
    if proposal.plan is not None:
        tried = () if proposal.plan.chosen is None else proposal.plan.chosen.plan.steps
        for each in tried:
            steps.append(_step(each, _why(proposal, each)))
        return steps if tried else None
    keys = proposal.having(Role.KEY, Scale.NUMERIC, Scale.ORDINAL, Scale.NOMINAL)
    if not keys or proposal.records < fewest_people():
        return None
    step = MethodCall.of("mask", "microaggregate", {"columns": list(keys), "k": UNTRIED_K})
    steps.append(_step(step, "Not tried: nobody knows yet what this keeps safe, nor what it costs."))
    return steps


def _why(proposal: Proposal, step: MethodCall) -> str:
    """What a step of the tried plan is for."""
    weights = proposal.having(Role.WEIGHT, Scale.NUMERIC)
    if weights and list(step.parameters.get("columns", ())) == list(weights):
        return "Sampling weights that few share would say who somebody is: they are joined."
    counted = "people" if any(each.role == Role.PERSON for each in proposal.columns) else "records"
    return f"All quasi-identifiers together: {step.method.meaning}; k counts {counted}."


def _step(step: MethodCall, why: str) -> items.Table:
    table = tomlkit.table()
    table.add(tomlkit.comment(why))
    for key, value in step.to_dict().items():
        table.add(key, value)
    return table


def _assess(proposal: Proposal) -> items.Table:
    tried = proposal.plan
    ceilings, floors = (USUAL_CEILINGS, USUAL_FLOORS) if tried is None else (tried.ceilings, tried.floors)
    table = tomlkit.table(is_super_table=True)
    for name, limits in (("ceilings", ceilings), ("floors", floors)):
        if not limits:
            continue
        section = tomlkit.table()
        section.add(tomlkit.comment(LIMITS_SAY[name]))
        for label, bound in limits.items():
            section.add(tomlkit.key(label), bound)
        if name == "ceilings" and ATTRIBUTE not in limits and (hint := _attribute_hint(tried)):
            section.add(tomlkit.comment(hint))
        table.add(name, section)
    return table


def _attribute_hint(tried: TriedProposal | None) -> str:
    """The limit on what may be learned, to be set by the steward, with what the plan reached."""
    found = None if tried is None or tried.chosen is None else tried.chosen.risk(ATTRIBUTE)
    if found is None:
        return ""
    return f"attribute = 0.30    # how much of what guessing leaves open may be learned; the plan reaches {found:.1%}"


def _release(proposal: Proposal) -> items.Table:
    table = tomlkit.table()
    table.add("order", _remarked("shuffled", "the order of records can tell who is who"))
    if proposal.plan is not None and proposal.plan.chosen is not None and not proposal.plan.meets:
        table.add(
            "draft", _remarked(True, "no plan kept to the limits: the release is not meant to be signed")
        )
    return table
