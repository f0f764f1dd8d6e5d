"""What all recognisers find together: sorted, disjoint, within the parts of a document, and nothing found is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import BadParameter, NotInstalled, UnknownMethod
from discreet.text.document import PART_BREAK
from discreet.text.entities import recogniser as registry
from discreet.text.entities.kinds import Kind
from discreet.text.entities.own import pattern, word_list
from discreet.text.entities.pieces import pieces_of
from discreet.text.entities.recogniser import Recogniser, find_recogniser, recogniser, recognisers
from discreet.text.entities.recognition import LONGEST_PIECE, AllowList, not_looked_for, recognise, resolved
from discreet.text.span import Span

RULES = [each.name for each in recognisers() if each.name != "named_entities"]
WORDS = st.sampled_from(
    [
        *(
            "Mr",
            "Dr.",
            "J.",
            "Novak",
            "the",
            "Warsaw",
            "District",
            "Court",
            "of",
            "and",
            "in",
            "Turkey",
            "Polish national,",
        ),
        *(
            "3",
            "May",
            "2001",
            "no.",
            "12345/06",
            "EUR 4,000",
            "ten",
            "years",
            "aged 34",
            "a@b.org",
            "www.x.org/a",
            "PKK",
        ),
        *(
            "was a teacher",
            "Sami",
            "GmbH",
            "+44 20 7946 0958",
            "GB82 WEST 1234 5698 7654 32",
            "(",
            ")",
            "“",
            "\n",
            PART_BREAK,
        ),
        *(
            "İzmir’s",
            "Иванов",
            "O’Brien",
            "al-Assad",
            "ß",
            "§ 3",
            "שלום",
            "محمد",
            "\x00",
            "\u202e",
            "\U0001f600",
            "4111111111111111",
        ),
    ]
)
TEXTS = st.one_of(
    st.lists(WORDS, max_size=25).map(" ".join),
    st.lists(WORDS, max_size=12).map("".join),
    st.text(max_size=60),
)
SPANS = st.lists(
    st.builds(
        lambda start, many, kind, sure: Span(start, start + many, kind, "test", "", sure),
        st.integers(0, 40),
        st.integers(1, 15),
        st.sampled_from(list(Kind)),
        st.sampled_from([0.3, 0.5, 0.9]),
    ),
    max_size=10,
)
PLAIN = "abcdefgh ijklmnop qrstuvwx yz0123456789 abcdefgh ijklmnop"


@given(TEXTS)
@settings(max_examples=300)
def test_spans_are_sorted_disjoint_and_within_one_part(text: str) -> None:
    found = recognise(text, recognisers=RULES)
    end = 0
    for each in found:
        assert end <= each.start < each.end <= len(text)
        assert PART_BREAK not in text[each.start : each.end]
        assert text[each.start : each.end].strip() == text[each.start : each.end]
        assert each.kind in list(Kind)
        assert 0 < each.sure <= 1
        assert each.found_by in RULES
        end = each.end


@given(TEXTS)
@settings(max_examples=200)
def test_every_letter_and_figure_that_a_recogniser_found_is_covered(text: str) -> None:
    covered = {place for each in recognise(text, recognisers=RULES) for place in range(each.start, each.end)}
    for name in RULES:
        for span in find_recogniser(name).find(text):
            held = {place for place in range(span.start, span.end) if re.match(r"\w", text[place])}
            assert held <= covered


@given(SPANS)
def test_resolving_loses_no_letter_and_adds_none(spans: list[Span]) -> None:
    found = resolved(PLAIN, spans)
    before = {place for each in spans for place in range(each.start, each.end) if PLAIN[place] != " "}
    after = [place for each in found for place in range(each.start, each.end) if PLAIN[place] != " "]
    assert len(after) == len(set(after))
    assert set(after) == before
    assert list(found) == sorted(found)


@given(SPANS)
def test_the_first_in_rank_stays_whole(spans: list[Span]) -> None:
    if spans:
        best = min(
            spans,
            key=lambda each: (
                each.start - each.end,
                -each.sure,
                list(Kind).index(Kind(each.kind)),
                each.start,
            ),
        )
        wording = PLAIN[best.start : best.end].strip()
        assert any(wording in PLAIN[each.start : each.end] for each in resolved(PLAIN, spans)) or not wording


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Span(0, 8, Kind.OTHER, "a", "", 0.1), Span(2, 6, Kind.PERSON, "b", "", 0.9)),
        (Span(0, 8, Kind.OTHER, "a", "", 0.9), Span(0, 8, Kind.PERSON, "b", "", 0.5)),
        (Span(0, 8, Kind.PERSON, "a", "", 0.5), Span(0, 8, Kind.PLACE, "b", "", 0.5)),
        (Span(0, 8, Kind.PERSON, "a", "", 0.5), Span(0, 8, Kind.PERSON, "b", "", 0.5)),
    ],
    ids=["the longer", "then the surer", "then the kind that comes first", "then who was first"],
)
def test_of_two_that_overlap_one_stays_by_rule(one: Span, other: Span) -> None:
    assert resolved(PLAIN, [one, other]) == (one,)
    if one[:4] != other[:4] and one.kind != other.kind:
        assert resolved(PLAIN, [other, one]) == (one,)


def test_what_a_loser_holds_beside_the_winner_stays() -> None:
    long, short = Span(0, 8, Kind.PERSON, "a"), Span(6, 13, Kind.PLACE, "b")
    assert resolved(PLAIN, [long, short]) == (long, Span(9, 13, Kind.PLACE, "b"))


def test_nothing_is_found_in_nothing() -> None:
    assert recognise("", recognisers=RULES) == ()
    assert recognise("the court was of the view that it had to be so", recognisers=RULES) == ()


@pytest.mark.parametrize("text", ["Mr Novak met Dr Blum in Kowary."])
def test_the_allow_list_keeps_whole_wordings_however_they_are_capitalised(text: str) -> None:
    kept = recognise(text, recognisers=RULES, allow=AllowList.of(["KOWARY", "novak"]))
    assert [text[each.start : each.end] for each in kept] == ["Mr Novak", "Dr Blum"]


def test_the_allow_list_keeps_countries_if_asked() -> None:
    text = "A Polish national, he went to Nigeria and then to Kowary."
    held = [text[each.start : each.end] for each in recognise(text, recognisers=RULES)]
    assert held == ["Polish national", "Nigeria", "Kowary"]
    kept = recognise(text, recognisers=RULES, allow=AllowList(countries=True))
    assert [text[each.start : each.end] for each in kept] == ["Kowary"]
    assert "Kowary" not in repr(AllowList.of(["Kowary"]))


def test_long_texts_are_read_in_pieces_with_the_same_finds() -> None:
    sentence = "On 3 May 2001 Mr Novak paid EUR 4,000 in Kowary. "
    text = sentence * (LONGEST_PIECE // len(sentence) + 40)
    found = recognise(text, recognisers=["people", "dates", "quantities", "places"])
    assert [(each.start, each.end) for each in found] == [
        (each.start + len(sentence) * turn, each.end + len(sentence) * turn)
        for turn in range(text.count("EUR"))
        for each in recognise(sentence, recognisers=["people", "dates", "quantities", "places"])
    ]


@given(st.text(alphabet="ab \n", max_size=60), st.integers(1, 20))
def test_pieces_join_to_the_text(text: str, longest: int) -> None:
    pieces = list(pieces_of(text, longest))
    assert "".join(text[low:high] for low, high in pieces) == text
    assert all(0 < high - low <= longest for low, high in pieces)


def test_a_recogniser_of_a_user_is_registered_run_and_taken_away() -> None:
    @recogniser(kinds=(Kind.CODE,), meaning="Numbers of our files.", example="see [F-1].")
    def our_files(text: str) -> Iterator[Span]:
        for found in re.finditer(r"F-\d", text):
            yield Span(*found.span(), Kind.CODE, "our_files", "a file number")

    try:
        assert recognise("see F-7 now", recognisers=["our_files"]) == (
            Span(4, 7, Kind.CODE, "our_files", "a file number"),
        )
        with pytest.raises(BadParameter, match="already"):
            recogniser(kinds=(Kind.CODE,), meaning="", example="[a]")(our_files)
    finally:
        registry.unregister("our_files")
    with pytest.raises(UnknownMethod, match="our_files"):
        recognise("see F-7 now", recognisers=["our_files"])


def test_an_example_holds_one_find() -> None:
    def nameless(text: str) -> Iterator[Span]:
        return iter(())

    with pytest.raises(BadParameter, match="square brackets"):
        recogniser(kinds=(Kind.CODE,), meaning="", example="none")(nameless)


def test_what_is_not_installed_is_said_and_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = Recogniser(
        name="lacking",
        kinds=(Kind.PERSON,),
        meaning="",
        example="[a]",
        needs=(("no_such_module", "nor_this"),),
        extra="ner",
        find=lambda text: [Span(0, 1, Kind.PERSON, "lacking")],
    )
    monkeypatch.setitem(registry._RECOGNISERS, "lacking", lacking)
    assert recognise("a") == ()
    (said,) = (each for each in not_looked_for() if each.startswith("lacking"))
    assert "no_such_module is not installed" in said
    assert "discreet[ner]" in said
    with pytest.raises(NotInstalled, match="no_such_module"):
        recognise("a", recognisers=["lacking"])


def test_what_was_not_asked_for_is_said() -> None:
    said = not_looked_for(["dates"])
    assert len(said) == len(recognisers()) - 1
    assert all("not asked for" in each for each in said)


def test_an_unknown_recogniser_is_named_with_the_nearest() -> None:
    with pytest.raises(UnknownMethod, match="'people'"):
        recognise("a", recognisers=["peple"])


def test_patterns_of_a_policy_find_their_group() -> None:
    own = pattern(r"file (?P<entity>F\d+)", kind=Kind.CODE, name="files")
    assert recognise("see file F12 and F13", recognisers=[], own=[own]) == (
        Span(9, 12, Kind.CODE, "files", "a pattern of the policy", 0.99),
    )
    assert [each[:2] for each in recognise("see F12", recognisers=[], own=[pattern(r"F\d+")])] == [(4, 7)]


@pytest.mark.parametrize(
    ("expression", "says"), [("(", "no regular expression"), ("a*", "finds nothing at all")]
)
def test_a_bad_pattern_is_refused_by_name(expression: str, says: str) -> None:
    with pytest.raises(BadParameter, match=f"'files'.*{says}"):
        pattern(expression, name="files")


def test_lists_of_a_policy_find_whole_words_the_longest_first() -> None:
    own = word_list(["Blue Danube", "Blue", "Operation  Success"], kind=Kind.OTHER, name="projects")
    text = "The BLUE danube, blueish, Blue and operation\nsuccess."
    found = [text[each.start : each.end] for each in recognise(text, recognisers=[], own=[own])]
    assert found == ["BLUE danube", "Blue", "operation\nsuccess"]
    exact = word_list(["Blue"], exact=True)
    assert [each.start for each in recognise(text, recognisers=[], own=[exact])] == [text.index("Blue")]
    with pytest.raises(BadParameter, match="'projects'"):
        word_list(["..."], name="projects")
