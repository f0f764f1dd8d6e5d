"""Loss as uncertainty: how much remains unknown of a true category when the published one is seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

import numpy as np
import polars as pl

from discreet import registry
from discreet.coding import places_of
from discreet.errors import BadParameter, NotComputable
from discreet.in_parts import holding
from discreet.loss.coded import Coded, coded, counts
from discreet.loss.compared import UNWEIGHTED, loss_of, paired_rows
from discreet.manifest import PublicManifest
from discreet.parameters import CATEGORY_KEYS, Compared, Distributions
from discreet.results import Loss
from discreet.table import FloatArray, IntArray, Table
from discreet.transitions import likely_matrix

MEANING = (
    "how many bits remain unknown of a true value when its published one is seen, on average over columns: 0 is that "
    "published values tell true ones, 1 is the uncertainty of a fair coin"
)


class Entropies(NamedTuple):
    """The bits unknown once the published value is seen, and before."""

    after: float
    before: float


@registry.loss(
    family="categories",
    title="Doubt about true values",
    unit=registry.BITS,
    splits=registry.Split.COUNTS,
    in_portions=True,
    scales=registry.ANY_SCALE,
    missing=f"a category of its own; with a matrix given or published, missing cells are left out; {UNWEIGHTED}",
    meaning=MEANING,
    cites=(
        "Kooiman, Willenborg and Gouweleeuw, PRAM: a method for disclosure limitation of microdata, 1997",
        "Willenborg and de Waal, Elements of Statistical Disclosure Control, Springer, 2001",
    ),
    across_scales=True,
)
def conditional_entropy(
    original: Table,
    masked: Table,
    *,
    columns: Compared = CATEGORY_KEYS,
    matrix: Annotated[
        Mapping[str, Mapping[str, float]] | None,
        Distributions(
            about="for each category the chances of what it becomes; taken from the data if left out"
        ),
    ] = None,
    truth: IntArray | None = None,
    manifest: PublicManifest | None = None,
) -> Loss:
    """The entropy of the true category given the published one, in bits, averaged over the columns.

    The masking is seen as a noisy channel. Its transition matrix is the one given, or else the one that the manifest
    publishes for a column that PRAM alone has changed, or else the shares found among the pairs of true and published
    records. The average over published records of the entropy of the true value follows by Bayes' rule. Estimated on
    few records with many categories it is too low: a category seen once tells its original. The details hold what
    share of the uncertainty without the file remains, and where the matrix of each column comes from.

    H(V | V') of Kooiman, Willenborg and Gouweleeuw (1997), V the true and V' the published category.

    >>> masked = dc.mask.pram(table, columns=["sex"], theta=0.2, seed=1).table
    >>> print(dc.loss.conditional_entropy(table, masked, columns=["sex"]))
    conditional_entropy: 0.6827
    """
    left, right = paired_rows(original, masked, truth)
    found: dict[str, Entropies] = {}
    source: dict[str, str] = {}
    for name in columns:
        both = coded(holding(original, name), holding(masked, name), name)
        known = None if manifest is None else _published(manifest, name, both)
        if matrix is not None:
            found[name], source[name] = _by_matrix(both, name, *_square(matrix)), "given"
        elif known is not None:
            found[name], source[name] = _by_matrix(both, name, *known), "published"
        else:
            found[name], source[name] = _by_pairs(both, left, right), "estimated"
    shares = [each.after / each.before if each.before > 0 else 0.0 for each in found.values()]
    return loss_of(
        "conditional_entropy",
        float(np.mean([each.after for each in found.values()])),
        MEANING,
        columns={name: each.after for name, each in found.items()},
        details={"share": float(np.mean(shares)), "transitions": source, "records": len(left)},
    )


def _published(
    manifest: PublicManifest, column: str, both: Coded
) -> tuple[tuple[str, ...], FloatArray] | None:
    """The matrix of a column that one step of PRAM has changed, where every other step says that it did not."""
    named = [step["parameters"].get("columns") for step in manifest.steps]
    touching = [step for step, names in zip(manifest.steps, named, strict=True) if names and column in names]
    if None in named or len(touching) != 1 or touching[0]["method"] != "pram":
        return None
    frequency = np.bincount(both.masked, minlength=both.codes)[1:].tolist()
    counts = dict(zip(both.values.cast(pl.String).to_list(), frequency, strict=True))
    return likely_matrix(touching[0], column, counts)


def _square(matrix: Mapping[str, Mapping[str, float]]) -> tuple[tuple[str, ...], FloatArray]:
    categories = tuple(dict.fromkeys([*matrix, *(new for row in matrix.values() for new in row)]))
    rows = [[float(matrix.get(old, {}).get(new, 0.0)) for new in categories] for old in categories]
    return categories, np.array(rows)


def _by_pairs(both: Coded, left: IntArray, right: IntArray) -> Entropies:
    """H(V, V') - H(V') over the pairs, which is H(V | V')."""
    true, published = both.original[left], both.masked[right]
    _, joint = np.unique(published * np.int64(both.codes) + true, return_counts=True)
    after = _entropy(joint.astype(np.float64)) - _entropy(counts(published, both.codes, None))
    return Entropies(max(0.0, after), _entropy(counts(true, both.codes, None)))


def _by_matrix(both: Coded, name: str, categories: tuple[str, ...], matrix: FloatArray) -> Entropies:
    """The average over published records of the entropy of the true category, by Bayes' rule."""
    labels = both.values.cast(pl.String)
    place = np.append(-1, places_of(labels, pl.Series(list(categories), dtype=pl.String)))
    old, new = place[both.original], place[both.masked]
    strange = int(((old < 0) & (both.original > 0)).sum() + ((new < 0) & (both.masked > 0)).sum())
    if strange:
        raise BadParameter(
            f"conditional_entropy: {strange} cells of column '{name}' hold categories that the matrix does not name."
        )
    prior = counts(old[old >= 0], len(categories), None)
    seen = counts(new[new >= 0], len(categories), None)
    # P(v, v') = P(v) P(v' | v), and H(V | V') = sum over v' of P(v') H(V | V' = v'), Kooiman and others 1997.
    joint = prior[:, None] * matrix
    possible = joint.sum(axis=0)
    if seen.sum() == 0 or prior.sum() == 0:
        raise NotComputable(f"conditional_entropy: column '{name}' has no values.")
    if (seen[possible <= 0] > 0).any():
        raise BadParameter(
            f"conditional_entropy: column '{name}' holds published categories that the matrix gives no chance."
        )
    each = np.array([_entropy(joint[:, place]) for place in range(len(categories))])
    return Entropies(float(seen @ each / seen.sum()), _entropy(prior))


def _entropy(weights: FloatArray) -> float:
    """The entropy, in bits, of shares in proportion to the weights."""
    some = weights[weights > 0]
    if len(some) < 2:
        return 0.0
    share = some / some.sum()
    return float(-(share * np.log2(share)).sum())
