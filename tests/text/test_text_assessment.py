"""The assessment of text: headlines by the strongest attack, and limits that are met only where all was computed."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from tests.text.vectors.small_corpora import invented, some_matrix

from discreet.assessment.limits import EXCEEDED, MET, NO_LIMITS, NOT_CHECKED
from discreet.errors import BadParameter, NotComputable, UnknownMethod
from discreet.headline import Before
from discreet.results import Loss, Risk
from discreet.text.assessment import TextAssessment, TextSubject, assess_text
from discreet.text.method import TextMethod
from discreet.text.vectors.assess import assess_vectors
from discreet.text.vectors.spherical_microaggregate import microaggregate

NOTHING = Before(identity=None, attribute=None, k=None)


def attack(
    name: str,
    risk: float | None,
    *,
    headline: Literal["", "identity", "attribute"] = "identity",
    needed: bool = True,
    **more: object,
) -> TextMethod[None, Risk]:
    def run(_: None) -> Risk:
        if risk is None:
            raise NotComputable(f"{name}: not here.")
        return Risk(name=name, risk=risk, meaning="m", attempts=10, **more)  # type: ignore[arg-type]

    return TextMethod(
        name=name,
        kind="attack",
        title=name,
        meaning="m",
        run=run,
        headline=headline,
        needed=needed,
    )


def assessed(*methods: TextMethod[None, Risk], **options: object) -> TextAssessment:
    subject = TextSubject(name="x", kind="documents", size="2 documents")
    found = {each.name: each for each in methods}
    return assess_text(subject, None, found, before=NOTHING, **options)  # type: ignore[arg-type]


def test_the_headline_is_the_strongest_attack() -> None:
    found = assessed(attack("a", 0.1), attack("b", 0.3), attack("c", 0.9, headline=""))
    assert found.identity is not None
    assert (found.identity.risk, found.identity.attack) == (0.3, "b")
    assert found.attribute is None
    assert found.verdict == NO_LIMITS


@pytest.mark.parametrize(("bound", "status"), [(0.2, EXCEEDED), (0.3, MET)])
def test_a_limit_on_the_headline_is_met_or_exceeded(bound: float, status: str) -> None:
    found = assessed(attack("a", 0.1), attack("b", 0.3), ceilings={"identity": bound})
    assert found.verdict == status
    assert found.acceptable == (status == MET)


def test_a_needed_attack_that_could_not_be_computed_leaves_the_limit_unchecked() -> None:
    found = assessed(attack("a", 0.1), attack("b", None), ceilings={"identity": 0.5})
    assert found.verdict == NOT_CHECKED
    assert "b: not here" in found.limits[0].unchecked
    assert (
        assessed(attack("a", 0.1), attack("b", None, needed=False), ceilings={"identity": 0.5}).verdict == MET
    )


def test_a_needed_attack_that_was_not_asked_for_leaves_the_limit_unchecked() -> None:
    found = assessed(attack("a", 0.1), attack("b", 0.2), attacks=["a"], ceilings={"identity": 0.5})
    assert found.verdict == NOT_CHECKED
    assert "b was not run" in found.limits[0].unchecked


def test_no_attack_at_all_is_never_safe() -> None:
    found = assessed(attack("a", None), ceilings={"identity": 1.0})
    assert found.identity is not None
    assert found.identity.risk == 1.0
    assert found.verdict == NOT_CHECKED
    assert assessed(ceilings={"identity": 1.0}).verdict == NOT_CHECKED


def test_a_sample_that_leaves_more_possible_is_not_met() -> None:
    sampled = attack("a", 0.1, interval=(0.0, 0.4), details={"people_tried": 10})
    assert assessed(sampled, ceilings={"identity": 0.3}).verdict == NOT_CHECKED
    assert assessed(sampled, ceilings={"identity": 0.4}).verdict == MET


def test_what_is_learned_counts_by_what_guessing_leaves_open() -> None:
    found = assessed(attack("a", 0.8, headline="attribute", baseline=0.6))
    assert found.attribute is not None
    assert found.attribute.risk == pytest.approx(0.5)


def test_a_limit_names_an_attack_and_computes_it() -> None:
    found = assessed(attack("a", 0.1), attack("b", 0.2), attacks=["a"], ceilings={"b": 0.1})
    assert found.risk("b") is not None
    assert found.verdict == EXCEEDED
    with pytest.raises(UnknownMethod):
        assessed(attack("a", 0.1), ceilings={"nothing": 0.1})
    loss: TextMethod[None, Loss] = TextMethod(
        name="l", kind="loss", title="l", meaning="m", run=lambda _: Loss(name="l", loss=0.0, meaning="m")
    )
    with pytest.raises(BadParameter, match="measure of loss"):
        assessed(loss, ceilings={"l": 0.1})  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="from 0 to 1"):
        assessed(attack("a", 0.1), ceilings={"a": 10})


def test_a_whole_assessment_of_vectors_is_json_and_shows_no_word() -> None:
    matrix = invented(80)
    found = assess_vectors(
        matrix, microaggregate(matrix, k=4), ceilings={"identity": 0.25}, floors={"k_anonymity": 4}
    )
    assert found.verdict == MET
    assert found.before.identity == 1.0
    text = json.dumps(found.to_dict(), allow_nan=False) + repr(found) + str(found)
    # Some terms are words that an assessment says anyway.
    assert not [
        term
        for term in matrix.vocabulary
        if term in text and term not in ("class", "report", "test", "grade")
    ]
    assert {each.name for each in found.not_done} == {"link_semantic", "class_learned"}
    assert not any(each.applies for each in found.not_done)


def test_a_corpus_of_one_class_leaves_classification_uncomputed_and_nothing_else() -> None:
    matrix = some_matrix(1, 40, classes=1)
    found = assess_vectors(matrix, microaggregate(matrix, k=4, rare="keep"))
    assert [each.name for each in found.not_done if each.applies] == ["classification"]
