"""The desk as a steward uses it: by mouse and by keyboard, in a real browser."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.web.browsing import PATIENCE, Served, calm, check_shown, opened, served, tab
from tests.web.conftest import two_releases

from discreet.demo import people
from discreet.project import Project

expect.set_options(timeout=PATIENCE)


@pytest.fixture
def browser() -> Iterator[Browser]:
    with opened() as made:
        yield made


@pytest.fixture
def desk(desk_folder: Path, browser: Browser) -> Iterator[Served]:
    with served(desk_folder) as made:
        yield made


@pytest.fixture
def empty(tmp_path: Path, browser: Browser) -> Iterator[Served]:
    folder = tmp_path / "new"
    folder.mkdir()
    with served(folder) as made:
        yield made


def test_the_whole_way_from_a_file_to_the_export(empty: Served, browser: Browser, tmp_path: Path) -> None:
    source = tmp_path / "census.csv"
    kept = ("person", "age", "sex", "income", "commute", "weight")
    people(250, seed=3).select(*kept).write_csv(source)
    page, faults = tab(browser)
    page.goto(empty.address)
    assert "token" not in page.url
    page.set_input_files("#file", source)

    page.wait_for_url("**/columns?table=census.csv")
    calm(page)
    with page.expect_navigation():
        page.get_by_label("Role of commute").select_option("insensitive")
    expect(page.get_by_label("Role of commute")).to_have_value("insensitive")
    assert Project.load(empty.folder / "discreet.toml").columns["commute"].role == "insensitive"

    with page.expect_navigation():
        page.get_by_role("link", name="Plan the masking").click()
    before = page.locator("li.step").count()
    page.get_by_label("Add a step").select_option("round")
    page.wait_for_selector("#new")
    page.locator("#new").get_by_text("weight", exact=True).click()
    page.locator("#new").get_by_label("base", exact=True).fill("100")
    page.get_by_role("button", name="Add this step").click()
    expect(page.locator("li.step")).to_have_count(before + 1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("li.step")).to_have_count(before)
    page.wait_for_load_state()
    page.keyboard.press("Control+y")
    expect(page.locator("li.step")).to_have_count(before + 1)
    page.get_by_role("button", name="Try on 1,000 records").click()
    expect(page.locator(".effect")).to_have_count(before + 1)

    page.get_by_role("button", name="Make the release").click()
    expect(page.locator("section.verdict")).to_contain_text("release:")
    page.get_by_role("link", name="Export").last.click()
    calm(page)
    with page.expect_download() as got:
        page.get_by_role("link", name="census.csv").click()
    assert Path(got.value.path()).read_bytes() == (empty.folder / "release/public/census.csv").read_bytes()
    with page.expect_download() as got:
        page.get_by_role("link", name="make_release_again.py").click()
    again = subprocess.run(
        [sys.executable, str(got.value.path())], cwd=empty.folder, capture_output=True, text=True, check=False
    )
    assert "The same file, byte for byte" in again.stdout, again.stderr
    assert not faults


def test_a_search_is_watched_stopped_and_taken_over(desk: Served, browser: Browser) -> None:
    page, faults = tab(browser)
    page.goto(desk.address)
    page.goto(f"{desk.base}/search?table=people.csv")
    page.locator("#w-identity").fill("60")
    page.locator("#w-seconds").fill("600")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("#map svg").first).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("alert")).to_contain_text("stopped")
    mark = page.locator("#map .mark-symbol [role=button]").first
    mark.hover()
    expect(page.locator("#tip")).to_be_visible()
    mark.press("Enter")
    page.wait_for_url("**/plan?table=people.csv")
    assert Project.load(desk.folder / "discreet.toml").plan.steps
    assert not faults


def test_a_server_that_is_killed_loses_nothing_but_itself(desk: Served, browser: Browser) -> None:
    page, _ = tab(browser)
    page.goto(desk.address)
    page.goto(f"{desk.base}/columns?table=people.csv")
    calm(page)
    page.get_by_role("button", name="Attack it as it is").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    before = (desk.folder / "discreet.toml").read_bytes()
    desk.kill()
    page.goto(desk.start())
    assert (desk.folder / "discreet.toml").read_bytes() == before
    page.goto(f"{desk.base}/columns?table=people.csv")
    calm(page)
    expect(page.locator("aside .figure-row").first).to_contain_text("People found")


def test_two_tabs_do_not_overwrite_each_other(desk: Served, browser: Browser) -> None:
    one, _ = tab(browser)
    one.goto(desk.address)
    one.goto(f"{desk.base}/columns?table=people.csv")
    calm(one)
    other = one.context.new_page()
    other.set_default_timeout(PATIENCE)
    other.goto(one.url)
    calm(other)
    with one.expect_navigation():
        one.get_by_label("Role of commute").select_option("quasi-identifier")
    with other.expect_navigation():
        other.get_by_label("Role of benefit").select_option("insensitive")
    expect(other.get_by_role("alert")).to_contain_text("changed in the meantime")
    roles = Project.load(desk.folder / "discreet.toml").columns
    assert (roles["commute"].role, roles["benefit"].role) == ("quasi-identifier", "confidential")
    other.get_by_role("button", name="Make my change on top").click()
    other.wait_for_url("**/columns?table=people.csv")
    roles = Project.load(desk.folder / "discreet.toml").columns
    assert (roles["commute"].role, roles["benefit"].role) == ("quasi-identifier", "insensitive")


SHOWN = (
    "files",
    "columns?column=age",
    "hierarchies",
    "plan",
    "plan?add=generalise",
    "search",
    "result",
    "export",
    "history",
    "coalition?column=age",
    "help",
)


def test_every_page_fits_names_its_fields_and_breaks_no_rule(desk_folder: Path, browser: Browser) -> None:
    two_releases(desk_folder)
    with served(desk_folder) as desk:
        page, faults = tab(browser)
        page.goto(desk.address)
        for name in SHOWN:
            mark = "&" if "?" in name else "?"
            answer = page.goto(f"{desk.base}/{name}{mark}table=people.csv")
            assert answer is not None
            assert answer.status == 200, name
            calm(page)
            check_shown(page, name)
        assert not faults


def test_a_hierarchy_is_given_to_a_column_by_keyboard(desk: Served, browser: Browser) -> None:
    page, faults = tab(browser, width=390)
    page.goto(desk.address)
    page.goto(f"{desk.base}/hierarchies?table=people.csv&column=age")
    steps = page.get_by_label("What each level is")
    steps.focus()
    page.keyboard.type("10,20")
    page.keyboard.press("Enter")
    use = page.get_by_role("button", name="Use it for age")
    expect(use).to_be_visible()
    expect(page.locator(".levels")).to_contain_text("bands of 20")
    use.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The column uses")).to_contain_text("age.hierarchy.csv")
    assert Project.load(desk.folder / "discreet.toml").columns["age"].ontology == "age.hierarchy.csv"
    here = page.locator('.way a[aria-current="page"]').bounding_box()
    assert here is not None
    assert here["x"] < 390
    assert not faults


def test_the_first_step_of_a_page_is_to_its_content(desk: Served, browser: Browser) -> None:
    page, _ = tab(browser)
    page.goto(desk.address)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the content"
