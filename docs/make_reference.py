"""Writes one reference page for each mask, attack and loss, from what the methods declare of themselves.

python -m docs.make_reference          writes docs/reference/, and the lines of the rooms that export the methods
python -m docs.make_reference --check  tells which of them are not what the methods say
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from pathlib import Path

from docs.make_rooms import rooms

from discreet.registry import Family, Method, methods
from discreet.text import recognisers
from discreet.text.vectors.methods import METHODS

FOLDER = Path(__file__).parent / "reference"
KINDS: dict[Family, str] = {"mask": "Masks", "attack": "Attacks", "loss": "Losses"}


def page(method: Method) -> str:
    """The reference page of one method."""
    parts = [
        f"# {method.name}",
        f"*{method.title}: {method.kind}, family {method.family}*",
        _described(method),
    ]
    about = "What it does" if method.kind == "mask" else "What the number means"
    parts.append(f"**{about}:** {method.meaning}.")
    parts.append(_facts(method))
    if method.parameters:
        parts.append(_parameters(method))
    if method.guarantees:
        parts.append(_listed("Guarantees", "Checked on the published file.", method.guarantees))
    if method.by_design:
        parts.append(_listed("By design", "What no file shows, and so is not checked.", method.by_design))
    parts.append(_example(method))
    if method.cites:
        parts.append("## Sources\n\n" + "\n".join(f"- {each}" for each in method.cites))
    return "\n\n".join(parts) + "\n"


def _listed(title: str, about: str, lines: Sequence[object]) -> str:
    return f"## {title}\n\n{about}\n\n" + "\n".join(f"- {each}" for each in lines)


def index(every: dict[Family, list[Method]]) -> str:
    """The page that lists all methods."""
    parts = ["# Reference\n\nMade from what the methods declare of themselves (`make docs`)."]
    for kind, title in KINDS.items():
        rows = [
            f"| [{each.name}]({kind}/{each.name}.md) | {each.family} | {each.summary} |"
            for each in every[kind]
        ]
        parts.append(f"## {title}\n\n| name | family | what it gives |\n|---|---|---|\n" + "\n".join(rows))
    parts.append(
        "## Documents\n\n[Recognisers](recognisers.md): what is looked for in texts. [Vectors](vectors.md): attacks on "
        "corpora that are published as vectors, and measures of their loss."
    )
    return "\n\n".join(parts) + "\n"


def pages() -> dict[Path, str]:
    """Every page and where it lies."""
    every: dict[Family, list[Method]] = {kind: methods(kind) for kind in KINDS}
    found = {FOLDER / kind / f"{each.name}.md": page(each) for kind, of in every.items() for each in of}
    return {
        FOLDER / "README.md": index(every),
        FOLDER / "recognisers.md": recognisers_page(),
        FOLDER / "vectors.md": vectors_page(),
        **found,
    }


def vectors_page() -> str:
    """The page of the attacks on vectors and of the measures of their loss, from what they declare of themselves."""
    parts = [
        "# Vectors\n\nAttacks on corpora that are published as vectors, and measures of their loss, made from what "
        "they declare of themselves (`make docs`). All numbers are shares. `identity` and `attribute` are the "
        "headlines that an attack counts for; [corpora](../explanation/corpora.md) explains them."
    ]
    for kind, title, last in (("attack", "Attacks", "headline"), ("loss", "Losses", "")):
        rows = [
            f"| {each.name} | {each.title} | {each.meaning} | {each.headline} |".replace("|  |", "| |")
            for each in METHODS.values()
            if each.kind == kind
        ]
        head = f"| name | title | what the number means | {last} |".replace("|  |", "| |")
        parts.append(f"## {title}\n\n{head}\n|---|---|---|---|\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def recognisers_page() -> str:
    """The page of the recognisers, from what they declare of themselves."""
    rows = [
        f"| `{each.name}` | {', '.join(each.kinds)} | {each.meaning} "
        f"| {each.example.replace('[', '**').replace(']', '**')} "
        f"| {', '.join(each.languages)} | {f'`discreet[{each.extra}]`' if each.extra else ''} |"
        for each in sorted(recognisers(), key=lambda each: each.name)
    ]
    head = (
        "# Recognisers\n\nWhat is looked for in documents, made from what the recognisers declare of themselves "
        "(`make docs`). How they work together: [entities](../explanation/entities.md).\n\n"
        "| name | kinds | what it finds | example | languages | needs |\n|---|---|---|---|---|---|\n"
    )
    return head + "\n".join(rows) + "\n"


def _described(method: Method) -> str:
    """The docstring, its examples set apart as code."""
    paragraphs = inspect.cleandoc(inspect.unwrap(method.function).__doc__ or "").split("\n\n")
    return "\n\n".join(f"```python\n{each}\n```" if each.startswith(">>>") else each for each in paragraphs)


def _facts(method: Method) -> str:
    rows = [
        ("columns", ", ".join(sorted(str(scale) for scale in method.scales))),
        ("missing values", method.missing),
    ]
    if method.kind == "mask":
        rows.append(("random", "yes: the seed is secret" if method.random else "no"))
        rows.append(("records", "kept, one row for each" if method.keeps_rows else "not kept one for one"))
        rows.append(("what its parameters tell an intruder", method.tells.says if method.tells else ""))
    else:
        rows.append(("unit", str(method.unit)))
        rows.append(
            ("in every assessment", "yes" if method.cost == "cheap" else "only when asked for by name")
        )
    instead = f"; use {method.instead}" if method.instead else ""
    rows.append(("split over parts of a large table", f"{method.splits}{instead}"))
    return "| | |\n|---|---|\n" + "\n".join(f"| {name} | {value} |" for name, value in rows)


def _parameters(method: Method) -> str:
    rows = []
    for each in method.parameters:
        default = "needed" if each.required else f"`{each.to_dict()['default']}`"
        rows.append(f"| `{each.name}` | {each.kind.about} | {each.kind.wants()} | {default} |")
    head = "## Parameters\n\n| name | what it is | must be | default |\n|---|---|---|---|\n"
    return head + "\n".join(rows)


def _example(method: Method) -> str:
    given = ", ".join(f"{name}={value!r}" for name, value in method.example.items())
    if method.kind == "mask":
        call = f"masked = dc.mask.{method.name}(table{', ' + given if given else ''})"
    else:
        tables = ", ".join("table" if name == "original" else "release.table" for name in method.tables)
        if "manifest" in method.extras:
            tables += ", manifest=release.manifest"
        call = f"found = dc.{method.kind}.{method.name}({tables}{', ' + given if given else ''})"
    return f"## Example\n\n```python\n{call}\n```"


def main() -> int:
    if "--check" in sys.argv:
        wanted = {**rooms(), **pages()}
        stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text() != text]
        stale += [path for path in FOLDER.glob("*/*.md") if path not in wanted]
        sys.stdout.write("".join(f"{path} is not what the methods say\n" for path in stale))
        return 1 if stale else 0
    # The rooms come first: a method is known once its room exports it.
    _write(rooms())
    for path in FOLDER.glob("*/*.md"):
        path.unlink()
    _write(pages())
    return 0


def _write(texts: dict[Path, str]) -> None:
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    sys.exit(main())
