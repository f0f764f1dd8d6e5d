"""Rounding, coding and recoding: the published value follows from the original one, or nearly so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import polars as pl

from discreet.attack.clues.kinds import Clue, PublishedStep, Range, Same, StepClues, present
from discreet.coding import common_codes, labels_of
from discreet.table import Scale

SLACK = 1e-9
DROPPED = "records were dropped after it, so its threshold is not known"


def rounded(step: PublishedStep) -> StepClues:
    """A value was moved by half the base at most, or by less than the base where chance or the sum decided."""
    base = float(step.parameters["base"])
    reach = base / 2 if step.variant == "deterministic" else base
    clues = []
    for name in step.columns:
        values, axis = step.numbers(name)
        slack = SLACK * (base + np.abs(values))
        clues.append(
            Range(
                columns=(name,),
                axis=axis,
                low=values - reach - slack,
                high=values + reach + slack,
                may_vanish=name in step.blanked,
            )
        )
    return StepClues(clues=tuple(clues))


def coded_above(step: PublishedStep) -> StepClues:
    """Values up to the threshold are published as they are, those above it as one value."""
    return _coded(step, "top")


def coded_below(step: PublishedStep) -> StepClues:
    """Values from the threshold on are published as they are, those below it as one value."""
    return _coded(step, "bottom")


def _coded(step: PublishedStep, end: Literal["top", "bottom"]) -> StepClues:
    clues: list[Clue] = []
    silent: dict[str, str] = {}
    for name in step.columns:
        if step.known[name].scale == Scale.ORDINAL:
            order = set(step.known[name].order)
            joined = [level for level in step.masked[name].order if level not in order]
            clues.append(_relabelled(step, name, joined[0] if joined else None))
        elif step.dropped_after and step.parameters.get("threshold") is None:
            silent[name] = DROPPED
        else:
            clues.append(_coded_numbers(step, name, -1.0 if end == "bottom" else 1.0))
    return StepClues(clues=tuple(clues), silent=silent)


def _coded_numbers(step: PublishedStep, name: str, sign: float) -> Range:
    """Each value itself, or the one that stands for all beyond the threshold: the most extreme that is published.

    A share gives the threshold away too: it is the most extreme value published, or the one before it where the mean of
    the extreme values stands for them.
    """
    values, axis = (sign * each for each in step.numbers(name))
    published = np.unique(present(axis))
    threshold = step.parameters.get("threshold")
    by_mean = step.parameters.get("replace") == "mean"
    extreme = float(published[-1]) if len(published) else np.inf
    if threshold is not None:
        cut = sign * float(threshold)
        joined = extreme if by_mean else sign * _as_published(step, name, float(threshold))
    else:
        before = float(published[-2]) if len(published) > 1 else -np.inf
        cut, joined = (before, extreme) if by_mean else (extreme, extreme)
    coded = np.where(np.isnan(values), np.nan, np.where(values > cut, joined, values))
    return Range(columns=(name,), axis=axis, low=coded, high=coded, may_vanish=name in step.blanked)


def _as_published(step: PublishedStep, name: str, threshold: float) -> float:
    """The threshold as the column can hold it: what stands for extreme dates is a date, and for times a time of day."""
    coded = step.tables(name)[0].take(np.array([0])).with_numbers([name], np.array([[threshold]]))
    return float(coded.numbers([name])[0, 0])


def recoded(step: PublishedStep) -> StepClues:
    """The category that each known one became: by what the new ones stand for, or the joined one if it has none.

    A mapping is published as far as the file shows its categories, and no farther. Whoever reads "services" knows that
    it covers nurses: the intruder is taken to know what each new category stands for.
    """
    if step.parameters.get("mapping") is not None:
        return StepClues(clues=tuple(_mapped(step, name) for name in step.columns))
    label = str(step.parameters.get("label"))
    return StepClues(clues=tuple(_relabelled(step, name, label) for name in step.columns))


def _mapped(step: PublishedStep, name: str) -> Same:
    known, masked = (labels_of(table.frame[name]) for table in step.tables(name))
    theirs = step.truth >= 0
    pairs = pl.DataFrame(
        {"old": known.gather(pl.Series(step.truth[theirs])), "new": masked.filter(pl.Series(theirs))}
    )
    became = pairs.drop_nulls().unique(subset="old", keep="first", maintain_order=True)
    return _same_labels(step, name, lambda values: values.replace(became["old"], became["new"]))


def _relabelled(step: PublishedStep, name: str, joined: str | None) -> Same:
    """Categories that are not published became the joined one."""
    published = labels_of(step.tables(name)[1].frame[name]).drop_nulls().unique().to_list()

    def become(values: pl.Series) -> pl.Series:
        gone = values.is_not_null() & ~values.is_in(published)
        return values.set(gone, joined)

    return _same_labels(step, name, become)


def _same_labels(step: PublishedStep, name: str, become: Callable[[pl.Series], pl.Series]) -> Same:
    known, masked = (labels_of(table.frame[name]) for table in step.tables(name))
    codes = common_codes(become(known), masked)
    return Same(
        columns=(name,), known=codes.left - 1, masked=codes.right - 1, may_vanish=name in step.blanked
    )
