"""A look at what a plan does before anything is released: step by step, on some of the records or on all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from discreet import seeds
from discreet.assessment import LOST, Assessment, assess
from discreet.distributions import Distribution, distributions
from discreet.errors import BadParameter
from discreet.headline import HEADLINES
from discreet.plan import Plan
from discreet.progress import SILENT, Progress, part
from discreet.protection import protect
from discreet.release import Release
from discreet.results import FORMAT
from discreet.seeds import Seed
from discreet.table import IntArray, Table

USUAL_RECORDS = 1000
SAMPLE_STREAM = (1 << 20) + 2
"""A stream of the seed beside those of the steps of a plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPreview:
    """The file after one step: its headline risks and loss, and the columns that the step changed.

    A risk or a loss that could not be computed is None, which says nothing about safety. `before` is the step for the
    file as it is, which has no method.
    """

    method: str
    identity: float | None
    attribute: float | None
    lost: float | None
    columns: tuple[Distribution, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a plan does to so many of the records of a table; the last step is what would be released.

    On a part of the records people are easier to find than in the whole file: risks look higher, and what needs many
    alike records may not be possible at all.
    """

    records: int
    of: int
    before: StepPreview
    steps: tuple[StepPreview, ...]
    limits: tuple[Mapping[str, Any], ...]

    @property
    def is_sample(self) -> bool:
        return self.records < self.of

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """What each step does to the risk and the loss, a line for each."""
        part_of = (
            f"{self.records:,} of {self.of:,} records" if self.is_sample else f"{self.records:,} records"
        )
        lines = [f"On {part_of}:"]
        for each in (self.before, *self.steps):
            risk = "not computed" if each.identity is None else f"{each.identity:.1%}"
            lost = "not computed" if each.lost is None else f"{each.lost:.1f}%"
            changed = ", ".join(column.column for column in each.columns)
            lines.append(
                f"  {each.method or 'as it is'}: identity {risk}, lost {lost}"
                + (f" ({changed})" * bool(changed))
            )
        return lines

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "records": self.records,
            "of": self.of,
            "before": self.before.to_dict(),
            "steps": [each.to_dict() for each in self.steps],
            "limits": [dict(each) for each in self.limits],
        }


def preview(
    table: Table,
    plan: Plan,
    *,
    records: int | None = USUAL_RECORDS,
    seed: Seed = None,
    ceilings: Mapping[str, float] | None = None,
    floors: Mapping[str, float] | None = None,
    publish_text: Sequence[str] = (),
    progress: Progress = SILENT,
) -> Preview:
    """What each step of a plan does to the columns, to the headline risks and to the headline loss.

    It looks at `records` of the table, drawn at random with their whole households and persons, or at all when None.
    What is drawn at random in a step is drawn anew for the release itself, which will differ a little.
    """
    if records is not None and records < 2:
        raise BadParameter("preview: records must be at least 2, or None for all.")
    secret = seeds.check(seed)
    some = table if records is None else sample_of(table, records, secret)
    stages = len(plan.steps) + 1
    found: list[StepPreview] = []
    last: Assessment | None = None
    shown: Table | None = None
    for place in range(stages):
        name = plan.steps[place - 1].name if place else ""
        tell = part(progress, place, stages, name or "as it is")
        done = Plan(steps=plan.steps[:place])
        release = protect(some, done, seed=secret, order="kept", publish_text=publish_text)
        final = place == stages - 1
        last = assess(
            some,
            release,
            attacks=list(HEADLINES),
            losses=[LOST],
            ceilings=ceilings if final else None,
            floors=floors if final else None,
            progress=tell,
        )
        found.append(_stage(name, last, _changed(some if shown is None else shown, release) if place else ()))
        shown = release.table
    assert last is not None
    return Preview(
        records=len(some),
        of=len(table),
        before=found[0],
        steps=tuple(found[1:]),
        limits=tuple(each.to_dict() for each in last.limits),
    )


def sample_of(table: Table, records: int, seed: int) -> Table:
    """About so many records of a table, whole households or persons where it has them, in the order of the table."""
    if len(table) <= records:
        return table
    generator = seeds.generator(seed, SAMPLE_STREAM)
    groups = table.households()
    groups = table.persons() if groups is None else groups
    if groups is None:
        return table.take(np.sort(generator.permutation(len(table))[:records]))
    rank = generator.permutation(int(groups.max(initial=-1)) + 1)
    order: IntArray = np.argsort(rank[groups], kind="stable")
    return table.take(np.sort(order[:records]))


def _changed(before: Table, release: Release) -> tuple[Distribution, ...]:
    return tuple(each for each in distributions(before, release) if each.changed)


def _stage(name: str, found: Assessment, columns: tuple[Distribution, ...]) -> StepPreview:
    identity, attribute = found.identity, found.attribute
    return StepPreview(
        method=name,
        identity=identity.risk if identity is not None and identity.attacks else None,
        attribute=attribute.risk if attribute is not None and attribute.attacks else None,
        lost=None if found.lost is None else found.lost.loss,
        columns=columns,
    )
