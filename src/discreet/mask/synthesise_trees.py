"""Synthetic data by sequential trees: each column drawn from records that are alike in the columns before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from discreet import registry, seeds
from discreet.errors import BadParameter
from discreet.mask.leaves import Leaves, Predictor, leaves_of, one_leaf, rare
from discreet.mask.synthetic import BY_DESIGN, GUARANTEES, MISSING, is_ordered, modelled, synthetic, values_of
from discreet.parameters import Flag, Whole, Words
from discreet.progress import SILENT, Progress
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import FloatArray, Scale, Table


@registry.mask(
    family="synthesis",
    title="Synthetic data by trees",
    meaning="records are drawn column by column from trees grown on the original",
    tells=registry.Tells(
        "that all records were drawn from trees, which are not published; values of originals appear in them, and one "
        "can still equal an original"
    ),
    splits=registry.Split.WHOLE,
    instead="distort, which draws each column anew from its own distribution",
    scales=registry.ANY_SCALE,
    missing=MISSING,
    guarantees=GUARANTEES,
    by_design=(
        *BY_DESIGN,
        "values are drawn from leaves of at least `least` records",
    ),
    keeps_rows=False,
    cites=(
        "Reiter, Journal of Official Statistics 21(3), 2005",
        "Nowok, Raab and Dibben, Journal of Statistical Software 74(11), 2016",
    ),
)
def synthesise_trees(
    table: Table,
    *,
    records: Annotated[
        int | None, Whole(at_least=1, about="how many records are made; as many as there are if left out")
    ] = None,
    least: Annotated[int, Whole(at_least=1, usual=(5, 50), about="fewest records in a leaf")] = 5,
    smooth: Annotated[
        bool, Flag(about="whether numbers held by fewer than `least` records are blurred")
    ] = True,
    order: Annotated[
        Sequence[str] | None,
        Words(about="the columns in the order they are drawn; that of the table if left out"),
    ] = None,
    seed: Seed = None,
    progress: Progress = SILENT,
) -> Masked:
    """A table of synthetic records, each column drawn from a tree on the columns drawn before it.

    The first column is drawn from its own values. For every other one a tree (CART) is grown on the original records
    that predicts it from the columns before it; each synthetic record falls into a leaf, and takes the value of one of
    the originals there. Missing values of ordered columns have a tree of their own. With `smooth`, a number that few
    records hold is blurred by a normal kernel as wide as Silverman's rule says for its leaf.

    Values and categories of originals appear in the result: what only one person holds should be recoded or
    top-coded before.

    Synthesis by trees is by Reiter 2005, column after column as in Nowok, Raab and Dibben 2016.

    >>> print(dc.mask.synthesise_trees(table, records=1000, seed=1))
    synthesise_trees: 1000 records
    """
    names = _ordered_names(modelled(table, "synthesise_trees"), order)
    count = len(table) if records is None else records
    known: list[Predictor] = []
    drawn: dict[str, FloatArray] = {}
    smoothed: dict[str, int] = {}
    for place, name in enumerate(names):
        progress(place, len(names), "synthesise_trees")
        values, ordered = values_of(table, name), is_ordered(table, name)
        numeric = table[name].scale == Scale.NUMERIC
        generator = seeds.generator(seed, place)
        fresh, blurred = _draw(values, ordered, known, count, least, smooth and numeric, generator)
        drawn[name], smoothed[name] = fresh, blurred
        known.append(Predictor(original=values, synthetic=fresh, ordered=ordered))
    progress(len(names), len(names), "synthesise_trees")
    facts = {
        "order": list(names),
        "smoothed": {name: blurred for name, blurred in smoothed.items() if blurred},
    }
    return synthetic(table, drawn, count, facts)


def _ordered_names(names: tuple[str, ...], order: Sequence[str] | None) -> tuple[str, ...]:
    if order is None:
        return names
    if sorted(order) != sorted(names):
        raise BadParameter(
            f"synthesise_trees: order must name each of the {len(names)} columns that are drawn once: all but "
            "identifiers, households and texts."
        )
    return tuple(order)


def _draw(
    values: FloatArray,
    ordered: bool,
    known: list[Predictor],
    records: int,
    least: int,
    smooth: bool,
    generator: np.random.Generator,
) -> tuple[FloatArray, int]:
    """Synthetic values of one column, and how many of them were blurred."""
    missing = np.isnan(values)
    if not ordered:
        # Missing is one more category.
        codes = np.where(missing, np.nanmax(values, initial=-1.0) + 1, values)
        return values[_leaves(codes, False, known, records, least, generator).donors(generator)], 0
    gone = np.zeros(records, dtype=bool)
    if missing.any():
        flags = missing.astype(np.float64)
        gone = missing[_leaves(flags, True, known, records, least, generator).donors(generator)]
    fresh = np.full(records, np.nan)
    there, wanted = np.flatnonzero(~missing), np.flatnonzero(~gone)
    if len(there) == 0 or len(wanted) == 0:
        return fresh, 0
    part = [
        Predictor(original=each.original[there], synthetic=each.synthetic[wanted], ordered=each.ordered)
        for each in known
    ]
    own = values[there]
    leaves = _leaves(own, True, part, len(wanted), least, generator)
    donors = leaves.donors(generator)
    fresh[wanted] = own[donors]
    if not smooth:
        return fresh, 0
    few = rare(own, least)[donors]
    width = leaves.widths(own)[leaves.synthetic]
    fresh[wanted] += np.where(few, width * generator.standard_normal(len(wanted)), 0.0)
    return fresh, int(few.sum())


def _leaves(
    target: FloatArray,
    ordered: bool,
    known: list[Predictor],
    records: int,
    least: int,
    generator: np.random.Generator,
) -> Leaves:
    if not known:
        return one_leaf(len(target), records)
    return leaves_of(target, ordered, known, least, generator)
