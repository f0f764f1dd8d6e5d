from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from discreet.registry import methods

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def test_the_reference_says_what_the_methods_say() -> None:
    told = subprocess.run(
        [sys.executable, ROOT / "docs" / "make_reference.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, f"run `make docs`:\n{told.stdout}{told.stderr}"


@pytest.mark.parametrize("kind", ["mask", "attack", "loss"])
def test_every_method_is_documented(kind: str) -> None:
    for method in methods(kind):  # type: ignore[arg-type]
        assert (ROOT / "docs" / "reference" / kind / f"{method.name}.md").is_file()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
        if not target.startswith(("http:", "https:", "mailto:")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
