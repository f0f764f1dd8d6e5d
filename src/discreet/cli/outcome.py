"""How a command that judges ends: with one sentence, and with an exit code that scripts can rely on.

`assess`, `report`, `compare` and the commands of corpora all end here: code 0 where every limit is met (or none was
set), 1 where one is exceeded or could not be checked. Bad input is code 2, at the edge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import typer

from discreet.assessment import EXCEEDED, MET, NO_LIMITS, NOT_CHECKED, Assessment, Limit
from discreet.cli import show
from discreet.errors import listed
from discreet.text.assessment import TextAssessment

STYLES = {**show.STYLES, NO_LIMITS: ""}


def leave(
    found: Assessment | TextAssessment, *, quiet: bool = False, what: str = "The release is not cleared"
) -> None:
    """Says how a release stands to its limits, and leaves with the code of that."""
    if not quiet:
        show.out.print(sentence(found.verdict, found.limits, what), style=STYLES[found.verdict])
    _exit(found.verdict)


def leave_several(found: Mapping[str, Assessment], *, quiet: bool = False) -> None:
    """The same of several releases: code 0 where at least one of them meets every limit, or none was set."""
    verdicts = {name: each.verdict for name, each in found.items()}
    kept = [name for name, verdict in verdicts.items() if verdict == MET]
    unlimited = set(verdicts.values()) == {NO_LIMITS}
    verdict = MET if kept else NO_LIMITS if unlimited else EXCEEDED
    if not quiet:
        words = f"Every limit is met by {listed(kept)}." if kept else NOBODY
        show.out.print(sentence(NO_LIMITS, ()) if unlimited else words, style=STYLES[verdict])
    _exit(verdict)


NOBODY = "None of the releases is known to meet every limit, which is exit code 1."
SET_ONE = (
    "No limit was set, so there is no verdict. Set one with --ceiling identity=0.1, "
    "or under [assess] in the project."
)


def sentence(verdict: str, limits: Sequence[Limit], what: str = "") -> str:
    """How a release stands to its limits, in one sentence, and `what` follows where it does not meet them."""
    if verdict == NO_LIMITS:
        return SET_ONE
    if verdict == MET:
        return f"Verdict: met. {'The limit is' if len(limits) == 1 else 'All limits are'} kept."
    parts = [
        f"{status} ({', '.join(limit.name for limit in limits if limit.status == status)})"
        for status in (EXCEEDED, NOT_CHECKED)
        if any(limit.status == status for limit in limits)
    ]
    return f"Verdict: {' and '.join(parts)}. {what}, which is exit code 1."


def _exit(verdict: str) -> None:
    if verdict not in (MET, NO_LIMITS):
        raise typer.Exit(1)
