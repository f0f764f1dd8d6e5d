"""Where in a TOML file a key stands, so that an error can say it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence

HEADER = re.compile(r"^\s*\[\[?([^\[\]]+)\]\]?\s*(#.*)?$")
KEY = re.compile(
    r"""^\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*="""
)


def line_of(text: str, path: Sequence[str], occurrence: int = 1) -> int | None:
    """The line, from 1, where the key with this path is set, or its table begins; None where it is not found.

    `occurrence` picks among the tables of an array such as [[mask]].

    >>> line_of("[read]\\ndelimeter = ';'\\n", ["read", "delimeter"])
    2
    """
    wanted = tuple(path)
    section: tuple[str, ...] = ()
    seen = 0
    for number, line in enumerate(text.splitlines(), start=1):
        header = HEADER.match(line)
        if header:
            section = _parts(header.group(1))
            seen += section == wanted[: len(section)] and len(section) <= len(wanted) and "[[" in line
            # The table [read.more] is the first that is known of [read] where that has no header of its own.
            if section[: len(wanted)] == wanted and ("[[" not in line or seen == occurrence):
                return number
            if section[: len(wanted)] == wanted and "[[" not in line:
                return number
            continue
        key = KEY.match(line)
        if key is None or (occurrence > 1 and seen != occurrence):
            continue
        if (section + _parts(key.group(1)))[: len(wanted)] == wanted:
            return number
    return None


def line_in_message(problem: tomllib.TOMLDecodeError) -> int | None:
    """The line that a TOML syntax error names; None where it says the end of the document."""
    found = re.search(r"at line (\d+)", str(problem))
    return int(found.group(1)) if found else None


def key_on_line(text: str, line: int) -> str:
    """The key, or the name of the table, that stands on this line; empty where there is none."""
    lines = text.splitlines()
    if not 1 <= line <= len(lines):
        return ""
    found = HEADER.match(lines[line - 1]) or KEY.match(lines[line - 1])
    return ".".join(_parts(found.group(1))) if found else ""


def _parts(dotted: str) -> tuple[str, ...]:
    """The names in a dotted key: `columns."home town"` is ("columns", "home town")."""
    try:
        table = tomllib.loads(f"{dotted} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    names: list[str] = []
    inner: object = table
    while isinstance(inner, dict):
        name, inner = next(iter(inner.items()))
        names.append(name)
    return tuple(names)
