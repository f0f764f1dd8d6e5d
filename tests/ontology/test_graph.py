"""The graph: numbering, roots, ancestors, depth and the least common subsumer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadInput, BadOntology, BadParameter, CyclicOntology, EmptyOntology, UnknownConcept
from discreet.ontology import VIRTUAL_ROOT, Ontology, links, of_edges

Edges = list[tuple[str, str]]


@st.composite
def acyclic(draw: st.DrawFn) -> Edges:
    """Links that never go in a circle: each concept may have any earlier ones as parents."""
    size = draw(st.integers(2, 12))
    names = draw(st.permutations([f"c{place:02d}" for place in range(size)]))
    edges: Edges = []
    for place in range(1, size):
        above = draw(st.lists(st.integers(0, place - 1), min_size=0, max_size=3, unique=True))
        edges.extend((names[place], names[parent]) for parent in above)
    return edges or [(names[1], names[0])]


def climb(edges: Edges, start: str) -> dict[str, int]:
    """All above a concept, with the fewest links, one link at a time."""
    found, edge, links = {start: 0}, {start}, 0
    while edge:
        links += 1
        edge = {parent for child, parent in edges if child in edge} - found.keys()
        found.update(dict.fromkeys(edge, links))
    return found


def with_root(edges: Edges) -> Edges:
    """The links and those to a virtual root, when there are several roots."""
    concepts = {name for edge in edges for name in edge}
    roots = concepts - {child for child, _ in edges}
    return edges if len(roots) == 1 else edges + [(root, VIRTUAL_ROOT) for root in sorted(roots)]


@given(acyclic())
def test_ancestors_steps_and_depth_are_those_of_climbing_link_by_link(edges: Edges) -> None:
    ontology = of_edges(edges)
    rooted = with_root(edges)
    for concept, name in enumerate(ontology.identifiers):
        above = climb(rooted, name)
        ancestors = ontology.ancestors[concept]
        assert [ontology.identifiers[int(each)] for each in ancestors] == sorted(above)
        places = slice(int(ontology.ancestors.offsets[concept]), int(ontology.ancestors.offsets[concept + 1]))
        assert ontology.steps[places].tolist() == [above[each] for each in sorted(above)]
        assert ontology.depth[concept] == above[ontology.identifiers[ontology.root]]


@given(acyclic(), st.data())
def test_lcs_is_a_common_ancestor_with_none_below_the_deepest_of_several_then_the_first_by_identifier(
    edges: Edges, data: st.DataObject
) -> None:
    ontology = of_edges(edges)
    chosen = data.draw(st.lists(st.integers(0, len(ontology) - 1), min_size=1, max_size=4))
    rooted = with_root(edges)
    root = ontology.identifiers[ontology.root]
    common = set.intersection(*(set(climb(rooted, ontology.identifiers[each])) for each in chosen))
    least = [name for name in common if not any(name in climb(rooted, other) for other in common - {name})]
    expected = min(least, key=lambda name: (-climb(rooted, name)[root], name))
    assert ontology.identifiers[ontology.lcs(chosen)] == expected


def test_a_concept_is_its_own_lcs_even_below_one_that_is_farther_from_the_root() -> None:
    ontology = of_edges(
        [
            ("person", "agent"),
            ("person", "organism"),
            ("organism", "being"),
            ("being", "thing"),
            ("agent", "thing"),
        ]
    )
    person = ontology.concept("person")
    assert ontology.depth[person] == ontology.depth[ontology.concept("organism")]
    assert ontology.lcs([person]) == person


@given(acyclic(), st.randoms(use_true_random=False))
def test_the_order_of_the_links_does_not_matter(edges: Edges, shuffler: object) -> None:
    mixed = edges * 2
    shuffler.shuffle(mixed)  # type: ignore[attr-defined]
    assert of_edges(mixed).digest == of_edges(edges).digest


@given(acyclic(), st.data())
def test_cutting_cycles_keeps_every_concept_under_the_root(edges: Edges, data: st.DataObject) -> None:
    extra = data.draw(st.lists(st.sampled_from([(parent, child) for child, parent in edges]), min_size=1))
    ontology = of_edges(edges + extra, on_cycles="cut")
    assert {name for name in ontology.identifiers if name != VIRTUAL_ROOT} == {
        name for edge in edges for name in edge
    }
    assert (ontology.parents.counts > 0).sum() == len(ontology) - 1
    kept = {
        (ontology.identifiers[int(child)], ontology.identifiers[int(parent)])
        for child, parent in zip(ontology.parents.sources, ontology.parents.targets, strict=True)
    }
    assert {edge for edge in kept if edge[1] != VIRTUAL_ROOT} <= set(edges + extra)


def test_cutting_a_cycle_drops_the_link_that_leads_back_up() -> None:
    ontology = of_edges([("b", "a"), ("c", "b"), ("b", "c"), ("d", "c")], on_cycles="cut")
    assert ontology.ancestors[ontology.concept("d")].tolist() == [0, 1, 2, 3]
    assert ontology.parents[ontology.concept("b")].tolist() == [ontology.concept("a")]


def test_cutting_nothing_changes_nothing() -> None:
    edges = [("b", "a"), ("c", "a"), ("d", "b"), ("d", "c")]
    assert of_edges(edges, on_cycles="cut").digest == of_edges(edges).digest


def test_a_knot_with_nothing_above_it_hangs_from_its_first_concept() -> None:
    ontology = of_edges([("b", "a"), ("a", "b")], on_cycles="cut")
    assert ontology.identifiers[ontology.root] == "a"


@pytest.mark.parametrize(
    "edges", [[("a", "a")], [("a", "b"), ("b", "a")], [("a", "b"), ("b", "c"), ("c", "b"), ("d", "a")]]
)
def test_a_cycle_is_an_error_that_holds_the_concepts_on_it(edges: Edges) -> None:
    with pytest.raises(CyclicOntology) as caught:
        of_edges(edges, name="loop")
    on_it = {
        edge[0] for edge in edges if edge[1] in climb(edges, edge[0]) and edge[0] in climb(edges, edge[1])
    }
    assert set(caught.value.concepts) == on_it
    assert f"{len(on_it)} concepts" in str(caught.value)
    assert caught.value.exit_code == 2


def test_no_concepts_is_an_error() -> None:
    with pytest.raises(EmptyOntology, match="'nothing' has no concepts"):
        of_edges([], name="nothing")


def test_one_concept_is_an_ontology() -> None:
    ontology = of_edges([], labels={"only": "Only"})
    assert (len(ontology), ontology.max_depth, ontology.root) == (1, 0, 0)


def test_two_roots_get_a_virtual_one_above_them() -> None:
    ontology = of_edges([("cat", "animal"), ("oak", "plant")])
    assert ontology.labels[ontology.root] == VIRTUAL_ROOT
    assert ontology.lcs([ontology.concept("cat"), ontology.concept("oak")]) == ontology.root
    assert ontology.depth[ontology.concept("cat")] == 2


def test_the_virtual_root_gives_way_to_a_concept_of_its_name() -> None:
    ontology = of_edges([("cat", VIRTUAL_ROOT), ("oak", "plant")])
    assert ontology.identifiers[ontology.root] != VIRTUAL_ROOT
    assert ontology.parents[ontology.concept(VIRTUAL_ROOT)].tolist() == [ontology.root]


def test_depth_is_the_shortest_way_from_the_root() -> None:
    ontology = of_edges([("b", "a"), ("c", "b"), ("d", "c"), ("d", "a")])
    assert ontology.depth.tolist() == [0, 1, 2, 1]


def test_an_unknown_identifier_is_an_error_that_does_not_print_it(disease: Ontology) -> None:
    with pytest.raises(UnknownConcept) as caught:
        disease.concept("secret")
    assert "secret" not in str(caught.value)
    assert isinstance(caught.value, BadInput)


@pytest.mark.parametrize("concepts", [[-1], [99], []])
def test_lcs_refuses_numbers_that_are_no_concepts(disease: Ontology, concepts: list[int]) -> None:
    with pytest.raises(BadParameter):
        disease.lcs(concepts)


def test_an_ontology_tells_its_size_in_one_line(disease: Ontology) -> None:
    assert str(disease) == "disease: 9 concepts, depth 3"


def test_a_long_chain_is_read_in_one_go() -> None:
    length = 1500
    ontology = of_edges([(f"{place + 1:05d}", f"{place:05d}") for place in range(length)])
    assert ontology.max_depth == length
    assert np.array_equal(ontology.ancestors.counts, np.arange(1, length + 2))


def test_a_chain_with_more_concepts_above_than_fit_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chain = [(f"c{place + 1:03d}", f"c{place:03d}") for place in range(99)]
    monkeypatch.setattr(links, "MOST_ANCESTORS", 100 * 101 // 2)
    assert of_edges(chain).max_depth == 99
    monkeypatch.setattr(links, "MOST_ANCESTORS", 100 * 101 // 2 - 1)
    with pytest.raises(BadOntology, match="99 links below the top"):
        of_edges(chain)
