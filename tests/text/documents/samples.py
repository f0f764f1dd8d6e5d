# ruff: noqa: E501
"""A document of every format with a text of one's own in every kind of place, made without the code under test."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from html import escape

from discreet.text.document import PartKind

USUAL = "nothing"
K = PartKind
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
SPACES = (
    f"{W} "
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


class Filled(dict[str, str]):
    """What stands at each place; a usual word where nothing was said."""

    def __missing__(self, place: str) -> str:
        return USUAL


def _p(text: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"


def _split(text: str) -> tuple[str, str, str]:
    third = max(len(text) // 3, 1)
    return text[:third], text[third : 2 * third], text[2 * third :]


DOCX_PLACES: Mapping[str, PartKind] = {
    "body": K.BODY, "split": K.BODY, "heading": K.HEADING, "cell": K.CELL, "inserted": K.INSERTED, "deleted": K.DELETED,
    "moved away": K.DELETED, "hidden": K.HIDDEN, "hidden by style": K.HIDDEN, "text box": K.TEXT_BOX, "VML box": K.TEXT_BOX,
    "fallback": K.TEXT_BOX, "alt text": K.ALT_TEXT, "picture name": K.ALT_TEXT, "table description": K.ALT_TEXT,
    "link text": K.BODY, "link target": K.LINK, "tooltip": K.LINK, "field code": K.HIDDEN, "field result": K.BODY,
    "simple field": K.HIDDEN, "math": K.BODY, "control tag": K.HIDDEN, "control": K.BODY, "bookmark": K.HIDDEN,
    "form field": K.HIDDEN, "author of a change": K.PROPERTY, "xml comment": K.COMMENT, "header": K.HEADER,
    "footer": K.FOOTER, "footnote": K.FOOTNOTE, "endnote": K.ENDNOTE, "comment": K.COMMENT,
    "author of a comment": K.PROPERTY, "title": K.PROPERTY, "company": K.PROPERTY, "custom property": K.PROPERTY,
    "document variable": K.PROPERTY, "style name": K.PROPERTY, "list label": K.BODY, "custom XML": K.PROPERTY,
    "person": K.PROPERTY, "template": K.PROPERTY, "chart": K.PROPERTY,
}  # fmt: skip


def docx(said: Mapping[str, str]) -> bytes:
    f = Filled({place: escape(text) for place, text in said.items()})
    one, two, three = _split(f["split"])
    drawing = (
        '<w:drawing><wp:inline><wp:docPr id="1" name="{name}" descr="{descr}"/><a:graphic><a:graphicData uri="x">{inside}'
        "</a:graphicData></a:graphic></wp:inline></w:drawing>"
    )
    box = "<wps:wsp><wps:txbx><w:txbxContent>{}</w:txbxContent></wps:txbx></wps:wsp>"
    picture = '<pic:pic><pic:blipFill><a:blip r:embed="rId7"/></pic:blipFill></pic:pic>'
    body = [
        f"<!-- {f['xml comment']} -->",
        _p(f["body"]),
        f"<w:p><w:r><w:t>a {one}</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>{two}</w:t></w:r><w:proofErr/><w:r>"
        f'<w:t xml:space="preserve">{three} z</w:t></w:r></w:p>',
        _p(f["heading"], "Heading1"),
        f'<w:tbl><w:tblPr><w:tblDescription w:val="{f["table description"]}"/></w:tblPr><w:tr><w:tc>{_p(f["cell"])}</w:tc>'
        "</w:tr></w:tbl>",
        f'<w:p><w:ins w:author="{f["author of a change"]}"><w:r><w:t>{f["inserted"]}</w:t></w:r></w:ins></w:p>',
        f'<w:p><w:del w:author="x"><w:r><w:delText>{f["deleted"]}</w:delText></w:r></w:del><w:r><w:t>left</w:t></w:r></w:p>',
        f"<w:p><w:moveFrom><w:r><w:t>{f['moved away']}</w:t></w:r></w:moveFrom></w:p>",
        f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>{f['hidden']}</w:t></w:r></w:p>",
        f'<w:p><w:r><w:rPr><w:rStyle w:val="Secret"/></w:rPr><w:t>{f["hidden by style"]}</w:t></w:r></w:p>',
        "<w:p><w:r><mc:AlternateContent><mc:Choice Requires='wps'>"
        + drawing.format(name="n", descr="d", inside=box.format(_p(f["text box"])))
        + f"</mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>{_p(f['fallback'])}</w:txbxContent></v:textbox>"
        "</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>",
        f"<w:p><w:r><w:pict><v:shape alt='s'><v:textbox><w:txbxContent>{_p(f['VML box'])}</w:txbxContent></v:textbox>"
        "</v:shape></w:pict></w:r></w:p>",
        f"<w:p><w:r>{drawing.format(name=f['picture name'], descr=f['alt text'], inside=picture)}</w:r></w:p>",
        f'<w:p><w:hyperlink r:id="rId5" w:tooltip="{f["tooltip"]}"><w:r><w:t>{f["link text"]}</w:t></w:r></w:hyperlink></w:p>',
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK '
        f'"{f["field code"]}"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>'
        f'{f["field result"]}</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>',
        f'<w:p><w:fldSimple w:instr="AUTHOR {f["simple field"]}"><w:r><w:t>shown</w:t></w:r></w:fldSimple></w:p>',
        f"<w:p><m:oMath><m:r><m:t>{f['math']}</m:t></m:r></m:oMath></w:p>",
        f'<w:sdt><w:sdtPr><w:alias w:val="{f["control tag"]}"/></w:sdtPr><w:sdtContent>{_p(f["control"])}</w:sdtContent></w:sdt>',
        f'<w:p><w:bookmarkStart w:id="1" w:name="{f["bookmark"]}"/><w:bookmarkEnd w:id="1"/><w:r><w:t>b</w:t></w:r></w:p>',
        f'<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:default w:val="{f["form field"]}"/></w:ffData></w:fldChar>'
        '</w:r><w:r><w:footnoteReference w:id="2"/><w:endnoteReference w:id="2"/></w:r>'
        '<w:commentRangeStart w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>',
        '<w:sectPr><w:headerReference w:type="default" r:id="rId1"/><w:footerReference w:type="default" r:id="rId2"/></w:sectPr>',
    ]
    external = "TargetMode='External'"
    relations = [
        f"<Relationship Id='rId{number}' Type='{REL}/{kind}' Target='{target}' {mode}/>"
        for number, kind, target, mode in (
            (1, "header", "header1.xml", ""),
            (2, "footer", "footer1.xml", ""),
            (3, "footnotes", "footnotes.xml", ""),
            (4, "endnotes", "endnotes.xml", ""),
            (5, "hyperlink", f"http://example.org/{f['link target']}", external),
            (6, "comments", "comments.xml", ""),
            (7, "image", "media/image1.png", ""),
            (8, "styles", "styles.xml", ""),
            (9, "numbering", "numbering.xml", ""),
            (10, "settings", "settings.xml", ""),
        )
    ]
    note = "<w:{0}s " + SPACES + '><w:{0} w:id="2">{1}</w:{0}></w:{0}s>'
    rels = "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>{}</Relationships>"
    return _zip(
        {
            "[Content_Types].xml": "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'/>",
            "_rels/.rels": rels.format(""),
            "word/document.xml": f"<w:document {SPACES}><w:body>{''.join(body)}</w:body></w:document>",
            "word/_rels/document.xml.rels": rels.format("".join(relations)),
            "word/header1.xml": f"<w:hdr {SPACES}>{_p(f['header'])}</w:hdr>",
            "word/footer1.xml": f"<w:ftr {SPACES}>{_p(f['footer'])}</w:ftr>",
            "word/footnotes.xml": note.format("footnote", _p(f["footnote"])),
            "word/endnotes.xml": note.format("endnote", _p(f["endnote"])),
            "word/comments.xml": f'<w:comments {SPACES}><w:comment w:id="0" w:author="{f["author of a comment"]}">'
            f"{_p(f['comment'])}</w:comment></w:comments>",
            "word/styles.xml": f'<w:styles {SPACES}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/>'
            '</w:style><w:style w:type="character" w:customStyle="1" w:styleId="Secret"><w:name w:val="'
            f'{f["style name"]}"/><w:rPr><w:vanish/></w:rPr></w:style></w:styles>',
            "word/numbering.xml": f'<w:numbering {SPACES}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:lvlText '
            f'w:val="{f["list label"]} %1"/></w:lvl></w:abstractNum></w:numbering>',
            "word/settings.xml": f'<w:settings {SPACES}><w:evenAndOddHeaders/><w:docVars><w:docVar w:name="x" w:val="'
            f'{f["document variable"]}"/></w:docVars></w:settings>',
            "word/_rels/settings.xml.rels": rels.format(
                f"<Relationship Id='rId1' Type='{REL}/attachedTemplate' Target='file:///{f['template']}' {external}/>"
            ),
            "word/people.xml": f'<w15:people xmlns:w15="urn:x"><w15:person w15:author="{f["person"]}"/></w15:people>',
            "word/charts/chart1.xml": f'<c:chart xmlns:c="urn:c"><c:v>{f["chart"]}</c:v></c:chart>',
            "word/media/image1.png": "\x89PNG not a picture",
            "word/embeddings/object1.bin": "\x00\x01",
            "customXml/item1.xml": f"<data>{f['custom XML']}</data>",
            "docProps/core.xml": f"<core xmlns:dc='urn:dc'><dc:title>{f['title']}</dc:title></core>",
            "docProps/app.xml": f"<app><Company>{f['company']}</Company></app>",
            "docProps/custom.xml": f"<custom><property name='x'><value>{f['custom property']}</value></property></custom>",
        }
    )


def _zip(parts: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content.encode("latin-1" if name.endswith((".png", ".bin")) else "utf-8"))
    return out.getvalue()


ODT_SPACES = " ".join(
    f'xmlns:{name}="{space}"'
    for name, space in {
        **{
            short: f"urn:oasis:names:tc:opendocument:xmlns:{long}:1.0"
            for short, long in (
                ("office", "office"),
                ("text", "text"),
                ("table", "table"),
                ("draw", "drawing"),
                ("style", "style"),
                ("svg", "svg-compatible"),
                ("meta", "meta"),
            )
        },
        "xlink": "http://www.w3.org/1999/xlink",
        "dc": "http://purl.org/dc/elements/1.1/",
    }.items()
)
ODT_PLACES: Mapping[str, PartKind] = {
    "body": K.BODY, "split": K.BODY, "heading": K.HEADING, "cell": K.CELL, "footnote": K.FOOTNOTE, "endnote": K.ENDNOTE,
    "comment": K.COMMENT, "author of a comment": K.PROPERTY, "deleted": K.DELETED, "author of a change": K.PROPERTY,
    "text box": K.TEXT_BOX, "alt text": K.ALT_TEXT, "link target": K.LINK, "link text": K.BODY, "hidden": K.HIDDEN,
    "hidden field": K.HIDDEN, "hidden section": K.HIDDEN, "field": K.BODY, "bookmark": K.HIDDEN, "frame name": K.HIDDEN,
    "table name": K.HIDDEN, "style name": K.HIDDEN, "header": K.HEADER, "footer": K.FOOTER, "title": K.PROPERTY,
    "user-defined": K.PROPERTY, "xml comment": K.COMMENT, "embedded": K.PROPERTY,
}  # fmt: skip


def odt(said: Mapping[str, str]) -> bytes:
    f = Filled({place: escape(text) for place, text in said.items()})
    one, two, three = _split(f["split"])
    content = f"""<office:document-content {ODT_SPACES}><office:automatic-styles>
<style:style style:name="T9" style:family="text"><style:text-properties text:display="none"/></style:style>
<style:style style:name="{f["style name"]}" style:display-name="{f["style name"]}" style:family="text"/></office:automatic-styles>
<office:body><office:text><!-- {f["xml comment"]} --><text:tracked-changes><text:changed-region text:id="c1"><text:deletion>
<office:change-info><dc:creator>{f["author of a change"]}</dc:creator></office:change-info><text:p>{f["deleted"]}</text:p>
</text:deletion></text:changed-region></text:tracked-changes>
<text:p text:style-name="Standard">{f["body"]}<text:change text:change-id="c1"/></text:p>
<text:p>a {one}<text:span text:style-name="{f["style name"]}">{two}</text:span>{three} z<text:s text:c="3"/>y<text:tab/>x</text:p>
<text:h text:outline-level="1">{f["heading"]}</text:h>
<table:table table:name="{f["table name"]}"><table:table-row><table:table-cell><text:p>{f["cell"]}</text:p></table:table-cell>
</table:table-row></table:table>
<text:p>n<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>{f["footnote"]}
</text:p></text:note-body></text:note><text:note text:note-class="endnote"><text:note-citation>i</text:note-citation>
<text:note-body><text:p>{f["endnote"]}</text:p></text:note-body></text:note>m</text:p>
<text:p>c<office:annotation><dc:creator>{f["author of a comment"]}</dc:creator><text:p>{f["comment"]}</text:p>
</office:annotation></text:p>
<text:p><draw:frame draw:name="{f["frame name"]}"><draw:text-box><text:p>{f["text box"]}</text:p></draw:text-box></draw:frame></text:p>
<text:p><draw:frame><draw:image xlink:href="Pictures/1.png"/><svg:desc>{f["alt text"]}</svg:desc></draw:frame></text:p>
<text:p><text:a xlink:href="http://example.org/{f["link target"]}">{f["link text"]}</text:a></text:p>
<text:p>v<text:span text:style-name="T9">{f["hidden"]}</text:span>w</text:p>
<text:p><text:hidden-text text:condition="x" text:string-value="{f["hidden field"]}">q</text:hidden-text></text:p>
<text:section text:name="s" text:display="none"><text:p>{f["hidden section"]}</text:p></text:section>
<text:p><text:author-name>{f["field"]}</text:author-name><text:bookmark text:name="{f["bookmark"]}"/></text:p>
</office:text></office:body></office:document-content>"""
    styles = f"""<office:document-styles {ODT_SPACES}><office:master-styles><style:master-page style:name="Standard">
<style:header><text:p>{f["header"]}</text:p></style:header><style:footer><text:p>{f["footer"]}</text:p></style:footer>
</style:master-page></office:master-styles></office:document-styles>"""
    meta = f"""<office:document-meta {ODT_SPACES}><office:meta><dc:title>{f["title"]}</dc:title>
<meta:user-defined meta:name="x">{f["user-defined"]}</meta:user-defined></office:meta></office:document-meta>"""
    return _zip(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": content,
            "styles.xml": styles,
            "meta.xml": meta,
            "Object 1/content.xml": f"<math>{f['embedded']}</math>",
            "Pictures/1.png": "\x89PNG not a picture",
            "META-INF/manifest.xml": "<manifest/>",
        }
    )


HTML_PLACES: Mapping[str, PartKind] = {
    "title": K.HEADING, "meta": K.PROPERTY, "heading": K.HEADING, "body": K.BODY, "split": K.BODY, "cell": K.CELL,
    "alt text": K.ALT_TEXT, "tooltip": K.ALT_TEXT, "aria": K.ALT_TEXT, "link target": K.LINK, "link text": K.BODY,
    "comment": K.COMMENT, "comment before": K.COMMENT, "hidden": K.HIDDEN, "hidden by style": K.HIDDEN, "data": K.HIDDEN,
    "form value": K.HIDDEN, "picture": K.LINK, "no script": K.BODY, "svg": K.TEXT_BOX, "template": K.HIDDEN,
    "option": K.BODY,
}  # fmt: skip


def html(said: Mapping[str, str]) -> bytes:
    f = Filled({place: escape(text) for place, text in said.items()})
    one, two, three = _split(f["split"])
    return f"""<!-- {f["comment before"]} --><!DOCTYPE html><html lang="en"><head><title>{f["title"]}</title>
<meta name="author" content="{f["meta"]}"><style>p {{ color: red }}</style><script>var a = 1;</script></head>
<body onload="go()"><h1>{f["heading"]}</h1><p class="x" data-who="{f["data"]}">{f["body"]}</p><!-- {f["comment"]} -->
<p>a {one}<b>{two}</b><i>{three}</i> z</p><table><tr><td>{f["cell"]}</td></tr></table>
<img src="{f["picture"]}.png" alt="{f["alt text"]}"><span title="{f["tooltip"]}" aria-label="{f["aria"]}">t</span>
<a href="http://example.org/{f["link target"]}">{f["link text"]}</a><p hidden>{f["hidden"]}</p>
<div style="display: none">{f["hidden by style"]}</div><input type="hidden" value="{f["form value"]}">
<noscript>{f["no script"]}</noscript><svg><text>{f["svg"]}</text></svg><template><p>{f["template"]}</p></template>
<select><option>{f["option"]}</option></select></body></html>""".encode()


MARKDOWN_PLACES: Mapping[str, PartKind] = {
    "front matter": K.PROPERTY, "heading": K.HEADING, "body": K.BODY, "split": K.BODY, "link text": K.BODY,
    "link target": K.LINK, "alt text": K.ALT_TEXT, "picture": K.LINK, "comment": K.COMMENT, "reference": K.LINK,
    "automatic link": K.LINK, "code": K.BODY, "tag": K.HIDDEN, "item": K.BODY,
}  # fmt: skip


def markdown(said: Mapping[str, str]) -> bytes:
    f = Filled(said)
    one, two, three = _split(f["split"])
    return f"""---
author: {f["front matter"]}
---
# The {f["heading"]}

{f["body"]} and a {one}**{two}**{three} z

See [{f["link text"]}](http://example.org/{f["link target"]} "t") and ![{f["alt text"]}]({f["picture"]}.png) or [r].

<!-- {f["comment"]} --> <span title="{f["tag"]}">x</span> <http://example.org/{f["automatic link"]}>

- {f["item"]}

```
{f["code"]}
```

[r]: http://example.org/{f["reference"]}
""".encode()


RTF_PLACES: Mapping[str, PartKind] = {
    "title": K.PROPERTY, "author": K.PROPERTY, "custom property": K.PROPERTY, "header": K.HEADER, "footer": K.FOOTER,
    "body": K.BODY, "split": K.BODY, "cell": K.CELL, "hidden": K.HIDDEN, "deleted": K.DELETED, "footnote": K.FOOTNOTE,
    "endnote": K.ENDNOTE, "comment": K.COMMENT, "author of a comment": K.PROPERTY, "field code": K.LINK,
    "field result": K.BODY, "text box": K.TEXT_BOX, "alt text": K.ALT_TEXT, "bookmark": K.HIDDEN, "unknown group": K.HIDDEN,
}  # fmt: skip


def _rtf(text: str) -> str:
    return "".join(
        f"\\{each}" if each in "\\{}" else each if " " <= each < "\x7f" else f"\\u{ord(each)}?"
        for each in text
    )


def rtf(said: Mapping[str, str]) -> bytes:
    f = Filled({place: _rtf(text) for place, text in said.items()})
    one, two, three = _split(said.get("split", USUAL))
    split = f"{_rtf(one)}{{\\b {_rtf(two)}}}\\i {_rtf(three)}\\i0 "
    return f"""{{\\rtf1\\ansi\\ansicpg1252\\deff0{{\\fonttbl{{\\f0\\froman Times;}}}}{{\\colortbl;\\red0;}}
{{\\info{{\\title {f["title"]}}}{{\\author {f["author"]}}}{{\\creatim\\yr2020}}}}
{{\\*\\userprops{{\\propname p}}{{\\staticval {f["custom property"]}}}}}{{\\*\\mystery {f["unknown group"]}}}
{{\\header {f["header"]}\\par}}{{\\footer {f["footer"]}\\par}}
\\pard {f["body"]}\\par a {split} z\\par \\intbl {f["cell"]}\\cell\\row
before {{\\v {f["hidden"]}}}between {{\\deleted {f["deleted"]}}}after{{\\super 1{{\\footnote {f["footnote"]}}}}}
{{\\footnote\\ftnalt {f["endnote"]}}}{{\\*\\atnauthor {f["author of a comment"]}}}{{\\*\\annotation {f["comment"]}}}\\par
{{\\field{{\\*\\fldinst HYPERLINK "{f["field code"]}"}}{{\\fldrslt {f["field result"]}}}}}{{\\*\\bkmkstart {f["bookmark"]}}}\\par
{{\\shp{{\\*\\shpinst{{\\sp{{\\sn wzDescription}}{{\\sv {f["alt text"]}}}}}{{\\shptxt {f["text box"]}\\par}}}}}}
{{\\pict\\pngblip 89504e47}}\\par}}""".encode("ascii")


MAIL_PLACES: Mapping[str, PartKind] = {
    "from": K.FIELD, "to": K.FIELD, "subject": K.FIELD, "other field": K.PROPERTY, "text": K.BODY, "page": K.BODY,
    "page comment": K.COMMENT, "attached text": K.BODY, "attached document": K.BODY, "name of an attachment": K.PROPERTY,
    "inner subject": K.FIELD, "inner text": K.BODY, "preamble": K.HIDDEN,
}  # fmt: skip


def mail(said: Mapping[str, str]) -> bytes:
    from email.message import EmailMessage

    f = Filled(said)
    inner = EmailMessage()
    inner["From"], inner["Subject"] = "x@example.org", f["inner subject"]
    inner.set_content(f["inner text"])
    message = EmailMessage()
    message["From"], message["To"] = "a@example.org", "b@example.org"
    message.replace_header("From", f'"{f["from"]}" <a@example.org>')
    message.replace_header("To", f'"{f["to"]}" <b@example.org>')
    message["Subject"], message["X-Mailer"] = f["subject"], f["other field"]
    message.set_content(f["text"])
    message.add_alternative(f"<p>{escape(f['page'])}</p><!-- {escape(f['page comment'])} -->", subtype="html")
    message.add_attachment(f["attached text"], filename="note.txt")
    message.add_attachment(
        docx({"body": f["attached document"]}),
        maintype="application",
        subtype="octet-stream",
        filename=f"{f['name of an attachment']}.docx",
    )
    message.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="p.png")
    message.add_attachment(b"\x00\x01", maintype="application", subtype="octet-stream", filename="data.xlsx")
    message.add_attachment(inner)
    message.preamble = f["preamble"].encode().decode("ascii", "surrogateescape")
    return message.as_bytes()


PDF_PLACES: Mapping[str, PartKind] = {
    "first page": K.BODY, "second page": K.BODY, "title": K.PROPERTY, "author": K.PROPERTY, "note": K.COMMENT,
    "link target": K.LINK, "bookmark": K.PROPERTY, "form value": K.BODY, "attached file": K.PROPERTY,
}  # fmt: skip


def pdf(said: Mapping[str, str]) -> bytes:
    import pypdf
    from pypdf.annotations import Text
    from reportlab.pdfgen.canvas import Canvas

    f = Filled(said)
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.setTitle(f["title"])
    canvas.setAuthor(f["author"])
    canvas.drawString(72, 700, f"The {f['first page']} is here.")
    canvas.linkURL(f"http://example.org/{f['link target']}", (72, 690, 200, 710))
    canvas.bookmarkPage("one")
    canvas.addOutlineEntry(f["bookmark"], "one")
    canvas.acroForm.textfield(name="field", value=f["form value"], x=72, y=500)
    canvas.showPage()
    canvas.drawString(72, 700, f["second page"])
    canvas.showPage()
    canvas.save()
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(out.getvalue()))
    writer.add_annotation(0, Text(rect=(50, 550, 200, 650), text=f["note"]))
    writer.add_attachment(f"{f['attached file']}.txt", b"inside")
    done = io.BytesIO()
    writer.write(done)
    return done.getvalue()


def plain(said: Mapping[str, str]) -> bytes:
    return f"Dear {Filled(said)['body']}, hello.\n".encode()


Make = Callable[[Mapping[str, str]], bytes]
SAMPLES: Mapping[str, tuple[Make, Mapping[str, PartKind]]] = {
    ".txt": (plain, {"body": K.BODY}),
    ".md": (markdown, MARKDOWN_PLACES),
    ".html": (html, HTML_PLACES),
    ".docx": (docx, DOCX_PLACES),
    ".odt": (odt, ODT_PLACES),
    ".rtf": (rtf, RTF_PLACES),
    ".eml": (mail, MAIL_PLACES),
    ".pdf": (pdf, PDF_PLACES),
}
PLACES = [(ending, place) for ending, (_, places) in SAMPLES.items() for place in places]
