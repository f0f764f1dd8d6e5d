"""Text that is safe to show: what a terminal would obey, a renderer would die of or a reader cannot see is spelled out.

Names of columns and files, categories and labels come from data, and data can hold anything. Files and JSON keep them
as they are; what is shown to people goes through here.
"""

from __future__ import annotations

import json
import re

# Controls but for tab and line feed, separators of lines, what turns the direction of writing around, halves of
# characters, and what is no character at all.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr(plane << 16 | place) for plane in range(1, 17) for place in (0xFFFE, 0xFFFF))
    + "]"
)


def visible(text: str) -> str:
    r"""The text with the number of every character that is a command, or none, in its place; tabs and line feeds stay.

    A backslash would not do: some renderers read what follows it, and make the character again.

    >>> visible("red \x1b[31m alert")
    'red [U+001B][31m alert'
    """
    return _HIDDEN.sub(_number, text)


def visible_line(text: str) -> str:
    r"""The same in one line: tabs and line feeds are numbers too.

    >>> visible_line("one\nother")
    'one[U+000A]other'
    """
    return re.sub("[\n\t]", _number, visible(text))


def _number(found: re.Match[str]) -> str:
    return f"[U+{ord(found[0]):04X}]"


def escaped_json(text: str) -> str:
    r"""JSON with those characters as the escapes that JSON has for them: whoever reads it finds the very same text.

    >>> escaped_json('["\x9b"]')
    '["\\u009b"]'
    """
    return _HIDDEN.sub(lambda found: json.dumps(found[0])[1:-1], text)
