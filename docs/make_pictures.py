"""The pictures of the desk: its pages on the invented census, as a browser shows them.

`make pictures` writes them anew. They are looked at by whoever changed a page, and are not compared by a test: fonts
differ from machine to machine.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page
from tests.web.browsing import calm, opened, served, tab

from discreet.demo import people, project

FOLDER = Path(__file__).parent / "pictures"
RECORDS, WIDTH, HEIGHT = 3000, 1280, 860


def main() -> None:
    """Goes the way of a steward and takes a picture of each page."""
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept) / "census"
        folder.mkdir()
        people(RECORDS, seed=4).write_csv(folder / "people.csv")
        (folder / "discreet.toml").write_text(project())
        with opened() as browser, served(folder) as desk:
            page, _ = tab(browser, width=WIDTH)
            page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
            page.goto(desk.address)
            _columns(page, desk.base)
            _hierarchies(page, desk.base)
            _plan(page, desk.base)
            _result(page, desk.base)


def _columns(page: Page, base: str) -> None:
    page.goto(f"{base}/columns?table=people.csv")
    calm(page)
    page.get_by_role("button", name="Attack it as it is").click()
    _taken(page, "columns")


def _hierarchies(page: Page, base: str) -> None:
    page.goto(f"{base}/hierarchies?table=people.csv&column=age")
    page.get_by_label("What each level is").fill("5,10,20")
    page.get_by_role("button", name="Look at the levels").click()
    _taken(page, "hierarchies")


def _plan(page: Page, base: str) -> None:
    page.goto(f"{base}/plan?table=people.csv")
    page.get_by_role("button", name="Try on 1,000 records").click()
    _taken(page, "plan")


def _result(page: Page, base: str) -> None:
    page.goto(f"{base}/plan?table=people.csv")
    page.get_by_role("button", name="Make the release").click()
    page.wait_for_url("**/result?**")
    page.locator("section.verdict").wait_for()
    _taken(page, "result")


def _taken(page: Page, name: str) -> None:
    calm(page)
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=str(FOLDER / f"desk-{name}.png"))


if __name__ == "__main__":
    main()
