"""What is learned from reviewed court documents: a short version of experiments/court_documents.py."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from discreet.text.entities.annotations import AnnotatedDocument, read_annotations
from discreet.text.entities.learning.model import Chances
from discreet.text.entities.learning.threshold import cross_fitted
from discreet.text.entities.scores import detection_scores
from discreet.text.span import Span

SCRIPT = Path(__file__).resolve().parents[4] / "experiments" / "court_documents.py"
Prepared = tuple[ModuleType, tuple[AnnotatedDocument, ...], list[tuple[Span, ...]], tuple[Chances, ...]]


@pytest.fixture(scope="module")
def prepared(reference_data: Path) -> Prepared:
    spec = importlib.util.spec_from_file_location("court_documents_experiment", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    documents = read_annotations(reference_data / "court.jsonl.gz")[::8]
    rules = module.by_rules(documents)
    return module, documents, rules, cross_fitted(documents, rules)


def test_what_is_learned_from_few_documents_adds_to_the_rules_and_misses_nobody(prepared: Prepared) -> None:
    experiment, documents, rules, chances = prepared
    alone = detection_scores(documents, rules)
    rows = dict(experiment.with_learning(documents, rules, chances))
    scores = [detection_scores(documents, each) for each in rows.values()]
    for each in scores:
        assert each.direct.found == each.direct.of
        assert each.quasi.found >= alone.quasi.found
    assert max(each.quasi.share for each in scores if each.precision.share >= 0.70) >= 0.93


def test_a_lower_threshold_hides_more_and_is_right_less_often(prepared: Prepared) -> None:
    experiment, documents, rules, chances = prepared
    found = [
        detection_scores(documents, each) for _, each in experiment.with_learning(documents, rules, chances)
    ]
    assert [each.tokens.found for each in found] == sorted(
        (each.tokens.found for each in found), reverse=True
    )
    assert [each.precision.share for each in found] == sorted(each.precision.share for each in found)


def test_few_documents_do_not_show_that_two_percent_are_missed_at_most(prepared: Prepared) -> None:
    experiment, documents, rules, chances = prepared
    told = experiment.promise(documents, rules, chances)
    assert told.threshold is None
    assert told.bound > 0.02
    assert told.more_documents > 0


def test_the_register_takes_nothing_away(prepared: Prepared) -> None:
    experiment, documents, rules, _ = prepared
    plain, more = (
        detection_scores(documents, each) for _, each in experiment.without_learning(documents, rules)
    )
    assert more.direct.found >= plain.direct.found
    assert more.quasi.found >= plain.quasi.found
