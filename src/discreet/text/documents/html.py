"""HTML: text by blocks, attributes that are read aloud or shown, links, comments, hidden text and properties.

What is written has no scripts, styles, comments, hidden text or properties, and of attributes only those that say
how the text is set.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from discreet.reading.encodings import BYTE_ORDER_MARKS
from discreet.text.document import PartKind
from discreet.text.documents.opened import Keep, Opened, Opening, Saved
from discreet.text.documents.plain import decoded
from discreet.text.documents.slots import LETTER, Attribute, ElementText, Slot, Tail, for_xml
from discreet.text.documents.xml_parts import drop, unwrap

BLOCKS = frozenset(
    [
        "address", "article", "aside", "blockquote", "body", "button", "caption", "center", "dd", "details",
        "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
        "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "legend", "li",
        "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre", "section", "select", "summary",
        "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "title", "tr", "ul", "iframe", "object",
        "video", "audio", "svg", "noscript", "template", "text", "desc",
    ]
)  # fmt: skip
KINDS = {
    **dict.fromkeys(("title", "h1", "h2", "h3", "h4", "h5", "h6"), PartKind.HEADING),
    **dict.fromkeys(("td", "th", "caption"), PartKind.CELL),
    **dict.fromkeys(("svg", "iframe", "object", "video", "audio"), PartKind.TEXT_BOX),
    "template": PartKind.HIDDEN,
}
UNREAD = frozenset({"script", "style"})
AS_IT_IS = frozenset({"pre", "textarea"})
PICTURES = frozenset({"img", "svg", "canvas", "picture"})
OBJECTS = frozenset(["iframe", "object", "embed", "applet", "frame", "video", "audio", "source", "track"])
GONE = (
    frozenset(["script", "style", "link", "base", "template", "input", "meta", "param", "noframes", "xml"])
    | OBJECTS
)
SHOWN = frozenset(
    [
        "alt", "title", "aria-label", "aria-description", "aria-roledescription", "placeholder", "summary",
        "label", "abbr",
    ]
)  # fmt: skip
LINKS = frozenset(
    [
        "href", "src", "srcset", "data", "action", "formaction", "cite", "poster", "background", "longdesc",
        "ping", "usemap", "xlink:href",
    ]
)  # fmt: skip
SILENT = frozenset(
    [
        "class", "id", "style", "rel", "target", "width", "height", "http-equiv", "property", "name", "for",
        "align", "valign",
    ]
)  # fmt: skip
SETTING = frozenset(["lang", "dir", "colspan", "rowspan", "scope", "start", "reversed", "open"])
INVISIBLE = re.compile(
    r"(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])|font-size\s*:\s*0(?![.\d])|mso-hide)",
    re.I,
)
SPACE = re.compile(r"[ \t\r\n\f]+")
CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]+)""", re.I)
HEAD = 2048


def open_html(raw: bytes, opening: Opening) -> Opened:
    """A page as parts."""
    root = _parsed(_text_of(raw, opening), opening)
    reading = _Reading()
    reading.read(root)
    if not reading.slots and not reading.unread:
        raise opening.broken("it holds no text", "Leave it out (ignore).")

    def save(keep: Keep) -> Saved:
        _clean(root, keep)
        content: bytes = etree.tostring(root, method="html", encoding="utf-8", doctype="<!DOCTYPE html>")
        return Saved(content, ".html")

    return Opened(slots=reading.slots, save=save, not_looked_into=reading.unread)


def _text_of(raw: bytes, opening: Opening) -> str:
    """The text, in the encoding that was given, marked, declared, or else UTF-8."""
    declared = CHARSET.search(raw[:HEAD])
    marked = any(raw.startswith(mark) for mark, _ in BYTE_ORDER_MARKS)
    if opening.encoding is None and declared is not None and not marked:
        try:
            return raw.decode(declared.group(1).decode("ascii"))
        except (LookupError, UnicodeDecodeError):
            pass
    return decoded(raw, opening)


def _parsed(text: str, opening: Opening) -> Any:
    if not text.strip():
        raise opening.broken("it is empty", "Leave it out (ignore).")
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)
    try:
        root = etree.fromstring(for_xml(text).encode("utf-8"), parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None or any(each.level_name == "FATAL" for each in parser.error_log):
        raise opening.broken("it is nested too deeply or damaged, and cannot be read to its end")
    return root


@dataclass(slots=True)
class _Mark:
    """A line break, which becomes text where something else takes its place."""

    element: Any

    @property
    def text(self) -> str:
        return "\n" if self.element.tag == "br" else self.element.text or ""

    def put(self, text: str) -> None:
        self.element.tag = "span"
        self.element.text = for_xml(text)


@dataclass(slots=True)
class _Reading:
    """The slots found so far; `open` are those that text goes into, the innermost block last."""

    slots: list[Slot] = field(default_factory=list)
    unread: Counter[str] = field(default_factory=Counter)
    open: list[Slot] = field(default_factory=lambda: [Slot(PartKind.BODY)])
    silent: int = 0
    as_it_is: int = 0

    def read(self, root: Any) -> None:
        for outside in root.itersiblings(preceding=True):
            self._comment(outside)
        for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
            if event == "start":
                self._start(element)
            elif event == "end":
                self._end(element)
            else:
                self._comment(element)
                self._tail(element)
        for outside in root.itersiblings():
            self._comment(outside)
        self._flush()
        self.slots = [each for each in self.slots if LETTER.search(each.text)]

    def _comment(self, element: Any) -> None:
        self.slots.append(Slot(PartKind.COMMENT, [ElementText(element)]))

    def _start(self, element: Any) -> None:
        tag = element.tag
        self.silent += tag in UNREAD
        self.as_it_is += tag in AS_IT_IS
        self._attributes(element)
        if tag in PICTURES and tag != "picture":
            self.unread["pictures"] += 1
        elif tag in OBJECTS:
            self.unread["embedded objects"] += 1
        if tag in BLOCKS:
            self._flush()
        if _separate(element):
            kind = PartKind.HIDDEN if _hidden(element) else KINDS.get(tag, self.open[-1].kind)
            self.open.append(Slot(kind))
        if tag == "br":
            self.open[-1].runs.append(_Mark(element))
        elif element.text and not self.silent:
            if not self.as_it_is:
                element.text = SPACE.sub(" ", element.text)
            self.open[-1].runs.append(ElementText(element))

    def _end(self, element: Any) -> None:
        tag = element.tag
        if _separate(element):
            self._flush()
            self.open.pop()
            if tag in BLOCKS:
                self._flush()
        self.silent -= tag in UNREAD
        self.as_it_is -= tag in AS_IT_IS
        self._tail(element)

    def _tail(self, element: Any) -> None:
        if element.tail and not self.silent:
            if not self.as_it_is:
                element.tail = SPACE.sub(" ", element.tail)
            self.open[-1].runs.append(Tail(element))

    def _flush(self) -> None:
        """What is open is a part; what follows is another of the same kind."""
        if self.open[-1].runs:
            self.slots.append(self.open[-1])
            self.open[-1] = Slot(self.open[-1].kind)

    def _attributes(self, element: Any) -> None:
        for name, value in element.items():
            if name in LINKS and not value.lstrip().lower().startswith("data:"):
                self.slots.append(Slot(PartKind.LINK, [Attribute(element, name)]))
            elif name in SHOWN:
                self.slots.append(Slot(PartKind.ALT_TEXT, [Attribute(element, name)]))
            elif element.tag == "meta" and name == "content":
                self.slots.append(Slot(PartKind.PROPERTY, [Attribute(element, name)]))
            elif not (name in SILENT or name in SETTING or name in LINKS or name.startswith(("on", "xmlns"))):
                self.slots.append(Slot(PartKind.HIDDEN, [Attribute(element, name)]))


def _separate(element: Any) -> bool:
    """Whether what an element holds is no part of the text around it."""
    return element.tag in BLOCKS or _hidden(element)


def _hidden(element: Any) -> bool:
    return "hidden" in element.attrib or bool(INVISIBLE.search(element.get("style", "")))


def _clean(root: Any, keep: Keep) -> None:
    """Takes out whatever is not the text that people see, or what the steward keeps."""
    for element in list(root.iter()):
        if element is not root and element.getparent() is None:
            continue
        if not isinstance(element.tag, str):
            if not (element.tag is etree.Comment and PartKind.COMMENT in keep.kinds):
                drop(element)
        elif _goes(element, keep):
            drop(element)
        elif element.tag in ("noscript", "picture"):
            unwrap(element)
        else:
            _clean_attributes(element, keep)
    head = root.find("head")
    if head is not None:
        head.insert(0, etree.Element("meta", charset="utf-8"))
    elif root.tag == "html":
        root.insert(0, etree.Element("head"))
        root[0].append(etree.Element("meta", charset="utf-8"))


def _goes(element: Any, keep: Keep) -> bool:
    if element.tag == "meta" and element.get("content") and PartKind.PROPERTY in keep.kinds:
        return "http-equiv" in element.attrib
    if element.tag in GONE or (_hidden(element) and PartKind.HIDDEN not in keep.kinds):
        return True
    return element.tag in PICTURES and not keep.pictures and not element.get("alt")


def _clean_attributes(element: Any, keep: Keep) -> None:
    attributes: Mapping[str, str] = dict(element.attrib)
    for name, value in attributes.items():
        link = name == "href" and not re.match(r"\s*(?:javascript|data|vbscript):", value, re.I)
        picture = keep.pictures and element.tag == "img" and name == "src"
        meta = element.tag == "meta" and name in ("content", "name")
        hidden = name == "hidden" and PartKind.HIDDEN in keep.kinds
        if not (link or picture or meta or hidden or name in SETTING or name in SHOWN):
            del element.attrib[name]
