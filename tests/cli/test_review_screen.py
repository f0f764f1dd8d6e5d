"""The screen of a review: decisions by keys, each in the file at once, undone by a key."""

from __future__ import annotations

import asyncio
import html
import re
from pathlib import Path

import pytest

from discreet.cli.review_screen import ReviewScreen
from discreet.text.decisions import Action, Decisions
from discreet.text.document import Corpus
from discreet.text.entities.recogniser import recognisers
from discreet.text.entity_decisions import Change
from discreet.text.entity_review import EntityReview
from discreet.text.policy import Policy
from discreet.text.policy_sections import BlockOptions, Topic
from discreet.text.reviewing import Review
from discreet.text.sanitising import find_blocks, sanitise

POLICY = Policy(
    name="weapons",
    topics=(Topic(name="arms", keywords=("weapon",)),),
    blocks=BlockOptions(density=0.01, automatic=0.01),
)
RULES = [each.name for each in recognisers() if not each.needs]
TEXTS = ["Weapons came by night. Nobody saw them.", "The weapon was old. It rained.", "Bread and butter."]


def begun(folder: Path) -> Review:
    corpus = Corpus.of(TEXTS)
    blocks = find_blocks(corpus, POLICY)
    return Review.begun(corpus, blocks, folder / "decisions.jsonl", reviewer="Ada", date="2026-11-18")


def entities_of(review: Review) -> EntityReview:
    """The review of the entities of the same documents, in the same file."""
    found = sanitise(review.corpus, recognisers=RULES)
    return EntityReview.begun(
        found.findings, review.decisions, review.file, reviewer=review.reviewer, date=review.date
    )


def pressed(review: Review, *keys: str) -> ReviewScreen:
    """The screen after somebody pressed these keys."""
    screen = ReviewScreen(review, entities_of(review))
    on_screen(screen, (80, 24), *keys)
    return screen


def on_screen(screen: ReviewScreen, size: tuple[int, int], *keys: str) -> str:
    """What can be read on a screen of this size after somebody pressed these keys."""
    seen: list[str] = []

    async def press() -> None:
        async with screen.run_test(size=size) as pilot:
            await pilot.pause()
            for key in keys:
                await pilot.press(key)
                await pilot.pause()
            seen.append(screen.export_screenshot())

    asyncio.run(press())
    words = re.sub(r"<[^>]+>", "", "\n".join(re.findall(r"<text[^>]*>.*?</text>", seen[0])))
    return html.unescape(words).replace("\u00a0", " ")


def actions(folder: Path) -> list[str]:
    return [str(each.action) for each in Decisions.load(folder / "decisions.jsonl").in_force().values()]


def test_every_key_decides_and_is_in_the_file_at_once(tmp_path: Path) -> None:
    review = begun(tmp_path)
    assert len(review.left) == 2
    screen = pressed(review, "c", "k")
    assert actions(tmp_path) == ["cut", "keep"]
    assert screen.blocks.review.left == ()


def test_undo_brings_the_last_block_back(tmp_path: Path) -> None:
    screen = pressed(begun(tmp_path), "c", "u")
    assert actions(tmp_path) == []
    assert len(screen.blocks.review.left) == 2


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


LETTERS = [
    "Mr John Kelbeck met Dr Anna Wakeley in Reedham. The raven came.",
    "Kelbeck left Waterby. Nobody saw the raven.",
]


def letters(folder: Path) -> Review:
    corpus = Corpus.of(LETTERS)
    return Review.begun(corpus, (), folder / "decisions.jsonl", reviewer="Ada", date="2026-11-18")


def changes(folder: Path) -> list[tuple[Change, tuple[str, ...]]]:
    """What was decided about whom, as the file says it."""
    made = Decisions.load(folder / "decisions.jsonl").about_entities().values()
    return [(each.change, each.entity.forms) for each in made]


KELBECK = ("Mr John Kelbeck", "Kelbeck")


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["k"], [(Change.KEEP, KELBECK)]),
        (["k", "k"], [(Change.KEEP, KELBECK), (Change.MASK, KELBECK)]),
        (["l"], [(Change.LOCK, KELBECK)]),
        (["down", "space", "up", "m"], [(Change.MERGE, KELBECK)]),
        (["s", "2", "enter"], [(Change.SPLIT, KELBECK)]),
        (["r", *["backspace"] * 5, *"guest", "enter"], [(Change.RENAME, KELBECK)]),
        (["a", *"raven", "enter"], [(Change.ALIAS, KELBECK)]),
        (["plus", *"raven", "enter"], [(Change.ADD, ("raven",))]),
        (["f", *"wakeley", "enter", "k"], [(Change.KEEP, ("Dr Anna Wakeley",))]),
        (["k", "u"], []),
        (["m"], None),
        (["s", "9", "enter"], None),
        (["plus", *"nobody here", "enter"], None),
        (["u"], None),
    ],
)
def test_entities_are_decided_by_keys_and_every_decision_is_in_the_file(
    tmp_path: Path, keys: list[str], expected: list[tuple[Change, tuple[str, ...]]] | None
) -> None:
    pressed(letters(tmp_path), *keys)
    if expected is None:
        assert not (tmp_path / "decisions.jsonl").exists()
    else:
        assert changes(tmp_path) == expected


def test_what_makes_no_sense_is_told_on_the_screen(tmp_path: Path) -> None:
    review = letters(tmp_path)
    seen = on_screen(ReviewScreen(review, entities_of(review)), (80, 24), "m")
    assert "choose another entity" in seen


def test_both_halves_write_one_file(tmp_path: Path) -> None:
    pressed(begun(tmp_path), "c", "2", "plus", *"Bread", "enter", "1", "k", "u")
    held = Decisions.load(tmp_path / "decisions.jsonl")
    assert [str(each.action) for each in held.in_force().values()] == ["cut"]
    assert [each.change for each in held.about_entities().values()] == [Change.ADD]


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
def test_the_keys_and_the_mentions_fit_on_the_screen(tmp_path: Path, size: tuple[int, int]) -> None:
    review = letters(tmp_path)
    seen = on_screen(ReviewScreen(review, entities_of(review)), size)
    for word in ("Keep/mask", "Merge", "Undo", "Stretches", "Entities", "Leave", "Mr John Kelbeck", "1.txt"):
        assert word in seen
    seen = on_screen(ReviewScreen(begun(tmp_path), entities_of(review)), size)
    for word in ("Keep", "Generalise", "Exemption", "Undo", "Leave", "Weapons"):
        assert word in seen
