"""Comparison, centroid, order and the baselines: worked examples and brute force."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import BadParameter, NotComputable
from discreet.ontology import Gathering, Ontology, Space, distance, map_values, of_edges, operators

Records = list[tuple[str, str, int]]
ORACLE = json.loads((Path(__file__).resolve().parent.parent / "oracle" / "semantics.json").read_text("utf-8"))
CASES = [(name, case) for name, oracle in ORACLE.items() for case in range(len(oracle.get("cases", ())))]
BASELINES = [
    (name, case, baseline)
    for name, case in CASES
    for baseline in ("lcs", "mode")
    if baseline in ORACLE[name]["cases"][case]
]


def space_of(ontology: Ontology, values: list[str], name: str = "path", **options: Any) -> Space:
    return Space.of(distance(ontology, name), map_values(ontology, values, **options))


def test_every_worked_example_has_a_test(oracle: dict[str, Any]) -> None:
    """Those of one attribute and of two are here, logSC in test_distances, WordNet in readers/test_wordnet."""
    assert set(oracle) == {"disease", "treatment", "two_attributes", "logsc", "wordnet_wu_palmer"}
    operations = {name for hierarchy in CASES for name in ORACLE[hierarchy[0]]["cases"][hierarchy[1]]}
    assert operations == {"values", "sums", "centroid", "lcs", "mode"}
    assert oracle["two_attributes"].keys() == {"records", "centroid", "sum_of_mean_distances"}


@pytest.mark.parametrize(("hierarchy", "case"), CASES)
def test_centroid_of_the_worked_examples(oracle: dict[str, Any], hierarchy: str, case: int) -> None:
    ontology = of_edges([tuple(edge) for edge in oracle[hierarchy]["edges"]])
    expected = oracle[hierarchy]["cases"][case]
    space = space_of(ontology, list(expected["values"]), oracle[hierarchy]["distance"])
    frequencies = list(expected["values"].values())
    sums = space.sums(frequencies)
    assert {space.texts[each]: sums[each] for each in space.hierarchy(frequencies)} == expected["sums"]
    assert space.texts[space.centroid(frequencies)] == expected["centroid"]


@pytest.mark.parametrize(("hierarchy", "case", "baseline"), BASELINES)
def test_lcs_and_mode_of_the_worked_examples(
    oracle: dict[str, Any], hierarchy: str, case: int, baseline: str
) -> None:
    expected = oracle[hierarchy]["cases"][case]
    space = space_of(of_edges([tuple(edge) for edge in oracle[hierarchy]["edges"]]), list(expected["values"]))
    frequencies = list(expected["values"].values())
    found = getattr(operators, baseline)([space], np.arange(len(space))[:, None], frequencies)
    assert space.texts[found[0]] == expected[baseline]


@pytest.fixture
def two(
    oracle: dict[str, Any], disease: Ontology, treatment: Ontology
) -> tuple[list[Space], np.ndarray[Any, Any], list[int], dict[str, Any]]:
    case = oracle["two_attributes"]
    records: Records = case["records"]
    spaces = [
        space_of(disease, [record[0] for record in records]),
        space_of(treatment, [record[1] for record in records]),
    ]
    codes = np.array([[spaces[0].values.index(a), spaces[1].values.index(b)] for a, b, _ in records])
    return spaces, codes, [record[2] for record in records], case


def test_centroid_of_two_attributes_is_that_of_each(two: Any) -> None:
    spaces, codes, frequencies, case = two
    found = operators.centroid(spaces, codes, frequencies)
    assert [space.texts[each] for space, each in zip(spaces, found, strict=True)] == case["centroid"]


def test_comparison_of_two_attributes_is_the_mean_and_its_sums_are_the_published_ones(two: Any) -> None:
    spaces, codes, frequencies, case = two
    for names, expected in case["sum_of_mean_distances"].items():
        base = [
            next(place for place, text in enumerate(space.texts) if text == name)
            for space, name in zip(spaces, names.split(","), strict=True)
        ]
        assert operators.compare(spaces, base, codes, frequencies).sum() == expected


def test_baselines_of_two_attributes_are_whole_tuples_or_the_subsumers(two: Any) -> None:
    spaces, codes, frequencies, _ = two
    texts = [
        [space.texts[each] for space, each in zip(spaces, found, strict=True)]
        for found in (operators.mode(spaces, codes, frequencies), operators.lcs(spaces, codes, frequencies))
    ]
    assert texts == [["lumbago", "rehabilitation"], ["symptom", "medical_care"]]


def test_order_starts_at_the_extreme_and_goes_by_weighted_distance_to_it(two: Any) -> None:
    spaces, codes, frequencies, _ = two
    found = operators.order(spaces, codes, frequencies).tolist()
    assert sorted(found) == list(range(len(codes)))
    far = operators.compare(spaces, operators.centroid(spaces, codes, frequencies), codes, frequencies)
    assert found[0] == int(np.argmax(far))
    away = operators.compare_to_tuple(spaces, found[0], codes, frequencies)
    assert (np.diff(away[found[1:]]) >= 0).all()


def test_order_of_a_hierarchy_puts_likes_beside_likes(disease: Ontology) -> None:
    space = space_of(disease, ["lumbago", "appendicitis", "migraine", "colic", "gastritis"])
    found = operators.order([space], np.arange(5)[:, None], np.ones(5))
    assert [space.values[each] for each in found] == [
        "appendicitis",
        "gastritis",
        "colic",
        "lumbago",
        "migraine",
    ]


def test_consensus_takes_the_value_that_is_least_confused_with_the_others(disease: Ontology) -> None:
    # Using lumbago for pain or ache confuses nobody: it is a kind of both. For colic it is one link down from pain.
    space = space_of(disease, ["pain", "ache", "lumbago", "colic"])
    found = operators.consensus([space], np.arange(4)[:, None], [1, 1, 1, 1])
    assert space.texts[found[0]] == "lumbago"


def test_consensus_weighs_by_frequency(disease: Ontology) -> None:
    space = space_of(disease, ["lumbago", "colic"])
    assert space.texts[operators.consensus([space], [[0], [1]], [1, 5])[0]] == "colic"


def test_random_centroid_is_a_tuple_of_the_file_and_follows_the_generator(two: Any) -> None:
    spaces, codes, frequencies, _ = two
    drawn = {
        operators.at_random(spaces, codes, frequencies, np.random.default_rng(seed)) for seed in range(50)
    }
    every = {tuple(int(space.own[code]) for space, code in zip(spaces, row, strict=True)) for row in codes}
    assert len(drawn) > 1
    assert drawn <= every
    again = operators.at_random(spaces, codes, frequencies, np.random.default_rng(7))
    assert again == operators.at_random(spaces, codes, frequencies, np.random.default_rng(7))


def test_a_tie_goes_to_the_most_general_then_to_the_identifier() -> None:
    ontology = of_edges([("a", "r"), ("b", "r")])
    assert ontology.identifiers[int(_centroid(ontology, ["a", "b"], "path"))] == "r"
    wide = of_edges([("b", "m"), ("b", "l"), ("m", "r"), ("l", "r"), ("a", "m"), ("a", "l")])
    assert wide.identifiers[int(_centroid(wide, ["a", "b"], "path"))] == "l"


def _centroid(ontology: Ontology, values: list[str], name: str) -> int:
    space = space_of(ontology, values, name)
    return int(space.concepts[space.centroid(np.ones(len(space)))])


def test_all_candidates_between_values_and_lcs_are_tried_along_every_parent() -> None:
    ontology = of_edges(
        [("v", "p"), ("v", "q"), ("p", "m"), ("q", "m"), ("w", "m"), ("m", "r"), ("u", "r"), ("v", "u")]
    )
    space = space_of(ontology, ["v", "w"])
    inside = {space.texts[each] for each in space.hierarchy([1, 1])}
    assert inside == {"v", "w", "p", "q", "m"}


@st.composite
def weighted(draw: st.DrawFn) -> tuple[Ontology, list[int], list[int], str]:
    size = draw(st.integers(2, 10))
    edges = [
        (f"c{place}", f"c{parent}")
        for place in range(1, size)
        for parent in draw(st.lists(st.integers(0, place - 1), min_size=1, max_size=2, unique=True))
    ]
    ontology = of_edges(edges)
    values = draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=6, unique=True))
    frequencies = draw(st.lists(st.integers(0, 4), min_size=len(values), max_size=len(values)).filter(any))
    return ontology, sorted(values), frequencies, draw(st.sampled_from(["path", "log_sc", "wu_palmer"]))


@given(weighted())
@settings(max_examples=150)
def test_centroid_is_the_least_sum_over_the_minimum_hierarchy_by_brute_force(
    case: tuple[Ontology, list[int], list[int], str],
) -> None:
    ontology, values, frequencies, name = case
    measured = distance(ontology, name)
    space = Space.of(measured, np.array(values))
    present = [value for value, times in zip(values, frequencies, strict=True) if times]
    lcs = ontology.lcs(present)
    hierarchy = {
        int(above)
        for value in present
        for above in ontology.ancestors[value]
        if lcs in ontology.ancestors[int(above)]
    }
    sums = {
        each: sum(times * measured(each, value) for value, times in zip(values, frequencies, strict=True))
        for each in hierarchy
    }
    least = min(sums.values())
    tied = [each for each in hierarchy if sums[each] <= least + 1e-9]
    expected = min(tied, key=lambda each: (ontology.depth[each], each))
    assert {int(space.concepts[each]) for each in space.hierarchy(frequencies)} == hierarchy
    assert int(space.concepts[space.centroid(frequencies)]) == expected
    assert int(space.concepts[space.lcs(frequencies)]) == lcs


@given(weighted(), st.lists(st.tuples(st.integers(0, 5), st.integers(1, 3)), max_size=12))
@settings(max_examples=80)
def test_a_group_that_grows_and_shrinks_has_the_centroid_of_what_is_in_it(
    case: tuple[Ontology, list[int], list[int], str], moves: list[tuple[int, int]]
) -> None:
    ontology, values, frequencies, name = case
    space = Space.of(distance(ontology, name), np.array(values))
    group = Gathering.of(space, frequencies)
    for place, times in moves:
        value = place % len(values)
        if group.frequencies[value] >= times and group.frequencies.sum() > times:
            group.remove(value, times)
        else:
            group.add(value, times)
        assert group.centroid() == space.centroid(group.frequencies)
        assert group.lcs() == space.lcs(group.frequencies)
        np.testing.assert_allclose(group.sums, space.sums(group.frequencies), atol=1e-9)


def test_a_group_built_one_by_one_is_the_group_built_at_once(disease: Ontology) -> None:
    space = space_of(disease, ["colic", "lumbago", "migraine", "appendicitis"])
    group = Gathering(space)
    for value in range(4):
        group.add(value, 2)
    assert group.centroid() == space.centroid([2, 2, 2, 2])


def test_a_group_cannot_lose_more_than_it_has_and_an_empty_one_has_no_centroid(disease: Ontology) -> None:
    group = Gathering(space_of(disease, ["colic", "lumbago"]))
    with pytest.raises(BadParameter, match="empty"):
        group.centroid()
    group.add(0)
    with pytest.raises(BadParameter, match="more records"):
        group.remove(0, 2)


def test_a_value_apart_is_far_from_all_else_and_can_be_the_centroid(disease: Ontology) -> None:
    space = space_of(disease, ["colic", "unknown", "lumbago", "odd"], unmapped="apart", name="log_sc")
    assert space.between[1].tolist() == [1, 0, 1, 1]
    assert space.between[:, 3].tolist() == [1, 1, 1, 0]
    assert space.texts[space.centroid([0, 3, 0, 0])] == "unknown"
    assert space.texts[space.centroid([1, 5, 1, 0])] == "unknown"
    assert space.texts[space.centroid([3, 1, 0, 1])] == "colic"
    assert space.texts[space.lcs([0, 3, 0, 0])] == "unknown"
    with pytest.raises(NotComputable, match="apart"):
        space.lcs([1, 3, 0, 0])
    assert space.texts[operators.consensus([space], [[0], [1], [2], [3]], [1, 9, 1, 1])[0]] == "unknown"


def test_a_value_apart_is_as_far_by_path_as_two_concepts_can_be(disease: Ontology) -> None:
    space = space_of(disease, ["colic", "unknown"], unmapped="apart")
    assert space.between[0, 1] == 2 * disease.max_depth


def test_with_all_senses_a_distance_is_the_least_over_them() -> None:
    edges = [
        ("cold illness", "illness"),
        ("flu", "illness"),
        ("cold air", "air"),
        ("illness", "r"),
        ("air", "r"),
    ]
    ontology = of_edges(edges, synonyms={"cold illness": ["cold"], "cold air": ["cold"]})
    first = space_of(ontology, ["cold", "flu"])
    every = space_of(ontology, ["cold", "flu"], senses="all")
    assert first.between[0, 1] == 4
    assert every.between[0, 1] == 2
    assert every.between[0, 0] == 0
    assert every.texts[every.lcs([1, 1])] == "illness"
    assert {every.texts[each] for each in every.hierarchy([1, 1])} == {"cold illness", "flu", "illness"}


def test_a_candidate_is_published_under_the_files_own_word(disease: Ontology) -> None:
    space = space_of(
        disease, ["Head-ache", "colic", "pain"], mapping={"Head-ache": "migraine", "pain": "gastritis"}
    )
    texts = {
        disease.identifiers[int(concept)]: text
        for concept, text in zip(space.concepts, space.texts, strict=True)
    }
    assert texts["migraine"] == "Head-ache"
    assert texts["gastritis"] == "pain"
    assert len(set(texts.values())) == len(texts)


@pytest.mark.parametrize(
    ("codes", "frequencies"),
    [
        ([[0]], [0]),
        ([[0]], [1, 1]),
        ([[5]], [1]),
        ([[-1]], [1]),
        ([[0, 0]], [1]),
        ([0], [1]),
        (np.empty((0, 1)), []),
    ],
)
def test_bad_tuples_are_refused(disease: Ontology, codes: Any, frequencies: list[int]) -> None:
    space = space_of(disease, ["colic", "pain"])
    with pytest.raises(BadParameter):
        operators.centroid([space], codes, frequencies)


@pytest.mark.parametrize("frequencies", [[1], [-1, 1], [np.nan, 1]])
def test_bad_frequencies_are_refused(disease: Ontology, frequencies: list[float]) -> None:
    with pytest.raises(BadParameter, match="frequencies"):
        space_of(disease, ["colic", "pain"]).centroid(frequencies)


def test_a_space_of_nothing_or_of_too_much_is_refused(
    disease: Ontology, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadParameter, match="at least one value"):
        space_of(disease, [])
    monkeypatch.setattr("discreet.ontology.space.MOST_CELLS", 3)
    with pytest.raises(NotComputable, match="2 distinct values"):
        space_of(disease, ["colic", "pain"])


def test_a_word_with_several_senses_is_not_published_for_one_where_all_of_them_count() -> None:
    edges = [("vampire", "bat.1"), ("pipistrelle", "bat.1"), ("bat.1", "thing"), ("bat.2", "thing")]
    ontology = of_edges(edges, labels={"bat.1": "bat", "bat.2": "bat"})
    for senses, text in (("first", "bat"), ("all", "bat.1")):
        space = space_of(ontology, ["vampire", "pipistrelle"], senses=senses)
        assert space.texts[space.lcs([1, 1])] == text
