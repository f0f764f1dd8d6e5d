"""What a query finds before and after documents are sanitised, and the information lost or the risk removed by it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discreet.table import FloatArray

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """How well a query finds the documents that it should.

    `true` is the number of documents that it should find. Shares have no value (NaN) where they would divide by zero.
    """

    true: int
    precision: float
    recall: float
    f: float
    coverage: float
    novelty: float
    average_relevance: float
    returned: int
    random: float


def retrieval(relevance: FloatArray, threshold: float, true: Mask, random: Mask) -> Retrieval:
    """The measures of one query, from the relevance of each document and the documents that it should find.

    `random` are documents that are about nothing that is asked for. Ten true documents, seven above the threshold of
    which six are true, all ten returned somewhere:

    >>> true = np.arange(44) < 10
    >>> relevance = np.where(np.isin(np.arange(44), [0, 1, 2, 3, 4, 5, 20]), 0.1, 0.01)
    >>> found = retrieval(relevance, 0.0422, true, ~true)
    >>> f"{found.precision:.4f} {found.recall:.1f} {found.f:.4f} {found.coverage:.0f} {found.novelty:.4f}"
    '0.8571 0.6 0.7059 1 0.0909'
    """
    above = relevance >= threshold
    right, wrong = int((above & true).sum()), int((above & ~true).sum())
    precision, recall = _share(right, right + wrong), _share(right, int(true.sum()))
    return Retrieval(
        true=int(true.sum()),
        precision=precision,
        recall=recall,
        f=0.0 if right == 0 else 2 * precision * recall / (precision + recall),
        coverage=_share(int(((relevance > 0) & true).sum()), int(true.sum())),
        novelty=_share(wrong, int(true.sum()) + wrong),
        average_relevance=float(relevance[above].mean()) if above.any() else math.nan,
        returned=int((relevance > 0).sum()),
        random=_share(int((above & random).sum()), right + wrong),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def normalised_mutual_information(before: Sequence[Hashable], after: Sequence[Hashable]) -> float:
    """I(before; after) / ((H(before) + H(after)) / 2) of two assignments; 1 where both assign everything alike."""
    pairs = list(zip(before, after, strict=True))
    if len(set(before)) <= 1 and len(set(after)) <= 1:
        return 1.0
    joint, first, second = _entropy(pairs), _entropy(before), _entropy(after)
    return max(0.0, first + second - joint) / ((first + second) / 2)


def _entropy(values: Sequence[Hashable]) -> float:
    shares = np.array(list(Counter(values).values())) / len(values)
    return float(-(shares * np.log(shares)).sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What sanitising changed for one query, in percent: of F, C and TR by how much, of N and PR by how many points,
    and of NMI how much is lost."""

    f: float
    coverage: float
    novelty: float
    returned: float
    random: float
    nmi: float

    @property
    def combined(self) -> float:
        """The six changes in one number; below zero where the query finds less or worse than before.

        For a query of readers its size is the information lost, for a query of intruders the risk removed.

        >>> round(Change(f=-70, coverage=0, novelty=33.33, returned=-10.81, random=25, nmi=50).combined, 1)
        -38.6
        """
        # eq. 3.1: IL = RD = (2 F + C - |N| + TR - PR - 2 NMI) / 8
        plus = 2 * self.f + self.coverage + self.returned
        return (plus - abs(self.novelty) - self.random - 2 * self.nmi) / 8


def change(before: Retrieval, after: Retrieval, nmi: float) -> Change:
    """The change from one result of a query to the other; `nmi` is that of which documents were relevant."""
    return Change(
        f=_relative(before.f, after.f),
        coverage=_relative(before.coverage, after.coverage),
        novelty=_points(before.novelty, after.novelty),
        returned=_relative(before.returned, after.returned),
        random=_points(before.random, after.random),
        nmi=100 * (1 - nmi),
    )


def _relative(before: float, after: float) -> float:
    """By how many percent a number changed. From nothing, to anything is all of it."""
    before, after = _number(before), _number(after)
    if before == 0:
        return 0.0 if after == 0 else 100.0
    return 100 * (after - before) / before


def _points(before: float, after: float) -> float:
    return 100 * (_number(after) - _number(before))


def _number(value: float) -> float:
    """A share that has no value stands for none of its documents."""
    return 0.0 if math.isnan(value) else value
