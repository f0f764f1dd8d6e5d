"""Ontologies for the tests: the worked examples, and random ones."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from discreet.ontology import Ontology, of_edges, wordnet
from discreet.ontology.readers.wordnet_home import CARRIER


@pytest.fixture(scope="session")
def disease(oracle: dict[str, Any]) -> Ontology:
    return of_edges([tuple(edge) for edge in oracle["disease"]["edges"]], name="disease")


@pytest.fixture(scope="session")
def treatment(oracle: dict[str, Any]) -> Ontology:
    return of_edges([tuple(edge) for edge in oracle["treatment"]["edges"]], name="treatment")


class Synset(NamedTuple):
    """One synset of a WordNet written for a test: its words, what it is a kind or an instance of, and its gloss."""

    words: tuple[str, ...]
    kind_of: tuple[int, ...] = ()
    instance_of: tuple[int, ...] = ()
    gloss: str = "a gloss"


WriteWordNet = Callable[[Path, str, list[Synset]], None]


@pytest.fixture(scope="session")
def write_wordnet() -> WriteWordNet:
    """Writes synsets as WordNet's data and index files; a word's senses stand in the order of the synsets."""

    def write(folder: Path, part: str, synsets: list[Synset]) -> None:
        letter, lines = part[0], ["  1 A licence line.  "]
        senses: dict[str, list[int]] = {}
        for number, synset in enumerate(synsets):
            pointers = [("@", above) for above in synset.kind_of] + [
                ("@i", above) for above in synset.instance_of
            ]
            pointing = [f"{symbol} {above:08d} {letter} 0000" for symbol, above in pointers] + [
                "+ 00000009 a 0101"
            ]
            words = " ".join(f"{word} 0" for word in synset.words)
            head = f"{number:08d} 03 {letter} {len(synset.words):02x} {words} {len(pointing):03d} "
            lines.append(head + " ".join(pointing) + f" | {synset.gloss}  ")
            for word in synset.words:
                senses.setdefault(word.lower(), []).append(number)
        index = [
            f"{word} {letter} {len(found)} 1 @ {len(found)} 0 "
            + " ".join(f"{each:08d}" for each in found)
            + "  "
            for word, found in sorted(senses.items())
        ]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"data.{part}").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")
        (folder / f"index.{part}").write_text("\n".join(["  1 A licence line.  ", *index, ""]), newline="")

    return write


@pytest.fixture
def cache_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="session")
def real_wordnet() -> Ontology:
    """The nouns of the WordNet that the development environment carries, without the user's cache."""
    carried = [file for file in distribution(CARRIER).files or [] if file.name == "data.noun1"]
    return wordnet(Path(str(carried[0].locate())).parent, cache=False)
