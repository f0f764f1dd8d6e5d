"""Help: every term of the desk in one sentence, and every method from its declared facts."""

from __future__ import annotations

from discreet import registry
from discreet.web.glossary import ROLES, SCALES, TERMS
from discreet.web.page import Facts, Page, Visit


def show(visit: Visit) -> Facts:
    """The glossary and the methods."""
    return {
        "terms": dict(sorted(TERMS.items())),
        "roles": dict(ROLES),
        "scales": dict(SCALES),
        "methods": {
            kind: [
                {"name": each.name, "title": each.title, "summary": each.summary, "meaning": each.meaning}
                for each in registry.methods(kind)
            ]
            for kind in ("mask", "attack", "loss")
        },
    }


PAGE = Page(
    name="help",
    title="Help",
    of="desk",
    about="What every word on these pages means, and what every method does.",
    show=show,
)
