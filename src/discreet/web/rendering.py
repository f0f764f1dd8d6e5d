"""Pages as HTML: the facts of a page set into its template, every text from data made visible and escaped."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from discreet.caching import source_digest
from discreet.digests import digest_of
from discreet.reporting.html import inline
from discreet.reporting.words import count, names, number, percent, title
from discreet.visible import visible
from discreet.web.glossary import GLOSSARY
from discreet.writing.atomic import write_text

SPARK = (96, 22)
"""Width and height of a small histogram."""


@cache
def templates() -> Environment:
    """The templates of all pages."""
    made = Environment(
        loader=PackageLoader("discreet.web", "templates"),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(percent=percent, number=number, names=names, count=count, title_of=title)
    made.globals.update(term=term, spark=spark, bar=bar, change=change)
    return made


def render(template: str, **told: Any) -> str:
    return templates().get_template(f"{template}.html.jinja").render(**told)


def _shown(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def term(name: str, shown: str = "") -> Markup:
    """A term that explains itself in one sentence, to whoever points at it or comes to it by keyboard."""
    about = GLOSSARY[name]
    return Markup(
        '<span class="term" tabindex="0" aria-description="{0}" data-about="{0}">{1}</span>'
    ).format(about, shown or name)


def spark(distribution: Mapping[str, Any]) -> Markup:
    """A small histogram of one column; each bar tells what it stands for."""
    bars = distribution["bars"]
    most = max((bar["original"] or 0 for bar in bars), default=0)
    if not most:
        return Markup('<span class="quiet">{}</span>').format("not shown")
    width, height = SPARK
    step = width / len(bars)
    drawn = []
    for place, each in enumerate(bars):
        tall = max(1.0, height * (each["original"] or 0) / most)
        many = "fewer than 3 records" if each["original"] is None else count(each["original"], "record")
        drawn.append(
            Markup(
                '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"><title>{}</title></rect>'
            ).format(
                place * step, height - tall, max(0.8, step - 1), tall, visible(f"{each['label']}: {many}")
            )
        )
    label = visible(f"Distribution of {distribution['column']}")
    return Markup(
        '<svg class="spark" role="img" aria-label="{}" viewBox="0 0 {} {}" width="{}" height="{}">{}</svg>'
    ).format(label, width, height, width, height, Markup("").join(drawn))


def change(distribution: Mapping[str, Any]) -> Markup:
    """A small histogram before and after: what was as bars, what is as a line over them."""
    bars = distribution["bars"]
    shares = [
        tuple((each[key] or 0) / max(1, distribution[f"{key}_records"]) for key in ("original", "published"))
        for each in bars
    ]
    most = max((share for pair in shares for share in pair), default=0)
    if not most:
        return Markup('<span class="quiet">{}</span>').format("not shown")
    width, height = SPARK
    step = width / len(bars)
    drawn, line = [], []
    for place, (before, after) in enumerate(shares):
        x, old, new = place * step, height * before / most, height * after / most
        drawn.append(
            Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>').format(
                x, height - old, max(0.8, step - 1), old
            )
        )
        line.append(f"{x:.1f},{height - new:.1f} {x + step - 1:.1f},{height - new:.1f}")
    missing = percent(distribution["published_missing"])
    label = visible(f"{distribution['column']}, before and after; {missing} missing after")
    return Markup(
        '<svg class="spark" role="img" aria-label="{}" viewBox="0 -1 {} {}" width="{}" height="{}"><title>{}</title>{}'
        '<polyline points="{}"/></svg>'
    ).format(label, width, height + 2, width, height + 2, label, Markup("").join(drawn), " ".join(line))


def bar(share: float | None, limit: float | None = None) -> Markup:
    """A share as a bar, with a mark where its limit is."""
    if share is None:
        return Markup("")
    width = 100 * min(max(share, 0.0), 1.0)
    bad = limit is not None and share > limit
    stop = (
        Markup("")
        if limit is None
        else Markup('<rect class="stop" x="{:.1f}" y="0" width="1" height="8"/>').format(
            min(99.0, 100 * limit)
        )
    )
    return Markup(
        '<svg class="bar{}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="ground" width="100" height="8"/><rect class="fill" width="{:.1f}" height="8"/>{}</svg>'
    ).format(" bad" if bad else "", width, stop)


def drawn(make: Callable[[], Any], name: str, told: Any, kept: Path) -> Markup:
    """A chart as an element of a page, made once of what it is told and kept beside the work."""
    place = kept / f"{digest_of([told, name, source_digest()])[:32]}.svg"
    if place.is_file():
        return Markup(place.read_text(encoding="utf-8"))
    drawing = inline(make(), name)
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_text(place, str(drawing), force=True, private=True)
    return drawing


@cache
def assets() -> Mapping[str, tuple[bytes, str]]:
    """The style and the scripts of the desk, by name, with their kinds; nothing else is ever served from there."""
    kinds = {
        ".css": "text/css; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml",
    }
    found = {}
    for each in sorted(files("discreet.web").joinpath("static").iterdir(), key=lambda each: each.name):
        kind = kinds.get(Path(each.name).suffix)
        if kind is not None:
            found[each.name] = (each.read_bytes(), kind)
    tokens = files("discreet.reporting").joinpath("assets", "tokens.css").read_bytes()
    found["desk.css"] = (tokens + found["desk.css"][0], kinds[".css"])
    return found


@cache
def version_of_assets() -> str:
    """Changes with the style and the scripts, so that a browser never mixes two versions."""
    return hashlib.sha256(b"".join(content for content, _ in assets().values())).hexdigest()[:10]


def escaped(text: str) -> str:
    return str(escape(visible(text)))
