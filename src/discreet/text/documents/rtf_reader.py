"""The groups and control words of RTF, read as pieces of text with their kinds."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from discreet.text.document import PartKind
from discreet.text.documents.opened import Opening
from discreet.text.documents.plain import is_encoding

TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<byte>[0-9A-Fa-f]{2})|\\(?P<sign>[^A-Za-z'])"
    r"|(?P<brace>[{}])|(?P<line>[\r\n\x00]+)|(?P<text>[^\\{}\r\n\x00]+)|(?P<stray>\\)",
    re.S,
)
CHARACTERS = {
    "tab": "\t", "emdash": "\u2014", "endash": "\u2013", "emspace": " ", "enspace": " ", "qmspace": " ",
    "bullet": "\u2022", "lquote": "\u2018", "rquote": "\u2019", "ldblquote": "\u201c", "rdblquote": "\u201d",
    "line": "\n", "lbr": "\n", "softline": "\n",
}  # fmt: skip
SIGNS = {"~": "\u00a0", "_": "-", "-": "\u00ad", "{": "{", "}": "}", "\\": "\\", "\n": None, "\r": None}
ENDS = {"par", "sect", "page", "column", "row", "nestrow", "softpage", "softcol"}
CELL_ENDS = {"cell", "nestcell"}
KINDS = {
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), PartKind.HEADER),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), PartKind.FOOTER),
    **dict.fromkeys(
        [
        "title", "subject", "author", "operator", "manager", "company", "category", "keywords", "comment",
        "doccomm", "hlinkbase", "propname", "staticval", "linkval", "atnauthor", "atnid", "atndate",
        "atntime", "revtbl", "docvar",
    ],
        PartKind.PROPERTY,
    ),
    **dict.fromkeys(
        [
        "bkmkstart", "formfield", "ffname", "ffdeftext", "ffhelptext", "ffstattext", "ffentrymcr",
        "ffexitmcr", "ffl", "xe", "tc", "rxe",
    ],
        PartKind.HIDDEN,
    ),
    "footnote": PartKind.FOOTNOTE,
    "annotation": PartKind.COMMENT,
    "fldinst": PartKind.LINK,
    "shptxt": PartKind.TEXT_BOX,
    "sv": PartKind.ALT_TEXT,
}  # fmt: skip
SKIPPED = frozenset(
    [
        "fonttbl", "colortbl", "stylesheet", "listtable", "listoverridetable", "rsidtbl", "themedata",
        "colorschememapping", "latentstyles", "datastore", "xmlnstbl", "wgrffmtfilter", "blipuid",
        "objdata", "objclass", "datafield", "pnseclvl", "pntxta", "pntxtb", "listtext", "pntext", "filetbl",
        "nonshppict", "bkmkend", "generator", "mmathPr", "panose", "falt", "fontemb", "fontfile", "bliptag",
        "picprop", "defchp", "defpap", "pgptbl", "background", "template",
    ]
)  # fmt: skip
THROUGH = frozenset(
    ["shppict", "shpinst", "shprslt", "ud", "fldrslt", "field", "result", "txe", "do", "dptxbxtext", "pn"]
)
PAGES = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "cp936", 136: "cp950", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250",
}  # fmt: skip
"""The code page of each character set of a font."""
SHAPE_WORDS = ("wz", "gtext", "pihl")


@dataclass(slots=True)
class _State:
    """What holds inside the current group."""

    flow: int
    skipped: bool = False
    hidden: bool = False
    deleted: bool = False
    fallback: int = 1
    page: str = "cp1252"
    starred: bool = False
    fonts: bool = False


class Piece(NamedTuple):
    """A stretch of text, and what it is in its file."""

    kind: PartKind
    text: str


@dataclass(slots=True)
class _Flow:
    """A stream of paragraphs: the main text, a note, a header."""

    kind: PartKind
    shown: list[str] = field(default_factory=list)
    aside: dict[PartKind, list[str]] = field(default_factory=dict)
    cell: bool = False
    names_a_property: bool = False


@dataclass(slots=True)
class RtfReader:
    """What was read so far: pieces, flows that are open, and what holds in each group."""

    opening: Opening
    pieces: list[Piece] = field(default_factory=list)
    unread: Counter[str] = field(default_factory=Counter)
    flows: list[_Flow] = field(default_factory=lambda: [_Flow(PartKind.BODY)])
    stack: list[_State] = field(default_factory=list)
    state: _State = field(default_factory=lambda: _State(0))
    pending: bytearray = field(default_factory=bytearray)
    fonts: dict[int, str] = field(default_factory=dict)
    font: int = 0
    usual_font: int = 0
    skip: int = 0
    shape_word: str = ""
    surrogate: str = ""

    def read(self, source: str) -> list[Piece]:
        place, end = 0, len(source)
        ended = False
        while place < end and not ended:
            token = TOKEN.match(source, place)
            if token is None:
                raise self.opening.broken("it is damaged: it holds what is no RTF")
            place = token.end()
            if token["word"] == "bin":
                place += max(int(token["number"] or 0), 0)
            ended = self._take(token)
        if not ended:
            raise self.opening.broken("it is damaged: it ends within a group")
        self._paragraph(self.flows[0])
        return self.pieces

    def _take(self, token: re.Match[str]) -> bool:
        """Takes one token in; True where it ends the document."""
        kind = token.lastgroup
        if kind == "brace":
            self._flush()
            self.skip = 0
            return self._brace(token["brace"])
        if kind in ("word", "number"):
            self._word(token["word"], None if token["number"] is None else int(token["number"]))
        elif kind == "byte":
            if not self._skips(1):
                self.pending.append(int(token["byte"], 16))
        elif kind == "text":
            text = token["text"]
            text = text[self._skips(len(text)) :]
            if self.state.skipped and not self.state.fonts:
                return False
            self.pending += text.encode("latin-1")
        elif kind == "sign":
            self._sign(token["sign"])
        elif kind == "stray":
            raise self.opening.broken("it is damaged: it ends within a control word")
        return False

    def _skips(self, most: int) -> int:
        """How many of the next characters only stand in for one that was read already."""
        gone = min(self.skip, most)
        self.skip -= gone
        return gone

    def _sign(self, sign: str) -> None:
        self._flush()
        if sign == "*":
            self.state.starred = True
        elif sign in "\r\n":
            self._paragraph(self.flows[self.state.flow])
        else:
            self._add(SIGNS.get(sign) or "")

    def _brace(self, brace: str) -> bool:
        if brace == "{":
            self.stack.append(self.state)
            self.state = replace(self.state, starred=False)
            return False
        if not self.stack:
            raise self.opening.broken("it is damaged: it closes a group that was not opened")
        inner, self.state = self.state, self.stack.pop()
        while len(self.flows) - 1 > self.state.flow:
            self._paragraph(self.flows.pop())
        if inner.fonts and not self.state.fonts:
            self.state.page = self.fonts.get(self.usual_font, self.state.page)
        return not self.stack

    def _word(self, word: str, number: int | None) -> None:
        if word == "u" and number is not None:
            self._flush_bytes()
            self._unicode(number % 65536)
            self.skip = self.state.fallback
            return
        self._flush()
        self.skip = 0
        state = self.state
        if word in CHARACTERS:
            self._add(CHARACTERS[word])
        elif word in ENDS or word in CELL_ENDS:
            flow = self.flows[state.flow]
            if not state.skipped:
                flow.cell = word in CELL_ENDS
                self._paragraph(flow)
        elif word == "v":
            state.hidden = number != 0
        elif word in ("deleted", "plain"):
            state.deleted = word == "deleted" and number != 0
            state.hidden = state.hidden and word != "plain"
        elif word == "uc":
            state.fallback = max(number or 0, 0)
        elif word in ("f", "fcharset", "deff", "ansicpg", "mac", "pc", "pca"):
            self._font(word, number or 0)
        else:
            self._destination(word)

    def _font(self, word: str, number: int) -> None:
        if word == "f" and self.state.fonts:
            self.font = number
        elif word == "f":
            self.state.page = self.fonts.get(number, self.state.page)
        elif word == "fcharset":
            self.fonts.update({self.font: PAGES[number]} if number in PAGES else {})
        elif word == "deff":
            self.usual_font = number
        elif word == "ansicpg":
            self.state.page = _code_page(number)
        else:
            self.state.page = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}[word]

    def _destination(self, word: str) -> None:
        state = self.state
        if word in ("pict", "object"):
            self.unread["pictures" if word == "pict" else "embedded objects"] += not state.skipped
        if word == "fonttbl":
            state.fonts = True
        if word == "sn":
            self._open(PartKind.HIDDEN)
            self.flows[-1].names_a_property = True
        elif word in SKIPPED or word == "pict":
            state.skipped = True
        elif word in KINDS:
            state.skipped = state.skipped and word not in ("shptxt",)
            self._open(KINDS[word])
        elif word == "ftnalt":
            self.flows[state.flow].kind = PartKind.ENDNOTE
        elif state.starred and word not in THROUGH:
            self._open(PartKind.HIDDEN)
        state.starred = False

    def _open(self, kind: PartKind) -> None:
        """Text that follows in this group is a flow of its own."""
        self.flows.append(_Flow(kind))
        self.state.flow = len(self.flows) - 1
        self.state.hidden = self.state.deleted = False

    def _unicode(self, code: int) -> None:
        if 0xD800 <= code < 0xDC00:
            self.surrogate = chr(code)
        elif 0xDC00 <= code < 0xE000:
            pair = (self.surrogate + chr(code)).encode("utf-16-le", "surrogatepass")
            self._add(pair.decode("utf-16-le", "replace"))
            self.surrogate = ""
        elif not (0xF000 <= code <= 0xF0FF):
            self._add(chr(code))

    def _flush(self) -> None:
        self._flush_bytes()
        self.skip = 0

    def _flush_bytes(self) -> None:
        if self.pending:
            if not self.state.fonts:
                self._add(bytes(self.pending).decode(self.state.page, "replace"))
            self.pending.clear()

    def _add(self, text: str) -> None:
        if self.state.skipped or not text:
            return
        flow = self.flows[self.state.flow]
        if self.state.hidden or self.state.deleted:
            kind = PartKind.DELETED if self.state.deleted else PartKind.HIDDEN
            flow.aside.setdefault(kind, []).append(text)
        else:
            flow.shown.append(text)

    def _paragraph(self, flow: _Flow) -> None:
        """Ends a paragraph: what it shows is a part, and so is what it hides."""
        kind = PartKind.CELL if flow.cell and flow.kind is PartKind.BODY else flow.kind
        text = "".join(flow.shown)
        if kind is PartKind.ALT_TEXT and not self.shape_word.startswith(SHAPE_WORDS):
            text = ""
        if flow.names_a_property:
            self.shape_word, text = text.strip(), ""
        self.pieces.append(Piece(kind, text))
        self.pieces.extend(Piece(other, "".join(words)) for other, words in flow.aside.items())
        flow.shown, flow.aside, flow.cell = [], {}, False


def _code_page(number: int) -> str:
    name = {65001: "utf-8", 10000: "mac_roman", 0: "cp1252"}.get(number, f"cp{number}")
    return name if is_encoding(name) else "cp1252"
