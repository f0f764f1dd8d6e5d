"""Clues: what an intruder makes of the parameters that a mask publishes. A mask names its clue in `tells`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

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


def takes_columns_together(clue: Callable[[PublishedStep], StepClues], parameters: Mapping[str, Any]) -> bool:
    """Whether a clue needs all columns of a step at once; every other one sees one after the other."""
    by_column = clue is neighbouring_groups and parameters.get("variant") == "individual"
    return clue in (likely_noise, neighbouring_groups) and not by_column
