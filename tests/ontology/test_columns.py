"""Columns in their ontologies: names, files beside the project, mappings, and values that mean nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import discreet as dc
from discreet.errors import BadFile, BadTable, UnmappedValues
from discreet.ontology import Ontology, Space, distance, map_values, of_edges
from discreet.ontology.chosen import OntologyKind, ontology_named, ontology_of
from discreet.ontology.columns import Interpretation, flat, means_something, understood
from discreet.results import Masked
from discreet.table import Table

HIERARCHY = "dog;mammal;animal\ncat;mammal;animal\neagle;bird;animal\n"
PROJECT = """
[columns.pet]
role = "quasi-identifier"
ontology = "animals.csv"
mapping = "words.csv"

[columns.town]
role = "quasi-identifier"
"""


def table_of(values: list[str | None], ontology: str = "") -> Table:
    frame = pl.DataFrame({"pet": values}, schema={"pet": pl.String})
    given = {"pet": ontology} if ontology else {}
    return Table.of(frame, roles={}, rest="quasi-identifier", ontologies=given)


@pytest.fixture
def animals(tmp_path: Path, cache_home: Path) -> Path:
    path = tmp_path / "animals.csv"
    path.write_text(HIERARCHY)
    return path


def test_a_project_names_files_from_its_own_folder(
    animals: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = animals.parent
    (home / "words.csv").write_text("value,concept\nhound,dog\n")
    (home / "discreet.toml").write_text(PROJECT)
    (home / "pets.csv").write_text("pet,town\nhound,A\ncat,B\neagle,A\n")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    table = dc.read(home / "pets.csv")
    assert table["pet"].ontology == "animals.csv"
    space, codes = understood([table], "pet", Interpretation())
    assert space.values == ("cat", "eagle", "hound")
    assert codes[0].tolist() == [2, 0, 1]
    assert space.between[2, 0] < space.between[2, 1]


def test_a_project_that_names_a_folder_of_its_own_keeps_machine_paths_out_of_manifests(animals: Path) -> None:
    home = animals.parent
    (home / "discreet.toml").write_text(PROJECT.replace('mapping = "words.csv"\n', ""))
    (home / "pets.csv").write_text("pet,town\ndog,A\ncat,B\neagle,A\n")
    table = dc.read(home / "pets.csv")
    release = dc.protect(table, dc.Plan.of([("semantic_microaggregate", {"k": 3})]), seed=1)
    public = repr(release.manifest.to_dict())
    assert "animals.csv" in public
    assert str(home) not in public


@pytest.mark.parametrize(
    "method", ["semantic_microaggregate", "semantic_resample", "semantic_recode", "generalise", "mondrian"]
)
def test_a_public_manifest_names_files_without_folders_and_the_digest_of_the_ontology(
    animals: Path, method: str
) -> None:
    words = animals.parent / "words.csv"
    words.write_text("value,concept\nhound,dog\n")
    table = table_of(["hound", "cat", "eagle", "cat"], ontology=str(animals))
    given = {"columns": ["pet"], "k": 2, "ontology": {"pet": str(animals)}, "mapping": str(words)}
    release = dc.protect(table, dc.Plan.of([(method, given)]), seed=1)
    public = release.manifest.to_dict()
    assert str(animals.parent) not in repr(public)
    step = public["steps"][0]
    assert (step["parameters"]["ontology"], step["parameters"]["mapping"]) == (
        {"pet": "animals.csv"},
        "words.csv",
    )
    assert step["ontologies"] == {"pet": {"name": "animals", "sha256": dc.ontology.read(animals).digest}}
    assert public["columns"]["pet"]["ontology"] == "animals.csv"
    assert release.private is not None
    assert release.private.to_dict()["plan"][0]["ontology"] == {"pet": str(animals)}


def test_categories_that_were_understood_in_no_ontology_name_none() -> None:
    given = {"columns": ["pet"], "k": 2, "distance": "exact"}
    release = dc.protect(table_of(["dog", "cat"]), dc.Plan.of([("semantic_microaggregate", given)]), seed=1)
    assert "ontologies" not in release.manifest.to_dict()["steps"][0]


def test_a_given_ontology_goes_before_the_columns_own(animals: Path) -> None:
    table = table_of(["dog"], ontology=str(animals))
    other = of_edges([("dog", "thing")], name="other")
    assert str(ontology_of(table, "pet", None)).startswith("animals")
    assert ontology_of(table, "pet", other) is other
    assert ontology_of(table, "pet", {"pet": other}) is other
    assert str(ontology_of(table, "pet", {"town": other})).startswith("animals")
    assert ontology_of(table_of(["dog"]), "pet", None) is None


def test_a_file_that_changed_is_read_anew(animals: Path) -> None:
    assert len(ontology_named(str(animals))) == 6
    assert ontology_named(str(animals)) is ontology_named(str(animals))
    animals.write_text(HIERARCHY + "sparrow;bird;animal\n")
    assert len(ontology_named(str(animals))) == 7


def test_an_ontology_that_is_nowhere_is_an_error_with_its_name() -> None:
    with pytest.raises(BadFile, match="there is no ontology 'wordnett'"):
        ontology_named("wordnett")


def test_a_mapping_that_is_given_goes_before_the_columns_own(animals: Path) -> None:
    (animals.parent / "words.csv").write_text("value,concept\nhound,dog\nbeast,cat\n")
    table = table_of(["hound", "beast"], ontology="animals.csv")
    column = replace(table["pet"], mapping="words.csv")
    table = replace(table, columns=(column,), home=str(animals.parent))
    own, _ = understood([table], "pet", Interpretation())
    given, _ = understood([table], "pet", Interpretation(mapping={"hound": "eagle"}))
    words = own.distance.ontology.identifiers
    assert [words[int(own.concepts[each])] for each in own.own] == ["cat", "dog"]
    assert [words[int(given.concepts[each])] for each in given.own] == ["cat", "eagle"]


def test_values_without_a_concept_are_counted_with_their_column(animals: Path) -> None:
    table = table_of(["dog", "dragon", "Hund"], ontology=str(animals))
    with pytest.raises(UnmappedValues, match="column 'pet': 2 of 3 values") as caught:
        understood([table], "pet", Interpretation())
    assert set(caught.value.values) == {"dragon", "Hund"}
    assert "dragon" not in str(caught.value)


def test_a_column_without_an_ontology_is_an_error_unless_values_may_stand_apart() -> None:
    table = table_of(["a", "b"])
    with pytest.raises(BadTable, match="column 'pet' has no ontology"):
        understood([table], "pet", Interpretation())
    space, _ = understood([table], "pet", Interpretation(unmapped="apart"))
    assert space.between.tolist() == [[0, 1], [1, 0]]


def test_an_exact_distance_needs_no_ontology() -> None:
    space, codes = understood([table_of(["b", None, "a"])], "pet", Interpretation(distance="exact"))
    assert space.values == ("a", "b")
    assert codes[0].tolist() == [1, -1, 0]


def test_a_column_without_values_has_no_codes() -> None:
    _, codes = understood([table_of([None, None], ontology="nowhere.csv")], "pet", Interpretation())
    assert codes[0].tolist() == [-1, -1]


def test_the_centroid_of_flat_values_is_the_mode() -> None:
    space = flat(["a", "b", "c"])
    assert space.texts[space.centroid([1, 3, 2])] == "b"
    assert space.texts[space.centroid([2, 1, 2])] == "a"


def test_ordered_columns_mean_something_only_where_an_ontology_is_theirs() -> None:
    ordinal = Table.of(
        pl.DataFrame({"pet": ["a"]}), roles={}, rest="quasi-identifier", orders={"pet": ["a"]}
    )["pet"]
    assert not means_something(ordinal, Interpretation(ontology="wordnet"))
    assert means_something(ordinal, Interpretation(ontology={"pet": "wordnet"}))
    assert means_something(replace(ordinal, ontology="wordnet"), Interpretation())


def test_a_parameter_may_be_a_name_an_object_or_one_for_each_column() -> None:
    kind, pets = OntologyKind(about="x"), of_edges([("dog", "animal")], name="pets")
    for good in ("wordnet", pets, {"pet": pets, "town": "towns.csv"}):
        assert kind.accepts(good)
    for bad in (3, "", None, {"pet": 3}, {3: "wordnet"}, [pets]):
        assert not kind.accepts(bad)
    assert kind.plain({"pet": pets, "town": "towns.csv"}) == {"pet": "pets", "town": "towns.csv"}


def test_who_looks_up_a_published_text_finds_what_was_meant() -> None:
    banks = of_edges(
        [("b1", "slope"), ("b2", "shop"), ("b3", "b2"), ("slope", "thing"), ("shop", "thing")],
        labels={"b1": "bank", "b2": "bank", "b3": "branch"},
        synonyms={"b2": ["bank house"]},
        name="banks",
    )
    space = Space.of(distance(banks), map_values(banks, ["branch", "b1"]))
    for candidate, concept in enumerate(space.concepts.tolist()):
        assert banks.find(space.texts[candidate])[0] == concept
    assert "bank house" in {space.texts[each] for each in range(len(space.concepts))}


def test_who_looks_up_a_text_of_wordnet_finds_what_was_meant(real_wordnet: Ontology) -> None:
    chosen = np.sort(np.random.default_rng(3).choice(len(real_wordnet), 300, replace=False))
    space = Space.of(distance(real_wordnet), chosen)
    texts = [space.texts[each] for each in range(len(space.concepts))]
    assert len(set(texts)) == len(texts)
    for text, concept in zip(texts, space.concepts.tolist(), strict=True):
        assert real_wordnet.find(text)[0] == concept


def coded_pets(codes: list[int]) -> Table:
    """Pets as a statistical file has them: codes with labels, one of them for none that occurs."""
    table = Table.of(
        pl.DataFrame({"pet": codes}), roles={}, scales={"pet": "nominal"}, rest="quasi-identifier"
    )
    labels = {"1": "dog", "2": "cat", "3": "bird of prey", "4": "animal"}
    return table.with_values({}, [replace(table["pet"], value_labels=labels)])


def test_codes_stand_for_their_labels_and_not_for_numbers() -> None:
    animals = of_edges(
        [("dog", "mammal"), ("cat", "mammal"), ("eagle", "animal"), ("mammal", "animal"), ("1", "animal")]
    )
    how = Interpretation(ontology=animals, mapping={"3": "eagle"})
    space, _ = understood([coded_pets([1, 2, 3])], "pet", how)
    meant = [animals.identifiers[int(space.concepts[place])] for place in space.own]
    assert meant == ["dog", "cat", "eagle"]
    by_label = Interpretation(ontology=animals, mapping={"bird of prey": "eagle"})
    other, _ = understood([coded_pets([1, 2, 3])], "pet", by_label)
    assert np.array_equal(other.between, space.between)


@pytest.mark.parametrize(
    "mask",
    [dc.mask.semantic_microaggregate, dc.mask.generalise_locally, dc.mask.mondrian, dc.mask.generalise],
)
def test_codes_that_are_still_published_keep_their_labels(mask: Callable[..., Masked]) -> None:
    animals = of_edges([("dog", "mammal"), ("cat", "mammal"), ("eagle", "animal"), ("mammal", "animal")])
    table = coded_pets([1, 1, 1, 2, 3, 3, 3])
    done = mask(table, columns=["pet"], k=3, ontology=animals, mapping={"3": "eagle"}).table
    codes = {code for code in done.frame["pet"].cast(pl.String).unique() if code in "123"}
    assert set(done["pet"].value_labels) - {"4"} == codes
