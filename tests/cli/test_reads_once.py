"""`discreet protect` reads back what it wrote once, to check it, and never again."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from tests.cli.conftest import Run

from discreet.reading.content import Content, take


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_protect_reads_the_published_file_back_once(
    options: list[str], in_process: Run, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []

    def counted(file: Path) -> Content:
        reads.append(f"{file.parent.name}/{file.name}")
        return take(file)

    monkeypatch.setattr(importlib.import_module("discreet.writing.reread"), "take", counted)
    done = in_process("protect", "people.csv", *options, folder=work)
    assert done.returncode == 0, done.stderr
    assert reads == ["public/people.csv"]
