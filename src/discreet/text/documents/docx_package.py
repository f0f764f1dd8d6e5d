"""The package of a DOCX as it is written: stories, styles, numbering, and nothing that is not known to be needed."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from typing import Any

from discreet.text.document import PartKind
from discreet.text.documents.docx import (
    FALLBACK,
    R_SPACE,
    RELATIONS,
    SETTING,
    TEXTS,
    Package,
    is_hidden,
    story_of,
    w,
)
from discreet.text.documents.opened import Keep
from discreet.text.documents.package import archive
from discreet.text.documents.xml_parts import drop, to_xml, unwrap

GONE = tuple(
    w(name)
    for name in [
        "del", "moveFrom", "moveFromRangeStart", "moveFromRangeEnd", "moveToRangeStart", "moveToRangeEnd",
        "rPrChange", "pPrChange", "tblPrChange", "trPrChange", "tcPrChange", "sectPrChange",
        "tblGridChange", "tblPrExChange", "numberingChange", "cellIns", "cellDel", "cellMerge",
        "bookmarkStart", "bookmarkEnd", "permStart", "permEnd", "proofErr", "object", "control", "altChunk",
        "subDoc", "instrText", "delInstrText", "delText", "fldChar", "ffData", "sdtPr", "sdtEndPr",
        "smartTagPr", "customXmlPr", "customXmlInsRangeStart", "customXmlInsRangeEnd",
        "customXmlDelRangeStart", "customXmlDelRangeEnd", "movie", "dataBinding",
        "lastRenderedPageBreak", "webHidden", "annotationRef", "divId",
    ]
)  # fmt: skip
WRAPS = tuple(
    w(name) for name in ["ins", "moveTo", "sdt", "sdtContent", "smartTag", "customXml", "fldSimple"]
)
COMMENTS = tuple(w(name) for name in ("commentRangeStart", "commentRangeEnd", "commentReference"))
DRAWINGS = (w("drawing"), w("pict"))
BOX = w("txbxContent")
CHOICE = FALLBACK.replace("Fallback", "AlternateContent")
BLIP = re.compile(r"\}(?:blip|imagedata|svgBlip|fill)$")
REVISION = re.compile(r"\}rsid|\}(?:paraId|textId|anchorId|editId|date|dateUtc)$")
STYLE_LINKS = tuple(
    w(name)
    for name in ["pStyle", "rStyle", "tblStyle", "basedOn", "next", "link", "styleLink", "numStyleLink"]
)
SETTINGS = frozenset(
    w(name)
    for name in [
        "evenAndOddHeaders", "defaultTabStop", "footnotePr", "endnotePr", "compat", "autoHyphenation",
        "mirrorMargins", "characterSpacingControl", "themeFontLang", "clrSchemeMapping", "decimalSymbol",
        "listSeparator", "zoom",
    ]
)  # fmt: skip
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
CONTENT = "application/vnd.openxmlformats-officedocument"
KINDS = (
    (re.compile(r"word/document\.xml"), "document.main"),
    (re.compile(r"word/header\d*\.xml"), "header"),
    (re.compile(r"word/footer\d*\.xml"), "footer"),
    (re.compile(r"word/(footnotes|endnotes|comments|styles|numbering|settings|fontTable)\d*\.xml"), ""),
)
MEASURES = ("}posOffset", "}align", "}pctWidth", "}pctHeight", "}pctPosHOffset", "}pctPosVOffset")


def written(package: Package, keep: Keep) -> bytes:
    """The bytes of the document with its new text, without whatever the steward does not keep."""
    parts = [name for name in package.raw if _stays(name, keep)]
    renamed = _rename_styles(package)
    pictures: dict[str, str] = {}
    out: dict[str, bytes] = {}
    for name in sorted(parts):
        root = package.trees[name]
        if story_of(name) is not None:
            _clean_story(package, root, keep)
        elif name == "word/settings.xml":
            for each in list(root):
                if each.tag not in SETTINGS:
                    root.remove(each)
        elif name.startswith("word/theme/"):
            _clean_theme(root)
        elif name == "word/fontTable.xml":
            for each in list(root.iter()):
                if isinstance(each.tag, str) and "embed" in each.tag:
                    drop(each)
        _apply_styles(root, renamed)
        _forget(root)
        relations = _relations(package, name, root, parts, keep, pictures)
        out[name] = to_xml(root)
        if relations:
            folder, file = posixpath.split(name)
            out[posixpath.join(folder, "_rels", f"{file}.rels")] = _rels(relations)
    for original, new in pictures.items():
        out[new] = package.raw[original]
    out[RELATIONS] = _rels(
        [f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="word/document.xml"/>']
    )
    first = {"[Content_Types].xml": _content_types(out)}
    return archive({**first, **out})


def _stays(name: str, keep: Keep) -> bool:
    kind = story_of(name)
    if kind is not None:
        return not keep.leaves_out(kind) and (kind is not PartKind.BODY or name == "word/document.xml")
    return SETTING.fullmatch(name) is not None


def _clean_story(package: Package, root: Any, keep: Keep) -> None:
    """The story as everybody sees it: changes accepted, fields as they show, no hidden text, no pictures."""
    comments = PartKind.COMMENT in keep.kinds
    for each in list(root.iter()):
        if not isinstance(each.tag, str):
            drop(each)
    if PartKind.HIDDEN not in keep.kinds:
        for run in [each for each in root.iter(w("r")) if is_hidden(package, each)]:
            drop(run)
    _merge_deleted_paragraphs(root)
    _drop_all(root, FALLBACK)
    _drop_all(root, *GONE, *(() if comments else COMMENTS))
    for each in list(root.iter(CHOICE)):
        unwrap(each)
    for each in list(root.iter(CHOICE.replace("AlternateContent", "Choice"))):
        unwrap(each)
    for each in list(root.iter(*WRAPS)):
        unwrap(each)
    for each in list(root.iter(*DRAWINGS)):
        if each.getparent() is not None and not keep.pictures:
            _drop_pictures(each)
    for each in list(root.iter(w("hyperlink"))):
        if each.get(w("anchor")) and not each.get(f"{{{R_SPACE}}}id"):
            unwrap(each)
    _no_names(root)


def _drop_all(root: Any, *tags: str) -> None:
    for each in list(root.iter(*tags)):
        drop(each)


def _merge_deleted_paragraphs(root: Any) -> None:
    """A paragraph whose end is deleted and that shows nothing is gone once the change is accepted."""
    for paragraph in list(root.iter(w("p"))):
        mark = paragraph.find(f"{w('pPr')}/{w('rPr')}/{w('del')}")
        gone = {id(each) for cut in paragraph.iter(w("del"), w("moveFrom")) for each in cut.iter()}
        shown = any(id(each) not in gone for each in paragraph.iter(w("r")))
        if mark is not None and not shown and paragraph.getparent().tag != w("tc"):
            drop(paragraph)


def _drop_pictures(drawing: Any) -> None:
    """A drawing without its pictures; one that holds no text box is gone."""
    if next(drawing.iter(BOX), None) is None:
        drop(drawing)
        return
    for each in list(drawing.iter()):
        if isinstance(each.tag, str) and BLIP.search(each.tag):
            drop(each)


def _no_names(root: Any) -> None:
    """Drawings and comments without names of files, people and programs; descriptions stay."""
    for number, each in enumerate(root.iter(), start=1):
        if each.tag.startswith(w("")):
            for name in (w("author"), w("initials")):
                if each.get(name) is not None:
                    each.set(name, "")
            continue
        for name in ("name", "id") if each.tag.endswith(("docPr", "cNvPr")) else ("href", "gfxdata"):
            if each.get(name) is not None:
                each.set(name, str(number) if name == "id" else "")
        if "o:gfxdata" in each.attrib:
            del each.attrib["o:gfxdata"]


def _forget(root: Any) -> None:
    """Takes out comments, text where none belongs, and numbers and times by which programs tell who worked when."""
    for each in list(root.iter()):
        if not isinstance(each.tag, str):
            drop(each)
            continue
        each.tail = None
        if each.tag not in TEXTS and not each.tag.endswith(MEASURES):
            each.text = None
        for name in [name for name in each.attrib if REVISION.search(name)]:
            del each.attrib[name]


def _clean_theme(root: Any) -> None:
    for each in root.iter():
        if isinstance(each.tag, str) and each.get("name") is not None:
            each.set("name", "theme")
    for each in list(root.iter()):
        if not isinstance(each.tag, str) or BLIP.search(each.tag) or each.tag.endswith("}extLst"):
            drop(each)


def _rename_styles(package: Package) -> dict[str, str]:
    """The new identifiers of styles that somebody made, because their names can name people."""
    root = package.trees.get("word/styles.xml")
    renamed: dict[str, str] = {}
    for each in () if root is None else root.findall(w("style")):
        for other in each.findall(w("aliases")):
            each.remove(other)
        if each.get(w("customStyle")) in ("1", "true", "on"):
            name = f"Custom{len(renamed) + 1}"
            renamed[each.get(w("styleId"), "")] = name
            each.set(w("styleId"), name)
            shown = each.find(w("name"))
            if shown is not None:
                shown.set(w("val"), name)
    return renamed


def _apply_styles(root: Any, renamed: dict[str, str]) -> None:
    for each in root.iter(*STYLE_LINKS):
        if each.get(w("val")) in renamed:
            each.set(w("val"), renamed[each.get(w("val"))])


def _relations(
    package: Package, name: str, root: Any, parts: list[str], keep: Keep, pictures: dict[str, str]
) -> list[str]:
    """What a part still refers to. References to what is not written are taken out of the part."""
    tree = package.relations(name)
    kept: list[str] = []
    known: set[str] = set()
    for each in () if tree is None else tree:
        kind, target = each.get("Type", ""), each.get("Target", "")
        place = posixpath.normpath(posixpath.join(posixpath.dirname(name), target)).lstrip("/")
        external = each.get("TargetMode") == "External"
        if not external and keep.pictures and kind.endswith("/image") and place in package.raw:
            ending = posixpath.splitext(place)[1].lower()
            new = pictures.setdefault(place, f"word/media/picture{len(pictures) + 1}{ending}")
            target = posixpath.relpath(new, posixpath.dirname(name))
        elif external != kind.endswith("/hyperlink") or (not external and place not in parts):
            continue
        known.add(each.get("Id", ""))
        kept.append(_relation(each.get("Id", ""), kind, target, external))
    for element in root.iter():
        for attribute in [each for each in element.attrib if each.startswith(f"{{{R_SPACE}}}")]:
            if element.get(attribute) not in known:
                del element.attrib[attribute]
    _without_dead_references(root)
    return kept


def _without_dead_references(root: Any) -> None:
    for each in list(root.iter(w("headerReference"), w("footerReference"))):
        if each.get(f"{{{R_SPACE}}}id") is None:
            drop(each)
    for each in list(root.iter(w("hyperlink"))):
        if each.get(f"{{{R_SPACE}}}id") is None:
            unwrap(each)


def _relation(name: str, kind: str, target: str, external: bool) -> str:
    mode = ' TargetMode="External"' if external else ""
    return f'<Relationship Id="{_quoted(name)}" Type="{_quoted(kind)}" Target="{_quoted(target)}"{mode}/>'


def _quoted(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _rels(relations: Iterable[str]) -> bytes:
    inside = "".join(relations)
    return (
        f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="{PACKAGE}/relationships">'
        f"{inside}</Relationships>"
    ).encode()


def _content_types(parts: Iterable[str]) -> bytes:
    lines = [
        f'<Default Extension="rels" ContentType="{"application/vnd.openxmlformats-package.relationships+xml"}"/>',
        '<Default Extension="xml" ContentType="application/xml"/>',
    ]
    endings = sorted({posixpath.splitext(each)[1][1:] for each in parts if each.startswith("word/media/")})
    lines += [
        f'<Default Extension="{_quoted(each)}" ContentType="image/{_quoted(each)}"/>' for each in endings
    ]
    for name in parts:
        for pattern, kind in KINDS:
            if found := pattern.fullmatch(name):
                what = kind or found.group(1)
                lines.append(
                    f'<Override PartName="/{name}" ContentType="{CONTENT}.wordprocessingml.{what}+xml"/>'
                )
        if name.startswith("word/theme/"):
            lines.append(f'<Override PartName="/{name}" ContentType="{CONTENT}.theme+xml"/>')
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        f'<Types xmlns="{PACKAGE}/content-types">{"".join(lines)}</Types>'
    ).encode()
