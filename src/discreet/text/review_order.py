"""In what order blocks are reviewed: by density at first, then by what the decisions so far have in common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from discreet.text.blocks import Block
from discreet.text.decisions import Action, Decision, Decisions

FEWEST = 10
"""Fewer decisions teach nothing, and neither do any that are all of one kind."""
STRENGTH = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewOrder:
    """The blocks that are left to review, in order. `learned_from` is 0 where the order is that of density.

    An order is never a promise: what comes last may still have to be cut.
    """

    blocks: tuple[Block, ...] = field(repr=False)
    learned_from: int

    def __str__(self) -> str:
        if not self.learned_from:
            return f"{len(self.blocks)} blocks by density"
        return f"{len(self.blocks)} blocks by what {self.learned_from} decisions have in common"


def review_order(blocks: Sequence[Block], decisions: Decisions) -> ReviewOrder:
    """The blocks that nobody has decided about, those that look most like what was not kept so far first.

    From FEWEST reviewed decisions on, if some kept and some did not, a logistic regression over density, length, place
    and terms of the blocks says how likely each is not kept; before that, density does. Automatic decisions teach
    nothing.
    """
    by_stretch = {
        (each.document, each.start, each.end): each for each in decisions.in_force().values() if each.reviewed
    }
    decided = [
        (each, found)
        for each in blocks
        if (found := by_stretch.get((each.document, each.start, each.end))) is not None
    ]
    left = [each for each in blocks if (each.document, each.start, each.end) not in by_stretch]
    changed = sum(found.action is not Action.KEEP for _, found in decided)
    if not left or len(decided) < FEWEST or changed in (0, len(decided)):
        return ReviewOrder(blocks=tuple(sorted(left, key=_by_density)), learned_from=0)
    chances = _chances(decided, left)
    ranked = sorted(zip(chances, left, strict=True), key=lambda each: (-each[0], *_by_density(each[1])))
    return ReviewOrder(blocks=tuple(block for _, block in ranked), learned_from=len(decided))


def _chances(decided: Sequence[tuple[Block, Decision]], left: Sequence[Block]) -> list[float]:
    """How likely each of the blocks left is not kept."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MaxAbsScaler

    model = make_pipeline(
        DictVectorizer(),
        MaxAbsScaler(),
        LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=1000),
    )
    model.fit(
        [_features(block) for block, _ in decided],
        [found.action is not Action.KEEP for _, found in decided],
    )
    chances: list[float] = model.predict_proba([_features(each) for each in left])[:, 1].tolist()
    return chances


def _features(block: Block) -> dict[str, float]:
    facts = {
        "density": block.density,
        "length": math.log1p(block.words),
        "place": math.log1p(block.start),
    }
    for hit in block.hits:
        facts[f"term {hit.term.text}"] = 1.0
        facts[f"keyword {hit.term.origins[0].keyword}"] = 1.0
        facts[f"topic {hit.term.topics[0]}"] = 1.0
    return facts


def _by_density(block: Block) -> tuple[float, str, int]:
    return (-block.density, block.document, block.start)
