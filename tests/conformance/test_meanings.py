"""Words that stand for no concept: refused, kept apart where that is asked for, or explained by a mapping."""

from __future__ import annotations

import contextlib
from typing import Any

import polars as pl
import pytest
from tests.small_ontologies import ANIMALS

from discreet.errors import UnmappedValues, Unreachable
from discreet.loss import semantic_sse
from discreet.registry import Method, methods
from discreet.results import Masked
from discreet.table import Table

WORDS = [*["dog", "dog", "cat", "cat", "eagle", "eagle", "dog", "cat"] * 2, "hound", "hound"]
MASKS = [each for each in methods("mask") if any(known.name == "unmapped" for known in each.parameters)]


def animals(words: list[str]) -> Table:
    return Table.of(pl.DataFrame({"animal": words}), roles={}, rest="quasi-identifier")


@pytest.fixture(params=MASKS, ids=lambda each: each.name)
def method(request: pytest.FixtureRequest) -> Method:
    found: Method = request.param
    return found


def run(method: Method, **given: Any) -> Masked:
    amount = {"k": 2} if any(each.name == "k" for each in method.parameters) else {"p": 40.0}
    seed = {"seed": 1} if method.random else {}
    masked: Masked = method.function(
        animals(WORDS), columns=["animal"], ontology=ANIMALS, **amount, **seed, **given
    )
    return masked


def test_a_word_without_a_meaning_is_refused_unless_it_is_kept_apart_or_explained(method: Method) -> None:
    assert len(MASKS) >= 7
    with pytest.raises(UnmappedValues, match="1 of 4 values stand for no concept") as told:
        run(method)
    assert told.value.values == ("hound",)
    assert "hound" not in str(told.value)
    known = {"dog", "cat", "eagle", "hound", "mammal", "bird", "animal", None}
    for given in ({"unmapped": "apart"}, {"mapping": {"hound": "dog"}}):
        assert set(run(method, **given).table.frame["animal"]) <= known


@pytest.mark.parametrize("name", ["generalise", "mondrian", "semantic_recode"])
def test_with_a_meaning_a_word_is_joined_with_its_kin_and_without_one_it_is_not(name: str) -> None:
    mask = next(each for each in MASKS if each.name == name)
    table = animals(["dog"] * 3 + ["hound"] + ["cat"] * 3 + ["eagle"] * 4)

    def done(**given: Any) -> list[str | None]:
        masked: Masked = mask.function(table, columns=["animal"], ontology=ANIMALS, k=2, **given)
        return masked.table.frame["animal"].to_list()

    explained = done(mapping={"hound": "dog"})
    # The single hound cannot stay alone; as a dog it is joined with dogs, and eagles stay among birds.
    assert explained[3] == explained[0]
    assert explained[3] in ("dog", "mammal", "animal")
    with contextlib.suppress(Unreachable):
        assert done(unmapped="apart")[3] not in ("dog", "hound", "mammal")


def test_a_measure_counts_a_word_without_a_meaning_as_far_and_an_explained_one_as_near() -> None:
    old, new = animals(["dog", "hound", "cat", "eagle"]), animals(["dog", "dog", "cat", "eagle"])
    given: dict[str, Any] = {"columns": ["animal"], "ontology": ANIMALS}
    assert semantic_sse(old, new, **given, mapping={"hound": "dog"}).loss == pytest.approx(0)
    assert semantic_sse(old, new, **given).loss > 0
