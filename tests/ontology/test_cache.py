"""The cache: the same ontology back, damage noticed, changes seen, and no harm when it cannot be used."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from discreet.ontology import Ontology, of_edges
from discreet.ontology.cache import MAGIC, cache_folder, cached, load, save


@pytest.fixture
def pets() -> Ontology:
    return of_edges(
        [("dog", "pet"), ("cat", "pet"), ("cat", "hunter"), ("hunter", "beast"), ("pet", "beast")],
        labels={"dog": "Döggy"},
        synonyms={"dog": ["hound"]},
        glosses={"cat": "purrs"},
        name="pets",
    )


def test_what_is_loaded_is_what_was_saved(pets: Ontology, tmp_path: Path) -> None:
    save(pets, tmp_path / "sub" / "pets.ontology")
    back = load(tmp_path / "sub" / "pets.ontology")
    assert back is not None
    assert (back.name, back.root, back.digest, str(back)) == (pets.name, pets.root, pets.digest, str(pets))
    for name in ("identifiers", "labels", "glosses"):
        assert list(getattr(back, name)) == list(getattr(pets, name))
    for name in ("parents", "children", "ancestors"):
        assert np.array_equal(getattr(back, name).offsets, getattr(pets, name).offsets)
        assert np.array_equal(getattr(back, name).targets, getattr(pets, name).targets)
    assert np.array_equal(back.steps, pets.steps)
    assert np.array_equal(back.depth, pets.depth)
    assert back.ancestors.targets.flags.aligned
    assert back.find("Hounds").tolist() == pets.find("hound").tolist() != []
    assert back.terms.words(back.concept("dog")) == pets.terms.words(pets.concept("dog"))


def test_nothing_unfinished_is_left_beside(pets: Ontology, tmp_path: Path) -> None:
    save(pets, tmp_path / "pets.ontology")
    assert [path.name for path in tmp_path.iterdir()] == ["pets.ontology"]


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "other version", "text"])
def test_a_damaged_file_is_ignored(pets: Ontology, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "pets.ontology"
    save(pets, path)
    content = path.read_bytes()
    middle = len(content) // 2
    flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    path.write_bytes(
        {
            "empty": b"",
            "cut": content[:-3],
            "flipped": flipped,
            "other version": content.replace(MAGIC, b"discreet ontology 0\n", 1),
            "text": b"not an ontology at all, but long enough to hold a head and a digest of sorts" * 3,
        }[damage]
    )
    assert load(path) is None


class Reading:
    """Counts how often the sources are really read."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self.times = 0

    def __call__(self) -> Ontology:
        self.times += 1
        return self.ontology


def test_the_same_sources_and_options_are_read_once(pets: Ontology, tmp_path: Path, cache_home: Path) -> None:
    source = tmp_path / "source"
    source.write_text("one")
    reading = Reading(pets)
    for _ in range(2):
        assert cached([source], {"format": "x"}, reading).digest == pets.digest
    assert reading.times == 1
    cached([source], {"format": "y"}, reading)
    assert reading.times == 2
    source.write_text("two")
    cached([source], {"format": "x"}, reading)
    assert reading.times == 3
    cached([source], {"format": "x"}, reading, cache=False)
    assert reading.times == 4
    assert cache_folder().is_relative_to(cache_home)


def test_a_damaged_cache_is_rebuilt(pets: Ontology, tmp_path: Path, cache_home: Path) -> None:
    reading = Reading(pets)
    cached([], {}, reading)
    [kept] = cache_folder().iterdir()
    kept.write_bytes(b"damaged")
    cached([], {}, reading)
    assert reading.times == 2
    assert load(kept) is not None


def test_a_cache_that_cannot_be_written_costs_no_error(
    pets: Ontology, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    reading = Reading(pets)
    assert cached([], {}, reading).digest == pets.digest
    assert reading.times == 1


def test_the_cache_is_in_the_home_folder_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "discreet" / "ontologies"
