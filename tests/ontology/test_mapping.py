"""From values to concepts: the mapping, the senses, and what happens to values without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import BadFile, BadValues, UnmappedValues
from discreet.ontology import Ontology, map_values, of_edges, read_mapping


def names(ontology: Ontology, value: str, **options: object) -> list[str]:
    mapped = map_values(ontology, [value], **options)  # type: ignore[arg-type]
    return [ontology.identifiers[int(concept)] for concept in mapped.senses[0]]


def test_values_are_mapped_once_in_the_order_they_come(disease: Ontology) -> None:
    mapped = map_values(disease, ["pain", "Colic", "pain"])
    assert mapped.values == ("pain", "Colic")
    assert [disease.identifiers[int(concept)] for concept in mapped.concepts] == ["pain", "colic"]
    assert str(mapped) == "2 values mapped to disease"


def test_a_given_mapping_goes_before_the_words(disease: Ontology) -> None:
    assert names(disease, "pain", mapping={"pain": "ache"}) == ["ache"]


def test_unmapped_values_are_counted_in_the_message_and_held_by_the_error(disease: Ontology) -> None:
    with pytest.raises(UnmappedValues, match="2 of 3 values") as caught:
        map_values(disease, ["pain", "secret one", "secret two"])
    assert caught.value.values == ("secret one", "secret two")
    assert "secret" not in str(caught.value)
    assert isinstance(caught.value, BadValues)


def test_a_mapping_to_nothing_is_an_unmapped_value(disease: Ontology) -> None:
    with pytest.raises(UnmappedValues) as caught:
        map_values(disease, ["pain"], mapping={"pain": "nowhere"})
    assert caught.value.values == ("pain",)


def test_unmapped_values_can_stand_apart(disease: Ontology) -> None:
    mapped = map_values(disease, ["pain", "other"], unmapped="apart")
    assert mapped.apart.tolist() == [False, True]
    assert mapped.concepts.tolist() == [disease.concept("pain"), -1]
    assert "1 of them apart" in str(mapped)


def test_a_steward_can_see_what_each_value_was_taken_for() -> None:
    ontology = of_edges([("a", "r")], labels={"a": "cleaner"}, glosses={"a": "stuff that cleans"})
    mapped = map_values(ontology, ["Cleaners", "other"], unmapped="apart")
    assert mapped.meanings() == [("Cleaners", "a", "cleaner", "stuff that cleans"), ("other", "", "", "")]


def test_the_first_sense_or_all_of_them_are_taken() -> None:
    ontology = of_edges([("a", "r"), ("b", "r")], labels={"a": "cold", "b": "cold"})
    assert names(ontology, "cold") == ["a"]
    assert names(ontology, "cold", senses="all") == ["a", "b"]
    assert names(ontology, "cold#2", senses="all") == ["b"]


@pytest.mark.parametrize("head", ["", "value,concept\n", "\ufeffvalue,concept\r\n"])
def test_a_mapping_file_has_two_columns_and_perhaps_a_head(tmp_path: Path, head: str) -> None:
    path = tmp_path / "mapping.csv"
    path.write_text(head + 'Tech-support,technician\n\n"a, b",worker#1\n', encoding="utf-8")
    assert read_mapping(path) == {"Tech-support": "technician", "a, b": "worker#1"}


def test_a_mapping_can_be_given_as_a_file(disease: Ontology, tmp_path: Path) -> None:
    path = tmp_path / "mapping.csv"
    path.write_text("hurts,ache\n", encoding="utf-8")
    assert names(disease, "hurts", mapping=path) == ["ache"]
    assert names(disease, "hurts", mapping=str(path)) == ["ache"]


@pytest.mark.parametrize(("text", "line"), [("a,b\nc\n", 2), ("a,b,c\n", 1), ("a,b\n\na,c\n", 3)])
def test_a_bad_mapping_file_is_an_error_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    path = tmp_path / "mapping.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=f"line {line}"):
        read_mapping(path)


def test_a_mapping_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        read_mapping(tmp_path / "none.csv")


def test_a_mapping_that_leads_nowhere_is_told_from_a_value_that_has_none(disease: Ontology) -> None:
    with pytest.raises(UnmappedValues, match=r"2 of 3 values .*\(1 of them mapped to what is no concept\)"):
        map_values(
            disease, ["colic", "unheard-of", "zorgle"], mapping={"zorgle": "nothing known", "unheard-of": ""}
        )
