"""PRAM: categories that change at random, by chances that are published."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np

from discreet import registry
from discreet._kernels.perturbation.transition import kept_by_frequency, move_alike, move_back, move_by_matrix
from discreet.all_records import AllRecords, Alone, row_blocks
from discreet.errors import BadParameter, NotComputable, listed
from discreet.guarantees import Guarantee, OnlyLevels
from discreet.mask.categories import CodedCategories, decoded, labels_of
from discreet.mask.weights import weights_of
from discreet.parameters import CATEGORY_KEYS, Choice, Distributions, Flag, Masking, Real
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import FloatArray, IntArray, Table
from discreet.transitions import transition_matrix

Chances = Mapping[str, Mapping[str, float]]
THETA = 0.2
Theta = Annotated[
    float | None,
    Real(above=0, below=1, usual=(0.05, 0.9), about="how much changes, where no matrix is given (else 0.2)"),
]
Variant = Annotated[
    str,
    Choice(
        among=("frequency", "invariant", "given"),
        not_searched=("given",),
        about="chances by frequency, any matrix made invariant, or the matrix as it is given",
    ),
]


@registry.mask(
    family="pram",
    title="PRAM",
    meaning="categories are replaced at random by published chances",
    tells=registry.Tells("how likely each category became each other one", clue="likely_categories"),
    splits=registry.Split.ROWS,
    searched=registry.Searched(usual_for=registry.CATEGORIES),
    scales=registry.CATEGORIES,
    in_words=registry.InWords(besides={"theta": "with theta {} between 0 (nothing changes) and 1"}),
    missing="stays missing, and is not counted in the frequencies",
    guarantees=(
        DeclaredGuarantee(
            "the column holds no other categories than before, or than those the matrix names", OnlyLevels
        ),
    ),
    by_design=(
        "frequencies are kept in expectation, unless the variant is 'given'",
        "the published parameters give the transition matrix",
    ),
    cites=(
        "Gouweleeuw, Kooiman, Willenborg and de Wolf, Journal of Official Statistics 14(4), 1998",
        "Kooiman, Willenborg and Gouweleeuw, PRAM: a method for disclosure limitation of microdata, 1997",
    ),
)
def pram(
    table: Table,
    *,
    columns: Masking = CATEGORY_KEYS,
    theta: Theta = None,
    variant: Variant = "frequency",
    matrix: Annotated[
        Chances | None,
        Distributions(about="for each category the chances of what it becomes; what is left out has none"),
    ] = None,
    frequencies: Annotated[
        Chances | None,
        Distributions(
            of_columns=True,
            about="for each column the shares of its categories; those of the table if left out",
        ),
    ] = None,
    weighted: Annotated[
        bool, Flag(about="whether frequencies that are counted count records by their weight")
    ] = False,
    seed: Seed = None,
    all_records: AllRecords | None = None,
) -> Masked:
    """The table with categories replaced at random, each by the chances of its row of a transition matrix.

    With `frequency`, category k of frequency T(k) stays with chance 1 - theta T(K)/T(k), where T(K) is that of the
    rarest, and else becomes any other category alike: theta is the chance that the rarest category changes. With
    `invariant`, a matrix that changes every category with chance theta (or the `matrix` given) is followed by its own
    reversal. Both keep the frequencies in expectation, so users need not correct one-way counts. With `given` the
    matrix is used as it is, and users correct by its inverse.

    The public manifest tells the shares of the categories, from which `discreet.transitions.published_matrix` makes the
    matrix. Shares of categories of fewer than ten records, or that the published file does not show, are joined as one
    rest, and the matrix is that of the joined categories.

    So p_kl = theta T(K)/((K-1) T(k)) for each other category l, and T'P = T' (Kooiman, Willenborg and Gouweleeuw 1997;
    Gouweleeuw and others 1998).

    >>> dc.mask.pram(table, columns=["sex"], theta=0.3, seed=1).facts["changed"]
    {'sex': 112}
    """
    amount = _amount(theta, variant, matrix)
    _check_frequencies(frequencies, variant, tuple(columns))
    if weighted:
        weights_of(table, "pram")
    all_records = all_records or Alone(table)
    fresh, changed, used = {}, {}, {}
    guarantees: list[Guarantee] = []
    for place, name in enumerate(columns):
        given = (frequencies or {}).get(name)
        column = _coded_as(table, name, all_records, tuple(matrix or given or ()))
        shares = _shares(column, all_records.counts(name, weighted=weighted), given, name)
        drawn = column.codes.copy()
        for rows, generator in row_blocks(seed, place, first=all_records.first, records=len(table)):
            drawn[rows] = _drawn(
                column.labels, column.codes[rows], shares, variant, amount, matrix, generator
            )
        fresh[name] = decoded(table, name, drawn, column.levels)
        changed[name] = int((drawn != column.codes).sum())
        if column.labels:
            used[name] = dict(zip(column.labels, shares.tolist(), strict=True))
        guarantees.append(OnlyLevels(columns=(name,), levels=column.labels))
    return Masked(
        table=table.with_values(fresh),
        facts={"changed": changed},
        guarantees=tuple(guarantees),
        parameters={"theta": amount, "frequencies": None if variant == "given" else used},
    )


def _amount(theta: float | None, variant: str, matrix: Chances | None) -> float | None:
    """The theta that is used, when theta, variant and matrix go together."""
    if variant == "frequency" and matrix is not None:
        raise BadParameter(
            "pram: matrix has no meaning with variant 'frequency'. Use 'given', or 'invariant'."
        )
    if variant == "given" and matrix is None:
        raise BadParameter(
            "pram: variant 'given' needs matrix: for each category the chances of what it becomes."
        )
    if matrix is not None and theta is not None:
        raise BadParameter("pram: theta has no meaning where a matrix is given. Leave one of them out.")
    if matrix is not None:
        strange = {new for row in matrix.values() for new in row} - set(matrix)
        if strange:
            raise BadParameter(
                f"pram: matrix has chances of {len(strange)} categories that have no row. Give each a row."
            )
        return None
    return THETA if theta is None else theta


def _check_frequencies(frequencies: Chances | None, variant: str, columns: tuple[str, ...]) -> None:
    if frequencies is None:
        return
    if variant == "given":
        raise BadParameter("pram: frequencies have no meaning with variant 'given': the matrix says it all.")
    strange = [name for name in frequencies if name not in columns]
    if strange:
        raise BadParameter(
            f"pram: frequencies are given for {listed(strange)}, not among the columns to mask."
        )


def _coded_as(table: Table, name: str, all_records: AllRecords, named: tuple[str, ...]) -> CodedCategories:
    """The column coded by the categories of a matrix or of frequencies, when they fit it; else by those that occur."""
    if table[name].order:
        # An order that lacks a value of the column is told here.
        table.codes(name)
    levels = all_records.levels(name)
    if named:
        levels = _named_levels(table, name, levels, named)
    return CodedCategories(
        levels=levels, labels=labels_of(table, name, levels), codes=table.codes(name, levels)
    )


def _named_levels(
    table: Table, name: str, occurring: tuple[object, ...], named: tuple[str, ...]
) -> tuple[object, ...]:
    """The levels of the column that are named, where these are all that occur and none that it cannot have."""
    levels = table.levels(name) if table[name].order else occurring
    labels = labels_of(table, name, levels)
    unnamed = len(set(labels_of(table, name, occurring)) - set(named))
    strange = len(set(named) - set(labels))
    if unnamed or strange:
        raise BadParameter(
            f"pram: the categories given do not match column '{name}': {unnamed} that occur there are not given, and "
            f"{strange} given are not known there."
        )
    return tuple(level for level, label in zip(levels, labels, strict=True) if label in set(named))


def _shares(
    column: CodedCategories, counts: Mapping[object, float], given: Mapping[str, float] | None, name: str
) -> FloatArray:
    """The share of each category, given or counted."""
    if given is not None:
        given_shares = np.array([float(given[label]) for label in column.labels])
        if (given_shares <= 0).any():
            raise BadParameter(f"pram: frequencies of column '{name}' must be above zero for every category.")
        return given_shares
    if any(count == 0 for count in counts.values()):
        raise NotComputable(
            f"pram: a category of column '{name}' has a total weight of zero, so no frequency."
        )
    counted = np.array([counts.get(level, 0.0) for level in column.levels])
    total = float(counted.sum())
    shares: FloatArray = counted / total if total > 0 else counted
    return shares


def _drawn(
    labels: tuple[str, ...],
    codes: IntArray,
    shares: FloatArray,
    variant: str,
    theta: float | None,
    matrix: Chances | None,
    generator: np.random.Generator,
) -> IntArray:
    """New codes for the values that are there, without a matrix in memory where the method needs none."""
    present = codes >= 0
    drawn = codes.copy()
    codes, amount = drawn[present], float(theta or 0.0)
    if matrix is not None:
        rows = transition_matrix(labels, shares, variant, theta, matrix)
        drawn[present] = move_by_matrix(codes, rows, generator)
    elif variant == "frequency":
        drawn[present] = move_alike(codes, kept_by_frequency(shares, amount), generator)
    else:
        away = move_alike(codes, np.full(len(labels), 1.0 - amount), generator)
        drawn[present] = move_back(away, amount, shares, generator)
    return drawn
