"""The listing of all methods, for somebody who looks for the right one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from discreet import registry
from discreet.errors import BadParameter, did_you_mean
from discreet.registry import Family
from discreet.visible import visible_line

KINDS: tuple[Family, ...] = get_args(Family)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MethodEntry:
    """One method in a line: its kind, the name it is called by, its family, and what it returns."""

    kind: Family
    name: str
    family: str
    summary: str

    def __repr__(self) -> str:
        return visible_line(f"<{self.kind}.{self.name}: {self.summary}>")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Methods:
    """Methods in the order of their kind and name; a notebook shows them as a table."""

    entries: tuple[MethodEntry, ...]

    def __iter__(self) -> Iterator[MethodEntry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, place: int) -> MethodEntry:
        return self.entries[place]

    def __repr__(self) -> str:
        counts = [(kind, sum(each.kind == kind for each in self)) for kind in KINDS]
        words = ", ".join(f"{many} of kind {kind}" for kind, many in counts if many)
        return f"<methods: {words or 'none'}>"

    def __str__(self) -> str:
        return "\n".join(f"{each.kind}.{each.name}: {each.summary}" for each in self)

    def _repr_html_(self) -> str:
        from discreet.notebook import methods_html

        return methods_html(self)


def methods(kind: str | None = None) -> Methods:
    """All masks, attacks and losses, or those of one kind.

    >>> [each.name for each in methods("mask") if each.name.startswith("pram")]
    ['pram']
    """
    if kind is not None and kind not in KINDS:
        raise BadParameter(f"methods: there is no kind '{kind}'.{did_you_mean(kind, KINDS)}")
    return Methods(
        entries=tuple(
            MethodEntry(kind=of, name=each.name, family=each.family, summary=each.summary)
            for of in KINDS
            if kind in (None, of)
            for each in registry.methods(of)
        )
    )
