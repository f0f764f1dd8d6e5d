"""t-closeness: how far the confidential values of a class are from those of the whole file."""

from __future__ import annotations

import numpy as np

from discreet import registry
from discreet.classes import classes_of
from discreet.errors import NotComputable
from discreet.models import closeness, counted, overall_shares, places_of
from discreet.parameters import CONFIDENTIAL, KEYS, Known, Learned
from discreet.results import Risk
from discreet.table import Scale, Table

MEANING = (
    "how much the class of the most exposed record tells about its confidential values: the earth mover's distance "
    "between the values of the class and those of the whole file, 0 where the class tells nothing and 1 at most (t)"
)


@registry.attack(
    family="models",
    title="t-closeness",
    unit=registry.DISTANCE,
    splits=registry.Split.COUNTS,
    classes_alone=True,
    about_groups=True,
    scales=registry.EVERY_SCALE,
    missing="a missing key counts as a value of its own; a missing confidential value is left out",
    meaning=MEANING,
    cites=("Li, Li and Venkatasubramanian, Proceedings of ICDE, 2007",),
)
def t_closeness(masked: Table, *, keys: Known = KEYS, columns: Learned = CONFIDENTIAL) -> Risk:
    """The t that the table reaches: the largest distance between the values of a class and those of the file.

    Numbers and ordinal categories are moved along their order, where neighbouring values are 1/(m-1) apart for m
    different values; nominal categories are all at distance one from each other. With several columns each is looked at
    by itself and the largest counts. The baseline is a class like the whole file, which tells nothing. Set a ceiling on
    it: a small t is good.

    With the differences r_i of the shares of a class and of the file, the distance is the sum over i of |r_1 + ...
    + r_i| / (m-1) along an order and the sum of |r_i| / 2 without one (the earth mover's distance; Li, Li and
    Venkatasubramanian 2007).

    >>> print(dc.attack.t_closeness(release.table, keys=["sex", "education"], columns=["health"]))
    t_closeness: 16.9% of 400 attempts (exact; guessing 0.0%)
    """
    if len(masked) == 0:
        raise NotComputable("t_closeness: the table has no records, so it has no class.")
    label, persons = classes_of(masked, keys).label, masked.persons()
    distance = np.zeros(len(masked))
    by_column: dict[str, float] = {}
    for name in columns:
        codes = places_of(masked, name)
        if not codes.any():
            continue
        tally = counted(label, codes, persons=persons)
        overall = overall_shares(codes, persons)
        moved = closeness(tally, overall, ordered=masked[name].scale != Scale.NOMINAL)
        by_column[name] = float(moved.max())
        distance = np.maximum(distance, moved[label])
    if not by_column:
        raise NotComputable("t_closeness: the confidential columns hold no value, so nothing can be told.")
    most = float(distance.max())
    return Risk(
        name="t_closeness",
        risk=most,
        meaning=MEANING,
        records=distance,
        interval=(most, most),
        baseline=0.0,
        attempts=len(masked),
        columns=by_column,
        details={"t": most, "average": float(distance.mean())},
    )
