"""Markdown: blocks of text without their marks, headings, links, descriptions of pictures, comments, front matter."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from discreet.text.document import PartKind
from discreet.text.documents.opened import Keep, Opened, Opening, Saved
from discreet.text.documents.plain import decoded
from discreet.text.documents.slots import LETTER, Run, Slot

TOKEN = re.compile(
    r"""
    (?P<front>\A---[ \t]*\r?\n.*?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z))
  | (?P<code>^[ ]{0,3}(?P<fence>```+|~~~+)[^\n]*\n.*?(?:^[ ]{0,3}(?P=fence)[`~]*[ \t]*$|\Z))
  | (?P<comment><!--.*?(?:-->|\Z))
  | (?P<definition>^[ ]{0,3}\[[^\]\n]+\]:[ \t]*[^\n]*$)
  | (?P<picture>!\[(?P<alt>[^\[\]]{0,1000})\](?:\((?P<source>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)|\[[^\]\n]*\])?)
  | (?P<target>\]\((?P<to>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\))
  | (?P<auto><(?:[A-Za-z][A-Za-z0-9+.-]*:|[^\s<>@]+@)[^\s<>]*>)
  | (?P<tag></?[A-Za-z][\w:-]*(?:\s+[\w:-]+(?:=(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*\s*/?>)
  | (?P<heading>^[ ]{0,3}\#{1,6}[ \t]+)
  | (?P<blank>\n[ \t\r]*(?=\n))
  | (?P<mark>\*+|~~|`+|(?<!\w)_{1,3}|_{1,3}(?!\w)|(?<![\]\\])\[|\](?!\())
    """,
    re.X | re.M | re.S,
)
INSIDE = {
    "front": PartKind.PROPERTY,
    "comment": PartKind.COMMENT,
    "definition": PartKind.LINK,
    "auto": PartKind.LINK,
    "tag": PartKind.HIDDEN,
}
"""Tokens that are a part of their own."""


@dataclass(slots=True)
class _Piece:
    """A stretch of the source; `gone` says for which choice of the steward it is not written."""

    text: str
    kind: PartKind | None = None
    picture: bool = False

    def put(self, text: str) -> None:
        self.text = text

    def written(self, keep: Keep) -> str:
        if self.picture and not keep.pictures:
            return ""
        return "" if self.kind is not None and keep.leaves_out(self.kind) else self.text


class _Found(NamedTuple):
    pieces: list[_Piece]
    slots: list[Slot]
    unread: Counter[str]


def open_markdown(raw: bytes, opening: Opening) -> Opened:
    """A Markdown text as parts."""
    found = _pieces(decoded(raw, opening))

    def save(keep: Keep) -> Saved:
        return Saved("".join(each.written(keep) for each in found.pieces).encode("utf-8", "replace"), ".md")

    return Opened(
        slots=[each for each in found.slots if LETTER.search(each.text)],
        save=save,
        not_looked_into=found.unread,
    )


def _pieces(text: str) -> _Found:
    """The source in pieces, and the slots that the pieces of text belong to."""
    found = _Found([], [], Counter())
    block = Slot(PartKind.BODY)
    done = 0
    for token in TOKEN.finditer(text):
        _into(block, found, text[done : token.start()])
        done = token.end()
        name = token.lastgroup or ""
        if token.group("code") is not None:
            _into(block, found, token.group())
        elif token.group("picture") is not None:
            _picture(token, block, found)
        elif token.group("target") is not None:
            _three(found, token, "to", PartKind.LINK)
        elif name in INSIDE:
            kind = INSIDE[name]
            piece = _Piece(token.group(), kind)
            found.pieces.append(piece)
            found.slots.append(Slot(kind, [piece]))
        else:
            found.pieces.append(_Piece(token.group()))
        if name in ("blank", "heading", "front"):
            found.slots.append(block)
            block = Slot(PartKind.HEADING if name == "heading" else PartKind.BODY)
    _into(block, found, text[done:])
    found.slots.append(block)
    return found


def _into(block: Slot, found: _Found, text: str) -> None:
    """Text of a block; a heading ends with its line."""
    if not text:
        return
    if block.kind is PartKind.HEADING and "\n" in text:
        line, rest = text.split("\n", 1)
        _add(block, found, line)
        found.slots.append(Slot(block.kind, block.runs))
        block.kind, block.runs = PartKind.BODY, []
        text = "\n" + rest
    _add(block, found, text)


def _add(block: Slot, found: _Found, text: str) -> Run:
    piece = _Piece(text)
    found.pieces.append(piece)
    block.runs.append(piece)
    return piece


def _picture(token: re.Match[str], block: Slot, found: _Found) -> None:
    """A picture: its description stays as text, and where it lies goes unless pictures are kept."""
    found.unread["pictures"] += 1
    alt = _Piece(token.group("alt"))
    found.slots.append(Slot(PartKind.ALT_TEXT, [alt]))
    found.pieces.extend([_Piece("![", picture=True), alt])
    if token.group("source") is None:
        rest = token.group()[len("![") + len(alt.text) :]
        found.pieces.append(_Piece(rest, picture=True))
        return
    source = _Piece(token.group("source"), picture=True)
    if not source.text.lstrip("< ").lower().startswith("data:"):
        found.slots.append(Slot(PartKind.LINK, [source]))
    found.pieces.extend([_Piece("](", picture=True), source, _Piece(")", picture=True)])


def _three(found: _Found, token: re.Match[str], inner: str, kind: PartKind) -> None:
    """The target of a link, between its marks."""
    low, high = token.start(inner) - token.start(), token.end(inner) - token.start()
    whole = token.group()
    target = _Piece(whole[low:high], kind)
    found.slots.append(Slot(kind, [target]))
    found.pieces.extend([_Piece(whole[:low]), target, _Piece(whole[high:])])
