"""Clues: what an intruder makes of the parameters that a mask publishes. A mask names its clue in `tells`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from discreet.attack.clues.coding import coded_above, coded_below, recoded, rounded
from discreet.attack.clues.grouping import neighbouring_groups
from discreet.attack.clues.holding import held
from discreet.attack.clues.kinds import PublishedStep, StepClues
from discreet.attack.clues.noise import likely_noise
from discreet.attack.clues.ordering import kept_order
from discreet.attack.clues.randomising import likely_categories
from discreet.attack.clues.swapping import swapped_ranks

CLUES: Mapping[str, Callable[[PublishedStep], StepClues]] = {
    each.__name__: each
    for each in (
        coded_above,
        coded_below,
        held,
        kept_order,
        likely_categories,
        likely_noise,
        neighbouring_groups,
        recoded,
        rounded,
        swapped_ranks,
    )
}
