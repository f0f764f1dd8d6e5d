"""What a kind of parameter says of itself, and one declared parameter of a method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from discreet.parameters.selectors import Selector
from discreet.shown import Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a value must be. `about` says in plain words what it is for.

    A value that `holds_cells` can repeat what records hold: categories, or numbers that are somebody's. The public half
    of a manifest tells of it only what the published file shows.
    """

    about: str
    holds_cells: bool = False

    def wants(self) -> str:
        """What is accepted, as the end of "must be …"."""
        raise TypeError(f"{type(self).__name__} does not say what it wants")

    def accepts(self, value: object) -> bool:
        """Whether the value is of this kind."""
        raise TypeError(f"{type(self).__name__} does not say what it accepts")

    def plain(self, value: object) -> object:
        """The value as a plan holds it: plain data."""
        return value

    def published(self, value: Any, shown: Shown) -> object:
        """The value as the public half of a manifest tells it: without cells that are not shown, and without folders.

        What can hold cells is withheld whole, unless its kind says what of it is shown.
        """
        if value is None:
            return None
        return self._shown(value, shown) if self.holds_cells else self.plain(value)

    def _shown(self, value: Any, shown: Shown) -> object:
        return None

    def in_words(self, value: Any) -> str:
        """The value in few words; of one that can hold cells only how much it holds, unless it names columns."""
        if value is None or not self.holds_cells:
            return str(value)
        return f"{len(value)} entries" if isinstance(value, Mapping | list | tuple) else "given"

    def files(self, value: object) -> tuple[str, ...]:
        """The names of files in the value, whose contents an answer depends on."""
        return ()

    def to_dict(self) -> dict[str, object]:
        return {"kind": type(self).__name__.lower(), "about": self.about, "wants": self.wants()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One declared parameter of a method."""

    name: str
    kind: Kind
    default: object
    required: bool
    optional: bool

    def to_dict(self) -> dict[str, object]:
        default = repr(self.default) if isinstance(self.default, Selector) else self.default
        facts = {"name": self.name, "required": self.required, **self.kind.to_dict()}
        return facts if self.required else {**facts, "default": default}
