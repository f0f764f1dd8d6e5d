"""What is declared of each attack on text and of each measure of its loss: name, title and what the number means.

Tables have the registry of their methods; these work on documents and vectors. The report and the command line are made
from the declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from discreet.errors import UnknownMethod, did_you_mean
from discreet.headline import ATTRIBUTE, IDENTITY
from discreet.method_call import name_in
from discreet.results import Loss, Risk

Found = TypeVar("Found", Risk, Loss)
Given = TypeVar("Given")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextMethod(Generic[Given, Found]):
    """One attack or measure. `headline` is the one it counts for, empty for none.

    A `needed` attack that could not be computed leaves its headline unchecked. Numbers are shares: of risk the attempts
    that succeed, of loss what is gone, 1 being all of it.
    """

    name: str
    kind: Literal["attack", "loss"]
    title: str
    meaning: str
    run: Callable[[Given], Found]
    headline: Literal["", "identity", "attribute"] = ""
    needed: bool = True


_TITLES: dict[str, str] = {}
"""The title of each method that was declared, by its name."""


def declared(methods: Iterable[TextMethod[Any, Any]]) -> Mapping[str, TextMethod[Any, Any]]:
    """The methods by name, in their order; their titles are known to the report from now on."""
    found = {each.name: each for each in methods}
    _TITLES.update({name: each.title for name, each in found.items()})
    return found


def title_of(name: str) -> str | None:
    """The title of a method of text; None where there is none of this name."""
    return _TITLES.get(name, _TITLES.get(name_in(name)))


def find_method(methods: Mapping[str, TextMethod[Any, Any]], name: str) -> TextMethod[Any, Any]:
    """The method of this name. Raises UnknownMethod."""
    if name not in methods:
        raise UnknownMethod(f"there is no attack or measure '{name}' of text.{did_you_mean(name, methods)}")
    return methods[name]


HEADLINE_MEANINGS: Mapping[str, str] = {
    IDENTITY: "the share of documents whose published row or text is told by the strongest attack that was run",
    ATTRIBUTE: "how much of what guessing leaves open is learned by the strongest attack that was run",
}
