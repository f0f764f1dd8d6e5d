"""Transparency attacks: what an intruder achieves who has read in the manifest how the file was masked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from discreet import registry
from discreet.attack.clues.kinds import Clue, Points, Same
from discreet.attack.clues.search import ComparedPoints, narrow
from discreet.attack.clues.told import KnownFiles, clues_told, holds_all
from discreet.attack.compared_points import axes_count, can_go_back, settled_by, unsettled
from discreet.attack.disclosed import MEANING, Disclosed, Told, chances, disclosed, sample_told
from discreet.attack.points import (
    Axes,
    Stacked,
    axes_of,
    axes_of_rows,
    compared_columns,
    errors_of,
    most_axes,
    slack_of,
)
from discreet.attack.records import people_tried
from discreet.attack.transparency_in_parts import transparency_in_parts
from discreet.classes import classes_of
from discreet.comparing import AxisColumn, ComparedColumn, with_known_orders
from discreet.errors import DoesNotApply, NotComputable
from discreet.manifest import PublicManifest
from discreet.matches import true_matches
from discreet.parameters import KEYS, Known, Real, Whole
from discreet.progress import SILENT, Progress, part
from discreet.table import FloatArray, IntArray, Table


@registry.attack(
    family="transparency",
    title="Using what the manifest tells",
    unit=registry.SHARE_OF_RECORDS,
    splits=registry.Split.QUERIES,
    by_parts=transparency_in_parts,
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
    progress: Progress = SILENT,
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
    whole = whole and holds_all(original, masked, keys)
    clues: list[Clue] = []
    known = KnownFiles(original, masked, manifest, owner, whole, p, nearest)
    silent = clues_told(known, sorted(keys), clues.append)
    columns = compared_columns(original, masked, sorted(keys), owner)
    everybody = published
    published = people_tried(published, axes_count(columns, clues).most_tried(len(masked)))
    people = owner[published]
    points = _points(columns, clues, people, published)
    back, same = _back(columns, clues, people, published) if can_go_back(clues) else (None, [])
    hard = [clue.about(people) for clue in clues if not isinstance(clue, Points)]
    told = Told({", ".join(clue.columns): type(clue).__name__.lower() for clue in clues}, silent)
    # What the search does not need is as large as the table.
    del columns, clues
    found = narrow(hard, points, part(progress, 0, 3, "transparency"))
    sound = [clue for clue in hard if clue.sound]
    surely = found if len(sound) == len(hard) else narrow(sound, points, part(progress, 1, 3, "transparency"))
    chance = chances(found)
    lost = np.flatnonzero(found.sizes == 0)
    if len(lost):
        columns = compared_columns(original, masked, sorted(keys), owner)
        left = _points(columns, (), people[lost], published[lost])
        chance[lost] = chances(narrow((), left, part(progress, 2, 3, "transparency")))
    if back is not None:
        twins = classes_of(masked.take(published), sorted(keys)).label
        told, chance = told.with_back(chance, narrow(same, back, part(progress, 2, 3, "transparency")), twins)
    result = disclosed(found, surely, chance, told, published, len(masked), len(masked))
    return sample_told(result, np.setdiff1d(everybody, published), len(published), len(everybody))


def _points(
    columns: Sequence[ComparedColumn], clues: Sequence[Clue], people: IntArray, published: IntArray
) -> ComparedPoints:
    """The points whose distance decides among what the clues leave for the people, whose masked records are known.

    Likelihoods come first, so that sums that are exact stay so. Columns that must be the same make no difference; all
    others count as in plain linkage.
    """
    blocks = [(clue.known, clue.masked) for clue in _likely(clues)] + _compared(columns, clues)
    return _placed(blocks, people, published, _published(columns[0]), _slack(columns, clues))


def _back(
    columns: Sequence[ComparedColumn], clues: Sequence[Clue], people: IntArray, published: IntArray
) -> tuple[ComparedPoints, list[Same]]:
    """The same for masked records that look for people, and the clues that ask for the same codes."""
    blocks = [(clue.known, clue.masked) for clue in (each.turned() for each in _likely(clues))]
    blocks += [(right, left) for left, right in _compared(columns, clues)]
    same = [clue.turned().about(published) for clue in clues if isinstance(clue, Same)]
    return _placed(blocks, published, people, len(columns[0].known), _slack(columns, clues)), same


def _placed(
    blocks: Sequence[tuple[Axes, Axes]], queries: IntArray, truth: IntArray, targets: int, slack: _Slack
) -> ComparedPoints:
    """The points of these queries and of all targets; `truth` is the target of each query."""
    parts = tuple(axes_of_rows(left, queries) for left, _ in blocks)
    known = Stacked(parts=parts, rows=np.arange(len(queries)))
    masked = Stacked(parts=tuple(right for _, right in blocks), rows=np.arange(targets))
    return ComparedPoints(
        known=known, masked=masked, truth=truth, slack=slack_of(slack.errors, known, masked) + slack.rounded
    )


class _Slack(NamedTuple):
    """By how much the axes of columns can be off, and the distances of likelihoods."""

    errors: FloatArray
    rounded: float


def _slack(columns: Sequence[ComparedColumn], clues: Sequence[Clue]) -> _Slack:
    return _Slack(errors_of(columns), sum(clue.slack for clue in _likely(clues)))


def _likely(clues: Sequence[Clue]) -> list[Points]:
    """The likelihoods, those of most axes first."""
    return sorted((clue for clue in clues if isinstance(clue, Points)), key=lambda clue: -clue.known.shape[1])


def _compared(columns: Sequence[ComparedColumn], clues: Sequence[Clue]) -> list[tuple[Axes, Axes]]:
    """The axes of the columns that no clue has settled."""
    room = most_axes(max(len(columns[0].known), _published(columns[0])))
    return [axes_of(column) for column in unsettled(columns, settled_by(clues), room)]


def _published(column: ComparedColumn) -> int:
    return len(column.low if isinstance(column, AxisColumn) else column.published)
