"""The records most at risk: by their row in the published file and the chance of each attack, never by a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet import registry
from discreet.assessment import Assessment
from discreet.method_call import name_in
from discreet.published_order import published_order
from discreet.table import FloatArray, IntArray

MOST_ROWS = 10
CLASSES = (
    ("no chance", 0.0),
    ("up to 1%", 0.01),
    ("1% to 5%", 0.05),
    ("5% to 10%", 0.10),
    ("10% to 20%", 0.20),
    ("20% to 34%", 0.34),
    ("34% to 50%", 0.50),
    ("50% to 99%", 0.99),
    ("over 99%", 1.0),
)
"""Classes of chance and the highest chance in each; a chance of one in three belongs to the class up to 34%."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposedRecord:
    """One published record: its row, counted from 1 below the header, and the chance under each attack.

    None where the attack tried others: a sample of people spoke for all.
    """

    row: int
    chances: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """How many records fall into each class of chance under one attack, and how many have a chance of one."""

    attack: str
    full: int
    labels: tuple[str, ...]
    records: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """Which records the attacks that name people find, the most exposed first.

    `as_exposed` counts those left out that are as exposed as the last one told.
    """

    attacks: tuple[str, ...]
    rows: tuple[ExposedRecord, ...]
    as_exposed: int
    chances: tuple[Chances, ...]


def exposure(assessment: Assessment, *, most: int = MOST_ROWS) -> Exposure | None:
    """The exposed records, so many at most, or None where no attack that names people told of single records."""
    naming = [
        (risk.name, risk.records)
        for risk in assessment.risks
        if risk.reidentifies and risk.records is not None and len(risk.records)
    ]
    if not naming:
        return None
    chances = np.column_stack([records for _, records in naming])
    known = np.nan_to_num(chances)
    highest = known[:, _telling([name for name, _ in naming])].max(axis=1)
    # Many records can share the highest chance; those that several attacks find come first, then the file's order.
    row_of = _published_rows(assessment)
    ordered = np.lexsort((row_of, -known.sum(axis=1), -highest))
    ordered = ordered[highest[ordered] > 0]
    shown = ordered[:most]
    least = highest[shown[-1]] if len(shown) else 1.0
    return Exposure(
        attacks=tuple(name for name, _ in naming),
        rows=tuple(
            ExposedRecord(
                row=int(row_of[each]),
                chances=tuple(None if np.isnan(chance) else float(chance) for chance in chances[each]),
            )
            for each in shown
        ),
        as_exposed=int((highest[ordered] >= least).sum()) - len(shown),
        chances=tuple(_classes(name, records) for name, records in naming),
    )


def _telling(attacks: Sequence[str]) -> list[int]:
    """The places of the attacks that rank records: those checked against the original, where there are any.

    In a file with values changed at random nearly every record is alone, so that counting those alike ranks nobody.
    """
    checked = [
        place
        for place, name in enumerate(attacks)
        if "original" in registry.find("attack", name_in(name)).tables
    ]
    return checked or list(range(len(attacks)))


def _published_rows(assessment: Assessment) -> IntArray:
    """The row in the published file, from 1, of each record of the release's table."""
    release = assessment.release
    order = published_order(len(release.table), release.manifest.order, release.secrets.seed)
    rows = np.empty(len(order), dtype=np.int64)
    rows[order] = np.arange(1, len(order) + 1)
    return rows if assessment.people is None else rows[assessment.people]


def _classes(attack: str, records: FloatArray) -> Chances:
    records = records[~np.isnan(records)]
    bounds = np.array([bound for _, bound in CLASSES])
    places = np.searchsorted(bounds, np.clip(records, 0.0, 1.0) - 1e-12, side="left")
    counted: Sequence[int] = np.bincount(places, minlength=len(CLASSES)).tolist()
    return Chances(
        attack=attack,
        full=int((records >= 1.0).sum()),
        labels=tuple(label for label, _ in CLASSES),
        records=tuple(counted),
    )
