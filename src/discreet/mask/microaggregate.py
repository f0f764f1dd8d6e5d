"""Microaggregation: records in groups of at least k, each value replaced by its group's centre."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from discreet import registry
from discreet.all_records import AllRecords
from discreet.errors import BadParameter, WrongScale
from discreet.mask.aggregation import GUARANTEES, aggregated, in_groups
from discreet.mask.coordinates import (
    ScaledColumns,
    coordinates,
    scaled,
    scales_of,
    spread_out,
)
from discreet.mask.partitions import PARTITIONS
from discreet.mask.people import people_of
from discreet.mask.required import guaranteed
from discreet.mask.weights import weights_of
from discreet.parameters import ORDERED_KEYS, Choice, Flag, Groups, Masking, Numbers, Whole
from discreet.progress import SILENT, Progress, part
from discreet.requirement import Holdings, Requirement
from discreet.results import Masked
from discreet.table import FloatArray, IntArray, Scale, Table

Variant = Annotated[
    str,
    Choice(among=("mdav", "individual", "zscore", "component", "adaptive"), about="how the groups are found"),
]


@registry.mask(
    family="microaggregation",
    title="Microaggregate",
    meaning="values become the average of a group of similar records",
    tells=registry.Tells(
        "the least size of the groups and how they were formed, so which groups a known record can be in",
        clue="neighbouring_groups",
    ),
    splits=registry.Split.BLOCKS,
    block_of_numbers=65_536,
    by_columns={"variant": "individual", "group_k": None},
    searched=registry.Searched(usual_for=registry.NUMERIC, jointly=({},), begins=True),
    scales=registry.ANY_SCALE,
    in_words=registry.InWords(besides={"k": "at least {} in each"}),
    missing="stays missing; where fewer than k miss the same cells, a few others lose these too",
    guarantees=GUARANTEES,
    by_design=(
        "groups have k to 2k-1 records where no value is missing and nobody has several records, except with the "
        "variant 'adaptive'",
    ),
    cites=(
        "Domingo-Ferrer and Torra, Data Mining and Knowledge Discovery 11(2), 2005 (MDAV)",
        "Hansen and Mukherjee, IEEE Transactions on Knowledge and Data Engineering 15(4), 2003",
    ),
)
def microaggregate(
    table: Table,
    *,
    columns: Masking = ORDERED_KEYS,
    k: Annotated[int, Whole(at_least=2, usual=(2, 30), about="fewest records in a group")] = 3,
    variant: Variant = "mdav",
    groups: Annotated[
        Sequence[Sequence[str]] | None, Groups(about="columns masked together; all in one when left out")
    ] = None,
    group_k: Annotated[
        Sequence[int] | None,
        Numbers(holds_cells=False, about="the k of each of the groups, instead of one k for all"),
    ] = None,
    standardise: Annotated[bool, Flag(about="whether columns count alike, whatever their units")] = True,
    weighted: Annotated[
        bool, Flag(about="whether records count in a centre by their sampling weight")
    ] = False,
    progress: Progress = SILENT,
    all_records: AllRecords | None = None,
) -> Masked:
    """The table with each record's values replaced by the centre of a group of at least k similar records.

    The centre is the mean of numeric columns, the median of ordinal and the mode of nominal ones. With `mdav` the
    columns of a group are masked together, so nobody stands out among fewer than k records on them; `individual` masks
    each column by itself, numbers and ordered categories with the least possible loss, and then only each single column
    is k-anonymous. `zscore` and `component` cut the order of the sum of z-scores, or of the first principal component,
    into groups: quick, and dearer in loss. `adaptive` lets equal records stay together and groups grow as large as the
    data are dense.

    Nominal columns are masked where they are named: two categories are alike or not, whatever they mean. Where an
    ontology says what they mean, `semantic_microaggregate` keeps more of it.

    Groups are of records, whatever these weigh. With `weighted` the centres are weighted means and medians, so that
    estimates of means and totals of the population stay the same; without, those of the file do.

    MDAV is by Domingo-Ferrer and Torra 2005, the least loss of one column by Hansen and Mukherjee 2003.

    >>> print(dc.mask.microaggregate(table, columns=["age", "income"], k=5))
    microaggregate: 400 records (groups 80, suppressed_cells 0)
    """
    together = _together(columns, variant, groups)
    sizes = _sizes(together, k, group_k)
    weights = weights_of(table, "microaggregate") if weighted else None
    _refuse_sums_of_categories(table, columns, variant)
    points = coordinates(table, columns)
    if all_records is not None:
        # One of many blocks: what would not pay for a single one pays for all.
        from discreet._kernels.clustering.mdav import prepare

        prepare()
    labels: dict[str, IntArray] = {}
    suppressed = 0
    for place, (names, least) in enumerate(zip(together, sizes, strict=True)):
        progress(place, len(together), "microaggregate")
        where = [columns.index(name) for name in names]
        step_progress = part(progress, place, len(together), "microaggregate")
        scales = scales_of(table, names)
        people = people_of(table, least, "microaggregate")
        numeric = all(scale == Scale.NUMERIC for scale in scales)
        moments = all_records.moments(names) if all_records is not None and numeric else None
        units = scaled(points[:, where], scales, standardise=standardise, moments=moments)
        fresh, label = _aggregate(points[:, where], units, scales, people, variant, weights, step_progress)
        suppressed += int((np.isnan(fresh) & ~np.isnan(points[:, where])).sum())
        points[:, where] = fresh
        labels["+".join(names)] = label
    progress(len(together), len(together), "microaggregate")
    guarantees = [
        each
        for names, least in zip(together, sizes, strict=True)
        for each in guaranteed(table, names, Requirement(k=least))
    ]
    return in_groups(
        table,
        columns,
        points,
        labels=labels,
        suppressed=suppressed,
        weighted=weighted,
        guarantees=guarantees,
        called="groups",
    )


def _aggregate(
    values: FloatArray,
    units: ScaledColumns,
    scales: Sequence[Scale],
    people: Holdings,
    variant: str,
    weights: FloatArray | None,
    progress: Progress,
) -> tuple[FloatArray, IntArray]:
    """The values replaced by the centres of their groups, and the group of each record."""
    points, apart = units

    def group(rows: IntArray, present: IntArray) -> IntArray:
        some = ScaledColumns(points[np.ix_(rows, present)], apart[present])
        return _parted(some, people.requirement.k, variant, progress)

    return aggregated(values, scales, people, group, weights)


def _parted(records: ScaledColumns, k: int, variant: str, progress: Progress) -> IntArray:
    """The group of each record, formed by the variant; single columns of categories as by MDAV."""
    if records.apart.any() and variant != "component":
        from discreet.mask.mixed_groups import mixed_groups

        return mixed_groups(records, k, adaptive=variant == "adaptive", progress=progress)
    return PARTITIONS[variant](np.ascontiguousarray(spread_out(*records)), k)


def _together(
    columns: Sequence[str], variant: str, groups: Sequence[Sequence[str]] | None
) -> list[tuple[str, ...]]:
    """The groups of columns that are masked together."""
    if variant == "individual":
        if groups is not None:
            raise BadParameter(
                "microaggregate: groups has no meaning with variant 'individual', which masks each column."
            )
        return [(name,) for name in columns]
    if groups is None:
        return [tuple(columns)]
    named = [name for group in groups for name in group]
    if sorted(named) != sorted(columns):
        raise BadParameter("microaggregate: groups must name each of the columns once.")
    return [tuple(group) for group in groups]


def _refuse_sums_of_categories(table: Table, columns: Sequence[str], variant: str) -> None:
    if variant == "zscore" and Scale.NOMINAL in scales_of(table, columns):
        raise WrongScale(
            "microaggregate: variant 'zscore' adds up z-scores, and nominal columns have none. Use another variant."
        )


def _sizes(together: Sequence[tuple[str, ...]], k: int, group_k: Sequence[int] | None) -> list[int]:
    if group_k is None:
        return [k] * len(together)
    if len(group_k) != len(together) or any(each != int(each) or each < 2 for each in group_k):
        raise BadParameter(
            f"microaggregate: group_k must hold a whole number of at least 2 for each of the {len(together)} groups."
        )
    return [int(each) for each in group_k]
