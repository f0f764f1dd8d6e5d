"""The package of an ODT as it is written: content and styles, and nothing else but pictures that are kept."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from typing import Any

from discreet.text.document import PartKind
from discreet.text.documents.odt import MIME, READ, SETS, SPACES, Odt, q
from discreet.text.documents.opened import Keep
from discreet.text.documents.package import archive
from discreet.text.documents.xml_parts import drop, to_xml, unwrap

GONE = tuple(
    q(name)
    for name in [
        "text:tracked-changes", "text:change", "text:change-start", "text:change-end", "text:bookmark",
        "text:bookmark-start", "text:bookmark-end", "text:reference-mark", "text:reference-mark-start",
        "text:reference-mark-end", "office:forms", "office:scripts", "text:variable-decls", "text:user-field-decls",
        "text:sequence-decls", "text:dde-connection-decls", "text:alphabetical-index-auto-mark-file",
        "text:alphabetical-index-mark", "text:alphabetical-index-mark-start",
        "text:alphabetical-index-mark-end", "text:toc-mark", "text:toc-mark-start", "text:toc-mark-end",
        "text:user-index-mark", "text:user-index-mark-start", "text:user-index-mark-end", "text:script",
        "draw:object", "draw:object-ole", "draw:applet", "draw:plugin", "draw:floating-frame",
        "draw:control", "office:event-listeners", "text:section-source", "office:dde-source",
        "text:hidden-text", "text:hidden-paragraph", "text:index-entry-template",
    ]
)  # fmt: skip
ANNOTATIONS = (q("office:annotation"), q("office:annotation-end"))
FIELDS = re.compile(
    r"\}(?:author-name|author-initials|sender-.*|initial-creator|creator|editing-.*|creation-.*|modification-.*|"
    r"print(?:ed)?-.*|user-defined|description|title|subject|keywords|database-.*|placeholder|conditional-text|"
    r"variable-.*|user-field-.*|expression|text-input|drop-down|file-name|template-name|chapter|reference-ref|"
    r"bookmark-ref|note-ref|sequence-ref|sequence|dde-connection|execute-macro|measure|table-formula|meta|"
    r"meta-field|date|time|bibliography-mark)$"
)
NAMED = re.compile(
    r"(?:Standard|Text_20_body|Heading(?:_20_\d+)?|Title|Subtitle|List(?:_20_\d+)?|Caption|Index|Header|Footer|"
    r"Footnote|Endnote|Footnote_20_\w+|Endnote_20_\w+|Table_20_(?:Contents|Heading)|Frame(?:_20_contents)?|Graphics|"
    r"Internet_20_link|Numbering_20_Symbols|Bullet_20_Symbols|Quotations|Preformatted_20_Text|Default|"
    r"[A-Z][a-z]{0,2}\d+|Mpm\d+|fr\d+)"
)
MADE = (q("style:style"), q("style:master-page"), q("text:list-style"), q("style:page-layout"))
STYLE_LINK = re.compile(r"\}(?:style-name|parent-style-name|next-style-name|list-style-name|master-page-name|"
    r"page-layout-name|class-names|cond-style-name|apply-style-name|default-style-name|citation-style-name|"
    r"citation-body-style-name|visited-style-name)$")  # fmt: skip
NUMBERED = frozenset(q(name) for name in ("table:name", "draw:name", "text:name"))
NAMES_THINGS = (q("table:table"), q("text:section"), q("draw:frame"), q("text:table-of-content"))
UNSEEN = re.compile(r"\}(?:rsid|paragraph-rsid|id|changed-region|change-id)$")


def written(odt: Odt, keep: Keep) -> bytes:
    """The bytes of the document with its new text, without whatever the steward does not keep."""
    renamed = _renamed(odt)
    pictures: dict[str, str] = {}
    out: dict[str, bytes] = {"mimetype": MIME.encode()}
    for name in READ:
        if name in odt.trees:
            root = odt.trees[name]
            _clean(odt, root, keep)
            _pictures(odt, root, keep, pictures)
            _attributes(root, renamed)
            out[name] = to_xml(root)
    for original, new in pictures.items():
        out[new] = odt.raw[original]
    out["META-INF/manifest.xml"] = _manifest(out)
    return archive(out, stored=("mimetype",))


def _clean(odt: Odt, root: Any, keep: Keep) -> None:
    """The text as everybody sees it: changes accepted, fields as they show, no hidden text, no annotations."""
    for each in list(root.iter()):
        if (
            not isinstance(each.tag, str)
            or (each is not root and odt.is_hidden(each) and PartKind.HIDDEN not in keep.kinds)
            or (PartKind.COMMENT not in keep.kinds and each.tag in ANNOTATIONS)
        ):
            drop(each)
    for each in list(root.iter(*GONE)):
        drop(each)
    for each in list(root.iter()):
        if each is not root and each.tag.startswith(f"{{{SPACES['text']}}}") and FIELDS.search(each.tag):
            unwrap(each)
    for annotation in root.iter(q("office:annotation")):
        for each in list(annotation):
            if each.tag in (q("dc:creator"), q("dc:date")) or each.tag.endswith("creator-initials"):
                drop(each)


def _pictures(odt: Odt, root: Any, keep: Keep, pictures: dict[str, str]) -> None:
    for image in list(root.iter(q("draw:image"), q("style:background-image"))):
        place = posixpath.normpath(image.get(q("xlink:href"), ""))
        if keep.pictures and place in odt.raw:
            ending = posixpath.splitext(place)[1].lower()
            image.set(
                q("xlink:href"), pictures.setdefault(place, f"Pictures/picture{len(pictures) + 1}{ending}")
            )
        else:
            drop(image)
    shown = (q("draw:image"), q("draw:text-box"))
    for frame in list(root.iter(q("draw:frame"))):
        if next(frame.iter(*shown), None) is None:
            drop(frame)
    if not keep.pictures:
        for image in list(root.iter(q("draw:fill-image"))):
            drop(image)


def _renamed(odt: Odt) -> dict[str, str]:
    """New names for styles that somebody made, because their names can name people."""
    found: dict[str, str] = {}
    for name in READ:
        for style in () if name not in odt.trees else odt.trees[name].iter(*MADE):
            own = style.get(q("style:name"), "")
            if not NAMED.fullmatch(own):
                found.setdefault(own, f"Custom{len(found) + 1}")
    return found


def _attributes(root: Any, renamed: dict[str, str]) -> None:
    """Names given by somebody are numbers or gone; styles have their new names."""
    number = 0
    for element in root.iter():
        if element.tag in MADE and element.get(q("style:name")) in renamed:
            element.set(q("style:name"), renamed[element.get(q("style:name"))])
        for name, value in dict(element.attrib).items():
            if STYLE_LINK.search(name):
                element.set(name, " ".join(renamed.get(each, each) for each in value.split(" ")))
            elif name in NUMBERED and element.tag in NAMES_THINGS:
                number += 1
                element.set(name, f"name{number}")
            elif name in SETS or UNSEEN.search(name):
                del element.attrib[name]


def _manifest(parts: Iterable[str]) -> bytes:
    kinds = {
        ".xml": "text/xml",
        ".png": "image/png",
        ".jpg": "image/jpeg",
        ".jpeg": "image/jpeg",
        ".svg": "image/svg+xml",
    }
    lines = [f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{MIME}"/>']
    for name in parts:
        if name != "mimetype":
            kind = kinds.get(posixpath.splitext(name)[1], "")
            lines.append(f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type="{kind}"/>')
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<manifest:manifest xmlns:manifest="{SPACES["manifest"]}" manifest:version="1.2">{"".join(lines)}'
        "</manifest:manifest>"
    ).encode()
