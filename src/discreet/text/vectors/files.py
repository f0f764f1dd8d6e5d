"""Files of vectors: the matrix that a steward works on, and the files that are published."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from discreet.errors import BadFile, BadParameter, did_you_mean
from discreet.shapes import read_json
from discreet.text.vectors.matrix import DocumentTermMatrix, sparse
from discreet.text.vectors.published import PublishedMatrix
from discreet.writing.atomic import new_folder, write_json, write_text

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FORMATS = ("npz", "mtx", "parquet")
"""How a published matrix can be written: SciPy's file, Matrix Market, or triples of row, term and weight."""
MATRIX, VOCABULARY, LABELS, DOCUMENTS, BUILT = (
    "matrix",
    "vocabulary.txt",
    "classes.txt",
    "documents.jsonl",
    "built.json",
)
OURS = (f"{MATRIX}.npz", VOCABULARY, DOCUMENTS, BUILT)
TRIPLE = {"row": pl.Int64, "term": pl.Int64, "weight": pl.Float64}


def save_matrix(matrix: DocumentTermMatrix, folder: str | Path, *, force: bool = False) -> Path:
    """The folder with the matrix of the original, its terms and its documents: for the steward, not for publication."""
    with new_folder(folder, force=force, private=True, ours=_ours) as work:
        write_matrix(matrix.weights, work / f"{MATRIX}.npz")
        write_text(work / VOCABULARY, _lines(matrix.vocabulary), private=True)
        entries = [
            {
                "name": name,
                **({} if matrix.classes is None else {"class": matrix.classes[place]}),
                **({} if matrix.split is None else {"split": matrix.split[place]}),
            }
            for place, name in enumerate(matrix.documents)
        ]
        lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in entries)
        write_text(work / DOCUMENTS, lines, private=True)
        write_json(work / BUILT, {"name": matrix.name, **matrix.built}, private=True)
    return Path(folder)


def _ours(folder: Path) -> list[str]:
    return list(OURS) if all((folder / name).is_file() for name in OURS) else []


def load_matrix(folder: str | Path) -> DocumentTermMatrix:
    """The matrix that `save_matrix` wrote. Raises BadFile where the folder holds none, or one that is damaged."""
    place = Path(folder)
    if not all((place / name).is_file() for name in OURS):
        raise BadFile(f"{place} holds no matrix: `discreet corpus build` makes one of a folder of documents.")
    built = read_json(place / BUILT)
    try:
        entries = [json.loads(line) for line in _read_lines(place / DOCUMENTS)]
        documents = tuple(str(each["name"]) for each in entries)
        classes = tuple(str(each["class"]) for each in entries) if "class" in entries[0] else None
        split = tuple(str(each["split"]) for each in entries) if "split" in entries[0] else None
    except (ValueError, KeyError, TypeError, IndexError):
        raise BadFile(f"{place / DOCUMENTS} is damaged. Build the matrix anew.") from None
    return DocumentTermMatrix(
        weights=read_matrix(place / f"{MATRIX}.npz"),
        vocabulary=tuple(_read_lines(place / VOCABULARY)),
        documents=documents,
        classes=classes,
        split=split,
        built={name: each for name, each in built.items() if name != "name"},
        name=str(built.get("name", "corpus")),
    )


def write_published(published: PublishedMatrix, folder: Path, format: str) -> None:
    """Writes the matrix, its vocabulary with a term a line in the order of the columns, and classes to publish."""
    if format not in FORMATS:
        raise BadParameter(f"a matrix is not written as '{format}'.{did_you_mean(format, FORMATS)}")
    write_matrix(published.weights, folder / f"{MATRIX}.{format}")
    write_text(folder / VOCABULARY, _lines(published.vocabulary))
    if published.classes is not None:
        write_text(folder / LABELS, _lines(published.classes))


def read_published(folder: str | Path) -> PublishedMatrix:
    """The matrix that lies in the public folder of a release. Raises BadFile."""
    place = Path(folder)
    file = next(
        (place / f"{MATRIX}.{each}" for each in FORMATS if (place / f"{MATRIX}.{each}").is_file()), None
    )
    if file is None:
        raise BadFile(f"there is no published matrix in {place}.")
    vocabulary = tuple(_read_lines(place / VOCABULARY))
    labels = tuple(_read_lines(place / LABELS)) if (place / LABELS).is_file() else None
    weights = read_matrix(file, terms=len(vocabulary))
    if weights.shape[1] != len(vocabulary) or (labels is not None and len(labels) != weights.shape[0]):
        raise BadFile(
            f"the files in {place} do not belong together: rows, terms and classes are not as many."
        )
    return PublishedMatrix(weights=weights, vocabulary=vocabulary, classes=labels)


def write_matrix(weights: csr_array, path: Path) -> None:
    """Writes a sparse matrix as its name asks for; the same matrix always gives the same bytes."""
    import scipy.io
    import scipy.sparse

    rows = sparse(weights)
    if path.suffix == ".npz":
        scipy.sparse.save_npz(path, rows)
    elif path.suffix == ".mtx":
        scipy.io.mmwrite(path, rows.tocoo(), precision=17, symmetry="general")
    else:
        places = rows.tocoo()
        frame = pl.DataFrame({"row": places.row, "term": places.col, "weight": places.data}).cast(TRIPLE)  # type: ignore[arg-type]
        frame.write_parquet(path)


def read_matrix(path: Path, terms: int | None = None) -> csr_array:
    """The matrix in a file. Triples do not tell how many terms there are. Raises BadFile."""
    import scipy.io
    import scipy.sparse

    try:
        if path.suffix == ".npz":
            found = scipy.sparse.load_npz(path)
        elif path.suffix == ".mtx":
            found = scipy.io.mmread(path)
        else:
            found = _of_triples(pl.read_parquet(path).cast(TRIPLE), terms)  # type: ignore[arg-type]
        rows = sparse(found)
    except (
        ValueError,
        KeyError,
        TypeError,
        OSError,
        EOFError,
        zipfile.BadZipFile,
        pl.exceptions.PolarsError,
    ):
        raise BadFile(f"{path} is not a sparse matrix that can be read.") from None
    if not np.isfinite(rows.data).all():
        raise BadFile(f"{path} holds weights that are not finite.")
    return rows


def _of_triples(frame: pl.DataFrame, terms: int | None) -> csr_array:
    from scipy.sparse import csr_array

    rows, columns = frame["row"].to_numpy(), frame["term"].to_numpy()
    shape = (
        (int(rows.max(initial=-1)) + 1, int(columns.max(initial=-1)) + 1 if terms is None else terms)
        if len(frame)
        else (0, terms or 0)
    )
    return csr_array((frame["weight"].to_numpy(), (rows, columns)), shape=shape)


def _lines(texts: tuple[str, ...]) -> str:
    """The texts one a line; line breaks in them, which a class can hold, become spaces."""
    return "".join(" ".join(each.splitlines()) + "\n" for each in texts)


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").split("\n")[:-1]
    except (OSError, UnicodeDecodeError):
        raise BadFile(f"{path} cannot be read as text.") from None
