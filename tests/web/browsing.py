"""A desk that is really served, and a real browser in front of it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

NO_CHROMIUM = "no Chromium for the browser tests: run `make browser`"
PATIENCE = 90_000
"""Milliseconds that a page may take on a busy machine before a test gives up."""


def chromium() -> str:
    """Where Chromium is; the test is skipped where there is none."""
    found = (
        os.environ.get("DISCREET_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    )
    if found is None:
        pytest.skip(NO_CHROMIUM)
    return found


@dataclass
class Served:
    """A desk in a process of its own, which can be killed and started again on its port."""

    folder: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None
    address: str = ""

    def start(self) -> str:
        """The address that lets a browser in."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "discreet", "serve", str(self.folder), "--port", str(self.port)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=\S+", line)
            if found:
                self.port, self.address = int(found[1]), found[0]
                return self.address
        raise AssertionError("the desk did not open")

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """Ends the server as a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self._closed()

    def close(self) -> None:
        assert self.process is not None
        self.process.terminate()
        self._closed()

    def _closed(self) -> None:
        assert self.process is not None
        self.process.wait(60)
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextmanager
def served(folder: Path) -> Iterator[Served]:
    """A desk of a folder; what runs in it is stopped at the end."""
    from discreet.web.desk import Desk

    desk = Served(folder)
    desk.start()
    try:
        yield desk
    finally:
        desk.close()
        works = Desk(folder).works
        for each in works.running():
            works.stop(each.key)


@contextmanager
def opened() -> Iterator[Browser]:
    """A browser."""
    place = chromium()
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=place, args=["--no-sandbox"])
        try:
            yield made
        finally:
            made.close()


def tab(browser: Browser, *, width: int = 1280, scheme: str = "light") -> tuple[Page, list[str]]:
    """A tab that shares nothing with others, and the faults that it meets: of scripts, and of what it refuses."""
    dark: Literal["dark", "light"] = "dark" if scheme == "dark" else "light"
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=dark, accept_downloads=True
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    return page, faults


def calm(page: Page) -> None:
    """Waits until no work that the page shows goes on."""
    quiet = 0
    while quiet < 3:
        page.wait_for_selector("[data-work]", state="detached")
        page.wait_for_load_state()
        assert "fault of discreet" not in page.locator("main").inner_text(), page.url
        page.wait_for_timeout(150)
        quiet = 0 if page.locator("[data-work]").count() else quiet + 1
