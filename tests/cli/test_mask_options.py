"""Parameters of every kind, as they are typed after --mask."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from discreet.cli.options import plan_of
from discreet.registry import Method, methods

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    ("said", "parameters"),
    [
        ("microaggregate k=5", {"k": 5}),
        ("microaggregate variant=zscore standardise=false", {"variant": "zscore", "standardise": False}),
        ("add_noise p=0.25 columns=age", {"p": 0.25, "columns": ["age"]}),
        ("recode_numbers columns=age cuts=[20,40.5,60]", {"columns": ["age"], "cuts": [20, 40.5, 60]}),
        (
            """microaggregate columns=age,rent 'groups=[["age"], ["rent"]]' group_k=[3,4]""",
            {"columns": ["age", "rent"], "groups": [["age"], ["rent"]], "group_k": [3, 4]},
        ),
        (
            """recode columns=sex 'mapping={female = "x", "male" = "x y"}'""",
            {"columns": ["sex"], "mapping": {"female": "x", "male": "x y"}},
        ),
        (
            """pram columns=sex variant=given 'matrix={a = {a = 0.9, b = 0.1}, b = {b = 1.0}}'""",
            {"columns": ["sex"], "variant": "given", "matrix": {"a": {"a": 0.9, "b": 0.1}, "b": {"b": 1.0}}},
        ),
        ("top_code columns=education categories=2 label='high school'", {"label": "high school"}),
    ],
    ids=["whole", "choice and flag", "number", "numbers", "groups", "mapping", "matrix", "word"],
)
def test_parameters_of_every_kind_can_be_typed(said: str, parameters: dict[str, Any]) -> None:
    read = plan_of([said]).steps[0].parameters
    assert {name: read[name] for name in parameters} == parameters


@pytest.mark.parametrize("method", methods("mask"), ids=lambda method: method.name)
def test_the_example_of_every_mask_can_be_typed(method: Method) -> None:
    said = [method.name]
    for name, value in method.example.items():
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            text = ",".join(value)
        else:
            text = value if isinstance(value, str) else json.dumps(value)
        said.append(f"'{name}={text}'")
    assert dict(plan_of([" ".join(said)]).steps[0].parameters) == dict(method.example)


@pytest.mark.parametrize(
    ("said", "checks"),
    [
        ("recode_numbers columns=age cuts=[20,40,60]", {"< 20", "[20, 40)", "[40, 60)", ">= 60"}),
        ('recode columns=sex \'mapping={female = "person", male = "person"}\'', {"person"}),
        (
            "pram columns=sex variant=given 'matrix={female = {male = 1.0}, male = {female = 1.0}}'",
            {"female", "male"},
        ),
    ],
    ids=["list", "mapping", "matrix"],
)
def test_lists_mappings_and_matrices_reach_the_release(
    discreet: Run, work: Path, said: str, checks: set[str]
) -> None:
    done = discreet("protect", "people.csv", "--mask", said, "--out", "release", "--json", folder=work)
    assert done.returncode == 0, done.stderr
    written = (work / "release" / "public" / "people.csv").read_text()
    assert all(each in written for each in checks)
