"""The settings files that the how-to pages show are ones that can be used."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from discreet.attack.fusion.declared import read_negation
from discreet.demo import people
from discreet.demo import table as census
from discreet.reading.intruder import read_intruder

HOW_TO = Path(__file__).parents[2] / "docs" / "howto"


def blocks(page: str) -> list[str]:
    return re.findall(r"```toml\n(.*?)```", (HOW_TO / page).read_text(), re.DOTALL)


def test_the_negation_shown_is_one(tmp_path: Path) -> None:
    (shown,) = blocks("coalition.md")
    (tmp_path / "degree.toml").write_text(shown)
    found = read_negation(tmp_path / "degree.toml")
    assert found.overlapping == ("mild",)
    assert found.intervals["hot"] == (0.0, 0.25)


def test_the_intruders_shown_can_attack(tmp_path: Path) -> None:
    original = census(50, seed=2)
    people(50, seed=2).rename({"age": "alter"}).write_csv(tmp_path / "register.csv")
    neighbour, holder = blocks("attack-a-release.md")
    for text in (neighbour, holder):
        (tmp_path / "who.toml").write_text(text)
        who = read_intruder(tmp_path / "who.toml", original)
        view = who.view(original, original, np.arange(50))
        assert len(view.known) == (10 if text == neighbour else 50)
