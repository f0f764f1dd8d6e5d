"""The risk of each record, for the steward alone: its row in the original, each attack's chance, what makes it special.

It holds rows, chances and names of columns, and no cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from discreet import registry
from discreet.assessment import DOES_NOT_FIT, Assessment, as_intruder_reads
from discreet.errors import NotComputable, NotSplit
from discreet.progress import SILENT, Progress
from discreet.release import ReleaseInParts
from discreet.results import Risk
from discreet.table import FloatArray, Table
from discreet.writing.frame import write_frame

SUDA = "suda"
EVERY_SIZE, DEPTH = 12, 3
"""Up to so many quasi-identifiers sets of every size are searched for what singles a record out; else of up to 3."""
LEAST_SHARE = 0.005
"""Columns with a smaller part in what singles a record out are not named."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordsAtRisk:
    """A row for each published record: `frame` has `row`, its row in the original counted from 1 below the header.

    `identity` is the highest chance under the attacks that the headline is the largest of; each attack has a column of
    its name. `special` names the columns that single the record out, those with the largest part first, and `special:
    age` is the part of the score that goes through age (`suda`). A chance is missing where an attack did not try the
    record. `notes` say what is not in the frame, and why.
    """

    frame: pl.DataFrame = field(repr=False)
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        sure = int((self.frame["identity"] >= 1).sum()) if "identity" in self.frame.columns else 0
        return f"{len(self.frame)} records, {sure} of them found for certain"

    def save(self, path: str | Path, *, force: bool = False) -> Path:
        """The file, CSV or Parquet or what else its ending says, which its owner alone can read."""
        table = Table.of(self.frame, roles={}, rest="insensitive")
        write_frame(table.frame, table.columns, path, force=force, private=True)
        return Path(path)


def records_at_risk(assessment: Assessment, *, progress: Progress = SILENT) -> RecordsAtRisk:
    """The risk of each published record under each attack of an assessment, by the row of the original.

    Raises NotComputable where no attack told of single records.
    """
    original, release = assessment.original, assessment.release
    if not isinstance(original, Table) or isinstance(release, ReleaseInParts):
        raise NotSplit(
            "the risk of each record is written of tables in memory, not of a dataset in parts. Read the table "
            "(discreet.read) where it fits."
        )
    told = [risk for risk in assessment.risks if risk.records is not None and len(risk.records)]
    if not told:
        raise NotComputable(
            "no attack told of single records, so that there is nothing to write. Ask for another attack, or give "
            "columns that an intruder may know the role quasi-identifier."
        )
    columns: dict[str, FloatArray | list[str]] = {}
    notes = []
    counted = _counted(assessment, told)
    if counted:
        columns["identity"] = np.fmax.reduce(counted)
    else:
        notes.append("no attack that names people told of single records, so there is no column identity")
    columns |= {risk.name: risk.records for risk in told if risk.records is not None}
    try:
        columns |= _special(assessment, release.counted_table(original), progress)
    except DOES_NOT_FIT as reason:
        notes.append(f"what makes a record special is not known: {reason}")
    truth = release.truth
    frame = pl.DataFrame({"row": truth + 1, **columns}, nan_to_null=True)
    left_out = len(assessment.original) - len(np.unique(truth[truth >= 0]))
    if left_out:
        notes.append(f"{left_out} records of the original are not published and have no row")
    if (truth < 0).any():
        notes.append(f"{int((truth < 0).sum())} published records come from nobody and have no row")
    return RecordsAtRisk(
        frame=frame.filter(pl.col("row") > 0).sort("row", maintain_order=True), notes=tuple(notes)
    )


def _counted(assessment: Assessment, told: Sequence[Risk]) -> list[FloatArray]:
    """The chances under each attack that the headline of people being found is the largest of."""
    names = {} if assessment.identity is None else assessment.identity.attacks
    return [risk.records for risk in told if risk.name in names and risk.records is not None]


def _special(assessment: Assessment, counted: Table, progress: Progress) -> dict[str, FloatArray | list[str]]:
    """What few columns single each published record out: the special uniques, as the intruder reads the file."""
    published = as_intruder_reads(counted)
    keys = [name for name in assessment.known_keys if name in published.names]
    depth = None if len(keys) <= EVERY_SIZE else DEPTH
    found = registry.find("attack", SUDA).function(published, keys=keys, depth=depth, progress=progress)
    parts = found.contributions / np.maximum(found.contributions.sum(axis=1), 1e-300)[:, None]
    return {
        "special": [_words(keys, row) for row in parts],
        **{f"special: {name}": parts[:, place] for place, name in enumerate(keys)},
    }


def _words(keys: Sequence[str], parts: FloatArray) -> str:
    """The columns that single a record out, with their parts; empty where none does."""
    ordered = [int(place) for place in np.argsort(-parts, kind="stable") if parts[place] >= LEAST_SHARE]
    return ", ".join(f"{keys[place]} {parts[place]:.0%}" for place in ordered)
