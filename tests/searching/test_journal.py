from __future__ import annotations

import json
from pathlib import Path

import pytest

from discreet.errors import BadFile
from discreet.searching.journal import FORMAT, Journal

HEADER = json.dumps({"format": FORMAT, "draw": 0}).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfeZaphod\n",
        b"Zaphod,42\n",
        HEADER + b"\nZaphod\n",
        HEADER + b'\n{"Zaphod": 1}\n',
        HEADER + b"\n3\n",
    ],
)
def test_a_file_that_is_no_journal_is_a_bad_file_and_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "journal"
    file.write_bytes(content)
    with pytest.raises(BadFile) as told:
        Journal(file, {"draw": 0})
    assert "Zaphod" not in str(told.value)
    assert file.read_bytes() == content
