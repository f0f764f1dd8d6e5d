"""People in diplomatic documents: who is who within each document, and how many mentions are covered."""

from __future__ import annotations

from pathlib import Path

import pytest
from experiments.diplomatic_people import VOLUMES, Volume, found, gold_spans, joined, read_volume

from discreet.text import Corpus


@pytest.fixture(scope="module", params=VOLUMES)
def volume(request: pytest.FixtureRequest, reference_data: Path) -> Volume:
    path = reference_data / f"{request.param}.xml.gz"
    if not path.is_file():
        pytest.skip(f"volume not found: expected {path}")
    return read_volume(path)


def test_variants_are_joined_within_documents(volume: Volume) -> None:
    who = joined(volume)
    assert min(who) >= 0.99


def test_one_register_covers_mentions_that_were_found_in_other_documents_only(volume: Volume) -> None:
    """Every third document has its people tagged; the others follow from what those tell."""
    tagged = [gold_spans(each) if number % 3 == 0 else [] for number, each in enumerate(volume.tagged)]
    share = found(Volume(Corpus(documents=volume.corpus.documents), volume.tagged), tagged)
    assert share.recognised <= 0.45
    assert share.documents <= 0.46
    assert share.volume >= 0.88
