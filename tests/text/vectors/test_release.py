"""Releases of vectors: checked files, every format the same matrix, nothing of who is who in the public half."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.text.vectors.small_corpora import invented, some_matrix

from discreet.errors import BadFile, BadParameter, GuaranteeBroken, Mismatch, WouldOverwrite
from discreet.text.release import verify_text_release
from discreet.text.vectors.assess import assess_vector_release, assess_vectors
from discreet.text.vectors.files import load_matrix, read_matrix, read_published, save_matrix, write_matrix
from discreet.text.vectors.matrix import DocumentTermMatrix
from discreet.text.vectors.published import PublishedMatrix
from discreet.text.vectors.release import load_vectors, matrix_digest, recheck_vectors, save_vectors
from discreet.text.vectors.spherical_microaggregate import microaggregate


@pytest.fixture(scope="module")
def notes() -> DocumentTermMatrix:
    return invented(60)


@pytest.mark.parametrize("format", ["npz", "mtx", "parquet"])
def test_every_format_gives_back_the_same_bytes_of_weights(tmp_path: Path, format: str) -> None:
    rows = some_matrix(1, 30).weights
    for name in ("one", "two"):
        write_matrix(rows, tmp_path / f"{name}.{format}")
    assert (tmp_path / f"one.{format}").read_bytes() == (tmp_path / f"two.{format}").read_bytes()
    found = read_matrix(tmp_path / f"one.{format}", terms=rows.shape[1])
    assert found.shape == rows.shape
    assert found.data.tobytes() == rows.data.tobytes()
    assert found.indices.tolist() == rows.indices.tolist()


@pytest.mark.parametrize("format", ["npz", "mtx", "parquet"])
def test_every_row_of_the_written_file_occurs_at_least_k_times(
    tmp_path: Path, notes: DocumentTermMatrix, format: str
) -> None:
    folder = save_vectors(notes, microaggregate(notes, k=4), tmp_path / "out", format=format)
    written = read_published(folder / "public")
    assert np.bincount(written.equal_rows()).min() >= 4
    assert {each.name for each in (folder / "public").iterdir()} == {
        f"matrix.{format}", "vocabulary.txt", "manifest.json",
    }  # fmt: skip
    found = verify_text_release(folder, recheck={"vectors": recheck_vectors})
    assert [each.state for each in found.findings if each.says.startswith("every")] == ["holds", "holds"]


def test_rows_are_in_random_order_unless_asked(tmp_path: Path, notes: DocumentTermMatrix) -> None:
    masked = microaggregate(notes, k=4)
    shuffled = save_vectors(notes, masked, tmp_path / "a", seed=1)
    kept = save_vectors(notes, masked, tmp_path / "b", seed=1, order="kept")
    again = save_vectors(notes, masked, tmp_path / "c", seed=1)
    other = save_vectors(notes, masked, tmp_path / "d", seed=2)
    files = [(each / "public" / "matrix.npz").read_bytes() for each in (shuffled, kept, again, other)]
    assert files[0] == files[2]
    assert len(set(files)) == 3
    origin = load_vectors(kept, notes)[1].origin
    assert origin.tolist() == masked.rows.tolist()
    assert load_vectors(shuffled, notes)[1].origin.tolist() != origin.tolist()


def test_the_public_half_names_no_document_and_no_class(tmp_path: Path, notes: DocumentTermMatrix) -> None:
    folder = save_vectors(notes, microaggregate(notes, k=4), tmp_path / "out")
    texts = b"".join(each.read_bytes() for each in (folder / "public").iterdir())
    assert not any(name.encode() in texts for name in notes.documents)
    manifest = json.loads((folder / "public" / "manifest.json").read_text())
    assert set(manifest["done"]) == {"built", "masked", "documents", "terms", "order_of_rows"}
    assert "origin" not in json.dumps(manifest)


def test_the_masked_rows_of_a_release_are_those_of_its_documents(
    tmp_path: Path, notes: DocumentTermMatrix
) -> None:
    masked = microaggregate(notes, k=4)
    _, pair = load_vectors(save_vectors(notes, masked, tmp_path / "out"), notes)
    back = np.argsort(pair.origin)
    assert abs(pair.published.weights[back] - masked.weights).nnz == 0
    assert pair.parameters["k"] == 4


def test_a_release_of_another_matrix_is_refused(tmp_path: Path, notes: DocumentTermMatrix) -> None:
    folder = save_vectors(notes, microaggregate(notes, k=4), tmp_path / "out")
    with pytest.raises(Mismatch, match="another matrix"):
        load_vectors(folder, invented(61))
    assert matrix_digest(invented(60)) == matrix_digest(notes)


def test_a_release_without_its_private_half_is_not_assessed(
    tmp_path: Path, notes: DocumentTermMatrix
) -> None:
    folder = save_vectors(notes, microaggregate(notes, k=4), tmp_path / "out")
    (folder / "private").rename(tmp_path / "kept apart")
    with pytest.raises(Mismatch, match="private manifest"):
        assess_vector_release(folder, notes)
    found = assess_vector_release(
        folder, notes, private=tmp_path / "kept apart", attacks=["k_anonymity"], losses=["il"]
    )
    assert found.risk("k_anonymity") is not None


def test_a_matrix_that_is_not_k_anonymous_publishes_nothing(
    tmp_path: Path, notes: DocumentTermMatrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    masked = microaggregate(notes, k=4)
    real = PublishedMatrix.of

    def broken(given: object, order: object) -> PublishedMatrix:
        found = real(given, order)  # type: ignore[arg-type]
        weights = found.weights.copy()
        weights.data[0] = np.nextafter(weights.data[0], 1)
        return PublishedMatrix(weights=weights, vocabulary=found.vocabulary)

    monkeypatch.setattr(PublishedMatrix, "of", broken)
    with pytest.raises(GuaranteeBroken, match="occurs at least 4 times"):
        save_vectors(notes, masked, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_changed_file_is_found_when_verified(tmp_path: Path, notes: DocumentTermMatrix) -> None:
    folder = save_vectors(notes, microaggregate(notes, k=4), tmp_path / "out")
    (folder / "public" / "vocabulary.txt").write_text("changed\n")
    assert not verify_text_release(folder, recheck={"vectors": recheck_vectors}).sound


def test_the_matrix_of_the_original_reads_back_whole_and_is_for_its_owner(
    tmp_path: Path, notes: DocumentTermMatrix
) -> None:
    folder = save_matrix(notes, tmp_path / "matrix")
    found = load_matrix(folder)
    assert matrix_digest(found) == matrix_digest(notes)
    assert (found.classes, found.name, dict(found.built)) == (notes.classes, notes.name, dict(notes.built))
    assert folder.stat().st_mode & 0o077 == 0
    with pytest.raises(WouldOverwrite):
        save_matrix(notes, folder)
    save_matrix(notes, folder, force=True)


@pytest.mark.parametrize("file", ["matrix.npz", "documents.jsonl", "built.json"])
def test_a_damaged_matrix_is_a_bad_file(tmp_path: Path, notes: DocumentTermMatrix, file: str) -> None:
    folder = save_matrix(notes, tmp_path / "matrix")
    (folder / file).write_bytes(b"\x80 damaged")
    with pytest.raises(BadFile):
        load_matrix(folder)


def test_wrong_formats_and_orders_are_refused_before_anything_is_written(
    tmp_path: Path, notes: DocumentTermMatrix
) -> None:
    masked = microaggregate(notes, k=4)
    with pytest.raises(BadParameter, match="format"):
        save_vectors(notes, masked, tmp_path / "out", format="xlsx")
    with pytest.raises(BadParameter, match="order"):
        save_vectors(notes, masked, tmp_path / "out", order="sorted")
    assert not (tmp_path / "out").exists()


def test_an_assessment_of_the_files_is_that_of_the_masked_matrix(
    tmp_path: Path, notes: DocumentTermMatrix
) -> None:
    masked = microaggregate(notes, k=4)
    asked: dict[str, list[str]] = {
        "attacks": ["k_anonymity", "link_cosine", "link_rare"],
        "losses": ["il", "queries"],
    }
    folder = save_vectors(notes, masked, tmp_path / "out", format="mtx")
    of_files = assess_vector_release(folder, notes, attacks=asked["attacks"], losses=asked["losses"])
    of_matrix = assess_vectors(notes, masked, attacks=asked["attacks"], losses=asked["losses"])
    for name in asked["attacks"]:
        first, second = of_files.risk(name), of_matrix.risk(name)
        assert first is not None
        assert second is not None
        assert first.risk == pytest.approx(second.risk)
    for name in asked["losses"]:
        one, other = of_files.loss(name), of_matrix.loss(name)
        assert one is not None
        assert other is not None
        assert one.loss == pytest.approx(other.loss)
