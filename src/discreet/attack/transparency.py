"""Transparency attacks: what an intruder achieves who has read in the manifest how the file was masked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

import numpy as np

from discreet import registry
from discreet.attack.clues import CLUES
from discreet.attack.clues.kinds import (
    Clue,
    Points,
    PublishedStep,
    Range,
    Same,
    StepClues,
    drops_records,
    touched,
)
from discreet.attack.clues.search import ComparedPoints, Narrowed, narrow
from discreet.attack.points import (
    ROUNDING,
    Axes,
    CodedPoints,
    Stacked,
    axes_of,
    compared_columns,
    errors_of,
    most_axes,
    slack_of,
)
from discreet.attack.records import people_tried, sampled, shared_by_twins
from discreet.classes import classes_of
from discreet.coding import common_codes
from discreet.comparing import AxisColumn, CategoryColumn, ComparedColumn, with_known_orders
from discreet.errors import DoesNotApply, NotComputable
from discreet.manifest import PublicManifest
from discreet.matches import true_matches
from discreet.parameters import KEYS, Known, Real, Whole
from discreet.results import Risk, wilson
from discreet.table import FloatArray, IntArray, Scale, Table

MEANING = (
    "the share of published records that an intruder links to the right person who knows the true values of the "
    "quasi-identifiers and has read in the manifest how they were masked"
)
OTHER_KIND = "the intruder's values are not of the same kind as the published ones"
PERSON_TO_RECORD, RECORD_TO_PERSON = "original to masked", "masked to original"
FEW_AXES = 20
MOST_COMPARED = 2e10
"""People times published records times axes: beyond, a sample of people is looked for in the whole file."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disclosed(Risk):
    """What reading the manifest achieved.

    `candidates[i]` is how many masked records the clues leave for the person of masked record i, 0 where they
    contradict each other. `certain` people have one that is sure to be theirs.
    """

    certain: int
    candidates: IntArray = field(repr=False)


@registry.attack(
    family="transparency",
    title="Using what the manifest tells",
    unit=registry.SHARE_OF_RECORDS,
    splits=registry.Split.QUERIES,
    counts_for=registry.CountsFor("identity", quick=True),
    scales=registry.EVERY_SCALE,
    missing="stays missing, as the methods publish it; a cell that was suppressed, or that the intruder alone lacks, "
    "rules nothing out",
    meaning=MEANING,
    cites=(
        "Nin, Herranz and Torra, Data and Knowledge Engineering 64(1), 2008 (rank swapping)",
        "Nin, Herranz and Torra, Data and Knowledge Engineering 67(3), 2008 (microaggregation)",
        "Torra, Data Privacy: Foundations, New Developments and the Big Data Challenge, Springer, 2017",
    ),
)
def transparency(
    original: Table,
    masked: Table,
    *,
    keys: Known = KEYS,
    p: Annotated[
        float | None,
        Real(above=0, at_most=100, about="rank swapping: an upper bound of p in place of the published one"),
    ] = None,
    nearest: Annotated[
        int | None,
        Whole(
            at_least=1,
            about="microaggregation: how many of the nearest groups are tried; as few as leave a record if left out",
        ),
    ] = None,
    truth: IntArray | None = None,
    manifest: PublicManifest | None = None,
) -> Disclosed:
    """How many people are linked to their own masked record by whoever knows how the file was masked.

    Every step of the manifest has its own attack, or is named in the details as one for which none is known. Clues
    that rule records out are intersected over steps and columns; what is left is compared by distance, or by likelihood
    where noise or a transition matrix are published. A person whose record is among t nearest ones counts 1/t. By
    likelihoods alone, each published record is also linked to the person it likeliest comes from, and the better of the
    two directions counts. A single record left by sure clues is a certain match. Where clues contradict each other the
    intruder was told wrongly (a bound too low): the attempt is counted as failed, and the person is linked by distance
    alone.

    Of rank swapping a person x can be in B(x), the intersection of the sets B_j(x_j) of records whose value j was
    within reach of a swap (Nin, Herranz and Torra 2008).

    >>> print(dc.attack.transparency(table, release.table, keys=["sex", "education", "age"], manifest=release.manifest))
    transparency: 69.8% of 400 attempts (95% interval 65.1%-74.0%; guessing 0.2%)
    """
    if manifest is None:
        raise DoesNotApply("transparency: the intruder does not know the method, so there is nothing to use.")
    owner = true_matches(original, masked, truth)
    masked = with_known_orders(original, masked)
    published = np.flatnonzero(owner >= 0)
    if len(published) == 0:
        raise NotComputable(
            "transparency: no record has a true partner in the other file, so no link can be right or wrong."
        )
    whole = len(original) == len(masked) and len(np.unique(owner[published])) == len(original)
    whole = whole and not any(_has_unknown(original, masked, name) for name in keys)
    clues, silent = _clues(original, masked, tuple(sorted(keys)), manifest, whole, p, nearest, owner)
    clues = [clue.open_where_unknown() if isinstance(clue, Range | Same) else clue for clue in clues]
    columns = compared_columns(original, masked, sorted(keys), owner)
    everybody, published = published, _tried(published, columns, clues, len(masked))
    people = owner[published]
    points = _points(columns, clues, people, published)
    back = _points_back(columns, clues, people, published)
    hard = [clue.about(people) for clue in clues if not isinstance(clue, Points)]
    same = [clue.turned().about(published) for clue in clues if isinstance(clue, Same)]
    kinds = {", ".join(clue.columns): type(clue).__name__.lower() for clue in clues}
    # What the search does not need is as large as the table.
    del columns, clues
    found = narrow(hard, points)
    sound = [clue for clue in hard if clue.sound]
    surely = found if len(sound) == len(hard) else narrow(sound, points)
    chance = np.where(found.hit, 1.0 / np.maximum(found.ties, 1), 0.0)
    lost = np.flatnonzero(found.sizes == 0)
    if len(lost):
        columns = compared_columns(original, masked, sorted(keys), owner)
        plain = narrow((), _points(columns, (), people[lost], published[lost]))
        chance[lost] = np.where(plain.hit, 1.0 / plain.ties, 0.0)
    alike = classes_of(masked.take(published), sorted(keys)).label
    of_records = None if back is None else _chance_back(same, back, alike)
    direction = PERSON_TO_RECORD
    if of_records is not None and of_records.sum() > chance.sum() + ROUNDING:
        chance, direction = of_records, RECORD_TO_PERSON
    result = _result(found, surely, chance, kinds, silent, published, len(masked), direction)
    if len(published) == len(everybody) or result.records is None:
        return result
    records = result.records.copy()
    records[np.setdiff1d(everybody, published)] = np.nan
    details = {**result.details, **sampled(len(published), len(everybody))}
    return replace(result, records=records, details=details)


def _chance_back(same: Sequence[Same], back: ComparedPoints, alike: IntArray) -> FloatArray:
    """The chance of each masked record that looks for the person it likeliest comes from; twins share theirs."""
    found = narrow(same, back)
    chance = np.where(found.hit, 1.0 / np.maximum(found.ties, 1), 0.0)
    return shared_by_twins(chance, alike, np.ones(len(chance), dtype=bool))


def _tried(
    published: IntArray, columns: Sequence[ComparedColumn], clues: Sequence[Clue], count: int
) -> IntArray:
    """The records whose people are looked for: a sample where points have many axes, which take their time."""
    axes = sum(clue.known.shape[1] for clue in clues if isinstance(clue, Points))
    clued = {name for clue in clues for name in clue.columns}
    axes += sum(
        1 if isinstance(each, AxisColumn) else each.levels for each in columns if each.name not in clued
    )
    return people_tried(published, np.inf if axes <= FEW_AXES else MOST_COMPARED / (axes * count))


def _clues(
    original: Table,
    masked: Table,
    keys: tuple[str, ...],
    manifest: PublicManifest,
    whole: bool,
    p: float | None,
    nearest: int | None,
    owner: IntArray,
) -> tuple[list[Clue], dict[str, str]]:
    """What the manifest gives away about the keys, and why some of them give away nothing."""
    clues: list[Clue] = []
    silent: dict[str, str] = {}
    alone: dict[int, list[str]] = {}
    changed = touched(manifest, keys)
    blanking = {name: [step for step in changed[name] if _blanks(manifest, step)] for name in keys}
    blanked = frozenset(name for name in keys if blanking[name])
    for name in keys:
        steps = [step for step in changed[name] if not _blanks(manifest, step)]
        if not _is_compared(original, masked, name, [manifest.steps[step]["method"] for step in steps]):
            silent[name] = OTHER_KIND
        elif not steps:
            clues.append(_unchanged(original, masked, name, name in blanked))
        elif len(steps) > 1:
            silent[name] = f"no attack is known on what {len(steps)} steps do together"
        else:
            alone.setdefault(steps[0], []).append(name)
    for number, columns in sorted(alone.items()):
        step = manifest.steps[number]
        clue = _clue_of(step["method"])
        if clue is None:
            silent |= dict.fromkeys(columns, f"no attack on '{step['method']}' is known")
            continue
        given = clue(
            PublishedStep(
                method=step["method"],
                parameters=step["parameters"],
                columns=tuple(columns),
                known=original,
                masked=masked,
                blanked=blanked,
                blanked_before=frozenset(name for name in blanked if blanking[name][0] < number),
                whole=whole,
                dropped_after=any(drops_records(later) for later in manifest.steps[number + 1 :]),
                p_at_most=p,
                nearest=nearest,
                truth=owner,
                transitions=step.get("transitions", {}),
            )
        )
        clues += given.clues
        silent |= given.silent
    return clues, silent


def _has_unknown(original: Table, masked: Table, name: str) -> bool:
    """Whether the intruder lacks cells that nobody lacks in the masked file: such cells are not known to him."""
    return original.frame[name].null_count() > 0 and masked.frame[name].null_count() == 0


def _is_compared(original: Table, masked: Table, name: str, methods: Sequence[str]) -> bool:
    """Whether the known values are of the kind that the methods changed: text tells nothing about noise."""
    alike = (original[name].scale == Scale.NUMERIC) == (masked[name].scale == Scale.NUMERIC)
    return alike or any(_clue_of(method) is CLUES["held"] for method in methods)


def _clue_of(method: str) -> Callable[[PublishedStep], StepClues] | None:
    """What an intruder makes of the published parameters of a mask; None where no attack is known."""
    tells = registry.find("mask", method).tells
    return CLUES[tells.clue] if tells is not None and tells.clue else None


def _blanks(manifest: PublicManifest, step: int) -> bool:
    """Whether a step only blanks cells: what is known of the others stays true of the cells that are left."""
    return registry.find("mask", manifest.steps[step]["method"]).only_blanks


def _unchanged(original: Table, masked: Table, name: str, may_vanish: bool) -> Same:
    """A column that is published as it is: only equal values can belong together."""
    codes = common_codes(original.frame[name], masked.frame[name])
    return Same(columns=(name,), known=codes.left - 1, masked=codes.right - 1, may_vanish=may_vanish)


def _points(
    columns: Sequence[ComparedColumn], clues: Sequence[Clue], people: IntArray, published: IntArray
) -> ComparedPoints:
    """The points whose distance decides among what the clues leave for the people, whose masked records are known."""
    blocks = _blocks(columns, clues)
    known = Stacked(parts=tuple(_of_rows(left, people) for left, _ in blocks), rows=np.arange(len(people)))
    everyone = np.arange(_published(columns[0]))
    masked = Stacked(parts=tuple(right for _, right in blocks), rows=everyone)
    return ComparedPoints(
        known=known, masked=masked, truth=published, slack=_slack(columns, clues, known, masked)
    )


def _points_back(
    columns: Sequence[ComparedColumn], clues: Sequence[Clue], people: IntArray, published: IntArray
) -> ComparedPoints | None:
    """The points of masked records that look for people; None where no likelihood decides, or other clues do too."""
    hard = [clue for clue in clues if not isinstance(clue, Points)]
    if len(hard) == len(clues) or not all(isinstance(clue, Same) and not clue.may_vanish for clue in hard):
        return None
    blocks = _blocks(columns, [clue.turned() if isinstance(clue, Points) else clue for clue in clues])
    likely = len(clues) - len(hard)
    pairs = blocks[:likely] + [(right, left) for left, right in blocks[likely:]]
    records = Stacked(
        parts=tuple(_of_rows(left, published) for left, _ in pairs), rows=np.arange(len(published))
    )
    everyone = Stacked(parts=tuple(right for _, right in pairs), rows=np.arange(len(columns[0].known)))
    return ComparedPoints(
        known=records, masked=everyone, truth=people, slack=_slack(columns, clues, records, everyone)
    )


def _slack(columns: Sequence[ComparedColumn], clues: Sequence[Clue], one: Stacked, other: Stacked) -> float:
    """How much farther a record can seem that is as near."""
    likely = [clue for clue in clues if isinstance(clue, Points)]
    return slack_of(errors_of(columns), one, other) + sum(clue.slack for clue in likely)


def _blocks(columns: Sequence[ComparedColumn], clues: Sequence[Clue]) -> list[tuple[Axes, Axes]]:
    """The axes of both files, those of likelihoods first.

    So sums that are exact stay so. Columns that must be the same make no difference; all others count as in plain
    linkage, but for bands: being inside is all that they say.
    """
    likely = [clue for clue in clues if isinstance(clue, Points)]
    settled = {
        name
        for clue in clues
        if isinstance(clue, Points) or (isinstance(clue, Same) and not clue.may_vanish)
        for name in clue.columns
    }
    blocks = [(clue.known, clue.masked) for clue in sorted(likely, key=lambda clue: -clue.known.shape[1])]
    room = most_axes(max(len(columns[0].known), _published(columns[0])))
    for column in columns:
        if column.name in settled or (isinstance(column, AxisColumn) and column.banded):
            continue
        if isinstance(column, CategoryColumn):
            room -= column.levels + len(column.holds)
            if room < 0:
                continue
        blocks.append(axes_of(column))
    return blocks


def _of_rows(axes: Axes, rows: IntArray) -> Axes:
    """The axes of some rows."""
    return CodedPoints(axes.places, axes.codes[rows]) if isinstance(axes, CodedPoints) else axes[rows]


def _published(column: ComparedColumn) -> int:
    return len(column.low if isinstance(column, AxisColumn) else column.published)


def _result(
    found: Narrowed,
    surely: Narrowed,
    chance: FloatArray,
    kinds: Mapping[str, str],
    silent: Mapping[str, str],
    published: IntArray,
    count: int,
    direction: str,
) -> Disclosed:
    """The result over all masked records; `surely` is what the sure clues alone leave of them."""
    single = found.sizes == 1
    certain = int(((surely.sizes == 1) & surely.inside).sum())
    expected, attempts = float(chance.sum()), len(published)
    records, candidates = np.zeros(count), np.zeros(count, dtype=np.int64)
    records[published], candidates[published] = chance, found.sizes
    return Disclosed(
        name="transparency",
        risk=expected / attempts,
        meaning=MEANING,
        reidentifies=True,
        records=records,
        interval=wilson(expected, attempts),
        baseline=1.0 / count,
        attempts=attempts,
        failed=int((found.sizes == 0).sum()),
        details={
            "clues": dict(kinds),
            "no_clue": dict(silent),
            "certain": certain,
            "single_candidates": int(single.sum()),
            "single_candidates_right": int((single & found.inside).sum()),
            "median_candidates": float(np.median(found.sizes)),
            "true_record_ruled_out": int((~found.inside).sum()),
            "contradictions": int((found.sizes == 0).sum()),
            "direction": direction,
        },
        certain=certain,
        candidates=candidates,
    )
