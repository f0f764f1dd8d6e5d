"""A column of categories from several releases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from discreet._kernels.clustering.agglomerate import Linkage
from discreet.attack.fusion.alignment import ReleasedColumn
from discreet.attack.fusion.categories import (
    Combinations,
    FusedCategories,
    by_clusters,
    by_likelihood,
    by_vote,
    combinations_of,
    places,
)
from discreet.attack.fusion.distances import UNKNOWN, CategoryDistance
from discreet.attack.fusion.evaluation import rebuilt_categories
from discreet.attack.fusion.negation import Negation
from discreet.attack.fusion.results import Fused, Rebuilt
from discreet.coding import labels_of
from discreet.errors import BadParameter, BadValues, NotComputable, WrongScale
from discreet.table import Column, FloatArray, IntArray, Scale, Table
from discreet.transitions import likely_matrix


def fuse_categories(
    released: Sequence[ReleasedColumn],
    column: str,
    original: Table | None,
    *,
    by: str,
    levels: Sequence[str] | None,
    renamed: Sequence[int],
    negation: Negation | None,
    distance: CategoryDistance,
    linkage: Linkage,
    clusters: int | None,
) -> Fused:
    """The categories of a column, fused."""
    columns = [texts(each.values) for each in released]
    named = [each for each in released if each.release not in renamed]
    if not named:
        raise BadParameter("coalition: at least one release must use the names of the original.")
    known = _levels(levels, negation, original, column, named, columns)
    ordered = negation is not None or _is_ordered(original, column, named)
    positions = _positions(known, negation, ordered, column)
    combinations = combinations_of(
        columns, known, [place for place, each in enumerate(released) if each.release in renamed]
    )
    if by == "clusters":
        choice = by_clusters(
            combinations, positions, len(known), distance=distance, linkage=linkage, clusters=clusters
        )
    elif by == "vote":
        choice = by_vote(combinations, len(known))
    else:
        choice = by_likelihood(
            combinations,
            known,
            [_published(each, known, combinations, place) for place, each in enumerate(released)],
        )
    fused = _described(released, column, by, known, ordered, combinations, choice)
    if original is None:
        return fused
    return replace(fused, rebuilt=_compared(original, column, known, choice, combinations, ordered))


def _described(
    released: Sequence[ReleasedColumn],
    column: str,
    by: str,
    known: Sequence[str],
    ordered: bool,
    combinations: Combinations,
    choice: FusedCategories,
) -> Fused:
    """The choice as a column, with what it was made from."""
    return Fused(
        column=column,
        values=_named(choice.codes, known, column),
        by=by,
        releases=len(released),
        known_in=(combinations.codes != UNKNOWN).sum(axis=1)[combinations.tuple_of],
        levels=tuple(known),
        clusters=choice.clusters,
        details={
            "release_of_each": [released[place].release for place in combinations.shared],
            "levels": len(known),
            "ordered": ordered,
            "different_combinations": len(combinations.codes),
            "values_not_among_the_levels": list(combinations.made_up),
            **({} if choice.clusters is None else {"clusters": int(choice.clusters.max()) + 1}),
        },
    )


def texts(values: pl.Series) -> pl.Series:
    """The values as text; numbers are written alike whatever their type."""
    if isinstance(values.dtype, pl.Duration):
        values = values.to_physical()
    return labels_of(values).alias("value")


def _levels(
    given: Sequence[str] | None,
    negation: Negation | None,
    original: Table | None,
    column: str,
    named: Sequence[ReleasedColumn],
    columns: Sequence[pl.Series],
) -> list[str]:
    """The categories of the original, as far as they are known."""
    if given is not None:
        if not given or len(set(given)) != len(given):
            raise BadParameter("coalition: levels must name at least one category, each once.")
        return [str(each) for each in given]
    if negation is not None:
        return list(negation.order)
    if original is not None:
        return _of_table(original, column)
    orders = [
        list(each.described.order) or texts(each.values).drop_nulls().unique().sort().to_list()
        for each in named
    ]
    found = _merged(orders)
    if not found:
        raise NotComputable(f"coalition: no release holds a value in column '{column}'.")
    return found


def _of_table(original: Table, column: str) -> list[str]:
    levels = pl.Series(list(original.levels(column)), dtype=original.frame[column].dtype)
    found = texts(levels).to_list()
    if not found:
        raise NotComputable(
            f"coalition: the original has no value in column '{column}', so nothing can be compared."
        )
    return found


def _merged(orders: Sequence[Sequence[str]]) -> list[str]:
    """The categories of all orders, each after the one that it follows where it is first met."""
    merged: list[str] = []
    for order in orders:
        place = 0
        for name in order:
            if name in merged:
                place = merged.index(name) + 1
            else:
                merged.insert(place, name)
                place += 1
    return merged


def _is_ordered(original: Table | None, column: str, named: Sequence[ReleasedColumn]) -> bool:
    described: list[Column] = [each.described for each in named] if original is None else [original[column]]
    return any(each.scale == Scale.ORDINAL for each in described)


def _positions(
    levels: Sequence[str], negation: Negation | None, ordered: bool, column: str
) -> FloatArray | None:
    """Where the levels lie between 0 and 1: as their negation tells, or at equal distances; None for nominal ones."""
    if not ordered:
        return None
    if negation is None:
        return (np.arange(len(levels)) + 0.5) / len(levels)
    unknown = [name for name in levels if name not in negation.positions]
    if unknown:
        raise WrongScale(
            f"coalition: {len(unknown)} of the {len(levels)} levels of column '{column}' have no negation. Tell the "
            "levels by the negation alone."
        )
    return np.array([negation.positions[name] for name in levels])


def _published(
    released: ReleasedColumn, levels: Sequence[str], combinations: Combinations, place: int
) -> FloatArray | None:
    """The chances with which a release changed categories, where its manifest tells of PRAM alone on the column."""
    column = released.described.name
    steps = (
        []
        if released.manifest is None
        else [step for step in released.manifest.steps if column in (step["parameters"].get("columns") or ())]
    )
    if len(steps) != 1 or steps[0]["method"] != "pram" or place not in combinations.shared:
        return None
    found = texts(released.values).drop_nulls().value_counts(name="count")
    counts = {
        **dict.fromkeys(levels, 0),
        **dict(zip(found["value"].to_list(), found["count"].to_list(), strict=True)),
    }
    categories, matrix = likely_matrix(steps[0], column, counts)
    at = {name: number for number, name in enumerate(categories)}
    own = combinations.own[place]
    if not set(levels) <= set(at) or not set(own) <= set(at):
        return None
    return matrix[np.ix_([at[name] for name in levels], [at[name] for name in own])]


def _named(codes: IntArray, levels: Sequence[str], column: str) -> pl.Series:
    names = pl.Series(column, list(levels), dtype=pl.String)
    rows = pl.Series(np.maximum(codes, 0), dtype=pl.UInt32).set(pl.Series(codes == UNKNOWN), None)
    return names.gather(rows)


def _compared(
    original: Table,
    column: str,
    levels: Sequence[str],
    choice: FusedCategories,
    combinations: Combinations,
    ordered: bool,
) -> Rebuilt:
    true_values = texts(original.frame[column])
    true = places(true_values, levels)
    strange = int(((true == UNKNOWN) & true_values.is_not_null().to_numpy()).sum())
    if strange:
        raise BadValues(
            f"coalition: {strange} records of the original have a category in column '{column}' that is not among the "
            f"{len(levels)} levels."
        )
    releases = [combinations.codes[:, place][combinations.tuple_of] for place in combinations.shared]
    return rebuilt_categories(true, choice.codes, releases, len(levels), ordered)
