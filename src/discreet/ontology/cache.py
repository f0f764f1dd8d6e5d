"""Ontologies kept on disk as plain arrays, so that the second reading takes a fraction of the first.

A file is a line that names the format, a digest of all that follows, a JSON head, and the arrays one after the other.
Nothing in it is executed when it is read. A file that is damaged, cut short or of another version is ignored and
written anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.ontology.graph import Ontology
from discreet.ontology.links import Adjacency
from discreet.ontology.terms import Terms
from discreet.ontology.texts import Texts

MAGIC = b"discreet ontology 3\n"
"""Another number for another layout, or for readers that find something else in the same files."""

DIGEST_BYTES = 32
LENGTH_BYTES = 8
ALIGNED = 8
Arrays = dict[str, NDArray[Any]]


def cache_folder() -> Path:
    """Where ontologies are kept: the user's cache folder (XDG_CACHE_HOME, else ~/.cache)."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    home = Path(given) if Path(given).is_absolute() else Path.home() / ".cache"
    return home / "discreet" / "ontologies"


def cached(
    sources: Iterable[Traversable],
    options: Mapping[str, str],
    read: Callable[[], Ontology],
    *,
    cache: bool = True,
) -> Ontology:
    """What `read` gives, from the cache when the same sources were read before with the same options.

    The key is a digest of the sources' contents, so a changed file is read anew. A cache that cannot be read or
    written costs time, never an error.
    """
    if not cache:
        return read()
    try:
        path = cache_folder() / f"{_key(sources, options)}.ontology"
    except OSError:
        # Whoever reads it can say better what is wrong with it.
        return read()
    kept = load(path)
    if kept is not None:
        return kept
    fresh = read()
    with contextlib.suppress(OSError):
        save(fresh, path)
    return fresh


def save(ontology: Ontology, path: Path) -> None:
    """Writes the ontology in one step: a reader sees the whole file or none."""
    arrays = _arrays(ontology)
    facts = {"name": ontology.name, "root": ontology.root, "digest": ontology.digest}
    shapes = [[name, array.dtype.str, len(array)] for name, array in arrays.items()]
    head = json.dumps({"facts": facts, "arrays": shapes}).encode()
    head += b" " * (-(len(MAGIC) + DIGEST_BYTES + LENGTH_BYTES + len(head)) % ALIGNED)
    body = b"".join(
        [len(head).to_bytes(LENGTH_BYTES, "little"), head, *(array.tobytes() for array in arrays.values())]
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, unfinished = tempfile.mkstemp(dir=path.parent, prefix=".unfinished-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(MAGIC + hashlib.sha256(body).digest() + body)
        Path(unfinished).replace(path)
    except BaseException:
        Path(unfinished).unlink(missing_ok=True)
        raise


def load(path: Path) -> Ontology | None:
    """The ontology of a cache file; None when there is none or it is not whole."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    start = len(MAGIC) + DIGEST_BYTES
    body = memoryview(content)[start:]
    if content[: len(MAGIC)] != MAGIC or hashlib.sha256(body).digest() != content[len(MAGIC) : start]:
        return None
    length = int.from_bytes(body[:LENGTH_BYTES], "little")
    head = json.loads(bytes(body[LENGTH_BYTES : LENGTH_BYTES + length]))
    place = start + LENGTH_BYTES + length
    arrays: Arrays = {}
    for name, kind, count in head["arrays"]:
        arrays[name] = np.frombuffer(content, dtype=kind, count=count, offset=place)
        place += arrays[name].nbytes
    return _ontology(arrays, head["facts"])


def _key(sources: Iterable[Traversable], options: Mapping[str, str]) -> str:
    digest = hashlib.sha256(MAGIC + json.dumps(dict(options), sort_keys=True).encode())
    for source in sources:
        digest.update(hashlib.sha256(source.read_bytes()).digest())
    return digest.hexdigest()


def _arrays(ontology: Ontology) -> Arrays:
    arrays: Arrays = {"steps": ontology.steps, "depth": ontology.depth, "level": ontology.level}
    terms = ontology.terms
    arrays |= {"term_offsets": terms.offsets, "term_concepts": terms.concepts}
    for name, texts in (
        ("identifiers", ontology.identifiers),
        ("labels", ontology.labels),
        ("glosses", ontology.glosses),
        ("keys", terms.keys),
        ("written", terms.written),
    ):
        arrays[f"{name}_block"] = np.frombuffer(texts.block, dtype=np.uint8)
        arrays[f"{name}_offsets"] = texts.offsets
    for name, links in (
        ("parents", ontology.parents),
        ("children", ontology.children),
        ("ancestors", ontology.ancestors),
        ("entries", terms.entries),
    ):
        arrays[f"{name}_offsets"] = links.offsets
        arrays[f"{name}_targets"] = links.targets
    # Wide numbers first: then every array starts where its kind of number may.
    return dict(sorted(arrays.items(), key=lambda item: -item[1].itemsize))


def _ontology(arrays: Arrays, facts: Mapping[str, Any]) -> Ontology:
    def texts(name: str) -> Texts:
        return Texts(arrays[f"{name}_block"].tobytes(), arrays[f"{name}_offsets"])

    def links(name: str) -> Adjacency:
        return Adjacency(arrays[f"{name}_offsets"], arrays[f"{name}_targets"])

    return Ontology(
        name=facts["name"],
        identifiers=texts("identifiers"),
        labels=texts("labels"),
        glosses=texts("glosses"),
        terms=Terms(
            texts("keys"), arrays["term_offsets"], texts("written"), arrays["term_concepts"], links("entries")
        ),
        parents=links("parents"),
        children=links("children"),
        ancestors=links("ancestors"),
        steps=arrays["steps"],
        depth=arrays["depth"],
        level=arrays["level"],
        root=facts["root"],
        digest=facts["digest"],
    )
