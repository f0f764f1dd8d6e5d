"""Documents join their parts to one text, and changes come back into the parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter
from discreet.text.document import PART_BREAK, Corpus, Document, Part, PartKind, Replacement

PARTS = st.lists(st.text(max_size=8), min_size=1, max_size=6)


def document(texts: list[str]) -> Document:
    return Document(
        name="a.txt", parts=tuple(Part(kind=PartKind.BODY, text=each) for each in texts), format="txt"
    )


@given(PARTS)
def test_the_text_joins_the_parts_and_tells_where_each_stands(texts: list[str]) -> None:
    found = document(texts)
    assert found.text == PART_BREAK.join(texts)
    assert [found.text[slice(*found.span_of(part))] for part in range(len(texts))] == texts


@given(PARTS)
def test_every_character_of_a_part_belongs_to_it(texts: list[str]) -> None:
    found = document(texts)
    for part in range(len(texts)):
        assert {found.part_at(offset) for offset in range(*found.span_of(part))} <= {part}


@given(PARTS, st.data())
def test_a_stretch_is_cut_at_the_borders_of_parts_and_nothing_else_is_lost(
    texts: list[str], data: st.DataObject
) -> None:
    found = document(texts)
    start = data.draw(st.integers(0, len(found.text)))
    end = data.draw(st.integers(start, len(found.text)))
    held = {place for low, high in found.within_parts(start, end) for place in range(low, high)}
    inside = {place for part in range(len(texts)) for place in range(*found.span_of(part))}
    assert held == inside & set(range(start, end))
    for low, high in found.within_parts(start, end):
        assert found.part_at(low) == found.part_at(high - 1)


def test_replacements_change_their_stretches_and_nothing_else() -> None:
    before = document(["Prof. Smith came.", "Smith left."])
    second = before.text.rindex("Smith")
    after = before.replaced([Replacement(second, second + 5, "Pers1"), Replacement(0, 11, "Pers1")])
    assert [each.text for each in after.parts] == ["Pers1 came.", "Pers1 left."]
    assert [each.text for each in before.parts] == ["Prof. Smith came.", "Smith left."]


@given(PARTS)
def test_no_replacement_changes_nothing(texts: list[str]) -> None:
    assert document(texts).replaced([]) == document(texts)


@pytest.mark.parametrize(
    "wrong", [[(0, 3, ""), (2, 4, "")], [(1, 7, "")], [(0, 99, "")], [(-1, 1, "")]], ids=str
)
def test_a_replacement_that_overlaps_or_leaves_its_part_is_refused(
    wrong: list[tuple[int, int, str]],
) -> None:
    with pytest.raises(BadParameter, match="replacement"):
        document(["abcd", "efgh"]).replaced([Replacement(*each) for each in wrong])


def test_a_corpus_shows_counts_and_no_text() -> None:
    corpus = Corpus.of(["Anna Smith", "nobody"])
    assert [each.name for each in corpus] == ["1.txt", "2.txt"]
    assert "Smith" not in repr(corpus) + repr(corpus.documents[0])
