"""The distances that can be learned, each as a linear function of its parameters.

Every one is a vector of features of a pair of records times a vector of parameters theta. What the search needs of
a distance is here: the features, the bounds and the cone of theta, where to start, which directions are worth trying,
and how theta becomes what a user reads (weights, a matrix, a fuzzy measure).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from discreet._kernels.learned import forms as kernel
from discreet.attack.learning import measure as fuzzy
from discreet.attack.learning.additive import Additive
from discreet.attack.learning.cones import Cone, Measures, Orthant, concave
from discreet.attack.learning.matrices import (
    Definite,
    NonNegativePairs,
    products,
    to_matrix,
    to_vector,
)
from discreet.attack.learning.standard import BLUR
from discreet.table import FloatArray


class Form:
    """One distance: the parts that its kinds share."""

    kernel: int
    monotone: bool
    """Whether the distance never falls when a squared difference grows: then beaten rivals can be dropped."""
    complete: bool = False
    """Whether all rows of all blocks are few and short enough to be held at once."""
    blur: float = 0.0
    """By how much a difference of two values may be off, where the features allow for it."""
    normal: FloatArray | None = None
    """The linear function of theta that is fixed at 1; None where only bounds keep theta finite."""

    def __init__(self, columns: int, cone: Cone, lower: FloatArray, upper: FloatArray) -> None:
        self.columns = columns
        self.cone = cone
        self.lower = lower
        self.upper = upper
        self.size = len(lower)

    def features(self, differences: FloatArray) -> FloatArray:
        """The features of pairs of records, from their differences: one row a pair."""
        raise TypeError(f"{type(self).__name__} has no features")

    def leads(self, own: FloatArray, rival: FloatArray) -> FloatArray:
        """The features of differences to a rival less those to the own row: the least they can be with the blur."""
        if self.blur == 0.0:
            return self.features(rival) - self.features(own)
        least = np.maximum(np.abs(rival) - self.blur, 0.0)
        return self.features(least) - self.features(np.abs(own) + self.blur)

    def native(self, theta: FloatArray) -> FloatArray:
        """The parameters as the compiled distances take them."""
        return theta

    def theta(self, parameters: FloatArray) -> FloatArray:
        """The parameters as a user reads them, in the coordinates of the search."""
        return parameters

    def scaled(self, theta: FloatArray) -> FloatArray:
        """The same distance up to a factor, normalised; not finite where there is nothing to normalise."""
        length = float(np.abs(theta).max()) if self.normal is None else float(self.normal @ theta)
        with np.errstate(divide="ignore", invalid="ignore"):
            return theta / length

    def starts(self, weights: FloatArray) -> list[FloatArray]:
        """Points to start from; `weights` are those of the best weighted mean known."""
        raise TypeError(f"{type(self).__name__} has no starts")

    def direction(self, theta: FloatArray, random: np.random.Generator) -> FloatArray:
        """A random direction worth a line search from theta."""
        draw = random.random()
        step = np.zeros(self.size)
        if draw < 0.4:
            step[random.integers(self.size)] = 1.0
        elif draw < 0.6 and self.size > 1:
            pair = random.choice(self.size, 2, replace=False)
            step[pair] = theta[pair] * np.array([1.0, random.choice([-1.0, 1.0])])
        else:
            step = random.standard_normal(self.size) * (np.abs(theta) + random.choice([0.0, 1e-4, 1e-2]))
        return step


class Weights(Form):
    """The weighted mean of the squared differences, or of the squared differences in order of size (OWA)."""

    monotone = True
    blur = BLUR
    complete = True

    def __init__(self, columns: int, ordered: bool) -> None:
        super().__init__(columns, Orthant(columns), np.zeros(columns), np.ones(columns))
        self.kernel = kernel.ORDERED if ordered else kernel.WEIGHTED
        self.ordered = ordered
        self.normal = np.ones(columns)

    def features(self, differences: FloatArray) -> FloatArray:
        squares = differences * differences
        return np.ascontiguousarray(-np.sort(-squares, axis=1)) if self.ordered else squares

    def starts(self, weights: FloatArray) -> list[FloatArray]:
        return [weights, np.full(self.columns, 1 / self.columns)]


class Choquet(Form):
    """The Choquet integral of the squared differences for a fuzzy measure, in the coordinates of the measure."""

    kernel = kernel.CHOQUET
    monotone = True
    blur = BLUR

    def __init__(self, columns: int, submodular: bool) -> None:
        size = (1 << columns) - 1
        super().__init__(columns, Measures(columns, submodular), np.zeros(size), np.ones(size))
        self.submodular = submodular
        self.normal = np.zeros(size)
        self.normal[-1] = 1.0

    def features(self, differences: FloatArray) -> FloatArray:
        squares = differences * differences
        order = np.argsort(squares, axis=1, kind="stable")
        rising = np.take_along_axis(squares, order, axis=1)
        steps = np.diff(rising, axis=1, prepend=0.0)
        alone = 1 << (self.columns - 1 - order)
        left = (1 << self.columns) - 1 - (np.cumsum(alone, axis=1) - alone)
        result = np.zeros((len(squares), self.size))
        np.put_along_axis(result, left - 1, steps, axis=1)
        return result

    def native(self, theta: FloatArray) -> FloatArray:
        return np.concatenate([[0.0], theta])

    def theta(self, parameters: FloatArray) -> FloatArray:
        return parameters[1:]

    def starts(self, weights: FloatArray) -> list[FloatArray]:
        additive = fuzzy.additive(weights)[1:]
        inside = concave(self.columns)[1:]
        if self.submodular:
            return [(1 - share) * additive + share * inside for share in (1e-6, 1e-3, 3e-2)]
        return [additive, 0.97 * additive + 0.03 * inside]

    def direction(self, theta: FloatArray, random: np.random.Generator) -> FloatArray:
        draw = random.random()
        if draw < 0.2:
            weights = (
                random.standard_normal(self.columns)
                * theta[[(1 << k) - 1 for k in range(self.columns)]][::-1]
            )
            return np.asarray(fuzzy.membership(self.columns)[1:] @ weights, dtype=np.float64)
        if draw < 0.4:
            target = np.zeros(1 << self.columns)
            target[random.integers(1, 1 << self.columns, size=random.integers(1, 4))] = 1.0
            return fuzzy.monotone(target)[1:] - theta
        return super().direction(theta, random)


class AdditiveChoquet(Form):
    """The Choquet integral for a k-additive measure, in the coordinates of its Möbius transform."""

    kernel = kernel.CHOQUET
    monotone = True
    blur = BLUR

    def __init__(self, columns: int, additivity: int, submodular: bool) -> None:
        self.members = [
            each for size in range(1, additivity + 1) for each in combinations(range(columns), size)
        ]
        sets = [sum(fuzzy.bit(k, columns) for k in each) for each in self.members]
        # With an additivity of 1 every measure is modular, so there is nothing more to ask for.
        self.measures = Additive(columns, sets, submodular and additivity > 1)
        bound = np.full(len(sets), float(2**additivity))
        super().__init__(columns, self.measures, -bound, bound)
        self.lower[:columns] = 0.0
        self.normal = np.ones(len(sets))

    def features(self, differences: FloatArray) -> FloatArray:
        squares = differences * differences
        return np.stack([squares[:, list(each)].min(axis=1) for each in self.members], axis=1)

    def native(self, theta: FloatArray) -> FloatArray:
        return fuzzy.monotone(self.measures.whole(theta))

    def theta(self, parameters: FloatArray) -> FloatArray:
        return np.asarray(fuzzy.moebius(parameters)[self.measures.sets])

    def starts(self, weights: FloatArray) -> list[FloatArray]:
        additive = np.concatenate([weights, np.zeros(self.size - self.columns)])
        shares = (1e-6, 1e-3, 3e-2) if self.measures.submodular else (0.0,)
        return [(1 - share) * additive + share * self.measures.inside for share in shares]


class Bilinear(Form):
    """The symmetric bilinear form x' S x, free, not negative on the pairs of the data, or semi-definite."""

    kernel = kernel.BILINEAR
    monotone = False

    def __init__(self, columns: int, cone: Cone) -> None:
        size = columns * (columns + 1) // 2
        super().__init__(columns, cone, np.full(size, -1.0), np.ones(size))

    @classmethod
    def on(cls, left: FloatArray, right: FloatArray, kind: str) -> Bilinear:
        """The form for these records; `kind` is "free", "pairs" or "definite"."""
        columns = left.shape[1]
        size = columns * (columns + 1) // 2
        cones = {"free": Cone(size), "definite": Definite(columns), "pairs": NonNegativePairs(left, right)}
        form = cls(columns, cones[kind])
        if kind == "definite":
            # A trace of 1, which no entry of a semi-definite matrix exceeds.
            form.normal = to_vector(np.eye(columns))
        return form

    def features(self, differences: FloatArray) -> FloatArray:
        return products(differences)

    def native(self, theta: FloatArray) -> FloatArray:
        return to_matrix(theta, self.columns).ravel()

    def starts(self, weights: FloatArray) -> list[FloatArray]:
        return [to_vector(np.eye(self.columns))]

    def direction(self, theta: FloatArray, random: np.random.Generator) -> FloatArray:
        draw = random.random()
        if draw < 0.3:
            vector = random.standard_normal(self.columns)
            return to_vector(np.outer(vector, vector))
        if draw < 0.5:
            return random.standard_normal(self.size)
        return super().direction(theta, random)
