"""Matches among all pairs of two files, told apart by expectation and maximisation over patterns of agreement.

The model of Fellegi and Sunter: columns agree with chance m_i in a pair that belongs together and u_i in one that does
not, each column by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from discreet.table import FloatArray, IntArray

EDGE = 1e-6
"""Chances are kept this far from 0 and 1, so that one column alone neither proves nor rules out a match."""
ROUNDS = 1000
SETTLED = 1e-9
AGREE_IN_MATCHES = 0.9
ALL_PAIRS, ALL_PAIRS_ORDERED = "estimated from all pairs", "estimated from all pairs, agreement for a match"
RECORD_BY_RECORD, ALIKE, KNOWN_PAIRS = (
    "estimated record by record",
    "every column alike",
    "counted in known pairs",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mixture:
    """For each column the chance to agree in a match and in any other pair, and the share of pairs that match."""

    matches: FloatArray
    others: FloatArray
    prior: float
    source: str = ALL_PAIRS

    @property
    def mistaken(self) -> bool:
        """Whether some column agrees less often in matches than in other pairs: the classes may be the wrong ones."""
        return bool((self.matches < self.others).any())

    def weights(self) -> FloatArray:
        """The weight of each pattern of agreement, bit j being column j: log(m/u) or log((1-m)/(1-u)), added up.

        Agreement never speaks against a match: a column for which it would, by a bad estimate, does not count.
        """
        agree, disagree = self._logarithms()
        bits = patterns(len(self.matches))
        weights: FloatArray = bits @ agree + (1 - bits) @ np.minimum(agree, disagree)
        return weights

    def _logarithms(self) -> tuple[FloatArray, FloatArray]:
        return np.log(self.matches / self.others), np.log((1 - self.matches) / (1 - self.others))


def patterns(width: int) -> FloatArray:
    """All patterns of agreement [2**width, width], 1 where a column agrees."""
    bits: FloatArray = (np.arange(1 << width)[:, None] >> np.arange(width) & 1).astype(np.float64)
    return bits


def estimated(counts: IntArray, most_matches: float, *, ordered: bool = False) -> Mixture:
    """The mixture that makes the counts of the patterns most likely, as far as climbing from a fixed start leads.

    `most_matches` is the largest share of pairs that can match: one partner for each record at most. Without that bound
    the larger class of pairs that merely resemble each other is taken for the matches. With `ordered` no column agrees
    less often in matches than in other pairs.
    """
    bits = patterns(len(counts).bit_length() - 1)
    total = float(counts.sum())
    others = _inside(counts @ bits / total)
    found = Mixture(matches=np.full(bits.shape[1], AGREE_IN_MATCHES), others=others, prior=most_matches)
    for _ in range(ROUNDS):
        likely = counts * _posterior(found, bits)
        sure, rest = float(likely.sum()), float((counts - likely).sum())
        if sure == 0.0 or rest <= 0.0:
            return found
        rarely = _inside((counts - likely) @ bits / rest)
        often = _inside(likely @ bits / sure)
        better = Mixture(
            matches=np.maximum(often, rarely) if ordered else often,
            others=rarely,
            prior=min(sure / total, most_matches),
            source=ALL_PAIRS_ORDERED if ordered else ALL_PAIRS,
        )
        moved = np.abs(np.r_[better.matches - found.matches, better.others - found.others]).max()
        found = better
        if moved < SETTLED:
            break
    return found


def estimated_by_record(
    counts: IntArray, progress: Callable[[int, int], None] = lambda done, total: None
) -> Mixture:
    """The mixture in which one partner for each record explains best which patterns it has with everybody.

    `counts` [records, patterns] tells for each record how many of the other file have each pattern with it. That each
    record has one match holds record by record, and each record has chances of its own to agree with a stranger: few
    share a rare value, many a frequent one. So pairs that resemble each other in several related columns are not taken
    for matches, however many more they are than these.
    """
    everyone = float(counts[0].sum())
    bits = patterns(counts.shape[1].bit_length() - 1)
    total = counts.sum(axis=0)
    overall = _inside(total @ bits / total.sum())
    met = total > 0
    bits, some = bits[met], counts[:, met].astype(np.float64)
    edge = 0.5 / everyone
    chances = np.clip(some @ bits / everyone, edge, 1 - edge)
    odds = some * np.exp(-(np.log(chances) @ bits.T + np.log1p(-chances) @ (1 - bits).T))
    matches = np.full(bits.shape[1], AGREE_IN_MATCHES)
    for place in range(ROUNDS):
        progress(place, ROUNDS)
        likely = odds * np.exp(bits @ np.log(matches) + (1 - bits) @ np.log1p(-matches))
        likely /= likely.sum(axis=1, keepdims=True)
        better = _inside(likely.mean(axis=0) @ bits)
        moved = np.abs(better - matches).max()
        matches = better
        if moved < SETTLED:
            break
    return Mixture(matches=matches, others=overall, prior=1 / everyone, source=RECORD_BY_RECORD)


def alike(width: int) -> Mixture:
    """The mixture by which pairs weigh as much as the number of columns they agree in."""
    matches = np.full(width, AGREE_IN_MATCHES)
    return Mixture(matches=matches, others=1 - matches, prior=0.0, source=ALIKE)


def from_known_pairs(counts: IntArray, agreements: FloatArray) -> Mixture:
    """The mixture of an intruder who knows some pairs: `agreements` [pairs, columns] is 1 where a known pair agrees."""
    bits = patterns(agreements.shape[1])
    return Mixture(
        matches=_inside((agreements.sum(axis=0) + 0.5) / (len(agreements) + 1)),
        others=_inside(counts @ bits / counts.sum()),
        prior=0.0,
        source=KNOWN_PAIRS,
    )


def _posterior(mixture: Mixture, bits: FloatArray) -> FloatArray:
    """The chance that a pair with each pattern is a match."""
    agree, disagree = mixture._logarithms()
    odds = bits @ agree + (1 - bits) @ disagree + np.log(mixture.prior) - np.log1p(-mixture.prior)
    posterior: FloatArray = 1 / (1 + np.exp(np.clip(-odds, -700, 700)))
    return posterior


def _inside(chances: FloatArray) -> FloatArray:
    return np.clip(chances, EDGE, 1 - EDGE)
