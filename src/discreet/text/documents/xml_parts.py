"""XML that comes from anybody: read without entities, networks or definitions of its own."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from discreet.text.document import PartKind
from discreet.text.documents.opened import Opening
from discreet.text.documents.slots import LETTER, Attribute, ElementText, Slot, Tail

HUGE = 8_000_000
"""Bytes from which on the parser's own limit on one stretch of text is lifted."""
DEFINITIONS = tuple("<!DOCTYPE".encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be"))
ENCODING = re.compile(rb"""^[^>]{0,100}encoding\s*=\s*["']([^"']+)["']""")
ENCODINGS = (b"utf-8", b"utf-16", b"us-ascii", b"ascii", b"iso-8859-1", b"windows-1252")


def parse_xml(raw: bytes, opening: Opening, part: str) -> Any:
    """The root element of a part. Raises BadFile where it is no XML, or defines entities of its own.

    A definition of entities is how a few bytes become gigabytes, or the file of another place is drawn in; no program
    writes one into a document.
    """
    declared = ENCODING.match(raw[:200])
    strange = declared is not None and declared.group(1).lower() not in ENCODINGS
    if strange or any(mark in raw for mark in DEFINITIONS):
        raise opening.broken(f"the part {part} defines entities or an encoding of its own, which is not read")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=len(raw) > HUGE, remove_pis=True
    )
    try:
        root = etree.fromstring(raw, parser)
    except (etree.XMLSyntaxError, ValueError):
        raise opening.broken(f"the part {part} is damaged and cannot be read") from None
    return root


def to_xml(root: Any) -> bytes:
    """The bytes of a part."""
    content: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return content


def everything(root: Any, kind: PartKind) -> list[Slot]:
    """A slot for each text and each attribute that holds a letter or a digit, for parts that nobody knows more of."""
    slots: list[Slot] = []
    for element in root.iter():
        if isinstance(element.tag, str):
            slots += [Slot(kind, [Attribute(element, name)]) for name in element.keys()]  # noqa: SIM118
        slots += [Slot(kind, [ElementText(element)]), Slot(kind, [Tail(element)])]
    return [each for each in slots if LETTER.search(each.text)]


def drop(element: Any) -> None:
    """Takes an element out of its tree, and leaves the text that stands after it."""
    parent = element.getparent()
    if parent is None:
        return
    before = element.getprevious()
    if element.tail and before is not None:
        before.tail = (before.tail or "") + element.tail
    elif element.tail:
        parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def unwrap(element: Any) -> None:
    """Puts what an element holds in its place."""
    parent = element.getparent()
    if parent is None:
        return
    place = parent.index(element)
    children = list(element)
    before = parent[place - 1] if place else None
    if element.text:
        if before is not None:
            before.tail = (before.tail or "") + element.text
        else:
            parent.text = (parent.text or "") + element.text
    tail = element.tail
    element.tail = None
    parent.remove(element)
    for offset, child in enumerate(children):
        parent.insert(place + offset, child)
    if tail:
        last = parent[place + len(children) - 1] if place + len(children) else None
        if last is not None:
            last.tail = (last.tail or "") + tail
        else:
            parent.text = (parent.text or "") + tail
