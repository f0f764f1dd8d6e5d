"""Semantic k-anonymous resampling: what it guarantees, and what it does when it must."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.mask.patients import DISEASES, PATIENTS, TREATMENTS, table_of

from discreet._kernels.counting.tuples import tuples_of
from discreet.loss import semantic_sse
from discreet.mask import semantic_resample
from discreet.mask.attributes import final_centre
from discreet.mask.mixed import attributes_of, coded_columns
from discreet.mask.semantic_groups import semantic_order
from discreet.mask.semantic_resample import resampled
from discreet.ontology import Ontology
from discreet.ontology.columns import Interpretation


@given(PATIENTS, st.integers(2, 4), st.integers(0, 9))
@settings(max_examples=60)
def test_every_combination_is_shared_by_k(
    ontologies: dict[str, Ontology], rows: list[tuple[str, str]], k: int, seed: int
) -> None:
    table = table_of(rows)
    done = semantic_resample(table, columns=table.names, k=k, ontology=ontologies, seed=seed)
    assert min(Counter(done.table.frame.rows()).values()) >= k
    assert done.facts["sets"] == len(rows) // k


@given(PATIENTS, st.integers(2, 4), st.integers(0, 9))
@settings(max_examples=60)
def test_sets_are_the_places_of_the_sorted_samples(
    ontologies: dict[str, Ontology], rows: list[tuple[str, str]], k: int, seed: int
) -> None:
    table = table_of(rows)
    coded = coded_columns(table, table.names, Interpretation(ontology=ontologies))
    distinct = tuples_of(np.column_stack([each.codes for each in coded]))
    attributes = attributes_of(coded, distinct)
    found = resampled(attributes, distinct, k, np.random.default_rng(seed))
    order = semantic_order(attributes, distinct.frequencies).tolist()
    drawn = np.random.default_rng(seed).permutation(len(rows)).tolist()
    size = len(rows) // k
    samples = [
        sorted(drawn[i * size : (i + 1) * size], key=lambda row: order.index(distinct.which[row]))
        for i in range(k)
    ]
    left = drawn[k * size :]
    sets = [[sample[place] for sample in samples] for place in range(size)]

    def centre(members: list[int]) -> list[float]:
        own, counts = np.unique(distinct.which[members], return_counts=True)
        return [final_centre(each, own, counts) for each in attributes]

    def apart(row: int, middle: list[float]) -> float:
        return round(
            sum(
                float(each.to_centre(c)[distinct.which[row]])
                for each, c in zip(attributes, middle, strict=True)
            ),
            9,
        )

    middles = [centre(members) for members in sets]
    for row in left:
        nearest = min(range(size), key=lambda place: apart(row, middles[place]))
        sets[nearest] = [*sets[nearest], row]
    for members in sets:
        assert found[members].tolist() == [centre(members)] * len(members)


def test_equal_records_are_kept_where_samples_agree(ontologies: dict[str, Ontology]) -> None:
    table = table_of([("colic", "aspirin")] * 12)
    done = semantic_resample(table, columns=table.names, k=3, ontology=ontologies, seed=1)
    assert done.table.frame.equals(table.frame)


def test_it_loses_less_than_giving_everybody_the_centroid(ontologies: dict[str, Ontology]) -> None:
    generator = np.random.default_rng(2)
    rows = list(zip(generator.choice(DISEASES, 300), generator.choice(TREATMENTS, 300), strict=True))
    table = table_of([(str(a), str(b)) for a, b in rows])
    done = semantic_resample(table, columns=table.names, k=3, ontology=ontologies, seed=1)
    assert 0 < semantic_sse(table, done.table, columns=table.names, ontology=ontologies).loss < 60
