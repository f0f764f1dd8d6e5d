"""MASSC: micro agglomeration, substitution, subsampling and calibration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from discreet import registry, seeds
from discreet._kernels.counting.classes import class_sizes
from discreet._kernels.perturbation.raking import rake
from discreet.errors import BadParameter, BadTable, NotComputable
from discreet.guarantees import Guarantee, RecordCount, SameTotals
from discreet.mask.categories import coded
from discreet.parameters import CATEGORY_KEYS, Columns, ColumnsKind, Masking, Numbers, Whole
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import FloatArray, IntArray, Role, Scale, Table

CELLS_AT_ONCE = 2_000_000

Rates = Sequence[float]


@registry.mask(
    family="massc",
    title="MASSC",
    meaning="rare records get the values of near ones, some are left out, and weights are calibrated",
    tells=registry.Tells(
        "the rates of substitution and sampling; who was substituted was drawn at random, and values are "
        "compared by distance"
    ),
    splits=registry.Split.WHOLE,
    instead="pram, which substitutes categories at random",
    scales=registry.CATEGORIES,
    missing="is a value of its own: it can make a record rare, and it is substituted like others",
    guarantees=(
        DeclaredGuarantee(
            "the weights add up as before, in all and in every category of the controls", SameTotals
        ),
        DeclaredGuarantee("there are as many records as were not left out", RecordCount),
    ),
    by_design=(
        "each risk stratum has its rate substituted and its rate left out, to the nearest whole record",
        "substituted records get a combination that another record held",
    ),
    keeps_rows=False,
    cites=(
        "Singh, Yu and Dunteman, Work Session on Statistical Data Confidentiality, Eurostat, 2004",
        "Deming and Stephan, Annals of Mathematical Statistics 11(4), 1940",
    ),
)
def massc(
    table: Table,
    *,
    columns: Masking = CATEGORY_KEYS,
    substitution: Annotated[
        Rates,
        Numbers(
            holds_cells=False,
            about="the share substituted of each risk stratum, riskiest first; the last serves the rest",
        ),
    ] = (0.3, 0.2, 0.1),
    subsampling: Annotated[
        Rates,
        Numbers(
            holds_cells=False,
            about="the share left out of each risk stratum, riskiest first; the last serves the rest",
        ),
    ] = (0.2, 0.1),
    controls: Annotated[
        Columns | None, ColumnsKind(about="categorical columns whose weighted totals are kept")
    ] = None,
    donors: Annotated[
        int,
        Whole(
            at_least=1, usual=(10, 1000), about="among how many random records the nearest donor is sought"
        ),
    ] = 200,
    seed: Seed = None,
) -> Masked:
    """The table with some rare records given a neighbour's key values, some left out, and weights calibrated.

    Micro agglomeration: records that are alone with their value of the first column are the riskiest stratum, those
    alone with their combination of the first two the next, and so on; the last holds all who are never alone. So the
    columns should be named with the best known first. Substitution: of each stratum the given share takes all the
    columns of the nearest of some random donors with another combination; different categories are one apart, ordinal
    levels by their places. Subsampling: of each stratum the given share is left out. Calibration: weights are
    multiplied by all over published of their stratum, then raked so that their sum, and their sums in every category of
    the controls, are those of the table. A table without weights is published without.

    The four steps are those of Singh, Yu and Dunteman 2004; raking is by Deming and Stephan 1940.

    >>> print(dc.mask.massc(table, columns=["sex", "marital_status", "occupation"], seed=1))
    massc: 360 records (substituted 37, left_out 40)
    """
    if len(table) < 2:
        raise NotComputable(
            f"massc: the table has {len(table)} records; a substitution needs a donor among others."
        )
    strata = risk_strata(table, columns)
    generator = seeds.generator(seed)
    chosen = _some_of_each(strata, _rates(substitution, "substitution"), generator)
    giver = np.arange(len(table))
    giver[chosen] = nearest_donors(_points(table, columns), chosen, donors, generator)
    gone = _some_of_each(strata, _rates(subsampling, "subsampling"), generator)
    origin = np.setdiff1d(np.arange(len(table)), gone)
    if len(origin) == 0:
        raise NotComputable("massc: subsampling leaves no record. Lower it.")
    moved = table.frame.select(columns)[giver]
    part = table.with_values({name: moved[name] for name in columns}).take(origin)
    part, totals = _calibrated(table, part, strata, origin, tuple(controls or ()))
    facts = {
        "risk_strata": np.bincount(strata).tolist(),
        "substituted": int((giver != np.arange(len(table)))[origin].sum()),
        "left_out": len(gone),
        "weights": "calibrated" if totals else "no weight column",
    }
    guarantees: tuple[Guarantee, ...] = (RecordCount(columns=(), records=len(origin)), *totals)
    return Masked(table=part, facts=facts, guarantees=guarantees, origin=origin)


def _rates(given: Rates, name: str) -> Rates:
    if not all(0 <= rate < 1 for rate in given):
        raise BadParameter(f"massc: {name} must be shares of at least 0 and below 1.")
    return given


def risk_strata(table: Table, columns: Sequence[str]) -> IntArray:
    """The stratum of each record, riskiest 0: by how many of the first columns it takes to be alone."""
    codes = np.column_stack([table.codes(name) for name in columns])
    strata = np.full(len(table), codes.shape[1], dtype=np.int64)
    for width in range(codes.shape[1], 0, -1):
        alone = class_sizes(np.ascontiguousarray(codes[:, :width])).sizes == 1
        strata[alone] = width - 1
    return strata


def _some_of_each(strata: IntArray, rates: Rates, generator: np.random.Generator) -> IntArray:
    """A random share of each stratum by its rate, to the nearest whole record, in order."""
    there = np.bincount(strata)
    rate = np.array([rates[min(place, len(rates) - 1)] for place in range(len(there))], dtype=np.float64)
    wanted = np.floor(rate * there + 0.5).astype(np.int64)
    shuffled = generator.permutation(len(strata))
    order = shuffled[np.argsort(strata[shuffled], kind="stable")]
    place = np.arange(len(order)) - np.repeat(np.cumsum(there) - there, there)
    return np.sort(order[place < np.repeat(wanted, there)])


def _points(table: Table, columns: Sequence[str]) -> tuple[FloatArray, IntArray]:
    """Records as points for their distance: ordinal places from 0 to 1, and nominal codes; missing is one apart."""
    ordinal = [name for name in columns if table[name].scale == Scale.ORDINAL]
    nominal = [name for name in columns if table[name].scale != Scale.ORDINAL]
    places = np.empty((len(table), len(ordinal)))
    for place, name in enumerate(ordinal):
        codes = table.codes(name)
        places[:, place] = np.where(codes < 0, np.nan, codes / max(1, len(table.levels(name)) - 1))
    named = (
        np.column_stack([table.codes(name) for name in nominal])
        if nominal
        else np.empty((len(table), 0), int)
    )
    return places, named.astype(np.int64)


def nearest_donors(
    points: tuple[FloatArray, IntArray], rows: IntArray, donors: int, generator: np.random.Generator
) -> IntArray:
    """For each row the nearest of some random records with another combination; the row itself where all are alike."""
    places, named = points
    found = rows.copy()
    pool = min(donors, len(places))
    size = max(1, CELLS_AT_ONCE // max(1, pool * (places.shape[1] + named.shape[1])))
    for start in range(0, len(rows), size):
        part = rows[start : start + size]
        offer = (
            generator.permuted(np.tile(np.arange(len(places)), (len(part), 1)), axis=1)
            if pool == len(places)
            else generator.integers(0, len(places), (len(part), pool))
        )
        away = np.nan_to_num(np.abs(places[offer] - places[part][:, None, :]), nan=1.0)
        both = np.isnan(places[offer]) & np.isnan(places[part])[:, None, :]
        distance = np.where(both, 0.0, away).sum(axis=2) + (named[offer] != named[part][:, None, :]).sum(
            axis=2
        )
        distance[distance == 0] = np.inf
        best = np.argmin(distance, axis=1)
        taken = np.arange(len(part))
        found[start : start + size] = np.where(np.isfinite(distance[taken, best]), offer[taken, best], part)
    return found


def _calibrated(
    table: Table, part: Table, strata: IntArray, origin: IntArray, controls: tuple[str, ...]
) -> tuple[Table, tuple[Guarantee, ...]]:
    """The records with calibrated weights, and the guarantee of their totals; unchanged where there are no weights."""
    weights, holder = table.weights(), table.having(Role.WEIGHT)
    if weights is None:
        if controls:
            raise BadTable("massc: controls need sampling weights, and no column has that role.")
        return part, ()
    there, kept = np.bincount(strata), np.bincount(strata[origin], minlength=int(strata.max()) + 1)
    factors = there / np.maximum(1, kept)
    fitted = weights[origin] * factors[strata[origin]]
    codes, totals = [np.zeros(len(origin), dtype=np.int64)], [np.array([weights.sum()])]
    for name in controls:
        levels = coded(table, name).levels
        before, after = table.codes(name, levels), part.codes(name, levels)
        totals.append(np.bincount(before + 1, weights=weights, minlength=len(levels) + 1))
        codes.append(after + 1)
    raked = rake(fitted, codes, totals)
    if raked is None:
        raise NotComputable(
            "massc: no weights give the totals of the controls with the records that are published. Name fewer "
            "controls, or lower the rates."
        )
    guarantee = SameTotals(columns=(*controls, *holder), weight=holder[0], before=table)
    return part.with_numbers(holder, raked[:, None]), (guarantee,)
