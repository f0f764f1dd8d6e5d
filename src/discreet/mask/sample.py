"""Sampling: some of the records are published, and stand for the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from discreet import registry, seeds
from discreet.errors import BadParameter, BadTable, NotComputable
from discreet.guarantees import Guarantee, NoOtherValues, RecordCount
from discreet.mask.classes import household_of, strata_columns, stratum_of
from discreet.parameters import Choice, Columns, ColumnsKind, Real
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import Described, FloatArray, IntArray, Role, Table


class DrawnUnits(NamedTuple):
    """The units drawn, and for every stratum how many units there are and how many were drawn."""

    units: IntArray
    there: IntArray
    drawn: IntArray


AS_THEY_ARE = (Role.KEY, Role.CONFIDENTIAL, Role.INSENSITIVE, Role.STRATUM)
"""Roles of columns whose values a sample publishes as they are."""


@registry.mask(
    family="sampling",
    title="Sample",
    meaning="a random part of the records is published",
    tells=registry.Tells(
        "which share of the records was published; those that are published are as they were, but for their weights"
    ),
    splits=registry.Split.DRAWS,
    changes_values=False,
    scales=registry.ANY_SCALE,
    missing="counts as a value of its own in the strata, and a household of its own; else it plays no part",
    guarantees=(
        DeclaredGuarantee("there are as many records as were drawn", RecordCount),
        DeclaredGuarantee(
            "but for weights, no column holds a value that it did not hold before", NoOtherValues
        ),
    ),
    by_design=(
        "every published record is an original one, at most once, and but for its weight unchanged",
        "each stratum of N records (or households) has the whole number nearest to the fraction of N, and at least one",
        "each weight is multiplied by N/n of its stratum",
    ),
    keeps_rows=False,
    cites=(
        "Willenborg and de Waal, Elements of Statistical Disclosure Control, Springer, 2001",
        "Cochran, Sampling Techniques, Wiley, 1977",
    ),
)
def sample(
    table: Table,
    *,
    fraction: Annotated[
        float, Real(above=0, below=1, usual=(0.02, 0.9), about="the share of records that is published")
    ] = 0.5,
    variant: Annotated[
        str, Choice(among=("simple", "stratified"), about="one draw from all, or one from each stratum")
    ] = "simple",
    strata: Annotated[
        Columns | None,
        ColumnsKind(about="columns whose combinations are the strata; those of that role if left out"),
    ] = None,
    unit: Annotated[
        str, Choice(among=("record", "household"), about="what is drawn: single records or whole households")
    ] = "record",
    seed: Seed = None,
) -> Masked:
    """The table with a random part of its records, without replacement, in the order of the table.

    A sample hides who took part: an intruder who finds a person alone with some values cannot be sure that it is
    the one he looks for. The weights of a table that has them are multiplied by N/n, of each stratum where there are
    strata, so that totals are still estimated without bias; a table without weights is published without, and
    the facts say how many each record stands for.

    Simple and stratified draws, and their weights N/n, are those of Cochran 1977.

    >>> print(dc.mask.sample(table, fraction=0.25, seed=1))
    sample: 100 records (records 100, of 400, strata 1)
    """
    if len(table) == 0:
        raise NotComputable("sample: the table has no records to draw from.")
    units = np.arange(len(table)) if unit == "record" else household_of(table, "sample")
    stratum = _strata_of_units(table, variant, strata, units)
    found = draw(stratum, fraction, seeds.generator(seed))
    taken = np.zeros(len(stratum), dtype=bool)
    taken[found.units] = True
    origin = np.flatnonzero(taken[units])
    factors = (found.there / found.drawn)[stratum[units[origin]]]
    part = table.take(origin)
    weight = table.having(Role.WEIGHT)
    if weight:
        part = part.with_numbers(weight, part.numbers(weight) * factors[:, None])
    others = columns_as_they_are(table)
    guarantees: tuple[Guarantee, ...] = (RecordCount(columns=(), records=len(origin)),)
    if others:
        guarantees = (*guarantees, NoOtherValues(columns=others, before=table))
    facts = {
        "records": len(origin),
        "of": len(table),
        "strata": len(found.there),
        "weights": _weights_fact(weight, factors),
        "stands_for": factors,
    }
    return Masked(table=part, facts=facts, guarantees=guarantees, origin=origin)


def columns_as_they_are(table: Described) -> tuple[str, ...]:
    """The columns whose values a sample publishes as they are."""
    return tuple(name for name in table.having(None, registry.ANY_SCALE) if table[name].role in AS_THEY_ARE)


def draw(stratum: IntArray, fraction: float, generator: np.random.Generator) -> DrawnUnits:
    """Units drawn without replacement from each stratum: its share to the nearest whole number, and at least one."""
    there = np.bincount(stratum)
    drawn = np.maximum(1, np.floor(fraction * there + 0.5)).astype(np.int64)
    shuffled = generator.permutation(len(stratum))
    order = shuffled[np.argsort(stratum[shuffled], kind="stable")]
    place = np.arange(len(stratum)) - np.repeat(np.cumsum(there) - there, there)
    return DrawnUnits(order[place < np.repeat(drawn, there)], there, drawn)


def _strata_of_units(table: Table, variant: str, strata: Sequence[str] | None, units: IntArray) -> IntArray:
    """The stratum of each unit."""
    if variant == "simple":
        if strata is not None:
            raise BadParameter(
                "sample: strata have no meaning with variant 'simple'. Use variant 'stratified'."
            )
        return np.zeros(int(units.max()) + 1, dtype=np.int64)
    of_records = stratum_of(table, strata_columns(table, strata, "sample"))
    of_units = np.empty(int(units.max()) + 1, dtype=np.int64)
    of_units[units] = of_records
    split = int((of_units[units] != of_records).sum())
    if split:
        raise BadTable(
            f"sample: {split} records are in another stratum than others of their household, so whole households "
            "cannot be drawn by stratum. Draw records, or choose strata that households share."
        )
    return of_units


def _weights_fact(weight: Sequence[str], factors: FloatArray) -> str:
    if weight:
        return f"'{weight[0]}' multiplied by {_range(factors)}"
    return f"no weight column: each record stands for {_range(factors)} of the table"


def _range(factors: FloatArray) -> str:
    low, high = float(factors.min()), float(factors.max())
    return f"{low:.4g}" if np.isclose(low, high) else f"{low:.4g} to {high:.4g}"
