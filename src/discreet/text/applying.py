"""From decisions to changes: which decision counts for which stretch of a document, and what stands there instead."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from discreet.errors import BadParameter
from discreet.text.blocks import Block
from discreet.text.decisions import Action, Alike, Decision, Decisions, text_digest
from discreet.text.document import Document, Replacement
from discreet.text.policy_sections import BlockOptions
from discreet.text.sentences import first_sentence
from discreet.text.words import WORD

CUT = "[cut]"
LEFT_OUT = " […]"
"""What stands at the end of a text that was shortened."""


class Settled(NamedTuple):
    """A stretch of a document and the decision that counts for it; `own` where it was made about this very stretch."""

    start: int
    end: int
    decision: Decision
    own: bool


def decide(
    document: Document,
    block: Block,
    action: Action,
    *,
    reviewer: str,
    date: str = "",
    replacement: str | None = None,
    note: str = "",
    exemption: str = "",
    alike: Alike = Alike.NONE,
) -> Decision:
    """A reviewer's decision about a block.

    Raises BadParameter where the decision does not make sense, such as shortening a single sentence without saying what
    stays.
    """
    text = block.text_of(document)
    if action is Action.SHORTEN and replacement is None and first_sentence(text) == text.strip():
        raise BadParameter(
            "the block is one sentence, so that there is nothing to shorten. Say what stays of it."
        )
    return Decision(
        document=document.name,
        digest=text_digest(document),
        start=block.start,
        end=block.end,
        action=action,
        replacement=replacement,
        note=note,
        exemption=exemption,
        reviewer=reviewer,
        date=date,
        alike=alike,
        likeness=likeness(document, block, alike),
    )


def decide_by_density(
    document: Document,
    blocks: Iterable[Block],
    *,
    density: float | None = None,
    exemption: str = "",
    date: str = "",
) -> tuple[Decision, ...]:
    """Cuts of all blocks of at least this density (where it is not given, the usual one), marked as not reviewed."""
    least = BlockOptions().automatic if density is None else density
    digest = text_digest(document)
    return tuple(
        Decision(
            document=document.name,
            digest=digest,
            start=each.start,
            end=each.end,
            action=Action.CUT,
            exemption=exemption,
            date=date,
            automatic=True,
        )
        for each in blocks
        if each.document == document.name and each.density >= least
    )


def likeness(document: Document, block: Block, alike: Alike) -> str:
    """What blocks have in common that are alike: a digest of their words, or of the terms found in them."""
    if alike is Alike.NONE:
        return ""
    words = (
        WORD.findall(block.text_of(document).casefold())
        if alike is Alike.TEXT
        else sorted({hit.term.text for hit in block.hits})
    )
    return hashlib.sha256("\n".join([alike, *words]).encode("utf-8", "surrogatepass")).hexdigest()


def settle(document: Document, blocks: Sequence[Block], decisions: Decisions) -> tuple[Settled, ...]:
    """What is decided about a document, in order and disjoint.

    Decisions about its own stretches go first; of those that overlap, the latest counts. A block that none of them
    touches is decided by the last decision in force, about whatever document, that counts for all blocks like it.

    Raises Mismatch where decisions were made on another text of this name.
    """
    found: list[Settled] = []
    for each in reversed(decisions.about(document).values()):
        place = bisect_left(found, each.end, key=lambda one: one.start)
        if place == 0 or found[place - 1].end <= each.start:
            found.insert(place, Settled(each.start, each.end, each, True))
    by_likeness = {
        each.likeness: (number, each)
        for number, each in decisions.in_force().items()
        if each.alike is not Alike.NONE
    }
    for block in _untouched(document, blocks, tuple(found)):
        alike = [by_likeness.get(likeness(document, block, way)) for way in (Alike.TEXT, Alike.TERMS)]
        last = max((each for each in alike if each is not None), key=lambda each: each[0], default=None)
        if last is not None:
            found.append(Settled(block.start, block.end, last[1], False))
    return tuple(sorted(found, key=lambda each: each.start))


def undecided(document: Document, blocks: Sequence[Block], decisions: Decisions) -> tuple[Block, ...]:
    """The blocks of a document that no decision covers whole, in the order given."""
    settled = settle(document, blocks, decisions)
    starts = [each.start for each in settled]

    def covered(block: Block) -> bool:
        place = bisect_right(starts, block.start) - 1
        return place >= 0 and block.end <= settled[place].end

    return tuple(each for each in blocks if each.document == document.name and not covered(each))


def apply_decisions(
    document: Document, blocks: Sequence[Block], decisions: Decisions
) -> tuple[Replacement, ...]:
    """The replacements that decisions ask for in a document, for `Document.replaced`.

    A cut leaves a mark with its exemption, and what is shortened ends in one: nothing goes silently. What is kept, or
    undecided, stays as it is.

    Guarantees: the same document, blocks and decisions give the same replacements; an undo restores what was there.
    Raises Mismatch where decisions were made on another text, and BadParameter where one goes across parts.
    """
    return tuple(
        Replacement(each.start, each.end, _instead(document, each))
        for each in settle(document, blocks, decisions)
        if each.decision.action is not Action.KEEP
    )


def _instead(document: Document, settled: Settled) -> str:
    decision = settled.decision
    if decision.replacement is not None:
        return decision.replacement
    if decision.action is Action.SHORTEN:
        return first_sentence(document.text[settled.start : settled.end]) + LEFT_OUT
    return f"[cut: {decision.exemption}]" if decision.exemption else CUT


def _untouched(document: Document, blocks: Sequence[Block], taken: Sequence[Settled]) -> list[Block]:
    """The blocks of a document that no settled stretch overlaps."""
    own = sorted((each for each in blocks if each.document == document.name), key=lambda each: each.start)
    found, place = [], 0
    for block in own:
        while place < len(taken) and taken[place].end <= block.start:
            place += 1
        if place == len(taken) or block.end <= taken[place].start:
            found.append(block)
    return found
