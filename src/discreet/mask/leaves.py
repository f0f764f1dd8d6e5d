"""Leaves of a tree: records that are alike in what is known of them, and donors drawn among them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.mask.coordinates import mean_and_spread, standardised
from discreet.table import BoolArray, FloatArray, IntArray, power_of_two

MANY_CLASSES = 20
"""Beyond this many categories a tree splits by where categories lie among the others, not by each of them."""

AXES = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predictor:
    """A column drawn already: its values in the original and in the synthetic table, and whether they have an order."""

    original: FloatArray
    synthetic: FloatArray
    ordered: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leaves:
    """The leaf of each original and each synthetic record, counted from 0."""

    original: IntArray
    synthetic: IntArray

    def donors(self, generator: np.random.Generator) -> IntArray:
        """For each synthetic record an original one of its leaf, each with the same chance."""
        sizes = np.bincount(self.original)
        order = np.argsort(self.original, kind="stable")
        starts = np.cumsum(sizes) - sizes
        chosen = (generator.random(len(self.synthetic)) * sizes[self.synthetic]).astype(np.int64)
        donors: IntArray = order[starts[self.synthetic] + chosen]
        return donors

    def widths(self, values: FloatArray) -> FloatArray:
        """The width of a kernel for the values of each leaf (Silverman's rule)."""
        sizes = np.bincount(self.original)
        power = power_of_two(values[:, None])[0]
        scaled = values / power
        means = np.bincount(self.original, weights=scaled) / sizes
        squares = np.bincount(self.original, weights=(scaled - means[self.original]) ** 2) / sizes
        width: FloatArray = 0.9 * power * np.sqrt(squares) * sizes**-0.2
        return width


def one_leaf(originals: int, records: int) -> Leaves:
    """All records in one leaf: what is known before anything is."""
    return Leaves(original=np.zeros(originals, dtype=np.int64), synthetic=np.zeros(records, dtype=np.int64))


def leaves_of(
    target: FloatArray, ordered: bool, known: list[Predictor], least: int, generator: np.random.Generator
) -> Leaves:
    """The leaves of a tree for a target without missing values, each with at least `least` original records."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    state = int(generator.integers(2**31))
    if not known or len(target) < 2 * least or target.min() == target.max():
        return one_leaf(len(target), len(known[0].synthetic) if known else 0)
    aims = target[:, None] if ordered else _positions(target.astype(np.int64), known)
    features = [_features(each, aims) for each in known]
    original = np.column_stack([one for one, _ in features]).astype(np.float32)
    synthetic = np.column_stack([other for _, other in features]).astype(np.float32)
    if ordered or target.max() >= MANY_CLASSES:
        tree = DecisionTreeRegressor(min_samples_leaf=least, random_state=state).fit(original, aims)
    else:
        tree = DecisionTreeClassifier(min_samples_leaf=least, random_state=state).fit(
            original, target.astype(np.int64)
        )
    leaf, place = np.unique(tree.apply(original), return_inverse=True)
    return Leaves(original=place, synthetic=np.searchsorted(leaf, tree.apply(synthetic)))


def _positions(codes: IntArray, known: list[Predictor]) -> FloatArray:
    """Where each record's category lies: the mean of what is known of its records, on the axes that tell most."""
    count = int(codes.max()) + 1
    sizes = np.maximum(1, np.bincount(codes, minlength=count))
    shown = np.column_stack([_plain(each.original) for each in known])
    means = np.column_stack(
        [np.bincount(codes, weights=column, minlength=count) / sizes for column in shown.T]
    )
    centred = means - means.mean(axis=0)
    left, size, _ = np.linalg.svd(centred * np.sqrt(sizes)[:, None], full_matrices=False)
    axes = (left * size)[:, :AXES] / np.sqrt(sizes)[:, None]
    # Categories that what is known does not tell apart still need places of their own.
    places: FloatArray = np.column_stack([axes, 1e-6 * np.arange(count)])[codes]
    return places


def _plain(values: FloatArray) -> FloatArray:
    """Values in standard deviations from their mean, missing at the mean."""
    return np.nan_to_num(standardised(values[:, None])[:, 0])


def _features(known: Predictor, aims: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A predictor as a tree splits it; categories stand in the order of what they say of the target."""
    if known.ordered:
        middle, spread = mean_and_spread(known.original)
        one, other = (
            (values - middle) / (spread if spread > 0 else 1.0)
            for values in (known.original, known.synthetic)
        )
        # Missing stands apart, below all that is there.
        low = np.where(np.isnan(one), 0.0, one).min(initial=0.0) - 1.0
        return np.where(np.isnan(one), low, one), np.where(np.isnan(other), low, other)
    codes = np.where(np.isnan(known.original), -1, known.original).astype(np.int64) + 1
    fresh = np.where(np.isnan(known.synthetic), -1, known.synthetic).astype(np.int64) + 1
    count = int(max(codes.max(), fresh.max(initial=0))) + 1
    sizes = np.maximum(1, np.bincount(codes, minlength=count))
    means = np.bincount(codes, weights=aims[:, 0], minlength=count) / sizes
    place = np.argsort(np.argsort(means, kind="stable"), kind="stable")
    return place[codes].astype(np.float64), place[fresh].astype(np.float64)


def rare(values: FloatArray, least: int) -> BoolArray:
    """Which values are held by fewer than `least` records."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    few: BoolArray = counts[which] < least
    return few
