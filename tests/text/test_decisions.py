"""Decisions are kept in a file that only grows, replay on the same text, and can be undone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.small_topics import terms

from discreet.errors import BadFile, BadParameter, Mismatch, NotComputable
from discreet.text.agreement import agreement
from discreet.text.applying import apply_decisions, decide, decide_by_density, settle, undecided
from discreet.text.blocks import Block, blocks_of
from discreet.text.decisions import Action, Alike, Decision, Decisions, Undo, text_digest
from discreet.text.document import Document
from discreet.text.review_order import FEWEST, review_order
from discreet.text.topics import Matcher

MATCHER = Matcher(terms("weapon", "missile", "gun"))
TEXT = (
    "The weapons were shipped.\n\nThe house stood there for years.\n\nA missile came. It was a weapon.\n\n"
    "the WEAPONS - were shipped!\n\nGuns and weapons."
)
LETTER = Document.of(TEXT, name="letter.txt")


def blocks_in(document: Document) -> tuple[Block, ...]:
    return tuple(sorted(blocks_of(document, MATCHER.find(document.text)), key=lambda each: each.start))


BLOCKS = blocks_in(LETTER)
"""The shipped weapons, the missile, the shipped weapons written otherwise, and the guns."""


def made(block: Block, action: Action = Action.CUT, **more: object) -> Decision:
    return decide(LETTER, block, action, reviewer="Ann", date="2026-01-02", **more)  # type: ignore[arg-type]


def changed(decisions: Decisions, document: Document = LETTER) -> str:
    return document.replaced(apply_decisions(document, blocks_in(document), decisions)).text


def test_each_action_does_what_it_says_and_leaves_a_mark() -> None:
    decisions = Decisions().added(
        made(BLOCKS[0], exemption="1.4(a)"),
        made(BLOCKS[1], Action.SHORTEN),
        made(BLOCKS[2], Action.KEEP),
        made(BLOCKS[3], Action.GENERALISE, replacement="Instruments."),
    )
    assert changed(decisions).split("\n\n") == [
        "[cut: 1.4(a)]",
        "The house stood there for years.",
        "A missile came. […]",
        "the WEAPONS - were shipped!",
        "Instruments.",
    ]


def test_a_cut_without_an_exemption_leaves_a_mark_too() -> None:
    assert changed(Decisions().added(made(BLOCKS[0]))).startswith("[cut]\n\n")


@given(st.lists(st.tuples(st.sampled_from(range(4)), st.sampled_from(list(Action))), max_size=6))
def test_a_replay_from_the_file_gives_the_same_bytes(chosen: list[tuple[int, Action]]) -> None:
    decisions = Decisions().added(
        *(
            made(BLOCKS[place], action, replacement=None if action is Action.KEEP else "less")
            for place, action in chosen
        )
    )
    with TemporaryDirectory() as folder:
        decisions.save(Path(folder) / "decisions.jsonl")
        again = Decisions.load(Path(folder) / "decisions.jsonl")
    assert again == decisions
    assert changed(again).encode() == changed(decisions).encode()


@given(st.lists(st.sampled_from(range(4)), min_size=1, max_size=6))
def test_an_undo_restores_what_was_there_and_an_undone_undo_what_was_done(chosen: list[int]) -> None:
    before = Decisions().added(*(made(BLOCKS[place]) for place in chosen[:-1]))
    done = before.added(made(BLOCKS[chosen[-1]], Action.CUT, replacement="gone"))
    undone = done.undone(len(done), reviewer="Ann")
    assert changed(undone) == changed(before)
    assert changed(undone.undone(len(undone), reviewer="Ann")) == changed(done)


def test_what_is_not_there_or_undone_already_cannot_be_undone() -> None:
    decisions = Decisions().added(made(BLOCKS[0])).undone(1, reviewer="Ann")
    for number in (1, 3, 0):
        with pytest.raises(BadParameter, match=f"no entry {number} that could be undone"):
            decisions.undone(number, reviewer="Ann")


def test_of_decisions_that_overlap_the_latest_counts() -> None:
    wide = replace(made(BLOCKS[0]), end=BLOCKS[0].end - 3)
    decisions = Decisions().added(made(BLOCKS[0]), wide)
    (only,) = settle(LETTER, BLOCKS, decisions)
    assert only.end == wide.end
    assert [each.end for each in settle(LETTER, BLOCKS, decisions.undone(2, reviewer="Ann"))] == [
        BLOCKS[0].end
    ]


def test_decisions_made_on_another_text_are_refused() -> None:
    decisions = Decisions().added(made(BLOCKS[0]))
    other = Document.of(TEXT + " More.", name=LETTER.name)
    with pytest.raises(Mismatch, match=r"1 of 1 decisions about letter.txt were made on another text"):
        apply_decisions(other, blocks_in(other), decisions)
    assert changed(decisions, Document.of(TEXT, name="copy.txt")) == TEXT


def test_a_decision_counts_for_all_blocks_of_the_same_words_in_every_document() -> None:
    decisions = Decisions().added(made(BLOCKS[0], alike=Alike.TEXT))
    assert changed(decisions).count("[cut]") == 2
    copy = Document.of("The weapons\nwere shipped.", name="other.txt")
    assert changed(decisions, copy) == "[cut]"
    assert [each.own for each in settle(LETTER, BLOCKS, decisions)] == [True, False]


def test_a_cut_can_count_for_all_blocks_with_the_same_terms() -> None:
    decisions = Decisions().added(made(BLOCKS[0], alike=Alike.TERMS))
    other = Document.of("Weapons again.\n\nA gun.", name="other.txt")
    assert changed(decisions, other) == "[cut]\n\nA gun."


def test_a_decision_of_its_own_goes_before_one_about_a_block_like_it() -> None:
    decisions = Decisions().added(made(BLOCKS[2], Action.KEEP), made(BLOCKS[0], alike=Alike.TEXT))
    assert changed(decisions).count("[cut]") == 1


@given(st.sampled_from([Alike.TEXT, Alike.TERMS]), st.sampled_from(range(4)), st.integers(1, 3))
def test_applying_to_all_alike_is_idempotent(alike: Alike, place: int, times: int) -> None:
    once = Decisions().added(made(BLOCKS[place], alike=alike))
    again = Decisions().added(*[made(BLOCKS[place], alike=alike)] * times)
    assert changed(again) == changed(once)
    left = Document.of(changed(once), name="result.txt")
    assert changed(once, left) == left.text


def test_blocks_that_nobody_decided_about_are_told() -> None:
    assert undecided(LETTER, BLOCKS, Decisions()) == BLOCKS
    decisions = Decisions().added(
        made(BLOCKS[0], alike=Alike.TEXT), replace(made(BLOCKS[3]), start=BLOCKS[3].start + 2)
    )
    assert undecided(LETTER, BLOCKS, decisions) == (BLOCKS[1], BLOCKS[3])


def test_a_threshold_cuts_the_dense_blocks_and_says_everywhere_that_nobody_reviewed_it() -> None:
    least = BLOCKS[3].density
    automatic = decide_by_density(LETTER, BLOCKS, density=least, date="2026-01-02")
    assert {(each.start, each.end) for each in automatic} == {
        (each.start, each.end) for each in BLOCKS if each.density >= least
    }
    decisions = Decisions().added(*automatic)
    assert all(not each.reviewed and "not reviewed" in str(each) for each in automatic)
    assert decisions.summary()["not reviewed"] == len(automatic)
    assert f"{len(automatic)} of them not reviewed" in str(decisions)
    assert all(each["reviewed"] is False and each["reviewer"] is None for each in decisions.public())
    assert all(json.loads(json.dumps(each.to_dict()))["automatic"] for each in automatic)


def test_the_public_log_holds_nothing_of_the_text_nor_where_it_stood() -> None:
    decisions = Decisions().added(
        made(BLOCKS[3], Action.GENERALISE, replacement="SECRET1", note="SECRET2", exemption="1.4(a)"),
        replace(made(BLOCKS[1], alike=Alike.TEXT), reviewer="Bob"),
        made(BLOCKS[0]),
    )
    public = decisions.undone(3, reviewer="Ann").public()
    assert public == [
        {
            "document": "letter.txt",
            "action": "generalise",
            "exemption": "1.4(a)",
            "date": "2026-01-02",
            "reviewed": True,
            "reviewer": "reviewer 1",
        },
        {
            "document": "letter.txt",
            "action": "cut",
            "exemption": "",
            "date": "2026-01-02",
            "reviewed": True,
            "reviewer": "reviewer 2",
        },
    ]
    shown = (
        repr(decisions)
        + str(decisions)
        + "".join(f"{each!r}{each}" for each in decisions.in_force().values())
    )
    assert "SECRET" not in shown
    assert text_digest(LETTER) not in json.dumps(public) + shown


GOOD = made(BLOCKS[0])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"start": 5, "end": 5}, "at least one character"),
        ({"action": Action.GENERALISE}, "generalise needs the text"),
        ({"action": Action.KEEP, "replacement": "x"}, "keep takes no replacement"),
        ({"action": Action.KEEP, "alike": Alike.TERMS}, "only a cut can count"),
        ({"reviewer": ""}, "needs a reviewer"),
        ({"automatic": True}, "has no reviewer"),
    ],
)
def test_a_decision_that_does_not_make_sense_is_refused(change: dict[str, object], says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        replace(GOOD, **change)  # type: ignore[arg-type]


def test_a_single_sentence_cannot_be_shortened_without_saying_to_what() -> None:
    with pytest.raises(BadParameter, match="one sentence"):
        made(BLOCKS[0], Action.SHORTEN)
    assert changed(Decisions().added(made(BLOCKS[0], Action.SHORTEN, replacement="Shipped."))).startswith(
        "Shipped."
    )


def test_a_file_of_decisions_only_grows_and_is_private(tmp_path: Path) -> None:
    place = tmp_path / "decisions.jsonl"
    first = Decisions().added(made(BLOCKS[0], note="line\u2028 two\n\x85 three \ud800"))
    first.save(place)
    before = place.read_bytes()
    more = first.added(made(BLOCKS[1])).undone(1, reviewer="Ann")
    more.save(place)
    assert place.read_bytes().startswith(before)
    assert Decisions.load(place) == more
    more.save(place)
    assert Decisions.load(place) == more
    assert place.stat().st_mode & 0o077 == 0
    with pytest.raises(Mismatch, match="3 entries that are not those"):
        first.save(place)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([""], "line 1: this is no JSON"),
        (['{"format": 2}'], "no file of decisions"),
        (["HEAD", '{"undoes": 1, "reviewer": "A", "date": ""}'], "line 2: this undoes an entry"),
        (["HEAD", "GOOD", '{"undoes": 1'], "line 3: this is no JSON"),
        (["HEAD", '{"document": "a"}'], "line 2 lacks 'digest'"),
        (["HEAD", "GOOD+"], "line 2, 'start' must be a whole number"),
        (["HEAD", "EMPTY"], "line 2: a decision must be about"),
        (["HEAD", "3"], "line 2 must be a table"),
    ],
)
def test_a_file_that_was_changed_is_refused_with_the_line(
    tmp_path: Path, lines: list[str], says: str
) -> None:
    filled = {
        "HEAD": '{"format": 1, "kind": "decisions about documents"}',
        "GOOD": json.dumps(GOOD.to_dict()),
        "GOOD+": json.dumps({**GOOD.to_dict(), "start": -1}),
        "EMPTY": json.dumps({**GOOD.to_dict(), "start": 9, "end": 9}),
    }
    place = tmp_path / "decisions.jsonl"
    place.write_text("\n".join(filled.get(each, each) for each in lines))
    with pytest.raises(BadFile, match=says):
        Decisions.load(place)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read as a file of decisions"):
        Decisions.load(tmp_path / "nothing.jsonl")


def about(place: int, action: Action, reviewer: str) -> Decision:
    return replace(GOOD, start=place, end=place + 1, action=action, reviewer=reviewer)


def test_kappa_is_that_of_a_worked_example() -> None:
    """Of 50 cases both cut 20 and keep 15; 5 and 10 differ: agreement 0.7, by chance 0.5, kappa 0.4."""
    pairs = [(Action.CUT, Action.CUT)] * 20 + [(Action.CUT, Action.KEEP)] * 5
    pairs += [(Action.KEEP, Action.CUT)] * 10 + [(Action.KEEP, Action.KEEP)] * 15
    first = Decisions().added(
        *(about(place, one, "A") for place, (one, _) in enumerate(pairs)), about(99, Action.CUT, "A")
    )
    second = Decisions().added(*(about(place, other, "B") for place, (_, other) in enumerate(pairs)))
    found = agreement(first, second)
    assert (found.both, found.agreed, found.only_first, found.only_second) == (50, 35, 1, 0)
    assert found.kappa == pytest.approx(0.4)
    assert str(found) == "35 of 50 decided alike; 1 and 0 by one alone"
    assert found.to_dict()["agreed"] == 35


def test_kappa_that_has_no_value_is_an_error() -> None:
    one = Decisions().added(about(1, Action.CUT, "A"))
    with pytest.raises(NotComputable, match="nothing that both"):
        _ = agreement(one, Decisions()).kappa
    with pytest.raises(NotComputable, match="in one way"):
        _ = agreement(one, one).kappa


def test_automatic_decisions_agree_with_nobody() -> None:
    automatic = Decisions().added(replace(GOOD, automatic=True, reviewer=""))
    assert agreement(automatic, automatic).both == 0


def archive() -> tuple[tuple[Block, ...], list[Block], list[Block]]:
    """Blocks of two kinds: those with a missile are what the reviewer cuts, those with a gun are kept."""
    texts = ["A missile here." if number % 2 else "Guns and guns." for number in range(40)]
    document = Document.of("\n\n".join(texts), name="letter.txt")
    blocks = blocks_in(document)
    missiles = [each for each in blocks if each.hits[0].term.text == "missile"]
    return blocks, missiles, [each for each in blocks if each not in missiles]


def decided(blocks: list[Block], action: Action) -> list[Decision]:
    return [replace(GOOD, start=each.start, end=each.end, action=action) for each in blocks]


def test_blocks_are_reviewed_by_density_until_there_are_decisions_to_learn_from() -> None:
    blocks, missiles, guns = archive()
    few = Decisions().added(*decided(missiles[: FEWEST - 1], Action.CUT))
    order = review_order(blocks, few)
    assert order.learned_from == 0
    assert [each.density for each in order.blocks] == sorted(
        (each.density for each in order.blocks), reverse=True
    )
    assert order.blocks[0] in guns
    alike = Decisions().added(*decided(missiles, Action.CUT))
    assert review_order(blocks, alike).learned_from == 0


def test_the_order_follows_what_the_decisions_have_in_common() -> None:
    blocks, missiles, guns = archive()
    decisions = Decisions().added(*decided(missiles[:5], Action.CUT), *decided(guns[:5], Action.KEEP))
    order = review_order(blocks, decisions)
    assert order.learned_from == 10
    assert set(order.blocks) == set(blocks) - {*missiles[:5], *guns[:5]}
    assert set(order.blocks[:15]) == set(missiles[5:])
    assert "10 decisions" in str(order)
    automatic = Decisions().added(
        *(replace(each, automatic=True, reviewer="") for each in decisions.in_force().values())
    )
    assert review_order(blocks, automatic).learned_from == 0
    assert len(review_order(blocks, automatic).blocks) == len(blocks)


def test_an_undo_is_an_entry_of_its_own() -> None:
    entries = Decisions().added(GOOD).undone(1, reviewer="Ann", date="2026-01-03").entries
    assert entries[1] == Undo(undoes=1, reviewer="Ann", date="2026-01-03")
    assert len(entries) == 2
