"""A review of documents by keyboard alone, in a real browser, and each page about documents at two widths."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.web.browsing import PATIENCE, calm, check_shown, opened, served, tab
from tests.web.test_documents import FIRST, POLICY, SECOND, look

from discreet.text.decisions import Decisions

expect.set_options(timeout=PATIENCE)
ASKED = "docs=letters&policy=arms.toml"


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    folder = tmp_path / "desk"
    (folder / "letters").mkdir(parents=True)
    (folder / "letters" / "one.txt").write_text(FIRST)
    (folder / "letters" / "two.txt").write_text(SECOND)
    (folder / "arms.toml").write_text(POLICY)
    (folder / ".discreet").mkdir(mode=0o700)
    look(folder)
    return folder


def test_a_review_by_keyboard_is_in_the_file_and_undone(letters: Path) -> None:
    with opened() as browser, served(letters) as desk:
        page, faults = tab(browser)
        page.goto(desk.address)
        page.goto(f"{desk.base}/documents?{ASKED}")
        left = page.locator(".review-state strong").first
        expect(left).to_have_text("3")
        page.keyboard.press("g")
        page.keyboard.press("Control+A")
        page.keyboard.type("Somebody saw arms. Cut and keep.")
        page.keyboard.press("Control+Enter")
        expect(left).to_have_text("2")
        page.wait_for_load_state()
        page.keyboard.press("e")
        page.keyboard.type("1.4(c)")
        page.keyboard.press("Escape")
        page.keyboard.press("n")
        page.keyboard.type("seen")
        page.keyboard.press("Escape")
        page.keyboard.press("c")
        expect(left).to_have_text("1")
        page.wait_for_load_state()
        page.keyboard.press("k")
        expect(left).to_have_text("0")
        page.wait_for_load_state()
        page.keyboard.press("u")
        expect(left).to_have_text("1")
        held = Decisions.load(letters / "letters.decisions.jsonl")
        made = list(held.in_force().values())
        assert [str(each.action) for each in made] == ["generalise", "cut"]
        assert made[0].replacement == "Somebody saw arms. Cut and keep."
        assert (made[1].exemption, made[1].note) == ("1.4(c)", "seen")
        assert len(held) == 4
        assert not faults


def test_pages_about_documents_fit_and_name_their_fields(letters: Path) -> None:
    with opened() as browser, served(letters) as desk:
        page, faults = tab(browser)
        page.goto(desk.address)
        for name in ("documents", "entities", "topics", "sanitised", "reviewers"):
            for target in (f"{name}?{ASKED}", name):
                answer = page.goto(f"{desk.base}/{target}")
                assert answer is not None
                assert answer.status == 200, target
                calm(page)
                check_shown(page, target)
        assert not faults
