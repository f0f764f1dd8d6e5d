"""ODT: text, headers, notes, annotations, changes, frames and properties; odt_package.py says what is written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from discreet.text.document import PartKind
from discreet.text.documents.opened import Keep, Opened, Opening, Saved
from discreet.text.documents.package import members
from discreet.text.documents.slots import LETTER, Attribute, ElementText, Slot, Tail, for_xml
from discreet.text.documents.xml_parts import everything, parse_xml

OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
SPACES = {
    "office": f"{OASIS}office:1.0",
    "text": f"{OASIS}text:1.0",
    "table": f"{OASIS}table:1.0",
    "draw": f"{OASIS}drawing:1.0",
    "style": f"{OASIS}style:1.0",
    "svg": f"{OASIS}svg-compatible:1.0",
    "fo": f"{OASIS}xsl-fo-compatible:1.0",
    "meta": f"{OASIS}meta:1.0",
    "form": f"{OASIS}form:1.0",
    "script": f"{OASIS}script:1.0",
    "manifest": f"{OASIS}manifest:1.0",
    "xlink": "http://www.w3.org/1999/xlink",
    "dc": "http://purl.org/dc/elements/1.1/",
}
MIME = "application/vnd.oasis.opendocument.text"
READ = ("content.xml", "styles.xml")
SILENT = re.compile(
    r"META-INF/manifest\.xml|manifest\.rdf|Configurations2/.*|settings\.xml|layout-cache|mimetype"
)
PICTURE = re.compile(r"Pictures/|Thumbnails/|.*\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg)$", re.I)
WHITE = re.compile(r"[ \t\r\n]+")


def q(name: str) -> str:
    """A name with its namespace: text:p."""
    space, tag = name.split(":")
    return f"{{{SPACES[space]}}}{tag}"


PARAGRAPHS = (q("text:p"), q("text:h"))
MARKS = {q("text:tab"): "\t", q("text:line-break"): "\n", q("text:soft-hyphen"): "\u00ad", q("text:s"): " "}
SURROUNDINGS = {
    q("text:note"): PartKind.FOOTNOTE,
    q("office:annotation"): PartKind.COMMENT,
    q("text:tracked-changes"): PartKind.DELETED,
    q("draw:text-box"): PartKind.TEXT_BOX,
    q("draw:custom-shape"): PartKind.TEXT_BOX,
    q("table:table-cell"): PartKind.CELL,
    q("style:header"): PartKind.HEADER,
    q("style:header-left"): PartKind.HEADER,
    q("style:header-first"): PartKind.HEADER,
    q("style:footer"): PartKind.FOOTER,
    q("style:footer-left"): PartKind.FOOTER,
    q("style:footer-first"): PartKind.FOOTER,
    q("svg:title"): PartKind.ALT_TEXT,
    q("svg:desc"): PartKind.ALT_TEXT,
    q("table:title"): PartKind.ALT_TEXT,
    q("table:desc"): PartKind.ALT_TEXT,
    q("office:change-info"): PartKind.PROPERTY,
    q("dc:creator"): PartKind.PROPERTY,
    q("dc:date"): PartKind.PROPERTY,
    q("text:hidden-text"): PartKind.HIDDEN,
    q("text:hidden-paragraph"): PartKind.HIDDEN,
    q("office:forms"): PartKind.HIDDEN,
    q("office:scripts"): PartKind.HIDDEN,
    q("text:index-title-template"): PartKind.HEADING,
}
"""Elements whose text is a part of its own, whatever stands around them."""
LEADING = (q("xlink:href"),)
SETS = frozenset(q(name) for name in ("text:name", "table:name", "draw:name", "text:description", "text:string-value",
    "text:ref-name", "text:condition", "text:formula", "text:display-name", "text:author", "form:name", "form:label",
    "form:value", "form:current-value", "form:title", "style:display-name", "text:key1", "text:key2",
    "text:bibliography-type", "text:title", "office:string-value", "text:table-name", "text:database-name",
    "text:column-name", "office:title", "office:name", "meta:name"))  # fmt: skip
"""Attributes in which somebody has written words; none is written again."""


@dataclass(slots=True)
class _Mark:
    """A tab, a break or spaces, which become text where something else takes their place."""

    element: Any

    @property
    def text(self) -> str:
        shown = MARKS.get(self.element.tag)
        if shown is None:
            return self.element.text or ""
        count = self.element.get(q("text:c"), "1")
        return shown * (min(int(count), 1000) if count.isdecimal() and shown == " " else 1)

    def put(self, text: str) -> None:
        self.element.attrib.clear()
        self.element.tag = q("text:span")
        self.element.text = for_xml(text)


@dataclass(slots=True)
class Odt:
    """The parts of a file: `trees` of those that are XML, `raw` of all, and the styles whose text is hidden."""

    raw: dict[str, bytes]
    trees: dict[str, Any] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()

    def is_hidden(self, element: Any) -> bool:
        """Whether an element is set so that no program shows it."""
        return (
            element.get(q("text:style-name")) in self.hidden
            or element.get(q("text:display")) in ("none", "condition")
            or element.get(q("text:is-hidden")) == "true"
        )


def open_odt(raw: bytes, opening: Opening) -> Opened:
    """A text document as parts."""
    odt = _odt(raw, opening)
    slots: list[Slot] = []
    unread: Counter[str] = Counter()
    for name in sorted(odt.raw, key=lambda each: (each not in READ, each)):
        tree = odt.trees.get(name)
        if name in READ:
            slots += _Reading(odt).read(tree)
        elif tree is not None and not SILENT.fullmatch(name):
            slots += everything(tree, PartKind.PROPERTY)
        elif tree is None and not SILENT.fullmatch(name):
            unread["pictures" if PICTURE.match(name) else "embedded objects"] += 1
    slots = [each for each in slots if LETTER.search(each.text)]
    if not slots and not unread:
        raise opening.broken("it holds no text", "Leave it out (ignore).")

    def save(keep: Keep) -> Saved:
        from discreet.text.documents.odt_package import written

        return Saved(written(odt, keep), ".odt")

    return Opened(slots=slots, save=save, not_looked_into=unread)


def _odt(raw: bytes, opening: Opening) -> Odt:
    found = members(raw, opening)
    if b"encryption-data" in found.get("META-INF/manifest.xml", b""):
        raise opening.broken("it is locked by a password", "Save it anew without one.")
    if "content.xml" not in found or not found.get("mimetype", MIME.encode()).startswith(MIME.encode()):
        raise opening.broken(
            "it is no text document: its part content.xml is missing, or it is of another kind"
        )
    odt = Odt(found)
    for name, content in found.items():
        if name.lower().endswith((".xml", ".rdf")) and content.strip():
            odt.trees[name] = parse_xml(content, opening, name)
    odt.hidden = frozenset(
        style.get(q("style:name"), "")
        for name in READ
        if name in odt.trees
        for style in odt.trees[name].iter(q("style:style"))
        if any(each.get(q("text:display")) == "none" for each in style.iter(q("style:text-properties")))
    )
    return odt


@dataclass(slots=True)
class _Reading:
    """The slots of a part; `open` are those that text goes into, the innermost last."""

    odt: Odt
    slots: list[Slot] = field(default_factory=list)
    open: list[Slot] = field(default_factory=list)
    kinds: list[PartKind] = field(default_factory=lambda: [PartKind.BODY])

    def read(self, root: Any) -> list[Slot]:
        self.open.append(Slot(PartKind.HIDDEN))
        for event, element in etree.iterwalk(root, events=("start", "end", "comment")):
            if event == "start":
                self._start(element)
            elif event == "end":
                self._end(element)
            else:
                self.slots.append(Slot(PartKind.COMMENT, [ElementText(element)]))
                self._tail(element)
        return [*self.slots, *self.open]

    def _start(self, element: Any) -> None:
        self.slots += _attributes(element)
        kind = self._kind(element)
        if kind is not None:
            self.kinds.append(kind)
        if kind is not None or element.tag in PARAGRAPHS:
            own = self.kinds[-1]
            if element.tag == q("text:h") and own is PartKind.BODY:
                own = PartKind.HEADING
            self.open.append(Slot(own))
            self.slots.append(self.open[-1])
        if element.tag in MARKS:
            self.open[-1].runs.append(_Mark(element))
        elif element.text:
            element.text = WHITE.sub(" ", element.text)
            self.open[-1].runs.append(ElementText(element))

    def _end(self, element: Any) -> None:
        kind = self._kind(element)
        if kind is not None:
            self.kinds.pop()
        if kind is not None or element.tag in PARAGRAPHS:
            self.open.pop()
        self._tail(element)

    def _kind(self, element: Any) -> PartKind | None:
        """The kind of what an element holds, where that is another than around it."""
        if element.tag == q("text:note") and element.get(q("text:note-class")) == "endnote":
            return PartKind.ENDNOTE
        if self.odt.is_hidden(element):
            return PartKind.HIDDEN
        return SURROUNDINGS.get(element.tag)

    def _tail(self, element: Any) -> None:
        if element.tail:
            element.tail = WHITE.sub(" ", element.tail)
            self.open[-1].runs.append(Tail(element))


def _attributes(element: Any) -> Iterator[Slot]:
    for name in element.keys():  # noqa: SIM118
        if name in LEADING and element.tag != q("draw:image"):
            yield Slot(PartKind.LINK, [Attribute(element, name)])
        elif name in SETS:
            yield Slot(PartKind.HIDDEN, [Attribute(element, name)])
