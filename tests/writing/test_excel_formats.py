"""Days and times are written with the formats by which a spreadsheet shows them."""

from __future__ import annotations

import zipfile
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from discreet.writing.excel import write_excel


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (date(1967, 10, 16), "yyyy-mm-dd"),
        (time(8, 30), "hh:mm:ss"),
        (datetime(1967, 10, 16, 8, 30), "yyyy-mm-dd hh:mm:ss"),
    ],
)
def test_days_and_times_are_shown_as_such(value: Any, shown: str, tmp_path: Path) -> None:
    write_excel(pl.DataFrame({"when": [value]}), tmp_path / "people.xlsx")
    with zipfile.ZipFile(tmp_path / "people.xlsx") as book:
        assert f'formatCode="{shown}"' in book.read("xl/styles.xml").decode()
