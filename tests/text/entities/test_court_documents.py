"""Court documents whose entities people marked: what the rules find in some of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.text.entities.annotations import AnnotatedDocument, read_annotations
from discreet.text.entities.recogniser import recognisers
from discreet.text.entities.recognition import recognise
from discreet.text.entities.scores import detection_scores

RULES = [each.name for each in recognisers() if each.name != "named_entities"]


@pytest.fixture(scope="module")
def documents(reference_data: Path) -> tuple[AnnotatedDocument, ...]:
    return read_annotations(reference_data / "court.jsonl.gz")


def test_all_annotated_documents_are_read(documents: tuple[AnnotatedDocument, ...]) -> None:
    assert len(documents) == 113
    assert sum(len(each.annotations) for each in documents) == 5186


def test_rules_alone_reach_the_bars_on_court_documents(documents: tuple[AnnotatedDocument, ...]) -> None:
    scores = detection_scores(documents, [recognise(each.text, recognisers=RULES) for each in documents])
    assert scores.direct.share >= 0.98
    assert scores.quasi.share >= 0.88
    assert scores.precision.share >= 0.75


def test_the_model_adds_to_the_rules(documents: tuple[AnnotatedDocument, ...]) -> None:
    few = documents[::30]
    rules = detection_scores(few, [recognise(each.text, recognisers=RULES) for each in few])
    both = detection_scores(few, [recognise(each.text) for each in few])
    assert both.direct.found >= rules.direct.found
    assert both.quasi.found >= rules.quasi.found
    assert both.precision.share >= 0.65
