"""k-map: how many people of the population share each published combination of the keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from discreet import registry
from discreet._kernels.counting.classes import class_sizes
from discreet.attack.population import number_of_people, once_each, people_in_all, weights_in
from discreet.classes import classes_of, people_in
from discreet.coding import common_codes
from discreet.errors import BadParameter, BadTable, NotComputable, UnknownColumn, listed
from discreet.parameters import KEYS, Columns, ColumnsKind, Known
from discreet.results import Risk
from discreet.table import FloatArray, Role, Table

MEANING = (
    "the chance of the most exposed person against somebody who knows everybody in the population, but not who was "
    "sampled: the published record fits at best this few people (1/k)"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KMap(Risk):
    """Published records against a population: `k` is the fewest people that one fits, `people` those of each record."""

    k: float
    people: FloatArray = field(repr=False)


@registry.attack(
    family="uniqueness",
    title="k-map",
    unit=registry.CHANCE,
    splits=registry.Split.COUNTS,
    scales=registry.EVERY_SCALE,
    missing="counts as a value of its own",
    meaning=MEANING,
    cites=(
        "Sweeney, International Journal on Uncertainty, Fuzziness and Knowledge-based Systems 10(5), 2002",
    ),
    cost="expensive",
)
def k_map(
    masked: Table,
    *,
    keys: Known = KEYS,
    weight: Annotated[
        Columns | None,
        ColumnsKind(about="the column of sampling weights; that of the role where none is named"),
    ] = None,
    population: Table | None = None,
) -> KMap:
    """The k of k-map, and how many people of the population each published record fits.

    `population` is a table of everybody, with the keys under the same names and coded as in the release; an assessment
    takes it from its intruder, and the command line from `--population`. Without it the
    number of people behind a class is estimated by the sum of its sampling weights. Published records that fit nobody,
    because a masking changed their keys, point at nobody: they have no chance, are counted, and do not lower k.

    k is the least number of people whom a published record fits (k-map, Sweeney 2002), and the risk is 1/k.

    >>> print(dc.attack.k_map(release.table, keys=["sex", "education"], population=table))
    k_map: 33.3% of 397 attempts (exact; guessing 0.2%; level 3)
    """
    if len(masked) == 0:
        raise NotComputable("k_map: the table has no records, so there is nobody to find.")
    if population is None:
        people, everybody = _estimated(masked, keys, weight)
    elif weight is not None:
        raise BadParameter("k_map: people are counted in the population, or by weights, not by both.")
    else:
        people, everybody = _counted(masked, population, keys), float(number_of_people(population))
    fits = people > 0
    if not fits.any():
        raise NotComputable(
            "k_map: no published record fits anybody in the population. Are the keys coded in the same way?"
        )
    k = float(people[fits].min())
    chance = np.divide(1.0, people, out=np.zeros(len(people)), where=fits)
    risk = min(1.0, 1.0 / k)
    return KMap(
        name="k_map",
        risk=risk,
        meaning=MEANING,
        reidentifies=True,
        records=np.minimum(1.0, chance),
        interval=(risk, risk) if population is not None else _around(masked, keys, people),
        baseline=1.0 / everybody,
        attempts=int(fits.sum()),
        level=k,
        details={
            "k": k,
            "fits_nobody": int((~fits).sum()),
            "expected": float(chance.sum()),
            "estimated_from_weights": population is None,
        },
        k=k,
        people=people,
    )


def _around(masked: Table, keys: Sequence[str], people: FloatArray) -> tuple[float, float]:
    """The interval of one over the people of the least class: negative binomial for those seen and their weights.

    As in `individual_risk`: f people that stand for F people are a sample of them with the share f/F.
    """
    from scipy.stats import nbinom

    least = int(np.argmin(people))
    seen = int(classes_of(masked, keys).sizes[least])
    found = 1.0 / float(people[least])
    few, many = (seen + float(nbinom.ppf(share, seen, min(1.0, seen * found))) for share in (0.025, 0.975))
    return min(found, 1.0 / many), max(found, 1.0 / few)


def _counted(masked: Table, population: Table, keys: Sequence[str]) -> FloatArray:
    """For each published record how many people of the population have the same keys."""
    if len(population) == 0:
        raise NotComputable(f"k_map: the population '{population.name}' has no records.")
    absent = [name for name in keys if name not in population.names]
    if absent:
        raise UnknownColumn(
            f"k_map: the population '{population.name}' has no column {listed(absent)}. Give it the keys of the "
            "release, or name those that it has, such as keys=age,sex."
        )
    pairs = [common_codes(masked.frame[name], population.frame[name])[:2] for name in keys]
    ours, theirs = (np.column_stack(side) for side in zip(*pairs, strict=True))
    label = class_sizes(np.ascontiguousarray(np.vstack([ours, theirs]))).label
    persons = population.persons()
    behind = np.arange(len(theirs)) if persons is None else persons
    # Everybody of the file is put into a class as one person more, so that each class has a number of people.
    counted = people_in(label, np.concatenate([np.zeros(len(ours), np.int64), behind + 1])) - 1
    return counted[label[: len(ours)]].astype(np.float64)


def _estimated(masked: Table, keys: Sequence[str], weight: Sequence[str] | None) -> tuple[FloatArray, float]:
    """For each published record the people behind its class, and how many people there are.

    The people of a class are the sum of their weights, and at least those seen.
    """
    named = masked.having(Role.WEIGHT) if weight is None else tuple(weight)
    if len(named) != 1:
        raise BadTable(
            "k_map: give the population (--population, or that of the intruder), or one column of sampling weights "
            "that it can be estimated from."
        )
    classes = classes_of(masked, keys)
    weights = weights_in(masked, named[0])
    once = once_each(weights, masked.persons(), classes.label)
    sums = np.bincount(classes.label, weights=once)[classes.label]
    return np.maximum(sums, classes.sizes), people_in_all(masked, weights)
