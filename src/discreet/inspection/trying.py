"""A proposal whose plan was tried before it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from discreet.engine import refuse_what_cannot_be_masked
from discreet.errors import BadValues, NotSplit, UnknownColumn
from discreet.inspection.guess import Proposed
from discreet.inspection.sampling import is_in_parts, sample_described
from discreet.plan import Plan
from discreet.progress import Progress
from discreet.project import FILE_NAME, Project, ReadOptions
from discreet.reading import read
from discreet.reading.content import is_piped
from discreet.reading.told import frame_told, values_told
from discreet.searching import TriedProposal, propose_plan
from discreet.searching.proposing import USUAL_CEILINGS, USUAL_FLOORS
from discreet.table import ColumnSpec, Role, Table, column_of

if TYPE_CHECKING:
    from discreet.inspection.proposal import Proposal

LEFT_OUT: Mapping[Role, str] = {
    Role.HOUSEHOLD: "left out by the plan that is proposed: where it is published, people are found by all members of "
    "their household at once",
    Role.WEIGHT: "left out by the plan that is proposed: people can be found by it",
}
"""Why a column of this role is left out."""
MASKED_ELSE = (
    "left out by the plan that is proposed: masked with the others it would say nothing, or cost them more"
)


def with_plan(
    proposal: Proposal,
    data: Any,
    *,
    ceilings: Mapping[str, float] | None,
    floors: Mapping[str, float] | None,
    trials: int,
    seconds: float | None,
    progress: Progress,
) -> Proposal:
    """The proposal with a plan tried on its data; where that cannot be, with the reason as a remark."""
    if isinstance(data, str | Path) and is_piped(Path(data)):
        return _untried(proposal, "what is piped in can be read only once")
    try:
        table = table_of(proposal, data)
    except BadValues as reason:
        return _untried(proposal, str(reason).rstrip("."))
    found = propose_plan(
        table,
        ceilings=USUAL_CEILINGS if ceilings is None else ceilings,
        floors=USUAL_FLOORS if floors is None else floors,
        trials=trials,
        seconds=seconds,
        progress=progress,
    )
    left_out = () if found.chosen is None else found.chosen.left_out
    refused = _refused_in_parts(found, table) if proposal.sampled is not None else ()
    return replace(
        proposal,
        plan=found,
        columns=tuple(_left_out(each, left_out) for each in proposal.columns),
        remarks=(*proposal.remarks, *refused),
    )


def _refused_in_parts(found: TriedProposal, table: Table) -> tuple[str, ...]:
    """What is to be said where the plan that was tried on a sample does not work in parts on all records."""
    if found.chosen is None:
        return ()
    try:
        refuse_what_cannot_be_masked(table, found.chosen.plan)
    except NotSplit as problem:
        return (f"The plan that is proposed does not work on the whole dataset: {problem}",)
    return ()


def table_of(proposal: Proposal, data: Any) -> Table:
    """The table as `discreet protect` will read it, described as is proposed."""
    columns = {each.name: _spec(each) for each in proposal.columns}
    if isinstance(data, str | Path):
        place = Path(data)
        project = Project(
            path=place.parent / FILE_NAME, columns=columns, plan=Plan.of(()), read=proposal.read
        )
        return sample_described(place, project) if is_in_parts(place) else read(place, project=project)
    plain = Table.of(data, roles={}, rest=Role.INSENSITIVE)
    for name in plain.names:
        if name not in columns:
            raise UnknownColumn(f"the proposal is not of these data: it has no column '{name}'.")
    frame = pl.DataFrame([_as_told(each, proposal.read, plain.name) for each in plain.frame])
    settled = [column_of(columns[each.name], each) for each in frame]
    return Table.assemble(frame, settled, name=plain.name)


def _as_told(values: pl.Series, options: ReadOptions, name: str) -> pl.Series:
    """A column of a frame as the proposal reads it."""
    if values.dtype == pl.String and options.is_told_of(values.name):
        return values_told(values, options, options.decimal or ".", name)
    return frame_told(values.to_frame(), options, name).to_series()


def _spec(column: Proposed) -> ColumnSpec:
    return ColumnSpec(role=column.role, scale=column.scale, order=column.order, importance=column.importance)


def _untried(proposal: Proposal, reason: str) -> Proposal:
    return replace(proposal, remarks=(*proposal.remarks, f"The plan was not tried: {reason}."))


def _left_out(column: Proposed, names: tuple[str, ...]) -> Proposed:
    """The column, an identifier where the plan leaves it out."""
    if column.name not in names:
        return column
    why = LEFT_OUT.get(column.role, MASKED_ELSE)
    return replace(column, role=Role.IDENTIFIER, reasons=(*column.reasons, f"{column.role} otherwise: {why}"))
