"""Classifications in ClaML, the XML in which the WHO and others publish ICD and its relatives."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from discreet.errors import BadFile
from discreet.ontology.builder import Builder
from discreet.ontology.readers.entities import refuse_entities

WORD_RANKS = {"preferredLong": 1, "inclusion": 2}


def builder(path: Path) -> Builder:
    """The classes by code, with the classes above them. Modifiers (fourth and fifth characters) are not spelled out.

    The preferred rubric is the label; long titles and inclusion terms are words for the class.
    """
    refuse_entities(path)
    result = Builder(name=path.stem)
    described: set[str] = set()
    try:
        for _, element in ElementTree.iterparse(path):
            if element.tag == "Class":
                _add(result, element, path, described)
                element.clear()
    except ElementTree.ParseError as error:
        raise BadFile(f"'{path}', line {error.position[0]}: this is not XML.") from error
    except OSError as error:
        raise BadFile(f"'{path}' cannot be read: {type(error).__name__}.") from error
    return result


def _add(result: Builder, element: ElementTree.Element, path: Path, described: set[str]) -> None:
    code = element.get("code", "")
    if not code:
        raise BadFile(f"'{path}': a class has no code (it is the {len(described) + 1}. class).")
    if code in described:
        raise BadFile(f"'{path}': the class {code} stands there twice.")
    described.add(code)
    entry = result.entry(code)
    entry.words |= {code: 1, code.replace(".", ""): 1}
    for rubric in element.iterfind("Rubric"):
        kind = rubric.get("kind", "")
        for label in rubric.iterfind("Label"):
            text = " ".join("".join(label.itertext()).split())
            if kind == "preferred" and not entry.label:
                entry.label = text
            elif text and kind in WORD_RANKS:
                entry.words.setdefault(text, WORD_RANKS[kind])
    result.links.extend((code, above.get("code", "")) for above in element.iterfind("SuperClass"))
    result.links.extend((below.get("code", ""), code) for below in element.iterfind("SubClass"))
