"""The coalition attack: users who hold several releases of the same people rebuild a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from discreet._kernels.clustering.agglomerate import Linkage
from discreet.attack.fusion.alignment import ReleasedColumn, align
from discreet.attack.fusion.distances import CategoryDistance
from discreet.attack.fusion.negation import Negation
from discreet.attack.fusion.of_categories import fuse_categories
from discreet.attack.fusion.of_numbers import fuse_numbers
from discreet.attack.fusion.operators import Mean
from discreet.attack.fusion.results import Fused
from discreet.errors import BadParameter, WrongScale, did_you_mean
from discreet.release import Release
from discreet.table import Scale, Table

By = Literal["clusters", "vote", "likelihood", "mean", "owa", "wowa", "inverse_variance"]

USES: dict[str, tuple[str, ...]] = {
    "clusters": ("levels", "renamed", "negation", "distance", "linkage", "clusters"),
    "vote": ("levels", "renamed"),
    "likelihood": ("levels", "renamed"),
    "mean": ("weights", "mean"),
    "owa": ("order_weights",),
    "wowa": ("weights", "order_weights"),
    "inverse_variance": (),
}
"""The ways to fuse, and what each of them can be told."""
OF_CLUSTERS = ("negation", "distance", "linkage", "clusters")
OF_CATEGORIES = ("clusters", "vote", "likelihood")
AMONG: dict[str, tuple[str, ...]] = {
    "by": tuple(USES),
    "distance": ("published", "plain"),
    "linkage": ("single", "average", "complete", "ward"),
    "mean": ("arithmetic", "geometric", "harmonic", "quadratic"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wishes:
    """What the caller told about how to fuse; None where nothing was told."""

    by: By | None
    levels: Sequence[str] | None
    renamed: Sequence[int] | None
    negation: Negation | None
    distance: CategoryDistance | None
    linkage: Linkage | None
    clusters: int | None
    weights: Sequence[float] | None
    order_weights: Sequence[float] | None
    mean: Mean | None
    tolerance: float

    def names_given(self) -> tuple[str, ...]:
        """The names of what a way to fuse must have a use for."""
        possible = dict.fromkeys(name for uses in USES.values() for name in uses)
        return tuple(name for name in possible if getattr(self, name) is not None)


def coalition(
    releases: Sequence[Table | Release],
    *,
    column: str,
    original: Table | None = None,
    match: str | None = None,
    by: By | None = None,
    levels: Sequence[str] | None = None,
    renamed: Sequence[int] | None = None,
    negation: Negation | None = None,
    distance: CategoryDistance | None = None,
    linkage: Linkage | None = None,
    clusters: int | None = None,
    weights: Sequence[float] | None = None,
    order_weights: Sequence[float] | None = None,
    mean: Mean | None = None,
    tolerance: float = 0.1,
) -> Fused:
    """The column as users rebuild it who hold several releases of the same people.

    Records are put side by side by the column `match`, or by their order. With an `original` the result tells how
    much is right. `by` is how the values become one, and what else can be given depends on it:

    - "likelihood", the default for categories: the likeliest category, with how each release changes categories
    learned
      from the records, or read from the manifest of PRAM (Dawid and Skene 1979).
    - "clusters": records of which the releases say alike things are one category (Valls, Torra and Domingo-Ferrer
    2003).
      Takes a `negation` for what ordinal labels mean, the `distance` ("published" or "plain"), the `linkage`
      ("complete" unless told) and the number of `clusters`; telling any of them is asking for it.
    - "vote": what most releases say.
    - "inverse_variance", the default for numbers where it can be had: releases count by how little they are off, as
      their manifests publish it or as it shows in how far they are apart.
    - "mean" with `weights` for the releases, arithmetic or another `mean`; "owa" with `order_weights` for the largest
      value to the smallest; "wowa" with both.

    `levels` are the categories of the original, from low to high where they are ordinal; values that are not among
    them were made up by a masking and are unknown, though "likelihood" learns from them. Where no levels are given,
    they are those of the negation, of the original, or all that occur. Releases in `renamed` (counted from 0) call
    categories by names of their own. Numbers count as rebuilt within `tolerance` standard deviations.

    Releases that say the same of everybody are told in the details under `same_values`: the column was changed in
    neither, or one is a copy of the other.

    Raises Mismatch where the records cannot be put side by side or a release was made of another original,
    NotComputable where no release tells a value, and BadParameter for something told that the way to fuse does not use.
    """
    wishes = _Wishes(
        by=by,
        levels=levels,
        renamed=renamed,
        negation=negation,
        distance=distance,
        linkage=linkage,
        clusters=clusters,
        weights=weights,
        order_weights=order_weights,
        mean=mean,
        tolerance=tolerance,
    )
    _check(releases, wishes)
    if match == column:
        raise BadParameter(
            f"coalition: match and column are both '{column}'. Match by a column that tells who is who."
        )
    if original is not None:
        _check_original(releases, original)
    released, people = align(releases, column, match, original)
    fused = _fused(released, column, original, wishes)
    return replace(fused, people=people, details={**fused.details, **_copies(released)})


def _fused(released: Sequence[ReleasedColumn], column: str, original: Table | None, wishes: _Wishes) -> Fused:
    """The column fused as numbers or as categories, each by the usual way where none is asked for."""
    numbers = _is_number(released, original, column, wishes.by)
    way = wishes.by or _usual_way(numbers, wishes)
    _check_used(way, wishes)
    if numbers:
        return fuse_numbers(
            released,
            column,
            original,
            by="mean" if wishes.by is None and wishes.mean is not None else wishes.by,
            weights=wishes.weights,
            order_weights=wishes.order_weights,
            mean=wishes.mean or "arithmetic",
            tolerance=wishes.tolerance,
        )
    return fuse_categories(
        released,
        column,
        original,
        by=way,
        levels=wishes.levels,
        renamed=wishes.renamed or (),
        negation=wishes.negation,
        distance=wishes.distance or "published",
        linkage=wishes.linkage or "complete",
        clusters=wishes.clusters,
    )


def _check(releases: Sequence[Table | Release], wishes: _Wishes) -> None:
    if len(releases) < 2:
        raise BadParameter(f"coalition: at least two releases are needed; got {len(releases)}.")
    if not wishes.tolerance > 0:
        raise BadParameter("coalition: tolerance must be a number above 0.")
    for name, among in AMONG.items():
        value = getattr(wishes, name)
        if value is not None and value not in among:
            raise BadParameter(
                f"coalition: {name} must be one of {', '.join(among)}.{did_you_mean(str(value), among)}"
            )
    outside = [place for place in wishes.renamed or () if not 0 <= place < len(releases)]
    if outside:
        raise BadParameter(
            f"coalition: renamed counts releases from 0 to {len(releases) - 1}; got {outside[0]}."
        )


def _check_original(releases: Sequence[Table | Release], original: Table) -> None:
    """Raises Mismatch where a release that came with its private half was made of another file."""
    for each in releases:
        if isinstance(each, Release) and each.private is not None:
            each.check_original(original)


def _usual_way(numbers: bool, wishes: _Wishes) -> str:
    """The way to fuse where none is asked for by name: the strongest that takes what was told."""
    if numbers:
        return "mean"
    return "likelihood" if set(OF_CLUSTERS).isdisjoint(wishes.names_given()) else "clusters"


def _check_used(way: str, wishes: _Wishes) -> None:
    """Raises where something was told that the way to fuse has no use for."""
    for name in wishes.names_given():
        if name not in USES[way]:
            takers = ", ".join(taker for taker, uses in USES.items() if name in uses)
            raise BadParameter(f"coalition: {name} is not used by '{way}', only by {takers}.")
    if way in ("owa", "wowa") and wishes.order_weights is None:
        raise BadParameter(
            f"coalition: '{way}' needs order_weights, one for each place from the largest value to the smallest; "
            "equal ones would make it a mean."
        )


def _copies(released: Sequence[ReleasedColumn]) -> dict[str, list[list[int]]]:
    """Which releases say the same of everybody, as the places of two of them.

    What two releases agree on is believed, so that a copy makes a release count for more than it should.
    """
    pairs = [
        [one.release, other.release]
        for one, other in combinations(released, 2)
        if one.release != other.release
        and one.values.dtype == other.values.dtype
        and one.values.equals(other.values, null_equal=True)
    ]
    return {"same_values": pairs} if pairs else {}


def _is_number(
    released: Sequence[ReleasedColumn], original: Table | None, column: str, by: By | None
) -> bool:
    """Whether the column is fused as numbers: what was asked for, or what the original or any release holds."""
    if by in OF_CATEGORIES:
        return False
    scales = [each.described.scale for each in released] if original is None else [original[column].scale]
    numeric = Scale.NUMERIC in scales
    if by is not None and not numeric:
        raise WrongScale(f"coalition: column '{column}' holds categories; '{by}' is for numbers.")
    return numeric
