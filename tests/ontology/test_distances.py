"""Distances: the worked examples, brute force pair by pair, and the properties each one declares."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import BadParameter, NotComputable, UnknownConcept, UnknownMethod
from discreet.ontology import (
    DISTANCES,
    Ontology,
    counted_information,
    distance,
    intrinsic_information,
    of_edges,
)

WORDS = ("red", "blue", "round", "small", "warm")


@st.composite
def described(draw: st.DrawFn) -> Ontology:
    """A random ontology with several parents, words and glosses."""
    size = draw(st.integers(1, 10))
    edges = [
        (f"c{place}", f"c{parent}")
        for place in range(1, size)
        for parent in draw(st.lists(st.integers(0, place - 1), max_size=3, unique=True))
    ]
    texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)
    return of_edges(
        edges,
        labels={f"c{place}": "" for place in range(size)},
        synonyms={f"c{place}": draw(texts) for place in range(size)},
        glosses={f"c{place}": " ".join(draw(texts)) for place in range(size)},
    )


def above(ontology: Ontology, concept: int) -> dict[int, int]:
    """T(c) with the fewest links, by climbing."""
    found, edge, links = {concept: 0}, {concept}, 0
    while edge:
        links += 1
        edge = {int(parent) for each in edge for parent in ontology.parents[each]} - found.keys()
        found.update(dict.fromkeys(edge, links))
    return found


def slowly(ontology: Ontology, name: str, a: int, b: int) -> float:
    """The distance of one pair from its definition."""
    if a == b:
        return 0.0
    over_a, over_b = above(ontology, a), above(ontology, b)
    common, union = over_a.keys() & over_b.keys(), over_a.keys() | over_b.keys()
    links = min(over_a[each] + over_b[each] for each in common)
    deep = ontology.max_depth
    if name == "path":
        return links
    if name == "leacock_chodorow":
        return 1 - -math.log((links + 1) / (2 * (deep + 1))) / math.log(2 * (deep + 1))
    if name == "wu_palmer":
        lcs = min(common, key=lambda each: (-ontology.depth[each], each))
        n1, n2, n3 = over_a[lcs], over_b[lcs], int(ontology.depth[lcs]) + 1
        return 1 - 2 * n3 / (n1 + n2 + 2 * n3)
    if name == "log_sc":
        return math.log2(1 + (len(union) - len(common)) / len(union))
    content: list[float] = intrinsic_information(ontology).tolist()
    best, most = max(content[each] for each in common), max(content)
    if name == "resnik":
        return 1 - best / most
    if name == "lin":
        return 1 - 2 * best / (content[a] + content[b])
    return (content[a] + content[b] - 2 * best) / (2 * most)


STRUCTURAL = [name for name, facts in DISTANCES.items() if facts.uses in ("", "information")]


@pytest.mark.parametrize("name", STRUCTURAL)
@given(ontology=described())
@settings(max_examples=40)
def test_a_matrix_holds_what_the_definition_gives_pair_by_pair(name: str, ontology: Ontology) -> None:
    every = range(len(ontology))
    expected = [[slowly(ontology, name, a, b) for b in every] for a in every]
    np.testing.assert_allclose(distance(ontology, name).matrix(every), expected, atol=1e-12)


@pytest.mark.parametrize("name", DISTANCES)
@given(ontology=described())
@settings(max_examples=40)
def test_distances_are_symmetric_in_range_and_zero_for_the_same_concept(
    name: str, ontology: Ontology
) -> None:
    measured = distance(ontology, name)
    matrix = measured.matrix(np.arange(len(ontology)))
    assert np.allclose(matrix, matrix.T, atol=1e-12)
    assert (matrix.diagonal() == 0).all()
    assert matrix.min() >= 0
    assert matrix.max() <= measured.largest + 1e-12


@pytest.mark.parametrize("name", [name for name, facts in DISTANCES.items() if facts.separates])
@given(ontology=described())
@settings(max_examples=40)
def test_only_the_same_concept_is_at_distance_zero_where_that_is_declared(
    name: str, ontology: Ontology
) -> None:
    matrix = distance(ontology, name).matrix(np.arange(len(ontology)))
    assert (matrix[~np.eye(len(ontology), dtype=bool)] > 1e-9).all()


@pytest.mark.parametrize("name", DISTANCES)
@given(ontology=described(), data=st.data())
@settings(max_examples=20)
def test_a_part_of_the_matrix_is_the_same_part_of_the_whole(
    name: str, ontology: Ontology, data: st.DataObject
) -> None:
    some = st.lists(st.integers(0, len(ontology) - 1), max_size=6)
    rows, columns = data.draw(some), data.draw(some)
    measured = distance(ontology, name)
    whole = measured.matrix(np.arange(len(ontology)))
    part = measured.matrix(np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64))
    assert part.shape == (len(rows), len(columns))
    assert part.dtype == np.float64
    np.testing.assert_allclose(part, whole[np.ix_(rows, columns)] if part.size else part, atol=1e-12)


def test_a_matrix_in_blocks_is_the_matrix_in_one(disease: Ontology, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = distance(disease).matrix(np.arange(len(disease)))
    monkeypatch.setattr("discreet.ontology.distances.CELLS_AT_ONCE", 20)
    assert np.array_equal(distance(disease).matrix(np.arange(len(disease))), whole)


def test_log_sc_gives_the_published_distances(oracle: dict[str, Any]) -> None:
    case = oracle["logsc"]
    ontology = of_edges([tuple(edge) for edge in case["edges"]])
    measured = distance(ontology)
    for pair, expected in case["distances"].items():
        a, b = (ontology.concept(name) for name in pair.split(","))
        assert measured(a, b) == pytest.approx(expected, abs=case["tolerance"])


def test_log_sc_sees_all_parents() -> None:
    one = of_edges([("a", "x"), ("b", "x"), ("x", "r"), ("y", "r")])
    two = of_edges([("a", "x"), ("b", "x"), ("x", "r"), ("y", "r"), ("a", "y"), ("b", "y")])
    a, b = one.concept("a"), one.concept("b")
    assert distance(two)(a, b) < distance(one)(a, b)
    assert distance(two, "path")(a, b) == distance(one, "path")(a, b)


def test_information_is_zero_at_the_root_and_rises_with_every_link_down(disease: Ontology) -> None:
    for information in (
        intrinsic_information(disease),
        counted_information(disease, {"migraine": 5, "pain": 2}),
    ):
        assert information[disease.root] == 0
        assert (information[disease.parents.sources] > information[disease.parents.targets]).all()


def test_intrinsic_information_counts_leaves_below_and_concepts_above(disease: Ontology) -> None:
    information = intrinsic_information(disease)
    assert information[disease.concept("ache")] == pytest.approx(-math.log((2 / 3 + 1) / 6))
    assert information[disease.concept("colic")] == pytest.approx(math.log(6))


def test_counted_information_adds_what_lies_below_once() -> None:
    ontology = of_edges([("a", "x"), ("a", "y"), ("x", "r"), ("y", "r")])
    information = counted_information(ontology, {"a": 6})
    assert information[ontology.concept("a")] == pytest.approx(-math.log(7 / 10))
    assert information[ontology.concept("x")] == pytest.approx(-math.log(8 / 10))


def test_counts_change_the_distance_that_uses_them(disease: Ontology) -> None:
    a, b = disease.concept("lumbago"), disease.concept("migraine")
    rare = distance(disease, "lin", information=counted_information(disease, {"gastritis": 100}))
    often = distance(disease, "lin", information=counted_information(disease, {"lumbago": 100}))
    assert rare(a, b) < often(a, b)


def test_bad_counts_are_refused_by_name(disease: Ontology) -> None:
    with pytest.raises(BadParameter, match="not negative"):
        counted_information(disease, {"pain": -1})
    with pytest.raises(UnknownConcept):
        counted_information(disease, {"nowhere": 1})


def test_bad_information_is_refused(disease: Ontology) -> None:
    with pytest.raises(BadParameter, match="9 concepts"):
        distance(disease, "lin", information=[1.0])
    with pytest.raises(BadParameter, match="child"):
        distance(disease, "lin", information=-intrinsic_information(disease))
    with pytest.raises(BadParameter, match="child"):
        distance(disease, "lin", information=-intrinsic_information(disease) + 10)


def test_an_unknown_distance_suggests_the_nearest(disease: Ontology) -> None:
    with pytest.raises(UnknownMethod, match="Did you mean 'log_sc'"):
        distance(disease, "logsc")


def test_a_number_that_is_no_concept_is_refused(disease: Ontology) -> None:
    with pytest.raises(BadParameter, match="numbered 0 to 8"):
        distance(disease).matrix([0], [9])


@pytest.mark.parametrize("name", ["rodriguez", "petrakis"])
def test_glosses_are_needed_where_they_are_compared(disease: Ontology, name: str) -> None:
    with pytest.raises(NotComputable, match="has none"):
        distance(disease, name)(0, 1)


def test_tversky_weighs_what_only_one_has_by_depth(disease: Ontology) -> None:
    # Words for T(ache) = {ache, pain, symptom}, for T(pain) = {pain, symptom}; depths 2 and 1, so g = 1/3.
    a, b = disease.concept("ache"), disease.concept("pain")
    one_way, other_way = 2 / (2 + 1 / 3), 2 / (2 + 2 / 3)
    assert distance(disease, "tversky")(a, b) == pytest.approx(1 - (one_way + other_way) / 2)


def test_petrakis_takes_a_shared_word_for_sameness_and_else_the_largest_overlap() -> None:
    ontology = of_edges(
        [("a", "r"), ("b", "r"), ("c", "a")],
        synonyms={"a": ["cold"], "b": ["cold"]},
        glosses={"a": "a warm thing", "b": "", "c": 'small warm light "warm light"', "r": "all things"},
    )
    measured = distance(ontology, "petrakis")
    a, b, c, r = (ontology.concept(name) for name in "abcr")
    assert measured(a, b) == 0
    # Words for T(a): a, cold, r; for T(c): a, c, cold, r. Glosses: warm of warm, thing, small, light.
    assert measured(a, c) == pytest.approx(1 - 3 / 4)
    # Words for T(b): b, cold, r; for T(r): r.
    assert measured(b, r) == pytest.approx(1 - 1 / 3)


def test_rodriguez_is_the_mean_over_words_glosses_and_concepts_above() -> None:
    ontology = of_edges([("a", "r"), ("b", "r")], glosses={"a": "warm thing", "b": "warm stone", "r": "all"})
    a, b = ontology.concept("a"), ontology.concept("b")
    # Words: none shared. Glosses: 1 / (1 + 1/2 + 1/2). Above: {a, r} and {b, r} share r: 1/2.
    assert distance(ontology, "rodriguez")(a, b) == pytest.approx(1 - (0 + 1 / 2 + 1 / 2) / 3)
