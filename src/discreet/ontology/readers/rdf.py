"""OWL and SKOS in RDF (RDF/XML, Turtle, N-Triples), through rdflib. Imports are not followed, nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax import SAXException, SAXParseException

from discreet.errors import BadFile, NotInstalled
from discreet.ontology.builder import Builder, Entry
from discreet.ontology.readers.entities import refuse_entities

if TYPE_CHECKING:
    from rdflib import Graph, URIRef

OWL = "http://www.w3.org/2002/07/owl#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
OBO_DEFINITION = "http://purl.obolibrary.org/obo/IAO_0000115"
SUFFIXES = {".nt": "nt", ".n3": "n3", ".ttl": "turtle"}
OTHER_SYNTAXES = re.compile(
    rb"\s*(Prefix\s*\(|Ontology\s*\(|Prefix:|Ontology:|\[?\s*\{)|.{0,2000}<Ontology\s", re.DOTALL
)
LOCAL_NAME = re.compile(r"[#/]([^#/]+)\Z")
LABELS = (f"{SKOS}prefLabel", f"{RDFS}label")
SYNONYMS = {
    f"{SKOS}altLabel": 1,
    f"{OBO_IN_OWL}hasExactSynonym": 1,
    f"{SKOS}hiddenLabel": 2,
    f"{OBO_IN_OWL}hasRelatedSynonym": 2,
    f"{OBO_IN_OWL}hasNarrowSynonym": 2,
    f"{OBO_IN_OWL}hasBroadSynonym": 2,
    f"{SKOS}notation": 3,
    f"{OBO_IN_OWL}id": 3,
}
LOCAL_RANK = 4
BROKEN = (SyntaxError, ValueError, LookupError, TypeError, AssertionError, RecursionError)
"""What the parsers of rdflib raise on files that are cut short or are something else."""
GLOSSES = (f"{SKOS}definition", OBO_DEFINITION, f"{RDFS}comment", f"{SKOS}scopeNote")


def owl(path: Path) -> Builder:
    """The named classes of an OWL or RDFS file, by URI, with subClassOf between them.

    Deprecated classes and owl:Thing are left out, and so is what anonymous classes (restrictions) say.
    """
    graph = graph_of(path)
    return _builder(path, graph, _classes(graph), _pairs(graph, f"{RDFS}subClassOf"))


def skos(path: Path) -> Builder:
    """The concepts of a SKOS file, by URI, with broader and narrower as is-a links."""
    graph = graph_of(path)
    broader, narrower = _pairs(graph, f"{SKOS}broader"), _pairs(graph, f"{SKOS}narrower")
    links = [*broader, *((below, above) for above, below in narrower)]
    typed = {str(subject) for subject in _typed(graph, f"{SKOS}Concept")}
    return _builder(path, graph, typed | {end for link in links for end in link}, links)


def speaks_skos(content: bytes) -> bool:
    """Whether a file's bytes speak of SKOS concepts and not of subclasses."""
    return b"skos/core#" in content and b"subClassOf" not in content


def graph_of(path: Path) -> Graph:
    """All triples of the file. Raises NotInstalled without rdflib, BadFile for what it cannot read."""
    try:
        from rdflib import Graph
        from rdflib.exceptions import ParserError
    except ImportError as error:
        raise NotInstalled(
            "OWL and SKOS need rdflib. Install it with pip install 'discreet[ontologies]'."
        ) from error
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadFile(f"'{path}' cannot be read: {type(error).__name__}.") from error
    if OTHER_SYNTAXES.match(content):
        raise BadFile(f"'{path}' is in a syntax that is not read. Save it as RDF/XML or Turtle.")
    is_xml = content.removeprefix(b"\xef\xbb\xbf").lstrip()[:2] in (b"<?", b"<r", b"<!")
    syntax = SUFFIXES.get(path.suffix.lower(), "xml" if is_xml else "turtle")
    if syntax == "xml":
        refuse_entities(path)
    graph = Graph()
    try:
        graph.parse(data=content, format=syntax, publicID="file:///ontology")
    except (*BROKEN, SAXException, ParserError) as error:
        raise BadFile(f"'{path}'{_line(error)}: this is not RDF ({syntax}).") from error
    return graph


def _line(error: BaseException) -> str:
    """Where a parser stopped, as far as it tells."""
    if isinstance(error, SAXParseException):
        return f", line {error.getLineNumber()}"
    before = getattr(error, "lines", None)
    return f", line {before + 1}" if isinstance(before, int) else ""


def _builder(path: Path, graph: Graph, named: Iterable[str], links: Iterable[tuple[str, str]]) -> Builder:
    from rdflib import URIRef

    result = Builder(name=path.stem)
    for name in sorted(named):
        _describe(result.entry(name), graph, URIRef(name))
    result.links = [
        (low, high) for low, high in links if low != high and {low, high} <= result.entries.keys()
    ]
    return result


def _describe(entry: Entry, graph: Graph, subject: URIRef) -> None:
    local = LOCAL_NAME.search(str(subject))
    if local:
        entry.words[local[1]] = LOCAL_RANK
        entry.label = local[1]
    for predicate, rank in SYNONYMS.items():
        entry.words |= {word: rank for word, _ in _texts(graph, subject, predicate)}
    labels = [text for predicate in LABELS for text in _texts(graph, subject, predicate)]
    if labels:
        english = [word for word, language in labels if language in ("", "en") or language.startswith("en-")]
        entry.label = (english or [word for word, _ in labels])[0]
        entry.words |= {word: 1 for word, _ in labels}
        entry.words[entry.label] = 0
    glosses = [text for predicate in GLOSSES for text, _ in _texts(graph, subject, predicate)]
    entry.gloss = glosses[0] if glosses else ""


def _texts(graph: Graph, subject: URIRef, predicate: str) -> list[tuple[str, str]]:
    """The literals (with their language) that a predicate says of a subject, sorted."""
    from rdflib import Literal, URIRef

    found = graph.objects(subject, URIRef(predicate))
    return sorted((str(each), each.language or "") for each in found if isinstance(each, Literal))


def _classes(graph: Graph) -> set[str]:
    from rdflib import URIRef

    typed = {str(each) for kind in (f"{OWL}Class", f"{RDFS}Class") for each in _typed(graph, kind)}
    linked = {end for link in _pairs(graph, f"{RDFS}subClassOf") for end in link}
    deprecated = {
        str(subject)
        for subject, value in graph.subject_objects(URIRef(f"{OWL}deprecated"))
        if str(value).lower() in ("true", "1")
    }
    return (typed | linked) - deprecated - {f"{OWL}Thing", f"{OWL}Nothing"}


def _typed(graph: Graph, kind: str) -> Iterator[URIRef]:
    from rdflib import RDF, URIRef

    return (each for each in graph.subjects(RDF.type, URIRef(kind)) if isinstance(each, URIRef))


def _pairs(graph: Graph, predicate: str) -> list[tuple[str, str]]:
    from rdflib import URIRef

    return sorted(
        (str(low), str(high))
        for low, high in graph.subject_objects(URIRef(predicate))
        if isinstance(low, URIRef) and isinstance(high, URIRef)
    )
