"""The release of a masked matrix: published files that were checked, and the secrets that tell which row is whose."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from discreet import seeds
from discreet.errors import BadFile, BadParameter, GuaranteeBroken, Mismatch
from discreet.published_order import published_order
from discreet.signing import SigningKey
from discreet.text.release import TextRelease, load_text_release, save_text_release
from discreet.text.vectors.files import FORMATS, read_published, write_published
from discreet.text.vectors.groups import MaskedMatrix
from discreet.text.vectors.matrix import DocumentTermMatrix
from discreet.text.vectors.published import PublishedMatrix, VectorPair
from discreet.verification import BROKEN, HOLDS, Finding

ORDERS = ("shuffled", "kept")


def save_vectors(
    original: DocumentTermMatrix,
    masked: MaskedMatrix,
    folder: str | Path,
    *,
    format: str = "npz",
    order: str = "shuffled",
    seed: int | None = None,
    force: bool = False,
    sign: SigningKey | None = None,
) -> Path:
    """The folder of the release: matrix, vocabulary and public manifest in `public/`, the secrets in `private/`.

    Rows are in random order unless `order` is "kept". The files are read back, and nothing is put in place unless every
    row occurs at least k times in them, byte for byte, and every term in at least k rows.
    """
    if order not in ORDERS:
        raise BadParameter(f"the order of the rows must be 'shuffled' or 'kept'; got '{order}'.")
    if format not in FORMATS:
        raise BadParameter(f"the format of the matrix must be one of {', '.join(FORMATS)}; got '{format}'.")
    secret = seeds.check(seed)
    rows = published_order(len(masked), order, secret)
    published = PublishedMatrix.of(masked, rows)
    k = int(masked.parameters["k"])
    return save_text_release(
        folder,
        kind="vectors",
        write=lambda public: write_published(published, public, format),
        check=lambda public: _checked(public, k, published),
        done={
            "built": dict(original.built),
            "masked": {"method": masked.method, "parameters": dict(masked.parameters)},
            "documents": len(masked),
            "terms": len(masked.vocabulary),
            "order_of_rows": order,
        },
        private={
            "seed": f"{secret:x}",
            "original_sha256": matrix_digest(original),
            "name": original.name,
            "facts": dict(masked.facts),
            "origin": masked.rows[rows].tolist(),
        },
        force=force,
        sign=sign,
    )


def matrix_digest(matrix: DocumentTermMatrix) -> str:
    """A digest of the weights, terms and documents of a matrix."""
    digest = hashlib.sha256()
    rows = matrix.weights
    for array in (rows.indptr.astype(np.int64), rows.indices.astype(np.int64), rows.data):
        digest.update(array.tobytes())
    digest.update("\n".join([*matrix.vocabulary, "", *matrix.documents]).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def guarantees_of(published: PublishedMatrix, k: int) -> list[Finding]:
    """Whether every row occurs at least k times, and every term in at least k rows."""
    sizes = np.bincount(published.equal_rows())
    rare = int((sizes < k).sum())
    with_class = "" if published.classes is None else ", with its class"
    held = np.bincount(published.weights.indices, minlength=len(published.vocabulary))
    seldom = int((held < k).sum())
    return [
        Finding(
            says=f"every row occurs at least {k} times, byte for byte{with_class}",
            state=BROKEN if rare or not len(sizes) else HOLDS,
            why=f"{rare} of {len(sizes)} different rows occur less often" if rare or not len(sizes) else "",
        ),
        Finding(
            says=f"every term of the vocabulary is in at least {k} rows",
            state=BROKEN if seldom else HOLDS,
            why=f"{seldom} of {len(held)} terms are in fewer" if seldom else "",
        ),
    ]


def _checked(public: Path, k: int, wanted: PublishedMatrix) -> Sequence[str]:
    """The guarantees, checked on the files as they were written. Raises GuaranteeBroken."""
    written = read_published(public)
    same = written.weights.shape == wanted.weights.shape and written.vocabulary == wanted.vocabulary
    if not same or abs(written.weights - wanted.weights).nnz:
        raise GuaranteeBroken(
            "the matrix as it was written is not the one that was masked; nothing is published."
        )
    found = guarantees_of(written, k)
    broken = [each for each in found if each.state == BROKEN]
    if broken:
        raise GuaranteeBroken(f"{broken[0].says}: {broken[0].why}; nothing is published.")
    return [each.says for each in found]


def recheck_vectors(release: TextRelease) -> list[Finding]:
    """The guarantees of a release of vectors, checked on its files here and now."""
    return guarantees_of(read_published(release.public), _k_of(release.manifest.done))


def load_vectors(
    folder: str | Path, original: DocumentTermMatrix, *, private: str | Path | None = None
) -> tuple[TextRelease, VectorPair]:
    """The release in a folder, and its rows beside the original. Raises Mismatch where that is another matrix."""
    release = load_text_release(folder, private=private)
    if release.manifest.kind != "vectors":
        raise Mismatch("this is a release of documents, not of vectors.")
    secrets = release.secrets
    if secrets.get("original_sha256") != matrix_digest(original):
        raise Mismatch(
            "the release was made of another matrix than the one given. Give the one that was masked."
        )
    masked = _masked_of(release.manifest.done)
    pair = VectorPair(
        original,
        read_published(release.public),
        np.array(secrets.get("origin", []), dtype=np.int64),
        method=str(masked["method"]),
        parameters=masked["parameters"],
    )
    return release, pair


def _masked_of(done: Mapping[str, Any]) -> Mapping[str, Any]:
    masked = done.get("masked")
    if not isinstance(masked, Mapping) or not isinstance(masked.get("parameters"), Mapping):
        raise BadFile("the public manifest does not tell how the matrix was masked.")
    return {"method": masked.get("method", ""), "parameters": masked["parameters"]}


def _k_of(done: Mapping[str, Any]) -> int:
    k = _masked_of(done)["parameters"].get("k")
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise BadFile("the public manifest does not tell k.")
    return k
