"""Going on from a project: what it says stays, and only what it does not say yet is proposed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import tomlkit

from discreet.inspection.guess import Proposed
from discreet.inspection.proposal import Proposal, inspect
from discreet.inspection.toml import column_table
from discreet.plan import Plan
from discreet.project import Project
from discreet.project.editing import with_column, with_limits, with_section, with_steps
from discreet.table import ColumnSpec, Role, Scale

AS_SAID = "as the project says"
NAMED_IN_RELEASE = ("pseudonymise", "publish_text", "sanitise_text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Further:
    """A proposal that goes on from a project: `new` columns are proposed, `gone` ones are not in the file any more."""

    proposal: Proposal
    project: Project
    new: tuple[str, ...]
    gone: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {**self.proposal.to_dict(), "new": list(self.new), "gone": list(self.gone)}

    def text(self, text: str) -> str:
        """The text of the project with what is proposed: new columns, and the plan where one was tried.

        Comments stay. Columns that are gone are taken out, with the steps and settings that name them.
        """
        text = _with_new(text, self)
        plan = self.proposal.plan
        if plan is None or plan.chosen is None:
            return text
        for name in plan.chosen.left_out:
            text = with_column(text, name, {"role": str(Role.IDENTIFIER)})
        text = with_steps(text, plan.chosen.plan.to_dict())
        assess = self.project.assess
        text = with_limits(text, {**assess.ceilings, **plan.ceilings}, {**assess.floors, **plan.floors})
        return with_section(text, "release", {"draft": None if plan.meets else True})


def inspect_further(data: str | Path, project: Project) -> Further:
    """What is to be proposed of a file beyond what its project says: how it is read and what its columns are stays.

    Columns that the project does not describe are proposed as `inspect` does, and those that are gone are named.
    """
    found = inspect(data, project.read)
    columns = tuple(_as_said(each, project.columns.get(each.name)) for each in found.columns)
    names = [each.name for each in columns]
    return Further(
        proposal=replace(found, columns=columns),
        project=project,
        new=tuple(name for name in names if name not in project.columns),
        gone=tuple(name for name in project.columns if name not in names),
    )


def _as_said(proposed: Proposed, said: ColumnSpec | None) -> Proposed:
    """A column as the project describes it; what it leaves open is as proposed."""
    if said is None:
        return proposed
    scale = said.scale or proposed.scale
    order = said.order or (proposed.order if scale == Scale.ORDINAL else ())
    return replace(
        proposed,
        role=said.role or proposed.role,
        scale=scale,
        order=order,
        importance=said.importance,
        reasons=(AS_SAID,),
    )


def _with_new(text: str, further: Further) -> str:
    """The text with the columns that the file has, those that are new with their reasons."""
    document = tomlkit.parse(text)
    columns: Any = document.setdefault("columns", tomlkit.table(is_super_table=True))
    for name in further.gone:
        columns.pop(name)
    for each in further.proposal.columns:
        if each.name in further.new:
            columns[each.name] = column_table(each)
    text = tomlkit.dumps(document)
    if not further.gone:
        return text
    steps = [step.to_dict() for step in further.project.plan.steps]
    kept = [step for step in steps if not set(further.gone) & _named(step)]
    named: Mapping[str, Any] = {
        key: [name for name in getattr(further.project.release, key) if name not in further.gone]
        for key in NAMED_IN_RELEASE
        if getattr(further.project.release, key)
    }
    return with_section(with_steps(text, kept), "release", named)


def _named(step: Mapping[str, Any]) -> set[str]:
    """The columns that a step names."""
    return set(Plan.from_dict([step]).columns)
