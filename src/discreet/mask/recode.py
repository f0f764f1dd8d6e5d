"""Global recoding of categories: coarser ones for everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import polars as pl

from discreet import registry
from discreet.errors import BadParameter, BadValues, Unreachable
from discreet.guarantees import Guarantee, OnlyLevels
from discreet.mask.categories import labels_of
from discreet.mask.hierarchies import texts_at_level
from discreet.mask.relabelling import relabelled
from discreet.parameters import CATEGORY_KEYS, Masking, Pairs, Real, Whole, Word
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.table import Scale, Table


@registry.mask(
    family="recoding",
    title="Recode",
    meaning="rare categories are joined, or categories renamed by a mapping",
    tells=registry.Tells(
        "that categories which the file no longer shows were joined, and under which name", clue="recoded"
    ),
    splits=registry.Split.COUNTS,
    by_columns={},
    searched=registry.Searched(usual_for=registry.CATEGORIES),
    scales=registry.CATEGORIES,
    later=("level",),
    missing="stays missing",
    example={"columns": ["occupation"], "rarest": 5},
    guarantees=(
        DeclaredGuarantee("the column holds no other categories than those left after recoding", OnlyLevels),
    ),
    cites=("Willenborg and de Waal, Elements of Statistical Disclosure Control, Springer, 2001",),
)
def recode(
    table: Table,
    *,
    columns: Masking = CATEGORY_KEYS,
    mapping: Annotated[
        Mapping[str, str] | None, Pairs(about="old categories and the new ones they become")
    ] = None,
    rarest: Annotated[
        int | None, Whole(at_least=1, usual=(1, 10), about="how many of the rarest categories are joined")
    ] = None,
    rarer_than: Annotated[
        float | None,
        Real(
            above=0,
            below=1,
            usual=(0.005, 0.1),
            about="categories with a smaller share of the records are joined",
        ),
    ] = None,
    label: Annotated[str, Word(about="the name of the joined category")] = "other",
    level: Annotated[
        int | None,
        Whole(at_least=1, about="the level of the column's hierarchy that all values are brought to"),
    ] = None,
) -> Masked:
    """The table with categories joined: by a mapping, the rarest ones into one new category, or level by level.

    A level is counted from the values in the hierarchy that is the column's ontology, as `discreet hierarchy` shows it.

    Categories that the mapping does not name stay. An ordinal column stays ordinal only when the mapping joins
    neighbours; the rarest of an ordinal column are joined into a category without a place, so it becomes nominal.

    Global recoding as in Willenborg and de Waal 2001.

    >>> dc.mask.recode(table, columns=["marital_status"], rarest=2).table.levels("marital_status")
    ('divorced', 'married', 'other', 'single')
    """
    if sum(given is not None for given in (mapping, rarest, rarer_than, level)) != 1:
        raise BadParameter("recode: give one of mapping, rarest, rarer_than and level.")
    recoded: dict[str, int] = {}
    guarantees: list[Guarantee] = []
    for name in columns:
        # An order that lacks a value of the column is told here, before anything is guaranteed of its levels.
        table.codes(name)
        levels = labels_of(table, name, table.levels(name))
        if level is not None:
            labels = texts_at_level(table, "recode", name, level)
        else:
            labels = dict(mapping) if mapping is not None else _rarest(table, name, rarest, rarer_than, label)
        unknown = sum(1 for old in labels if old not in levels and old not in table[name].order)
        if unknown:
            raise BadValues(
                f"recode: the mapping names {unknown} categories that column '{name}' does not have."
            )
        order = tuple(dict.fromkeys(labels.get(level, level) for level in levels))
        ordinal = (
            table[name].scale == Scale.ORDINAL
            and (mapping is not None or level is not None)
            and _joins_neighbours(levels, labels)
        )
        scale = Scale.ORDINAL if ordinal else Scale.NOMINAL
        table, recoded[name], guarantee = relabelled(table, name, labels, scale, order)
        guarantees.append(guarantee)
    return Masked(table=table, facts={"recoded": recoded}, guarantees=tuple(guarantees))


def _rarest(
    table: Table, name: str, rarest: int | None, rarer_than: float | None, label: str
) -> dict[str, str]:
    """The rarest categories and the label that joins them; ties go to the first by name."""
    counts = table.frame[name].drop_nulls().cast(pl.String).value_counts(name="count").sort("count", name)
    if rarest is None:
        present = len(table) - table.frame[name].null_count()
        rarest = int((counts["count"] < float(rarer_than or 0) * present).sum())
    if rarest and rarest >= counts.height:
        raise Unreachable(
            f"recode: column '{name}' has {counts.height} categories; at most "
            f"{max(0, counts.height - 1)} can be joined."
        )
    if label in counts[name][rarest:].to_list():
        raise BadParameter(
            f"recode: column '{name}' has a category named like the joined one. Give another label."
        )
    return dict.fromkeys(counts[name][:rarest].to_list(), label)


def _joins_neighbours(levels: Sequence[str], labels: Mapping[str, str]) -> bool:
    """Whether every new category stands for levels that are next to each other."""
    seen: list[str] = []
    for level in levels:
        new = labels.get(level, level)
        if new in seen[:-1]:
            return False
        if not seen or seen[-1] != new:
            seen.append(new)
    return True
