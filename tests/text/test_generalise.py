"""A noun becomes a more general one in the same form, and the texts that could have given the result are counted."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.small_topics import NOUNS, WEAPONS, terms

from discreet.errors import BadParameter
from discreet.text.document import Document
from discreet.text.english_nouns import article_for, is_plural, plural
from discreet.text.generalise import climbed, generalise
from discreet.text.topics import Matcher, widen

MATCHER = Matcher(widen(WEAPONS, ontology=NOUNS, depth=3))


def generalised(text: str, levels: int = 1) -> str:
    found = generalise(text, MATCHER.find(text), levels=levels, ontology=NOUNS)
    return Document.of(text).replaced(found.replacements).text


@pytest.mark.parametrize(
    ("text", "levels", "expected"),
    [
        ("two rifles", 1, "two guns"),
        ("A rifle", 1, "A gun"),
        ("Rifles", 2, "Weapons"),
        ("RIFLES", 2, "WEAPONS"),
        ("a missile", 2, "an instrument"),
        ("A missile", 2, "An instrument"),
        ("the missile", 2, "the instrument"),
        ("extra missiles", 1, "extra weapons"),
        ("a weapon", 1, "an instrument"),
        ("covert", 1, "covert"),
        ("a hand gun", 1, "a firearm"),
        ("a hand-gun", 2, "a weapon"),
        ("a nuclear weapon", 1, "an arm"),
        ("derringer", 9, "derringer"),
        ("", 1, ""),
    ],
)
def test_a_noun_becomes_what_lies_above_it_in_the_same_form(text: str, levels: int, expected: str) -> None:
    assert generalised(text, levels) == expected


def test_what_has_no_more_general_noun_is_told_and_left() -> None:
    text = "covert weapon"
    found = generalise(text, MATCHER.find(text), ontology=NOUNS)
    assert [each.term.text for each in found.left] == ["covert"]
    assert found.to_dict()["left"] == 1
    keyword = Matcher(terms("weapon")).find(text)
    assert len(generalise(text, keyword, ontology=NOUNS).left) == 1


BASE = ["rifle", "pistol", "hand gun", "missile", "derringer", "nuclear weapon"]


@given(st.lists(st.sampled_from(["rifle", "missile", "derringer"]), min_size=1, max_size=3, unique=True))
def test_plausibility_counts_the_base_texts_that_give_the_same_one(words: list[str]) -> None:
    """Every text of the words of the vocabulary is generalised and compared."""
    text = " and ".join(words)
    found = generalise(text, MATCHER.find(text), ontology=NOUNS, vocabulary=BASE)
    others = product(BASE, repeat=len(words))
    assert found.plausible == sum(generalised(" and ".join(each)) == generalised(text) for each in others)


def test_the_same_noun_is_counted_once_and_the_whole_ontology_is_the_vocabulary() -> None:
    text = "a rifle and rifles"
    found = generalise(text, MATCHER.find(text), ontology=NOUNS)
    assert len(found.replacements) == 2
    assert found.plausible == 2  # rifle and pistol; a hand gun would have become a firearm
    assert found.bits == 1
    assert str(found) == "2 nouns generalised, 0 hits left; the text could come from 2^1.0 texts"


def test_a_text_without_hits_could_come_from_itself_alone() -> None:
    assert generalise("nothing", (), ontology=NOUNS).plausible == 1


def test_fewer_than_one_level_is_refused() -> None:
    with pytest.raises(BadParameter, match="levels must be a whole number of at least 1"):
        generalise("a rifle", (), levels=0, ontology=NOUNS)


def test_climbing_ends_at_the_root() -> None:
    assert climbed(NOUNS, NOUNS.concept("rifle.n.01"), 99) == NOUNS.root


@pytest.mark.parametrize(
    ("singular", "many"),
    [
        ("box", "boxes"),
        ("army", "armies"),
        ("day", "days"),
        ("human", "humans"),
        ("statistics", "statistics"),
        ("base of operations", "bases of operations"),
    ],
)
def test_plurals_follow_the_usual_rules(singular: str, many: str) -> None:
    assert plural(singular) == many
    assert is_plural(many.upper(), singular) == (singular != many)
    assert not is_plural(singular, singular)


@pytest.mark.parametrize(
    ("word", "article"),
    [
        ("hour", "an"),
        ("uninvited guest", "an"),
        ("unit", "a"),
        ("user", "a"),
        ("umbrella", "an"),
        ("European", "a"),
    ],
)
def test_the_article_goes_by_the_sound(word: str, article: str) -> None:
    assert article_for(word) == article
