"""Transparency attacks: what an intruder achieves who has read in the manifest how the file was masked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from discreet import registry
from discreet.attack.clues.kinds import Clue, Points
from discreet.attack.clues.search import ComparedPoints, narrow
from discreet.attack.clues.told import KnownFiles, clues_told, holds_all
from discreet.attack.compared_points import axes_count, settled_by, unsettled
from discreet.attack.disclosed import MEANING, Disclosed, Told, chances, disclosed, sample_told
from discreet.attack.points import (
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
from discreet.comparing import AxisColumn, ComparedColumn, with_known_orders
from discreet.errors import DoesNotApply, NotComputable
from discreet.manifest import PublicManifest
from discreet.matches import true_matches
from discreet.parameters import KEYS, Known, Real, Whole
from discreet.progress import SILENT, Progress, part
from discreet.table import IntArray, Table


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
    where noise or a transition matrix are published. A person whose record is among t nearest ones counts 1/t. A single
    record left by sure clues is a certain match. Where clues contradict each other the intruder was told wrongly (a
    bound too low): the attempt is counted as failed, and the person is linked by distance alone.

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
    result = disclosed(found, surely, chance, told, published, len(masked), len(masked))
    return sample_told(result, np.setdiff1d(everybody, published), len(published), len(everybody))


def _points(
    columns: Sequence[ComparedColumn], clues: Sequence[Clue], people: IntArray, published: IntArray
) -> ComparedPoints:
    """The points whose distance decides among what the clues leave for the people, whose masked records are known.

    Likelihoods come first, so that sums that are exact stay so. Columns that must be the same make no difference; all
    others count as in plain linkage.
    """
    likely = [clue for clue in clues if isinstance(clue, Points)]
    blocks = [(clue.known, clue.masked) for clue in sorted(likely, key=lambda clue: -clue.known.shape[1])]
    room = most_axes(max(len(columns[0].known), _published(columns[0])))
    blocks += [axes_of(column) for column in unsettled(columns, settled_by(clues), room)]
    known = Stacked(
        parts=tuple(axes_of_rows(left, people) for left, _ in blocks), rows=np.arange(len(people))
    )
    everyone = np.arange(_published(columns[0]))
    masked = Stacked(parts=tuple(right for _, right in blocks), rows=everyone)
    slack = slack_of(errors_of(columns), known, masked) + sum(clue.slack for clue in likely)
    return ComparedPoints(known=known, masked=masked, truth=published, slack=slack)


def _published(column: ComparedColumn) -> int:
    return len(column.low if isinstance(column, AxisColumn) else column.published)
