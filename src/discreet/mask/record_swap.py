"""Record swapping: records or whole households of one stratum exchange some of their columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from discreet import registry, seeds
from discreet._kernels.counting.classes import class_sizes
from discreet.coding import codes_of
from discreet.errors import BadParameter, BadTable, listed
from discreet.guarantees import SameValues
from discreet.mask.classes import household_of, stratum_of
from discreet.parameters import KEYS, Choice, Columns, ColumnsKind, Masking, Real
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import IntArray, Role, Table


class Units(NamedTuple):
    """What is swapped: the unit of each record, and of each unit its first record and its number of records."""

    of_record: IntArray
    first: IntArray
    size: IntArray


@registry.mask(
    family="swapping",
    title="Record swap",
    meaning="some records exchange values with others of their stratum",
    tells=registry.Tells(
        "the largest share of records or households that were exchanged; who was is secret, and values are compared by "
        "distance"
    ),
    splits=registry.Split.WHOLE,
    instead="rank_swap, which swaps the values of each column with near ones",
    scales=registry.ANY_SCALE,
    in_words=registry.InWords(besides={"rate": "at most {%} of them"}),
    missing="is a value like others: it is swapped, and it counts in strata; a record without a household is its own",
    guarantees=(DeclaredGuarantee("each column keeps its values, each as often as before", SameValues),),
    by_design=(
        "each combination of the columns occurs in every stratum as often as before",
        "with the unit 'household' all members of a household exchange with one household of their size and stratum",
        "no more than the rate of the units of a stratum is swapped",
    ),
    example={"columns": ["age", "sex", "income"]},
    cites=(
        "Dalenius and Reiss, Journal of Statistical Planning and Inference 6(1), 1982",
        "Shlomo, Tudor and Groom, Privacy in Statistical Databases, LNCS 6344, 2010",
    ),
)
def record_swap(
    table: Table,
    *,
    columns: Masking = KEYS,
    rate: Annotated[
        float, Real(above=0, at_most=1, usual=(0.01, 0.5), about="the largest share of units that is swapped")
    ] = 0.1,
    strata: Annotated[
        Columns | None,
        ColumnsKind(about="columns in which partners are alike; those of role 'stratum' if left out, if any"),
    ] = None,
    unit: Annotated[
        str,
        Choice(among=("record", "household"), about="what is swapped: single records or whole households"),
    ] = "record",
    risky: Annotated[
        Columns | None,
        ColumnsKind(about="units that are rare in these columns are swapped first; at random if left out"),
    ] = None,
    seed: Seed = None,
) -> Masked:
    """The table with the columns of some records exchanged, all together, with those of others of their stratum.

    Typically the columns say where people live, and the strata what partners share: then counts of what partners share
    are kept for every place, and who lives where is not certain any more. A household is swapped whole, with one
    of the same size; its members must share the columns and the strata. Partners differ in the columns wherever there
    are enough that do.

    Data swapping is by Dalenius and Reiss 1982, that of households with the rare ones first by Shlomo, Tudor and Groom
    2010.

    >>> print(dc.mask.record_swap(table, columns=["postcode"], rate=0.1, seed=1))
    record_swap: 400 records (units 400, swapped_units 32, changed_records 32)
    """
    alike = table.having(Role.STRATUM) if strata is None else tuple(strata)
    _check_apart(columns, alike, given=strata is not None)
    alike = tuple(name for name in alike if name not in columns)
    units = _units(table, unit)
    stratum = (
        _of_units(stratum_of(table, alike), units, "strata") if alike else np.zeros(len(units.first), int)
    )
    stratum = class_sizes(np.column_stack([stratum, units.size]).astype(np.int64)).label
    held = _of_units(stratum_of(table, columns), units, "columns")
    first = _priority(table, risky, units)
    generator = seeds.generator(seed)
    partner = pairs_within(stratum, held, first, rate, generator)
    source = _rows(units, partner)
    moved = table.frame.select(columns)[source]
    return Masked(
        table=table.with_values({name: moved[name] for name in columns}),
        facts={
            "units": len(units.first),
            "swapped_units": int((partner != np.arange(len(partner))).sum()),
            "changed_records": int((held[units.of_record] != held[units.of_record[source]]).sum()),
        },
        guarantees=(SameValues(columns=tuple(columns), before=table),),
    )


def _check_apart(columns: Sequence[str], alike: Sequence[str], *, given: bool) -> None:
    both = [name for name in columns if name in alike]
    if both and given:
        raise BadParameter(
            f"record_swap: {listed(both)} are both swapped and a stratum, so partners would have nothing to exchange."
        )


def _units(table: Table, unit: str) -> Units:
    of_record = np.arange(len(table)) if unit == "record" else household_of(table, "record_swap")
    size = np.bincount(of_record)
    order = np.argsort(of_record, kind="stable")
    return Units(of_record, order[np.cumsum(size) - size], size)


def _of_units(labels: IntArray, units: Units, what: str) -> IntArray:
    """The label of each unit, when all its records share it."""
    own = labels[units.first]
    split = int((own[units.of_record] != labels).sum())
    if split:
        raise BadTable(
            f"record_swap: {split} records differ in the {what} from others of their household, so households "
            "cannot be swapped whole. Choose columns that households share, or swap records."
        )
    return own


def _priority(table: Table, risky: Sequence[str] | None, units: Units) -> IntArray | None:
    """How rare the rarest member of each unit is: the size of its class in the risky columns."""
    if risky is None:
        return None
    sizes = class_sizes(codes_of(table, risky)).sizes
    rarest = np.full(len(units.first), np.iinfo(np.int64).max)
    np.minimum.at(rarest, units.of_record, sizes)
    return rarest


def pairs_within(
    stratum: IntArray, held: IntArray, first: IntArray | None, rate: float, generator: np.random.Generator
) -> IntArray:
    """For each unit the unit it exchanges with, itself where none: pairs inside strata that hold different values.

    Of each stratum an even number of at most the rate is chosen, those with the lowest `first` first; they are put in
    the order of what they hold, and each is paired with the one half of them further.
    """
    there = np.bincount(stratum)
    wanted = 2 * np.floor(rate * there / 2 + 1e-9).astype(np.int64)
    shuffled = generator.permutation(len(stratum))
    keys = (stratum[shuffled],) if first is None else (first[shuffled], stratum[shuffled])
    order = shuffled[np.lexsort(keys)]
    starts = np.cumsum(there) - there
    place = np.arange(len(order)) - np.repeat(starts, there)
    chosen = order[place < np.repeat(wanted, there)]
    tag = generator.permutation(int(held.max(initial=0)) + 1)
    mixed = chosen[generator.permutation(len(chosen))]
    ranked = mixed[np.lexsort((tag[held[mixed]], stratum[mixed]))]
    half = np.repeat(wanted // 2, wanted)
    begin = np.repeat(np.cumsum(wanted) - wanted, wanted)
    inside = np.arange(len(ranked)) - begin
    other = ranked[begin + (inside + half) % np.repeat(wanted, wanted)]
    partner = np.arange(len(stratum))
    differs = held[ranked] != held[other]
    partner[ranked[differs]] = other[differs]
    return partner


def _rows(units: Units, partner: IntArray) -> IntArray:
    """For each record the record whose columns it gets: the one in the same place of the partner."""
    order = np.argsort(units.of_record, kind="stable")
    starts = np.cumsum(units.size) - units.size
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - np.repeat(starts, units.size)
    rows: IntArray = order[starts[partner[units.of_record]] + place]
    return rows
