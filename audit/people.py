"""Files of invented people with markers in them, and project files about them, each different from the last."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

Draw = np.random.Generator
REGIONS = ("North", "South", "East", "West", "Isles")
OCCUPATIONS = (
    "teacher",
    "nurse",
    "farmer",
    "mechanic",
    "clerk",
    "cook",
    "painter",
    "lawyer",
    "baker",
    "driver",
)
LEVELS = ("none", "primary", "secondary", "bachelor", "master")
ILLNESSES = ("none", "asthma", "diabetes", "anemia", "migraine")
KEYS = ("region", "age", "sex", "occupation", "education", "hours", "income")
NUMBERS = ("age", "hours", "income")
ROLES = {
    "person": ("identifier", "nominal"),
    "name": ("identifier", "nominal"),
    "region": ("quasi-identifier", "nominal"),
    "age": ("quasi-identifier", "numeric"),
    "sex": ("quasi-identifier", "nominal"),
    "occupation": ("quasi-identifier", "nominal"),
    "education": ("quasi-identifier", "ordinal"),
    "hours": ("quasi-identifier", "numeric"),
    "income": ("quasi-identifier", "numeric"),
    "illness": ("confidential", "nominal"),
    "remarks": ("confidential", "text"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """A file of people and its project file in a folder; `markers` are texts that stand for one person each.

    `secret` markers are cells of columns that are never published.
    """

    folder: Path
    file: Path
    frame: pl.DataFrame
    secret: tuple[str, ...]
    rare: tuple[str, ...]


def marker(draw: Draw, prefix: str) -> str:
    """A word that occurs nowhere else."""
    return prefix + "".join(draw.choice(list("bcdfghjklmnpqrtvwxz"), size=9))


def make(
    draw: Draw, folder: Path, plan: Sequence[Mapping[str, Any]], *, ending: str = ".csv", records: int = 0
) -> People:
    """A file of people with its project file in the folder, to be masked by the plan."""
    count = records or int(draw.integers(12, 240))
    rare = (marker(draw, "Trade"), marker(draw, "Level"))
    frame = _frame(draw, count, rare)
    secret = (*frame["name"].to_list(), *frame["remarks"].str.split(" ").list.last().to_list())
    file = folder / f"people{ending}"
    if ending == ".parquet":
        frame.write_parquet(file)
    else:
        frame.write_csv(file)
    (folder / "discreet.toml").write_text(project(plan, [*LEVELS, rare[1]]))
    return People(folder=folder, file=file, frame=frame, secret=secret, rare=rare)


def project(plan: Sequence[Mapping[str, Any]], levels: Sequence[str], *, release: str = "") -> str:
    """A project file: roles and scales, the plan, and records in their old order so that an auditor can pair them."""
    lines = []
    for name, (role, scale) in ROLES.items():
        lines += [f"[columns.{name}]", f'role = "{role}"', f'scale = "{scale}"']
        lines += [f"order = {json.dumps(levels)}"] if scale == "ordinal" else []
        lines += ['ontology = "wordnet"'] if name == "occupation" else []
    for step in plan:
        lines += ["[[mask]]", *(f"{key} = {_toml(value)}" for key, value in step.items())]
    return "\n".join([*lines, "[release]", 'order = "kept"', release, ""])


def _frame(draw: Draw, count: int, rare: tuple[str, str]) -> pl.DataFrame:
    def among(values: Sequence[str]) -> list[str]:
        return [str(each) for each in draw.choice(list(values), size=count)]

    occupations, levels = among(OCCUPATIONS), among(LEVELS)
    occupations[int(draw.integers(count))] = rare[0]
    levels[int(draw.integers(count))] = rare[1]
    cents = bool(draw.integers(2))
    return pl.DataFrame(
        {
            "person": [f"P{number:06d}" for number in draw.permutation(10**6)[:count]],
            "name": [marker(draw, "Name") for _ in range(count)],
            "region": among(REGIONS),
            "age": draw.integers(16, 95, size=count),
            "sex": among(("female", "male")),
            "occupation": occupations,
            "education": levels,
            "hours": draw.integers(0, 60, size=count),
            "income": np.round(draw.lognormal(10, 0.7, size=count), 2 if cents else 0),
            "illness": among(ILLNESSES),
            "remarks": [f"called on Monday by {marker(draw, 'Aunt')}" for _ in range(count)],
        }
    ).with_columns(
        pl.when(pl.Series(draw.random(count) < share)).then(None).otherwise(pl.col(name)).alias(name)
        for name, share in (("hours", 0.05), ("region", 0.03))
    )


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(each)}" for key, each in value.items()) + " }"
    return json.dumps(value)
