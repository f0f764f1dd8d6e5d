"""Project files with something wrong in them: every value of another type, bytes flipped, lines lost or doubled."""

from __future__ import annotations

import copy
import datetime as dt
import math
import random
from collections.abc import Iterator
from typing import Any

import tomlkit

WHOLE: dict[str, Any] = {
    "read": {
        "file": "people.csv",
        "delimiter": ",",
        "encoding": "utf-8",
        "decimal": ".",
        "missing": ["NA"],
    },
    "columns": {
        "person": {"role": "identifier"},
        "age": {"role": "quasi-identifier", "scale": "numeric"},
        "town": {"role": "quasi-identifier", "scale": "ordinal", "order": ["north", "middle", "south"]},
        "pet": {"role": "quasi-identifier", "ontology": "pets.csv", "mapping": "pairs.csv"},
        "ill": {"role": "confidential"},
        "remark": {"role": "confidential", "scale": "text"},
        "note": {"role": "confidential", "scale": "text"},
    },
    "mask": [
        {"method": "add_noise", "columns": ["age"], "p": 0.2},
        {"method": "top_code", "columns": ["age"], "threshold": 60.0, "replace": "mean"},
        {"method": "recode", "columns": ["town"], "mapping": {"north": "far"}},
        {"method": "pram", "columns": ["pet"], "theta": 0.3},
        {"method": "recode_numbers", "columns": ["age"], "cuts": [30, 40, 60]},
    ],
    "assess": {
        "attacks": ["k_anonymity", "link distance=gower", "identity"],
        "losses": ["lost"],
        "ceilings": {"identity": 0.9},
        "floors": {"k_anonymity": 1},
        "alpha": 0.5,
    },
    "release": {
        "order": "kept",
        "pseudonymise": ["person"],
        "publish_text": ["remark"],
        "sanitise_text": ["note"],
        "policy": "policy.toml",
        "format": "csv",
    },
}
"""A project file that uses every key."""

PEOPLE = "person,age,town,pet,ill,remark,note\n" + "".join(
    f"p{row},{20 + 7 * row % 50},{('north', 'middle', 'south')[row % 3]},{('dog', 'cat')[row % 2]},flu{row % 4},"
    "so so,none\n"
    for row in range(24)
)
FILES = {
    "people.csv": PEOPLE,
    "pets.csv": "dog;mammal;animal\ncat;mammal;animal\n",
    "pairs.csv": "value,concept\ndog,dog\n",
    "policy.toml": '[allow]\nany = ["none"]\n',
}
OTHERS: tuple[Any, ...] = (
    "",
    "text",
    "a\x1b\u202e\x00",
    "../" * 3 + "x",
    0,
    -1,
    2**62,
    10**30,
    10**400,
    -0.0,
    1e308,
    5e-324,
    math.nan,
    math.inf,
    -math.inf,
    True,
    dt.datetime(2020, 1, 2, 3, 4, 5, tzinfo=dt.UTC),
    dt.date(2020, 1, 2),
    dt.time(1, 2, 3),
    [],
    [[]],
    [1, "a"],
    [""],
    [{}],
    ["text", "text"],
    {},
    {"a": {"b": 1}},
    {"": ""},
)
"""A value of every type that TOML has, at its edges."""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value in plain data."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inner:
        yield from places(each, (*path, name))


def exchanged(said: dict[str, Any], path: tuple[Any, ...], other: Any) -> str:
    """The project file with another value at one place."""
    made = copy.deepcopy(said)
    inner: Any = made
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = other
    return written(made)


def written(said: dict[str, Any]) -> str:
    return tomlkit.dumps(said)


def damaged(text: str, draws: random.Random) -> bytes:
    """The file with bytes flipped, or with lines lost, doubled or moved."""
    lines, content = text.splitlines(keepends=True), bytearray(text.encode())
    how = draws.randrange(5)
    if how == 0:
        for _ in range(draws.randint(1, 4)):
            content[draws.randrange(len(content))] = draws.randrange(256)
        return bytes(content)
    if how == 1:
        del lines[draws.randrange(len(lines))]
    elif how == 2:
        place = draws.randrange(len(lines))
        lines.insert(draws.randrange(len(lines)), lines[place])
    elif how == 3:
        start = draws.randrange(len(content))
        del content[start : start + draws.randint(1, 30)]
        return bytes(content)
    else:
        one, other = draws.randrange(len(lines)), draws.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
    return "".join(lines).encode()
