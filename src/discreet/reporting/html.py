"""The page: facts and charts set into the template, with a rule that forbids the browser to load anything."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from discreet.progress import SILENT, Progress
from discreet.reporting import charts
from discreet.reporting.drawing import draw_specification, drawable
from discreet.reporting.facts import Facts
from discreet.reporting.text_facts import TextFacts
from discreet.reporting.words import count, inside_sentence, names, number, percent, title
from discreet.visible import visible

if TYPE_CHECKING:
    from markupsafe import Markup

TEMPLATES: dict[type, str] = {Facts: "page.html.jinja", TextFacts: "text.html.jinja"}
XML_NAMES = re.compile(r' xmlns(?::xlink)?="[^"]*"')
NARROW = 350
"""The width of the map on a phone, in pixels."""
IDENTIFIER = re.compile(r'\bid="([^"]+)"')
GEOMETRY = re.compile(r' (?:d|transform|x2|y2|width|height)="[^"]*"')
DIGITS = re.compile(r"-?\d+\.\d{3,}")


def page(facts: Facts | TextFacts, progress: Progress = SILENT) -> str:
    """The report as one HTML page; most of the time goes into drawing one chart for each changed column."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("discreet.reporting", "assets"),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        percent=percent,
        number=number,
        names=names,
        title_of=title,
        count=count,
        inside_sentence=inside_sentence,
    )
    script = _asset("page.js")
    return environment.get_template(TEMPLATES[type(facts)]).render(
        facts=facts,
        inside=facts.audience == "internal",
        part="column" if isinstance(facts, Facts) else "kind",
        style=Markup(_asset("tokens.css") + _asset("page.css")),
        script=Markup(script),
        script_hash=_hash(script),
        drawings=_drawings(facts, progress),
    )


def _shown(value: Any) -> Any:
    """A value as the page shows it: texts from data with all that is no character spelled out."""
    from markupsafe import Markup

    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _drawings(facts: Facts | TextFacts, progress: Progress) -> dict[str, Any]:
    """The charts of the page, each an SVG element."""
    changed = [column for column in facts.columns if column.bars and column.changed]
    columns = {}
    for place, column in enumerate(changed):
        progress(place, len(changed), "draw")
        columns[column.column] = inline(charts.distribution(column), f"column{place}")
    progress(len(changed), len(changed), "drawn")
    if isinstance(facts, TextFacts):
        return {"columns": columns}
    return {
        "columns": columns,
        "map": None if facts.map is None else inline(charts.of_map(facts.map), "map"),
        "narrow_map": None
        if facts.map is None
        else inline(charts.of_map(facts.map, width=NARROW), "narrow-map"),
        "chances": []
        if facts.exposure is None
        else [
            inline(charts.chances(each), f"chances{place}")
            for place, each in enumerate(facts.exposure.chances)
        ],
    }


def inline(chart: Any, name: str) -> Markup:
    """A chart as an SVG element that can stand in a page: with a name for screen readers, and ids of its own.

    Vega escapes all text that it writes into the drawing.
    """
    from markupsafe import Markup, escape

    specification = drawable(chart.to_dict())
    svg = draw_specification(specification, "svg").decode()
    svg = XML_NAMES.sub("", svg)
    for old in set(IDENTIFIER.findall(svg)):
        svg = svg.replace(f'id="{old}"', f'id="{name}-{old}"').replace(f"url(#{old})", f"url(#{name}-{old})")
    svg = GEOMETRY.sub(lambda found: DIGITS.sub(_shorter, found[0]), svg)
    label = escape(specification["description"])
    return Markup(svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1))


def _shorter(found: re.Match[str]) -> str:
    """A coordinate to a hundredth of a pixel."""
    return f"{float(found[0]):.2f}"


def _asset(name: str) -> str:
    return files("discreet.reporting").joinpath("assets", name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    """What the page's rule for scripts names: the one script it may run."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
