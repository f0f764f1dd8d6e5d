"""Corpora as they come: empty documents, duplicates, binary files, one class, many features."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from discreet.errors import BadFile, Unreachable
from discreet.text.document import Corpus
from discreet.text.vectors.assess import assess_vectors
from discreet.text.vectors.collection import read_collection
from discreet.text.vectors.losses import lost
from discreet.text.vectors.matrix import DocumentTermMatrix
from discreet.text.vectors.published import PublishedMatrix, VectorPair
from discreet.text.vectors.spherical_microaggregate import microaggregate
from discreet.text.vectors.vectorise import vectorise

TEXTS = ["red wine", "red beer", "white wine", "white beer", "red wine white", "beer white red"]


def test_an_empty_document_is_a_row_of_zeros_and_is_not_published() -> None:
    matrix = vectorise(Corpus.of([*TEXTS, "", "   \n"]))
    assert matrix.without_words.tolist() == [False] * 6 + [True] * 2
    masked = microaggregate(matrix, k=2)
    assert len(masked) == 6
    assert masked.facts["documents_without_words"] == 2
    assert lost(VectorPair.of(matrix, masked)).loss >= 2 / 8


def test_a_document_with_no_word_left_after_filtering_is_not_published() -> None:
    matrix = vectorise(Corpus.of([*TEXTS, "the and of unheard"]))
    assert matrix.without_words.tolist() == [False] * 6 + [True]
    assert np.isfinite(microaggregate(matrix, k=3).centres.data).all()


def test_a_document_of_rare_terms_only_is_left_out_where_these_are_dropped() -> None:
    matrix = vectorise(Corpus.of([*TEXTS, "xenon yttrium", "xenon yttrium"]))
    assert not matrix.without_words.any()
    assert len(microaggregate(matrix, k=3)) == 6
    assert len(microaggregate(matrix, k=3, rare="keep")) == 8


@pytest.mark.parametrize("k", [7, 100])
def test_fewer_than_k_documents_cannot_be_masked(k: int) -> None:
    with pytest.raises(Unreachable, match=f"k={k} needs {k} documents"):
        microaggregate(vectorise(Corpus.of(TEXTS)), k=k)


def test_documents_without_any_common_term_are_an_error() -> None:
    with pytest.raises(Unreachable, match="none of the 3 words"):
        vectorise(Corpus.of(["ash", "bay", "cat"]))
    with pytest.raises(Unreachable, match="0 documents"):
        vectorise(Corpus.of([]))


def test_duplicate_documents_are_masked_like_others() -> None:
    matrix = vectorise(Corpus.of(TEXTS * 3))
    masked = microaggregate(matrix, k=3)
    assert np.bincount(PublishedMatrix.of(masked).equal_rows()).min() >= 3
    found = assess_vectors(matrix, masked, attacks=["k_anonymity"], losses=["il"])
    assert found.before.k == 3
    assert found.before.identity == pytest.approx(1 / 3)


def test_equal_documents_alone_lose_nothing() -> None:
    matrix = DocumentTermMatrix.of(np.ones((6, 2)))
    found = assess_vectors(matrix, microaggregate(matrix, k=3), losses=["lost", "il"])
    assert found.lost is not None
    assert found.lost.loss == 0.0
    assert found.identity is not None
    assert found.identity.risk == pytest.approx(1 / 6)


def test_a_hundred_thousand_features_take_room_for_their_weights_only() -> None:
    draw = np.random.default_rng(1)
    columns = draw.integers(0, 100_000, size=(60, 20))
    rows = csr_array((np.ones(1200), (np.repeat(np.arange(60), 20), columns.ravel())), shape=(60, 100_000))
    matrix = DocumentTermMatrix.of(rows)
    masked = microaggregate(matrix, k=3, rare="keep")
    found = assess_vectors(matrix, masked)
    assert not [each for each in found.not_done if each.applies and each.name != "classification"]
    assert found.risk("link_cosine") is not None


def test_binary_files_in_a_folder_are_left_out_and_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("red wine")
    (tmp_path / "b.txt").write_bytes("café".encode("cp1252") * 20)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)))
    (tmp_path / "data.bin").write_bytes(b"abc\0\0def" * 100)
    (tmp_path / ".hidden").write_text("not this")
    found = read_collection(tmp_path)
    assert [each.name for each in found.corpus] == ["a.txt", "b.txt"]
    assert found.corpus.documents[1].text.startswith("café")
    assert sorted(found.not_text) == ["data.bin", "picture.png"]
    assert found.classes is None


def test_a_folder_without_text_is_a_bad_file(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no text file"):
        read_collection(tmp_path)
    (tmp_path / "data.bin").write_bytes(b"\0\1\2")
    with pytest.raises(BadFile, match="1 files hold no text"):
        read_collection(tmp_path)
    with pytest.raises(BadFile, match="there is no file"):
        read_collection(tmp_path / "nowhere")
    (tmp_path / "a.docx").write_bytes(b"no zip")
    with pytest.raises(BadFile, match="neither a folder"):
        read_collection(tmp_path / "a.docx")


def test_subfolders_are_classes_also_in_a_zip_file_with_a_folder_of_its_own(tmp_path: Path) -> None:
    for name in ("wine/a.txt", "wine/b.txt", "beer/c.txt"):
        (tmp_path / "all" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "all" / name).write_text(f"text of {name}")
    assert read_collection(tmp_path / "all").classes == ("beer", "wine", "wine")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as packed:
        for file in sorted((tmp_path / "all").rglob("*.txt")):
            packed.write(file, f"top/{file.relative_to(tmp_path / 'all')}")
    assert read_collection(tmp_path / "all.zip").classes == ("beer", "wine", "wine")
    (tmp_path / "all" / "loose.txt").write_text("no class")
    assert read_collection(tmp_path / "all").classes is None


def test_a_corpus_of_one_class_has_that_class(tmp_path: Path) -> None:
    (tmp_path / "wine").mkdir()
    for name in "abc":
        (tmp_path / "wine" / f"{name}.txt").write_text("red wine")
    assert read_collection(tmp_path).classes == ("wine",) * 3


def test_json_lines_are_read_with_classes_and_parts(tmp_path: Path) -> None:
    lines = [
        {"id": 1, "title": "On wine", "body": "It is red.", "topics": ["wine"], "split": "train"},
        {"name": "second", "text": "It is not.", "class": "beer", "split": "test"},
    ]
    place = tmp_path / "reviews.jsonl.gz"
    place.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    found = read_collection(place)
    assert [each.text for each in found.corpus] == ["On wine\nIt is red.", "It is not."]
    assert (found.classes, found.split) == (("wine", "beer"), ("train", "test"))
    for wrong in ("[]", "not json", '{"title": "x"}', ""):
        (tmp_path / "wrong.jsonl").write_text(wrong)
        with pytest.raises(BadFile, match="wrong"):
            read_collection(tmp_path / "wrong.jsonl")


def test_a_damaged_zip_file_is_a_bad_file(tmp_path: Path) -> None:
    place = tmp_path / "all.zip"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a.txt", "red wine " * 500)
    content = bytearray(place.read_bytes())
    content[45:60] = bytes(15)
    place.write_bytes(bytes(content))
    with pytest.raises(BadFile, match="damaged"):
        read_collection(place)


def test_formats_with_hidden_parts_give_their_text_alone(tmp_path: Path) -> None:
    page = "<html><head><title>Secret title</title></head><body><p>red wine</p><!-- hidden note --></body></html>"
    (tmp_path / "a.html").write_text(page)
    (tmp_path / "b.md").write_text("# White\n\nbeer")
    found = read_collection(tmp_path)
    assert [each.text.split() for each in found.corpus] == [
        ["Secret", "title", "red", "wine"],
        ["White", "beer"],
    ]
