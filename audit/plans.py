"""Plans drawn at random: every masking method that discreet lists, with its example or with parameters of our own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from audit.people import KEYS, NUMBERS, Draw

StepSpec = dict[str, Any]
CATEGORIES = ("region", "sex", "occupation", "education")


def some(draw: Draw, names: tuple[str, ...], least: int = 1) -> list[str]:
    """Some of the names, at least so many."""
    return sorted(draw.choice(names, size=int(draw.integers(least, len(names) + 1)), replace=False).tolist())


def k(draw: Draw) -> int:
    """A k as stewards choose it."""
    return int(draw.choice([2, 3, 5, 8]))


OWN: dict[str, Callable[[Draw], StepSpec]] = {
    "suppress": lambda draw: {"columns": some(draw, KEYS), "k": k(draw)},
    "microaggregate": lambda draw: {"columns": some(draw, NUMBERS), "k": k(draw)},
    "mondrian": lambda draw: {"columns": some(draw, KEYS, 2), "k": k(draw), "unmapped": "apart"},
    "generalise": lambda draw: {
        "columns": some(draw, ("age", "hours", "income", "education")),
        "k": k(draw),
        "max_suppressed": 0.5,
    },
    "recode_numbers": lambda draw: {"columns": some(draw, NUMBERS), "bins": int(draw.integers(2, 9))},
    "recode": lambda draw: {"columns": some(draw, CATEGORIES), "rarest": int(draw.integers(2, 4))},
    "rank_swap": lambda draw: {"columns": some(draw, NUMBERS), "p": int(draw.integers(1, 40))},
    "pram": lambda draw: {"columns": some(draw, CATEGORIES), "theta": float(draw.uniform(0.3, 0.95))},
    "round": lambda draw: {"columns": some(draw, NUMBERS), "base": float(draw.choice([0.5, 5, 10, 100]))},
    "top_code": lambda draw: {"columns": some(draw, NUMBERS), "share": float(draw.uniform(0.01, 0.3))},
    "bottom_code": lambda draw: {"columns": some(draw, NUMBERS), "share": float(draw.uniform(0.01, 0.3))},
    "add_noise": lambda draw: {"columns": some(draw, NUMBERS), "p": float(draw.uniform(0.01, 0.5))},
    "k_resample": lambda draw: {"columns": some(draw, NUMBERS), "k": k(draw)},
}
"""Methods with parameters that differ from trial to trial; the others are run with their example."""


@cache
def examples() -> dict[str, StepSpec]:
    """Every masking method with the example that `discreet methods` gives, made to fit the audit's files."""
    told = subprocess.run(
        [sys.executable, "-m", "discreet", "methods", "--json"], check=True, capture_output=True
    )
    found = {}
    for method in json.loads(told.stdout)["mask"]:
        own = {each["name"] for each in method["parameters"]}
        found[method["name"]] = {
            **({"unmapped": "apart"} if "unmapped" in own else {}),
            **({"implicates": 1} if "implicates" in own else {}),
            **method["example"],
        }
    return found


def step(draw: Draw, name: str) -> StepSpec:
    """One step of the method."""
    own = OWN.get(name)
    return {"method": name, **(examples()[name] if own is None or draw.integers(3) == 0 else own(draw))}


def plan(draw: Draw, *, longest: int = 3, methods: tuple[str, ...] = ()) -> list[StepSpec]:
    """One to some steps of methods drawn from those named, or from all."""
    names = methods or tuple(examples())
    return [step(draw, str(name)) for name in draw.choice(names, size=int(draw.integers(1, longest + 1)))]
