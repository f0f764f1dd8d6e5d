"""Long work tells how far it is: what has been done, of how much, and of what."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.conformance import farm_told
from tests.conformance.small_farm import FARMERS, MASKED, TRUTH, farm
from tests.small_ontologies import ANIMALS

from discreet.progress import SILENT, part
from discreet.registry import Family, find, methods

Told = list[tuple[float, float, str]]
QUIET = {"link_probabilistic", "link_person", "compatible", "transparency"}
"""Attacks that tell nothing of twelve farmers, or have no answer for them: they are quick on so few."""


WHAT = re.compile(
    r"link|link_person|link_weights|groups|cut|recode|suppress|generalise|microaggregate: groups"
    r"|found [\d.]+, at most [\d.]+ of \d+ records"
)
"""What work that is part of a method is called, where not by the name of the method."""


def told(kind: Family, name: str, **given: Any) -> Told:
    """What a method says while it works on the farmers."""
    method = find(kind, name)
    said: Told = []
    given["progress"] = lambda done, total, what: said.append((done, total, what))
    if "seed" in method.extras:
        given["seed"] = 5
    if "truth" in method.extras:
        given["truth"] = TRUTH
    tables = {"original": farm(FARMERS), "masked": farm(MASKED), "table": farm(FARMERS)}
    chosen = [farm(FARMERS)] if kind == "mask" else [tables[each] for each in method.tables]
    method.function(*chosen, **given)
    return said


CALLS = [
    pytest.param(kind, name, given, id=f"{kind} {farm_told.call_of(name, given)}")
    for kind, calls in (("mask", farm_told.MASKS), ("attack", farm_told.ATTACKS))
    for name, given in calls
    if "progress" in find(kind, name).extras and name not in QUIET and not given.get("one_to_one")  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("kind", "name", "given"), CALLS)
def test_what_was_done_is_between_nothing_and_all_of_it(
    kind: Family, name: str, given: dict[str, Any]
) -> None:
    said = told(kind, name, **given)
    assert said
    for done, total, what in said:
        assert 0 <= done <= total
        assert WHAT.fullmatch(what) or what == name


def test_every_method_that_tells_is_tried() -> None:
    tried = {str(each.values[1]) for each in CALLS}
    kinds: tuple[Family, ...] = ("mask", "attack", "loss")
    telling = {method.name for kind in kinds for method in methods(kind) if "progress" in method.extras}
    assert telling - tried == QUIET


TWO = ["age", "income"]


@pytest.mark.parametrize(
    ("name", "given", "steps"),
    [
        ("distort", {"columns": TWO}, 2),
        ("microaggregate", {"columns": TWO, "k": 3, "variant": "individual"}, 2),
        ("microaggregate", {"columns": TWO, "k": 3}, 1),
        ("rank_swap", {"columns": TWO, "p": 20}, 2),
        ("resample", {"columns": TWO}, 2),
        ("impute", {"columns": ["income"], "predictors": ["age"], "implicates": 3}, 3),
        ("synthesise_trees", {}, 7),
    ],
)
def test_work_in_steps_tells_each_of_them_and_the_end(name: str, given: dict[str, Any], steps: int) -> None:
    assert told("mask", name, **given) == [(step, steps, name) for step in range(steps + 1)]


def test_searches_tell_what_they_have_tried() -> None:
    generalise = told("mask", "generalise", columns=["age", "town"], k=2)
    assert generalise == [(step, step + 1, "generalise") for step in range(1, len(generalise) + 1)]
    suppress = told("mask", "suppress", columns=["town", "animal"], k=3)
    assert suppress[:3] == [(step, 2, "suppress") for step in range(3)]
    assert suppress[-1:] == [(2, 2, "suppress")]
    groups = told("mask", "semantic_microaggregate", **farm_told.MEANING, k=3)
    assert groups == [(0, 12, "groups"), (12, 12, "groups")]
    locally = told("mask", "generalise_locally", columns=["age", "town"], k=2)
    assert [done for done, _, _ in locally] == list(range(len(locally)))
    assert {total for _, total, _ in locally} == {12}
    # How many records the rarest category has, of the three that it must have.
    recode = told("mask", "semantic_recode", **farm_told.MEANING, k=3)
    assert recode == [(2, 3, "recode"), (3, 3, "recode")]


def test_looking_for_everybody_ends_with_everybody() -> None:
    assert told("attack", "link")[-1] == (12, 12, "link")
    assert told("attack", "link_semantic", keys=["animal"], ontology=ANIMALS)[-1][:2] == (3, 3)
    assert told("attack", "suda") == [(step, 5, "suda") for step in range(1, 6)]


def test_a_piece_of_work_tells_its_share_of_the_whole() -> None:
    said: Told = []

    def note(done: float, total: float, what: str) -> None:
        said.append((done, total, what))

    piece = part(note, 2, 5, "link")
    for done, total in ((0, 4), (1, 4), (4, 4), (9, 4), (-1, 4), (3, 0)):
        piece(done, total, "link")
    piece(1, 2, "rows")
    assert said == [
        (2, 5, "link"),
        (2.25, 5, "link"),
        (3, 5, "link"),
        (3, 5, "link"),
        (2, 5, "link"),
        (2, 5, "link"),
        (2.5, 5, "link: rows"),
    ]
    assert part(SILENT, 2, 5, "link") is SILENT
    assert repr(SILENT) == "SILENT"
