"""Which distances are special cases of which: a wider kind goes on from what the narrower ones find.

| kind | holds | how |
|---|---|---|
| choquet as a metric, of any additivity | weighted | the additive measure of the weights |
| choquet | choquet as a metric; owa where no additivity is asked for | the same measure; that of the sizes of sets |
| choquet of additivity k | choquet of additivity k - 1 | the same measure |
| bilinear as a metric | weighted | the diagonal matrix of the weights |
| bilinear | bilinear as a metric | the same matrix |
| bilinear_free | bilinear | the same matrix |

Weighted and owa hold their metrics, which do as well: weights of zero can be moved off it without losing a record. A
choquet without additivity also holds those with one, but does not go on from them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.attack.learning import measure as fuzzy
from discreet.table import FloatArray


class Family(NamedTuple):
    """A kind of distance that can be learned."""

    distance: str
    metric: bool = False
    additivity: int | None = None

    @property
    def narrower(self) -> tuple[Family, ...]:
        """The kinds that are special cases of this one, by the table above."""
        if self.distance == "choquet":
            return self._narrower_measures()
        if self.distance == "bilinear_free":
            return (Family("bilinear"),)
        if self.distance == "bilinear":
            return (Family("weighted"),) if self.metric else (Family("bilinear", metric=True),)
        return ()

    def _narrower_measures(self) -> tuple[Family, ...]:
        below: tuple[Family, ...] = ()
        if self.additivity is not None and self.additivity > 2:
            below = (self._replace(additivity=self.additivity - 1),)
        if self.metric or self.additivity == 1:
            return (Family("weighted"), *below)
        return (self._replace(metric=True), *(below if self.additivity else (Family("owa"),)))

    def first(self) -> list[Family]:
        """All narrower kinds, each after those that it starts from itself."""
        found: list[Family] = []
        for each in self.narrower:
            found += [other for other in (*each.first(), each) if other not in found]
        return found

    def embedded(self, narrow: Family, parameters: FloatArray) -> FloatArray:
        """The parameters of a special case as parameters of this kind: the distances are the same."""
        if narrow.distance == self.distance or narrow.distance.startswith("bilinear"):
            return parameters
        if self.distance != "choquet":
            return np.diag(parameters)
        if narrow.distance == "owa":
            sums = np.concatenate([[0.0], np.cumsum(parameters)])
            return np.asarray(sums[fuzzy.sizes(len(parameters))] / sums[-1])
        return fuzzy.additive(parameters)

    def equal(self, columns: int) -> FloatArray:
        """The parameters under which all columns count the same: plain linkage."""
        weights = np.full(columns, 1 / columns)
        return weights if self.distance == "owa" else self.embedded(Family("weighted"), weights)
