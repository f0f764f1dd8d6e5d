"""What `help` shows of a method can be read by a person, and is all that is declared."""

from __future__ import annotations

import inspect
import pydoc
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest

import discreet as dc
from discreet.parameters import Kind
from discreet.registry import Family, Method, methods
from discreet.signatures import type_name

KINDS: tuple[Family, ...] = ("mask", "attack", "loss")
METHODS = [each for kind in KINDS for each in methods(kind)]


def label(method: Method) -> str:
    return f"{method.kind}-{method.name}"


@pytest.mark.parametrize("method", METHODS, ids=label)
def test_the_signature_has_plain_types_and_the_true_names_and_defaults(method: Method) -> None:
    written = inspect.signature(inspect.unwrap(method.function))
    shown = inspect.signature(method.function)
    assert {name: (each.kind, each.default) for name, each in shown.parameters.items()} == {
        name: (each.kind, each.default) for name, each in written.parameters.items()
    }
    text = str(shown)
    assert "Annotated" not in text
    assert "about=" not in text
    assert ": '" not in text
    assert "-> '" not in text


@pytest.mark.parametrize("method", METHODS, ids=label)
def test_help_says_of_each_parameter_what_it_is_for_and_what_it_must_be(method: Method) -> None:
    told = " ".join(pydoc.plain(pydoc.render_doc(method.function)).split())
    assert method.summary in told
    for each in method.parameters:
        assert f" {each.name}: {each.kind.about} must be {each.kind.wants()}; " in told


@pytest.mark.parametrize("method", METHODS, ids=label)
def test_the_annotations_still_declare_the_kind_of_each_parameter(method: Method) -> None:
    hints = get_type_hints(method.function, include_extras=True)
    assert {each.name for each in method.parameters} == {
        name for name, hint in hints.items() if any(isinstance(part, Kind) for part in parts_of(hint))
    }


def parts_of(hint: Any) -> list[Any]:
    return [hint, *(part for each in get_args(hint) for part in parts_of(each))]


def test_a_line_of_help_on_pram_reads_well() -> None:
    told = pydoc.plain(pydoc.render_doc(dc.mask.pram))
    assert "theta: float | None = None, variant: str = 'frequency'" in told
    assert "matrix: Mapping[str, Mapping[str, float]] | None = None" in told
    assert "        theta: how much changes, where no matrix is given (else 0.2)\n" in told
    assert "            must be a number above 0 and below 1; may be left out\n" in told


def test_types_are_named_as_they_are_written() -> None:
    assert get_origin(Annotated[int, "few"]) is Annotated
    assert type_name(Annotated[int, "few"]) == "int"
    assert type_name(dict[str, Annotated[int, "few"]] | None) == "dict[str, int] | None"
