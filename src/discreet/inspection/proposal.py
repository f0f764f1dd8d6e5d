"""Looking at a file and proposing what its columns are, for the steward to correct."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from discreet.errors import BadTable, listed
from discreet.identity_numbers import not_checked
from discreet.inspection.depends import with_deciding, with_dependent
from discreet.inspection.guess import Proposed, as_read, propose
from discreet.inspection.looks import checked_number
from discreet.inspection.people import SURE, certainty
from discreet.inspection.sampling import is_in_parts, looked_at
from discreet.inspection.toml import project_text
from discreet.inspection.written import written
from discreet.persons import warnings_about
from discreet.progress import SILENT, Progress
from discreet.project import ReadOptions
from discreet.rare_weights import FEW_SHARE, NEARLY_UNIQUE, rare_share
from discreet.reading import Loaded, look_at
from discreet.reading.content import is_piped
from discreet.reading.loaded import NOTHING_STATED
from discreet.results import FORMAT
from discreet.searching import TRIALS, TriedProposal
from discreet.table import SINGLE_ROLES, ColumnSpec, Role, Scale, Table
from discreet.visible import visible_line

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What the columns of a file seem to be, with reasons. It decides nothing: a steward corrects it.

    `read` holds the options to read the file with, and `remarks` what the steward should look at. `plan` is what
    `with_plan` tried; without it the plan in the project file is one that nobody tried. `sheets` are those of a
    workbook that hold something. `sampled` is how many records were looked at, where these are not all of them.
    """

    file: str
    records: int
    columns: tuple[Proposed, ...]
    read: ReadOptions
    remarks: tuple[str, ...] = ()
    plan: TriedProposal | None = None
    sheets: tuple[str, ...] = ()
    sampled: int | None = None

    @property
    def having_person(self) -> bool:
        """Whether a column says which records are of one person."""
        return any(each.role == Role.PERSON for each in self.columns)

    @property
    def seen(self) -> int:
        """How many records were looked at."""
        return self.records if self.sampled is None else self.sampled

    def with_plan(
        self,
        data: str | Path | IntoDataFrame,
        *,
        ceilings: Mapping[str, float] | None = None,
        floors: Mapping[str, float] | None = None,
        trials: int = TRIALS,
        seconds: float | None = None,
        progress: Progress = SILENT,
    ) -> Proposal:
        """The proposal with a plan that was tried on the data it was made from, for these limits or the usual ones.

        Columns that the plan leaves out become identifiers, each with the reason (`discreet.searching.propose_plan`).
        """
        from discreet.inspection.trying import with_plan

        return with_plan(
            self, data, ceilings=ceilings, floors=floors, trials=trials, seconds=seconds, progress=progress
        )

    def having(self, role: Role, *scales: Scale) -> tuple[str, ...]:
        """The names of the columns with this role and one of these scales."""
        return tuple(each.name for each in self.columns if each.role == role and each.scale in scales)

    def __repr__(self) -> str:
        """One line without a cell: the orders that are proposed hold values of the columns."""
        about = f"proposal for '{self.file or 'table'}': {self.records} records, {len(self.columns)} columns"
        return f"<{visible_line(about)}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> tuple[str, ...]:
        """The proposal for people: the file, a line for each column, and the remarks."""
        first = f"{self.file or 'table'}: {self.records} records, {len(self.columns)} columns"
        rows = [(visible_line(each.name), each.role, each.scale) for each in self.columns]
        widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
        lines = [
            "  ".join([*map(str.ljust, row, widths), visible_line("; ".join(each.reasons))])
            for row, each in zip(rows, self.columns, strict=True)
        ]
        return visible_line(first), *lines, *map(visible_line, self.remarks)

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "file": self.file,
            "records": self.records,
            "sampled": self.sampled,
            "read": self.read.to_dict(),
            "columns": {each.name: each.to_dict() for each in self.columns},
            "remarks": list(self.remarks),
            "sheets": list(self.sheets),
            "plan": None if self.plan is None else self.plan.to_dict(),
        }

    def to_toml(self) -> str:
        """The text of a project file that says what is proposed, each reason as a comment."""
        return project_text(self)


def inspect(data: str | Path | IntoDataFrame, options: ReadOptions | None = None) -> Proposal:
    """A proposal of role and scale for every column of a file or frame, with its reasons.

    Nothing is guessed silently: the proposal is for a steward to correct, usually as the project file that
    `to_toml` writes. Where the name and the values leave a doubt, the safer role is proposed: identifiers are
    left out of a release, quasi-identifiers are masked. The encoding of a text file is guessed where it must be, and
    said. Of a dataset (a folder or pattern of files, or one large file) a sample is looked at, and that is said. No
    cell of the data is in a proposal, except the words of well-known orders. Raises BadFile where the file cannot be
    read, and NoHeader where its first row looks like a record.

    >>> print(inspect(pl.DataFrame({"age": [31, 45, 45]})).columns[0].role)
    quasi-identifier
    """
    if isinstance(data, str | Path):
        given = options or ReadOptions()
        if is_in_parts(Path(data)):
            return _of_dataset(Path(data), given)
        loaded, given = look_at(data, given)
        # What is piped in has no name by which it could be found again.
        name = "" if is_piped(Path(data)) else Path(data).name
        found = _proposal(loaded.frame, loaded.specs, name, _found(loaded.found, given), other_sheets(loaded))
        return replace(found, sheets=loaded.sheets)
    frame = Table.of(data, roles={}, rest=Role.INSENSITIVE).frame
    return _proposal(frame, {}, "", options or ReadOptions())


def _of_dataset(place: Path, given: ReadOptions) -> Proposal:
    """A proposal from a sample of a dataset; whether its numbers of people repeat is looked at in all records."""
    look = looked_at(place, given)
    found = _proposal(look.sample.frame, {}, place.name, _found(look.found, look.options))
    if len(look.sample) == len(look.dataset):
        return found
    numbers = [each for each in found.columns if each.role == Role.IDENTIFIER]
    known = look.dataset.whole([each.name for each in numbers]).frame
    return replace(
        found,
        records=len(look.dataset),
        sampled=len(look.sample),
        remarks=(
            f"A sample was looked at, {len(look.sample)} of {len(look.dataset)} records in runs spread over all files: "
            "what is rare may be missing from it. A plan is tried on it too, so attack the release of all records.",
            *found.remarks,
            *(() if found.having_person or not numbers else warnings_about(_described(known, numbers))),
        ),
    )


def _found(found: Mapping[str, str], given: ReadOptions) -> ReadOptions:
    """The options given, with what was found out where it is not what would be taken anyway."""
    usual = {"delimiter": ",", "encoding": "utf-8", "decimal": "."}
    odd = {key: value for key, value in found.items() if usual.get(key) != value}
    return replace(
        given,
        delimiter=odd.get("delimiter", given.delimiter),
        encoding=odd.get("encoding", given.encoding),
        decimal=odd.get("decimal", given.decimal),
        sheet=odd.get("sheet", given.sheet),
    )


def other_sheets(loaded: Loaded) -> tuple[str, ...]:
    """What is to be said of a workbook with several sheets: which one was looked at, and how to take another."""
    names = loaded.sheets
    if len(names) < 2:
        return ()
    return (
        f"The workbook has {len(names)} sheets: {listed(names)}. '{loaded.found['sheet']}' was looked at; for another, "
        "name it: --sheet, or sheet under [read].",
    )


def _proposal(
    frame: pl.DataFrame,
    specs: Mapping[str, ColumnSpec],
    file: str,
    options: ReadOptions,
    remarks: tuple[str, ...] = (),
) -> Proposal:
    if frame.width == 0:
        raise BadTable("there is no column to look at.")
    read = written(frame, options, options.decimal or ".", specs)
    clean = pl.DataFrame([each.values for each in read.values()])
    columns = [
        as_read(propose(each.values, specs.get(name, NOTHING_STATED)), each) for name, each in read.items()
    ]
    columns = with_dependent(clean, with_deciding(clean, _one_of_each(columns)))
    return Proposal(
        file=file,
        records=frame.height,
        columns=tuple(_with_rare_weights(clean, columns)),
        read=replace(
            options,
            formats={name: each.format for name, each in read.items() if each.format},
            missing_in={name: each.marks for name, each in read.items() if each.marks},
        ),
        remarks=(*remarks, *_remarks(frame, options), *_of_one_person(clean, columns)),
    )


def _one_of_each(columns: list[Proposed]) -> list[Proposed]:
    """The columns with one weight, one household and one person at most; further ones get the safer role.

    A column that numbers people by its name is the person rather than one that numbers cases, or only looks so.
    """
    taken: set[Role] = set()
    kept = []
    persons = sorted((each for each in columns if each.role == Role.PERSON), key=certainty, reverse=True)
    for each in columns:
        if each.role in SINGLE_ROLES and (each.role in taken or each in persons[1:]):
            safer = Role.KEY if each.role == Role.WEIGHT else Role.IDENTIFIER
            why = f"another column is the {each.role} already: taken for the safer role"
            kept.append(replace(each, role=safer, reasons=(*each.reasons, why)))
        else:
            taken.add(each.role)
            kept.append(each)
    return kept


def _with_rare_weights(frame: pl.DataFrame, columns: list[Proposed]) -> list[Proposed]:
    """The columns, and what to do about weights that follow from the design and that few people or households share."""
    table = _described(frame, columns)
    warned = []
    for each in columns:
        rare = rare_share(frame[each.name], table.households()) if each.role == Role.WEIGHT else 0.0
        why = (
            f"{rare:.0%} of the records have a weight that fewer than {FEW_SHARE} share, by which whoever knows the "
            "design finds people: round the weights, or publish classes of them"
        )
        warned.append(replace(each, reasons=(*each.reasons, why)) if rare >= NEARLY_UNIQUE else each)
    return warned


def _of_one_person(frame: pl.DataFrame, columns: list[Proposed]) -> tuple[str, ...]:
    """What is to be said of people with several records; nothing where a number of people stands once with each."""
    if any(
        each.role == Role.IDENTIFIER
        and each.distinct == frame.height
        and (certainty(each) == SURE or checked_number(frame[each.name]))
        for each in columns
    ):
        return ()
    return warnings_about(_described(frame, columns))


def _described(frame: pl.DataFrame, columns: list[Proposed]) -> Table:
    """The table as it is proposed, which need not be one that can be masked: two columns may number persons."""
    return replace(Table.of(frame, roles={}, rest="insensitive"), columns=tuple(columns))


def _remarks(frame: pl.DataFrame, options: ReadOptions) -> tuple[str, ...]:
    """What is to be said of the file as a whole."""
    remarks = []
    if options.header_row > 1:
        remarks.append(
            f"The names of the columns were found in row {options.header_row}; what stands above was left out."
        )
    if options.unit_rows:
        rows = "row" if options.unit_rows == 1 else "rows"
        remarks.append(
            f"The {options.unit_rows} {rows} below the names hold units, and no record: they were left out."
        )
    if options.note_rows:
        rows = "row" if options.note_rows == 1 else "rows"
        remarks.append(
            f"The {options.note_rows} {rows} below the last record hold notes, and no record: they were left out."
        )
    if not_checked():
        remarks.append(
            f"Not looked for, as what knows them is not installed (discreet[text]): {' and '.join(not_checked())}."
        )
    if frame.height == 0:
        remarks.append("The file has no records, so that only the names of its columns were looked at.")
    return tuple(remarks)
