"""Runs keep what did not change, and join to the new text whatever that is."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from discreet.text.document import PartKind
from discreet.text.documents import slots
from discreet.text.documents.slots import Held, Slot, aligned

TEXTS = st.lists(st.text("ab c-", max_size=8), min_size=1, max_size=6)


@given(old=TEXTS, new=st.text("ab cxy-", max_size=40))
@example(old=["", ""], new="a")
@example(old=["a", "", "b"], new="")
def test_runs_join_to_the_new_text(old: list[str], new: str) -> None:
    assert "".join(aligned(old, new)) == new


@given(old=TEXTS)
def test_runs_stay_as_they_are_where_nothing_changed(old: list[str]) -> None:
    assert aligned(old, "".join(old)) == old


def test_a_replacement_stands_in_the_run_where_it_begins_and_the_others_are_emptied() -> None:
    assert aligned(["Dear ", "Jo", "hn Sm", "ith", ", hello"], "Dear Pers1, hello") == [
        "Dear ",
        "Pers1",
        "",
        "",
        ", hello",
    ]


def test_several_replacements_leave_the_runs_between_them_alone() -> None:
    old = ["Ann ", "met", " Bob", " and ", "Ca", "rl"]
    assert aligned(old, "Pers1 met Pers2 and Pers3") == ["Pers1 ", "met", " Pers2", " and ", "Pers3", ""]


def test_only_runs_that_change_are_set() -> None:
    class Counted(Held):
        puts = 0

        def put(self, text: str) -> None:
            Counted.puts += 1
            super().put(text)

    slot = Slot(PartKind.BODY, [Counted("one "), Counted("two "), Counted("three")])
    slot.put("one 2 three")
    assert (slot.text, Counted.puts) == ("one 2 three", 1)


def test_a_change_too_long_to_compare_is_one_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "MOST_PAIRS", 1)
    assert aligned(["a b ", "c d ", "e f"], "a x c y e f") == ["a x c y", " ", "e f"]
