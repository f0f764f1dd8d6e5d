"""What the desk reads from the folder by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.manifest import PRIVATE_NAME
from discreet.web.desk import original_of


@pytest.mark.parametrize(
    ("secrets", "named"),
    [
        ('{"original": {"name": "people.csv"}}', "people.csv"),
        ('{"original": {}}', None),
        ('{"original": "people.csv"}', None),
        ("{}", None),
        ("[]", None),
        ("no JSON", None),
        (None, None),
    ],
)
def test_a_release_names_its_original_or_none_whatever_its_private_half_holds(
    tmp_path: Path, secrets: str | None, named: str | None
) -> None:
    if secrets is not None:
        (tmp_path / "private").mkdir()
        (tmp_path / "private" / PRIVATE_NAME).write_text(secrets)
    assert original_of(tmp_path) == named
