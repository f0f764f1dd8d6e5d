"""What a notebook or a log shows of any result holds no cell, no seed and no record's risk."""

from __future__ import annotations

from dataclasses import fields

import polars as pl
import pytest

import discreet as dc
from discreet.attack.clues.kinds import PublishedStep
from discreet.attack.fusion.results import Fused
from discreet.comparing import AxisColumn, CategoryColumn
from discreet.guarantees import OnlyLevels, SameValues
from discreet.intruder import OWNER, View
from discreet.manifest import PrivateManifest
from discreet.signing import SigningKey
from discreet.verification import Verification
from discreet.writing.release import ReleaseParts

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


HIDDEN: dict[type, set[str]] = {
    AxisColumn: {"known", "known_high", "low", "high"},
    CategoryColumn: {"known", "published", "holds", "certain", "named"},
    Fused: {"values", "known_in", "levels", "clusters", "people", "details"},
    OnlyLevels: {"levels"},
    PrivateManifest: {"seed", "parameters", "origin"},
    PublishedStep: {"people", "room", "transitions", "truth"},
    ReleaseParts: {"private", "persons"},
    SameValues: {"before"},
    SigningKey: {"_secret"},
    Verification: {"findings"},
    View: {"truth", "training"},
}


def test_a_repr_that_no_one_wrote_leaves_out_values_secrets_and_who_is_who() -> None:
    assert {kind: {each.name for each in fields(kind) if not each.repr} for kind in HIDDEN} == HIDDEN
