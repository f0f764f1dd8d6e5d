"""The transition matrix that a published step of PRAM describes: what a user corrects by, and an attack uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from discreet._kernels.perturbation.transition import alike_matrix, invariant_matrix, kept_by_frequency
from discreet.errors import BadFile, UnknownColumn, did_you_mean
from discreet.parameters import REST
from discreet.table import FloatArray

PRAM = "pram"
MOST_NAMED = 50
"""How many categories a published matrix names at most where some are joined; the others are in its rest."""
UNSEEN = 0.5
"""How many records a category is taken to have that no published record shows, where shares are estimated."""


def published_matrix(step: Mapping[str, Any], column: str) -> tuple[tuple[str, ...], FloatArray]:
    """The categories and the matrix with which a published PRAM step changed a column.

    `step` is a "pram" step of a public manifest. Row k holds the chances with which category k became each of the
    categories. Categories that are rare or not shown are one of them, the REST.
    """
    parameters = step["parameters"]
    _check_column(parameters, column)
    chances = step.get("transitions", {}).get(column)
    if chances is not None:
        return _square(chances)
    matrix, variant = parameters["matrix"], parameters["variant"]
    if variant == "given":
        return _square(matrix or {})
    frequencies = (parameters["frequencies"] or {}).get(column, {})
    categories = tuple(frequencies)
    shares = np.array([frequencies[each] for each in categories], dtype=np.float64)
    return categories, transition_matrix(categories, shares, variant, parameters["theta"], matrix)


def likely_matrix(
    step: Mapping[str, Any], column: str, counts: Mapping[str, int]
) -> tuple[tuple[str, ...], FloatArray]:
    """The categories and the matrix as whoever holds the published file estimates it.

    `counts` says how many published records have each category; those that an intruder knows of and that nobody has
    count none. It is the published matrix where that names them all. Else shares that are joined are split by these
    counts, for PRAM keeps the frequencies in expectation, and chances that are published stand as they are.
    """
    categories, matrix = published_matrix(step, column)
    if REST not in categories or set(counts) <= set(categories):
        return categories, matrix
    parameters = step["parameters"]
    labels = tuple(dict.fromkeys([*(each for each in categories if each != REST), *counts]))
    given = _spread(parameters["matrix"], labels)
    if parameters["variant"] == "given":
        return labels, transition_matrix(labels, np.zeros(len(labels)), "given", None, given)
    shares = _estimated((parameters["frequencies"] or {}).get(column, {}), labels, counts)
    made = transition_matrix(labels, shares, parameters["variant"], parameters["theta"], given)
    named = [place for place, each in enumerate(categories) if each != REST]
    own = [labels.index(categories[place]) for place in named]
    made[np.ix_(own, own)] = matrix[np.ix_(named, named)]
    return labels, made


def joined_transitions(used: Mapping[str, Any], published: Mapping[str, Any]) -> dict[str, Any]:
    """For each column of which shares were joined, the chances of what is left, as tables of tables.

    `used` are the parameters of a step, `published` what is published of them. The chances of the joined categories are
    exact: those with which a record of the rest, as it was composed, became each other one.
    """
    found = {}
    for column, shares in (published["frequencies"] or {}).items():
        if REST not in shares:
            continue
        own = used["frequencies"][column]
        named = sorted((each for each in shares if each != REST), key=lambda each: (-shares[each], each))
        kept = sorted(named[:MOST_NAMED])
        matrix = transition_matrix(
            tuple(own), np.array(list(own.values())), used["variant"], used["theta"], used["matrix"]
        )
        found[column] = _joined(tuple(own), np.array(list(own.values())), matrix, kept)
    return found


def transition_matrix(
    categories: Sequence[str],
    shares: FloatArray,
    variant: str,
    theta: float | None,
    given: Mapping[str, Mapping[str, float]] | None,
) -> FloatArray:
    """The matrix of one column under a variant of PRAM."""
    if given is None:
        amount = float(theta or 0.0)
        if variant == "frequency":
            return alike_matrix(kept_by_frequency(shares, amount))
        return invariant_matrix(alike_matrix(np.full(len(categories), 1.0 - amount)), shares)
    rows = [[float(given[old].get(new, 0.0)) for new in categories] for old in categories]
    matrix = np.array(rows, dtype=np.float64).reshape(len(categories), len(categories))
    return invariant_matrix(matrix, shares) if variant == "invariant" else matrix


def _check_column(parameters: Mapping[str, Any], column: str) -> None:
    if column not in parameters["columns"]:
        raise UnknownColumn(
            f"the step did not mask a column '{column}'.{did_you_mean(column, parameters['columns'])}"
        )


def _square(rows: Mapping[str, Mapping[str, float]]) -> tuple[tuple[str, ...], FloatArray]:
    """A table of tables as a matrix; BadFile where it has chances of what has no row."""
    categories = tuple(rows)
    if any(new not in rows for row in rows.values() for new in row):
        raise BadFile("the manifest tells of a transition matrix that is not square.")
    matrix = [[float(rows[old].get(new, 0.0)) for new in categories] for old in categories]
    return categories, np.array(matrix, dtype=np.float64).reshape(len(categories), len(categories))


def _joined(
    categories: tuple[str, ...], shares: FloatArray, matrix: FloatArray, named: Sequence[str]
) -> dict[str, dict[str, float]]:
    """The matrix over the named categories and the rest, whose row is that of its members by their shares."""
    names = [*named, REST]
    place = np.array([names.index(each) if each in named else len(named) for each in categories])
    part = np.zeros((len(names), len(categories)))
    part[place, np.arange(len(categories))] = 1.0
    weights = part * shares
    total = weights.sum(axis=1, keepdims=True)
    rows = np.where(total > 0, weights, part) / np.where(total > 0, total, part.sum(axis=1, keepdims=True))
    chances = rows @ matrix @ part.T
    return {old: dict(zip(names, chances[row].tolist(), strict=True)) for row, old in enumerate(names)}


def _estimated(shares: Mapping[str, float], labels: Sequence[str], counts: Mapping[str, int]) -> FloatArray:
    """The share of each label: as published, or its part of the rest by how often it is published."""
    hidden = [each for each in labels if each not in shares]
    seen = sum(max(counts.get(each, 0), UNSEEN) for each in hidden)
    rest = shares.get(REST, 0.0) or UNSEEN / max(1, sum(counts.values()))
    found = [
        shares[each] if each in shares else rest * max(counts.get(each, 0), UNSEEN) / seen for each in labels
    ]
    return np.array(found) / max(sum(found), np.finfo(float).tiny)


def _spread(
    given: Mapping[str, Mapping[str, float]] | None, labels: Sequence[str]
) -> dict[str, dict[str, float]] | None:
    """The published matrix over the labels: those that it does not name share what it says of the rest."""
    if given is None:
        return None
    hidden = [each for each in labels if each not in given or each == REST]
    alone = {REST: 1.0}
    rows = {}
    for old in labels:
        row = dict(given.get(old, given.get(REST, alone)))
        rest = row.pop(REST, 0.0)
        row |= {each: rest / len(hidden) for each in hidden}
        rows[old] = row
    return rows
