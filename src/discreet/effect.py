"""What a plan did to a table, counted: cells blanked and changed, the k and l reached, and how limits stand so far.

It takes what the published file alone tells, and runs no attack on people: what needs one is not checked yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from discreet import registry
from discreet.assessment import Assessment, Limit, assess
from discreet.beside import columns_beside, truth_of
from discreet.coding import labels_of
from discreet.dataset import Dataset
from discreet.errors import listed
from discreet.headline import HEADLINES, NO_KEYS, NOTHING_CONFIDENTIAL
from discreet.method_call import name_in
from discreet.release import Release, ReleaseInParts
from discreet.results import FORMAT
from discreet.table import IntArray, Role, Table

K, L = "k_anonymity", "l_diversity"
NOT_RUN = "no attack was run yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnEffect:
    """What became of the cells of one published column. `cells` are those of records that are of somebody.

    `blanked` had a value and have none, `changed` have another, and `filled` had none. A number that became the band
    that holds it is changed; one that is only written otherwise is not.
    """

    column: str
    cells: int
    blanked: int
    changed: int
    filled: int

    def __str__(self) -> str:
        parts = [
            f"{many:,} {what} ({many / self.cells:.1%})"
            for many, what in ((self.blanked, "blanked"), (self.changed, "changed"), (self.filled, "filled"))
            if many
        ]
        return f"{self.column}: {', '.join(parts) or 'as it was'}"

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("column", "cells", "blanked", "changed", "filled")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a plan did, and how the release stands to limits as far as the published file alone tells.

    `k` and `l` are reached by all published quasi-identifiers together, counted in `counted`, "people" or "records";
    None where there is nothing to count, `why_no_k` and `why_no_l` say why. `random_steps` drew at random what they
    wrote: k and l say little then.
    """

    original_records: int
    records: int
    columns: tuple[ColumnEffect, ...]
    keys: tuple[str, ...]
    confidential: tuple[str, ...]
    counted: str
    k: int | None
    l: float | None  # noqa: E741
    why_no_k: str
    why_no_l: str
    random_steps: tuple[str, ...]
    limits: tuple[Limit, ...]
    unfinished: str

    @property
    def reached(self) -> tuple[str, ...]:
        """The k and l in sentences."""
        jointly = f"all {len(self.keys)} published quasi-identifiers together"
        if self.k is None:
            sentences = [f"k is not known: {self.why_no_k or NO_KEYS}"]
        else:
            unit = self.counted if self.k != 1 else {"people": "person", "records": "record"}[self.counted]
            sentences = [f"k = {self.k:,} {unit} in the smallest group, over {jointly}"]
        if self.l is None:
            sentences.append(f"l is not known: {self.why_no_l or NOTHING_CONFIDENTIAL}")
        else:
            values = "value" if self.l == 1 else "different values"
            sentences.append(
                f"l = {self.l:g} {values} of {listed(self.confidential)} in the least diverse group"
            )
        if self.random_steps and self.k is not None:
            sentences.append(
                f"{listed(self.random_steps)} can have drawn values of quasi-identifiers at random: groups of records "
                "that look alike then say little about who can be found"
            )
        return tuple(sentences)

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "original_records": self.original_records,
            "records": self.records,
            "columns": [each.to_dict() for each in self.columns],
            "quasi_identifiers": list(self.keys),
            "confidential": list(self.confidential),
            "counted": self.counted,
            "k": self.k,
            "l": self.l,
            "why_no_k": self.why_no_k,
            "why_no_l": self.why_no_l,
            "random_steps": list(self.random_steps),
            "limits": [each.to_dict() for each in self.limits],
            "unfinished": self.unfinished,
        }


def effect(
    original: Table,
    release: Release,
    *,
    ceilings: Mapping[str, float] | None = None,
    floors: Mapping[str, float] | None = None,
) -> Effect:
    """What masking did to a table: cells blanked and changed by column, the k and l reached, and limits so far.

    Limits on what the published file alone tells, such as a floor of k, are checked as `assess` checks them. All
    others are "not checked": nobody has attacked the release yet.
    """
    ceilings, floors = ceilings or {}, floors or {}
    here = [name for name in (*ceilings, *floors) if _of_the_file_alone(name, release.table)]
    asked = dict.fromkeys([each for each in (K, L) if _of_the_file_alone(each, release.table)] + here)
    found = assess(
        original,
        release,
        attacks=list(asked),
        losses=[],
        ceilings={name: bound for name, bound in ceilings.items() if name in here},
        floors={name: bound for name, bound in floors.items() if name in here},
    )
    reasons = {each.name: each.reason for each in found.not_done}
    k, l = found.risk(K), found.risk(L)  # noqa: E741
    persons = release.persons is not None or original.persons() is not None
    return Effect(
        original_records=len(original),
        records=len(release.table),
        columns=column_effects(original, release),
        keys=tuple(release.table.keys),
        confidential=tuple(release.table.having(Role.CONFIDENTIAL)),
        counted="people" if persons else "records",
        k=None if k is None or k.level is None else int(k.level),
        l=None if l is None or l.level is None or not np.isfinite(l.level) else float(l.level),
        why_no_k=reasons.get(K, ""),
        why_no_l=reasons.get(L, ""),
        random_steps=_random_steps(release),
        limits=_limits(found, ceilings, floors),
        unfinished=release.manifest.unfinished,
    )


def column_effects(original: Table | Dataset, release: Release | ReleaseInParts) -> tuple[ColumnEffect, ...]:
    """What became of the cells of each published column that numbers neither people nor homes."""
    truth = truth_of(release)
    rows = np.flatnonzero(truth >= 0)
    left_out = {*release.manifest.pseudonymised, *release.table.having(Role.HOUSEHOLD)}
    return tuple(
        _column_effect(before.frame[name], after.frame[name], truth[rows], rows)
        for name, before, after in columns_beside(original, release)
        if name not in left_out
    )


def _column_effect(before: pl.Series, after: pl.Series, owner: IntArray, rows: IntArray) -> ColumnEffect:
    then, now = labels_of(before)[owner], labels_of(after)[rows]
    had, has = then.is_not_null(), now.is_not_null()
    return ColumnEffect(
        column=before.name,
        cells=len(rows),
        blanked=int((had & ~has).sum()),
        changed=int((had & has & (then != now).fill_null(False)).sum()),
        filled=int((~had & has).sum()),
    )


def _of_the_file_alone(name: str, published: Table) -> bool:
    """Whether an attack finds what the published file alone tells, and quickly, and fits it."""
    if name in HEADLINES:
        return False
    method = registry.find("attack", name_in(name))
    return "original" not in method.tables and method.cost == "cheap" and not method.fits(published)


def _limits(
    found: Assessment, ceilings: Mapping[str, float], floors: Mapping[str, float]
) -> tuple[Limit, ...]:
    """All limits in the order they were set: those that the file tells, and the others not checked."""
    known = {(limit.name, limit.is_floor): limit for limit in found.limits}
    return tuple(
        known.get((name, is_floor))
        or Limit(name=name, bound=bound, found=None, is_floor=is_floor, unchecked=NOT_RUN)
        for bounds, is_floor in ((ceilings, False), (floors, True))
        for name, bound in bounds.items()
    )


def _random_steps(release: Release) -> tuple[str, ...]:
    """The steps that can have drawn values of published quasi-identifiers at random."""
    return tuple(
        dict.fromkeys(
            step.method
            for step in release.steps
            if _draws_values(registry.find("mask", step.method))
            and {*release.table.keys} & {*(step.parameters.get("columns") or release.table.keys)}
        )
    )


def _draws_values(method: registry.Method) -> bool:
    return method.random and method.changes_values and not method.only_blanks
