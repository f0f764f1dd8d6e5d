"""Mutants are small changes of one place that still are Python."""

from __future__ import annotations

import random

import pytest
from tests.mutants.__main__ import draw
from tests.mutants.operators import mutants

SOURCE = b'''"""A docstring."""
def share(values, *, k: int = 2, name: str = "all") -> float | None:
    """Another one."""
    if len(values) < k and not name:
        raise ValueError("too few: at least 2")
    told(name, flush=True)
    part = [each for each in values[1:] if each]
    return sum(part) / len(values)
'''


def changed(operator: str) -> set[str]:
    """The lines that mutants of one kind put in place of those that were there."""
    before = SOURCE.decode().splitlines()
    found = [each.of(SOURCE).decode().splitlines() for each in mutants(SOURCE) if each.operator == operator]
    return {line.strip() for after in found for line in after if line not in before}


@pytest.mark.parametrize(
    ("operator", "lines"),
    [
        ("comparison swapped", {"if (len(values) <= k) and not name:"}),
        ("and/or swapped", {"if (len(values) < k or not name):"}),
        ("Not removed", {"if len(values) < k and (name):"}),
        ("condition negated", {"if (not (len(values) < k and (not name))):"}),
        ("call removed", {"pass"}),
        ("argument dropped", {"(told(name))"}),
        ("bound dropped", {"part = [each for each in (values[:]) if each]"}),
        ("filter dropped", {"part = ([each for each in values[1:]])"}),
        ("nothing returned", {"return None"}),
        ("arithmetic swapped", {"return (sum(part) * len(values))"}),
        (
            "constant changed",
            {
                'def share(values, *, k: int = 3, name: str = "all") -> float | None:',
                "told(name, flush=False)",
                "part = [each for each in values[2:] if each]",
            },
        ),
        ("text changed", {"def share(values, *, k: int = 2, name: str = 'Xall') -> float | None:"}),
    ],
)
def test_an_operator_changes_what_it_says_and_nothing_else(operator: str, lines: set[str]) -> None:
    assert changed(operator) == lines


def test_docstrings_annotations_and_messages_of_errors_stay() -> None:
    for mutant in mutants(SOURCE):
        after = mutant.of(SOURCE)
        assert b'"""A docstring."""' in after
        assert b'"""Another one."""' in after
        assert b'raise ValueError("too few: at least 2")' in after
        assert b"-> float | None:" in after


def test_sizes_of_pieces_and_large_limits_of_work_stay_and_other_constants_do_not() -> None:
    assert mutants(b"CHUNK = 1 << 20\nROWS_AT_ONCE = 5\nMOST_CELLS = 1e8\nMOST_PAIRS = 20_000\n") == []
    assert [each.line for each in mutants(b"MOST = 20_000\nMOST_LEVELS = 20\nFAR = 1e9\n")] == [1, 2, 3]


def test_fields_of_a_class_with_a_repr_of_its_own_may_be_in_a_repr_or_not() -> None:
    shown = b"class A:\n    x: int = field(repr=False)\n"
    own = shown + b"    def __repr__(self):\n        return 5\n"
    assert {each.line for each in mutants(shown)} == {2}
    assert {each.line for each in mutants(own)} == {4}


def test_every_mutant_is_another_program_that_compiles() -> None:
    drawn = draw(40, random.Random(5).getrandbits(32), [])
    assert len(drawn) == 40
    for place, mutant in drawn:
        source = place.read_bytes()
        assert mutant.of(source) != source
        compile(mutant.of(source), str(place), "exec")


def test_a_draw_is_repeated_by_its_seed_and_kept_to_the_files_that_are_named() -> None:
    only = ["src/discreet/loss"]
    drawn = draw(10, 3, only)
    assert drawn == draw(10, 3, only) != draw(10, 4, only)
    assert {place.parent.name for place, _ in drawn} == {"loss"}
