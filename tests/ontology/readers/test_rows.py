"""Hierarchies in CSV files."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import BadFile, CyclicOntology, EmptyOntology
from discreet.ontology import Ontology, read


@pytest.fixture(autouse=True)
def _own_cache(cache_home: Path) -> None:
    """Every test has its own cache."""


def written(tmp_path: Path, text: str, name: str = "ages.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def parents(ontology: Ontology, name: str) -> list[str]:
    return [ontology.identifiers[int(each)] for each in ontology.parents[ontology.concept(name)]]


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_a_row_from_leaf_to_root_links_each_level_to_the_next(tmp_path: Path, delimiter: str) -> None:
    rows = [("31", "30-39", "*"), ("35", "30-39", "*"), ("42", "40-49", "*")]
    ontology = read(written(tmp_path, "\n".join(delimiter.join(row) for row in rows)))
    assert ontology.name == "ages"
    assert parents(ontology, "31") == ["30-39"]
    assert ontology.identifiers[ontology.root] == "*"
    assert ontology.max_depth == 2


def test_a_value_that_stays_the_same_for_a_level_is_one_concept(tmp_path: Path) -> None:
    ontology = read(written(tmp_path, "wed;wed;*\nsplit;apart;*\n"))
    assert parents(ontology, "wed") == ["*"]


def test_rows_may_end_early_and_quote_the_delimiter(tmp_path: Path) -> None:
    ontology = read(written(tmp_path, '"a;b";group;*\nc;*;\n\n'))
    assert parents(ontology, "a;b") == ["group"]
    assert parents(ontology, "c") == ["*"]


def test_a_text_under_two_others_has_two_parents(tmp_path: Path) -> None:
    ontology = read(written(tmp_path, "x;other;up;*\ny;other;down;*\n"))
    assert parents(ontology, "other") == ["down", "up"]


def test_rows_without_a_common_root_get_a_virtual_one(tmp_path: Path) -> None:
    ontology = read(written(tmp_path, "a;letter\n1;figure\n"))
    assert ontology.labels[ontology.root] == "(any)"


def test_rows_that_contradict_each_other_are_a_cycle(tmp_path: Path) -> None:
    path = written(tmp_path, "a;b;*\nb;a;*\n")
    with pytest.raises(CyclicOntology):
        read(path)
    assert len(read(path, on_cycles="cut")) == 3


def test_an_empty_file_has_no_concepts(tmp_path: Path) -> None:
    with pytest.raises(EmptyOntology):
        read(written(tmp_path, "\n"))


def test_links_may_come_with_labels_and_synonyms(tmp_path: Path) -> None:
    text = "child,parent,label,synonyms\nd,a,dog,hound| cur\na,,animal,\nd,b,,\n"
    ontology = read(written(tmp_path, text))
    assert parents(ontology, "d") == ["a", "b"]
    assert ontology.labels[ontology.concept("d")] == "dog"
    assert ontology.find("Curs").tolist() == [ontology.concept("d")]


def test_links_without_a_head_are_child_and_parent(tmp_path: Path) -> None:
    path = written(tmp_path, "dog,animal\ncat,animal\n")
    assert read(path, "edges").digest == read(path).digest


@pytest.mark.parametrize(
    ("text", "line"), [("child,parent\na\n", 2), ("a,b\na,b,c\n", 2), ("child,parent\n,b\n", 2)]
)
def test_a_bad_link_is_an_error_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(BadFile, match=f"line {line}"):
        read(written(tmp_path, text), "edges")


def test_older_encodings_are_read(tmp_path: Path) -> None:
    path = tmp_path / "old.csv"
    path.write_bytes("Ménière;ear;*\n".encode("cp1252"))
    assert len(read(path).find("ménière")) == 1


def test_bytes_that_are_no_text_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "bytes.csv"
    path.write_bytes(b"a;b\x81\x8d;c\n")
    with pytest.raises(BadFile, match="not a text file"):
        read(path)
