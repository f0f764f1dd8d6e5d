"""`discreet learn`: a model of what reviewers hide, with a threshold that keeps a bound."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options, show


def learn(
    annotated: Annotated[
        Path, typer.Argument(help="Reviewed documents: JSON lines with texts and the spans that were hidden.")
    ],
    out: Annotated[Path, typer.Option("--out", help="The file of the model; it is private.")] = Path(
        "model.json"
    ),
    miss_at_most: Annotated[
        float, typer.Option("--miss-at-most", help="The share of direct identifiers that may be missed.")
    ] = 0.02,
    confidence: Annotated[float, typer.Option("--confidence", help="How sure that bound must be.")] = 0.95,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Learn from reviewed documents what to hide, and choose a threshold that keeps a bound on what is missed.

    Exit code 1 when the bound cannot be shown; it then says how many more documents to review.
    """
    from discreet.text.entities.annotations import read_annotations
    from discreet.text.entities.learning.learning import learned

    options.check_output(out, force, annotated)
    with show.bar(json) as progress:
        model, threshold = learned(
            read_annotations(annotated),
            missed_at_most=miss_at_most,
            confidence=confidence,
            progress=progress,
        )
        model.save(out, force=force)
    if json:
        show.as_json({"model": str(out), **threshold.to_dict()})
    else:
        show.out.print(str(threshold))
        show.out.print(f"Keep secret: {out} (it holds words of the documents)")
    if threshold.threshold is None:
        raise typer.Exit(1)
