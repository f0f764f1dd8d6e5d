"""What attacks and measures found about one release, and the verdict against the limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from discreet.assessment.limits import Limit, limits_on, worst
from discreet.assessment.score import Score
from discreet.dataset import Dataset
from discreet.errors import listed
from discreet.headline import ATTRIBUTE, IDENTITY, NOTHING_CONFIDENTIAL, Before, Headline, keys_perturbed
from discreet.intruder import OWNER, Intruder
from discreet.release import Release, ReleaseInParts
from discreet.results import FORMAT, Loss, Risk
from discreet.table import FloatArray, IntArray, Table, native_frame
from discreet.visible import visible_line

LOST = "lost"
"""The headline loss."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotDone:
    """An attack or measure that could not be computed, and why. It says nothing about safety.

    `applies` says whether it is meant for such a release at all, and `in_memory_alone` that it does not work on a
    dataset in parts.
    """

    kind: str
    name: str
    reason: str
    applies: bool = True
    in_memory_alone: bool = False


class Sample(NamedTuple):
    """So many people, drawn at random from all, whom some attacks looked for among all records."""

    tried: int
    people: int
    attacks: tuple[str, ...]

    def __str__(self) -> str:
        return self.by(listed(self.attacks))

    def by(self, attacks: str) -> str:
        """The sample in a sentence, with the attacks as the reader knows them."""
        return (
            f"{self.tried:,} of {self.people:,} people, drawn at random, were looked for among all records by "
            f"{attacks}; the intervals are those of such a sample, and count in every limit"
        )


NOT_COMPUTED = "not computed"
ROW: Mapping[str, Any] = {
    "kind": pl.String,
    "name": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "bound": pl.Float64,
    "status": pl.String,
    "note": pl.String,
}
"""The columns of an assessment as a frame; `low` and `high` are the ends of an interval."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Assessment:
    """What attacks by one intruder, and measures of loss, found about one release.

    `headlines` are the largest risks of their kind; `before` is how exposed the original is as it is. Where no release
    was given, `release` is the original without its identifiers. Of a dataset in parts, `people` are the rows of those
    whom attacks looked for, in rising order, and what risks tell of single records is about these.
    """

    original: Table | Dataset = field(repr=False)
    release: Release | ReleaseInParts = field(repr=False)
    headlines: tuple[Headline, ...]
    before: Before
    risks: tuple[Risk, ...]
    losses: tuple[Loss, ...]
    not_done: tuple[NotDone, ...]
    limits: tuple[Limit, ...]
    score: Score | None
    intruder: Intruder = OWNER
    people: IntArray | None = field(default=None, repr=False)

    @property
    def acceptable(self) -> bool:
        """Whether every limit that was set is met."""
        return all(limit.met for limit in self.limits)

    @property
    def verdict(self) -> str:
        """The status of the worst limit: "exceeded", "not checked" or "met"; "no limits" where none was set."""
        return worst(self.limits)

    @property
    def identity(self) -> Headline | None:
        """The largest risk of the attacks that find people."""
        return next((each for each in self.headlines if each.name == IDENTITY), None)

    @property
    def attribute(self) -> Headline | None:
        """The largest gain over guessing of the attacks that learn confidential values."""
        return next((each for each in self.headlines if each.name == ATTRIBUTE), None)

    @property
    def lost(self) -> Loss | None:
        """The headline loss, in percent."""
        return self.loss(LOST)

    @property
    def keys_perturbed(self) -> bool:
        """Whether published keys were changed and not only made coarser: classes of equal records say little then."""
        return keys_perturbed(self.risks, [each.name for each in self.not_done if not each.applies])

    @property
    def samples(self) -> tuple[Sample, ...]:
        """The samples of people that attacks looked for; none where everybody was looked for."""
        attacks: dict[tuple[int, int], list[str]] = {}
        for each in self.risks:
            if each.of_a_sample:
                tried = each.details["people_tried"], each.details["people"]
                attacks.setdefault(tried, []).append(each.name)
        return tuple(Sample(tried, people, tuple(names)) for (tried, people), names in attacks.items())

    def risk(self, name: str) -> Risk | None:
        """The risk of this name: a headline, or what one attack found."""
        return next((each for each in (*self.headlines, *self.risks) if each.name == name), None)

    def loss(self, name: str) -> Loss | None:
        return next((each for each in self.losses if each.name == name), None)

    @property
    def known_keys(self) -> list[str]:
        """The published quasi-identifiers that the intruder knew."""
        original, published = self.original, self.release.table
        if isinstance(original, Table) and isinstance(published, Table):
            return self.intruder.known_keys(original, published)
        return [name for name in original.keys if name in published.names]

    @property
    def records(self) -> FloatArray:
        """For each masked record the highest chance that a linking attack gives an intruder.

        Of a dataset in parts for each of the people looked for, in the order of `people`.
        """
        found = [risk.records for risk in self.risks if risk.reidentifies and risk.records is not None]
        if found:
            return np.asarray(np.fmax.reduce(found))
        return np.zeros(len(self.release.table) if self.people is None else len(self.people))

    def to_frame(self) -> Any:
        """A row for each headline, risk, loss and limit, in the kind of frame that the original came in.

        What could not be computed has a row too, without a value and with the reason.
        """
        rows = [_row("headline", each.name, each.risk, note=each.unchecked) for each in self.headlines]
        rows += [_row("risk", each.name, each.risk, each.interval) for each in self.risks]
        rows += [_row("loss", each.name, each.loss) for each in self.losses]
        rows += [
            _row("limit", each.name, each.found, bound=each.bound, status=each.status, note=each.unchecked)
            for each in self.limits
        ]
        rows += [
            _row(each.kind, each.name, None, status=NOT_COMPUTED, note=each.reason) for each in self.not_done
        ]
        return native_frame(pl.DataFrame(rows, schema=ROW, orient="row"), self._native)

    @property
    def _native(self) -> str:
        return self.original.native if isinstance(self.original, Table) else "polars"

    def __repr__(self) -> str:
        found = [f"{each.name} {each.risk:.1%}" for each in self.headlines]
        words = ", ".join([*found, f"{len(self.risks)} risks", f"{len(self.losses)} losses"])
        return visible_line(f"<assessment of '{self.release.table.name}': {self.verdict}; {words}>")

    def _repr_html_(self) -> str:
        from discreet.notebook import assessment_html

        return assessment_html(self)

    def __str__(self) -> str:
        lines = [] if self.intruder == OWNER else [f"attacked by {self.intruder}"]
        lines += [str(each) for each in (*self.headlines, *self.risks, *self.losses, *self.limits)]
        lines += [f"{each.name}: not computed ({each.reason})" for each in self.not_done]
        if self.score is not None:
            lines.append(
                f"score: {self.score.score:.1f} (loss {self.score.il:.1f}, risk {self.score.dr:.1f})"
            )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """All of it but the records, safe for JSON."""
        return {
            "format": FORMAT,
            "release": self.release.manifest.to_dict(),
            "manifest_vouched_by": self.release.vouched_by,
            "doubt": self.release.doubt,
            "intruder": self.intruder.to_dict(),
            "headlines": [each.to_dict() for each in self.headlines],
            "before": self.before.to_dict(),
            "risks": [each.to_dict() for each in self.risks],
            "losses": [each.to_dict() for each in self.losses],
            "not_computed": [
                {"kind": each.kind, "name": each.name, "reason": each.reason, "applies": each.applies}
                for each in self.not_done
            ],
            "limits": [each.to_dict() for each in self.limits],
            "acceptable": self.acceptable,
            "score": None if self.score is None else self.score.to_dict(),
        }


def _row(
    kind: str,
    name: str,
    value: float | None,
    interval: tuple[float, float] | None = None,
    *,
    bound: float | None = None,
    status: str | None = None,
    note: str = "",
) -> tuple[Any, ...]:
    """A row of an assessment as a frame."""
    low, high = interval or (None, None)
    return kind, name, value, low, high, bound, status, note


def limits_of(
    found: Assessment, ceilings: Mapping[str, float], floors: Mapping[str, float]
) -> tuple[Limit, ...]:
    """How an assessment stands against limits; none is met by a release that is not finished."""
    reasons = {ATTRIBUTE: NOTHING_CONFIDENTIAL, **{each.name: each.reason for each in found.not_done}}
    limits = limits_on(found.risk, reasons, ceilings, floors)
    doubt = found.release.manifest.unfinished
    return tuple(limit.doubted(doubt) for limit in limits) if doubt else limits
