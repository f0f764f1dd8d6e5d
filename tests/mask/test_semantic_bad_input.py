"""Ontologies and values that make trouble: each gives a named error or a defined answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from discreet.errors import BadFile, BadParameter, CyclicOntology, EmptyOntology, UnmappedValues
from discreet.mask import semantic_microaggregate, semantic_recode, semantic_resample
from discreet.ontology import VIRTUAL_ROOT, of_edges
from discreet.results import Masked
from discreet.table import Table

MASKS = [semantic_microaggregate, semantic_recode, semantic_resample]


@pytest.fixture(params=MASKS, ids=lambda mask: mask.__name__)
def mask(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def table_of(values: Sequence[str | None]) -> Table:
    return Table.of(pl.DataFrame({"pet": values}), roles={}, rest="quasi-identifier")


def masked(mask: Any, values: Sequence[str | None], ontology: Any, **parameters: Any) -> list[str | None]:
    given = parameters if mask is not semantic_resample else {"seed": 1, **parameters}
    done: Masked = mask(table_of(values), columns=["pet"], k=2, ontology=ontology, **given)
    for guarantee in done.guarantees:
        guarantee.check(done.table)
    return done.table.frame["pet"].to_list()


def test_unknown_values_are_an_error_that_holds_them(mask: Any) -> None:
    with pytest.raises(UnmappedValues, match="column 'pet': 2 of 3 values") as caught:
        masked(mask, ["dog", "dragon", "unicorn"], of_edges([("dog", "animal")]))
    assert set(caught.value.values) == {"dragon", "unicorn"}


def test_unknown_values_may_stand_apart(mask: Any) -> None:
    found = masked(mask, ["dog"] * 2 + ["dragon"] * 2, of_edges([("dog", "animal")]), unmapped="apart")
    assert min(Counter(found).values()) >= 2


def test_a_value_in_another_language_is_unknown_until_it_is_mapped(mask: Any) -> None:
    animals = of_edges([("dog", "animal"), ("cat", "animal")])
    with pytest.raises(UnmappedValues, match="1 of 2 values"):
        masked(mask, ["Hündin", "dog"], animals)
    found = masked(mask, ["Hündin", "Hündin", "dog", "dog"], animals, mapping={"Hündin": "dog"})
    assert set(found) <= {"Hündin", "dog"}


def test_a_mapping_to_no_concept_is_an_error(mask: Any) -> None:
    with pytest.raises(UnmappedValues):
        masked(mask, ["Hündin", "dog"], of_edges([("dog", "animal")]), mapping={"Hündin": "hound"})


def test_links_in_a_circle_are_an_error_that_holds_the_concepts(mask: Any, tmp_path: Path) -> None:
    path = tmp_path / "circle.csv"
    path.write_text("child,parent\ndog,animal\nanimal,being\nbeing,animal\n")
    with pytest.raises(CyclicOntology, match="2 concepts lie on cycles") as caught:
        masked(mask, ["dog", "dog"], str(path))
    assert set(caught.value.concepts) == {"animal", "being"}


def test_an_empty_ontology_is_an_error(mask: Any, tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.write_text("child,parent\n")
    with pytest.raises(EmptyOntology):
        masked(mask, ["dog", "dog"], str(path))


def test_a_file_that_is_not_there_is_an_error_with_its_name(mask: Any) -> None:
    with pytest.raises(BadFile, match=r"no ontology 'animals\.csv'"):
        masked(mask, ["dog", "dog"], "animals.csv")


def test_a_file_of_a_mapping_that_is_not_there_is_an_error(mask: Any) -> None:
    with pytest.raises(BadFile, match="mapping file"):
        masked(mask, ["dog", "dog"], of_edges([("dog", "animal")]), mapping="nowhere.csv")


def test_two_roots_have_a_virtual_one_above_them() -> None:
    two = of_edges([("dog", "animal"), ("rose", "plant")])
    found = masked(semantic_microaggregate, ["dog", "rose"], two, centroid="lcs")
    assert found == [VIRTUAL_ROOT, VIRTUAL_ROOT]


def test_several_parents_all_count(mask: Any) -> None:
    pets = of_edges(
        [("dog", "mammal"), ("dog", "pet"), ("parrot", "bird"), ("parrot", "pet"), ("lion", "mammal")]
    )
    found = masked(mask, ["dog", "parrot", "lion", "lion"], pets)
    assert min(Counter(found).values()) >= 2


def test_of_several_common_subsumers_the_deepest_then_the_first_is_taken() -> None:
    pets = of_edges(
        [("dog", "b"), ("dog", "a"), ("parrot", "b"), ("parrot", "a"), ("a", "thing"), ("b", "thing")]
    )
    assert masked(semantic_microaggregate, ["dog", "parrot"], pets, centroid="lcs") == ["a", "a"]


def test_a_label_that_two_concepts_share_is_not_published_for_both() -> None:
    shared = of_edges(
        [("d1", "m1"), ("d2", "m1"), ("c1", "m2"), ("c2", "m2"), ("m1", "top"), ("m2", "top")],
        labels={"m1": "animal", "m2": "animal"},
    )
    found = masked(semantic_microaggregate, ["d1", "d2", "c1", "c2"], shared, centroid="lcs", distance="path")
    assert sorted(Counter(found).values()) == [2, 2]
    assert len(set(found)) == 2


def test_an_ontology_of_one_concept_masks_what_it_knows(mask: Any) -> None:
    alone = of_edges([], labels={"dog": "dog"})
    assert masked(mask, ["dog", "dog", "dog"], alone) == ["dog"] * 3


def test_an_unknown_distance_is_refused_by_name(mask: Any) -> None:
    with pytest.raises(BadParameter, match=f"{mask.__name__}: distance must be one of path"):
        masked(mask, ["dog", "dog"], of_edges([("dog", "animal")]), distance="crow")
