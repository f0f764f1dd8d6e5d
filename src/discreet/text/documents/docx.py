"""DOCX: every part of the package is read; see docx_package.py for what is written."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from discreet.text.document import PartKind
from discreet.text.documents.opened import Keep, Opened, Opening, Saved
from discreet.text.documents.package import members
from discreet.text.documents.slots import LETTER, Attribute, ElementText, Run, Slot, Tail, for_xml
from discreet.text.documents.xml_parts import everything, parse_xml

W_SPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
R_SPACE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SPACE_KEPT = "{http://www.w3.org/XML/1998/namespace}space"
MATH_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
RELATIONS = "_rels/.rels"


def w(name: str) -> str:
    """A name in the namespace of text documents."""
    return f"{{{W_SPACE}}}{name}"


MARKS = {w("tab"): "\t", w("br"): "\n", w("cr"): "\n", w("noBreakHyphen"): "-", w("softHyphen"): "\u00ad"}
TEXTS = (w("t"), w("delText"), w("instrText"), w("delInstrText"), MATH_TEXT)
STORIES = (
    (re.compile(r"word/document\d*\.xml"), PartKind.BODY),
    (re.compile(r"word/header\d*\.xml"), PartKind.HEADER),
    (re.compile(r"word/footer\d*\.xml"), PartKind.FOOTER),
    (re.compile(r"word/footnotes\d*\.xml"), PartKind.FOOTNOTE),
    (re.compile(r"word/endnotes\d*\.xml"), PartKind.ENDNOTE),
    (re.compile(r"word/comments\d*\.xml"), PartKind.COMMENT),
)
SETTING = re.compile(r"word/(?:styles|numbering|settings|fontTable|theme/theme\d*)\.xml")
SILENT = re.compile(
    r"\[Content_Types\]\.xml|.*\.rels|word/(?:webSettings|stylesWithEffects|commentsIds|commentsExtended"
    r"|commentsExtensible|fontTable|theme/.*)\.xml"
)
"""Parts without text of the document; none but fonts and themes is written again."""
PICTURE = re.compile(r"word/media/|docProps/thumbnail|.*\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|ico)$", re.I)
HEADING = re.compile(r"heading|title|überschrift|titre|título", re.I)
DESCRIBED = ("descr", "title", "name", "alt")
ATTRIBUTES = {
    **dict.fromkeys(("tblCaption", "tblDescription"), PartKind.ALT_TEXT),
    **dict.fromkeys(
        ("alias", "tag", "default", "statusText", "helpText", "listEntry", "bookmarkStart"), PartKind.HIDDEN
    ),
}
"""Elements of the main namespace that hold words in an attribute."""
SECRETS = (w("docVars"), w("mailMerge"), w("attachedTemplate"), w("documentProtection"), w("saveThroughXslt"))
FIELD = {w("instrText"), w("delInstrText")}


@dataclass(slots=True)
class WordMark:
    """A tab, a break or a hyphen, which becomes text where something else takes its place."""

    element: Any

    @property
    def text(self) -> str:
        return MARKS.get(self.element.tag, self.element.text or "")

    def put(self, text: str) -> None:
        self.element.attrib.clear()
        self.element.tag = w("t")
        WordText(self.element).put(text)


@dataclass(slots=True)
class WordText:
    """The text of a run; spaces at its ends count."""

    element: Any

    @property
    def text(self) -> str:
        return self.element.text or ""

    def put(self, text: str) -> None:
        self.element.text = for_xml(text)
        self.element.set(SPACE_KEPT, "preserve")


@dataclass(slots=True)
class Package:
    """The parts of a file: `trees` of those that are XML, `raw` of all."""

    raw: dict[str, bytes]
    trees: dict[str, Any] = field(default_factory=dict)
    hidden_styles: frozenset[str] = frozenset()
    heading_styles: frozenset[str] = frozenset()

    def relations(self, part: str) -> Any | None:
        """The tree of what a part refers to."""
        folder, name = posixpath.split(part)
        return self.trees.get(posixpath.join(folder, "_rels", f"{name}.rels"))


def open_docx(raw: bytes, opening: Opening) -> Opened:
    """A text document as parts."""
    package = _package(raw, opening)
    slots: list[Slot] = []
    unread: Counter[str] = Counter()
    for name in sorted(package.raw, key=_order):
        slots += _slots_of(package, name, unread)
    slots = [each for each in slots if LETTER.search(each.text)]
    if not slots and not unread:
        raise opening.broken("it holds no text", "Leave it out (ignore).")

    def save(keep: Keep) -> Saved:
        from discreet.text.documents.docx_package import written

        return Saved(written(package, keep), ".docx")

    return Opened(slots=slots, save=save, not_looked_into=unread)


def story_of(name: str) -> PartKind | None:
    """The kind of paragraphs in a part; None for a part that is no story."""
    return next((kind for pattern, kind in STORIES if pattern.fullmatch(name)), None)


def _package(raw: bytes, opening: Opening) -> Package:
    found = members(raw, opening)
    package = Package(found)
    for name, content in found.items():
        if name.lower().endswith((".xml", ".rels")):
            package.trees[name] = parse_xml(content, opening, name)
    main = package.trees.get("word/document.xml")
    if "EncryptedPackage" in found:
        raise opening.broken("it is locked by a password", "Save it anew without one.")
    if main is None or main.tag != w("document"):
        strict = main is not None and main.tag.startswith(f"{{{STRICT}}}")
        raise opening.broken(
            "it is written in the strict variant of the format, which is not read"
            if strict
            else "it is no text document: the part word/document.xml is missing or another",
            "Save it anew as an ordinary .docx.",
        )
    package.hidden_styles, package.heading_styles = _styles(package)
    return package


def _styles(package: Package) -> tuple[frozenset[str], frozenset[str]]:
    """The styles whose text is hidden, and those of headings."""
    root = package.trees.get("word/styles.xml")
    styles = [] if root is None else root.findall(w("style"))
    hidden = {each.get(w("styleId"), "") for each in styles if _is_on(each.find(f"{w('rPr')}/{w('vanish')}"))}
    headings = set()
    for each in styles:
        name = each.find(w("name"))
        if each.find(f".//{w('outlineLvl')}") is not None or (
            name is not None and HEADING.match(name.get(w("val"), ""))
        ):
            headings.add(each.get(w("styleId"), ""))
    return frozenset(hidden), frozenset(headings)


def _order(name: str) -> tuple[int, str]:
    """The main story first, then the others, then the rest."""
    rank = next(
        (place for place, (pattern, _) in enumerate(STORIES) if pattern.fullmatch(name)), len(STORIES)
    )
    return rank, name


def _slots_of(package: Package, name: str, unread: Counter[str]) -> Iterator[Slot]:
    root = package.trees.get(name)
    kind = story_of(name)
    if root is None:
        unread["pictures" if PICTURE.match(name) else "embedded objects"] += 1
    elif kind is not None:
        yield from _story(package, root, kind)
        yield from _described(root)
        unread["embedded objects"] += sum(
            1 for _ in root.iter(w("object"), w("control"), w("altChunk"), w("subDoc"))
        )
    elif name == "word/styles.xml":
        yield from _named(root, w("style"))
    elif name == "word/numbering.xml":
        yield from (Slot(PartKind.BODY, [Attribute(each, w("val"))]) for each in root.iter(w("lvlText")))
    elif name == "word/settings.xml":
        for each in root.iter(*SECRETS):
            yield from everything(each, PartKind.PROPERTY)
    elif name.endswith(".rels"):
        yield from _targets(root)
    elif not SILENT.fullmatch(name):
        yield from everything(root, PartKind.PROPERTY)


def _named(root: Any, tag: str) -> Iterator[Slot]:
    """The names that somebody gave to styles."""
    for each in root.iter(tag):
        if each.get(w("customStyle")) in ("1", "true", "on"):
            for name in each.findall(w("name")) + each.findall(w("aliases")):
                yield Slot(PartKind.PROPERTY, [Attribute(name, w("val"))])


def _targets(root: Any) -> Iterator[Slot]:
    """Where links lead, and templates and pictures that lie elsewhere."""
    for each in root:
        if each.get("TargetMode") == "External":
            link = each.get("Type", "").endswith("/hyperlink")
            yield Slot(PartKind.LINK if link else PartKind.PROPERTY, [Attribute(each, "Target")])


def _described(root: Any) -> Iterator[Slot]:
    """Descriptions of pictures and tables, names of bookmarks, tags of controls, who changed or commented."""
    for element in root.iter():
        if not isinstance(element.tag, str):
            yield Slot(PartKind.COMMENT, [ElementText(element)])
            continue
        if element.tag not in TEXTS:
            yield Slot(PartKind.HIDDEN, [ElementText(element)])
        yield Slot(PartKind.HIDDEN, [Tail(element)])
        space, _, tag = element.tag.rpartition("}")
        if space == f"{{{W_SPACE}":
            for name in (w("author"), w("initials"), w("instr")):
                if element.get(name):
                    kind = PartKind.HIDDEN if name == w("instr") else PartKind.PROPERTY
                    yield Slot(kind, [Attribute(element, name)])
            if tag in ATTRIBUTES:
                name = w("name") if tag == "bookmarkStart" else w("val")
                yield Slot(ATTRIBUTES[tag], [Attribute(element, name)])
            elif tag == "hyperlink" and element.get(w("tooltip")):
                yield Slot(PartKind.LINK, [Attribute(element, w("tooltip"))])
        else:
            for name in DESCRIBED:
                if element.get(name):
                    yield Slot(PartKind.ALT_TEXT, [Attribute(element, name)])
            if tag == "textpath":
                yield Slot(PartKind.TEXT_BOX, [Attribute(element, "string")])


def _story(package: Package, root: Any, kind: PartKind) -> Iterator[Slot]:
    """The paragraphs of a story; what is deleted, hidden or a field in them apart from what is shown."""
    found: dict[tuple[Any, PartKind], Slot] = {}
    shown: dict[Any, list[bool]] = {}
    for element in root.iter(*TEXTS, *MARKS):
        paragraph, inside, repeated = _where(element, kind)
        if repeated or paragraph is None or element.getparent().tag in (w("tabs"),):
            continue
        own = _own_kind(package, element, paragraph, inside)
        inserted = own is PartKind.INSERTED
        if inserted:
            own = _paragraph_kind(package, paragraph, inside)
        slot = found.setdefault((paragraph, own), Slot(own))
        run: Run = WordMark(element) if element.tag in MARKS else WordText(element)
        slot.runs.append(run)
        if own not in (PartKind.DELETED, PartKind.HIDDEN) and element.tag not in MARKS:
            shown.setdefault(paragraph, []).append(inserted)
    for (paragraph, own), slot in found.items():
        if own not in (PartKind.DELETED, PartKind.HIDDEN, PartKind.COMMENT) and all(
            shown.get(paragraph, [False])
        ):
            slot.kind = PartKind.INSERTED
    yield from found.values()


def _where(element: Any, kind: PartKind) -> tuple[Any, PartKind, bool]:
    """The paragraph that holds an element, the kind of its surroundings, and whether it only repeats a text box."""
    paragraph, inside = None, kind
    for above in element.iterancestors():
        tag = above.tag
        if tag == w("p") and paragraph is None:
            paragraph = above
        elif tag == w("txbxContent") and inside is kind:
            inside = PartKind.TEXT_BOX
        elif tag == w("tc") and inside is kind is PartKind.BODY:
            inside = PartKind.CELL
        elif tag == FALLBACK and _repeats(above):
            return paragraph, inside, True
    return paragraph, inside, False


def _repeats(fallback: Any) -> bool:
    """Whether the copy of a drawing for old programs says nothing that the drawing does not say."""
    choice = fallback.getprevious()
    return choice is not None and _words(choice) == _words(fallback)


def _words(element: Any) -> str:
    return "".join(each.text or "" for each in element.iter(w("t"), w("delText"), w("instrText")))


def _own_kind(package: Package, element: Any, paragraph: Any, inside: PartKind) -> PartKind:
    if element.tag in (w("delText"), w("delInstrText")):
        return PartKind.DELETED
    for above in element.iterancestors():
        if above is paragraph:
            break
        if above.tag in (w("del"), w("moveFrom")):
            return PartKind.DELETED
        if above.tag in (w("ins"), w("moveTo")):
            return PartKind.INSERTED
        if above.tag == w("r") and is_hidden(package, above):
            return PartKind.HIDDEN
    if element.tag in FIELD:
        return PartKind.HIDDEN
    return _paragraph_kind(package, paragraph, inside)


def _paragraph_kind(package: Package, paragraph: Any, inside: PartKind) -> PartKind:
    style = paragraph.find(f"{w('pPr')}/{w('pStyle')}")
    if inside is PartKind.BODY and style is not None and style.get(w("val")) in package.heading_styles:
        return PartKind.HEADING
    return inside


def is_hidden(package: Package, run: Any) -> bool:
    """Whether a run is formatted so that no program shows or prints it."""
    properties = run.find(w("rPr"))
    if properties is None:
        return False
    own = properties.find(w("vanish"))
    if own is not None:
        return _is_on(own)
    style = properties.find(w("rStyle"))
    return style is not None and style.get(w("val")) in package.hidden_styles


def _is_on(element: Any) -> bool:
    return element is not None and element.get(w("val"), "true") not in ("0", "false", "off")
