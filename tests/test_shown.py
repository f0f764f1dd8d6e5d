"""What a notebook or a log shows of any result holds no cell, no seed and no record's risk."""

from __future__ import annotations

import polars as pl
import pytest

import discreet as dc
from discreet.intruder import OWNER

CELLS = ("Zaphod", "Magrathea", "918273")
SEED = 123456789012345678901234567890


@pytest.fixture(scope="module")
def shown() -> dict[str, object]:
    """One of each kind of result, about a table whose cells are easy to spot."""
    frame = pl.DataFrame(
        {
            "name": ["Zaphod"] * 40,
            "town": ["Magrathea", "Betelgeuse"] * 20,
            "age": [918273 + row % 7 for row in range(40)],
            "income": [918273 + row * row for row in range(40)],
        }
    )
    keys = dict.fromkeys(("town", "age", "income"), "quasi-identifier")
    table = dc.Table.of(frame, roles={"name": "identifier", **keys})
    plan = dc.Plan.of([("microaggregate", {"columns": ["age", "income"], "k": 3})])
    release = dc.protect(table, plan, seed=SEED)
    found = dc.assess(table, release, attacks=["k_anonymity"], losses=["il"])
    coded = dc.mask.pram(table, columns=["town"])
    return {
        "table": table,
        "masked": dc.mask.microaggregate(table, columns=["age", "income"], k=3),
        "coded": dc.results.Masked(table=table, facts={"order": ["Magrathea"]}, guarantees=coded.guarantees),
        "release": release,
        "private": release.private,
        "assessment": found,
        "report": dc.report(found),
        "view": OWNER.view(table, release.table, release.truth),
        "risk": dc.results.Risk(name="link", risk=0.5, meaning="m", records=table.numbers(["age"])[:, 0]),
    }


@pytest.mark.parametrize(
    "name",
    ["table", "masked", "coded", "release", "private", "assessment", "report", "view", "risk"],
)
def test_no_cell_and_no_seed_is_shown(shown: dict[str, object], name: str) -> None:
    for said in (repr(shown[name]), str(shown[name])):
        assert not [cell for cell in CELLS if cell in said]
        assert str(SEED) not in said
        assert f"{SEED:x}" not in said
