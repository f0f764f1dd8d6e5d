"""What a mask, an attack or a loss declares of itself.

The command line, the reference pages, the report, the search, the transparency attack and the conformance tests are
made from these facts, so that a method is described in one place: above its own function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Required, TypedDict

import polars as pl

from discreet.errors import BadParameter, UnknownParameter, did_you_mean
from discreet.guarantees import Guarantee
from discreet.parameters import Parameter, Selector
from discreet.results import plain
from discreet.table import Column, Described, IntArray, Scale

Family = Literal["mask", "attack", "loss"]
Cost = Literal["cheap", "expensive"]


class DeclaredGuarantee(NamedTuple):
    """A property of the published file that a mask declares in words, and the guarantee by which it is checked there.

    `when` holds parameters that it takes, for a property that the defaults alone do not give.
    """

    says: str
    checked_by: type[Guarantee]
    when: Mapping[str, Any] = MappingProxyType({})

    def __str__(self) -> str:
        return self.says


class Unit(NamedTuple):
    """What a result counts. `whole` is the number that stands for all of it, None where nothing does."""

    name: str
    whole: float | None
    in_percent: bool
    """Whether people read it as a percentage, and not as a bare number."""

    def __str__(self) -> str:
        return self.name


SHARE_OF_RECORDS = Unit("share of the published records", 1.0, True)
SHARE_OF_PEOPLE = Unit("share of the known people", 1.0, True)
SHARE_OF_VALUES = Unit("share of the confidential values", 1.0, True)
CHANCE = Unit("chance of the most exposed person", 1.0, True)
AVERAGE_CHANCE = Unit("average chance of a record", 1.0, True)
DISTANCE = Unit("distance from 0 to 1", 1.0, True)
PERCENT = Unit("percent", 100.0, True)
SHARE = Unit("share", 1.0, True)
FROM_0_TO_1 = Unit("from 0 to 1", 1.0, False)
BITS = Unit("bits", None, False)
NATS = Unit("nats", None, False)
SPREADS = Unit("standard deviations", None, False)
NUMBER = Unit("number", None, False)


class Split(StrEnum):
    """How a method can be computed on a table that is cut into parts."""

    ROWS = "by rows, once statistics of the whole table are known"
    COUNTS = "by the counts of combinations, which parts add up to"
    DRAWS = "by drawing records, once a few columns of all of them are known"
    RANGES = "by ranges of the sorted values"
    BLOCKS = "by blocks of near records"
    QUERIES = "by queries: some known people against all parts"
    SUMS = "by sums over the records, in one pass"
    WHOLE = "not at all: it needs the whole table at once"


class Tells(NamedTuple):
    """What the published parameters of a mask tell an intruder, in words, and the clue that the intruder makes of it.

    `clue` is the name of a function in `discreet.attack.clues`. It is empty where the published file itself already
    shows all there is, or where nobody knows an attack: `says` then says which of the two.
    """

    says: str
    clue: str = ""


class Searched(NamedTuple):
    """How a search tries a mask.

    `usual_for` are the scales of the columns on which it is tried when no method is named, those of the lowest `turn`
    first. `to_a_goal` are parameters with which it brings all quasi-identifiers to a k, an l and a t by itself, where
    limits ask for them. `jointly` are parameters with which it masks numbers and categories in one step, for one k;
    a search `begins` with the quickest of these.
    """

    usual_for: frozenset[Scale] = frozenset()
    turn: int = 1
    to_a_goal: tuple[Mapping[str, Any], ...] = ()
    jointly: tuple[Mapping[str, Any], ...] = ()
    begins: bool = False


class CountsFor(NamedTuple):
    """The headline risk that an attack counts for, and its part in it.

    Without an attack that is `needed` the headline is not checked. One of them fits `always`: without it nothing was
    tried. With `quick` ones a search tries every plan; what it chooses meets all of them.
    """

    headline: Literal["identity", "attribute"]
    needed: bool = False
    always: bool = False
    quick: bool = False


class CountedMasking(NamedTuple):
    """What becomes of the records of distinct combinations: row i of `frame` replaces `counts[i]` of `origin[i]`.

    Rows that replace records of the same combination take them in the order of the file.
    """

    origin: IntArray
    counts: IntArray
    frame: pl.DataFrame
    columns: tuple[Column, ...]
    facts: Mapping[str, Any]
    guarantees: tuple[Guarantee, ...]


class WholeOnly(NamedTuple):
    """What a mask cannot do on a dataset in parts: a parameter with this value, or with any where it is None."""

    parameter: str
    value: Any
    instead: str


class InWords(NamedTuple):
    """What parameters of a mask that were chosen mean in a sentence: {} is the value, {%} the value in percent.

    Those of `instead` stand for the meaning of the mask, which they narrow; those of `besides` follow it.
    """

    instead: Mapping[str, str] = {}
    besides: Mapping[str, str] = {}


class FactsOfAll(TypedDict, total=False):
    """What the decorator of any method takes; `MethodFacts` says what each is, and what it is when left out."""

    family: Required[str]
    title: Required[str]
    meaning: Required[str]
    scales: Required[frozenset[Scale]]
    missing: Required[str]
    splits: Required[Split]
    instead: str
    cites: tuple[str, ...]
    example: Mapping[str, Any]
    by_parts: Callable[..., Any]


class FactsOfMask(FactsOfAll, total=False):
    """What the decorator of a mask takes."""

    tells: Required[Tells]
    guarantees: tuple[DeclaredGuarantee, ...]
    by_design: tuple[str, ...]
    keeps_rows: bool
    changes_values: bool
    only_blanks: bool
    searched: Searched
    by_counts: Callable[..., CountedMasking]
    by_columns: Mapping[str, Any]
    block_records: int
    block_of_numbers: int | None
    whole_only: tuple[WholeOnly, ...]
    later: tuple[str, ...]
    in_words: InWords


class FactsOfAttack(FactsOfAll, total=False):
    """What the decorator of an attack takes."""

    unit: Required[Unit]
    cost: Cost
    counts_for: CountsFor
    about_groups: bool
    classes_alone: bool


class FactsOfLoss(FactsOfAll, total=False):
    """What the decorator of a loss takes."""

    unit: Required[Unit]
    cost: Cost
    across_scales: bool
    gone_is_lost: bool
    in_portions: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodFacts:
    """What a decorator is told of a method. Those of other families keep their defaults.

    `title` is its heading in a report. `meaning` says to a steward what a mask does, or what the number of an attack or
    a loss means. `by_design` are properties that follow from how a mask works and that no file shows. `example` holds
    parameters that run on the census of `discreet demo`, for a method whose defaults alone do not.
    """

    family: str
    title: str
    meaning: str
    scales: frozenset[Scale]
    missing: str
    splits: Split
    instead: str = ""
    """What to use on a table larger than memory, for a method that needs the whole table."""
    cites: tuple[str, ...] = ()
    cost: Cost = "cheap"
    example: Mapping[str, Any] = field(default_factory=dict)
    guarantees: tuple[DeclaredGuarantee, ...] = ()
    by_design: tuple[str, ...] = ()
    keeps_rows: bool = True
    changes_values: bool = True
    """Whether it writes other values; one that leaves out records changes none."""
    only_blanks: bool = False
    """Whether all it does to a cell is to blank it."""
    tells: Tells | None = None
    searched: Searched = field(default_factory=Searched)
    by_counts: Callable[..., CountedMasking] | None = None
    """What masks the distinct combinations of a dataset by how many records have each, for a method split by counts."""
    by_columns: Mapping[str, Any] | None = None
    """Parameters with which a mask treats each column by itself, so that one after the other fits in memory; empty
    where it always does, None where it never does."""
    block_records: int = 16_384
    """About how many near records a mask that is split by blocks takes at once: more lose less and take longer."""
    block_of_numbers: int | None = None
    """The same where it groups nothing but numbers, if it does so in less than quadratic time."""
    whole_only: tuple[WholeOnly, ...] = ()
    """What a mask that works in parts can do on tables in memory alone."""
    in_words: InWords = field(default_factory=InWords)
    later: tuple[str, ...] = ()
    """Parameters that manifests of earlier versions do not tell: what the default does is what a mask did then."""
    by_parts: Callable[..., Any] | None = None
    """What computes an attack or a loss on datasets, called as the method itself."""
    unit: Unit | None = None
    counts_for: CountsFor | None = None
    about_groups: bool = False
    """Whether an attack looks at what is learnt of a whole group, without finding anybody's record."""
    classes_alone: bool = False
    """Whether all that an attack takes of the published keys is which records are equal in all of them."""
    across_scales: bool = False
    gone_is_lost: bool = False
    in_portions: bool = False
    """Whether a loss takes its tables column by column, or in portions of records, and so datasets as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method(MethodFacts):
    """A mask, an attack or a loss: its declared facts, and what its signature says."""

    kind: Family
    name: str
    summary: str
    tables: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    extras: frozenset[str]
    function: Callable[..., Any]

    @property
    def random(self) -> bool:
        """Whether the method draws random numbers, and so takes a seed."""
        return "seed" in self.extras

    @property
    def in_parts(self) -> bool:
        """Whether the method also works on datasets in parts."""
        hooks = (self.by_counts, self.by_parts, self.by_columns)
        by_blocks = self.kind == "mask" and self.splits in (Split.BLOCKS, Split.DRAWS)
        alone = self.classes_alone or self.in_portions or by_blocks
        return (
            alone or any(each is not None for each in hooks) or bool(self.extras & {"all_records", "times"})
        )

    def parameter(self, name: str) -> Parameter:
        for each in self.parameters:
            if each.name == name:
                return each
        known = [each.name for each in self.parameters]
        raise UnknownParameter(f"{self.name} has no parameter '{name}'.{did_you_mean(name, known)}")

    def fits(self, table: Described) -> str:
        """Why the method cannot be used on this table with its defaults; empty when it can."""
        for each in self.parameters:
            if each.required:
                return f"needs {each.name}"
            if isinstance(each.default, Selector) and not each.default.chosen(table, self.scales):
                return f"no {each.default.words}"
        return ""

    def check(self, name: str, value: object) -> object:
        """The value, when the parameter may have it."""
        declared = self.parameter(name)
        if value is None and declared.optional:
            return None
        if not declared.kind.accepts(value):
            raise BadParameter(f"{self.name}: {name} must be {declared.kind.wants()}; got {_shown(value)}.")
        return value

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "name": self.name,
            "family": self.family,
            "title": self.title,
            "summary": self.summary,
            "meaning": self.meaning,
            "unit": None if self.unit is None else self.unit.name,
            "scales": sorted(str(scale) for scale in self.scales),
            "missing": self.missing,
            "guarantees": [each.says for each in self.guarantees],
            "by_design": list(self.by_design),
            "tells_an_intruder": None if self.tells is None else self.tells.says,
            "splits": str(self.splits),
            "instead": self.instead,
            "cites": list(self.cites),
            "random": self.random,
            "example": plain(self.example),
            "parameters": [each.to_dict() for each in self.parameters],
        }


def _shown(value: object) -> str:
    """A parameter's value as an error may show it: short, and whole only when it is a plain one."""
    if isinstance(value, int | float | bool) or value is None:
        return repr(value)
    if isinstance(value, str):
        return repr(value) if len(value) <= 40 else f"a text of {len(value)} characters"
    return f"a {type(value).__name__}"
