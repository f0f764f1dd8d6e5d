"""`discreet review`: decide about sensitive stretches and about entities on a full screen, or compare two reviewers."""

from __future__ import annotations

import getpass
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli import options, show
from discreet.cli.keygen import passphrase_of
from discreet.cli.sanitise import Known, ModelFile, PolicyName, Threshold
from discreet.errors import BadParameter, NotInstalled
from discreet.text.entity_review import EntityReview
from discreet.text.kept_findings import findings_to_dict
from discreet.text.reviewing import Review
from discreet.text.sanitising import Sanitised


def review(
    documents: Annotated[
        Path | None, typer.Argument(help="A folder of documents, or one document.", show_default=False)
    ] = None,
    policy: PolicyName = None,
    decisions: Annotated[
        Path,
        typer.Option("--decisions", help="The file of the decisions, begun or gone on with; it is private."),
    ] = Path("decisions.jsonl"),
    reviewer: Annotated[
        str, typer.Option("--reviewer", help="Who reviews; the user's name when left out.")
    ] = "",
    model: ModelFile = None,
    threshold: Threshold = None,
    known: Known = None,
    compare: Annotated[
        tuple[Path, Path] | None,
        typer.Option("--compare", help="Two files of decisions, to see how far their reviewers agree."),
    ] = None,
    everything: Annotated[
        bool,
        typer.Option("--everything", help="With --json: texts and names too; what is told is private then."),
    ] = False,
    json: options.AsJson = False,
) -> None:
    """Review documents on a full screen: sensitive stretches, and who and what was found in them.

    Stretches are kept, cut, generalised or shortened; entities are merged, split, renamed, locked, kept, or added where
    they were missed. Every decision is in the file at once; `discreet sanitise --decisions FILE` carries them out, with
    the same policy and model. With --json, what is left and what was found is listed and nothing is asked.
    """
    if compare is not None and documents is not None:
        raise BadParameter("review: either review a folder, or --compare two files of decisions.")
    if compare is not None:
        _compare(compare, json)
        return
    if documents is None:
        raise BadParameter("review: give the folder of documents to review, or --compare with two files.")
    if everything and (not json or known is not None):
        raise BadParameter("review: --everything goes with --json, and without --known.")
    if not json and not sys.stdout.isatty():
        raise BadParameter("review: a terminal is needed. Use --json to list what is left to review.")
    found = _found(documents, policy, model, threshold, known, json)
    if everything:
        show.as_json(findings_to_dict(found))
        return
    stretches, entities = _begun(found, decisions, reviewer)
    if json:
        show.as_json(_listed(stretches, entities))
        return
    _on_screen(stretches, entities)
    after = Review.begun(
        stretches.corpus, stretches.blocks, decisions, reviewer=stretches.reviewer, date=stretches.date
    )
    show.out.print(f"{after}; {len(after.decisions.about_entities())} decisions about entities")
    if decisions.exists():
        named = "" if policy is None else f" --policy {policy}"
        show.out.print(f"Next: discreet sanitise {documents}{named} --decisions {decisions}")


def _found(
    documents: Path,
    policy: str | None,
    model: Path | None,
    threshold: float | None,
    known: Path | None,
    quiet: bool,
) -> Sanitised:
    """What is found in the documents, before any decision."""
    from discreet.text.entities.learning.model import SequenceModel
    from discreet.text.entities.mapping import load_mapping
    from discreet.text.reading import read
    from discreet.text.sanitising import sanitise

    secret = None if known is None else passphrase_of("the mapping")
    with show.bar(quiet) as progress:
        return sanitise(
            read(documents, progress=progress),
            policy=policy,
            model=None if model is None else SequenceModel.load(model),
            threshold=threshold,
            known=None if known is None else load_mapping(known, passphrase=str(secret)),
            progress=progress,
        )


def _begun(found: Sanitised, decisions: Path, reviewer: str) -> tuple[Review, EntityReview]:
    """The reviews of stretches and of entities, gone on with where the file has decisions."""
    from discreet.text.decisions import Decisions

    who, day = reviewer or getpass.getuser(), datetime.now().astimezone().date().isoformat()
    held = Decisions.load(decisions) if decisions.exists() else Decisions()
    stretches = Review.begun(found.original, found.blocks, decisions, reviewer=who, date=day)
    return stretches, EntityReview.begun(found.findings, held, decisions, reviewer=who, date=day)


def _listed(stretches: Review, entities: EntityReview) -> dict[str, Any]:
    """What is left to decide, and what was found, by pseudonyms and without a name."""
    return {
        "blocks": len(stretches.blocks),
        "left": [each.to_dict() for each in stretches.left],
        "order": stretches.order,
        "entities": [each.to_dict() for each in entities.listed()],
        **stretches.decisions.summary(),
    }


def _on_screen(stretches: Review, entities: EntityReview) -> None:
    """Shows the screen until somebody leaves it."""
    try:
        from discreet.cli.review_screen import ReviewScreen
    except ModuleNotFoundError:
        raise NotInstalled("a review on the screen needs textual: pip install 'discreet[text]'.") from None
    ReviewScreen(stretches, entities).run()


def _compare(files: tuple[Path, Path], json: bool) -> None:
    """How far the reviewers of two files agree, and where they do not."""
    from discreet.text.agreement import agreement
    from discreet.text.decisions import Decisions

    found = agreement(*(Decisions.load(each) for each in files))
    if json:
        show.as_json(found.to_dict())
        return
    for line in found.lines():
        show.out.print(line, markup=False)
