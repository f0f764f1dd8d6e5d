"""Terms are found by stem, whatever separates their words, and misspelt; a plain search finds the same hits."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.text.small_topics import NOUNS, WEAPONS, terms

from discreet.errors import NotInstalled
from discreet.ontology.readers import wordnet_home
from discreet.text.policy_sections import MatchingOptions
from discreet.text.topics import Hit, How, Matcher, find_topics, stems, widen
from discreet.text.topics.spelling import SpellingIndex, edits_allowed
from discreet.text.topics.stems import stem, stems_of
from discreet.text.topics.tokens import (
    APART,
    AT_ONCE,
    JOINED_BY_HYPHEN,
    JOINED_BY_SPACE,
    JOINED_OTHERWISE,
    Vocabulary,
    gap_class,
    tokenise,
)
from discreet.text.words import WORD

NO_SLIPS = MatchingOptions(misspellings=False)


@pytest.fixture(autouse=True)
def small_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dictionary of a few words, so that what is known does not depend on what is installed."""
    known = frozenset(
        map(stem, ["the", "world", "weapon", "mail", "short", "live", "line", "hard", "lay", "charge"])
    )
    monkeypatch.setattr("discreet.text.topics.matching.known_stems", lambda: known)


def written(text: str, hits: tuple[Hit, ...]) -> list[tuple[str, str, str]]:
    return [(text[each.start : each.end], each.term.text, each.how.name) for each in hits]


@pytest.mark.parametrize(
    ("text", "term", "found", "how"),
    [
        ("the weapon lay", "weapon", "weapon", How.WRITTEN),
        ("The Weapon lay", "weapon", "Weapon", How.WRITTEN),
        ("WEAPONS lay", "weapon", "WEAPONS", How.STEM),
        ("encrypting it", "encrypt", "encrypting", How.STEM),
        ("the email", "e-mail", "email", How.SEPARATOR),
        ("the e-mail", "email", "e-mail", How.SEPARATOR),
        ("the e mail", "email", "e mail", How.SEPARATOR),
        ("the e_mail", "e mail", "e_mail", How.SEPARATOR),
        ("nuclear-weapons", "nuclear weapon", "nuclear-weapons", How.STEM),
        ("nuclear\nweapon", "nuclear weapon", "nuclear\nweapon", How.SEPARATOR),
        ("a wea-\npon lay", "weapon", "wea-\npon", How.SEPARATOR),
        ("the e-amil", "e-mail", "e-amil", How.MISSPELT),
        ("two wepons", "weapon", "wepons", How.MISSPELT),
        ("nucler weapon", "nuclear weapon", "nucler weapon", How.MISSPELT),
    ],
)
def test_a_term_is_found_in_each_way_that_it_can_be_written(
    text: str, term: str, found: str, how: How
) -> None:
    assert written(text, find_topics(text, terms(term))) == [(found, term, how.name)]


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("nuclear. Weapon", "nuclear weapon"),
        ("nuclear\n\nweapon", "nuclear weapon"),
        ("nuclear, weapon", "nuclear weapon"),
        ("it is a mail", "amail"),
        ("Smith's word", "sword"),
        ("weaponry and the weapo", "gun"),
        ("the world", "would"),
        ("The Wepon", "weapon"),
        ("the hardest", "harvest"),
        ("the chargé", "charger"),
        ("wepon " * 4, "weapon"),
        ("short-lived", "short line"),
    ],
)
def test_what_is_not_the_term_is_not_found(text: str, term: str) -> None:
    """Phrases end at punctuation; a slip is rare, small, unknown and no form of a known word."""
    assert find_topics(text, terms(term)) == ()


def test_the_longest_of_terms_that_begin_alike_is_found_and_hits_do_not_overlap() -> None:
    text = "a nuclear weapon test ban"
    found = find_topics(text, terms("nuclear", "nuclear weapon test", "weapon", "test ban", "ban"))
    assert written(text, found) == [
        ("nuclear weapon test", "nuclear weapon test", "WRITTEN"),
        ("ban", "ban", "WRITTEN"),
    ]


def test_the_word_as_written_goes_before_others_of_its_stem() -> None:
    text = "encryption encrypts"
    first, second = find_topics(text, terms("encrypt", "encryption"))
    assert first.term.text == "encryption"
    assert second.term.text in ("encrypt", "encryption")


def test_a_hit_says_why_and_does_not_repeat_the_text() -> None:
    (hit,) = find_topics("two rifles", widen(WEAPONS, ontology=NOUNS))
    assert hit.why == "arms: a hyponym of 'weapon' (weapon.n.01), 2 below it; by its stem"
    span = hit.span()
    assert (span.start, span.end, span.kind, span.found_by) == (4, 10, "arms", "topics")
    assert "rifle" not in span.why


def test_without_a_dictionary_misspellings_are_not_looked_for_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stems.known_stems.cache_clear()
    monkeypatch.setattr("discreet.text.topics.matching.known_stems", stems.known_stems)
    monkeypatch.setattr(wordnet_home, "_places", lambda: iter(()))
    with pytest.raises(NotInstalled):
        stems.known_stems()
    matcher = Matcher(terms("weapon"))
    assert not matcher.looks_for_misspellings
    assert matcher.find("wepon") == ()
    assert Matcher(terms("weapon"), options=NO_SLIPS).find("wepon") == ()


def test_words_that_the_steward_knows_are_no_misspellings() -> None:
    assert Matcher(terms("weapon")).find("wepon")
    assert Matcher(terms("weapon"), known=["Wepon"]).find("wepon") == ()


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "...", "x" * 200, "é" * 100, "نص عربي قصير", "武器", "\ud800 weapon"]
)
def test_any_text_has_an_answer(text: str) -> None:
    assert len(find_topics(text, terms("weapon"))) == ("weapon" in text)
    assert find_topics(text, ()) == ()


def test_a_long_line_is_taken_in_pieces_without_losing_a_hit() -> None:
    """The line is longer than what is split at once, and phrases stand at every place where it could be cut."""
    text = "nuclear weapon " * (AT_ONCE // 10)
    assert len(text) > AT_ONCE
    found = find_topics(text, terms("nuclear weapon"))
    assert [each.start for each in found] == list(range(0, len(text), 15))


def test_a_matcher_that_has_met_too_many_words_starts_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.text.topics.matching.MOST_WORDS", 5)
    matcher = Matcher(terms("weapon"))
    for number in range(20):
        assert len(matcher.find(f"word{number} weapons wepon{'x' * number}")) >= 1
    assert len(matcher._vocabulary) < 12


WORDS = [
    "nuclear",
    "weapons",
    "weapon",
    "e",
    "mail",
    "email",
    "test",
    "Test",
    "nuclearweapon",
    "a",
    "xray",
    "x",
    "ray",
]
TEXTS = st.lists(
    st.tuples(
        st.sampled_from(WORDS), st.sampled_from([" ", "-", ". ", "\n", "\n\n", "_", "/", "’", "  ", ", "])
    )
)
TERMS = [
    "nuclear weapon",
    "weapon",
    "e-mail",
    "test",
    "nuclear",
    "weapon test",
    "x-ray",
    "mail test nuclear",
    "xray",
]


@given(TEXTS, st.lists(st.sampled_from(TERMS), unique=True))
@example([("e", "-"), ("mail", " "), ("test", " "), ("nuclear", " ")], ["e-mail", "mail test nuclear"])
def test_a_plain_search_at_every_place_finds_the_same_hits(
    pieces: list[tuple[str, str]], chosen: list[str]
) -> None:
    text = "".join(word + gap for word, gap in pieces)
    found = Matcher(terms(*chosen), options=NO_SLIPS).find(text)
    assert [(each.start, each.end) for each in found] == plain_search(text, chosen)


def plain_search(text: str, chosen: list[str]) -> list[tuple[int, int]]:
    """Tries every term at every word, as the rule says it and nothing faster."""
    words = [(each.start(), each.end()) for each in WORD.finditer(text)]
    paths = {stems_of(each) for each in chosen}
    paths |= {(stem("".join(WORD.findall(each))),) for each in chosen}
    found: list[tuple[int, int]] = []
    place = 0
    while place < len(words):
        best = 0
        for path in paths:
            here = words[place : place + len(path)]
            gaps = [text[one[1] : other[0]] for one, other in pairwise(here)]
            if tuple(stem(text[low:high]) for low, high in here) == path and all(map(gap_class, gaps)):
                best = max(best, len(path))
        if best < 2 and place + 1 < len(words) and _one_word(text, words, place):
            both = text[slice(*words[place])] + text[slice(*words[place + 1])]
            best = 2 if (stem(both),) in paths else best
        if best:
            found.append((words[place][0], words[place + best - 1][1]))
        place += max(best, 1)
    return found


def _one_word(text: str, words: list[tuple[int, int]], place: int) -> bool:
    """Whether a hyphen, or a single letter that is not the end of a word before it, joins two words."""
    (low, high), (after, _) = words[place], words[place + 1]
    if text[low:high] in "aAiI":
        return False
    kind = gap_class(text[high:after])
    ended = place > 0 and gap_class(text[words[place - 1][1] : low]) == JOINED_OTHERWISE
    return kind == JOINED_BY_HYPHEN or (kind == JOINED_BY_SPACE and high - low == 1 and not ended)


@given(st.text(alphabet="ab -_.\n\u00ad/’é", max_size=60))
def test_words_stand_where_the_text_has_them_and_gaps_are_told(text: str) -> None:
    vocabulary = Vocabulary()
    found = tokenise(text, vocabulary)
    expected = [(each.start(), each.end()) for each in WORD.finditer(text)]
    assert list(zip(found.starts.tolist(), found.ends.tolist(), strict=True)) == expected
    assert [vocabulary.words[each] for each in found.words.tolist()] == [text[a:b] for a, b in expected]
    gaps = [text[one[1] : other[0]] for one, other in pairwise(expected)]
    assert found.after[:-1].tolist() == [gap_class(each) for each in gaps]


@pytest.mark.parametrize(
    ("gap", "kind"),
    [
        (" ", JOINED_BY_SPACE),
        ("\n   ", JOINED_BY_SPACE),
        (" " * 40, JOINED_BY_SPACE),
        ("\n" + " " * 40, JOINED_BY_SPACE),
        ("-", JOINED_BY_HYPHEN),
        ("-\n", JOINED_BY_HYPHEN),
        (" - ", JOINED_OTHERWISE),
        ("/", JOINED_OTHERWISE),
        ("’", JOINED_OTHERWISE),
        (".", APART),
        ("\n\n", APART),
        ("\n" + " " * 40 + "\n", APART),
        ("-" * 40, APART),
        (". ", APART),
    ],
)
def test_gaps_inside_phrases_are_told_from_their_ends(gap: str, kind: int) -> None:
    assert gap_class(gap) == kind


LETTERS = st.text(alphabet="abc", min_size=4, max_size=11)


@settings(max_examples=200)
@given(st.lists(LETTERS, min_size=1, max_size=6), LETTERS)
def test_the_index_of_deletions_finds_the_nearest_word_as_trying_all_of_them_does(
    words: list[str], word: str
) -> None:
    def reach(other: str) -> tuple[int, int, str] | None:
        edits = plain_edits(word, other)
        near = edits <= min(edits_allowed(word), edits_allowed(other)) and word[0] == other[0]
        return (edits, abs(len(word) - len(other)), other) if near else None

    best = min((each for each in map(reach, words) if each is not None), default=None)
    assert SpellingIndex(words).nearest(word) == (None if best is None else best[2])


@cache
def plain_edits(one: str, other: str) -> int:
    """Letters left out, put in, changed or swapped with the next, each place edited once."""
    if not one or not other:
        return len(one) + len(other)
    ways = [
        plain_edits(one[:-1], other) + 1,
        plain_edits(one, other[:-1]) + 1,
        plain_edits(one[:-1], other[:-1]) + (one[-1] != other[-1]),
    ]
    if len(one) > 1 and len(other) > 1 and one[-2:] == other[:-3:-1]:
        ways.append(plain_edits(one[:-2], other[:-2]) + 1)
    return min(ways)


def test_a_long_word_is_not_looked_up() -> None:
    assert SpellingIndex(["a" * 30]).nearest("a" * 30) is None


def test_both_stemmers_give_the_same_stems() -> None:
    from snowballstemmer.english_stemmer import EnglishStemmer

    plain = EnglishStemmer()
    words = ["weapons", "encryption", "dying", "facilities", "generously", "skies", "news", "nationally"]
    assert [plain.stemWord(each) for each in words] == [stem(each) for each in words]
