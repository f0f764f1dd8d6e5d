"""Blocks are the densest runs of sentences: disjoint, within paragraphs, and none that is dense is missed."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.small_topics import terms

from discreet.text.blocks import SHORT, blocks_of, maximal_runs
from discreet.text.document import Document, Part, PartKind
from discreet.text.policy_sections import BlockOptions, MatchingOptions
from discreet.text.sentences import first_sentence, paragraphs, pieces, sentences
from discreet.text.topics import Matcher

MATCHER = Matcher(terms("weapon", "missile", "nuclear weapon"), options=MatchingOptions(misspellings=False))
WORDS = st.sampled_from(["weapon", "missiles", "nuclear weapon", "the", "house", "stood", "there"])
SENTENCE = st.lists(WORDS, min_size=1, max_size=30).map(lambda words: " ".join(words).capitalize() + ".")
PARAGRAPH = st.lists(SENTENCE, min_size=1, max_size=5).map(" ".join)
PARTS = st.lists(st.lists(PARAGRAPH, min_size=1, max_size=3).map("\n\n".join), min_size=1, max_size=3)
OPTIONS = st.builds(
    BlockOptions, density=st.sampled_from([0.02, 0.1, 0.3]), longest=st.sampled_from([10, 12, 100])
)


def document(texts: list[str]) -> Document:
    return Document(name="a.txt", parts=tuple(Part(kind=PartKind.BODY, text=each) for each in texts))


@given(PARTS, OPTIONS)
def test_blocks_are_disjoint_and_each_lies_within_one_part_and_paragraph(
    texts: list[str], options: BlockOptions
) -> None:
    found = document(texts)
    blocks = sorted(blocks_of(found, MATCHER.find(found.text), options=options), key=lambda each: each.start)
    assert all(one.end <= other.start for one, other in pairwise(blocks))
    inside = list(paragraphs(found))
    for each in blocks:
        assert any(low <= each.start < each.end <= high for low, high in inside)
        assert found.part_at(each.start) == found.part_at(each.end - 1)


@given(PARTS, OPTIONS)
def test_a_block_is_dense_and_every_dense_sentence_lies_in_a_block(
    texts: list[str], options: BlockOptions
) -> None:
    found = document(texts)
    hits = MATCHER.find(found.text)
    blocks = blocks_of(found, hits, options=options)
    for each in blocks:
        assert each.density == pytest.approx(sum(hit.weight for hit in each.hits) / each.words)
        assert each.density > options.density - 1e-9
        assert all(each.start <= hit.start < hit.end <= each.end for hit in each.hits)
    for start, end in paragraphs(found):
        for low, high, words in pieces(found.text, start, end, options.longest):
            own = [hit for hit in hits if low <= hit.start < high]
            if sum(hit.weight for hit in own) > options.density * max(words, SHORT) + 1e-9:
                assert all(
                    any(block.start <= hit.start < hit.end <= block.end for block in blocks) for hit in own
                )


@given(PARTS)
def test_blocks_are_ranked_by_density_and_hold_each_hit_once(texts: list[str]) -> None:
    found = document(texts)
    blocks = blocks_of(found, MATCHER.find(found.text))
    assert [each.density for each in blocks] == sorted((each.density for each in blocks), reverse=True)
    held = [hit for each in blocks for hit in each.hits]
    assert len(held) == len({hit.start for hit in held})


SCORES = st.lists(st.integers(-6, 6), max_size=12)


@given(SCORES)
def test_maximal_runs_are_those_that_their_definition_names(scores: list[int]) -> None:
    """A run above zero of which every part is worth less, and that is part of no other such run."""

    def worth(low: int, high: int) -> int:
        return sum(scores[low:high])

    def maximal(low: int, high: int) -> bool:
        return (
            all(
                worth(low, high) > worth(one, other)
                for one in range(low, high)
                for other in range(one + 1, high + 1)
                if (one, other) != (low, high)
            )
            and worth(low, high) > 0
        )

    size = len(scores)
    runs = [(low, high) for low in range(size) for high in range(low + 1, size + 1) if maximal(low, high)]
    largest = [
        run
        for run in runs
        if not any(one <= run[0] and run[1] <= other and (one, other) != run for one, other in runs)
    ]
    assert maximal_runs(scores) == largest


def test_no_hit_no_block_and_an_empty_document_has_none() -> None:
    assert blocks_of(Document.of(""), ()) == ()
    assert blocks_of(Document.of("The house stood there."), ()) == ()


def test_a_block_says_why_without_its_words() -> None:
    text = (
        "Missiles and a weapon. The house stood there and nobody went in or out of it for a whole long year."
    )
    (block,) = blocks_of(Document.of(text), MATCHER.find(text))
    assert block.text_of(Document.of(text)) == "Missiles and a weapon."
    assert block.reasons == ("arms: 'missile' 1 time", "arms: 'weapon' 1 time")
    assert block.topics == ("arms",)
    assert "Missiles" not in str(block) + repr(block)
    assert block.to_dict()["hits"] == 2


def test_many_keywords_are_named_in_few_reasons() -> None:
    words = [f"word{number}" for number in range(9)]
    text = " ".join(words)
    (block,) = blocks_of(Document.of(text), Matcher(terms(*words)).find(text))
    assert block.reasons[-1] == "3 more keywords"


def test_a_heading_of_one_word_is_not_dense() -> None:
    assert blocks_of(Document.of("Weapon"), MATCHER.find("Weapon"), options=BlockOptions(density=0.2)) == ()


def test_a_long_line_without_an_end_is_taken_in_pieces() -> None:
    text = "the house stood there " * 500 + "weapon " * 10 + "the house stood there " * 500
    (block,) = blocks_of(Document.of(text), MATCHER.find(text))
    assert block.words <= 200
    assert len(block.hits) == 10


def test_a_hit_across_two_pieces_takes_the_border_with_it() -> None:
    text = "weapon " * 9 + "nuclear weapon " + "weapon " * 12
    found = blocks_of(Document.of(text), MATCHER.find(text), options=BlockOptions(longest=10))
    held = sorted((each.start, each.end) for each in found)
    assert all(one[1] <= other[0] for one, other in pairwise(held))
    assert sum(len(each.hits) for each in found) == 22


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Smith met Mr. J. Jones. They left.", ["Dr. Smith met Mr. J. Jones.", "They left."]),
        ('He said "Go." Then he went.', ['He said "Go."', "Then he went."]),
        ("Version 2.1 came out. 3 people left", ["Version 2.1 came out.", "3 people left"]),
        ("no end at all", ["no end at all"]),
        ("  ", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: list[str]) -> None:
    assert [text[low:high] for low, high in sentences(text, 0, len(text))] == expected
    assert first_sentence(text) == (expected[0] if expected else "")


@given(st.text(alphabet="aB. \n\"'", max_size=40))
def test_sentences_hold_every_letter_in_order(text: str) -> None:
    joined = "".join(text[low:high] for low, high in sentences(text, 0, len(text)))
    assert "".join(joined.split()) == "".join(text.split())
