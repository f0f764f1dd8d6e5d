"""The plans that a search tried, from its journal, for the map of a report."""

from __future__ import annotations

import json
from pathlib import Path

from discreet.assessment import LOST
from discreet.digests import digest_of
from discreet.errors import BadFile, BadInput, Mismatch
from discreet.headline import IDENTITY
from discreet.searching.journal import points_of
from discreet.searching.question import FORMAT
from discreet.table import Table


def plans_tried(journal: str | Path, original: Table) -> tuple[tuple[str, float, float], ...]:
    """The plans in the journal of a search: the name of each, the share of people found, and the loss in percent.

    A search tries them with its quick attacks, so that all attacks together can find more. Raises BadFile where the
    file is no journal, and Mismatch where it is one of another table or of another measure than `lost`.
    """
    place = Path(journal)
    try:
        lines = place.read_text(encoding="utf-8").split("\n")
        head = json.loads(lines[0])
        kind = head["format"], head["values"], head["loss"]
        # A crash can leave half a line at the end.
        points = list(points_of(json.loads(line) for line in lines[1:-1]))
    except FileNotFoundError:
        raise BadFile(
            f"there is no file {place}. `discreet search FILE --journal {place.name}` writes one."
        ) from None
    except (OSError, UnicodeDecodeError, ValueError, KeyError, TypeError, AttributeError, BadInput):
        raise BadFile(f"{place} cannot be read as the journal of a search. Give another file.") from None
    if kind != (FORMAT, digest_of(original.frame), digest_of(LOST)):
        raise Mismatch(
            f"{place} is the journal of a search over other values, for another measure than '{LOST}', or by another "
            "version, so that its plans have no place beside this release. Give one of a search of this original."
        )
    return tuple(
        (f"{number}. {point}", point.risks[IDENTITY], point.loss)
        for number, point in enumerate(points, start=1)
        if IDENTITY in point.risks
    )
