"""`discreet review`: decide about sensitive stretches, one after the other, on a full screen."""

from __future__ import annotations

import getpass
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options, show
from discreet.cli.sanitise import Documents
from discreet.errors import BadParameter, NotInstalled
from discreet.text.reviewing import Review


def review(
    documents: Documents,
    policy: Annotated[
        str,
        typer.Option(
            "--policy", help="What is sensitive: a policy file, or one that ships, such as eo13526."
        ),
    ] = "eo13526",
    decisions: Annotated[
        Path,
        typer.Option("--decisions", help="The file of the decisions, begun or gone on with; it is private."),
    ] = Path("decisions.jsonl"),
    reviewer: Annotated[
        str, typer.Option("--reviewer", help="Who reviews; the user's name when left out.")
    ] = "",
    json: options.AsJson = False,
) -> None:
    """Review the stretches of documents that are dense with sensitive words: keep, cut, generalise or shorten each.

    Every decision is in the file at once; `discreet sanitise --decisions FILE` carries them out. With --json, the
    stretches that are left are listed and nothing is asked.
    """
    from discreet.text.reading import read
    from discreet.text.sanitising import find_blocks

    with show.bar(json) as progress:
        corpus = read(documents, progress=progress)
        blocks = find_blocks(corpus, policy, progress=progress)
    begun = Review.begun(
        corpus,
        blocks,
        decisions,
        reviewer=reviewer or getpass.getuser(),
        date=datetime.now().astimezone().date().isoformat(),
    )
    if json:
        show.as_json(
            {
                "blocks": len(begun.blocks),
                "left": [each.to_dict() for each in begun.left],
                "order": begun.order,
                **begun.decisions.summary(),
            }
        )
        return
    if not begun.blocks:
        show.out.print("No stretch is dense enough with sensitive words to be reviewed.")
        return
    show.out.print(str(_on_screen(begun)))


def _on_screen(begun: Review) -> Review:
    """The review after somebody went through it on the screen."""
    if not sys.stdout.isatty():
        raise BadParameter("review: a terminal is needed. Use --json to list what is left to review.")
    try:
        from discreet.cli.review_screen import ReviewScreen
    except ModuleNotFoundError:
        raise NotInstalled("a review on the screen needs textual: pip install 'discreet[text]'.") from None
    return ReviewScreen(begun).run() or begun
