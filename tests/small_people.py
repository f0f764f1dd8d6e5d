"""A small invented table, a plan to mask it with, and an assessment of the release with something of everything."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from discreet.assessment import Assessment, NotDone, assess
from discreet.headline import Headline
from discreet.plan import Plan
from discreet.release import Release
from discreet.results import Risk
from discreet.table import Table

SEED = 0x5EED_0F_7E57
RECORDS = 120
EXTREME_INCOME = 7_654_321.0
RARE_TOWN, SECRET_NAME = "Zebedeeville", "Quentin Vandersnatch"


def people(records: int = RECORDS) -> Table:
    """People with one extreme income, two in a rare town, and names."""
    draw = np.random.default_rng(20)
    income = np.round(draw.lognormal(10, 0.5, records))
    income[7] = EXTREME_INCOME
    town = draw.choice(["Aldbury", "Bexton", "Corfield", "Dunmere"], records).astype(object)
    town[:2] = RARE_TOWN
    frame = pl.DataFrame(
        {
            "name": [f"{SECRET_NAME} {place}" for place in range(records)],
            "age": draw.integers(18, 90, records),
            "income": income,
            "town": town.tolist(),
            "born": pl.Series(draw.integers(-9000, 9000, records)).cast(pl.Date),
            "health": draw.choice(["poor", "fair", "good"], records).tolist(),
        }
    )
    return Table.of(
        frame,
        roles={
            "name": "identifier",
            "age": "quasi-identifier",
            "income": "quasi-identifier",
            "town": "quasi-identifier",
            "born": "insensitive",
            "health": "confidential",
        },
        orders={"health": ["poor", "fair", "good"]},
        name="people",
    )


PLAN = Plan.of(
    [
        ("add_noise", {"columns": ["age", "income"], "p": 0.2}),
        ("recode", {"columns": ["town"], "rarest": 2, "label": "elsewhere"}),
    ]
)


def assessed(table: Table, release: Release) -> Assessment:
    """An assessment with a limit met, one exceeded, an attack on people and one that could not be computed."""
    found = assess(
        table,
        release,
        attacks=["k_anonymity", "interval_disclosure"],
        losses=["il", "il1"],
        ceilings={"interval_disclosure": 0.99},
        floors={"k_anonymity": 3},
    )
    chances = np.linspace(0, 1, len(table)) ** 4
    link = Risk(
        name="link",
        risk=0.0312,
        meaning="the share of people found",
        records=chances,
        interval=(0.02, 0.05),
        baseline=1 / len(table),
        attempts=len(table),
        reidentifies=True,
        columns={"age": 0.123456789},
    )
    return replace(
        found,
        risks=(link, *found.risks),
        headlines=(found_by(link),),
        not_done=(NotDone(kind="loss", name="sse", reason="column 'age' has 41 odd values"),),
    )


def found_by(link: Risk) -> Headline:
    """The headline that an attack set."""
    return Headline(
        name="identity",
        risk=link.risk,
        meaning=link.meaning,
        records=link.records,
        interval=link.interval,
        baseline=link.baseline,
        attempts=link.attempts,
        reidentifies=True,
        attack="link",
        attacks={"link": link.risk},
    )
