"""Risk and loss in one number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from discreet.results import Loss, Risk


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Risk and loss in one number, in percent: alpha times the loss plus the rest times the risk. Small is good."""

    il: float
    dr: float
    alpha: float

    @property
    def score(self) -> float:
        return self.alpha * self.il + (1 - self.alpha) * self.dr

    def to_dict(self) -> dict[str, float]:
        return {"il": self.il, "dr": self.dr, "alpha": self.alpha, "score": self.score}


def score_of(risks: Mapping[str, Risk], losses: Mapping[str, Loss], alpha: float) -> Score | None:
    """The score of Domingo-Ferrer and Torra, in percent, or None where a part of it was not computed.

    DR averages linkage (distance based, and probabilistic where it was run) with interval disclosure.
    """
    if "link" not in risks or "interval_disclosure" not in risks or "il" not in losses:
        return None
    linkage = [risks[name].risk for name in ("link", "link_probabilistic") if name in risks]
    dr = 100 * (float(np.mean(linkage)) + risks["interval_disclosure"].risk) / 2
    return Score(il=losses["il"].loss, dr=dr, alpha=alpha)
