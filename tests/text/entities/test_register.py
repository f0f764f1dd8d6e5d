"""The register: one entity for all variants, every mention covered, and what is set by hand kept."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.entities.marked import joined, marked, masked

from discreet.errors import BadParameter
from discreet.text import Corpus, Document, Part, PartKind, Span
from discreet.text.entities.pseudonyms import Keyed, Numbered
from discreet.text.entities.register import Register

WORDS = ["Ann", "Bob", "Smith", "Jones", "Armas", "York", "the", "and", "x", "J.", "12"]
KINDS = ["person", "organisation", "place", "code"]
KEY = bytes(range(32))


@st.composite
def corpora(draw: st.DrawFn) -> tuple[Corpus, list[list[Span]]]:
    """Small corpora of few words, with some stretches of one to three words found."""
    texts, spans = [], []
    for _ in range(draw(st.integers(1, 3))):
        words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=14))
        text = "".join(word + draw(st.sampled_from([" ", " ", ". ", "\n"])) for word in words)
        places = [each.span() for each in re.finditer(r"\S*\w", text)]
        its, at = [], 0
        while at < len(places):
            size = draw(st.integers(0, 3))
            chosen = places[at : at + size]
            if chosen:
                its.append(Span(chosen[0][0], chosen[-1][1], draw(st.sampled_from(KINDS)), "by hand"))
            at += max(size, 1) + draw(st.integers(0, 3))
        texts.append(text)
        spans.append(its)
    return Corpus.of(texts), spans


REFERENCE = (
    "{person:Prof. Smith} asked {organisation:Imagine Inc.} to start the project in {place:New York}, where the "
    "{organisation:NY University} could provide a laboratory near the {place:Washington Square Park}. "
    "{person:Prof. Smith} wants to study the birds of the {place:Washington Square Park}."
)


@pytest.mark.parametrize("second", [True, False], ids=["all spans given", "each found once"])
def test_the_printed_example_comes_out_as_printed(second: bool) -> None:
    text = REFERENCE
    if not second:
        head, tail = text.split(". {person", 1)
        text = f"{head}. " + re.sub(r"\{\w+:([^}]*)\}", r"\1", "{person" + tail)
    assert joined(text) == [
        "Pers1 asked Org1 to start the project in Loc1, where the Org2 could provide a laboratory near the Loc2. "
        "Pers1 wants to study the birds of the Loc2."
    ]


@given(corpora())
def test_every_given_span_lies_within_exactly_one_mention_and_mentions_do_not_overlap(
    given_: tuple[Corpus, list[list[Span]]],
) -> None:
    corpus, spans = given_
    register = Register.of(corpus, spans)
    for number, its in enumerate(spans):
        mentions = [each.span for each in register.mentions(number)]
        assert all(one.end <= other.start for one, other in pairwise(mentions))
        for span in its:
            assert sum(each.start <= span.start and span.end <= each.end for each in mentions) == 1


@given(corpora())
def test_every_whole_word_occurrence_of_a_full_name_is_covered(
    given_: tuple[Corpus, list[list[Span]]],
) -> None:
    corpus, spans = given_
    register = Register.of(corpus, spans)
    full = {
        wording
        for document, its in zip(corpus, spans, strict=True)
        for span in its
        if re.fullmatch(r"(?:Ann|Bob) (?:Smith|Jones|Armas)", wording := document.text[span.start : span.end])
    }
    for number, document in enumerate(corpus):
        held = {
            place for each in register.mentions(number) for place in range(each.span.start, each.span.end)
        }
        for name in full:
            pattern = r"\b" + name.replace(" ", r"[ \n]") + r"\b"
            for found in re.finditer(pattern, document.text):
                missing = [
                    at for at in range(*found.span()) if document.text[at].isalnum() and at not in held
                ]
                assert not missing


@given(corpora(), st.sampled_from([Numbered(), Numbered(scope="document"), Keyed(key=KEY)]))
def test_the_same_input_gives_the_same_pseudonyms_and_none_is_used_twice(
    given_: tuple[Corpus, list[list[Span]]], scheme: Numbered | Keyed
) -> None:
    one, other = (Register.of(*given_, pseudonyms=scheme) for _ in range(2))
    for number in range(len(given_[0])):
        assert one.mentions(number) == other.mentions(number)
        pairs = {(each.entity, each.pseudonym) for each in one.mentions(number)}
        assert len(pairs) == len({entity for entity, _ in pairs}) == len({name for _, name in pairs})
    names = [each.pseudonym for each in one.entities]
    assert len(set(names)) == len(names)


@given(corpora(), st.data())
def test_keyed_pseudonyms_do_not_depend_on_the_order_of_documents(
    given_: tuple[Corpus, list[list[Span]]], data: st.DataObject
) -> None:
    corpus, spans = given_
    order = data.draw(st.permutations(range(len(corpus))))
    moved = Corpus(documents=tuple(corpus.documents[each] for each in order))
    one = Register.of(corpus, spans, pseudonyms=Keyed(key=KEY))
    other = Register.of(moved, [spans[each] for each in order], pseudonyms=Keyed(key=KEY))
    for place, number in enumerate(order):
        here = [(each.span, each.pseudonym) for each in one.mentions(number)]
        assert here == [(each.span, each.pseudonym) for each in other.mentions(place)]


@given(corpora(), st.data())
def test_merging_and_splitting_again_changes_nothing(
    given_: tuple[Corpus, list[list[Span]]], data: st.DataObject
) -> None:
    register = Register.of(*given_)
    ids = [each.id for each in register.entities]
    if len(ids) < 2:
        return
    one, other = data.draw(st.permutations(ids))[:2]
    merged = register.merged(one, other)
    assert len(merged.entities) == len(ids) - 1
    assert merged.entity(one).mentions == register.entity(one).mentions + register.entity(other).mentions
    assert merged.split(one, other) == register
    assert merged.split(one) == register


@given(corpora(), corpora())
def test_known_entities_keep_their_pseudonyms_and_no_number_is_reused(
    first: tuple[Corpus, list[list[Span]]], second: tuple[Corpus, list[list[Span]]]
) -> None:
    before = Register.of(*first)
    after = Register.of(*second, known=before)
    held = {each.id: each.pseudonym for each in (*after.entities, *after.absent)}
    for each in before.entities:
        assert held[each.id] == each.pseudonym
    assert len(set(held.values())) == len(held)


@given(corpora(), corpora(), st.data())
def test_locked_numbers_never_change(
    first: tuple[Corpus, list[list[Span]]], second: tuple[Corpus, list[list[Span]]], data: st.DataObject
) -> None:
    register = Register.of(*first)
    ids = [each.id for each in register.entities]
    if len(ids) < 2:
        return
    one, other = data.draw(st.permutations(ids))[:2]
    number = register.entity(one).pseudonym
    locked = register.locked(one)
    assert locked.merged(other, one).entity(one).pseudonym == number
    with pytest.raises(BadParameter, match="locked"):
        locked.renamed(one, "Witness")
    with pytest.raises(BadParameter, match="locked"):
        locked.locked(other).merged(one, other)
    later = Register.of(*second, known=locked)
    assert {each.id: each.pseudonym for each in (*later.entities, *later.absent)}[one] == number


def test_a_known_name_is_found_in_the_next_release_and_new_ones_get_new_numbers() -> None:
    first = Register.of(*marked("{person:John Smith} met {person:Ann Jones}."))
    dropped = Register.of(*marked("Nobody."), known=first)
    corpus, spans = marked("{person:Bob Armas} met Jones.")
    assert masked(Register.of(corpus, spans, known=dropped)) == ["Pers3 met Pers2."]


def test_numbers_of_each_document_start_again_and_locked_ones_stay() -> None:
    corpus, spans = marked(
        "{person:Ann Jones} met {person:Bob Armas}.", "{person:Bob Armas} met {person:Ann Jones}."
    )
    register = Register.of(corpus, spans, pseudonyms=Numbered(scope="document"))
    assert masked(register) == ["Pers1 met Pers2.", "Pers1 met Pers2."]
    bob = register.mentions(1)[0].entity
    assert masked(register.locked(bob)) == ["Pers1 met Pers2.", "Pers2 met Pers1."]


def test_a_number_that_stands_in_the_text_already_is_given_to_nobody() -> None:
    assert joined("Pers1 and {person:Ann Jones}.") == ["Pers1 and Pers2."]


def test_splitting_off_forms_makes_an_entity_of_them_for_the_next_release_too() -> None:
    corpus, spans = marked("{person:Whiting Willauer} met {person:Whiting}. Willauer left.")
    register = Register.of(corpus, spans)
    assert masked(register) == ["Pers1 met Pers1. Pers1 left."]
    (one,) = register.entities
    split = register.split(one.id, forms=["Whiting"])
    assert masked(split) == ["Pers1 met Pers2. Pers1 left."]
    assert masked(Register.of(corpus, spans, known=split)) == ["Pers1 met Pers2. Pers1 left."]
    with pytest.raises(BadParameter, match="variants"):
        register.split(one.id, forms=["Nobody"])
    with pytest.raises(BadParameter, match="variants"):
        register.split(one.id, forms=one.variants)


def test_aliases_given_by_hand_are_found_and_joined() -> None:
    corpus, spans = marked("{person:Ann Jones} is Raven. RAVEN flew.", "Raven came back.")
    register = Register.of(corpus, spans, aliases={"Ann Jones": ["Raven"], "Nobody Here": ["Ghost"]})
    assert masked(register) == ["Pers1 is Pers1. Pers1 flew.", "Pers1 came back."]
    with pytest.raises(BadParameter, match="empty"):
        Register.of(corpus, spans, aliases={"Ann Jones": [""]})


def test_a_renamed_entity_is_locked_to_its_new_pseudonym() -> None:
    register = Register.of(*marked("{person:Ann Jones} met {person:Bob Armas}."))
    one, other = register.entities
    renamed = register.renamed(one.id, "Witness A")
    assert masked(renamed) == ["Witness A met Pers2."]
    assert renamed.entity(one.id).locked
    for wrong in ("", " ", "a\nb", "Witness A", "Pers1"):
        with pytest.raises(BadParameter, match="rename"):
            renamed.renamed(other.id, wrong)


def test_kept_entities_are_not_masked_and_a_merge_is_kept_only_if_all_are() -> None:
    register = Register.of(*marked("{person:Ann Jones} met {person:Bob Armas}."))
    one, other = (each.id for each in register.entities)
    kept = register.kept(one)
    assert masked(kept) == ["Ann Jones met Pers2."]
    assert masked(kept.merged(one, other)) == ["Pers1 met Pers1."]
    assert masked(kept.kept(other).merged(one, other)) == ["Ann Jones met Bob Armas."]
    assert masked(kept.masked(one)) == masked(register)


def test_a_name_taken_for_a_place_here_and_a_person_there_is_one_entity() -> None:
    text = "{person:Ambassador Dobrynin} came. {organisation:Dobrynin} left. {place:Dobrynin} slept."
    assert joined(text) == ["Pers1 came. Pers1 left. Pers1 slept."]
    slip = "{place:Moscow} was cold. " * 60 + "{person:Moscow} was cold."
    assert "Pers" not in joined(slip)[0]


@pytest.mark.parametrize(
    "spans",
    [
        [[(0, 3), (2, 5)]],
        [[(3, 3)]],
        [[(-1, 3)]],
        [[(0, 99)]],
        [[(0, 8)]],
        [],
        [[], []],
    ],
    ids=["overlap", "empty", "negative", "beyond", "across parts", "too few", "too many"],
)
def test_spans_that_do_not_fit_their_document_are_refused(spans: list[list[tuple[int, int]]]) -> None:
    parts = tuple(Part(kind=PartKind.BODY, text=each) for each in ("Ann", "Jones"))
    corpus = Corpus(documents=(Document(name="a", parts=parts),))
    with pytest.raises(BadParameter, match="span"):
        Register.of(corpus, [[Span(*each, "person", "by hand") for each in its] for its in spans])


def test_an_entity_that_there_is_not_is_refused_by_every_change() -> None:
    register = Register.of(*marked("{person:Ann Jones} met {person:Bob Armas}."))
    one, other = (each.id for each in register.entities)
    merged = register.merged(one, other)
    for change in (merged.split, merged.locked, merged.kept, merged.masked, merged.entity, merged.merged):
        for wrong in (other, 99):
            with pytest.raises(BadParameter, match="no entity"):
                change(wrong)
    with pytest.raises(BadParameter, match="not merged from"):
        merged.split(one, 99)


def test_nothing_shown_holds_a_name() -> None:
    register = Register.of(
        *marked("{person:Ann Jones} met {person:Bob Armas}."), pseudonyms=Keyed(key=b"Jones" * 8)
    )
    shown = [repr(register), str(register), repr(register.scheme)]
    shown += [f"{each!r} {each}" for each in register.entities]
    shown += [repr(each) for each in register.mentions(0)]
    assert not any(name in text for text in shown for name in ("Ann", "Jones", "Bob", "Armas"))


def test_a_corpus_without_documents_or_spans_has_no_entities() -> None:
    assert Register.of(Corpus.of([]), []).entities == ()
    assert joined("", "Nobody.") == ["", "Nobody."]
