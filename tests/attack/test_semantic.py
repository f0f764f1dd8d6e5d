"""Semantic record linkage against brute force over all pairs of records."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.small_ontologies import ANIMALS, ONTOLOGIES

from discreet.attack import link_matching, link_semantic
from discreet.errors import NotComputable
from discreet.ontology import Ontology, distance, of_edges, space
from discreet.table import Table

CELL = (
    st.sampled_from(["dog", "cat", "eagle", "mammal", "bird"]),
    st.sampled_from(["red", "orange", "blue", "warm", None]),
)
PAIRS = st.lists(st.tuples(st.tuples(*CELL), st.tuples(*CELL)), min_size=1, max_size=12)


def table_of(rows: Any) -> Table:
    frame = pl.DataFrame(rows, schema={"animal": pl.String, "colour": pl.String}, orient="row")
    return Table.of(frame, roles={}, rest="quasi-identifier")


def apart(ontology: Ontology, name: str, one: str | None, other: str | None) -> float:
    measure = distance(ontology, name)
    if one == other:
        return 0.0
    if one is None or other is None:
        return measure.largest
    return measure(ontology.concept(one), ontology.concept(other))


def brute_force(known: list[Any], published: list[Any], truth: list[int], name: str = "log_sc") -> float:
    total = 0.0
    for row, person in enumerate(truth):
        if person < 0:
            continue
        one = known[person]
        distances = [
            round(
                sum(
                    apart(ontology, name, a, b)
                    for ontology, a, b in zip(ONTOLOGIES.values(), one, other, strict=True)
                ),
                9,
            )
            for other in published
        ]
        nearest = [place for place, each in enumerate(distances) if each == min(distances)]
        total += 1 / len(nearest) if row in nearest else 0.0
    return total / len({person for person in truth if person >= 0})


@settings(max_examples=80)
@given(PAIRS)
def test_risk_is_the_mean_chance_of_the_right_record_among_the_nearest(pairs: list[Any]) -> None:
    known, published = [one for one, _ in pairs], [other for _, other in pairs]
    found = link_semantic(
        table_of(known), table_of(published), keys=["animal", "colour"], ontology=ONTOLOGIES
    )
    assert found.risk == pytest.approx(brute_force(known, published, list(range(len(known)))))
    assert found.records is not None
    assert found.records.sum() == pytest.approx(found.risk * len(known))
    assert found.certain == int((found.ties == 1).sum())


@settings(max_examples=40)
@given(PAIRS, st.sampled_from(["path", "wu_palmer", "lin", "log_sc"]), st.data())
def test_risk_is_so_by_any_distance_for_people_with_none_or_several_published_records(
    pairs: list[Any], name: str, data: st.DataObject
) -> None:
    known, published = [one for one, _ in pairs], [other for _, other in pairs]
    last = len(pairs) - 1
    truth = [0, *data.draw(st.lists(st.integers(-1, last), min_size=last, max_size=last))]
    # A column without any value has no distance.
    known[0], published[0] = ("dog", "red"), ("cat", "orange")
    found = link_semantic(
        table_of(known),
        table_of(published),
        keys=["animal", "colour"],
        ontology=ONTOLOGIES,
        distance=name,
        truth=np.array(truth),
    )
    assert found.risk == pytest.approx(brute_force(known, published, truth, name))
    assert found.attempts == len(set(truth) - {-1})


@given(PAIRS)
def test_the_order_of_the_published_file_does_not_matter(pairs: list[Any]) -> None:
    known, published = table_of([one for one, _ in pairs]), table_of([other for _, other in pairs])
    expected = link_semantic(known, published, keys=["animal", "colour"], ontology=ONTOLOGIES)
    order = np.random.default_rng(1).permutation(len(pairs))
    found = link_semantic(
        known, published.take(order), keys=["animal", "colour"], ontology=ONTOLOGIES, truth=order
    )
    assert found.risk == pytest.approx(expected.risk)
    assert found.records is not None
    assert expected.records is not None
    assert found.records.tolist() == expected.records[order].tolist()


def test_everybody_who_is_unique_is_found_when_nothing_is_masked() -> None:
    table = table_of([("dog", "red"), ("cat", "red"), ("eagle", "blue")])
    by_meaning = link_semantic(table, table, keys=["animal", "colour"], ontology=ONTOLOGIES)
    for found in (by_meaning, link_matching(table, table)):
        assert found.risk == 1.0
        assert found.certain == 3


def test_a_word_that_was_replaced_by_a_more_general_one_is_seen_through() -> None:
    known = table_of([("dog", "red"), ("eagle", "red")])
    published = table_of([("mammal", "red"), ("bird", "red")])
    assert link_semantic(known, published, keys=["animal", "colour"], ontology=ONTOLOGIES).risk == 1.0
    assert link_matching(known, published).risk == 1.0


def test_meaning_sees_through_a_word_that_was_replaced_by_a_like_one() -> None:
    known = table_of([("dog", "red"), ("eagle", "red"), ("dog", "blue"), ("cat", "blue")])
    published = table_of([("cat", "red"), ("eagle", "red"), ("dog", "blue"), ("cat", "blue")])
    assert link_semantic(known, published, keys=["animal", "colour"], ontology=ONTOLOGIES).risk == 1.0
    assert link_matching(known, published).records == pytest.approx([1 / 3, 1, 1, 1])


def test_the_intruder_may_use_another_ontology_than_the_masking() -> None:
    known = table_of([("dog", "red"), ("eagle", "red")])
    published = table_of([("cat", "red"), ("bird", "red")])
    pets = of_edges([("dog", "pet"), ("bird", "pet"), ("cat", "hunter"), ("eagle", "hunter")], name="pets")
    assert link_semantic(known, published, keys=["animal"], ontology=ANIMALS).risk == 1.0
    assert link_semantic(known, published, keys=["animal"], ontology=pets).risk == 0.0


def test_published_words_that_mean_nothing_stand_for_what_they_were_published_for() -> None:
    known = table_of([("dog", "red"), ("cat", "red"), ("dog", "blue")])
    published = table_of([("elsewhere", "red"), ("cat", "red"), ("elsewhere", "blue")])
    found = link_semantic(known, published, keys=["animal", "colour"], ontology=ONTOLOGIES)
    assert found.records == pytest.approx([1, 1, 1])
    assert link_matching(known, published).records == pytest.approx([1, 1, 1])


def test_known_words_that_mean_nothing_match_only_themselves() -> None:
    known = table_of([("dog", "red"), ("cat", "red"), ("elsewhere", "blue"), ("dog", "blue")])
    published = table_of([("elsewhere", "red"), ("cat", "red"), ("elsewhere", "blue"), ("dog", "blue")])
    found = link_semantic(known, published, keys=["animal", "colour"], ontology=ONTOLOGIES)
    assert found.records == pytest.approx([0, 1, 1, 1])


def test_blanks_match_blanks_and_no_general_word() -> None:
    known = table_of([("dog", "red"), ("cat", "red"), ("eagle", None), ("bird", "blue")])
    published = table_of([("dog", "warm"), ("cat", "warm"), ("eagle", None), ("bird", None)])
    # The blank of the last record is as far from blue as warm is; that warm might have been blue makes it nearer.
    assert link_matching(known, published, keys=["colour"]).records == pytest.approx([1 / 2, 1 / 2, 1 / 2, 0])


def test_ordered_keys_without_an_ontology_are_compared_by_their_places() -> None:
    order = ["low", "middle", "high", "extreme"]
    tables = [
        Table.of(pl.DataFrame({"pain": values}), roles={}, rest="quasi-identifier", orders={"pain": order})
        for values in (["low", "extreme"], ["middle", "high"])
    ]
    assert link_semantic(*tables, keys=["pain"]).risk == 1.0
    assert link_matching(*tables, keys=["pain"]).risk == 0.5


def test_records_from_nobody_have_no_chance_and_are_no_attempt() -> None:
    rows = [("dog", "red"), ("cat", "red")]
    found = link_semantic(
        table_of(rows),
        table_of([*rows, ("dog", "red")]),
        keys=["animal"],
        ontology=ANIMALS,
        truth=np.array([0, 1, -1]),
    )
    assert found.attempts == 2
    assert found.records is not None
    assert found.records.tolist() == [0.5, 1.0, 0.0]


def test_without_a_true_partner_there_is_no_answer() -> None:
    rows = [("dog", "red")]
    with pytest.raises(NotComputable, match="no published record belongs to a known person"):
        link_semantic(table_of(rows), table_of(rows), keys=["animal"], ontology=ANIMALS, truth=np.array([-1]))


def test_words_are_matched_without_a_matrix_of_their_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space, "MOST_CELLS", 100)
    words = [f"word {place}" for place in range(40)]
    one = Table.of(pl.DataFrame({"word": words}), roles={}, rest="quasi-identifier")
    other = one.with_values({"word": pl.Series([*words[:30], *["word 0"] * 10])})
    for found in (
        link_matching(one, other),
        link_semantic(one, other, keys=["word"], distance="exact"),
    ):
        # The last ten words were joined to the first one.
        assert found.risk == pytest.approx((29 + 11 * 1 / 11) / 40)
    exchanged = one.with_values({"word": pl.Series([*words[:30], *words[31:], "word 30"])})
    kept = pl.concat([one.frame, one.frame[30:]]), pl.concat([exchanged.frame, one.frame[30:]])
    more = [Table.of(each, roles={}, rest="quasi-identifier") for each in kept]
    assert link_matching(*more).risk == pytest.approx((30 + 10 / 2) / 50)
