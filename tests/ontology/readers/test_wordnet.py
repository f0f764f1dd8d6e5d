"""WordNet: an invented one in the same files, where it is looked for, and the real one where it is installed."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from discreet.errors import BadFile, BadParameter, NotInstalled
from discreet.ontology import Ontology, distance, wordnet
from discreet.ontology.readers import wordnet_home
from discreet.ontology.readers.wordnet_home import CARRIER


class Synset(NamedTuple):
    words: tuple[str, ...]
    kind_of: tuple[int, ...] = ()
    instance_of: tuple[int, ...] = ()
    gloss: str = "a gloss"


NOUNS = [
    Synset(("thing",), gloss="all there is"),
    Synset(("animal", "creature"), kind_of=(0,)),
    Synset(("gobbler", "turkey"), kind_of=(1,), gloss='a bird; "it gobbles"'),
    Synset(("land",), kind_of=(0,)),
    Synset(("Turkey", "Republic_of_Turkey"), instance_of=(3,)),
    Synset(("house_cat",), kind_of=(1, 0)),
]
VERBS = [Synset(("go",)), Synset(("run",), kind_of=(0,)), Synset(("turkey",))]
Write = Callable[[Path, str, list[Synset]], None]


@pytest.fixture
def folder(tmp_path: Path, write_wordnet: Write, cache_home: Path) -> Path:
    write_wordnet(tmp_path / "wn", "noun", NOUNS)
    write_wordnet(tmp_path / "wn", "verb", VERBS)
    return tmp_path / "wn"


def names(ontology: Ontology, value: str) -> list[str]:
    return [ontology.identifiers[int(concept)] for concept in ontology.find(value)]


def test_synsets_become_concepts_named_by_word_and_sense(folder: Path) -> None:
    ontology = wordnet(folder)
    assert list(ontology.identifiers) == [
        "animal.n.01",
        "gobbler.n.01",
        "house_cat.n.01",
        "land.n.01",
        "thing.n.01",
        "turkey.n.02",
    ]
    assert ontology.name == "wordnet nouns"
    assert ontology.identifiers[ontology.root] == "thing.n.01"


def test_hypernyms_and_instances_are_is_a_links(folder: Path) -> None:
    ontology = wordnet(folder)
    assert ontology.parents[ontology.concept("turkey.n.02")].tolist() == [ontology.concept("land.n.01")]
    above = [ontology.concept("animal.n.01"), ontology.concept("thing.n.01")]
    assert ontology.parents[ontology.concept("house_cat.n.01")].tolist() == above


def test_words_labels_and_glosses_come_with_the_synsets(folder: Path) -> None:
    ontology = wordnet(folder)
    country = ontology.concept("turkey.n.02")
    assert ontology.labels[country] == "Turkey"
    assert ontology.terms.words(country) == ["Republic of Turkey", "Turkey"]
    assert ontology.glosses[ontology.concept("gobbler.n.01")] == 'a bird; "it gobbles"'


def test_senses_are_numbered_as_in_the_index(folder: Path) -> None:
    ontology = wordnet(folder)
    assert names(ontology, "TURKEY") == ["gobbler.n.01", "turkey.n.02"]
    assert names(ontology, "turkey#1") == ["gobbler.n.01"]
    assert names(ontology, "Turkey") == ["turkey.n.02"]
    assert names(ontology, "house-cats") == ["house_cat.n.01"]


def test_verbs_have_a_virtual_root_and_rank_after_the_nouns(folder: Path) -> None:
    verbs = wordnet(folder, parts=("verb",))
    assert verbs.labels[verbs.root] == "(any)"
    both = wordnet(folder, parts=("noun", "verb"))
    assert names(both, "TURKEY") == ["gobbler.n.01", "turkey.n.02", "turkey.v.01"]
    assert names(wordnet(folder, parts=("verb", "noun")), "TURKEY")[0] == "turkey.v.01"


@pytest.mark.parametrize("ending", [b"", b"\n"])
def test_data_split_in_two_are_joined_with_one_newline(folder: Path, ending: bytes) -> None:
    whole = wordnet(folder)
    data = (folder / "data.noun").read_bytes()
    cut = data.index(b"\n00000003")
    (folder / "data.noun1").write_bytes(data[:cut] + ending)
    (folder / "data.noun2").write_bytes(data[cut + 1 :])
    (folder / "data.noun").unlink()
    assert wordnet(folder).digest == whole.digest


def test_the_folder_above_dict_will_do(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "WordNet-3.0").mkdir()
    folder.rename(tmp_path / "WordNet-3.0" / "dict")
    assert len(wordnet(tmp_path / "WordNet-3.0")) == len(NOUNS)


@pytest.mark.parametrize("parts", [(), ("noun", "noun"), ("adjective",)])
def test_other_parts_of_speech_are_refused(folder: Path, parts: Any) -> None:
    with pytest.raises(BadParameter, match="'noun', 'verb' or both"):
        wordnet(folder, parts=parts)


def test_a_folder_without_wordnet_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="is not a WordNet folder"):
        wordnet(tmp_path)


@pytest.mark.parametrize("missing", ["index.noun", "data.noun"])
def test_a_missing_file_is_named(folder: Path, missing: str) -> None:
    (folder / missing).unlink()
    with pytest.raises(BadFile, match=missing):
        wordnet(folder)


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("index.noun", "word n\n"),
        ("data.noun", "00000042 03 n 01 stray 0 000 | not in the index\n"),
        ("data.noun", "00000042 03 n zz stray\n"),
        ("data.noun", "cut\n"),
    ],
)
def test_damaged_files_are_errors(folder: Path, file: str, line: str) -> None:
    with (folder / file).open("a", newline="") as damaged:
        damaged.write(line)
    with pytest.raises(BadFile, match=f"{file}', line [0-9]+:"):
        wordnet(folder)


def test_data_that_end_before_their_index_are_an_error(folder: Path) -> None:
    lines = (folder / "data.noun").read_text().splitlines(keepends=True)
    (folder / "data.noun").write_text("".join(lines[:-1]))
    with pytest.raises(BadFile, match="not complete"):
        wordnet(folder)


def test_a_link_to_nowhere_is_an_error(tmp_path: Path, write_wordnet: Write, cache_home: Path) -> None:
    write_wordnet(tmp_path / "wn", "noun", [Synset(("thing",), kind_of=(7,))])
    with pytest.raises(BadFile, match="not complete"):
        wordnet(tmp_path / "wn")


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without WordNet."""
    for name in ("WNSEARCHDIR", "WNHOME", "NLTK_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(wordnet_home, "CARRIER", "a-distribution-that-is-not-there")
    monkeypatch.setattr(wordnet_home, "DEBIAN", str(tmp_path / "none"))
    monkeypatch.setattr(wordnet_home, "SHARED", ())
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))


@pytest.mark.usefixtures("nowhere")
def test_a_machine_without_wordnet_is_told_how_to_get_it() -> None:
    with pytest.raises(NotInstalled, match=r"discreet\[wordnet\]"):
        wordnet()


@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize("variable", ["WNSEARCHDIR", "WNHOME", "NLTK_DATA"])
def test_wordnet_is_found_where_the_environment_says(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    home = {"WNSEARCHDIR": "x", "WNHOME": "x/dict", "NLTK_DATA": "x/corpora/wordnet"}[variable]
    (tmp_path / home).parent.mkdir(parents=True, exist_ok=True)
    folder.rename(tmp_path / home)
    monkeypatch.setenv(variable, str(tmp_path / "x"))
    assert len(wordnet()) == len(NOUNS)


@pytest.mark.usefixtures("nowhere")
def test_wordnet_is_found_among_the_files_of_a_distribution_that_is_never_imported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wordnet_home, "CARRIER", CARRIER)
    found = wordnet_home.wordnet_folder()
    assert str(distribution(CARRIER).locate_file("")) in str(found)
    assert wordnet_home.holds_wordnet(found)
    assert "pattern" not in sys.modules


@pytest.mark.usefixtures("nowhere")
def test_wordnet_is_read_from_nltks_archive(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nltk_data" / "corpora").mkdir(parents=True)
    with zipfile.ZipFile(tmp_path / "nltk_data" / "corpora" / "wordnet.zip", "w") as archive:
        for name in ("data.noun", "index.noun"):
            archive.write(folder / name, f"wordnet/{name}")
    monkeypatch.setenv("NLTK_DATA", str(tmp_path / "nltk_data"))
    assert wordnet().digest == wordnet(folder).digest


@pytest.mark.usefixtures("nowhere")
def test_an_archive_that_is_none_is_passed_over(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nltk_data" / "corpora").mkdir(parents=True)
    (tmp_path / "nltk_data" / "corpora" / "wordnet.zip").write_bytes(b"a download that was broken off")
    monkeypatch.setenv("NLTK_DATA", str(tmp_path / "nltk_data"))
    monkeypatch.setattr(wordnet_home, "DEBIAN", str(folder))
    assert len(wordnet()) == len(NOUNS)


@pytest.mark.usefixtures("nowhere")
def test_debians_folder_comes_last(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordnet_home, "DEBIAN", str(folder))
    assert len(wordnet()) == len(NOUNS)


def test_the_nouns_of_wordnet_3_0_are_all_there(real_wordnet: Ontology) -> None:
    assert len(real_wordnet) == 82115
    assert real_wordnet.identifiers[real_wordnet.root] == "entity.n.01"
    assert real_wordnet.max_depth == 18
    assert "pattern" not in sys.modules


def test_wu_palmer_gives_the_published_figures(real_wordnet: Ontology, oracle: dict[str, Any]) -> None:
    measured = distance(real_wordnet, "wu_palmer")
    for pair, expected in oracle["wordnet_wu_palmer"]["dissimilarity"].items():
        a, b = (real_wordnet.concept(name) for name in pair.split(","))
        assert measured(a, b) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("value", "concept"),
    [
        ("Craftsman", "craftsman.n.01"),
        ("skilled-worker", "skilled_worker.n.01"),
        ("Hong Kong", "hong_kong.n.01"),
        ("United-States", "united_states.n.01"),
        ("American state", "american_state.n.01"),
        ("Puerto-Rico", "puerto_rico.n.01"),
    ],
)
def test_values_of_the_published_study_find_their_concepts(
    real_wordnet: Ontology, value: str, concept: str
) -> None:
    assert names(real_wordnet, value)[0] == concept
