"""What a steward looks at before giving roles: every column as it is, what it is taken for, and what is proposed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from discreet.distributions import NOT_SHOWN, Distribution, distribution
from discreet.inspection.guess import Proposed
from discreet.inspection.proposal import Proposal, inspect
from discreet.project import Project
from discreet.reading import read
from discreet.results import FORMAT
from discreet.table import Column, Table
from discreet.table.column import type_in_words


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFacts:
    """One column: the kind of its values, how many there are, how they are distributed, and its description.

    `column` is what the project says it is, or what is proposed where there is no project; `proposed` is what its name
    and values suggest, with the reasons.
    """

    column: Column
    proposed: Proposed
    type: str
    distribution: Distribution

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.column.to_dict(),
            "type": self.type,
            "distinct": self.proposed.distinct,
            "missing": self.proposed.missing,
            "proposed": {"role": str(self.proposed.role), "scale": str(self.proposed.scale)},
            "reasons": list(self.proposed.reasons),
            "distribution": asdict(self.distribution),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFacts:
    """All columns of a file, what the steward should look at, and the sheets of a workbook that hold something."""

    file: str
    records: int
    columns: tuple[ColumnFacts, ...]
    remarks: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        columns: Mapping[str, Any] = {each.column.name: each.to_dict() for each in self.columns}
        return {
            "format": FORMAT,
            "file": self.file,
            "records": self.records,
            "columns": columns,
            "remarks": list(self.remarks),
            "sheets": list(self.sheets),
        }


def column_facts(path: str | Path, project: Project | None = None) -> TableFacts:
    """Every column of a file: its type, its different and missing values, its distribution, its role and a proposal.

    Distributions are those of the report: counts of fewer than three records are not shown, and neither are the values
    of identifiers and of free text.
    """
    proposal = inspect(path, None if project is None else project.read)
    table = read(path, project=_described_by(proposal) if project is None else project)
    proposed = {each.name: each for each in proposal.columns}
    return TableFacts(
        file=Path(path).name,
        records=len(table),
        columns=tuple(_facts(table, proposed[name]) for name in table.names),
        remarks=proposal.remarks,
        sheets=proposal.sheets,
    )


def _described_by(proposal: Proposal) -> Project:
    """The project that a proposal makes."""
    return Project.parse(proposal.to_toml())


def _facts(table: Table, proposed: Proposed) -> ColumnFacts:
    column = table[proposed.name]
    found = distribution(table, table, column.name)
    if column.role in NOT_SHOWN:
        found = replace(found, kind="not shown", bars=(), note="Values that name people are not shown.")
    return ColumnFacts(
        column=column,
        proposed=proposed,
        type=type_in_words(table.frame[column.name].dtype),
        distribution=found,
    )
