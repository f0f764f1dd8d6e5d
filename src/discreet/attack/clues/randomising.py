"""PRAM: how likely each published category is, given the published transition matrix."""

from __future__ import annotations

import numpy as np
import polars as pl

from discreet.attack.clues.kinds import Points, PublishedStep, StepClues
from discreet.attack.points import CodedPoints, most_axes
from discreet.coding import labels_of, places_of
from discreet.table import FloatArray, IntArray, Table
from discreet.transitions import likely_matrix

IMPOSSIBLE = 80.0
"""Twice the negative logarithm of a chance that is taken for none."""
GRID = 2.0**16
ROUNDED_OFF = 2 / (GRID * IMPOSSIBLE)
"""How much farther a record that is as likely can seem. On the grid two costs are off by 2/GRID together, which makes
the more of a distance the shorter it is; the axis of missing keeps every distance above IMPOSSIBLE/2."""


def likely_categories(step: PublishedStep) -> StepClues:
    """Coordinates whose squared distance says how much likelier a published category is for this record than for any.

    That is P(published | known) over the share of the published category in the file: to find a rare category again
    says more than to find a common one.
    """
    clues, silent = [], {}
    for name in step.columns:
        published = {"parameters": step.parameters, "transitions": step.transitions}
        tables = step.tables(name)
        categories, matrix = likely_matrix(published, name, _counts(*tables, name))
        most = most_axes(step.held)
        if len(categories) > most:
            silent[name] = f"it has more than {most} categories, too many for so many records"
            continue
        known, masked = (_codes(table, name, categories) for table in tables)
        shares = np.bincount(masked, minlength=len(categories) + 1) / max(1, len(masked))
        points = likelihood_points(costs(matrix, shares), known, masked)
        back = levelled(*points)
        clues.append(Points(columns=(name,), known=points[0], masked=points[1], slack=ROUNDED_OFF, back=back))
    return StepClues(clues=tuple(clues), silent=silent)


def costs(matrix: FloatArray, shares: FloatArray) -> FloatArray:
    """-2 log of the chances over the shares, with a row and a column for missing, which stays missing."""
    size = len(matrix)
    chances = np.zeros((size + 1, size + 1))
    chances[:size, :size] = matrix
    chances[size, size] = 1.0
    possible = (chances > 0) & (shares > 0)
    ratio = np.where(possible, chances / np.where(shares > 0, shares, 1.0), 1.0)
    return np.where(possible, np.minimum(-2 * np.log(ratio), IMPOSSIBLE), IMPOSSIBLE)


def likelihood_points(
    table: FloatArray, known: IntArray, masked: IntArray
) -> tuple[CodedPoints, CodedPoints]:
    """Points whose squared distance is the cost of going from one code to another, but for a constant of the first.

    The second code j stands at one on axis j; the first at -cost/2 on every axis, so that their squared distance is the
    cost plus one plus what does not depend on j. On a coarse binary grid the sums are exact, so that equal costs tie;
    costs of several columns that only add up to the same tie within ROUNDED_OFF.
    """
    places = -np.round(table / 2 * GRID) / GRID
    return CodedPoints(places, known), CodedPoints(np.eye(len(table)), masked)


def levelled(known: CodedPoints, masked: CodedPoints) -> tuple[CodedPoints, CodedPoints]:
    """The masked and the known points with one axis more, on which the constant of each known code becomes the same.

    Between the known records for one masked record the cost is then that of the chances alone.
    """
    lengths = np.square(known.places).sum(axis=1)
    level = np.sqrt(lengths.max(initial=0.0) - lengths)[:, None]
    beside = np.zeros((len(masked.places), 1))
    return (
        masked._replace(places=np.hstack([masked.places, beside])),
        known._replace(places=np.hstack([known.places, level])),
    )


def _counts(known: Table, masked: Table, name: str) -> dict[str, int]:
    """How many published records have each category that is published or known."""
    counts = dict.fromkeys(labels_of(known.frame[name]).drop_nulls().unique().sort().to_list(), 0)
    found = labels_of(masked.frame[name]).drop_nulls().alias("label").value_counts(name="count").sort("label")
    return counts | dict(zip(found["label"].to_list(), found["count"].to_list(), strict=True))


def _codes(table: Table, name: str, categories: tuple[str, ...]) -> IntArray:
    """The place of each category, missing and unknown ones after the last."""
    places = places_of(labels_of(table.frame[name]), pl.Series(categories, dtype=pl.String))
    return np.where(places < 0, len(categories), places)
