"""Every method declares of itself what others are made from, and lives in a file of its name."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet.attack.clues import CLUES
from discreet.demo import table as census
from discreet.headline import HEADLINES
from discreet.method import Family, Method, Split
from discreet.registry import methods

KINDS: tuple[Family, ...] = ("mask", "attack", "loss")
ROOT = Path(discreet.__file__).parent
METHODS = [pytest.param(each, id=each.name) for kind in KINDS for each in methods(kind)]


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest) -> Method:
    found: Method = request.param
    return found


def test_a_method_says_what_it_is(method: Method) -> None:
    assert method.title[:1] == method.title[:1].upper() or method.title.startswith(("k-", "l-", "t-"))
    for text in (method.meaning, method.missing, method.summary):
        assert len(text.split()) >= 2, f"{method.name}: {text!r}"


def test_what_a_method_got_later_has_a_default_that_earlier_releases_stand_for(method: Method) -> None:
    for name in method.later:
        assert not method.parameter(name).required
        assert method.parameter(name).default is None


def test_titles_are_told_apart(method: Method) -> None:
    others = [each.title for kind in KINDS for each in methods(kind) if each.name != method.name]
    assert method.title not in others


def test_a_mask_says_what_its_parameters_tell_an_intruder(method: Method) -> None:
    if method.kind != "mask":
        assert method.tells is None
        return
    assert method.tells is not None
    assert len(method.tells.says.split()) >= 4
    assert method.tells.clue in {"", *CLUES}


def test_every_clue_is_told_by_some_mask() -> None:
    used = {method.tells.clue for method in methods("mask") if method.tells is not None}
    assert set(CLUES) <= used


def test_the_number_of_an_attack_or_a_loss_has_a_unit(method: Method) -> None:
    if method.kind == "mask":
        assert method.unit is None
        return
    assert method.unit is not None
    assert method.unit.name
    if method.kind == "attack":
        assert method.unit.whole == 1


def test_shares_and_chances_are_read_in_percent_and_amounts_are_not() -> None:
    units = {each.unit for kind in KINDS for each in methods(kind) if each.unit is not None}
    for unit in units:
        of_a_whole = unit.name.startswith(("share", "chance", "average chance", "distance"))
        assert unit.in_percent == (of_a_whole or unit.name == "percent"), unit.name
        amount = unit.name in ("bits", "nats", "standard deviations", "number")
        assert unit.whole == (None if amount else 100 if unit.name == "percent" else 1), unit.name
        assert str(unit) == unit.name
    assert len(units) >= 10


@pytest.mark.parametrize(
    "mask",
    [each for each in methods("mask") if not each.changes_values or each.only_blanks],
    ids=lambda each: each.name,
)
def test_a_mask_that_only_blanks_or_leaves_out_writes_no_value_that_was_not_there(mask: Method) -> None:
    table = census(120, seed=3)
    given = {**mask.example, **({"seed": 1} if mask.random else {})}
    done = mask.function(table, **given)
    rows = np.arange(len(table)) if done.origin is None else done.origin
    for name in done.table.names:
        if table[name].role != "weight":
            before, after = table.frame[name].gather(rows), done.table.frame[name]
            assert (after.is_null() | after.eq_missing(before)).all(), name
            if not mask.only_blanks:
                assert after.null_count() == before.null_count(), name


def test_a_method_that_cannot_be_split_says_what_to_use_instead(method: Method) -> None:
    assert (method.splits == Split.WHOLE) == bool(method.instead)
    assert method.kind != "mask" or method.in_parts != bool(method.instead)
    if method.instead:
        named = method.instead.split(",")[0]
        assert named in {each.name for each in methods(method.kind)}


def test_every_headline_has_an_attack_that_always_fits() -> None:
    for headline in HEADLINES:
        counted = [
            each.counts_for
            for each in methods("attack")
            if each.counts_for is not None and each.counts_for.headline == headline
        ]
        assert sum(each.always for each in counted) == 1
        assert all(each.needed and each.quick for each in counted if each.always)
        assert all(each.quick for each in counted if each.needed)


def test_a_method_lives_in_a_file_of_its_name(method: Method) -> None:
    place = Path(inspect.getsourcefile(inspect.unwrap(method.function)) or "")
    assert place.relative_to(ROOT) == Path(method.kind) / f"{method.name}.py"
