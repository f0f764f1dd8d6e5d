"""Invented admissions to a hospital: people who were there several times, with a name and a number."""

from __future__ import annotations

import numpy as np
import polars as pl

FIRST = [
    start + end
    for start in ("An", "Ber", "Car", "Dor", "El", "Fra", "Hel", "Jo")
    for end in ("na", "ta", "is", "sa")
]
LAST = [
    start + end
    for start in ("Mül", "Web", "Wag", "Beck", "Koch", "Bau")
    for end in ("ler", "er", "mann", "feld")
]


def admissions(records: int = 4000, people: int = 3450, seed: int = 0) -> pl.DataFrame:
    """A frame of admissions; name, insurance number, age, sex and region are those of the person."""
    rng = np.random.default_rng(seed)
    who = rng.integers(0, people, records)
    number = rng.permutation(np.arange(1_000_000, 1_000_000 + 7 * people, 7))
    given, family = rng.choice(FIRST, people), rng.choice(LAST, people)
    age, sex, region = (
        rng.integers(18, 95, people),
        rng.choice(["f", "m"], people),
        rng.choice(list("NESW"), people),
    )
    return pl.DataFrame(
        {
            "name": [f"{given[each]} {family[each]}" for each in who],
            "insurance_number": [f"A{number[each]}" for each in who],
            "age": age[who],
            "sex": sex[who],
            "region": region[who],
            "diagnosis": rng.choice(["flu", "asthma", "fracture", "burn"], records),
            "cost": rng.gamma(2, 500, records).round(0),
        }
    )
