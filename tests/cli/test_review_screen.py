"""The screen of a review: decisions by keys, each in the file at once, undone by a key."""

from __future__ import annotations

import asyncio
from pathlib import Path

from discreet.cli.review_screen import NOTHING_LEFT, ReviewScreen
from discreet.text.decisions import Action, Decisions
from discreet.text.document import Corpus
from discreet.text.policy import Policy
from discreet.text.policy_sections import BlockOptions, Topic
from discreet.text.reviewing import Review
from discreet.text.sanitising import find_blocks

POLICY = Policy(
    name="weapons",
    topics=(Topic(name="arms", keywords=("weapon",)),),
    blocks=BlockOptions(density=0.01, automatic=0.01),
)
TEXTS = ["Weapons came by night. Nobody saw them.", "The weapon was old. It rained.", "Bread and butter."]


def begun(folder: Path) -> Review:
    corpus = Corpus.of(TEXTS)
    blocks = find_blocks(corpus, POLICY)
    return Review.begun(corpus, blocks, folder / "decisions.jsonl", reviewer="Ada", date="2026-11-18")


def pressed(review: Review, *keys: str) -> ReviewScreen:
    """The screen after somebody pressed these keys."""
    screen = ReviewScreen(review)

    async def press() -> None:
        async with screen.run_test() as pilot:
            for key in keys:
                await pilot.press(key)
                await pilot.pause()

    asyncio.run(press())
    return screen


def actions(folder: Path) -> list[str]:
    return [str(each.action) for each in Decisions.load(folder / "decisions.jsonl").in_force().values()]


def test_every_key_decides_and_is_in_the_file_at_once(tmp_path: Path) -> None:
    review = begun(tmp_path)
    assert len(review.left) == 2
    screen = pressed(review, "c", "k")
    assert actions(tmp_path) == ["cut", "keep"]
    assert screen.review.left == ()


def test_undo_brings_the_last_block_back(tmp_path: Path) -> None:
    screen = pressed(begun(tmp_path), "c", "u")
    assert actions(tmp_path) == []
    assert len(screen.review.left) == 2


def test_a_note_and_an_exemption_go_into_the_decision(tmp_path: Path) -> None:
    pressed(begun(tmp_path), "e", *"14c", "enter", "n", *"odd", "enter", "c")
    made = next(iter(Decisions.load(tmp_path / "decisions.jsonl").in_force().values()))
    assert (made.exemption, made.note, made.reviewer, made.action) == ("14c", "odd", "Ada", Action.CUT)


def test_a_review_goes_on_where_it_was_left(tmp_path: Path) -> None:
    pressed(begun(tmp_path), "k")
    assert len(begun(tmp_path).left) == 1
    assert str(begun(tmp_path)).startswith("1 of 2 blocks decided")


def test_generalising_asks_for_what_stands_there_instead(tmp_path: Path) -> None:
    review = begun(tmp_path)
    block = review.left[0]
    after = review.decided(block, Action.GENERALISE, replacement="Things came.")
    assert after.decisions.summary()["generalise"] == 1
    assert "[U+" not in NOTHING_LEFT
