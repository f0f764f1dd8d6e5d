"""Semantic microaggregation: worked examples, brute force, and what it guarantees."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import NotComputable, Unreachable
from discreet.mask import semantic_microaggregate
from discreet.ontology import Ontology, Space, distance, map_values, of_edges
from discreet.plan import Plan
from discreet.protection import protect
from discreet.table import Table

Rows = list[tuple[str | None, ...]]
DISEASES = ["colic", "lumbago", "migraine", "appendicitis", "gastritis", "pain", "ache"]
TREATMENTS = ["rehabilitation", "antibiotic", "aspirin", "codeine", "hospitalisation"]
PATIENTS = st.lists(
    st.tuples(st.sampled_from(DISEASES), st.sampled_from(TREATMENTS)), min_size=4, max_size=40
)


def table_of(rows: Any, names: tuple[str, ...] = ("disease", "treatment")) -> Table:
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    return Table.of(frame, roles={}, rest="quasi-identifier")


def masked_rows(table: Table, ontologies: dict[str, Ontology], **parameters: Any) -> Rows:
    done = semantic_microaggregate(table, columns=table.names, ontology=ontologies, **parameters)
    return done.table.frame.rows()


class Naive:
    """SA-MDAV as the definition reads, record by record in dictionaries."""

    def __init__(self, ontologies: dict[str, Ontology], rows: Rows, name: str) -> None:
        self.spaces = [
            Space.of(distance(ontology, name), map_values(ontology, sorted({str(row[j]) for row in rows})))
            for j, ontology in enumerate(ontologies.values())
        ]
        self.left = Counter(rows)

    def centroid(self, tuples: Counter[Any]) -> list[int]:
        found = []
        for j, space in enumerate(self.spaces):
            frequencies = [
                sum(count for each, count in tuples.items() if each[j] == value) for value in space.values
            ]
            found.append(space.centroid(frequencies))
        return found

    def apart(self, centre: list[int], one: Any) -> float:
        return sum(
            float(space.distances[c, space.values.index(value)])
            for space, c, value in zip(self.spaces, centre, one, strict=True)
        )

    def own(self, one: Any) -> list[int]:
        return [
            int(space.own[space.values.index(value)]) for space, value in zip(self.spaces, one, strict=True)
        ]

    def grow(self, first: Any, k: int) -> Counter[Any]:
        group = Counter({first: self.left.pop(first)})
        while sum(group.values()) < k:
            centre = self.centroid(group)
            nearest = min(sorted(self.left), key=lambda one: round(self.apart(centre, one), 9))
            group[nearest] = self.left.pop(nearest)
        return group

    def groups(self, k: int) -> list[Counter[Any]]:
        found = []
        while sum(self.left.values()) >= k:
            centre = self.centroid(self.left)
            first = max(sorted(self.left), key=lambda one: round(self.apart(centre, one), 9))
            found.append(self.grow(first, k))
            if sum(self.left.values()) >= k:
                start = self.own(first)
                opposite = max(sorted(self.left), key=lambda one: round(self.apart(start, one), 9))
                found.append(self.grow(opposite, k))
        centres = [self.centroid(group) for group in found]
        for one, count in sorted(self.left.items()):
            nearest = min(range(len(found)), key=lambda g: round(self.apart(centres[g], one), 9))
            found[nearest][one] = count
        return found

    def masked(self, rows: Rows, k: int) -> Rows:
        becomes = {}
        for group in self.groups(k):
            centre = self.centroid(group)
            words = tuple(space.texts[c] for space, c in zip(self.spaces, centre, strict=True))
            becomes.update(dict.fromkeys(group, words))
        return [becomes[row] for row in rows]


@settings(max_examples=60)
@given(PATIENTS, st.integers(2, 5), st.sampled_from(["path", "log_sc"]))
def test_groups_and_centroids_are_those_of_the_definition(
    ontologies: dict[str, Ontology], rows: Rows, k: int, name: str
) -> None:
    if len(rows) < k:
        return
    expected = Naive(ontologies, rows, name).masked(rows, k)
    assert masked_rows(table_of(rows), ontologies, k=k, distance=name) == expected


def test_one_group_of_the_worked_example_becomes_its_centroid(
    oracle: dict[str, Any], patients: Table, ontologies: dict[str, Ontology]
) -> None:
    masked = masked_rows(patients, ontologies, k=len(patients), distance="path")
    assert set(masked) == {tuple(oracle["two_attributes"]["centroid"])}


@pytest.mark.parametrize(
    ("centroid", "expected"), [("semantic", "ache"), ("lcs", "symptom"), ("mode", "lumbago")]
)
def test_the_baselines_have_the_centres_of_the_worked_example(
    oracle: dict[str, Any], ontologies: dict[str, Ontology], centroid: str, expected: str
) -> None:
    values = oracle["disease"]["cases"][0]["values"]
    table = table_of([(value,) for value, times in values.items() for _ in range(times)], ("disease",))
    masked = masked_rows(table, ontologies, k=len(table), distance="path", centroid=centroid)
    assert set(masked) == {(expected,)}


def test_an_exact_distance_makes_the_mode_the_centre(oracle: dict[str, Any]) -> None:
    values = oracle["disease"]["cases"][0]["values"]
    table = table_of([(value,) for value, times in values.items() for _ in range(times)], ("disease",))
    done = semantic_microaggregate(table, columns=["disease"], k=len(table), distance="exact")
    assert done.table.frame["disease"].unique().to_list() == ["lumbago"]


@pytest.mark.parametrize("variant", ["adaptive", "static", "fixed"])
@pytest.mark.parametrize("weighted", [False, True])
@given(rows=PATIENTS, k=st.integers(2, 4))
@settings(max_examples=20)
def test_every_combination_is_shared_by_k(
    ontologies: dict[str, Ontology], rows: Rows, k: int, variant: str, weighted: bool
) -> None:
    masked = masked_rows(table_of(rows), ontologies, k=k, variant=variant, weighted=weighted)
    assert min(Counter(masked).values()) >= k


@given(PATIENTS, st.integers(2, 4), st.randoms())
@settings(max_examples=30)
def test_records_that_were_alike_stay_alike_whatever_their_order(
    ontologies: dict[str, Ontology], rows: Rows, k: int, random: Any
) -> None:
    becomes: dict[Any, Any] = {}
    for row, fresh in zip(rows, masked_rows(table_of(rows), ontologies, k=k), strict=True):
        assert becomes.setdefault(row, fresh) == fresh
    shuffled = random.sample(rows, len(rows))
    assert masked_rows(table_of(shuffled), ontologies, k=k) == [becomes[row] for row in shuffled]


@given(PATIENTS, st.integers(2, 4))
@settings(max_examples=20)
def test_a_file_ten_times_over_is_masked_alike_with_ten_times_k(
    ontologies: dict[str, Ontology], rows: Rows, k: int
) -> None:
    once = masked_rows(table_of(rows), ontologies, k=k)
    assert masked_rows(table_of(rows * 10), ontologies, k=10 * k) == once * 10


@given(PATIENTS, st.integers(2, 4))
@settings(max_examples=20)
def test_fixed_groups_have_k_records_but_the_last(
    ontologies: dict[str, Ontology], rows: Rows, k: int
) -> None:
    done = semantic_microaggregate(
        table_of(rows), columns=["disease", "treatment"], k=k, variant="fixed", ontology=ontologies
    )
    sizes = np.bincount(done.facts["labels"])
    assert (sizes[:-1] == k).all()
    assert k <= sizes[-1] < 2 * k


def test_frequent_combinations_stay_as_they_are(ontologies: dict[str, Ontology]) -> None:
    rows = [("colic", "aspirin")] * 5 + [("gastritis", "codeine")] * 7
    assert masked_rows(table_of(rows), ontologies, k=5) == rows


def test_missing_values_stay_missing_and_rare_patterns_lose_cells(ontologies: dict[str, Ontology]) -> None:
    rows: Rows = [("colic", "aspirin")] * 4 + [("colic", None)] * 3 + [(None, "aspirin")]
    done = semantic_microaggregate(table_of(rows), columns=["disease", "treatment"], k=3, ontology=ontologies)
    masked = done.table.frame.rows()
    assert masked[4:7].count(("colic", None)) + masked[4:7].count((None, None)) == 3
    assert min(Counter(masked).values()) >= 3
    assert done.facts["suppressed_cells"] == sum(
        old is not None and new is None
        for before, after in zip(rows, masked, strict=True)
        for old, new in zip(before, after, strict=True)
    )


def test_a_table_smaller_than_k_is_unreachable(ontologies: dict[str, Ontology]) -> None:
    with pytest.raises(Unreachable, match="k=5 needs at least 5 records"):
        masked_rows(table_of([("colic", "aspirin")]), ontologies, k=5)


def test_a_common_subsumer_of_values_apart_cannot_be_computed(ontologies: dict[str, Ontology]) -> None:
    with pytest.raises(NotComputable, match="no common subsumer"):
        masked_rows(
            table_of([("colic", "aspirin"), ("cheese", "aspirin")]),
            ontologies,
            k=2,
            centroid="lcs",
            unmapped="apart",
        )


@pytest.fixture
def mixed() -> Table:
    generator = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "disease": generator.choice(DISEASES, 60),
            "age": generator.integers(18, 90, 60),
            "pain": generator.choice(["low", "middle", "high"], 60),
        }
    )
    return Table.of(frame, roles={}, rest="quasi-identifier", orders={"pain": ["low", "middle", "high"]})


def test_numbers_and_orders_are_masked_with_concepts(mixed: Table, ontologies: dict[str, Ontology]) -> None:
    done = semantic_microaggregate(
        mixed, columns=["disease", "age", "pain"], k=4, ontology={"disease": ontologies["disease"]}
    )
    frame = done.table.frame
    assert min(Counter(frame.rows()).values()) >= 4
    assert frame["age"].mean() == pytest.approx(mixed.frame["age"].mean())
    assert set(frame["pain"]) <= {"low", "middle", "high"}
    assert done.table["pain"].scale == "ordinal"
    assert {guarantee.to_dict()["guarantee"] for guarantee in done.guarantees} == {"KAnonymous", "SameMeans"}
    for label in np.unique(done.facts["labels"]):
        own = mixed.frame.filter(pl.Series(done.facts["labels"] == label))
        places = sorted(["low", "middle", "high"].index(each) for each in own["pain"])
        assert frame.filter(pl.Series(done.facts["labels"] == label))["pain"].unique().to_list() == [
            ["low", "middle", "high"][places[(len(places) - 1) // 2]]
        ]


def test_the_weight_of_numbers_decides_which_columns_are_kept(
    mixed: Table, ontologies: dict[str, Ontology]
) -> None:
    def changed(weight: float) -> tuple[float, int]:
        frame = semantic_microaggregate(
            mixed,
            columns=["disease", "age"],
            k=4,
            ontology={"disease": ontologies["disease"]},
            numeric_weight=weight,
        ).table.frame
        years = float(np.abs(frame["age"].to_numpy() - mixed.frame["age"].to_numpy()).mean())
        return years, int((frame["disease"] != mixed.frame["disease"]).sum())

    (near_years, near_words), (far_years, far_words) = changed(20), changed(0.05)
    assert near_years < far_years
    assert near_words > far_words


def test_two_words_for_one_concept_are_published_as_one(ontologies: dict[str, Ontology]) -> None:
    table = table_of([("head pain", "aspirin"), ("migraine", "aspirin"), ("headache", "aspirin")])
    masked = masked_rows(table, ontologies, k=3, mapping={"head pain": "migraine", "headache": "migraine"})
    assert len(set(masked)) == 1
    assert masked[0][0] in {"head pain", "migraine", "headache"}


def test_a_release_says_which_ontology_was_meant_and_holds_no_object(
    patients: Table, ontologies: dict[str, Ontology]
) -> None:
    plan = Plan.of(
        [("semantic_microaggregate", {"columns": ["disease", "treatment"], "ontology": ontologies})]
    )
    assert plan.to_dict()[0]["ontology"] == {"disease": "disease", "treatment": "treatment"}
    release = protect(patients, plan, seed=1)
    assert release.manifest.to_dict()["steps"][0]["parameters"]["ontology"] == {
        "disease": "disease",
        "treatment": "treatment",
    }
    assert [guarantee["guarantee"] for guarantee in release.manifest.guarantees] == ["KAnonymous"]


def test_several_senses_are_near_by_the_nearest(ontologies: dict[str, Ontology]) -> None:
    banks = of_edges(
        [("river", "water"), ("bank.1", "river"), ("bank.2", "shop"), ("water", "thing"), ("shop", "thing")],
        labels={"bank.1": "bank", "bank.2": "bank"},
        synonyms={"bank.2": ["branch"]},
        name="banks",
    )
    rows = [("bank",), ("bank",), ("branch",), ("water",), ("water",), ("water",)]
    first = masked_rows(table_of(rows, ("disease",)), {"disease": banks}, k=3)
    every = masked_rows(table_of(rows, ("disease",)), {"disease": banks}, k=3, senses="all")
    assert every[0] == every[2]
    assert Counter(first)[first[0]] >= 3


def test_a_tie_is_a_tie_in_whatever_order_distances_add_up(ontologies: dict[str, Ontology]) -> None:
    rows: Rows = [
        *[("colic", "rehabilitation")] * 3,
        ("lumbago", "rehabilitation"),
        ("lumbago", "aspirin"),
        ("ache", "codeine"),
    ]
    masked = masked_rows(table_of(rows), ontologies, k=2, distance="log_sc")
    assert masked == Naive(ontologies, rows, "log_sc").masked(rows, 2)


def test_a_word_that_the_mapping_gives_another_meaning_is_not_published_for_a_concept() -> None:
    things = of_edges(
        [("hammer", "tool"), ("saw", "tool"), ("dog", "animal"), ("tool", "thing"), ("animal", "thing")]
    )
    table = table_of([("hammer",), ("saw",)] * 3, ("what",))
    done = semantic_microaggregate(
        table, columns=["what"], k=6, ontology=things, mapping={"tool": "animal"}, centroid="lcs"
    )
    published = str(done.table.frame["what"][0])
    assert published == "tool#1"
    assert map_values(things, [published], mapping={"tool": "animal"}).meanings()[0].identifier == "tool"
