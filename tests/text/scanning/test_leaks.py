"""Protected strings are found however they are packed, split or spelt, and words that only look like them are not."""

from __future__ import annotations

import base64
import gzip
import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.test_layers import imports
from tests.text.documents.samples import SAMPLES

import discreet
from discreet.errors import BadFile, BadParameter, GuaranteeBroken
from discreet.text import leaks
from discreet.text.scanning import matching
from discreet.text.scanning.leaks import check_leaks, check_strays, strays
from discreet.text.scanning.matching import Matcher

NAME = "John Smith"


@pytest.mark.parametrize(
    "text",
    [
        "Dear John Smith,",
        "JOHN SMITH",
        "john smith's",
        "John\nSmith",
        "John   \r\n  Smith",
        "Jo\u00adhn Smith",
        "Jo\u200bhn\u2060 Smith",
        "John Sm-\nith",
        "John Sm\u2010\n   ith",
        "John-Smith",
        "john.smith@example.org",
        "john_smith.txt",
        "J o h n S m i t h",
        "Ｊｏｈｎ Ｓｍｉｔｈ",
        "(John) Smith",
    ],
)
def test_a_name_is_found_however_it_is_written(text: str) -> None:
    assert Matcher([NAME]).count(f"before {text} after") >= 1


@pytest.mark.parametrize(
    "text", ["John Smithson", "Johns Smith", "Smith, John", "Ajohn Smith", "John and Smith"]
)
def test_only_whole_words_in_their_order_are_found(text: str) -> None:
    assert Matcher([NAME]).count(text) == 0


@pytest.mark.parametrize(
    ("text", "found"),
    [("in the bush", 0), ("President Bush said", 1), ("BUSH", 1), ("Bushes", 0), ("a\nBush.", 1)],
)
def test_an_ordinary_word_is_found_only_as_it_is_written_or_in_capitals(text: str, found: int) -> None:
    assert Matcher(["Bush"], ordinary={"bush"}).count(text) == found
    assert Matcher(["Bush"]).count("in the bush") == 1


@pytest.mark.parametrize(("text", "found"), [("go to it", 0), ("Mr. To said", 1), ("TO", 1)])
def test_a_string_of_two_letters_is_found_only_as_it_is_written(text: str, found: int) -> None:
    assert Matcher(["To"]).count(text) == found


@pytest.mark.parametrize("text", ["+44 20 7946 0958", "442079460958", "44-20-7946.0958", "(44) 20 7946 0958"])
def test_a_number_is_found_whatever_stands_between_its_digits(text: str) -> None:
    assert Matcher(["+44 20 7946 0958"]).count(f"call {text} now") == 1


def test_a_long_string_is_found_across_a_line_break_without_a_hyphen() -> None:
    assert Matcher(["Donaudampfschiff"]).count("Donaudampf\nschiff") == 1
    assert Matcher(["Manson"]).count("a man\nson of") == 0


def test_scripts_without_spaces_are_found_inside_a_line() -> None:
    assert Matcher(["田中"]).count("昨日田中さんは来た") == 1


def test_accents_are_the_same_composed_or_not() -> None:
    assert Matcher(["Müller"]).count("Herr Mu\u0308ller") == 1


def test_a_string_that_nobody_can_look_for_is_refused() -> None:
    with pytest.raises(BadParameter, match="letter or a digit"):
        Matcher(["--"])


WORDS = st.lists(st.text("abcXYZé", min_size=3, max_size=7), min_size=1, max_size=3).map(" ".join)


@given(protected=st.lists(WORDS, min_size=1, max_size=5), around=st.lists(WORDS, max_size=3), data=st.data())
def test_whatever_is_protected_is_found_between_other_words(
    protected: list[str], around: list[str], data: st.DataObject
) -> None:
    one = data.draw(st.sampled_from(protected))
    gap = data.draw(st.sampled_from([" ", "\n", ", ", " - ", "\t"]))
    text = gap.join([*around, one, *around])
    assert Matcher(protected).count(text) >= 1


@given(protected=st.lists(WORDS, min_size=1, max_size=4), text=st.lists(WORDS, max_size=6))
def test_nothing_is_found_that_is_not_there_as_words(protected: list[str], text: list[str]) -> None:
    line = f" {' '.join(text)} ".casefold()
    there = any(f" {each} ".casefold() in line for each in protected)
    assert bool(Matcher(protected).count(" ".join(text))) is there


@given(before=st.integers(0, 120), after=st.integers(0, 120))
def test_a_long_text_is_looked_through_in_pieces_that_miss_nothing(before: int, after: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "PIECE", 40)
        patch.setattr(matching, "WORD", 20)
        text = f"{'word ' * before}John Smith {'Johnson ' * after}"
        assert Matcher([NAME]).count(text) >= 1
        assert Matcher(["John"]).count("Johnson Smithson " * after) == 0


def packed(text: str | bytes, name: str = "a.xml") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, text)
    return out.getvalue()


FILES = {
    "text": ("a.txt", NAME.encode()),
    "UTF-16": ("a.txt", NAME.encode("utf-16")),
    "entities": ("a.html", b"<p>&#74;ohn&nbsp;&#x53;mith</p>"),
    "runs": ("a.html", b"<p>Jo<b>hn</b> S<i>mi</i>th</p>"),
    "attribute": ("a.html", b'<p data-x="John Smith">x</p>'),
    "link": ("a.html", b'<a href="http://x/John%20Smith">x</a>'),
    "data URI": (
        "a.html",
        b'<img src="data:text/plain;base64,' + base64.b64encode(b"for John Smith and others") + b'">',
    ),
    "comment": ("a.html", b"<!-- John Smith -->"),
    "marks": ("a.md", b"**John** [Smith](x)"),
    "archive": ("a.docx", packed("<w:p><w:t>John Smi</w:t></w:r><w:r><w:t>th</w:t></w:p>")),
    "member": ("a.docx", packed("<a/>", "John Smith.xml")),
    "archive in an archive": (
        "a.docx",
        packed(packed(f"<t>{NAME}</t>"), "b.zip"),
    ),
    "RTF": ("a.rtf", b"{\\rtf1 Jo{\\b hn} \\u83?m\\'69th}"),
    "name": ("John Smith.txt", b"text"),
    "picture": ("a.png", b"\x89PNG\x00\x01Author=John Smith;\x00\x02"),
    "wide picture": ("a.png", b"\x89PNG\x00\x01" + NAME.encode("utf-16-le") + b"\x00\xff\x02"),
    "mail field": ("a.eml", b"Subject: =?utf-8?B?" + base64.b64encode(NAME.encode()) + b"?=\r\n\r\nx"),
    "base64 mail": (
        "a.eml",
        b"From: a@b.c\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.b64encode(NAME.encode()),
    ),
    "quoted mail": (
        "a.eml",
        b"From: a@b.c\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nJohn=20Sm=\r\nith",
    ),
    "PDF": ("a.pdf", SAMPLES[".pdf"][0]({"second page": NAME})),
    "PDF property": ("a.pdf", SAMPLES[".pdf"][0]({"author": NAME})),
    "PDF note": ("a.pdf", SAMPLES[".pdf"][0]({"note": NAME})),
    "PDF form": ("a.pdf", SAMPLES[".pdf"][0]({"form value": NAME})),
    "PDF bookmark": ("a.pdf", SAMPLES[".pdf"][0]({"bookmark": NAME})),
}


@pytest.mark.parametrize("what", FILES)
def test_a_name_is_found_wherever_it_is_packed(what: str, tmp_path: Path) -> None:
    name, content = FILES[what]
    (tmp_path / name).write_bytes(content)
    found = leaks(tmp_path, [NAME, "somebody else"])
    assert found
    assert all("smith" not in str(each).lower() for each in found)
    assert leaks(tmp_path, ["Jane Miller"]) == ()


@pytest.mark.parametrize("ending", SAMPLES)
def test_every_place_of_an_original_is_seen_by_the_scan(ending: str, tmp_path: Path) -> None:
    make, places = SAMPLES[ending]
    for number, place in enumerate(places):
        (tmp_path / f"{number}{ending}").write_bytes(make({place: "Zorblaxquine"}))
    found = {each.file for each in leaks(tmp_path, ["Zorblaxquine"])}
    assert found == {f"{number}{ending}" for number in range(len(places))}


def test_a_find_is_an_error_that_says_where_and_not_what(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Dear John Smith and John Smith")
    with pytest.raises(GuaranteeBroken, match=r"a\.txt, text: 2") as problem:
        check_leaks(tmp_path, [NAME])
    assert "Smith" not in str(problem.value)


def test_nothing_protected_is_nothing_found(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Dear John Smith")
    assert leaks(tmp_path, []) == ()


def test_files_too_deep_in_each_other_are_an_error_and_not_clean(tmp_path: Path) -> None:
    content = b"John Smith"
    for _ in range(20):
        content = packed(content, "a.zip")
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(BadFile, match="deep"):
        leaks(tmp_path, [NAME])


def test_an_archive_that_cannot_be_read_is_an_error_and_not_clean(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(packed("x" * 100)[:60])
    with pytest.raises(BadFile, match="cannot be read"):
        leaks(tmp_path, [NAME])


def test_a_compressed_text_is_looked_into(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(NAME.encode()))
    assert leaks(tmp_path, [NAME])


def test_the_scan_shares_no_code_with_readers_and_writers() -> None:
    folder = Path(discreet.__file__).parent / "text" / "scanning"
    for file in folder.glob("*.py"):
        assert not {each for each in imports(file) if each.startswith("discreet.text.documents")}
        assert "discreet.text.writing" not in imports(file)


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("a.txt", b"It was May.", 1),
        ("a.txt", b"MAY, May and may; Mayor", 2),
        ("a.html", b"<p class='May'>In <b>M</b>ay</p><title>so</title>", 2),
        ("a.html", b"<May>so</May>", 0),
        ("a.eml", b"Subject: May\n\nso", 2),
        ("May.txt", b"so", 1),
    ],
)
def test_a_single_word_is_found_as_it_is_written_or_in_capitals_where_readers_see_it(
    tmp_path: Path, name: str, content: bytes, found: int
) -> None:
    (tmp_path / name).write_bytes(content)
    assert sum(each.count for each in strays(tmp_path, {"May"}, {})) == found
    assert strays(tmp_path, {"May"}, {name: {"May"}}) == ()
    assert bool(strays(tmp_path, {"May", "Rose"}, {name: {"Rose"}})) is bool(found)


def test_what_codes_a_file_is_no_word_that_a_reader_sees(tmp_path: Path) -> None:
    """Page, Font and Type stand in every PDF, and Normal and Default in every Word document."""
    for ending in ("pdf", "docx"):
        make, places = SAMPLES[f".{ending}"]
        (tmp_path / f"a.{ending}").write_bytes(make(dict.fromkeys(places, "bread")))
    check_strays(tmp_path, {"Page", "Font", "Type", "Catalog"}, {})


def test_a_stray_word_is_an_error_that_says_where_and_not_which(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("It was May.")
    check_strays(tmp_path, (), {})
    with pytest.raises(GuaranteeBroken, match=r"a\.txt, text: 1") as broken:
        check_strays(tmp_path, {"May"}, {})
    assert "May" not in str(broken.value)
