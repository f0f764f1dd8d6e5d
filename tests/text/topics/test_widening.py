"""Keywords are widened by the senses that a policy chose, and every term says where it comes from."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.small_topics import NOUNS, WEAPONS, policy

from discreet.errors import NotInstalled, UnknownConcept
from discreet.ontology import wordnet
from discreet.ontology.readers import wordnet_home
from discreet.text.document import Corpus
from discreet.text.policy import Policy
from discreet.text.policy_sections import Topic
from discreet.text.topics import Origin, Relation, Term, widen
from discreet.text.topics.rarity import frequent_words, rarity, weigh_by_rarity
from discreet.text.topics.widening import FADING


def by_text(terms: tuple[Term, ...]) -> dict[str, Term]:
    return {each.text: each for each in terms}


def test_a_keyword_gives_itself_its_synonyms_and_what_lies_below_to_the_depth() -> None:
    found = by_text(widen(WEAPONS, ontology=NOUNS))
    assert set(found) == {
        *("weapon", "covert", "arm", "gun", "firearm", "missile", "nuclear weapon", "atomic weapon"),
        *("pistol", "hand gun", "rifle"),
    }
    assert found["weapon"].origins == (
        Origin(topic="arms", keyword="weapon", relation=Relation.KEYWORD, sense="weapon.n.01"),
    )
    assert found["arm"].origins[0].relation is Relation.SYNONYM
    assert found["rifle"].origins == (
        Origin(topic="arms", keyword="weapon", relation=Relation.HYPONYM, sense="weapon.n.01", depth=2),
    )
    assert str(found["rifle"].origins[0]) == "arms: a hyponym of 'weapon' (weapon.n.01), 2 below it"


def test_a_term_weighs_less_for_each_link_down() -> None:
    found = by_text(widen(WEAPONS, ontology=NOUNS))
    weights = [found[each].weight for each in ("weapon", "arm", "gun", "rifle")]
    assert weights == [1, 1, FADING, FADING**2]


def test_the_nearest_of_several_origins_comes_first_and_the_greatest_weight_counts() -> None:
    both = policy(
        Topic(name="a", keywords=("weapon",), weight=0.5),
        Topic(name="b", keywords=("gun",)),
        weapon=("weapon.n.01",),
        gun=("gun.n.01",),
    )
    found = by_text(widen(both, ontology=NOUNS))
    assert [each.topic for each in found["gun"].origins] == ["b", "a"]
    assert found["gun"].topics == ("b", "a")
    assert found["gun"].weight == 1
    assert found["rifle"].weight == FADING


def test_terms_that_a_topic_is_without_stay_out_but_its_keywords_do_not() -> None:
    without = policy(
        Topic(name="arms", keywords=("weapon",), without=("Arms", "hand-guns", "weapon")),
        weapon=("weapon.n.01",),
    )
    found = by_text(widen(without, ontology=NOUNS))
    assert "arm" not in found
    assert "hand gun" not in found
    assert "weapon" in found


@given(st.integers(0, 4), st.integers(0, 4))
def test_a_greater_depth_gives_the_same_terms_and_perhaps_more(one: int, other: int) -> None:
    low, high = sorted((one, other))
    fewer, more = (by_text(widen(WEAPONS, ontology=NOUNS, depth=depth)) for depth in (low, high))
    assert fewer.keys() <= more.keys()
    assert all(set(fewer[each].origins) <= set(more[each].origins) for each in fewer)


def test_keywords_without_senses_need_no_wordnet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordnet_home, "_places", lambda: iter(()))
    plain = policy(Topic(name="a", keywords=("Covert  action",)))
    assert [each.text for each in widen(plain)] == ["covert action"]
    with pytest.raises(NotInstalled, match="WordNet was not found"):
        widen(WEAPONS)


@pytest.mark.parametrize(
    ("sense", "says"),
    [
        (
            "weapon.n.09",
            r"has no sense 'weapon.n.09'. Those of 'weapon' are weapon.n.01 \(what is a weapon\)",
        ),
        ("flock.n.01", r"does not list among the senses of 'weapon' 'flock.n.01'"),
    ],
)
def test_a_sense_that_is_none_of_its_keyword_is_named_with_those_there_are(sense: str, says: str) -> None:
    with pytest.raises(UnknownConcept, match=says):
        widen(replace(WEAPONS, senses={"weapon": (sense,)}), ontology=NOUNS)


def test_the_order_is_widened_to_several_hundred_terms_of_the_real_wordnet() -> None:
    """The published experiment has 655 terms; which WordNet, senses and depth gave them is not said."""
    try:
        nouns_and_verbs = wordnet(parts=("noun", "verb"), instances=False)
    except NotInstalled as missing:
        pytest.skip(str(missing))
    terms = by_text(widen(Policy.load("eo13526"), ontology=nouns_and_verbs))
    if len(nouns_and_verbs) == 95883:  # WordNet 3.0: 82,115 nouns, 13,767 verbs and the root above them
        assert len(terms) == 875
    assert {"missile", "cia", "cipher", "nuclear weapon"} <= terms.keys()
    assert "battle of britain" not in terms


def test_a_term_in_every_document_counts_nothing_and_one_in_none_counts_in_full() -> None:
    corpus = Corpus.of(["the weapons lay there"] * 19 + ["a weapon and a gun"])
    terms = widen(WEAPONS, ontology=NOUNS)
    found = by_text(weigh_by_rarity(terms, corpus))
    assert found["weapon"].weight == 0
    assert found["missile"].weight == FADING
    assert 0 < found["gun"].weight < FADING


def test_paragraphs_are_counted_where_documents_are_few_and_too_few_are_not() -> None:
    terms = widen(WEAPONS, ontology=NOUNS)
    many = Corpus.of(["\n\n".join(["a weapon"] * 20)])
    assert by_text(weigh_by_rarity(terms, many))["weapon"].weight == 0
    assert weigh_by_rarity(terms, Corpus.of(["a weapon"] * 19)) == terms


@given(st.integers(1, 1000), st.data())
def test_rarity_falls_as_more_documents_have_a_hit(total: int, data: st.DataObject) -> None:
    held = data.draw(st.integers(0, total - 1))
    assert 0 <= rarity(held + 1, total) < rarity(held, total) <= 1


def test_frequent_words_are_those_that_stand_more_often() -> None:
    assert frequent_words(Corpus.of(["Ab ab ab c", "c d"]), more_than=1) == {"ab", "c"}
