"""OBO, OWL, SKOS, SNOMED CT, ICD, ClaML and MeSH: invented content in the real formats."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import BadFile, CyclicOntology, NotInstalled, UnknownName
from discreet.ontology import FORMATS, Ontology, read
from discreet.ontology.readers.formats import recognised

OBO = """format-version: 1.4
ontology: pets

[Term]
id: PET:1
name: animal
def: "A thing that moves." [own:1]

[Term]
id: PET:2
name: dog
alt_id: PET:9
synonym: "hound" EXACT []
synonym: "beast" BROAD []
is_a: PET:1 ! animal
relationship: owned_by PET:4

[Term]
id: PET:3
name: dodo
is_a: PET:1
is_obsolete: true

[Term]
id: PET:4
name: keeper

[Typedef]
id: owned_by
name: owned by
"""

TURTLE_OWL = """
@prefix : <http://example.org/pets#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://example.org/pets> a owl:Ontology ; owl:imports <http://example.org/never-fetched> .
:Animal a owl:Class ; rdfs:label "animal"@en , "animal (fr)"@fr ; rdfs:comment "A thing that moves." .
:Dog a owl:Class ; rdfs:subClassOf :Animal , owl:Thing , :Dog ,
    [ a owl:Restriction ; owl:onProperty :eats ; owl:someValuesFrom :Animal ] ;
  rdfs:label "Hund"@de ; skos:altLabel "hound" .
:Dodo a owl:Class ; rdfs:subClassOf :Animal ; owl:deprecated true .
:Rock a owl:Class .
"""

XML_OWL = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
  <owl:Class rdf:about="http://example.org/pets#Dog">
    <rdfs:subClassOf rdf:resource="http://example.org/pets#Animal"/>
  </owl:Class>
  <owl:Class rdf:about="http://example.org/pets#Animal"><rdfs:label>animal</rdfs:label></owl:Class>
</rdf:RDF>
"""

SKOS = """
@prefix : <http://example.org/pets/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:a a skos:Concept ; skos:prefLabel "animal"@en ; skos:narrower :d ; skos:definition "A thing that moves." .
:c a skos:Concept ; skos:prefLabel "cat"@en , "chat"@fr ; skos:broader :a ; skos:notation "K9" .
:d skos:prefLabel "dog"@en-GB ; skos:altLabel "hound"@en .
"""

CLAML = """<?xml version="1.0" encoding="UTF-8"?>
<ClaML version="2.0.0"><Title name="toy"/>
<Class code="I" kind="chapter"><SubClass code="A00-A09"/>
  <Rubric kind="preferred"><Label xml:lang="en">Toy infections</Label></Rubric></Class>
<Class code="A00-A09" kind="block"><SuperClass code="I"/>
  <Rubric kind="preferred"><Label>Toy block</Label></Rubric></Class>
<Class code="A01.1" kind="category"><SuperClass code="A00-A09"/>
  <Rubric kind="preferred"><Label>Toy <Reference>fever</Reference></Label></Rubric>
  <Rubric kind="inclusion"><Label>sandpit fever</Label></Rubric>
  <Rubric kind="note"><Label>not a word</Label></Rubric></Class>
</ClaML>
"""

MESH_ASCII = """*NEWRECORD
RECTYPE = D
MH = Toys
ENTRY = Playthings|T001|LAB|NRW
PRINT ENTRY = Toy, Small|T002
MN = J01.100
MN = I03.200
MS = Things to play with.
UI = D900001

*NEWRECORD
MH = Dolls
MN = J01.100.500
MN = J01.999.100
UI = D900002

*NEWRECORD
MH = Untreed
UI = D900003
"""

MESH_XML = """<?xml version="1.0"?>
<!DOCTYPE DescriptorRecordSet>
<DescriptorRecordSet LanguageCode="eng">
<DescriptorRecord><DescriptorUI>D900001</DescriptorUI><DescriptorName><String>Toys</String></DescriptorName>
 <TreeNumberList><TreeNumber>J01.100</TreeNumber><TreeNumber>I03.200</TreeNumber></TreeNumberList>
 <ConceptList><Concept PreferredConceptYN="Y"><ScopeNote>Things to play with.
</ScopeNote><TermList><Term><String>Toys</String></Term><Term><String>Playthings</String></Term>
 <Term><String>Toy, Small</String></Term></TermList></Concept></ConceptList></DescriptorRecord>
<DescriptorRecord><DescriptorUI>D900002</DescriptorUI><DescriptorName><String>Dolls</String></DescriptorName>
 <TreeNumberList><TreeNumber>J01.100.500</TreeNumber><TreeNumber>J01.999.100</TreeNumber></TreeNumberList>
 </DescriptorRecord>
<DescriptorRecord><DescriptorUI>D900003</DescriptorUI><DescriptorName><String>Untreed</String></DescriptorName>
 </DescriptorRecord>
</DescriptorRecordSet>
"""


@pytest.fixture(autouse=True)
def _own_cache(cache_home: Path) -> None:
    """Every test has its own cache."""


def written(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def parents(ontology: Ontology, concept: str) -> list[str]:
    return [ontology.identifiers[int(each)] for each in ontology.parents[ontology.concept(concept)]]


def names(ontology: Ontology, value: str) -> list[str]:
    return [ontology.identifiers[int(each)] for each in ontology.find(value)]


def test_obo_terms_have_names_synonyms_and_definitions_and_obsolete_ones_are_left_out(tmp_path: Path) -> None:
    ontology = read(written(tmp_path, "pets.obo", OBO))
    assert list(ontology.identifiers) == ["(any)", "PET:1", "PET:2", "PET:4"]
    assert parents(ontology, "PET:2") == ["PET:1"]
    assert ontology.labels[ontology.concept("PET:2")] == "dog"
    assert ontology.glosses[ontology.concept("PET:1")] == "A thing that moves."
    assert names(ontology, "hounds") == names(ontology, "PET:9") == ["PET:2"]


def test_broken_obo_is_an_error_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="line 4"):
        read(written(tmp_path, "pets.obo", "format-version: 1.4\n\n[Term]\nid PET:1\n"))


def test_owl_classes_have_their_named_superclasses_and_labels(tmp_path: Path) -> None:
    ontology = read(written(tmp_path, "pets.ttl", TURTLE_OWL))
    pets = "http://example.org/pets#"
    assert list(ontology.identifiers) == ["(any)", f"{pets}Animal", f"{pets}Dog", f"{pets}Rock"]
    assert parents(ontology, f"{pets}Dog") == [f"{pets}Animal"]
    labels = [ontology.labels[ontology.concept(pets + name)] for name in ("Animal", "Dog", "Rock")]
    assert labels == ["animal", "Hund", "Rock"]
    assert ontology.glosses[ontology.concept(f"{pets}Animal")] == "A thing that moves."
    assert names(ontology, "hound") == names(ontology, "Dog") == [f"{pets}Dog"]


def test_owl_is_read_from_rdf_xml(tmp_path: Path) -> None:
    for name in ("pets.owl", "pets.xml"):
        ontology = read(written(tmp_path, name, XML_OWL))
        assert parents(ontology, "http://example.org/pets#Dog") == ["http://example.org/pets#Animal"]


def test_skos_concepts_are_linked_by_broader_and_narrower(tmp_path: Path) -> None:
    ontology = read(written(tmp_path, "pets.ttl", SKOS))
    pets = "http://example.org/pets/"
    assert list(ontology.identifiers) == [f"{pets}a", f"{pets}c", f"{pets}d"]
    assert parents(ontology, f"{pets}c") == parents(ontology, f"{pets}d") == [f"{pets}a"]
    assert [ontology.labels[place] for place in range(3)] == ["animal", "cat", "dog"]
    assert names(ontology, "chat") == names(ontology, "K9") == [f"{pets}c"]


@pytest.mark.parametrize(
    "text",
    [
        "Prefix(:=<http://example.org/>)\nOntology(<http://example.org/>)",
        '{"@context": "http://example.org/never-fetched"}',
        '<?xml version="1.0"?>\n<Ontology xmlns="http://www.w3.org/2002/07/owl#"></Ontology>',
    ],
)
def test_other_syntaxes_of_owl_are_refused_with_the_way_out(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadFile, match="RDF/XML or Turtle"):
        read(written(tmp_path, "pets.owl", text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.ttl", ":a :b"),
        ("a.ttl", "<x> <y>"),
        ("a.nt", "<a> b\n"),
        ("a.rdf", "<?xml version='1.0'?><rdf"),
    ],
)
def test_broken_rdf_is_an_error(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(BadFile, match="this is not RDF"):
        read(written(tmp_path, name, text))


@pytest.mark.parametrize(("library", "name", "text"), [("fastobo", "a.obo", OBO), ("rdflib", "a.ttl", SKOS)])
def test_a_missing_library_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str, name: str, text: str
) -> None:
    monkeypatch.setitem(__import__("sys").modules, library, None)
    with pytest.raises(NotInstalled, match=rf"{library}.*discreet\[ontologies\]"):
        read(written(tmp_path, name, text))


RF2 = {
    "sct2_Concept_Snapshot_INT_20260101.txt": [
        "id\teffectiveTime\tactive\tmoduleId\tdefinitionStatusId",
        *(
            f"{number}\t20260101\t{active}\t9\t9"
            for number, active in [(138, 1), (404, 1), (195, 1), (196, 1), (77, 0)]
        ),
    ],
    "sct2_Description_Snapshot-en_INT_20260101.txt": [
        "id\teffectiveTime\tactive\tmoduleId\tconceptId\tlanguageCode\ttypeId\tterm\tcaseSignificanceId",
        *(
            f"{place}\t20260101\t{active}\t9\t{concept}\ten\t{kind}\t{term}\t9"
            for place, (concept, active, kind, term) in enumerate(
                [
                    (138, 1, "900000000000003001", "Toy concept (toy)"),
                    (404, 1, "900000000000003001", "Finding (finding)"),
                    (195, 1, "900000000000003001", 'Sore "thumb" (disorder)'),
                    (195, 1, "900000000000013009", "Painful thumb"),
                    (195, 0, "900000000000013009", "Withdrawn name"),
                    (196, 1, "900000000000003001", "Finding (procedure)"),
                    (77, 1, "900000000000003001", "Gone (disorder)"),
                ]
            )
        ),
    ],
    "sct2_Relationship_Snapshot_INT_20260101.txt": [
        "id\teffectiveTime\tactive\tmoduleId\tsourceId\tdestinationId\trelationshipGroup\ttypeId\tcharacteristicTypeId\tmodifierId",
        *(
            f"{place}\t20260101\t{active}\t9\t{source}\t{target}\t0\t{kind}\t9\t9"
            for place, (source, target, active, kind) in enumerate(
                [
                    (404, 138, 1, "116680003"),
                    (195, 404, 1, "116680003"),
                    (196, 138, 1, "116680003"),
                    (195, 138, 0, "116680003"),
                    (195, 196, 1, "363698007"),
                    (77, 138, 1, "116680003"),
                ]
            )
        ),
    ],
}


def write_rf2(tmp_path: Path) -> Path:
    folder = tmp_path / "release" / "Snapshot" / "Terminology"
    folder.mkdir(parents=True)
    for name, lines in RF2.items():
        (folder / name).write_text("\r\n".join([*lines, ""]), encoding="utf-8", newline="")
    return tmp_path / "release"


def test_rf2_gives_the_active_concepts_names_and_is_a_relationships(tmp_path: Path) -> None:
    ontology = read(write_rf2(tmp_path))
    assert ontology.name == "snomed ct"
    assert list(ontology.identifiers) == ["138", "195", "196", "404"]
    assert parents(ontology, "195") == ["404"]
    assert [ontology.labels[place] for place in range(4)] == [
        "Toy concept",
        'Sore "thumb"',
        "Finding (procedure)",
        "Finding (finding)",
    ]
    assert names(ontology, "painful thumb") == names(ontology, 'Sore "thumb" (disorder)') == ["195"]
    assert names(ontology, "Withdrawn name") == []
    assert names(ontology, "Finding") == ["196", "404"]


def test_snomed_labels_are_english_whatever_files_come_first(tmp_path: Path) -> None:
    folder = write_rf2(tmp_path)
    head = RF2["sct2_Description_Snapshot-en_INT_20260101.txt"][0]
    danish = f"{head}\n900\t20260101\t1\t9\t195\tda\t900000000000003001\tOm tommelfinger (sygdom)\t9\n"
    (folder / "Snapshot" / "Terminology" / "sct2_Description_Snapshot-da_DK_20260101.txt").write_text(danish)
    ontology = read(folder)
    assert ontology.labels[ontology.concept("195")] == 'Sore "thumb"'
    assert names(ontology, "om tommelfinger") == ["195"]


def test_an_incomplete_rf2_release_names_the_missing_file(tmp_path: Path) -> None:
    folder = write_rf2(tmp_path)
    next(folder.rglob("sct2_Concept*")).unlink()
    with pytest.raises(BadFile, match="sct2_Concept_Snapshot"):
        read(folder)


def test_an_rf2_file_without_its_columns_is_an_error(tmp_path: Path) -> None:
    folder = write_rf2(tmp_path)
    next(folder.rglob("sct2_Relationship*")).write_text("id\tactive\n1\t1\n")
    with pytest.raises(BadFile, match="sourceId"):
        read(folder)


def test_claml_classes_have_their_labels_and_places(tmp_path: Path) -> None:
    ontology = read(written(tmp_path, "icd.xml", CLAML))
    assert parents(ontology, "A01.1") == ["A00-A09"]
    assert ontology.labels[ontology.concept("A01.1")] == "Toy fever"
    assert names(ontology, "sandpit fever") == names(ontology, "A011") == ["A01.1"]
    assert names(ontology, "not a word") == []
    assert ontology.identifiers[ontology.root] == "I"


def test_broken_claml_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="not XML"):
        read(written(tmp_path, "icd.xml", CLAML[:-12]))
    with pytest.raises(BadFile, match="no code"):
        read(written(tmp_path, "icd.xml", CLAML.replace('code="A01.1"', "")))


@pytest.mark.parametrize("text", [MESH_ASCII, MESH_XML])
def test_mesh_descriptors_stand_under_the_nearest_tree_number(tmp_path: Path, text: str) -> None:
    ontology = read(written(tmp_path, "d2026.bin", text))
    assert parents(ontology, "D900001") == ["I", "J"]
    assert parents(ontology, "D900002") == ["D900001", "J"]
    assert parents(ontology, "D900003") == ["(any)"]
    assert ontology.labels[ontology.concept("J")] == "Technology, Industry, and Agriculture"
    assert ontology.glosses[ontology.concept("D900001")] == "Things to play with."
    for value in ("Playthings", "Toy, Small", "toy", "J01.100"):
        assert names(ontology, value) == ["D900001"]


def test_mesh_places_that_contradict_each_other_are_cut_by_default(tmp_path: Path) -> None:
    one = "*NEWRECORD\nMH = Morals\nMN = F01\nMN = K01.1\nUI = D1\n"
    path = written(tmp_path, "d.bin", one + "*NEWRECORD\nMH = Ethics\nMN = F01.5\nMN = K01\nUI = D2\n")
    ontology = read(path)
    assert parents(ontology, "D1") == ["F"]
    assert parents(ontology, "D2") == ["K"]
    with pytest.raises(CyclicOntology):
        read(path, on_cycles="error")


@pytest.mark.parametrize(
    "text",
    ["*NEWRECORD\nMH = Morals\nMN = F01\n", "<DescriptorRecordSet><DescriptorRecord/></DescriptorRecordSet>"],
)
def test_a_mesh_record_without_identifier_is_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadFile, match="record 1"):
        read(written(tmp_path, "d.bin", text))


def test_broken_mesh_xml_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="not XML"):
        read(written(tmp_path, "d.xml", MESH_XML[:-10]))


@pytest.mark.parametrize(
    "text",
    [
        "A00    Cholera, any\nA000   Toy cholera\nA0012  Toy detail\nZ99    Last\n",
        'code,title\nA00,"Cholera, any"\nA00.0,Toy cholera\nA00.12,Toy detail\nZ99,Last\n',
        "A00\tCholera, any\na00.0\tToy cholera\nA00.12\tToy detail\nZ99\tLast\n",
        "".join(
            f"{place:05d} {code:<7} 1 {title[:60]:<60} {title}\n"
            for place, (code, title) in enumerate(
                [("A00", "Cholera, any"), ("A000", "Toy cholera"), ("A0012", "Toy detail"), ("Z99", "Last")]
            )
        ),
    ],
)
def test_icd_10_tables_take_their_hierarchy_from_the_codes(tmp_path: Path, text: str) -> None:
    ontology = read(written(tmp_path, "codes.txt", text))
    assert parents(ontology, "A00.0") == parents(ontology, "A00.12") == ["A00"]
    assert parents(ontology, "A00") == ["A00-B99"]
    assert parents(ontology, "Z99") == ["Z00-Z99"]
    assert ontology.labels[ontology.concept("A00")] == "Cholera, any"
    assert (
        names(ontology, "A0012") == names(ontology, "a00.12") == names(ontology, "toy detail") == ["A00.12"]
    )


def test_icd_blocks_stand_between_categories_and_chapters(tmp_path: Path) -> None:
    text = "A00-A09;Toy block\nA00-A04;Smaller block\nA00;Cholera\nA08;Other\nB01.1;Toy pox\n"
    ontology = read(written(tmp_path, "codes.csv", text), "icd")
    assert parents(ontology, "A00") == ["A00-A04"]
    assert parents(ontology, "A08") == ["A00-A09"]
    assert parents(ontology, "A00-A04") == ["A00-A09"]
    assert parents(ontology, "A00-A09") == ["A00-B99"]
    assert parents(ontology, "B01.1") == ["B01"]
    assert ontology.labels[ontology.concept("B01")] == "B01"


def test_icd_9_is_told_by_its_figures(tmp_path: Path) -> None:
    text = "0010 Toy cholera\nE8490 Toy accident at home\nV0181 Toy contact\n"
    ontology = read(written(tmp_path, "codes.txt", text))
    assert parents(ontology, "001.0") == ["001"]
    assert parents(ontology, "001") == ["001-139"]
    assert parents(ontology, "E849.0") == ["E849"]
    assert parents(ontology, "E849") == ["E000-E999"]
    assert parents(ontology, "V01") == ["V01-V91"]


def test_a_code_that_is_none_is_an_error_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="line 2") as caught:
        read(written(tmp_path, "codes.txt", "A00 Cholera\nsecret\n"), "icd")
    assert "secret" not in str(caught.value).lower()


def test_formats_are_told_from_name_and_content(tmp_path: Path) -> None:
    files = {
        "a.obo": (OBO, "obo"),
        "b.ttl": (TURTLE_OWL, "owl"),
        "c.ttl": (SKOS, "skos"),
        "d.xml": (CLAML, "claml"),
        "e.bin": (MESH_ASCII, "mesh"),
        "f.xml": (MESH_XML, "mesh"),
        "g.csv": ("a;b;*\n", "levels"),
        "h.csv": ("parent,child\nb,a\n", "edges"),
        "i.csv": ("A00,x\nB01,y\n", "icd"),
        "j.xml": (XML_OWL, "owl"),
    }
    for name, (text, expected) in files.items():
        assert recognised(written(tmp_path, name, text)).name == expected
    assert recognised(write_rf2(tmp_path)).name == "rf2"


def test_every_format_says_what_it_is() -> None:
    assert all(each.what and each.name == name for name, each in FORMATS.items())


def test_a_format_that_cannot_be_told_asks_for_its_name(tmp_path: Path) -> None:
    for path in (
        written(tmp_path, "a.txt", "words and words\n"),
        written(tmp_path, "a.json", "{}"),
        tmp_path,
    ):
        with pytest.raises(BadFile, match="Name it"):
            read(path)


def test_an_unknown_format_or_path_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'skos'"):
        read(tmp_path, "skoss")
    with pytest.raises(BadFile, match="no file or folder"):
        read(tmp_path / "none.csv")


def test_a_second_reading_comes_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "pets.obo", OBO)
    first = read(path)
    monkeypatch.setattr("discreet.ontology.builder.Builder.finished", None)
    assert read(path).digest == first.digest
    with pytest.raises(TypeError):
        read(path, cache=False)


def test_progress_is_told_while_reading(tmp_path: Path) -> None:
    calls: list[tuple[float, float]] = []
    read(written(tmp_path, "a.csv", "a;b\n"), progress=lambda done, total, what: calls.append((done, total)))
    assert calls == [(0, 2), (1, 2), (2, 2)]
