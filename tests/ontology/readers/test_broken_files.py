"""Files that are cut short, of another kind, contradictory or hostile: a named error, never a traceback."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from discreet.errors import BadFile, DiscreetError
from discreet.ontology import FORMATS, read
from discreet.ontology.chosen import ontology_named

OBO = "format-version: 1.4\n\n[Term]\nid: P:1\nname: dog\nis_a: P:2\n\n[Term]\nid: P:2\nname: animal\n"
TURTLE = (
    "@prefix : <http://example.org/p#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    ':Dog rdfs:subClassOf :Animal ; rdfs:label "dog"@en , "Hund"@de .\n'
)
CLAML = """<?xml version="1.0"?>{}
<ClaML version="2.0.0"><Class code="A00" kind="category">
<Rubric kind="preferred"><Label xml:lang="en">{}</Label></Rubric></Class></ClaML>
"""
MESH = """<?xml version="1.0"?>{}
<DescriptorRecordSet LanguageCode="eng"><DescriptorRecord><DescriptorUI>D1</DescriptorUI>
<DescriptorName><String>{}</String></DescriptorName></DescriptorRecord></DescriptorRecordSet>
"""
OWL = """<?xml version="1.0"?>{}
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
<owl:Class rdf:about="http://example.org/A"><rdfs:label>{}</rdfs:label></owl:Class></rdf:RDF>
"""
XML = {"claml": CLAML, "mesh": MESH, "owl": OWL}
WHOLE = {
    "a.obo": OBO,
    "a.ttl": TURTLE,
    "claml.xml": CLAML.format("", "Cholera"),
    "mesh.xml": MESH.format("", "Calcimycin"),
    "a.owl": OWL.format("", "thing"),
    "a.csv": 'dog;"pet; tame";animal\ncat;"pet; tame";animal\n',
    "edges.csv": "child,parent\ndog,animal\n",
    "icd.txt": "A00 Cholera\nA00.0 Cholera due to one thing\n",
    "mesh.bin": "*NEWRECORD\nMH = Calcimycin\nMN = D03\nUI = D1\n",
}


pytestmark = pytest.mark.usefixtures("cache_home")


@pytest.mark.parametrize("name", WHOLE)
def test_a_damaged_file_is_read_or_a_named_error_in_every_format(tmp_path: Path, name: str) -> None:
    draw, whole, path = random.Random(name), WHOLE[name].encode(), tmp_path / name
    for step in range(40):
        damaged = bytearray(whole[: draw.randrange(len(whole))] if step % 2 else whole)
        for _ in range(draw.randrange(4) if damaged else 0):
            damaged[draw.randrange(len(damaged))] = draw.randrange(256)
        path.write_bytes(damaged)
        for wanted in (None, draw.choice(list(FORMATS))):
            with contextlib.suppress(DiscreetError):
                assert len(read(path, wanted, cache=False)) > 0


def test_xml_that_is_no_rdf_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(CLAML.format("", "Cholera"))
    with pytest.raises(BadFile, match="this is not RDF"):
        read(tmp_path / "a.xml", "owl")


@pytest.mark.parametrize("wanted", FORMATS)
def test_a_folder_that_holds_no_ontology_is_an_error_in_every_format(tmp_path: Path, wanted: str) -> None:
    with pytest.raises(BadFile):
        read(tmp_path, wanted)


@pytest.mark.parametrize("wanted", XML)
@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE x [<!ENTITY e SYSTEM "secret.txt">]>',
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">\n<!ENTITY e "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE x [<!ENTITY % p "text"> %p; <!ENTITY e "text">]>',
    ],
)
def test_entities_for_files_and_for_other_entities_are_refused(
    tmp_path: Path, wanted: str, declared: str
) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    path = tmp_path / "a.xml"
    path.write_text(XML[wanted].format(declared, "&e;"))
    with pytest.raises(BadFile, match=r"line [12]: this declares an entity"):
        read(path, wanted)


@pytest.mark.parametrize("wanted", XML)
@pytest.mark.parametrize("encoding", ["no-such", "utf-7"])
def test_an_encoding_that_is_not_known_is_an_error(tmp_path: Path, wanted: str, encoding: str) -> None:
    path = tmp_path / "a.xml"
    path.write_text(XML[wanted].format("", "x").replace('"1.0"', f'"1.0" encoding="{encoding}"', 1))
    with pytest.raises(BadFile, match="encoding"):
        read(path, wanted)


@pytest.mark.parametrize("wanted", XML)
def test_entities_for_plain_text_and_a_document_type_elsewhere_are_read(tmp_path: Path, wanted: str) -> None:
    path = tmp_path / "a.xml"
    declared = '<!DOCTYPE x SYSTEM "https://example.org/never-fetched.dtd" [<!ENTITY e "plain text">]>'
    path.write_text(XML[wanted].format(declared, "&e;"))
    assert "plain text" in list(read(path, wanted).labels)


@pytest.mark.parametrize(
    ("name", "text", "where"),
    [
        ("a.obo", OBO + "\n[Term]\nid: P:1\nname: hound\n", "P:1"),
        ("a.xml", CLAML.format("", "x").replace("</ClaML>", '<Class code="A00"/></ClaML>'), "A00"),
        ("a.bin", WHOLE["mesh.bin"] * 2, "record 2"),
        ("a.txt", "A00 Cholera\nA00 Typhoid\n", "line 2"),
    ],
)
def test_an_identifier_that_stands_there_twice_is_an_error(
    tmp_path: Path, name: str, text: str, where: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(BadFile, match=where):
        read(tmp_path / name)


def test_a_quote_that_is_never_closed_is_an_error_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('dog;animal\n"cat;animal\ncow;animal\n')
    with pytest.raises(BadFile, match="line 3: this is not CSV"):
        read(tmp_path / "a.csv")


def test_utf_16_is_read_by_its_mark_and_refused_without(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("Bäcker;Beruf\n".encode("utf-16"))
    assert "Bäcker" in list(read(path).labels)
    path.write_bytes("Bäcker;Beruf\n".encode("utf-16-le"))
    with pytest.raises(BadFile, match="not a text file"):
        read(path)


@pytest.mark.parametrize("head", ["id,parent_id", "Parent_Code,Code", "child,parent,name"])
def test_links_are_told_by_the_names_that_others_use(tmp_path: Path, head: str) -> None:
    row = {"id": "dog", "code": "dog", "child": "dog", "name": "Dog"}
    cells = [row.get(name.lower(), "animal") for name in head.split(",")]
    (tmp_path / "a.csv").write_text(f"{head}\n{','.join(cells)}\n")
    ontology = read(tmp_path / "a.csv")
    assert list(ontology.identifiers) == ["animal", "dog"]
    assert ontology.root == ontology.concept("animal")


def test_a_table_of_codes_may_name_its_columns_as_it_likes(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('ICD10_Code,Description\nA00,Cholera\nA00.0,"Cholera, classical"\n')
    ontology = read(tmp_path / "a.csv")
    assert list(ontology.identifiers) == ["A00", "A00-B99", "A00.0"]


def test_a_hierarchy_in_a_text_file_is_told_by_its_delimiter(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Bilbao;Biscay;Spain\nLleida;Catalonia;Spain\n")
    assert len(read(tmp_path / "a.txt")) == 5


def test_a_folder_whose_files_change_is_read_anew(tmp_path: Path) -> None:
    terms = {"Concept": "id\tactive\n1\t1\n", "Relationship": "active\tsourceId\tdestinationId\ttypeId\n"}
    described = "active\tconceptId\tlanguageCode\ttypeId\tterm\n1\t1\ten\t900000000000003001\tPain\n"
    for kind, text in (terms | {"Description": described}).items():
        (tmp_path / f"sct2_{kind}_Snapshot_INT.txt").write_text(text)
    assert list(ontology_named(str(tmp_path)).labels) == ["Pain"]
    (tmp_path / "sct2_Description_Snapshot_INT.txt").write_text(described.replace("Pain", "Soreness"))
    assert list(ontology_named(str(tmp_path)).labels) == ["Soreness"]
